import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants } from 'node:os';
import type { ApiError } from '../../api/error.ts';
import type { PlanFile } from '../../config/planSchema.ts';
import { carryOutPlan } from '../../store/plans/carryOut.ts';
import { type Examined, examinePlan } from '../../store/plans/examinePlan.ts';
import { isInDoubt, type Plan, type PlanStep, type StepResult } from '../../store/plans/plan.ts';
import { planOfFile } from '../../store/plans/planFile.ts';
import { clean } from '../../text/cells.ts';
import { counted } from '../../text/words.ts';
import type { Invocation } from '../arguments.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { stateDirectory } from '../directories.ts';
import { print } from '../output.ts';
import { UsageError } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { openCallLog } from '../takeSnapshots.ts';
import { confirmed } from './confirmPlan.ts';
import { lockFile } from './lock.ts';
import { checkAccount, openPlanAccount, otherHost, type PlanAccount } from './planAccount.ts';
import { describedStep, factsOf } from './planFacts.ts';
import { type Glyphs, planText } from './planText.ts';
import { openProgress, type Progress } from './progress.ts';

/** The parts of a run that uses a plan. */
export interface PlanRun {
  invocation: Invocation;
  /** Reads the settings of the account. Rejects with a UsageError. */
  settings: () => Promise<Settings>;
  /** A spawned process for the demo API. */
  child?: ChildProcessWithoutNullStreams;
  glyphs: Glyphs;
  /** Told of what is no result, as a sentence. */
  complain: (says: string) => void;
}

/** Carries out a checked plan, or with `--dry-run` says what would be refused. Returns the exit code; rejects with a UsageError. */
export async function applyPlan(host: NodeJS.Process, run: PlanRun, file: PlanFile): Promise<number> {
  const { invocation, child, complain } = run;
  const { dryRun } = invocation.apply;
  const settings = await run.settings();
  if (settings.readOnly && !dryRun)
    throw new UsageError(
      `Read-only: the profile ${settings.profile} carries nothing out; --dry-run says what would be refused, and another profile carries the plan out.`,
    );
  const elsewhere = otherHost(file, settings);
  if (elsewhere !== undefined) throw new UsageError(elsewhere);
  const { demo } = invocation;
  const { onCall, close: closeLog } = openCallLog(invocation);
  const given = { ...settings, readOnly: dryRun || settings.readOnly };
  const account = openPlanAccount(given, { env: host.env, demo, child, onCall, onFailure: complain });
  try {
    const refused = await account.whyRefused();
    if (refused !== undefined) {
      complain(refused);
      return exit.unreachable;
    }
    const { other, note } = await checkAccount(file, account.stores);
    if (other !== undefined) throw new UsageError(other);
    if (note !== undefined) complain(note);
    const progress = settings.demo ? undefined : openProgress(stateDirectory(host.env), file);
    const unlock = progress && !dryRun ? lockFile(host, progress.file) : undefined;
    if (typeof unlock === 'string') {
      complain(unlock);
      return exit.problems;
    }
    try {
      return await carryOutOn(account, host, run, { file, progress });
    } finally {
      unlock?.();
    }
  } finally {
    await account.close();
    closeLog();
  }
}

/** A plan with what was done of it before. */
interface Begun {
  file: PlanFile;
  progress: Progress | undefined;
}

async function carryOutOn(
  { stores }: PlanAccount,
  host: NodeJS.Process,
  { invocation, complain, glyphs }: PlanRun,
  { file, progress }: Begun,
): Promise<number> {
  const { dryRun, confirm, from, jsonl } = invocation.apply;
  const results = progress?.read() ?? new Map<number, StepResult>();
  const plan = planFrom(file, results, from);
  const say = (line: string) => print(host.stdout, `${line}\n`);
  const told = tellerOf(file, jsonl);
  const left = plan.steps.filter((step) => !isDone(step));
  for (const step of plan.steps.filter(isDone)) await say(told(step.id, 'done before', step.result));
  if (left.length === 0) {
    complain(`The plan was carried out before; --from ${file.steps[0]?.id} does it once more. Nothing was sent.`);
    return exit.fine;
  }
  await stores.events.poll();
  const examined = (await examinePlan(stores, plan)).map((one) => withSecretRefused(one, file));
  const refused = examined.filter(({ why }) => why !== undefined);
  if (dryRun || refused.length > 0) {
    for (const { id, why, note } of dryRun ? examined : refused)
      await say(told(id, why === undefined ? 'fine' : 'refused', { says: why ?? note }));
    const away = examined.some(({ error }) => error && isAway(error));
    if (!jsonl) await say(verdict(refused.length, left.length));
    return away ? exit.unreachable : refused.length > 0 ? exit.problems : exit.fine;
  }
  // Before the question, so that all that is confirmed was seen.
  if (!jsonl && confirm === undefined && host.stdin.isTTY) await say(planText(leftOf(file, left), glyphs));
  const answer = await confirmed(host, left.length, confirm);
  if (answer !== 'yes') {
    complain('Nothing was sent.');
    return answer === 'interrupted' ? 128 + constants.signals.SIGINT : exit.problems;
  }
  return send({ stores, host, plan, progress, results, say, told, complain, jsonl });
}

interface Sending extends Pick<PlanRun, 'complain'> {
  stores: PlanAccount['stores'];
  host: NodeJS.Process;
  plan: Plan;
  progress: Progress | undefined;
  results: ReadonlyMap<number, StepResult>;
  say: (line: string) => Promise<void>;
  told: Teller;
  jsonl: boolean;
}

async function send(sending: Sending): Promise<number> {
  const { stores, host, plan, progress, results, say, told, complain, jsonl } = sending;
  const stopping = new AbortController();
  const interrupt = () => {
    if (stopping.signal.aborted) host.exit(128 + constants.signals.SIGINT);
    complain('Stopping after the step that is under way; once more ends at once.');
    stopping.abort();
  };
  host.on('SIGINT', interrupt);
  const kept = new Map(results);
  let printed = Promise.resolve();
  const keep = ({ steps }: Plan) => {
    for (const { id, result } of steps) {
      const before = kept.get(id);
      if (result) kept.set(id, result);
      else kept.delete(id);
      if (result?.state === 'done' && before?.state !== 'done')
        printed = printed.then(() => say(told(id, 'done', result)));
    }
    progress?.write(kept);
  };
  try {
    const { signal } = stopping;
    const onWait = (step: number, jobs: number) =>
      complain(`Step ${step} waits for ${jobs === 1 ? 'a job' : `${jobs} jobs`} of the steps before it.`);
    const ended = await carryOutPlan(stores, plan, { isTyped: true, signal, keep, onWait });
    await printed;
    const left = ended.steps.filter((step) => !isDone(step));
    if (left.length === 0) {
      if (!jsonl) await say(plan.steps.length === 1 ? 'The step is done.' : `All ${plan.steps.length} steps are done.`);
      return exit.fine;
    }
    const [next, after] = left;
    if (next?.result) await say(told(next.id, next.result.state, next.result));
    const again = next && progress ? ` ${waysOn(next, after)}` : '';
    const done = `${plan.steps.length - left.length} of ${counted(plan.steps.length, 'step')} done.${again}`;
    if (jsonl) complain(done);
    else await say(done);
    if (next?.result === undefined && stopping.signal.aborted) return 128 + constants.signals.SIGINT;
    return stores.session.getState().trouble ? exit.unreachable : exit.problems;
  } finally {
    host.off('SIGINT', interrupt);
  }
}

const isDone = ({ result }: PlanStep): boolean => result?.state === 'done';

/** The ways to carry out the rest of a plan, as a sentence or two. */
function waysOn({ id, result }: PlanStep, after: PlanStep | undefined): string {
  if (result?.state !== 'unknown') {
    const lost = result && isInDoubt(result) ? ', which looks first whether that was done' : '';
    return `The same command goes on with step ${id}${lost}.`;
  }
  const without = after ? `, --from ${after.id} goes on without it` : '';
  return `It is unknown whether step ${id} was done: look at it. --from ${id} sends it again${without}.`;
}

/** The plan with what was done of it before; from a step on, that counts as if it was never tried. */
function planFrom(file: PlanFile, results: ReadonlyMap<number, StepResult>, from: number | undefined): Plan {
  const plan = planOfFile(file);
  const known = plan.steps.map((step): PlanStep => ({ ...step, result: results.get(step.id) }));
  if (from === undefined) return { ...plan, steps: known };
  const begin = plan.steps.findIndex(({ id }) => id === from);
  if (begin < 0) throw new UsageError(`The plan has no step ${from}; nothing was sent.`);
  return {
    ...plan,
    steps: [...known.slice(0, begin).filter(isDone), ...plan.steps.slice(begin)],
  };
}

/** The part of a plan's file that is left. */
const leftOf = (file: PlanFile, left: readonly PlanStep[]): PlanFile => ({
  ...file,
  steps: file.steps.filter(({ id }) => left.some((one) => one.id === id)),
});

/** An answer with a secret would be lost here, or printed. */
function withSecretRefused(one: Examined, { steps }: PlanFile): Examined {
  const step = steps.find(({ id }) => id === one.id);
  if (one.why !== undefined || !step || !describedStep(step).action.secret) return one;
  return { ...one, why: 'Its answer holds a secret that is shown once, so only the dashboard carries it out.' };
}

/** Whether the API as a whole cannot be used. */
const isAway = ({ kind, status = 0 }: ApiError): boolean => kind !== 'answer' || status >= 500 || status === 429;

type Teller = (
  id: number,
  state: StepResult['state'] | 'fine' | 'done before',
  result: Partial<StepResult> | undefined,
) => string;

/** Writes the line about a step. */
function tellerOf(file: PlanFile, jsonl: boolean): Teller {
  const facts = new Map(factsOf(file).map((one) => [one.id, one]));
  const words = { sent: 'answer lost', unknown: 'unknown', refused: 'refused', failed: 'failed' };
  return (id, state, { says, made, at } = {}) => {
    const { title = '', resource, action, params, label } = facts.get(id) ?? {};
    if (jsonl) {
      const time = at === undefined ? undefined : new Date(at).toISOString();
      return JSON.stringify({ step: id, title, resource, action, params, label, state, says, made, time });
    }
    const word = state in words ? words[state as keyof typeof words] : state;
    return clean(`${id}  ${title}: ${word}${says === undefined ? '' : `. ${says}`}`, Number.POSITIVE_INFINITY);
  };
}

const verdict = (refused: number, all: number): string =>
  refused === 0
    ? `None of ${counted(all, 'step')} would be refused; nothing was sent.`
    : `${refused} of ${counted(all, 'step')} would be refused; nothing was sent.`;

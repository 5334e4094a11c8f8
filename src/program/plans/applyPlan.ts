import { constants } from 'node:os';
import { refusesAll } from '../../api/retryPolicy.ts';
import type { Glyphs } from '../../components/format.ts';
import type { PlanFile } from '../../config/planSchema.ts';
import type { CacheView } from '../../resources/resource.ts';
import { carryOutPlan } from '../../store/plans/carryOut.ts';
import { type Examined, examinePlan } from '../../store/plans/examinePlan.ts';
import {
  hasBegun,
  isDone,
  isInDoubt,
  openSteps,
  type Plan,
  type PlanStep,
  type StepResult,
  spanText,
} from '../../store/plans/plan.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import { headingOf } from '../../store/plans/stepWords.ts';
import { troubleText } from '../../store/session.ts';
import { clean } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { counted } from '../../text/words.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { OutputError, print } from '../output.ts';
import { UsageError } from '../rules.ts';
import type { CommandRun } from '../settings.ts';
import { checkAccount, openPlanAccount, otherHost, type PlanAccount } from './planAccount.ts';
import { planText, wordsOfStep } from './planText.ts';
import { openProgress, type PlanProgress } from './progress.ts';
import {
  confirmed,
  type GivenSecrets,
  interrupted,
  isTypable,
  neededSecrets,
  readSecrets,
  typedSecrets,
  whyRefused,
  withSecrets,
} from './secrets.ts';

/** A run that carries a plan out. */
export interface PlanRun extends CommandRun {
  glyphs: Glyphs;
}

/** Carries out a checked plan, or with `--dry-run` says what would be refused. Returns the exit code; rejects with a UsageError. */
export async function applyPlan(run: PlanRun, file: PlanFile): Promise<number> {
  const { invocation, host, complain } = run;
  const { dryRun, from, jsonl, secret = [] } = invocation.options;
  const secrets = readSecrets(secret, file.steps, host.env);
  run.secrets.push(...secrets.values());
  const settings = await run.settings();
  if (settings.readOnly && !dryRun) {
    const [why, way] = invocation.options.readOnly
      ? ['with --read-only nothing is carried out', 'the command without it']
      : [`the profile ${settings.profile} carries nothing out`, 'another profile'];
    throw new UsageError(`Read-only: ${why}; --dry-run says what would be refused, and ${way} carries the plan out.`);
  }
  const elsewhere = otherHost(file, settings);
  if (elsewhere !== undefined) throw new UsageError(elsewhere);
  const account = openPlanAccount({ ...settings, readOnly: dryRun || settings.readOnly }, run);
  try {
    const refused = await account.whyRefused();
    const { other, code, note } = refused === undefined ? await checkAccount(file, account.stores, settings) : {};
    const says = refused ?? other ?? note;
    if (says !== undefined) complain(says);
    if (says !== note) return code ?? exit.unreachable;
    const progress = openProgress(file, { state: account.state, host, from, dryRun });
    if (typeof progress === 'string') {
      complain(progress);
      return exit.problems;
    }
    const unheard = new AbortController();
    const say = async (line: string) => {
      if (unheard.signal.aborted) return;
      await print(host.stdout, `${line}\n`).catch((error: unknown) => unheard.abort(error));
    };
    const told = tellerOf(file, account.stores.view, jsonl);
    const tell: Tell = (...about) => say(told(...about));
    try {
      const parts = { ...run, file, account, progress, given: secrets };
      const code = await carryOutOn({ ...parts, say, tell, unheard: unheard.signal });
      const { aborted, reason } = unheard.signal;
      if (aborted && !(reason instanceof OutputError && reason.isBrokenPipe)) throw reason;
      return code;
    } finally {
      progress.end();
    }
  } finally {
    await account.close();
  }
}

/** A run whose account is open. */
interface Applying extends PlanRun {
  file: PlanFile;
  account: PlanAccount;
  /** The plan with what was done of it before. */
  progress: PlanProgress;
  given: GivenSecrets;
  /** Prints a line, as long as that is possible. */
  say: (line: string) => Promise<void>;
  /** Aborted once nothing can be printed any more: then no further step is begun. */
  unheard: AbortSignal;
  tell: Tell;
}

async function carryOutOn(applying: Applying): Promise<number> {
  const { invocation, complain, glyphs, host, file, progress, given, say, tell } = applying;
  const { stores } = applying.account;
  const { dryRun, confirm, jsonl } = invocation.options;
  const plan = { ...progress.plan, steps: withSecrets(progress.plan.steps, given) };
  const left = openSteps(plan);
  for (const step of plan.steps.filter(isDone)) await tell(step.id, 'done before', doneBefore(step));
  if (left.length === 0) {
    complain(`The plan was carried out before; --from ${file.steps[0]?.id} does it once more. Nothing was sent.`);
    return exit.fine;
  }
  await stores.events.poll();
  const lacking = neededSecrets(left);
  const asked = lacking.filter((secret) => host.stdin.isTTY && isTypable(secret));
  const examined = (await examinePlan(stores, plan, asked.length > 0)).map((one) => {
    const step = progress.plan.steps.find(({ id }) => id === one.id);
    const wrong = step && whyRefused(step, given, asked);
    const [secret] = asked.filter(({ step }) => step === one.id);
    const note = one.note ?? (secret && `Its ${secret.field.label} is asked for before the first step is sent.`);
    return withSecretRefused({ ...one, note, ...(wrong && { why: wrong }) }, file);
  });
  const refused = examined.filter(({ why }) => why !== undefined);
  if (dryRun || refused.length > 0) {
    for (const { id, why, note } of dryRun ? examined : refused)
      await tell(id, why === undefined ? 'fine' : 'refused', { says: why ?? note });
    const away = examined.some(({ error }) => error && (refusesAll(error) || troubleText(error) !== undefined));
    if (!jsonl) await say(verdict(refused.length, left.length));
    return away ? exit.unreachable : refused.length > 0 ? exit.problems : exit.fine;
  }
  // Before the question, so that all that is confirmed was seen.
  if (!jsonl && confirm === undefined && host.stdin.isTTY) await say(planText(leftOf(file, left), glyphs, stores.view));
  const typed = await typedSecrets(host, asked, (id) => {
    const step = file.steps.find((one) => one.id === id);
    return step ? headingOf(wordsOfStep(step, file, stores.view)) : '';
  });
  const isTyped = typed instanceof Map;
  if (isTyped) applying.secrets.push(...typed.values());
  const answer = isTyped ? await confirmed(host, left.length, confirm) : typed;
  if (!isTyped || answer !== true) {
    complain('Nothing was sent.');
    return answer === interrupted ? 128 + constants.signals.SIGINT : exit.problems;
  }
  return send(applying, { ...plan, steps: withSecrets(plan.steps, typed) });
}

/** Sends the steps that are left of a plan with its secrets. */
async function send({ invocation, complain, host, account, ...applying }: Applying, plan: Plan): Promise<number> {
  const { stores, state } = account;
  const { from, jsonl } = invocation.options;
  const { progress, say, tell, unheard } = applying;
  const stopping = new AbortController();
  const interrupt = () => {
    if (stopping.signal.aborted) host.exit(128 + constants.signals.SIGINT);
    complain('Stopping after the step that is under way; once more ends at once.');
    stopping.abort();
  };
  host.on('SIGINT', interrupt);
  const told = new Set(plan.steps.flatMap(({ uid, result }) => `${uid} ${result?.state}`));
  let printed = Promise.resolve();
  const keep = (now: Plan) => {
    for (const step of now.steps) {
      const { id, uid, result } = step;
      const key = `${uid} ${result?.state}`;
      // Why it was waited for in vain is told at the end.
      if (!result || told.has(key) || !(isDone(step) || (hasBegun(step) && !result.says))) continue;
      told.add(key);
      printed = printed.then(() => tell(id, result.state, result));
    }
    progress.keep(now);
  };
  try {
    const signal = AbortSignal.any([stopping.signal, unheard]);
    const onWait = (step: number, jobs: number) =>
      complain(`Step ${step} waits for ${jobs === 1 ? 'a job' : `${jobs} jobs`} of the steps before it.`);
    const looks = new Map<number, string>();
    const onLook = ({ id, record, wait }: PlanStep, says: string) => {
      // Percents go by without a line each.
      const kind = says.replace(/, \d+%/, '');
      if (looks.get(id) !== kind)
        complain(clean(`Step ${id}: ${record.label} ${says}${wait ? `; it may take ${spanText(wait)}` : ''}.`, 500));
      looks.set(id, kind);
    };
    // With --from alone a step in doubt is sent once more; it is looked for first all the same.
    const inDoubt = new Set(from === undefined ? [] : plan.steps.filter(isInDoubt).map(({ id }) => id));
    const ended = await carryOutPlan(stores, plan, { isTyped: true, signal, keep, again: inDoubt, onWait, onLook });
    await printed;
    const left = openSteps(ended);
    if (left.length === 0) {
      if (!jsonl) await say(plan.steps.length === 1 ? 'The step is done.' : `All ${plan.steps.length} steps are done.`);
      return exit.fine;
    }
    const [next, after] = left;
    const sent = plan.steps.find(({ id }) => id === next?.id)?.result?.since?.at;
    if (next?.result && !(hasBegun(next) && !next.result.says)) await tell(next.id, next.result.state, next.result);
    // The same command goes on where this one stops.
    const again =
      next && state ? ` ${waysOn(next, after, inDoubt.has(next.id) && sent === next.result?.since?.at)}` : '';
    const ending = `${plan.steps.length - left.length} of ${counted(plan.steps.length, 'step')} done.${again}`;
    if (jsonl || unheard.aborted) complain(ending);
    else await say(ending);
    if ((next?.result === undefined || (hasBegun(next) && !next.result.says)) && stopping.signal.aborted)
      return 128 + constants.signals.SIGINT;
    return stores.session.getState().trouble ? exit.unreachable : exit.problems;
  } finally {
    host.off('SIGINT', interrupt);
  }
}

/**
 * The ways to carry out the rest of a plan, as a sentence or two.
 * @param isRefused the step is in doubt, and sending it once more was refused
 */
function waysOn({ id, result }: PlanStep, after: PlanStep | undefined, isRefused: boolean): string {
  if (hasBegun({ result }))
    return `The same command waits for step ${id} once more${after ? `, --from ${after.id} goes on without it` : ''}.`;
  if (result?.state !== 'unknown') {
    const lost = isInDoubt({ result }) ? ', which looks first whether that was done' : '';
    return `The same command goes on with step ${id}${lost}.`;
  }
  const without = after ? `, --from ${after.id} goes on without it` : '';
  if (isRefused)
    return `Step ${id} was not done now, as is said above: mend that, and --from ${id} tries it once more${without}.`;
  return `It is unknown whether step ${id} was done: look at it. --from ${id} sends it again${without}.`;
}

/** The result of a step that an earlier run has done; one that was edited since is told, as it may be meant again. */
const doneBefore = ({ id, result }: PlanStep): StepResult | undefined =>
  result?.isEdited
    ? { ...result, says: `It was edited since, and is not sent again; --from ${id} sends it as it is now.` }
    : result;

const leftOf = (file: PlanFile, left: readonly PlanStep[]): PlanFile => ({
  ...file,
  steps: file.steps.filter(({ id }) => left.some((one) => one.id === id)),
});

/** An answer with a secret would be lost here, or printed. */
function withSecretRefused(one: Examined, { steps }: PlanFile): Examined {
  const step = steps.find(({ id }) => id === one.id);
  const change = step && sketchOf(step);
  if (one.why !== undefined || !change || 'why' in change || !change.action.secret) return one;
  return { ...one, why: 'Its answer holds a secret that is shown once, so only the dashboard carries it out.' };
}

type AboutStep = [
  id: number,
  state: StepResult['state'] | 'fine' | 'done before',
  result: Partial<StepResult> | undefined,
];
type Tell = (...about: AboutStep) => Promise<void>;

/** Writes the line about a step. */
function tellerOf(file: PlanFile, view: CacheView, jsonl?: boolean): (...about: AboutStep) => string {
  const steps = new Map(file.steps.map((step) => [step.id, step]));
  const words: Partial<Record<AboutStep[1], string>> = { sent: 'answer lost', begun: 'has begun' };
  return (id, state, { says, made, at } = {}) => {
    const step = steps.get(id);
    if (!step) return '';
    const { title, where } = wordsOfStep(step, file, view);
    if (jsonl) {
      const { resource, action, params, label } = step.record;
      const time = at === undefined ? undefined : new Date(at).toISOString();
      return visibleJson({ step: id, title, where, resource, action, params, label, state, says, made, time });
    }
    const text = `${id}  ${headingOf({ title, where })}: ${words[state] ?? state}`;
    return clean(says === undefined ? text : `${text}. ${says}`, Number.POSITIVE_INFINITY);
  };
}

const verdict = (refused: number, all: number): string =>
  refused === 0
    ? `None of ${counted(all, 'step')} would be refused; nothing was sent.`
    : `${refused} of ${counted(all, 'step')} would be refused; nothing was sent.`;

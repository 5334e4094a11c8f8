import { ApiError, asApiError } from '../../api/error.ts';
import { refusesAll } from '../../api/retryPolicy.ts';
import { idIn } from '../../resources/identity.ts';
import { knownResource } from '../../resources/index.ts';
import type { Resource } from '../../resources/resource.ts';
import { counted } from '../../text/words.ts';
import { baselineOf } from '../changes/baseline.ts';
import { type Change, changeKey, madeBy } from '../changes/change.ts';
import { verify } from '../changes/lostAnswers.ts';
import type { Baseline } from '../changes/pendingChanges.ts';
import { sendChanges } from '../changes/send.ts';
import { namedTogether, namesOf, newKey, titleOfSome, type WaysBack, waysAfter } from '../changes/undoable.ts';
import { noteMade, withUser } from '../changes/whoDidIt.ts';
import type { Stores } from '../stores.ts';
import { createEnds, lookEveryMs, pause, resultAt, waitForJobs } from './ends.ts';
import { onRow, onRowNow } from './onRow.ts';
import { isEndOpen } from './own.ts';
import {
  countedOf,
  hasBegun,
  isAround,
  isDone,
  isInDoubt,
  needsOf,
  type Plan,
  type PlanStep,
  partOf,
  resultOfSent,
  type StepResult,
  wasAnswered,
  withoutResult,
} from './plan.ts';
import { changeOfStep, whyNoSecret, withDoubt } from './stepChange.ts';

/** Options of carrying out a plan. */
export interface CarryOutOptions {
  /** The label of the rows, or their number, was typed. */
  isTyped?: boolean;
  /** No further step is begun once it is aborted. */
  signal?: AbortSignal;
  /** Keeps the plan with the results so far; called before a step is sent and after it. */
  keep: (plan: Plan) => void;
  /** The ids of steps that are sent once more although it is unknown whether they were done. */
  again?: ReadonlySet<number>;
  /** Told when a step waits for so many jobs of the steps before it. */
  onWait?: (step: number, jobs: number) => void;
  /** Told how far a step is that has begun, as a clause behind its label. */
  onLook?: (step: PlanStep, says: string) => void;
  /** Whether no step is begun for now. */
  isPaused?: () => boolean;
  /** The rolling action whose steps alone are carried out; without it those of none are. */
  rolling?: string;
}

/** A step that is ready to be sent, or has its result without that. */
type Prepared = ({ change: Change; result?: undefined } | { result: Omit<StepResult, 'at'> }) & {
  /** An earlier request of it, of which nothing is known. */
  doubt?: StepResult;
};

/**
 * Carries out the steps of a plan that are not done yet, one after the other, until one does not succeed or does not come to
 * the end that it waits for. A step whose answer was lost, in this session or one before, is looked for first, so that it is
 * not sent twice. Never rejects for a refusal of the API.
 * @returns the plan with the results of its steps
 */
export async function carryOutPlan(stores: Stores, plan: Plan, options: CarryOutOptions): Promise<Plan> {
  const { isTyped = false, signal, keep } = options;
  let part = partOf(plan.steps, options.rolling);
  let now = plan;
  const stepNow = (id: number) => now.steps.find((step) => step.id === id);
  const note = (id: number, result: Omit<StepResult, 'at'> | undefined) => {
    const { nodes } = stepNow(id)?.result ?? {};
    const since = result?.since && withUser(stores, result.since);
    const kept = result && {
      result: { at: stores.now(), ...(nodes && { nodes }), ...result, ...(since && { since }) },
    };
    const steps = now.steps.map((step) => (step.id === id ? { ...withoutResult(step), ...kept } : step));
    [now, part] = [{ ...now, steps }, partOf(steps, options.rolling)];
    keep(now);
  };
  /** Notes that a step was answered, with what tells its end: one that waits for that has only begun. */
  const noteAnswered = ({ id, wait }: PlanStep, result: Omit<StepResult, 'at'>, since?: Baseline) =>
    note(id, { ...result, ...(wait && { state: 'begun' }), ...(since && { since: { ...since, ids: [], whole: [] } }) });
  noteOwnRows(stores, plan);
  let title = part[0]?.rolling?.title ?? `the plan of ${counted(part.length, 'step')}`;
  let ways: WaysBack = { undos: [], lost: [] };
  const together = await subjectsOf(stores, plan, part);
  const ends = createEnds(stores, () => now.steps);
  const key = newKey();
  let sent = 0;
  /** Carries one step out; `held back` where it was refused, as it may be while a job of another is going on. */
  async function attempt(id: number): Promise<'done' | 'stop' | 'held back'> {
    const step = stepNow(id);
    if (!step || wasAnswered(step)) return 'done';
    if (signal?.aborted) return 'stop';
    const ready = await prepare(stores, now, step, options);
    const { result: found, doubt } = ready;
    if (found) {
      if (found.state === 'done') noteAnswered(step, found, step.result?.since);
      else note(id, withDoubt(found, doubt));
      return found.state === 'done' ? 'done' : found.state === 'refused' ? 'held back' : 'stop';
    }
    if (signal?.aborted) return 'stop';
    const { change } = ready;
    const up = await ends.upBefore(step, change);
    const [named] = namedTogether([change], { key, first: sent });
    const baseline: Baseline = { ...(await baselineOf(stores, change)), uid: named?.uid };
    note(id, { state: 'sent', since: baseline, ...up });
    if (signal?.aborted) {
      note(id, step.result);
      return 'stop';
    }
    const among = together.map((one) => (one.id === id ? change : one.change));
    const { results, level } = await sendChanges(stores, change, [change], {
      isTyped,
      together: among,
      before: baseline,
      part: { key, first: sent++ },
    });
    const [result] = results;
    // The steps around a rolling action have their own way back.
    ways = waysAfter(ways, change, result, isAround(step) ? undefined : level);
    if (level && plan.steps.length === 1) title = level.title;
    const noted = resultOfSent(change, baseline, result);
    if (noted?.state === 'done') noteAnswered(step, noted, baseline);
    else note(id, withDoubt(noted, doubt));
    return result?.state === 'done' ? 'done' : isRefusal(result?.error) ? 'held back' : 'stop';
  }

  const tried = new Set<number>();
  /** Waits for jobs of the steps before one that was held back; resolves with whether it is worth another attempt. */
  async function isWorthAgain(id: number): Promise<boolean> {
    const isRefused = stepNow(id)?.result?.state === 'refused';
    const done = now.steps.filter(wasAnswered);
    const waited = await waitForJobs(stores, done, signal, (jobs) => {
      if (!isInDoubt(stepNow(id) ?? {})) note(id, undefined);
      options.onWait?.(id, jobs);
    });
    const { error } = stores.events.getState();
    if (waited || signal?.aborted || !isRefused || tried.has(id) || (error && refusesAll(error))) return waited;
    // A job of this run may have ended since, before it was looked at.
    tried.add(id);
    return done.some((step) => plan.steps.some((one) => one.id === step.id && !isDone(one)));
  }

  /** The steps whose ends were waited for in vain. */
  const late = new Set<number>();
  const begunNow = () => part.filter((step) => hasBegun(step) && !late.has(step.id));
  /** Looks whether steps that have begun have come to their ends; resolves with whether none has failed to. */
  async function lookAtEnds(): Promise<boolean> {
    let isWell = true;
    for (const step of begunNow()) {
      const end = await ends.look(step);
      if (signal?.aborted) return false;
      const result = resultAt(step, end);
      if (result) note(step.id, result);
      if (end.is === 'open') options.onLook?.(step, end.says);
      else if (end.is !== 'over') {
        late.add(step.id);
        isWell = false;
      }
    }
    return isWell;
  }

  /** Looks until something holds no more, or one fails; resolves with whether none has. */
  async function lookUntil(isHeld: () => boolean): Promise<boolean> {
    for (let ms = lookEveryMs / 4; ; ms = Math.min(lookEveryMs, ms * 2)) {
      if (!(await lookAtEnds()) || signal?.aborted) return false;
      if (!isHeld()) return true;
      await pause(signal, ms);
    }
  }

  /** Whether a step waits for the end of one before it, or for room beside those that go. */
  function isHeld({ record }: PlanStep, place: number): boolean {
    const needed = needsOf({ record });
    const going = begunNow();
    return part.slice(0, place).some(({ id, wait: { meanwhile = 0, atATime } = {} }, index) => {
      if (!going.some((one) => one.id === id)) return false;
      return place - index > meanwhile || needed.includes(id) || going.length >= (atATime ?? going.length + 1);
    });
  }

  /** The next step that may go; undefined where it waits for others. */
  function ready(): PlanStep | undefined {
    const isWaiting = ({ after }: PlanStep) =>
      now.steps.some((one) => one.uid === after && !isDone(one) && part.some(({ uid }) => uid === after));
    const next = part.find((step) => !wasAnswered(step) && !isWaiting(step));
    return next && !isHeld(next, part.indexOf(next)) ? next : undefined;
  }

  // An end that was waited for in vain is waited for once more, and one that another run has not waited for.
  for (const { id, result } of part.filter(
    (step) => (hasBegun(step) && step.result?.says) || isEndOpen(plan, step, stores.now()),
  ))
    note(id, { ...result, state: 'begun', says: undefined });
  while (part.some((step) => !wasAnswered(step))) {
    const next = (await lookUntil(() => options.isPaused?.() === true || !ready())) ? ready() : undefined;
    if (!next) break;
    let outcome = await attempt(next.id);
    while (outcome === 'held back' && (await isWorthAgain(next.id))) outcome = await attempt(next.id);
    if (outcome !== 'done') break;
  }
  // Where one fails, those beside it still come to their ends.
  while (begunNow().length > 0 && !signal?.aborted) await lookUntil(() => begunNow().length > 0);
  const { undos, lost } = ways;
  const count = namesOf(undos).size + lost.length;
  const back = countedOf(part).every(({ takesBack }) => takesBack) ? countedOf(part)[0]?.takesBack : undefined;
  const taken = part.flatMap((step) => (isDone(step) && step.takesBack?.of) || []);
  title = titleOfSome(back?.title ?? title, countedOf(part).length, count);
  const level = { key, title, undos, lost, ...(undos.length === 0 && { why: lost[0]?.why }) };
  if (count > 0) stores.changes.keep(back ? { ...level, isBack: !back.isRedo } : level, new Set(taken), !back);
  return now;
}

/** Said of a step that was edited while it was not known whether it was done. */
const editedText =
  'It was edited since it was sent, and it is not known whether it was done: look at its row. Nothing was sent again.';

/** Whether the API refused a change, so that it was certainly not done, and may not refuse it later. */
const isRefusal = ({ kind, status = 0 }: Partial<ApiError> = {}): boolean =>
  kind === 'answer' && status < 500 && status !== 401 && status !== 408;

/** Rows that other steps have made are not those of a step whose answer was lost. */
function noteOwnRows({ changes }: Stores, { steps }: Plan): void {
  for (const { record, result } of steps) {
    const resource = knownResource(record.resource);
    const id = resource && result?.made && idIn(resource, result.made);
    if (id !== undefined) noteMade(changes.own, resource as Resource, id, result?.says === undefined);
  }
}

/** The changes of the steps that are not done: a guard that limits how many go at once counts all of them. */
async function subjectsOf(stores: Stores, plan: Plan, part: readonly PlanStep[]) {
  const all = await Promise.all(
    part.map(async (step) => {
      if (wasAnswered(step)) return [];
      const change = await changeOfStep(stores, plan, step).catch(asApiError);
      return change instanceof ApiError || 'why' in change ? [] : [{ id: step.id, change }];
    }),
  );
  return all.flat();
}

/** The change of a step, ready to be sent, or the result that it has without that. */
async function prepare(
  stores: Stores,
  plan: Plan,
  step: PlanStep,
  { again }: Pick<CarryOutOptions, 'again'>,
): Promise<Prepared> {
  let doubt = isInDoubt(step) ? step.result : undefined;
  const refused = (says: string | undefined): Prepared => ({ result: { state: 'refused', says }, doubt });
  try {
    const change = await changeOfStep(stores, plan, step);
    if ('why' in change) return doubt ? { result: doubt } : refused(change.why);
    const since = doubt?.isEdited ? undefined : doubt?.since;
    if (doubt && !since && !again?.has(step.id))
      return { result: { ...doubt, state: 'unknown', says: doubt.isEdited ? editedText : doubt.says } };
    const lost = since ?? stores.changes.lostAnswers.get(changeKey(change));
    if (lost) {
      const isAgain = again?.has(step.id) && whyNoSecret(step) === undefined;
      const { outcome, result } = await lookFor(stores, await onRowNow(stores, change), lost);
      if (result && !(outcome === 'unclear' && isAgain)) return { result };
      if (outcome !== 'unclear') doubt = undefined;
    }
    const why = whyNoSecret(step);
    if (why !== undefined) return refused(why);
    const found = await onRow(stores, plan, step, change);
    if (found.change && found.why === undefined)
      return { change: { ...found.change, takesBack: step.takesBack }, doubt };
    if (found.already !== undefined) return { result: { state: 'done', says: found.already } };
    return refused(found.why ?? found.note);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A change that was sent stays to be looked for.
    if (doubt) return { result: { ...doubt, says: `Nothing was sent again. ${error.message}` } };
    return refused(`Nothing was sent. ${error.message}`);
  }
}

/** Tells what became of a step that was sent before, with an unknown answer; without a result it is to be sent. */
async function lookFor(stores: Stores, change: Change, before: Baseline) {
  const { outcome, says, row } = await verify(stores, change, before);
  if (outcome !== 'unreachable') stores.changes.lostAnswers.delete(changeKey(change));
  const result: Omit<StepResult, 'at'> | undefined =
    outcome === 'done'
      ? { state: 'done', says, ...madeBy(change, row) }
      : outcome === 'unclear' || outcome === 'unreachable'
        ? { state: 'unknown', since: before, says: `Nothing was sent again. ${says}` }
        : undefined;
  return { outcome, result };
}

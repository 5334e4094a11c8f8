import { ApiError } from '../../api/error.ts';
import { actionWords, entityName, hasEnded, isInProgress } from '../../resources/account/events.ts';
import { knownResource } from '../../resources/index.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import { isUp, nodesUp } from '../../resources/networking/nodeText.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { Params, Row } from '../../resources/resource.ts';
import { inState, statusOf } from '../../resources/wording.ts';
import { timerDelay } from '../../text/times.ts';
import { counted, textIn, withoutStop } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import { beginsJob, eventsOf } from '../changes/lostAnswers.ts';
import { rowNow } from '../changes/readAgain.ts';
import { entityOf, jobText } from '../changes/whoDidIt.ts';
import type { Event } from '../events.ts';
import type { Stores } from '../stores.ts';
import { hasBegun, type PlanStep, type StepResult, type Steps, spanOf, spanText, wasAnswered } from './plan.ts';
import { checkedWithin, nodeId, nodeParams, nodeResource, nodesOf, readNodesFor } from './servedNodes.ts';
import { sketchOf, withMade } from './stepChange.ts';

/**
 * The end of a step that has begun, or the way there; what is said is a clause behind the label of its row.
 * - `failed`: its job has failed
 * - `untold`: nothing will tell, or it took too long
 */
export type End =
  | { is: 'over' }
  | { is: 'open'; says: string }
  | { is: 'failed'; says: string }
  | { is: 'untold'; says: string };

/** A step that has begun, as this run knows it, by the monotonic clock. */
interface Watched {
  from: number;
  /** Since when all but the checks of its nodes is over. */
  settledAt?: number;
}

/** Looks at the ends of steps that have begun, for one run of a plan, of which these are all steps now. */
export function createEnds(stores: Stores, stepsNow: () => readonly PlanStep[]) {
  const watched = new Map<number, Watched>();
  return {
    /** Looks once; a refusal of the API is an open end. */
    async look(step: PlanStep): Promise<End> {
      const { id, wait } = step;
      if (!wait) return { is: 'over' };
      const seen = foundOrMade(watched, id, (): Watched => ({ from: performance.now() }));
      const end = await endOf(stores, withMade(step, stepsNow()), seen).catch((error: unknown): End => {
        if (!(error instanceof ApiError)) throw error;
        const says = `cannot be read: ${error.message}`;
        return error.status === 401 || error.status === 403 ? { is: 'untold', says } : { is: 'open', says };
      });
      if (end.is !== 'open' || performance.now() - seen.from < spanOf(wait)) return end;
      return { is: 'untold', says: `${withoutStop(end.says)}, after ${spanText(wait)}` };
    },
    /** The nodes that the row of a change serves and that are up, where its step waits for them. Never rejects. */
    async upBefore({ wait }: PlanStep, { resource, before, params }: Change): Promise<Pick<StepResult, 'nodes'>> {
      if (!wait?.for?.includes(nodesUp) || !before) return {};
      if (resource === nodeResource) return { nodes: isUp(before) ? [nodeId(params)] : [] };
      await readNodesFor(stores, [before], true);
      const up = nodesOf(before, stores.view)?.filter(({ row }) => isUp(row));
      return up ? { nodes: up.map(({ id }) => id) } : {};
    },
  };
}

/** The result of a step that has begun, by its end; undefined while that is open. */
export function resultAt({ record, wait, result }: PlanStep, end: End): StepResult | undefined {
  const { since, ...rest } = result as StepResult;
  if (end.is === 'open') return undefined;
  // A run that waits may still have to wait for what this one does not.
  if (end.is === 'over') return { ...rest, state: 'done', ...(!wait && { since }) };
  const says = `${record.label} ${withoutStop(end.says)}. Nothing further was sent.`;
  return { ...rest, since, state: end.is === 'failed' ? 'failed' : 'begun', says };
}

/**
 * Settles steps that have begun, while nobody carries them out, once their ends are seen; sends nothing.
 * @param tell told each step with its result
 */
export const settleEnds = (stores: Stores, tell: (step: PlanStep) => void): Promise<void> =>
  stores.plans.watch(async (signal) => {
    const ends = createEnds(stores, () => stores.plans.getState().steps);
    const left = new Set<string>();
    const begun = () => {
      const { steps, others } = stores.plans.getState();
      return others ? [] : steps.filter((step) => hasBegun(step) && step.wait && !left.has(step.uid));
    };
    for (; begun().length > 0 && !signal.aborted; await pause(signal))
      for (const step of begun()) {
        const end = await ends.look(step);
        if (signal.aborted) return;
        const result =
          end.is === 'untold'
            ? undefined
            : resultAt({ ...step, result: { ...(step.result as StepResult), says: undefined } }, end);
        // An end that was waited for in vain is looked for once.
        if (end.is === 'untold' || step.result?.says) left.add(step.uid);
        if (result && stores.plans.settle(step.uid, result) === undefined) tell({ ...step, result });
      }
  });

/** Rejects with an ApiError. */
async function endOf(stores: Stores, step: PlanStep, seen: Watched): Promise<End> {
  const sketch = sketchOf(step);
  if ('why' in sketch) return { is: 'untold', says: `cannot be looked at: ${sketch.why}` };
  const params = { ...step.record.params, ...step.result?.made } as Params;
  const change: Change = { ...sketch, params };
  const job = await jobEnd(stores, step, change);
  if (job) return job;
  const row = await rowNow(stores, change);
  const isDeletion = change.action === change.resource.remove;
  if (!row) return isDeletion ? { is: 'over' } : { is: 'untold', says: 'is gone, so nothing tells how it ended' };
  if (isDeletion) return { is: 'open', says: 'is still there' };
  const wanted = step.wait?.for?.find((one) => one !== nodesUp);
  if (wanted !== undefined && statusOf(row) !== wanted) {
    seen.settledAt = undefined;
    return { is: 'open', says: inState(row) };
  }
  return step.wait?.for?.includes(nodesUp) ? nodesEnd(stores, step, row, params, seen) : { is: 'over' };
}

/** The end of the job of a step; undefined once that has finished. */
async function jobEnd(stores: Stores, step: PlanStep, change: Change): Promise<End | undefined> {
  const { since } = step.result ?? {};
  const found = since ? await eventsOf({ stores, change, before: since }, true) : { mine: [], error: undefined };
  if (!since) await stores.events.poll();
  const { events, error = found.error } = stores.events.getState();
  if (error) throw error;
  const own = found.mine.at(-1);
  const why = withoutStop(textIn(own?.message) ?? `its job ${actionWords(own?.action ?? '')} did not succeed`);
  if (own?.status === 'failed') return { is: 'failed', says: `failed: ${why}` };
  const [job] = own && !hasEnded(own) ? [own] : jobsOf(events, [step]);
  if (job) return { is: 'open', says: jobText(job) };
  // The absence of a row tells that its deletion has ended.
  if (own || !since || change.action === change.resource.remove || !beginsJob(change)) return undefined;
  return { is: 'open', says: 'has no event of it so far' };
}

/** Whether the nodes answer that a row served before, by checks that were made since it is as it should be. */
async function nodesEnd(stores: Stores, { result }: PlanStep, row: Row, params: Params, seen: Watched): Promise<End> {
  const isNode = 'nodeId' in params;
  if (!result?.nodes && !isNode) await readNodesFor(stores, [row]);
  const ids = result?.nodes ?? (isNode ? [nodeId(params)] : nodesOf(row, stores.view)?.map(({ id }) => id));
  if (!ids) return { is: 'untold', says: 'may serve NodeBalancers that cannot be read' };
  const states = await Promise.all(
    ids.map(async (id) => ({ id, node: await rowNow(stores, { resource: nodeResource, params: nodeParams(id) }) })),
  );
  // A node that is gone meanwhile is waited for by nobody.
  const down = states.filter(({ node }) => node && !isUp(node));
  if (down.length > 0) {
    seen.settledAt = undefined;
    const which = down.length > 1 ? `${counted(down.length, 'node')} are` : `the node ${down[0]?.node?.label} is`;
    return { is: 'open', says: `is back; ${which} not up yet` };
  }
  seen.settledAt ??= performance.now();
  const rest = Math.max(0, ...ids.map((id) => checkedWithin(nodeParams(id), stores.view)));
  return performance.now() - seen.settledAt >= rest
    ? { is: 'over' }
    : { is: 'open', says: 'is back; its nodes are checked once more' };
}

/** So often jobs are looked at, in milliseconds; and so often without any end of them. */
export const lookEveryMs = 2000;
const maxLooks = 900;

/**
 * Waits for the jobs of the API that these steps have begun. Resolves with whether there were any and all have ended.
 * @param tell told once how many there are
 */
export async function waitForJobs(
  { events }: Stores,
  done: readonly PlanStep[],
  signal?: AbortSignal,
  tell?: (jobs: number) => void,
): Promise<boolean> {
  for (let looks = 0; looks < maxLooks && !signal?.aborted; looks++) {
    await events.poll();
    const { events: known, error } = events.getState();
    if (error) return false;
    const jobs = jobsOf(known, done);
    if (jobs.length === 0) return looks > 0;
    if (looks === 0) tell?.(jobs.length);
    await pause(signal);
  }
  return false;
}

/** The jobs in progress about the rows of steps that are done, the newest first. */
function jobsOf(events: readonly Event[], steps: readonly PlanStep[]): readonly Event[] {
  const about = new Set(steps.flatMap((step) => entitiesOf(withMade(step, steps))));
  return events.filter((event) => isInProgress(event) && about.has(entityName(event.entity)));
}

/** Whether a job that another step of a plan has begun goes on about the row of a step, which is held back until its end. */
export function hasJobBefore({ events }: Stores, { steps }: Steps, step: PlanStep): boolean {
  const own = entitiesOf(withMade(step, steps));
  const jobs = jobsOf(events.getState().events, steps.filter(wasAnswered));
  return jobs.some(({ entity }) => own.includes(entityName(entity)));
}

/** Waits until the next look, or until it is stopped; not at all where it is stopped already. */
export const pause = (signal: AbortSignal | undefined, ms = lookEveryMs): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, timerDelay(ms));
    signal?.addEventListener('abort', over);
  });

/** The row of a step, the one that it made, and those that these belong to, as events name them. */
function entitiesOf({ record, result }: PlanStep): readonly string[] {
  const resource = knownResource(record.resource);
  if (!resource) return [];
  const params = { ...record.params, ...result?.made } as Params;
  return [resource, ...ancestorsOf(resource)].flatMap((one) => entityOf(one, params) ?? []);
}

import { entityName, isInProgress } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { Params } from '../../resources/resource.ts';
import { timerDelay } from '../../text/times.ts';
import { entityOf } from '../changes/whoDidIt.ts';
import type { Event } from '../events.ts';
import type { Stores } from '../stores.ts';
import type { PlanStep } from './plan.ts';

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
export function jobsOf(events: readonly Event[], steps: readonly PlanStep[]): readonly Event[] {
  const about = new Set(steps.flatMap(entitiesOf));
  return events.filter((event) => isInProgress(event) && about.has(entityName(event.entity)));
}

/** Waits until the next look, or until it is stopped. */
export const pause = (signal: AbortSignal | undefined, ms = lookEveryMs): Promise<void> =>
  new Promise((resolve) => {
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
  const resource = resourceNamed(record.resource);
  const params = { ...record.params, ...result?.made } as Params;
  return [resource, ...ancestorsOf(resource)].flatMap((one) => entityOf(one, params) ?? []);
}

import { setTimeout as pause } from 'node:timers/promises';
import { isInProgress } from '../../resources/account/events.ts';
import { idIn } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import { at, type Params } from '../../resources/resource.ts';
import type { PlanStep } from '../../store/plans/plan.ts';
import type { Stores } from '../../store/stores.ts';

/** So often jobs are looked at, in milliseconds; and so often without any end of them. */
const lookEveryMs = 2000;
const maxLooks = 900;

/**
 * Waits for the jobs of the API that these steps have begun. Resolves with whether there were any and all have ended.
 * @param tell told once how many there are
 */
export async function waitForJobs(
  { events }: Pick<Stores, 'events'>,
  done: readonly PlanStep[],
  signal: AbortSignal,
  tell: (jobs: number) => void,
): Promise<boolean> {
  const about = new Set(done.flatMap(entitiesOf));
  for (let looks = 0; looks < maxLooks && !signal.aborted; looks++) {
    await events.poll();
    const { events: known, error } = events.getState();
    const jobs = known.filter((event) => isInProgress(event) && about.has(entityName(event.entity)));
    if (error) return false;
    if (jobs.length === 0) return looks > 0;
    if (looks === 0) tell(jobs.length);
    await pause(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  return false;
}

const entityName = (entity: unknown): string => `${at(entity, 'type')} ${at(entity, 'id')}`;

/** The row of a step, the one that it made, and those that these belong to, as events name them. */
function entitiesOf({ record, result }: PlanStep): readonly string[] {
  const resource = resourceNamed(record.resource);
  const params = { ...record.params, ...result?.made } as Params;
  return [resource, ...ancestorsOf(resource)].flatMap((one) => {
    const id = idIn(one, params);
    return one.entity !== undefined && id !== undefined ? [`${one.entity} ${id}`] : [];
  });
}

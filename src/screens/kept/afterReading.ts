import type { Params, Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { type Target, targetsAt } from '../../store/changes/change.ts';
import { keptAmong, readKept } from '../../store/changes/freshRows.ts';
import type { Stores } from '../../store/stores.ts';

/**
 * Goes on with rows that only an earlier session has read once they are read again, unless the user has gone on since;
 * where they cannot be read, says so. Returns whether there are such rows.
 */
export function afterReading(
  stores: Stores,
  resource: Resource,
  targets: readonly Target[],
  goOn: (targets: readonly Target[]) => void,
): boolean {
  const { cache, navigation, notices } = stores;
  const all = targets.map(({ params }) => params);
  const kept = keptAmong(cache, resource, all);
  const [first] = targets;
  if (kept.length === 0 || !first) return false;
  const isHere = navigation.here();
  const label = kept.length === 1 ? resource.label(labelled(stores, resource, kept, first).row) : plural(resource);
  notices.say('plain', `Reading ${label} again first, as nothing is changed by what may be old …`);
  void readKept(stores, resource, kept).then((why) => {
    if (why !== undefined) return notices.say('bad', why);
    const there = targetsAt(stores, resource, all);
    if (there.length === 0) return notices.say('warn', `${label} is not there any more.`);
    if (isHere()) goOn(there);
    else notices.say('plain', `${label} is read now.`);
  });
  return true;
}

const labelled = (stores: Stores, resource: Resource, kept: readonly Params[], first: Target): Target =>
  targetsAt(stores, resource, kept)[0] ?? first;

import { isPatch, startOf } from '../../resources/body.ts';
import { changesOf, conflictsOf, isUnchanged, unfitting } from '../../resources/edits.ts';
import type { Action, CacheView, Resource } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import { listed } from '../../text/words.ts';
import type { Submission, Target } from './change.ts';
import { knownBefore } from './undoable.ts';

/** The entries of a row, with the answer that its form starts from besides it. */
export function presentEntries(resource: Resource, action: Action, { row, params }: Target, view: CacheView) {
  return startOf(resource, action, knownBefore({ resource, action, params, before: row }, view), view, params);
}

/**
 * Why the entries of a row alone are not sent: others have changed it since, or it has them already.
 * @param isOnly it is the only row, whose form asks about what others have changed
 */
export function ownRefusal(
  resource: Resource,
  action: Action,
  target: Target,
  view: CacheView,
  isOnly = false,
): string | undefined {
  const { own } = target;
  if (!own || !isPatch(action)) return undefined;
  const now = presentEntries(resource, action, target, view);
  const changed = isOnly ? [] : conflictsOf(resource, action, own, now);
  if (changed.length > 0) {
    const fields = listed(
      changed.map(({ field }) => field.label),
      3,
    );
    return `changed again since, in ${fields}; take it back by itself to choose`;
  }
  return isUnchanged(resource, action, own, now) ? 'is as it was before already' : undefined;
}

/** Why a row is left out of what was entered for several: it has no such field, or may not have that value. */
export function fieldRefusal(
  { resource, action, edits, targets }: Pick<Submission, 'resource' | 'action' | 'edits' | 'targets'>,
  target: Target,
  view: CacheView,
): string | undefined {
  if (!edits || target.own) return undefined;
  const { row, params } = target;
  const now = presentEntries(resource, action, target, view);
  const unfit = unfitting(resource, action, edits, row, now, view);
  if (unfit !== undefined || targets.length < 2) return unfit;
  const draft = { ...now, ...changesOf(resource, action, edits, now, { row, view }) };
  return complaintsOf(resource, action, draft, view, row, params, now)[0]?.says;
}

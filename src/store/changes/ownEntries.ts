import { entryOf, isPatch, startOf } from '../../resources/body.ts';
import { editsFor } from '../../resources/changeRecord.ts';
import { changeOf, changesOf, conflictsOf, isSameEntry, isUnchanged, unfitting } from '../../resources/edits.ts';
import { resourceNamed } from '../../resources/index.ts';
import { isMadeAnew } from '../../resources/inverse.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import { type Action, at, type CacheView, knownField, type Resource, type Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { complaintsOf, refusalBelow } from '../../resources/verdict.ts';
import { listed } from '../../text/words.ts';
import { isSame } from '../rows.ts';
import { type Change, kindOf, type Submission, type Target } from './change.ts';
import { isReference } from './references.ts';
import { knownBefore } from './undoable.ts';

/** The entries of a row, with the answer that its form starts from besides it. */
export const presentEntries = (resource: Resource, action: Action, { row, params }: Target, view: CacheView) =>
  startOf(resource, action, knownBefore({ resource, action, params, before: row }, view), view, params);

/** The values of a row that an action which is no edit finds set to something else since. */
export const setSince = (resource: Resource, action: Action, { row, own }: Partial<Target>) =>
  Object.entries(isPatch(action) ? {} : (own?.opened ?? {})).flatMap(([name, made]) => {
    const [field, value] = [knownField(resource, action, name), at(row, name)];
    const isTold = field && made !== undefined && value !== undefined;
    return isTold && !isSameValue({ resource, action }, name, value, made) ? [{ name, field, value }] : [];
  });

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
  if (!own) return undefined;
  if (action === resource.remove && isMadeAnew(resource, own.opened, target.row)) return 'was made anew since';
  const now = isPatch(action) && presentEntries(resource, action, target, view);
  const since = setSince(resource, action, target);
  const isAsBefore = ({ name, value }: (typeof since)[number]) =>
    isSameValue({ resource, action }, name, value, own.mine[name]);
  if (now ? isUnchanged(resource, action, own, now) : since.length > 0 && since.every(isAsBefore))
    return 'is as it was before already';
  const conflicts = now ? conflictsOf(resource, action, own, now) : since;
  if (conflicts.length === 0 || isOnly) return undefined;
  const fields = listed(conflicts.map(({ field }) => field.label));
  return `changed again since, in ${fields}; take it back by itself to choose`;
}

/** Why a row is left out of what was entered for several: it has no such field, or may not have that value. */
export function fieldRefusal(
  { resource, action, edits, targets = [], draft = {} }: ResourceAction & Partial<Submission>,
  target: Target,
  view: CacheView,
): string | undefined {
  const { below, refuse } = action;
  if (below) return refuse?.(target.row, view) ?? refusalBelow(resourceNamed(below), draft, view, target.params);
  if (target.own) return undefined;
  const { row, params } = target;
  if (!edits) return targets.length > 1 && action.body ? action.check?.(draft, view, row, params)?.says : undefined;
  const now = presentEntries(resource, action, target, view);
  const unfit = unfitting(resource, action, edits, row, now, view);
  if (unfit !== undefined || targets.length < 2) return unfit;
  const changed = { ...now, ...changesOf(resource, action, edits, now, { row, view }) };
  return complaintsOf(resource, action, changed, view, row, params, now)[0]?.says;
}

/** Whether two values of a field say the same. */
export function isSameValue({ resource, action }: ResourceAction, name: string, one: unknown, other: unknown): boolean {
  const field = knownField(resource, action, name);
  return (
    isSame(one ?? null, other ?? null) ||
    (field !== undefined && isSameEntry(entryOf(field, one), entryOf(field, other)))
  );
}

/** The values of a body by their paths; a list is one value. */
export const leavesOf = (part: Row, prefix = ''): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(part).flatMap(([name, value]) =>
    isRow(value) && !isReference(value) && Object.keys(value).length > 0
      ? leavesOf(value, `${prefix}${name}.`)
      : [[prefix + name, value] as const],
  );

/** The values that a change sets, by their paths; not what it adds to lists and removes from them. */
export const valuesSet = ({ changes, body }: Change): ReturnType<typeof leavesOf> =>
  changes ? Object.entries(changes.set ?? {}) : leavesOf(isRow(body) ? body : {});

/** Whether a row is as a change leaves it by now, so that nothing is left to send. */
export function isSoAlready(change: Change, row: Row): boolean {
  const { action, before } = change;
  const body: Row = isRow(change.body) ? change.body : {};
  const { state, answer } = action.shownBy ?? {};
  if (answer !== undefined) return false;
  if (kindOf(change) === 'action')
    return before !== undefined && state !== undefined && !state(before, body, {}) && state(row, body, {});
  const isThere = ([name, value]: readonly [string, unknown]) => isSameValue(change, name, at(row, name), value);
  return action.method === 'PUT' && leavesOf(body).every(isThere);
}

/** Said of a step of which nothing is left to send. */
const alreadyText = 'It is so already, so nothing was sent.';

const editsOf = ({ resource, action, changes = {}, before }: Change) => editsFor(resource, action, changes, before);

/** The body that a change has on a row as it is now, by what it touches of it. */
export const bodyOn = (view: CacheView, change: Change, row: Row): Row | undefined =>
  changeOf(change.resource, change.action, editsOf(change), row, view, change.params);

/**
 * A change worked out on its row as it is now, by what it touches of it, or a sentence why nothing is sent.
 * @param isFollowing others change the row first, so that neither its values nor a complaint tell anything yet
 */
export function workedOut(
  view: CacheView,
  change: Change,
  row: Row,
  isFollowing = false,
): { change?: Change; why?: string; already?: string } {
  const { resource, action, params, changes } = change;
  if (!changes)
    return isSoAlready(change, row) && !isFollowing ? { already: alreadyText } : { change: { ...change, before: row } };
  const edits = editsOf(change);
  const now = startOf(resource, action, row, view, params);
  const unfit = unfitting(resource, action, edits, row, now, view);
  if (unfit !== undefined) return { why: `${unfit}; nothing was sent.` };
  const draft = { ...now, ...changesOf(resource, action, edits, now) };
  const done: Change = { ...change, body: bodyOn(view, change, row), before: row };
  if (isSoAlready(done, row) && !isFollowing) return { already: alreadyText };
  const [complaint] = isFollowing ? [] : complaintsOf(resource, action, draft, view, row, params, now);
  return complaint ? { why: `${complaint.says} Nothing was sent.` } : { change: done };
}

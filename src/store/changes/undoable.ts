import { audit as auditList, isDoubtful } from '../../resources/account/audit.ts';
import type { Inverse } from '../../resources/action.ts';
import { isPatch } from '../../resources/body.ts';
import { touchedOf } from '../../resources/changeRecord.ts';
import { idIn, idOf, isPlaceholderId, liesUnder } from '../../resources/identity.ts';
import { actionNamed, creationsOf, knownResource, resourceNamed } from '../../resources/index.ts';
import { entriesIn, type Irreversible, inverseOf, isNamedByUsers } from '../../resources/inverse.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import { type Action, type CacheView, type Draft, isRow, type Resource, type Row } from '../../resources/resource.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { recordIn, type SentChange, uidOf } from '../history/auditLog.ts';
import { type Change, cachedRow, changeOfRecord, type Deed, type Result } from './change.ts';

/** The inverse of one change that was done. */
export interface Undo {
  /** The name of the change. */
  of: string;
  /** Names its row. */
  label: string;
  inverse: Inverse;
  /** The entries that the change had made of the row, in the form of the inverse. */
  made: Draft;
  /** Why it was not taken back when that was tried. */
  says?: string;
}

/** Changes that were sent together, as they are taken back. */
export interface UndoLevel {
  /** The beginning of their names. */
  key: string;
  /** They took others back: what takes them back does those again. */
  isBack?: boolean;
  /** The action and its rows, of those that they took back where they did: "Set the TTL of 14 records". */
  title: string;
  /** One for each row on which it was done and can be taken back. */
  undos: readonly Undo[];
  /** The other rows on which it was done. */
  lost: readonly LostUndo[];
  /** Why there is none. */
  why?: string;
}

/** A change that nothing takes back, by the label of its row. */
export interface LostUndo {
  label: string;
  why: string;
}

/** The row as it is known before a change, with the answer that its form starts from. */
export function knownBefore(change: Deed & Pick<Change, 'before'>, view: CacheView): Row | undefined {
  const { resource, action, params, before } = change;
  if (!before || action.prefill === undefined) return before;
  const beside = view.answer(resource.name, action.prefill, params);
  return isRow(beside) ? { ...before, ...beside } : before;
}

/** The inverse of a change that is about to be sent, or was done; what it makes is named by `made`. */
export function inverseOfChange(change: Change, view: CacheView, made?: Row): Inverse | Irreversible {
  const { resource, action, params, body } = change;
  const before = knownBefore(change, view);
  const known = { params, ...(isRow(body) && { body }), ...(before && { before }), ...(made && { made }) };
  return inverseOf(resource, action, known, view);
}

/** The entries for what a change has made of a row: its answer where that tells it, else its body, which is all without a form. */
function madeEntries(resource: Resource, action: Action, body: unknown, answer: unknown): Draft {
  if (action.method !== 'PUT' || !isRow(body)) return {};
  if (!isPatch(action)) return action.body ? {} : (body as Draft);
  const told = isRow(answer) ? touchedOf({ ...action, method: 'PUT' }, body, answer) : {};
  return entriesIn(resource, action, { ...body, ...told });
}

/** Changes as they are sent together: each with a name. */
export const namedTogether = (
  changes: readonly Change[],
  { key, first = 0 }: { key: string; first?: number },
): readonly Change[] => changes.map((change, nth) => ({ ...change, uid: `${key}.${first + nth}` }));

/** The beginning of the names of changes that are sent together, or the identity of a step, like no other: 12 hexadecimal digits. */
export const newKey = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12);

/** The names of the changes that were taken back by now, done again since or not, as far as the audit log was read. */
export const takenBack = (view: CacheView): ReadonlySet<string> =>
  new Set(view.rows(auditList.name).flatMap((row) => (row.isTakenBack || row.isPast ? [uidOf(row)] : [])));

/**
 * The names of the changes of which it is not known whether they were taken back, or done again: the answer was lost, or is to
 * come.
 * @param without the keys of what is passed over
 */
export const doubtfullyBack = (view: CacheView, without?: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    view.rows(auditList.name).flatMap((row) => {
      const { takesBack } = row;
      return takesBack !== undefined && isDoubtful(row) && !without?.has(keyOfName(uidOf(row)))
        ? [wholeName(String(takesBack))]
        : [];
    }),
  );

/** The key of changes that were sent together, from the name of one. */
export const keyOfName = (uid: string): string => uid.split('.')[0] ?? uid;

/** Tells how named changes are taken back, by what was known before they were sent; by their results. */
export function undosOf(
  changes: readonly Change[],
  known: ReadonlyMap<Change, Inverse | Irreversible>,
  view: CacheView,
  { results, title }: { results: readonly Result[]; title: string },
): Omit<UndoLevel, 'key'> {
  const [{ takesBack } = {}] = changes;
  const undos: Undo[] = [];
  const lost: LostUndo[] = [];
  for (const [index, change] of changes.entries()) {
    const { state, row, mayBeOthers } = results[index] ?? {};
    if (state !== 'done') continue;
    const first = known.get(change) as Inverse | Irreversible;
    const isNamed = isRow(row) && !isPlaceholderId(idOf(change.resource, row));
    const found = 'why' in first && isNamed ? inverseOfChange(change, view, row) : first;
    if (mayBeOthers) lost.push({ label: change.label, why: 'Another request has done it, or may have.' });
    else if ('why' in found) lost.push({ label: change.label, why: found.why });
    else undos.push(...undosFor(change, found, madeEntriesFor(change, found, row)));
  }
  const nothing = results.some(({ state }) => state === 'unknown')
    ? 'It is not known whether it was done.'
    : 'Nothing of it was done.';
  return {
    title: takesBack?.title ?? (undos.length > 0 ? titleOfSome(title, changes.length, namesOf(undos).size) : title),
    ...(takesBack && { isBack: takesBack.isRedo !== true }),
    undos,
    lost,
    ...(undos.length === 0 && { why: lost[0]?.why ?? nothing }),
  };
}

/** An inverse with what has to be done before it; the last of them is taken back first. */
function undosFor(
  { label, uid = '' }: { label: string; uid?: string | undefined },
  inverse: Inverse,
  made: Draft,
): readonly Undo[] {
  const resource = resourceNamed(inverse.resource);
  const mayBeOthers = inverse.action === resource.remove?.name && isNamedByUsers(resource) && !inverse.made;
  const anew = mayBeOthers ? ['if others have made one of this name anew since, theirs is deleted'] : [];
  const differs = [...(inverse.differs ?? []), ...anew];
  const main = { of: uid, label, inverse: { ...inverse, differs }, made: inverse.made ?? made };
  if (!inverse.first) return [main];
  const before = { ...inverse, action: inverse.first.action, first: undefined };
  return [main, { of: `${uid}${partMark}`, label, inverse: before, made: inverse.first.made ?? {} }];
}

/** The key behind changes that were done, or that took others back: `u takes them back`. */
export const wayOn = (isBack: boolean, which: string): string =>
  isBack
    ? `${keyLabel('everywhere.redo', 'U')} does ${which} again`
    : `${keyLabel('everywhere.takeBack', 'u')} takes ${which} back`;

/** The title of so many changes of which some are taken back; it says so where these are not all. */
export const titleOfSome = (title: string, of: number, some: number): string =>
  some < of ? `${title.replace(/ \(\d+ of them\)$/, '')} (${some} of them)` : title;

/** The names of the changes that are taken back, each in however many parts. */
export const namesOf = (undos: readonly Undo[]): ReadonlySet<string> => new Set(undos.map(({ of }) => wholeName(of)));

/** The inverses of changes that are sent one after the other, and those that have none. */
export type WaysBack = Pick<UndoLevel, 'undos' | 'lost'>;

/** The same after one more change: nothing takes back what was done to a row, or in it, once that is deleted. */
export function waysAfter(ways: WaysBack, change: Change, result?: Partial<Result>, level?: WaysBack): WaysBack {
  const { resource, action, params, label: gone } = change;
  const isDeleted = result?.state === 'done' && action === resource.remove;
  const isVain = ({ inverse }: Undo) => isDeleted && liesUnder(inverse.params, params);
  const why = goneText(resource, gone);
  const vain = ways.undos.filter(isVain).map(({ label }) => ({ label, why }));
  const left = ways.undos.filter((one) => !isVain(one));
  return { undos: [...left, ...(level?.undos ?? [])], lost: [...ways.lost, ...vain, ...(level?.lost ?? [])] };
}

const goneText = ({ one }: Resource, label: string): string => `The ${one} ${label} was deleted after it.`;

/** Tells why an inverse is in vain: the row that it lies in was deleted after the change, as the audit log has it, and is not back. */
export function goneSince(view: CacheView): (undo: Pick<Undo, 'of' | 'inverse'>) => string | undefined {
  const log = view.rows(auditList.name);
  const gone = log.flatMap((row, place) => {
    const { action, params = {}, label = '' } = recordIn(row) ?? {};
    const resource = knownResource(row.resource);
    const isGone = row.outcome === 'done' && resource?.remove?.name === action;
    // Where users choose ids, a row with its id may be another one.
    const mayBeBack = !resource || !isNamedByUsers(resource) || row.isTakenBack;
    if (!isGone || !resource || (mayBeBack && cachedRow(view, resource, params))) return [];
    return [{ place, params, why: goneText(resource, label) }];
  });
  return ({ of, inverse }) => {
    const sent = log.findIndex((row) => uidOf(row) === wholeName(of));
    return gone.find(({ place, params }) => place < sent && liesUnder(inverse.params, params))?.why;
  };
}

/** Ends the name of what has to be done before a change is taken back, which alone does not do that. */
export const partMark = ':first';

/** The name of a change, from that of it or of a part of what takes it back. */
export const wholeName = (of: string): string => of.replace(partMark, '');

const madeEntriesFor = ({ resource, body }: Change, { resource: of, action }: Inverse, row: unknown): Draft => {
  const back =
    of === resource.name ? [resource.edit, ...(resource.actions ?? [])].find((one) => one?.name === action) : undefined;
  return back ? madeEntries(resource, back, body, row) : {};
};

/** The inverse of a change that the audit log holds, with what goes before it, or why there is none. */
export function undosOfRecord(
  view: CacheView,
  { uid, isBack: _, ...record }: SentChange,
  goneOf: ReturnType<typeof goneSince>,
): { title: string } & ({ undos: readonly Undo[] } | { why: string }) {
  const change = changeOfRecord(record);
  const title = `${'action' in change ? change.action.help : record.action} (${record.label})`;
  if ('why' in change) return { title, why: change.why };
  const made = creationsOf(change.resource).includes(change.action) ? idIn(change.resource, change.params) : undefined;
  const inverse = inverseOfChange(change, view, made === undefined ? made : { [change.resource.id]: made });
  if ('why' in inverse) return { title, why: inverse.why };
  const why = goneOf({ of: uid, inverse });
  if (why !== undefined) return { title, why };
  const { resource, action } = described(inverse);
  const entries = madeEntries(resource, action, record.body, undefined);
  return { title, undos: undosFor({ label: record.label, uid }, inverse, entries) };
}

/** The descriptions that an inverse names. */
export function described({ resource: of, action: named }: Undo['inverse']): ResourceAction {
  const resource = resourceNamed(of);
  return { resource, action: actionNamed(resource, named) };
}

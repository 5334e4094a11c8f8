import { bodyOf, formFields, isBlank, startOf, withoutBlanks } from './body.ts';
import { type Action, type Field, fieldLabel, knownField, type Resource } from './resource.ts';
import type { CacheView, Draft, Entry, Params, Row } from './row.ts';

/** The entries that a form started from and those entered since; the third copy is the row as it is now. */
export interface Edits {
  /** The entries as they were when the form was opened, or when what others had changed was last decided on. */
  opened: Draft;
  /** The entries that were touched. */
  mine: Draft;
}

/** The value of a conflict that is kept. */
export type ConflictSide = 'mine' | 'theirs';

/** A field that was touched here and changed elsewhere, to something else. */
export interface Conflict {
  name: string;
  field: Field;
  opened: Entry;
  mine: Entry;
  theirs: Entry;
}

/** Whether two entries say the same; all that is blank does. */
export const isSameEntry = (one: Entry, other: Entry): boolean =>
  (isBlank(one) && isBlank(other)) || JSON.stringify(one) === JSON.stringify(other);

const wordsOf = (entry: Entry): readonly string[] => (isBlank(entry) ? [] : [entry].flat().map(String));

/** The words that are there now, less those that were taken away here, and those that were added here. Blanks around a word do not tell it apart. */
function mergedWords(opened: Entry, mine: Entry, now: Entry): readonly string[] {
  const trimmed = (words: readonly string[]) => new Set(words.map((word) => word.trim()));
  const [before, wanted, there] = [opened, mine, now].map((entry) => trimmed(wordsOf(entry)));
  const stays = (word: string) => !before?.has(word.trim()) || wanted?.has(word.trim());
  const added = [...(wanted ?? [])].filter((word) => word !== '' && !before?.has(word) && !there?.has(word));
  return [...wordsOf(now).filter(stays), ...added];
}

/**
 * The entries that change a row: those that were touched and differ from it, lists of words merged with its own.
 * All that were touched where none differs.
 * @param of the row; without it entries are as they were made for several
 */
export function changesOf(
  resource: Resource,
  action: Action,
  { opened, mine }: Edits,
  now: Draft,
  of?: { row: Row; view: CacheView },
): Draft {
  const touched = Object.entries(mine).map(([name, typed]): readonly [string, Entry] => {
    const own =
      of && typeof typed === 'string'
        ? knownField(resource, action, name)?.each?.of(typed, of.row, of.view)
        : undefined;
    const entry = own ?? withoutBlanks(typed);
    const isMerged = name in now && knownField(resource, action, name)?.merged;
    return [name, isMerged ? mergedWords(opened[name], entry, now[name]) : entry];
  });
  const differing = touched.filter(([name, entry]) => !isSameEntry(entry, now[name]));
  return Object.fromEntries(differing.length > 0 ? differing : touched);
}

/**
 * Why a row does not get what was entered, as a clause: it has no such field, as it would be then.
 * @param now the entries of the row as they are
 */
export function unfitting(
  resource: Resource,
  action: Action,
  edits: Edits,
  row: Row,
  now: Draft,
  view: CacheView,
): string | undefined {
  const draft = { ...now, ...changesOf(resource, action, edits, now, { row, view }) };
  const shown = new Set(formFields(resource, action, draft, row, view).map(({ name }) => name));
  const hidden = Object.keys(edits.mine).find((name) => !shown.has(name));
  if (hidden === undefined) return undefined;
  return `${fieldLabel(resource, action, hidden)} cannot be set as this ${resource.one} is now`;
}

/** Whether nothing that was entered differs from what is there now. */
export const isUnchanged = (resource: Resource, action: Action, edits: Edits, now: Draft): boolean =>
  Object.entries(changesOf(resource, action, edits, now)).every(([name, entry]) => isSameEntry(entry, now[name]));

/** The names of the entries that others have changed since the form was opened, but for those that change by themselves. */
export const changedElsewhere = (
  resource: Resource,
  action: Action,
  { opened }: Edits,
  now: Draft,
): readonly string[] =>
  Object.keys(now).filter(
    (name) => !isSameEntry(opened[name], now[name]) && !knownField(resource, action, name)?.volatile,
  );

/** The fields that were touched here and changed elsewhere, to something else; lists that are merged are none of them. */
export const conflictsOf = (resource: Resource, action: Action, edits: Edits, now: Draft): readonly Conflict[] =>
  changedElsewhere(resource, action, edits, now).flatMap((name) => {
    const field = knownField(resource, action, name);
    const [opened, mine, theirs] = [edits.opened[name], edits.mine[name], now[name]];
    const isConflict = field && !field.merged && name in edits.mine && !isSameEntry(mine, theirs);
    return isConflict ? [{ name, field, opened, mine, theirs }] : [];
  });

/** The edits after a conflict was decided on: what is there now is known, and what is not mine is forgotten. */
export function resolveConflicts(edits: Edits, now: Draft, choices: ReadonlyMap<string, ConflictSide>): Edits {
  const opened = { ...edits.opened, ...Object.fromEntries([...choices.keys()].map((name) => [name, now[name]])) };
  const mine = Object.fromEntries(Object.entries(edits.mine).filter(([name]) => choices.get(name) !== 'theirs'));
  return { opened, mine };
}

/** A field that an edit changes, with its entries before and after. */
export interface FieldChange extends Pick<Conflict, 'name' | 'field'> {
  before: Entry;
  after: Entry;
}

/** A row, and what was entered in the form that edits it. */
export type EditedRow = [resource: Resource, action: Action, edits: Edits, row: Row, view: CacheView, params: Params];

/** The entries of a row as they are now, and those that the form gives it. */
export function entriesOf(...[resource, action, edits, row, view, params]: EditedRow) {
  const now = startOf(resource, action, row, view, params);
  return { now, changes: changesOf(resource, action, edits, now, { row, view }) };
}

/** The fields that an edit changes in one row; a member of another field is told by the request alone. */
export function fieldChanges(...edited: EditedRow): readonly FieldChange[] {
  const [resource, action] = edited;
  const { now, changes } = entriesOf(...edited);
  return Object.entries(changes).flatMap(([name, after]) => {
    const field = knownField(resource, action, name);
    return field ? [{ name, field, before: now[name], after }] : [];
  });
}

/** The body that changes one row by what was entered in a form, which may be about several. */
export function changeOf(...edited: EditedRow): Row | undefined {
  const [resource, action, , row, view] = edited;
  const { now, changes } = entriesOf(...edited);
  return bodyOf(resource, action, { ...now, ...changes }, row, view, new Set(Object.keys(changes)));
}

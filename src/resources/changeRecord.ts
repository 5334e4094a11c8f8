import { emptiedValue, entryOf, formFields, isBlank, putAt, sentValue } from './body.ts';
import { type EditedRow, type Edits, entriesOf, isSameEntry } from './edits.ts';
import { type Action, bodyNames, type Field, knownField, type Resource } from './resource.ts';
import { at, type Draft, isNothing, isRow, type Params, type Row } from './row.ts';

/** One change as files keep it: the audit log, and whatever repeats or takes back a change. */
export interface ChangeRecord {
  resource: string;
  action: string;
  /** The parameters of the row, or those of the list in which one is made. */
  params: Params;
  /** Names the row. */
  label: string;
  body?: unknown;
  /** The fields that an edit sends as they were before, or the whole row; absent where one is made. */
  before?: Row;
}

/** A change as the audit log has it. */
export interface SentRecord extends ChangeRecord {
  /** Names it: those before the dot were sent together. */
  uid?: string | undefined;
  /** The name of the change that it takes back. */
  takesBack?: string | undefined;
}

/** The part of a row that a change touches: the values at the places of the body where an edit sends them, else the row itself. */
export const touchedOf = (action: Action, body: unknown, row: Row): Row =>
  action.method === 'PUT' && isRow(body) ? partOf(row, body) : row;

/** The part of a row that a body has values for; what the row lacks is left out. */
const partOf = (row: Row, body: Row): Row =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, sent]) => {
      const value = row[name];
      if (value === undefined) return [];
      return [[name, isRow(value) && isRow(sent) ? partOf(value, sent) : value]];
    }),
  );

/**
 * The parts of a row that a change is to touch, by the dotted paths of their fields. It holds no other part, so that what others
 * make of those stays as it is.
 */
export interface Intention {
  /** The values as they are sent; null or an empty value takes one away. */
  set?: Row;
  /** Values that are put into lists, by field. */
  add?: Readonly<Record<string, readonly unknown[]>>;
  /** Values that are taken out of lists, by field. */
  remove?: Readonly<Record<string, readonly unknown[]>>;
}

/** Whether a field is a list of which a change touches single entries. */
export const isTouchedByEntry = ({ merged, part }: Partial<Field> = {}): boolean =>
  merged === true || part !== undefined;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isNothing(value) ? [] : [value]);

/** Those of some entries that are not among others, by their text. */
function without(some: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const texts = new Set(others.map(textOf));
  return some.filter((one) => !texts.has(textOf(one)));
}

const textOf = (one: unknown): string => (isRow(one) ? JSON.stringify(one) : String(one).trim());

/** Collects an intention, without the parts that have nothing. */
function collected() {
  const parts = { set: {}, add: {}, remove: {} } as Record<keyof Intention, Record<string, unknown>>;
  return {
    set(name: string, value: unknown): void {
      parts.set[name] = value;
    },
    /** Notes the difference of two lists; of a field for one way only that way. */
    list(name: string, { part }: Field, before: readonly unknown[], after: readonly unknown[]): void {
      const [added, removed] = [without(after, before), without(before, after)];
      if (part !== 'removed' && added.length > 0) parts.add[name] = added;
      if (part !== 'added' && removed.length > 0) parts.remove[name] = removed;
    },
    result: (): Intention =>
      Object.fromEntries(Object.entries(parts).filter(([, names]) => Object.keys(names).length > 0)),
  };
}

/** Tells what the entries of a form are to do to a row. */
export function intentionOf(...edited: EditedRow): Intention {
  const [resource, action, edits, row, view] = edited;
  const { now, changes } = entriesOf(...edited);
  const found = collected();
  for (const { name, field } of formFields(resource, action, { ...now, ...changes }, row, view)) {
    if (field.local || !(name in changes)) continue;
    const entry = changes[name];
    const values = listOf(sentValue(field, edits.mine[name]));
    if (field.part === 'removed') found.list(name, field, values, []);
    else if (field.part) found.list(name, field, [], values);
    else if (field.merged) found.list(name, field, listOf(sentValue(field, edits.opened[name])), values);
    else found.set(name, isBlank(entry) ? (emptiedValue(field) ?? null) : sentValue(field, entry));
  }
  return found.result();
}

/** The same of entries that touch single values of lists, whose request depends on the row at its turn; of others undefined. */
export function entryIntentionOf(...edited: EditedRow): Intention | undefined {
  const [resource, action, { mine }] = edited;
  const isByEntry = Object.keys(mine).some((name) => isTouchedByEntry(knownField(resource, action, name)));
  return isByEntry ? intentionOf(...edited) : undefined;
}

/**
 * Tells what a whole body is to do to a row: the values that differ from those that the row had.
 * @param before the row as the body was made on it, or the part that the body has values for
 */
export function intentionOfBody(resource: Resource, action: Action, body: Row, before: Row = {}): Intention {
  const found = collected();
  for (const name of bodyNames(action)) {
    const field = knownField(resource, action, name);
    const [was, sent] = [at(before, name), at(body, name)];
    // A list that became shorter has nothing there any more.
    const isTaken =
      sent === undefined && /\.\d+\./.test(name) && Array.isArray(at(body, name.replace(/\.\d+\..*$/, '')));
    if (!field || (sent === undefined && !isTaken)) continue;
    if (isTouchedByEntry(field)) found.list(name, field, listOf(was), listOf(sent));
    else if (was === undefined || !isSameEntry(entryOf(field, was), entryOf(field, sent)))
      found.set(name, sent ?? null);
  }
  return found.result();
}

/** The entries of a form that do to a row, however it is by now, what is intended. */
export function editsFor(
  resource: Resource,
  action: Action,
  { set = {}, add = {}, remove = {} }: Intention,
  before: Row = {},
): Edits {
  const opened: Record<string, Draft[string]> = {};
  const mine: Record<string, Draft[string]> = {};
  for (const [name, value] of Object.entries(set)) {
    const field = knownField(resource, action, name);
    if (!field) continue;
    opened[name] = entryOf(field, at(before, name));
    mine[name] = entryOf(field, value) ?? '';
  }
  for (const name of new Set([...Object.keys(add), ...Object.keys(remove)])) {
    const [added, removed] = [add[name] ?? [], remove[name] ?? []].map((words) => words.map(String));
    const isOut = knownField(resource, action, name)?.part === 'removed';
    opened[name] = isOut ? [] : removed;
    mine[name] = isOut ? removed : added;
  }
  return { opened, mine };
}

/** The part of a row that an intention touches. */
export function beforeIntention({ set, add, remove }: Intention, row: Row): Row {
  const before: Record<string, unknown> = {};
  for (const name of Object.keys({ ...set, ...add, ...remove })) {
    const value = at(row, name);
    if (value !== undefined) putAt(before, name.split('.'), value);
  }
  return before;
}

/** A body with the values that an intention makes of a row, as far as they are known; for readers, it is not sent. */
export function sketchedBody({ set = {}, add = {}, remove = {} }: Intention, before: Row = {}): Row {
  const body: Record<string, unknown> = {};
  const names = new Set([...Object.keys(add), ...Object.keys(remove)]);
  const lists = [...names].map((name) => {
    const there = without(listOf(at(before, name)), remove[name] ?? []);
    return [name, [...there, ...without(add[name] ?? [], there)]] as const;
  });
  for (const [name, value] of [...Object.entries(set), ...lists]) putAt(body, name.split('.'), value);
  return body;
}

import { typedSeconds } from '../text/times.ts';
import { hasTextIds } from './field.ts';
import { idValue, isId } from './identity.ts';
import { type Action, bodyNames, type Field, fieldOf, type Resource } from './resource.ts';
import { at, type CacheView, type Draft, type Entry, emptyView, isEmpty, type Params, type Row } from './row.ts';

/** One field of a form: its name (the dotted path in the body), its description, and whether the action requires it. */
export interface FormField {
  name: string;
  field: Field;
  required: boolean;
}

/**
 * The fields of an action that this draft shows, in the order of the form.
 * @param view tells the members of fields that have some; without it none are offered
 */
export function formFields(
  resource: Resource,
  action: Action,
  draft: Draft,
  row?: Row,
  view?: CacheView,
): readonly FormField[] {
  return (action.body ?? []).flatMap((entry) => {
    const name = entry.replace(/!$/, '');
    const field = fieldOf(resource, action, name);
    if (field.shown && !field.shown(draft, row)) return [];
    const members = view && field.members?.(draft, view);
    if (members) return Object.entries(members).map(([member, field]) => formField(`${name}.${member}`, field, draft));
    return [formField(name, field, draft, entry.endsWith('!'))];
  });
}

function formField(name: string, field: Field, draft: Draft, required = false): FormField {
  const needed = typeof field.needed === 'function' ? field.needed(draft) : field.needed;
  return { name, field, required: required || needed === true };
}

/** An entry without the blank items of a list: one comma too many, as in `a, b,`, makes one, which is none. */
export const withoutBlanks = (entry: Entry): Entry =>
  Array.isArray(entry) ? entry.filter((item) => item !== '') : entry;

/** Whether nothing was entered. */
export const isBlank = (entry: Entry): boolean => isEmpty(withoutBlanks(entry));

/** A form starts from these when a row is edited: the row's values as entries, those of fields not yet shown too. */
export function draftOf(resource: Resource, action: Pick<Action, 'body' | 'fields'>, row: Row): Draft {
  const entry = (name: string) => entryOf(fieldOf(resource, action, name), at(row, name));
  return Object.fromEntries(bodyNames(action).map((name) => [name, entry(name)]));
}

/** A form starts from these for a new row like another one: its values, without what names it alone, and no secret. */
export function entriesLike(resource: Resource, action: Action, row: Row): Draft {
  const label = resource.label(row);
  const isOwn = (name: string, entry: Entry) => {
    const { kind, unique, local, hidden, volatile } = fieldOf(resource, action, name);
    const isSecret = kind === 'secret' || kind === 'secretParagraph' || kind === 'file' || hidden !== undefined;
    return isSecret || unique || local || volatile || entry === label || isBlank(entry);
  };
  const entries = Object.entries(draftOf(resource, action, row)).filter(([name, entry]) => !isOwn(name, entry));
  return { ...Object.fromEntries(entries), ...action.like?.(row) };
}

/** Whether an action changes parts of a row: what its body leaves out stays as it is. */
export const isPatch = ({ method, body, whole }: Action): boolean => method === 'PUT' && body !== undefined && !whole;

/** Whether a field that is sent is that of the row: a snapshot has a label of its own, and a clone is another row. */
export const isFieldOfRow = (action: Action, name: string): boolean =>
  isPatch(action) || (action.row === undefined && !Object.hasOwn(action.fields ?? {}, name));

/**
 * The entries that a form starts from: those that the action says, else, where it changes the row, those of the row.
 * A name that is among them has its value from the row; it may be undefined.
 */
export function startOf(
  resource: Resource,
  action: Action,
  row: Row | undefined,
  view: CacheView,
  params: Params,
): Draft {
  if (action.start) return action.start(row, view, params);
  return row && isPatch(action) ? draftOf(resource, action, row) : {};
}

/** One value of a row as a form holds it. */
export function entryOf(field: Field, value: unknown): Entry {
  if (value === null || value === undefined) return undefined;
  if (field.kind === 'boolean') return value === true;
  if (field.kind === 'device') return deviceEntry(value);
  if (field.kind === 'json') return JSON.stringify(value);
  return Array.isArray(value) ? value.map(String) : String(value);
}

function deviceEntry(value: unknown): Entry {
  const { disk_id, volume_id } = value as { disk_id?: unknown; volume_id?: unknown };
  if (isId(disk_id)) return `disks/${disk_id}`;
  return isId(volume_id) ? `volumes/${volume_id}` : undefined;
}

/** The disk or volume that an entry names, as it is sent. */
export function deviceBody(entry: unknown): { disk_id: number | string | null; volume_id: number | string | null } {
  const [kind, id] = String(entry ?? '').split('/');
  return { disk_id: kind === 'disks' ? idValue(id) : null, volume_id: kind === 'volumes' ? idValue(id) : null };
}

/** The number that was typed; a field of seconds takes other spans as well: `1h`. NaN where it is none. */
export const numberIn = ({ unit }: Field, typed: string): number =>
  (unit === 'seconds' ? typedSeconds(typed) : undefined) ?? Number(typed);

/** The value that is sent for one entry; `undefined` leaves the field out. */
export function sentValue(field: Field, entry: Entry): unknown {
  if (isBlank(entry)) {
    if (Array.isArray(entry)) return [];
    return field.emptied === null && entry === '' ? null : undefined;
  }
  const numbers = !hasTextIds(field);
  switch (field.kind) {
    case 'integer':
      return numberIn(field, String(entry));
    case 'choice':
      return field.numeric ? Number(entry) : entry;
    case 'reference':
      return numbers ? idValue(entry) : entry;
    case 'references':
      return (entry as readonly string[]).map((id) => (numbers ? idValue(id) : id));
    case 'device':
      return deviceBody(entry);
    case 'json':
      return JSON.parse(String(entry));
    default:
      return withoutBlanks(entry);
  }
}

/**
 * The body an action sends for a draft. Only fields that are shown are sent; where a row is changed, only those that differ from it.
 * @param row the row that is changed; undefined for a creation
 * @param view tells the members of fields that have some
 * @param touched the names of the fields that are sent, in place of those that differ from the row
 */
export function bodyOf(
  resource: Resource,
  action: Action,
  draft: Draft,
  row?: Row,
  view?: CacheView,
  touched?: ReadonlySet<string>,
): Row | undefined {
  if (!action.body) return action.send?.({}, draft, row);
  const before = row && isPatch(action) ? startOf(resource, action, row, view ?? emptyView, {}) : {};
  const body: Record<string, unknown> = {};
  for (const { name, field } of formFields(resource, action, draft, row, view)) {
    const entry = draft[name];
    const isLeft = touched ? !touched.has(name) : JSON.stringify(entry) === JSON.stringify(before[name]);
    if (field.local || isLeft) continue;
    const isTaken = isBlank(entry) && before[name] !== undefined;
    const value = isTaken ? emptiedValue(field) : sentValue(field, entry);
    if (value !== undefined) putAt(body, name.split('.'), value);
  }
  return action.send ? action.send(body, draft, row) : body;
}

/** The kinds that hold several values; none of them is a value too. */
const listKinds: readonly Field['kind'][] = ['strings', 'references', 'choices'];

/** The value that is sent where one is taken away from a row; undefined where that cannot be done. */
export const emptiedValue = ({ kind, emptied }: Field): unknown => (listKinds.includes(kind) ? [] : emptied);

/**
 * Sets the value at a path, making objects on the way, and arrays where the next key is a number. What a path from a file
 * inherits is never changed.
 */
export function putAt(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const there = Object.hasOwn(target, key) ? target[key] : undefined;
  const inner = typeof there === 'object' && there !== null ? there : /^\d+$/.test(rest[0] ?? '') ? [] : {};
  target[key] = inner;
  putAt(inner as Record<string, unknown>, rest, value);
}

import { keyLabel } from '../text/keyLabel.ts';
import { unitText } from '../text/numbers.ts';
import { unseenIn } from '../text/unseen.ts';
import { displayText } from '../text/words.ts';
import { emptiedValue, entryOf, type FormField, formFields, isBlank, numberIn, withoutBlanks } from './body.ts';
import { isSameEntry } from './edits.ts';
import { textKinds } from './field.ts';
import { type Action, type Complaint, type Field, fieldOf, type Resource } from './resource.ts';
import { at, type CacheView, type Draft, type Entry, type Params, type Row } from './row.ts';
import { plural } from './wording.ts';

/**
 * The rule of a field as shown beside its input, where its options have a list: `3–64 characters, letters, digits, - _ .`
 * @param complaint what is said of its entry already, which is left out
 */
export function ruleOf(field: Field, required: boolean, complaint = ''): string {
  const parts: string[] = [];
  const range = rangeOf(field);
  if (range) parts.push(range);
  if (field.pattern) parts.push(field.pattern.says);
  if (field.begins) parts.push(field.begins.says);
  if (field.kind === 'strings') parts.push('separated by commas');
  if (field.fallback !== undefined && !required) parts.push(`${fallbackText(field)} if left out`);
  if (required && complaint === '') parts.unshift('required');
  return parts.filter((part) => !complaint.includes(part)).join(', ');
}

/** Writes the value, with its unit, that the API takes where a field is left out; empty where none is known. */
export const fallbackText = ({ fallback, unit }: Field): string =>
  fallback === undefined ? '' : displayText(fallback) + unitText(unit);

function rangeOf({ kind, min, max, unit }: Field): string | undefined {
  if (kind === 'file') return max === undefined ? undefined : `at most ${binarySize(max)}`;
  const isList = kind === 'strings' || kind === 'references';
  const noun = unitText(isList ? 'entries' : textKinds.includes(kind) ? 'characters' : unit);
  if (min !== undefined && min === max) return `exactly ${min}${noun}`;
  if (min !== undefined && max !== undefined) return `${min}–${max}${noun}`;
  if (max !== undefined) return `at most ${max}${noun}`;
  const least = min === 1 ? noun.replace(/ies$/, 'y').replace(/s$/, '') : noun;
  return min !== undefined && (min > 0 || kind === 'integer') ? `at least ${min}${least}` : undefined;
}

/** Bytes in the largest unit of which they are a whole number. */
function binarySize(bytes: number): string {
  const [size, unit] = [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ].find(([size]) => bytes % Number(size) === 0) ?? [1, 'bytes'];
  return `${bytes / Number(size)} ${unit}`;
}

/** Says why one entry is wrong, as a sentence that names the field and the rule; undefined when it may be sent. */
export function verdictOf(
  field: Field,
  required: boolean,
  entry: Entry,
  draft: Draft,
  view: CacheView,
  row?: Row,
): string | undefined {
  if (isBlank(entry)) return required ? missing(field) : undefined;
  const meant = withoutBlanks(entry);
  const wrong = wrongWith(field, meant) ?? field.check?.(String(meant), draft, view, row);
  return wrong === undefined ? undefined : `${field.label} ${wrong}.`;
}

/** That a required field is blank, with what may be entered or how to choose it. */
function missing(field: Field): string {
  const { label, kind, options } = field;
  const opens = `${keyLabel('form.choose', 'enter')} opens the choices`;
  if (kind === 'references' || kind === 'choices') return `${label}: at least one is required; ${opens}.`;
  if (kind === 'strings') return `${label}: at least one is required.`;
  if (kind === 'reference' || kind === 'device') return `${label} is required; ${opens}.`;
  const rule = kind === 'choice' ? options?.join(', ') : rangeOf(field);
  return `${label} is required${rule ? `: ${rule}` : ''}.`;
}

/** The kinds whose text is read by people, so that spaces alone are a mistake. */
const isRead = ({ kind }: Field) => kind === 'text' || kind === 'paragraph';

/** Whether a field of seconds is given another span: `1h`. */
const isSpan = (field: Field, text: string) => /[a-z]$/i.test(text) && Number.isInteger(numberIn(field, text));

/** The kinds whose text somebody types or pastes. */
const isText = ({ kind }: Field) => textKinds.includes(kind) || kind === 'strings' || kind === 'json';

/** That a text has a character that nobody has seen: in a script it would be run, in a name it would hide another. */
function unseenVerdict(text: string): string | undefined {
  const found = unseenIn(text);
  if (!found) return undefined;
  const place = `at character ${found.at}${text.includes('\n') ? ` of line ${found.line}` : ''}`;
  return `has ${found.mark} ${place}, which cannot be seen; take it out`;
}

function wrongWith(field: Field, entry: Entry): string | undefined {
  if (typeof entry === 'boolean') return undefined;
  const hidden = isText(field) ? [entry].flat().map(String).map(unseenVerdict).find(Boolean) : undefined;
  if (hidden !== undefined) return hidden;
  if (isRead(field) && typeof entry === 'string' && entry.trim() === '') return 'must be more than spaces';
  if (Array.isArray(entry))
    return sizeVerdict(field, entry.length) ?? entry.map((item) => patternVerdict(field, item)).find(Boolean);
  const text = String(entry);
  switch (field.kind) {
    case 'integer':
      if (!/^-?\d+$/.test(text) && !isSpan(field, text)) return 'must be a whole number';
      return sizeVerdict(field, numberIn(field, text));
    case 'choice':
      return field.options?.includes(text)
        ? undefined
        : `must be one of ${field.options?.join(', ')}${roundedText(field, Number(text))}`;
    case 'json':
      return jsonVerdict(text);
    default:
      if (!textKinds.includes(field.kind)) return undefined;
      return sizeVerdict(field, [...text].length) ?? patternVerdict(field, text);
  }
}

/** The number that the API would make of another one, as the end of a sentence. */
export const roundedText = ({ rounds }: Field, number = 0): string =>
  rounds && number > 0 ? `; the API would make ${rounds(number)} of ${number}` : '';

function sizeVerdict(field: Field, size: number): string | undefined {
  const short = field.min !== undefined && size < field.min;
  const long = field.max !== undefined && size > field.max;
  if (!short && !long) return undefined;
  return field.kind === 'integer'
    ? `must be ${rangeOf(field)}; it is ${size}`
    : `must have ${rangeOf(field)}; it has ${size}`;
}

const patternVerdict = ({ pattern }: Field, text: string) =>
  pattern && !pattern.test.test(text) ? `must be ${pattern.whole ? '' : 'made of '}${pattern.says}` : undefined;

function jsonVerdict(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? undefined
      : 'must be a JSON object, e.g. {"name": "value"}';
  } catch (error) {
    return `must be valid JSON: ${(error as Error).message}`;
  }
}

/** That the value of a row cannot be taken away, with what may be entered in its place. */
function unemptied(field: Field): string {
  const rule = rangeOf(field);
  const instead = rule ? `it takes ${rule}` : field.kind === 'reference' ? 'choose another one' : 'enter another value';
  return `${field.label} cannot be emptied; ${instead}.`;
}

/** The words of a list that it did not have before: the others are not new, whatever they are. */
function addedTo(before: Entry, entry: Entry): Entry {
  const known = isBlank(before) ? [] : [before].flat();
  return Array.isArray(entry) ? entry.filter((word) => !known.includes(word)) : entry;
}

/**
 * Every complaint about a draft, in the order of the form; empty when it may be sent.
 * @param params the path parameters of the form
 * @param now where rows are changed, the entries as they are without the change: what nobody touched is not complained about, as long as no change makes it wrong
 */
export function complaintsOf(
  resource: Resource,
  action: Action,
  draft: Draft,
  view: CacheView,
  row?: Row,
  params: Params = {},
  now: Draft = {},
): readonly Complaint[] {
  const isTouched = (name: string) => !(name in now) || !isSameEntry(draft[name], now[name]);
  const verdict = ({ name, field, required }: FormField, entries: Draft) =>
    verdictOf(field, required, entries[name], entries, view, row);
  const before = new Map(formFields(resource, action, now, row, view).map((formField) => [formField.name, formField]));
  const single = formFields(resource, action, draft, row, view).flatMap((formField) => {
    const { name, field } = formField;
    if (!isTouched(name)) {
      const says = verdict(formField, draft);
      const already = before.get(name);
      return says && !(already && verdict(already, now) === says) ? [{ field: name, says }] : [];
    }
    const isTaken = isBlank(draft[name]) && !isBlank(now[name]);
    const says =
      (field.merged && !isBlank(draft[name])
        ? verdict({ ...formField, required: false }, { ...draft, [name]: addedTo(now[name], draft[name]) })
        : verdict(formField, draft)) ?? (isTaken && emptiedValue(field) === undefined ? unemptied(field) : undefined);
    return says ? [{ field: name, says }] : [];
  });
  if (single.length > 0) return single;
  const spanning = action.check?.(draft, view, row, params) ?? missingRow(action, draft, view);
  if (!spanning) return [];
  const already = isTouched(spanning.field) ? undefined : action.check?.(now, view, row, params);
  if (already?.field === spanning.field && already.says === spanning.says) return [];
  const { label } = fieldOf(resource, action, spanning.field);
  return [{ field: spanning.field, says: `${label}: ${spanning.says}.` }];
}

/** Why no row of a resource is made below another one: it has the same already, or may not have it. */
export function refusalBelow(resource: Resource, draft: Draft, view: CacheView, params: Params): string | undefined {
  const { create: action, list, name, one } = resource;
  if (!action) return undefined;
  if (list && !view.isRead(name, params)) return `its ${plural(resource)} are not all read, so it may have the same`;
  const entered = formFields(resource, action, draft, undefined, view).filter(
    ({ name, field }) => !field.local && !isBlank(draft[name]),
  );
  const isSame = (row: Row) =>
    entered.every(({ name, field }) => isSameEntry(draft[name], entryOf(field, at(row, name))));
  if (view.rows(name, params).some(isSame)) return `has the same ${one} already`;
  return complaintsOf(resource, action, draft, view, undefined, params)[0]?.says;
}

/** That there is not a row of those that it needs, as far as that is read. */
function missingRow({ needs }: Action, draft: Draft, view: CacheView): Complaint | undefined {
  const needed = needs?.(draft, view);
  const isNone = needed && view.isRead(needed.list, needed.under) && view.rows(needed.list, needed.under).length === 0;
  return isNone ? needed.none : undefined;
}

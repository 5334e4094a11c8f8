import { formatValue } from '../../components/format.ts';
import { wrapRows } from '../../components/textArea.ts';
import { marksOf, pointerOf, type Theme } from '../../components/theme.ts';
import { type FormField, isBlank, withoutBlanks } from '../../resources/body.ts';
import { isSecret } from '../../resources/field.ts';
import { referenceText } from '../../resources/links.ts';
import { type CacheView, type Entry, type Field, isRow } from '../../resources/resource.ts';
import { fallbackText, ruleOf } from '../../resources/verdict.ts';
import { cell, clean, cut, head, widthOf, wrapCells } from '../../text/cells.ts';
import { attempt } from '../../text/errno.ts';
import { unitText } from '../../text/numbers.ts';
import { withMarks } from '../../text/unseen.ts';
import { capitalized, displayText } from '../../text/words.ts';
import { isEditableArea, isEditableLine, isMultiline, isTyped, maxLineLength, typedText } from './typedText.ts';
import type { Form } from './useForm.ts';

/** The lines around one field's input. */
export type FieldBlock = ReturnType<typeof fieldBlock>;

/** Cells of the labels at the left of a form. */
export const labelWidth = 20;

/** Whether the text of a secret field can be shown: a path, or the placeholder of a hidden value. */
export const isLegible = (field: Field, text: string): boolean =>
  text === field.hidden || (field.kind === 'secretParagraph' && /^(?:~|\.{1,2})?\/\S*$/.test(text));

/**
 * Lays out a field with its heading, a complaint, or its rule.
 * @param room for all fields together, in lines
 */
export function fieldBlock(
  theme: Theme,
  view: CacheView,
  form: Form,
  { name, field, required }: FormField,
  index: number,
  width: number,
  room: number,
) {
  const before = form.fields[index - 1]?.field.section;
  /** At the end of its line, where a new section begins and has room there. */
  const heading = field.section && field.section !== before ? field.section : '';
  const complaint = form.complaints.get(name);
  const focused = form.focus === index;
  const indent = ' '.repeat(3);
  const lines = (text: string) => wrapCells(clean(text), width - 5).map((line) => `${indent}${line}`);
  const bad = complaint ? lines(complaint).map((line) => theme.paint('bad', line)) : [];
  const { draft, targets, params } = form.submission;
  const help =
    typeof field.help === 'function'
      ? field.help(draft, targets[0]?.row, view, targets[0]?.params ?? params)
      : field.help;
  const shown = form.isEdit ? { ...field, fallback: undefined } : field;
  const cutText = cutWords(shown, required, draft[name], width);
  // That it is required is said by the mark of its label.
  const said = [...cutText, ruleOf(shown, required, complaint), keepingWords(form, field, name), help]
    .filter((part) => part && part !== 'required')
    .map(String);
  const joined = said.map((part, at) => (at < said.length - 1 && !part.endsWith('.') ? `${part}.` : part)).join(' ');
  // After a complaint it is a sentence of its own.
  const rule = complaint ? capitalized(joined) : joined;
  const hint = focused && rule !== '' ? lines(rule).map((line) => theme.paint('dim', line)) : [];
  /** Below it: what is wrong, else its rule and help while it has the focus. */
  const below = [...bad, ...hint].slice(0, Math.max(1, Math.min(maxBelow, room - 2)));
  const entry = draft[name];
  const inputLines = focused ? inputHeight(field, entry, width, room - below.length - 1) : 1;
  return { heading, below, inputLines, height: inputLines + below.length };
}

/** The label and the meaning of the chosen option, where there is no room for them in its line. */
function cutWords({ label, optionHelp, fallback }: Field, required: boolean, entry: Entry, width: number) {
  const option = String(isBlank(entry) ? fallback : entry);
  const help = optionHelp?.[option];
  return [
    // The question of a StackScript is the API's own, and may be no text.
    widthOf(String(label)) > labelWidth - (required ? 2 : 0) ? String(label) : undefined,
    help && widthOf(`${option}  ${help}`) > width - labelWidth - 6 ? help : undefined,
  ];
}

/** Tells of a field of rows that are edited how it is meant: as the whole of a list, as something to add, or left alone. */
function keepingWords({ isEdit, submission }: Form, { merged }: Field, name: string): string | undefined {
  if (!isEdit || submission.action.fields?.[name]) return undefined;
  const isMany = submission.targets.length > 1;
  if (merged) return isMany ? 'They are added to those that each has.' : 'They replace those that it has.';
  return isMany ? 'Left alone, each keeps its own.' : undefined;
}

/** The lines below a field. */
const maxBelow = 4;

/** The lines over which a single-line entry wraps while it is typed. */
const maxInputLines = 6;

const areaLines = { min: 6, max: 10 } as const;

/** With less room beside its label, a text area is drawn below it. */
const minAreaCells = 50;

/** Places a text area beside its label, or below it where that gives more room. */
export function areaPlace(paneWidth: number): { indent: number; width: number; isBelow: boolean } {
  const beside = labelWidth + 5;
  const isBelow = paneWidth - beside - 1 < minAreaCells;
  const indent = isBelow ? 3 : beside;
  return { indent, width: Math.max(1, paneWidth - indent - 1), isBelow };
}

/**
 * The lines that an entry takes while it is edited.
 * @param room available lines
 */
function inputHeight(field: Field, entry: Entry, paneWidth: number, room: number): number {
  if (isEditableArea(field, entry)) {
    const { width, isBelow } = areaPlace(paneWidth);
    const lines = wrapRows(head(typedText(entry), width * areaLines.max), width).length;
    const wanted = Math.min(Math.max(areaLines.min, lines), areaLines.max);
    return Math.max(isBelow ? 2 : 1, Math.min(wanted + (isBelow ? 1 : 0), room));
  }
  const width = paneWidth - labelWidth - 6;
  const text = typedText(entry);
  if (!isTyped(field) || isMultiline(field) || !isEditableLine(text)) return 1;
  const cells = Math.max(1, width);
  const lines = Math.ceil((widthOf(head(text, cells * maxInputLines)) + 1) / cells);
  return Math.max(1, Math.min(lines, maxInputLines, room + 1));
}

/**
 * An entry as it is shown without focus.
 * @param planned the label of a row that is yet to be made, by the entry that stands for it
 * @param shared the entry that all of several rows have in it, or `different`
 */
export function entryText(
  theme: Theme,
  formField: FormField,
  entry: Entry,
  view: CacheView,
  width: number,
  planned?: (entry: string) => string | undefined,
  shared?: ReturnType<Form['shared']>,
): string {
  if (isBlank(entry) && shared)
    return theme.paint('dim', cut(sharedText(theme, formField, shared, view, width), width));
  const { field } = formField;
  if (isBlank(entry)) {
    const fallback = fallbackText(field);
    const help = field.optionHelp?.[String(field.fallback)];
    const text = `${fallback}${fallback && help ? `  ${help}` : ''}`;
    return theme.paint('dim', cut(text || (isTyped(field) ? '' : 'not chosen'), width));
  }
  if (isSecret(field) && isLegible(field, typedText(entry))) return cut(clean(typedText(entry)), width);
  if (isSecret(field)) return marksOf(theme).secret.repeat(Math.min(width, 12));
  if (typeof entry === 'boolean') return displayText(entry);
  if (field.kind === 'choice') {
    const help = field.optionHelp?.[String(entry)];
    return cut(`${entry}${help ? `  ${help}` : ''}`, width);
  }
  if (field.kind === 'reference' || field.kind === 'references' || field.kind === 'device') {
    const names = [entry].flat().map((id) => planned?.(String(id)) ?? referenceText(field, String(id), view));
    return cut(clean(names.join(', ')), width);
  }
  const parsed = field.kind === 'json' ? attempt(() => JSON.parse(typedText(entry))) : undefined;
  if (isRow(parsed)) {
    // A JSON object without its punctuation.
    const parts = Object.entries(parsed).map(([name, one]) => `${name} ${formatValue(one, 'any', theme).text}`);
    return cut(withMarks(parts.join(', ')), width);
  }
  const text = typedText(withoutBlanks(entry)) + unitText(field.unit);
  const lines = text.split('\n').length;
  return cut(withMarks(lines > 1 ? `${lines} lines: ${head(text, maxLineLength)}` : text), width);
}

/** Stands in a field of several rows that nobody has touched. */
export const sharedText = (
  theme: Theme,
  formField: FormField,
  shared: readonly [Entry] | 'different',
  view: CacheView,
  width: number,
): string => {
  if (shared === 'different') return shared;
  return isBlank(shared[0]) ? 'unchanged' : `all: ${entryText(theme, formField, shared[0], view, width)}`;
};

/** The label of a field, with a mark when it is required. */
export const labelText = (theme: Theme, { field, required }: FormField, focused: boolean): string => {
  const text = cell(required ? `${cut(field.label, labelWidth - 2)} *` : field.label, labelWidth);
  const pointer = pointerOf(theme, focused);
  return `${pointer} ${focused ? theme.paint('title', text) : text}`;
};

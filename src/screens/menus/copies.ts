import { at, type CacheView, type Column, type Resource, type Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { withoutControls } from '../../text/escapes.ts';
import { grouped } from '../../text/numbers.ts';
import { isTime } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';

/** The texts of a row that can be copied: those of its description, label, id, columns, and JSON. */
export function copyableTexts(
  resource: Resource,
  row: Row,
  view: CacheView,
): readonly { name: string; text: string }[] {
  const { copies = {}, paragraphs = [] } = resource;
  const named = Object.entries(copies).map(([name, read]) => {
    const value = read(row, view);
    return [name, paragraphs.includes(name) ? value : oneLine(value)] as const;
  });
  const known = new Set(Object.keys(copies).map((name) => name.toLowerCase()));
  const columns = resource.columns.flatMap(({ title, value, format }) =>
    typeof value === 'string' && !known.has(title.toLowerCase())
      ? [[title, isTimeFormat(format) ? timeText(at(row, value)) : at(row, value)] as const]
      : [],
  );
  const all = new Map<string, unknown>([
    ...named,
    ['label', oneLine(resource.label(row))],
    ['ID', oneLine(row[resource.id])],
    ...columns.map(([title, value]) => [title === 'Label' ? 'label' : title, oneLine(value)] as const),
    ['JSON', JSON.stringify(row, null, 2)],
  ]);
  return [...all].flatMap(([name, value]) => {
    const text = withoutControls(textOf(value));
    return text === '' ? [] : [{ name, text }];
  });
}

const isTimeFormat = (format: Column['format']) => format === 'age' || format === 'date' || format === 'expiry';

/** A time in ms since the epoch as ISO 8601 has it; the API's own texts stay as they are. */
const timeText = (value: unknown): unknown => (isTime(value) ? new Date(value).toISOString() : value);

/** A value, or the items of a list, on one line: a line feed that is pasted into a shell runs what stands before it. */
const oneLine = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? '' : textOf(value);
  return text.replace(/\s+/g, ' ');
};

/** Rows in a sentence: the label of one, else their number. */
export function rowsText(resource: Resource, rows: readonly Row[]): string {
  const [first, ...others] = rows;
  return first && others.length === 0 ? resource.label(first) : `${grouped(rows.length)} ${plural(resource)}`;
}

/** A text of rows, and how many of them have it. */
export interface CopyableText {
  name: string;
  text: string;
  count: number;
}

/** The texts of several rows, each on a line of its own; JSON as one list. */
export function copyableTogether(resource: Resource, rows: readonly Row[], view: CacheView): readonly CopyableText[] {
  const all = rows.flatMap((row) => copyableTexts(resource, row, view));
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, texts]) => {
    const isJson = name === 'JSON' && rows.length > 1;
    const text = isJson ? withoutControls(JSON.stringify(rows, null, 2)) : texts.map((one) => one.text).join('\n');
    return { name, text, count: texts.length };
  });
}

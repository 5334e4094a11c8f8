import { formatValue, type Glyphs } from '../../components/format.ts';
import { type CacheView, type Column, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { cell, widthOf } from '../../text/cells.ts';

/** Formats that need no column title. */
const plainFormats: ReadonlySet<Column['format']> = new Set([undefined, 'text', 'status']);

/** Formats that are too long, or do not tell rows apart. */
const excludedFormats: ReadonlySet<Column['format']> = new Set(['tags', 'list', 'paragraph', 'boolean', 'mark', 'id']);

/** The value of a column; undefined if it depends on lists that are not loaded. */
function knownValue(row: Row, column: Column, view: CacheView): unknown {
  let isUnread = false;
  const rows: CacheView['rows'] = (name, under) => {
    const found = view.rows(name, under);
    isUnread ||= found.length === 0;
    return found;
  };
  const value = valueIn(row, column, viewWith(view, { rows }));
  return isUnread ? undefined : value;
}

/** The number of values shown. */
const maxValues = 5;

/** The first columns of a row besides its label and id: `● running  RAM 4 GiB`. */
export function rowDetail(resource: Resource, row: Row, view: CacheView, glyphs: Glyphs): string {
  const told = [resource.label(row), row[resource.id], row.region].map(String);
  const parts = resource.columns.flatMap((column) => {
    const { title, format: as, asks, keep } = column;
    if (asks || keep === 3 || excludedFormats.has(as)) return [];
    const value = knownValue(row, column, view);
    if (value === undefined || value === null || value === '' || told.includes(String(value))) return [];
    const { text } = formatValue(value, as, { now: view.now, glyphs });
    return [plainFormats.has(as) ? text : `${title} ${text}`];
  });
  return parts.slice(0, maxValues).join('  ');
}

/** Facts of several rows, those of one column below each other, as numbers stand; undefined where a row has none. */
export function alignedFacts(rows: readonly (readonly string[])[]): readonly (string | undefined)[] {
  const widths: number[] = [];
  for (const facts of rows)
    for (const [index, fact] of facts.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(fact));
  const used = widths.flatMap((width, index) => (width > 0 ? [index] : []));
  return rows.map((facts) =>
    facts.some((fact) => fact !== '')
      ? used.map((index) => cell(facts[index] ?? '', widths[index] ?? 0, 'right')).join('  ')
      : undefined,
  );
}

import { look } from '../../components/looks.ts';
import type { Theme } from '../../components/theme.ts';
import { dollars } from '../../resources/money.ts';
import type { Column, Known, Row } from '../../resources/resource.ts';
import { valueIn } from '../../store/filter.ts';
import { headLine, layoutOf, measured, type RowPen, rowLine } from '../list/rowLines.ts';
import type { Errand } from './submit.ts';

/** A table of the rows that a change is done to, with what it comes to. */
export interface ConfirmTable {
  head: string;
  lines: readonly string[];
  /** Sums over the rows: `1.2 TiB`, `$96.00 a month`. */
  totals: readonly string[];
}

/** Looks that tell rows apart badly, or take too much room beside a question. */
const leftOut: ReadonlySet<Column['look']> = new Set(['sparkline', 'paragraph', 'id', 'tags']);

/** Looks whose values are worth adding up over rows that go together. */
const summed: ReadonlySet<Column['look']> = new Set(['bytes', 'gigabytes']);

/** The rows that go, as a table that fits into a width: what the list of the resource shows first, and what they cost. */
export function confirmTable(errand: Errand, known: Known, theme: Theme, width: number): ConfirmTable {
  const { resource, subjects } = errand;
  const rows = subjects.map(({ row }) => row);
  const columns = [...toldOf(errand, rows, known), ...costOf(errand)];
  const pen: RowPen = { resource, columns, theme, known, events: [] };
  const placed = layoutOf(measured(rows, pen), width, undefined);
  return {
    head: headLine(placed, pen, undefined, rows[0]),
    lines: rows.map((row) => rowLine(row, placed, pen, { cursor: false, marked: false })),
    totals: [
      ...sumsOf(columns, rows, known, theme),
      ...[costWords(errand, rows, known)].filter((words) => words !== ''),
    ],
  };
}

/** The columns that say something of any of the rows, the one with their label first. */
function toldOf({ resource }: Errand, rows: readonly Row[], known: Known): readonly Column[] {
  const told = resource.columns.filter(
    (column) =>
      !column.lazy &&
      !leftOut.has(column.look) &&
      column.keep !== 3 &&
      rows.some((row) => !isBlank(valueIn(row, column, known))),
  );
  const isLabel = (column: Column) => rows.every((row) => valueIn(row, column, known) === resource.label(row));
  const label = told.find(isLabel) ?? { title: resource.one, value: resource.label, keep: 1 as const };
  const others = told.filter((column) => column !== label);
  // A status tells rows apart worst, and takes the most room.
  const [states, facts] = [true, false].map((isState) => others.filter(({ look }) => (look === 'status') === isState));
  return [
    { ...label, keep: 1 },
    ...(facts ?? []),
    ...(states ?? []).map((column) => ({ ...column, keep: 2 as const })),
  ];
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The price of each row, where the resource has one and the change ends or alters it. */
function costOf({ resource, action, draft }: Errand): readonly Column[] {
  const { monthly: before } = resource;
  const { monthly: after } = action;
  const said = (price: number | undefined) => (price === undefined ? 'unknown' : dollars(price));
  if (!before || (action !== resource.remove && !after)) return [];
  return [
    {
      title: 'A month',
      value: (row, known) =>
        after ? `${said(before(row, known))} → ${said(after(row, known, draft))}` : said(before(row, known)),
      keep: 1,
    },
  ];
}

function sumsOf(columns: readonly Column[], rows: readonly Row[], known: Known, theme: Theme): readonly string[] {
  return columns.flatMap((column) => {
    if (!summed.has(column.look)) return [];
    const sum = rows.reduce((sum, row) => sum + (Number(valueIn(row, column, known)) || 0), 0);
    return [
      look(sum, column.look === 'sparkline' ? undefined : column.look, { now: known.now, glyphs: theme.glyphs }).text,
    ];
  });
}

/** What the rows cost together, before and after; that it is unknown where the price of any of them is. */
function costWords({ resource, action, draft }: Errand, rows: readonly Row[], known: Known): string {
  const { monthly: before } = resource;
  const { monthly: after } = action;
  if (!before || (action !== resource.remove && !after)) return '';
  const sum = (prices: readonly (number | undefined)[]) =>
    prices.some((price) => price === undefined)
      ? undefined
      : prices.reduce((sum: number, price) => sum + (price ?? 0), 0);
  const said = (total: number | undefined) => (total === undefined ? 'unknown' : dollars(total));
  const now = said(sum(rows.map((row) => before(row, known))));
  return after ? `${now} → ${said(sum(rows.map((row) => after(row, known, draft))))} a month` : `${now} a month`;
}

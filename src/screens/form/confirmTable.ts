import type { Theme } from '../../components/theme.ts';
import { fieldChanges } from '../../resources/edits.ts';
import { type CacheView, type Column, isEmpty, type Row } from '../../resources/resource.ts';
import type { Submission } from '../../store/changes/change.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { dollars } from '../../text/numbers.ts';
import { columnTotals } from '../list/rowLines.ts';
import { createRowTable } from '../list/rowTable.ts';
import { changeText } from './preview.tsx';

/** Formats that do not tell rows apart, or take too much room in a confirmation. */
const excludedFormats: ReadonlySet<Column['format']> = new Set(['paragraph', 'id', 'tags']);

const monthly = 'A month';

const summedFormats: ReadonlySet<Column['format']> = new Set(['bytes', 'gigabytes']);

/** The affected rows as a table: the first columns of their list, and their cost. No value is cut that is shown. */
export function confirmTable(submission: Submission, view: CacheView, theme: Theme, width: number) {
  const { resource, targets } = submission;
  const rows = targets.map(({ row }) => row);
  const priceOf = pricing(submission);
  const all = shownColumns(submission, rows, view);
  const [label, ...facts] = priceOf ? all.filter(({ format }) => format !== 'money') : all;
  const own = ownColumns(submission, theme, view);
  const beside = facts.map((column) => (own.length > 0 ? { ...column, keep: 3 as const } : column));
  const columns = [
    ...(label ? [label] : []),
    ...own,
    ...beside,
    ...(priceOf ? [{ title: monthly, value: (row: Row) => priceOf(row, view), keep: 1 as const }] : []),
  ];
  const context = { resource, columns, theme, cacheView: view };
  // Columns that repeat the label go first, then those that matter less, until nothing is cut.
  const isSaid = (column: Column) =>
    rows.every((row) => resource.label(row).includes(String(valueIn(row, column, view))));
  const spare = new Set([...beside.filter(isSaid), ...beside.filter(({ keep }) => keep !== 1).reverse(), ...own]);
  const gone = new Set<Column>();
  const laidOut = () =>
    createRowTable({ ...context, columns: columns.filter((column) => !gone.has(column)) })(rows, width);
  let table = laidOut();
  for (const column of spare) {
    if (table.cutWidth === 0) break;
    gone.add(column);
    table = laidOut();
  }
  const { head, line, cutCells } = table;
  const below = own.filter((column) => gone.has(column));
  const whole = (row: Row) => {
    const changed = below.map((column) => ({ title: column.title, text: valueIn(row, column, view) }));
    const cells = [...changed.filter(({ text }) => text !== undefined), ...cutCells(row)];
    return cells.flatMap(({ title, text }) => wrapCells(clean(`    ${title}: ${text}`), width, 6));
  };
  const summed = columns.filter(({ format }) => summedFormats.has(format));
  const sums = columnTotals(context, summed)(rows);
  return {
    head,
    lines: rows.flatMap((row) => [line(row), ...whole(row)]),
    /** Sums over the rows: `1.2 TiB`. */
    totals: sums.map(([, sum]) => sum),
  };
}

/** A column for each field that changes: what is there, and what comes. */
function ownColumns(
  { resource, action, targets, edits }: Submission,
  theme: Theme,
  view: CacheView,
): readonly Column[] {
  const changes = new Map(
    targets.map(({ row, params, own = edits }) => [
      row,
      own ? fieldChanges(resource, action, own, row, view, params) : [],
    ]),
  );
  const fields = new Map([...changes.values()].flat().map(({ name, field }) => [name, field]));
  return [...fields].map(([name, field]) => ({
    title: field.label,
    value: (row) => {
      const change = changes.get(row)?.find((one) => one.name === name);
      return change && changeText(theme, change, view);
    },
    keep: 1,
  }));
}

/** The columns that are not blank in all rows, the label first. */
function shownColumns({ resource }: Submission, rows: readonly Row[], view: CacheView): readonly Column[] {
  const isTold = (column: Column) =>
    !column.fetches &&
    !excludedFormats.has(column.format) &&
    column.keep !== 3 &&
    rows.some((row) => !isEmpty(valueIn(row, column, view)));
  // Questions have one heading for the cost of a month, whether it changes or not.
  const named = resource.columns.map((column) => (column.total === 'a month' ? { ...column, title: monthly } : column));
  const told = named.filter(isTold);
  const isLabel = (column: Column) => rows.every((row) => valueIn(row, column, view) === resource.label(row));
  const label = told.find(isLabel) ?? { title: resource.one, value: resource.label, keep: 1 as const };
  const others = told.filter((column) => column !== label);
  // A status tells rows apart least and takes the most room.
  const [states, facts] = [true, false].map((isState) =>
    others.filter(({ format }) => (format === 'status') === isState),
  );
  return [
    { ...label, keep: 1 },
    ...(facts ?? []),
    ...(states ?? []).map((column) => ({ ...column, keep: 2 as const })),
  ];
}

/** The price of a row before and after a change, if the resource has one and the change ends or alters it. */
function pricing({ resource, action, draft }: Submission): ((row: Row, view: CacheView) => string) | undefined {
  const { monthly: before } = resource;
  const { monthly: after } = action;
  if (!before || (action !== resource.remove && !after)) return undefined;
  const words = (price: number | undefined) => (price === undefined ? 'unknown' : dollars(price));
  return (row, view) =>
    after ? `${words(before(row, view))} → ${words(after(row, view, draft))}` : words(before(row, view));
}

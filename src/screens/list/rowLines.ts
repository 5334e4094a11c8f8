import { sparkline } from '../../components/chart.ts';
import { type LookContext, type Looked, look } from '../../components/looks.ts';
import { columnGap, type Placed, placeColumns, type TableColumn } from '../../components/tableLayout.ts';
import { marksOf, pointerOf, type Theme } from '../../components/theme.ts';
import type { CacheView, Column, Resource, Row } from '../../resources/resource.ts';
import { type Event, percentOf, progressOf } from '../../store/events.ts';
import { valueIn } from '../../store/filter.ts';
import { cell, cut, widthOf } from '../../text/cells.ts';
import { amountIn } from '../../text/money.ts';

/** Draws the rows of one resource with these. */
export interface RowPen {
  resource: Resource;
  columns: readonly Column[];
  theme: Theme;
  known: CacheView;
  events: readonly Event[];
  /** The answer from which a column that needs a further request is filled. */
  lazyAnswer?: (row: Row, operation: string) => Row | undefined;
}

/** One value of a row as it is written; a busy row says what is being done to it and how far that is. */
export function lookOf(row: Row, column: Column, pen: RowPen): Looked {
  const { theme, known } = pen;
  // Only an age looks at the clock, so that whoever draws knows what grows old.
  const context: LookContext = {
    now: column.look === 'age' || column.look === 'expiry' ? known.now : 0,
    glyphs: theme.glyphs,
  };
  const source = column.lazy ? pen.lazyAnswer?.(row, column.lazy) : row;
  if (!source) return { text: '' };
  if (column.look === 'sparkline') return sparkLook(valueIn(source, column, known, row), theme.glyphs);
  if (column.look !== 'status') return look(valueIn(source, column, known, row), column.look, context);
  const event = rowProgress(row, pen);
  const status = valueIn(row, column, known);
  if (!event) return look(status, 'status', context);
  return look(doingWords(event.action, status), 'status', { ...context, percent: percentOf(event) });
}

/** Finds the event that is changing a row now. */
export const rowProgress = (row: Row, { resource, events }: Pick<RowPen, 'resource' | 'events'>): Event | undefined =>
  resource.entity ? progressOf(events, resource.entity, row[resource.id], resource.events) : undefined;

const sparkWidth = 9;

/** Readings (`[ms, value]`, percent) as a line of bars and the last value. */
function sparkLook(value: unknown, glyphs: Theme['glyphs']): Looked {
  const values = (Array.isArray(value) ? value : []).map((point) => Number(point[1]));
  const last = values.at(-1);
  if (last === undefined) return { text: '' };
  return { text: `${sparkline(values, sparkWidth, glyphs)} ${`${Math.round(last)} %`.padStart(5)}`, role: 'series1' };
}

/** Words an event in progress as a status: `server_resize` is resizing. */
function doingWords(action: string, status: unknown): unknown {
  const verb = action.split('_').at(-1) ?? '';
  return doing[verb] ?? status;
}

const doing: Readonly<Record<string, string>> = {
  boot: 'booting',
  reboot: 'rebooting',
  shutdown: 'shutting_down',
  create: 'creating',
  delete: 'deleting',
  resize: 'resizing',
  clone: 'cloning',
  migrate: 'migrating',
  rebuild: 'rebuilding',
  restore: 'restoring',
  snapshot: 'pending',
  attach: 'attaching',
  detach: 'detaching',
  upload: 'uploading',
  imagize: 'creating',
};

/** Of so many rows all are measured. */
export const sampleSize = 200;

/** Room for most of what can be done to a row, and how far it is: `◐ rebooting 30%`. */
const statusWidth = 15;

/** The room that the values of a row take, a number for each column: the cells, times four, and the side it is aligned to. */
export type Extents = WeakMap<Row, Uint16Array>;

const sides = [undefined, 'left', 'right'] as const;

const extentsOf = (row: Row, pen: RowPen): Uint16Array =>
  Uint16Array.from(pen.columns, (column) => {
    const { text, align } = lookOf(row, column, pen);
    return Math.min(widthOf(text), widest) * 4 + sides.indexOf(align);
  });

/** Wider than any terminal. */
const widest = 4096;

/**
 * The columns of a list, measured on a sample of its rows, evenly drawn, so that scrolling moves nothing.
 * @param before what was measured of rows, with the same pen
 */
export function measured(rows: readonly Row[], pen: RowPen, before: Extents = new WeakMap()): readonly TableColumn[] {
  const step = Math.max(1, Math.floor(rows.length / sampleSize));
  const extents: Uint16Array[] = [];
  for (let index = 0; index < rows.length; index += step) {
    const row = rows[index] as Row;
    const found = before.get(row) ?? extentsOf(row, pen);
    before.set(row, found);
    extents.push(found);
  }
  return pen.columns.map((column, nth) => {
    const own = extents.map((extent) => extent[nth] ?? 0);
    return {
      title: column.title,
      keep: column.keep ?? 2,
      align: sides[own.map((one) => one % 4).find((side) => side > 0) ?? 0] ?? 'left',
      content: Math.max(
        Math.floor(Math.max(0, ...own) / 4),
        column.look === 'status' ? statusWidth : 0,
        column.look === 'sparkline' ? sparkWidth + 6 : column.lazy ? (column.width ?? 0) : 0,
      ),
      most: column.width,
    };
  });
}

/** Where the columns of a list stand, the one that is sorted by with room for its arrow. */
export const layoutOf = (columns: readonly TableColumn[], width: number, sort: string | undefined): readonly Placed[] =>
  placeColumns(
    columns.map((column) => (isSortedBy(column, sort) ? { ...column, title: `${column.title}↑` } : column)),
    width - gutter,
  );

/** The further operations that the columns shown need. */
export const operationsOf = (columns: readonly Column[], placed: readonly Placed[]): readonly string[] => [
  ...new Set(placed.flatMap(({ index }) => columns[index]?.lazy ?? [])),
];

const isSortedBy = ({ title }: Pick<Column, 'title'>, sort: string | undefined) => sort?.replace(/^-/, '') === title;

/** Cells before the first column: the cursor and the mark. */
const gutter = 3;

/** The titles of the columns, the one that is sorted by with an arrow. */
export function headLine(placed: readonly Placed[], pen: RowPen, sort: string | undefined, sampleRow?: Row): string {
  const { up, down } = marksOf(pen.theme);
  const cells = placed.map(({ index, width }) => {
    const column = pen.columns[index];
    if (!column) return '';
    const align = sampleRow ? lookOf(sampleRow, column, pen).align : 'left';
    const arrow = isSortedBy(column, sort) ? (sort?.startsWith('-') ? down : up) : '';
    return cell(`${column.title.toUpperCase()}${arrow}`, width, align);
  });
  return pen.theme.paint('dim', `${' '.repeat(gutter)}${cells.join(columnGap)}`);
}

/** A text that is too long for its column, with its percentage at the end whole. */
function withPercent(text: string, width: number): string {
  const percent = / \d+%$/.exec(text)?.[0];
  if (percent === undefined || widthOf(text) <= width) return text;
  return cut(text.slice(0, -percent.length), width - percent.length) + percent;
}

export interface RowPlace {
  cursor: boolean;
  marked: boolean;
  /** The user's own action on it now, as it is written. */
  doing?: string;
}

/** One row of a list as one line with its colours. */
export function rowLine(row: Row, placed: readonly Placed[], pen: RowPen, at: RowPlace): string {
  const { theme, columns } = pen;
  const mark = at.marked ? theme.paint('mark', marksOf(theme).mark) : ' ';
  if (at.doing !== undefined) return `${pointerOf(theme, at.cursor)}${mark} ${busyCells(row, placed, pen, at.doing)}`;
  const name = columns.findIndex(({ look, keep }) => look === undefined && keep === 1);
  const cells = placed.map(({ index, width }) => {
    const column = columns[index];
    if (!column) return '';
    const { text, role, align } = lookOf(row, column, pen);
    const written = cell(withPercent(text, width), width, align);
    if (at.cursor && index === name) return theme.paint('cursor', written);
    return role ? theme.paint(role, written) : written;
  });
  return `${pointerOf(theme, at.cursor)}${mark} ${cells.join(columnGap)}`;
}

/** The cells of a row that is being changed, dimmed; what is done to it stands in place of its status, else at its end. */
function busyCells(row: Row, placed: readonly Placed[], pen: RowPen, doing: string): string {
  const { theme, columns } = pen;
  const texts = placed.map(({ index, width }) => {
    const column = columns[index];
    const { text = '', align } = column ? lookOf(row, column, pen) : {};
    return { isStatus: column?.look === 'status', text: cell(withPercent(text, width), width, align) };
  });
  if (texts.some(({ isStatus, text }) => isStatus && widthOf(text) >= widthOf(doing)))
    return texts
      .map(({ isStatus, text }) =>
        isStatus ? theme.paint('busy', cell(doing, widthOf(text))) : theme.paint('dim', text),
      )
      .join(columnGap);
  const line = texts.map(({ text }) => text).join(columnGap);
  const room = Math.max(0, widthOf(line) - widthOf(doing) - columnGap.length);
  return `${theme.paint('dim', cell(line, room))}${columnGap}${theme.paint('busy', doing)}`;
}

const plainLook = ({ look: as }: Column) => (as === 'sparkline' ? 'number' : as);

/** The sums of the columns that are summed up, as they are written, each with the title of its column; values that are not told are not taken for nothing. */
export const totalsOf = (rows: readonly Row[], { columns, theme, known }: RowPen): readonly [string, string][] =>
  columns
    .filter(({ total }) => total)
    .map((column) => {
      const told = rows.map((row) => amountIn(valueIn(row, column, known))).filter((value) => value !== undefined);
      const sum = told.reduce((sum, value) => sum + value, 0);
      const { text } = look(told.length === 0 && rows.length > 0 ? undefined : sum, plainLook(column), {
        now: known.now,
        glyphs: theme.glyphs,
      });
      return [column.title, told.length > 0 && told.length < rows.length ? `at least ${text}` : text];
    });

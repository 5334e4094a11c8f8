import { sparkline } from '../../components/chart.ts';
import { type FormatContext, type Formatted, formatValue } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import { columnGap } from '../../components/tableLayout.ts';
import { marksOf, pointerOf, rowTinted, type Theme } from '../../components/theme.ts';
import { memoize } from '../../resources/memoize.ts';
import type { CacheView, Column, Resource, Row } from '../../resources/resource.ts';
import { type Event, percentOf, progressOf } from '../../store/events.ts';
import { valueIn } from '../../store/filter/fields.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { cell, cut, widthOf } from '../../text/cells.ts';
import { amountIn } from '../../text/numbers.ts';
import type { RowSign } from './rowStates.ts';

/** The cells of a column that are drawn in place of its written values. */
export interface DrawnCells {
  /** The widths at which it is of use, in cells, the widest first. */
  widths: readonly number[];
  /** A text of exactly this width, which has its colours already where it has no role. */
  draw(row: Row, width: number, isCurrent: boolean): Formatted;
  /** Stands above the cells in place of the title of the column. */
  head?(width: number): string;
  /** Told which cell the mouse points at. */
  point?(cell: number, width: number): void;
}

/** The columns of a list that are drawn, by the names that they have in a filter. */
export interface Drawing {
  columns: Readonly<Record<string, DrawnCells>>;
  /** Besides the drawing itself, what is drawn of a row depends on this alone. */
  of(row: Row): unknown;
}

/** The cells of a column where it is drawn. */
export const drawnIn = (drawing: Drawing | undefined, { name }: Column): DrawnCells | undefined =>
  name === undefined ? undefined : drawing?.columns[name];

/** The data and theme that the rows of one resource are drawn with. */
export interface RowContext {
  resource: Resource;
  columns: readonly Column[];
  theme: Theme;
  cacheView: CacheView;
  events: readonly Event[];
  drawing?: Drawing;
  /** Cells before the first column, besides those of every list. */
  indent?: number;
}

/** Formats one value of a row; the status of a busy row shows its event and progress. */
export function formatCell(
  row: Row,
  column: Column,
  context: RowContext,
  value: unknown = valueIn(row, column, context.cacheView),
): Formatted {
  const { theme, cacheView } = context;
  // Only ages read the clock, so that the caller can tell which lines expire.
  const format: FormatContext = {
    now: column.format === 'age' || column.format === 'expiry' ? cacheView.now : 0,
    glyphs: theme.glyphs,
  };
  const event = column.format === 'status' ? rowProgress(row, context) : undefined;
  if (!event) return formatValue(value, column.format, format);
  return formatValue(statusNow(value, event), 'status', { ...format, percent: percentOf(event) });
}

/** The values of the columns that a list always shows, but counts, which mean nothing without their title. */
export const keptValues = (row: Row, context: RowContext): readonly Formatted[] =>
  context.columns
    .filter(({ keep, fetches, format }) => keep === 1 && !fetches && format !== 'mark' && format !== 'number')
    .map((column) => formatCell(row, column, context));

/** The event that is changing a row now. */
export const rowProgress = (
  row: Row,
  { resource, events }: Pick<RowContext, 'resource' | 'events'>,
): Event | undefined =>
  resource.entity ? progressOf(events, resource.entity, row[resource.id], resource.events) : undefined;

/** Room for `99.9%`, with the blank before it, in cells. */
const percentWidth = 6;
const curveWidth = { least: 4, most: 12 } as const;

/** The past day of a percentage before its value, from 0 to 100. */
function curveFormat(value: Formatted, row: Row, column: Column, context: RowContext, width: number): Formatted {
  const { cacheView, theme } = context;
  const percents = column.curve?.(row, cacheView);
  const room = width - percentWidth;
  if (!percents || room < curveWidth.least) return value;
  return { ...value, text: sparkline(percents, room, theme.glyphs, 100) + value.text.padStart(percentWidth) };
}

/** A status, or the word of the event in progress: `server_resize` is resizing, and `disk_resize` is no state of the server. */
export function statusNow(status: unknown, event?: Pick<Event, 'action'>): unknown {
  const verb = event?.action.split('_').at(-1) ?? '';
  return verbStatus[event?.action.startsWith('disk_') && verb !== 'imagize' ? 'disk' : verb] ?? status;
}

const verbStatus: Readonly<Record<string, string>> = {
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
  snapshot: 'snapshot',
  attach: 'attaching',
  detach: 'detaching',
  upload: 'uploading',
  imagize: 'imaging',
  disk: 'disk_change',
};

/** Room for most statuses with a percentage: `◐ rebooting 30%`. */
const statusWidth = 15;

/** Whether a job with its percentage, or a change, may be told in the place of one of these. */
const isReplaced = (words: readonly string[], { edit }: Resource): boolean =>
  edit !== undefined || words.some((word) => Object.values(verbStatus).includes(word));

/** The minimum width of a column, in cells. */
export function minWidth({ format, fetches, curve, words, width = 0 }: Column, resource: Resource): number {
  if (curve) return curveWidth.most + percentWidth;
  const statuses = words && !isReplaced(words, resource) ? words.map((word) => widthOf(`● ${word}`)) : [statusWidth];
  if (format === 'status') return Math.max(...statuses);
  return fetches ? ((format && answerWidths[format]) ?? width) : 0;
}

/** Room for the values of columns that are filled as their answers come, in cells. */
const answerWidths: Readonly<Partial<Record<CellFormat, number>>> = { percent: 5, bitrate: 11, blockrate: 15 };

/** The width at which a column is still of use, where it takes less than a text, in cells. */
export const leastWidth = ({ curve }: Column): number | undefined =>
  curve ? curveWidth.least + percentWidth : undefined;

/** A column with its width, in cells. */
export interface PlacedRowColumn {
  column: Column;
  width: number;
}

/** Cuts a text that is too long, but keeps the percentage at its end. */
function withPercent(text: string, width: number): string {
  const percent = / \d+%$/.exec(text)?.[0];
  if (percent === undefined || widthOf(text) <= width) return text;
  return cut(text.slice(0, -percent.length), width - percent.length) + percent;
}

export interface RowState {
  isCurrent?: boolean;
  isMarked?: boolean;
  /** The user's own change under way, as text. */
  pending?: string;
  /** It was not read in this session. */
  isKept?: boolean;
  /** It is new, or was changed, since an earlier session. */
  sign?: RowSign;
  /** A guard keeps it as it is. */
  isLocked?: boolean;
}

/** The written cells of a row, as they are in every state of it; blank where a column is drawn. */
export const rowCells = (row: Row, placed: readonly PlacedRowColumn[], context: RowContext): readonly Span[] =>
  placed.map(({ column, width }) => {
    if (drawnIn(context.drawing, column)) return { text: '' };
    const value = formatCell(row, column, context);
    const { text, role, align } = column.curve ? curveFormat(value, row, column, context, width) : value;
    return { text: cell(withPercent(text, width), width, align), role };
  });

/**
 * One row of a list as one line with its colours.
 * @param written its cells
 * @param width cells of the whole line
 */
export function rowLine(
  row: Row,
  placed: readonly PlacedRowColumn[],
  written: readonly Span[],
  context: RowContext,
  state: RowState,
  width: number,
): string {
  const { theme, columns } = context;
  const { isCurrent = false, isMarked = false, pending, isKept = false, isLocked, sign } = state;
  const { mark, lock, changed } = marksOf(theme);
  // There is room for two: of a row that is marked and locked, the sign waits.
  const [first = ' ', second = ' '] = [
    isMarked && theme.paint('mark', mark),
    isLocked && theme.paint('warn', lock),
    sign && theme.paint('warn', sign === 'new' ? '+' : changed),
  ].filter((one) => typeof one === 'string');
  const signs = `${first}${second}${' '.repeat(context.indent ?? 0)}`;
  const name = columns.find(({ format, keep }) => format === undefined && keep === 1);
  const cells = placed.map(({ column, width }, nth): RowCell => {
    const drawn = drawnIn(context.drawing, column);
    if (drawn) return { width, isDrawn: true, ...drawn.draw(row, width, isCurrent) };
    const { text = '', role } = written[nth] ?? {};
    const isName = isCurrent && column === name;
    return { width, isStatus: column.format === 'status', text, role: isName ? 'cursor' : isKept ? 'dim' : role };
  });
  const line =
    pending === undefined
      ? cells.map(({ text, role }) => theme.paint(role, text)).join(columnGap)
      : busyLine(theme, cells, pending);
  return rowTinted(theme, { isCurrent, isMarked }, `${pointerOf(theme, isCurrent)}${signs}${line}`, width);
}

interface RowCell extends Span {
  width: number;
  isStatus?: boolean;
  isDrawn?: boolean;
}

/** A row that is being changed, dimmed; the pending change replaces its status or what is drawn of it, or else the end of the line. */
function busyLine(theme: Theme, cells: readonly RowCell[], pending: string): string {
  const texts = cells.map(({ isDrawn, text, width }) => (isDrawn ? ' '.repeat(width) : text));
  const replaced = cells.findIndex(
    ({ isStatus, isDrawn, width }) => (isStatus || isDrawn) && width >= widthOf(pending),
  );
  if (replaced >= 0)
    return texts
      .map((text, nth) =>
        nth === replaced ? theme.paint('busy', cell(pending, widthOf(text))) : theme.paint('dim', text),
      )
      .join(columnGap);
  const line = texts.join(columnGap);
  const room = Math.max(0, widthOf(line) - widthOf(pending) - columnGap.length);
  return `${theme.paint('dim', cell(line, room))}${columnGap}${theme.paint('busy', pending)}`;
}

/** The last amounts of columns that another resource tells, by their values; the rows that told them. */
const toldAmounts = new WeakMap<object, { by: readonly Row[]; of: (row: Row) => number | undefined }>();

/** The amount of each row in a column; the next list of the same rows finds what another resource tells worked out. */
function amountsOf(column: Column, view: CacheView): (row: Row) => number | undefined {
  const of = memoize((row: Row) => amountIn(valueIn(row, column, view)));
  const { value, toldBy } = column;
  if (!toldBy || typeof value === 'string') return of;
  const by = view.rows(toldBy);
  const last = toldAmounts.get(value);
  if (last?.by === by) return last.of;
  toldAmounts.set(value, { by, of });
  return of;
}

/** The formatted sums of columns over rows; `at least` if some values are unknown. Asks each row for its values once. */
export function columnTotals(
  { columns, cacheView, theme }: Pick<RowContext, 'columns' | 'theme' | 'cacheView'>,
  summed: readonly Column[] = columns.filter(({ total }) => total),
): (rows: readonly Row[]) => readonly [string, string][] {
  const sums = summed.map((column) => {
    const amountOf = amountsOf(column, cacheView);
    return (rows: readonly Row[]): [string, string] => {
      if (column.toldBy && cacheView.rows(column.toldBy).length === 0) return [column.title, 'unknown'];
      const told = rows.map(amountOf).filter((value) => value !== undefined);
      const sum = told.length === 0 && rows.length > 0 ? undefined : told.reduce((sum, value) => sum + value, 0);
      if (sum === undefined) return [column.title, 'unknown'];
      const { text } = formatValue(sum, column.format, { now: cacheView.now, glyphs: theme.glyphs });
      const words = [told.length < rows.length ? 'at least' : '', text, column.total === true ? '' : column.total];
      return [column.title, words.filter(Boolean).join(' ')];
    };
  });
  return memoize((rows) => sums.map((sumOf) => sumOf(rows)));
}

import { sparkline } from '../../components/chart.ts';
import { type FormatContext, type Formatted, formatValue } from '../../components/format.ts';
import { columnGap } from '../../components/tableLayout.ts';
import { marksOf, pointerOf, type Role, type Theme } from '../../components/theme.ts';
import type { CacheView, Column, Resource, Row } from '../../resources/resource.ts';
import { type Event, percentOf, progressOf } from '../../store/events.ts';
import { valueIn } from '../../store/filter.ts';
import { cell, cut, widthOf } from '../../text/cells.ts';
import { amountIn } from '../../text/money.ts';

/** Draws the rows of one resource with these. */
export interface RowContext {
  resource: Resource;
  columns: readonly Column[];
  theme: Theme;
  cacheView: CacheView;
  events: readonly Event[];
  /** The answer from which a column that needs a further request is filled. */
  lazyAnswer?: (row: Row, operation: string) => Row | undefined;
}

/** One value of a row as it is written; a busy row says what is being done to it and how far that is. */
export function formatCell(row: Row, column: Column, pen: RowContext): Formatted {
  const { theme, cacheView } = pen;
  // Only an age looks at the clock, so that whoever draws knows what grows old.
  const context: FormatContext = {
    now: column.format === 'age' || column.format === 'expiry' ? cacheView.now : 0,
    glyphs: theme.glyphs,
  };
  const source = column.lazy ? pen.lazyAnswer?.(row, column.lazy) : row;
  if (!source) return { text: '' };
  if (column.format === 'sparkline') return sparkFormat(valueIn(source, column, cacheView, row), theme.glyphs);
  if (column.format !== 'status') return formatValue(valueIn(source, column, cacheView, row), column.format, context);
  const event = rowProgress(row, pen);
  const status = valueIn(row, column, cacheView);
  if (!event) return formatValue(status, 'status', context);
  return formatValue(doingWords(event.action, status), 'status', { ...context, percent: percentOf(event) });
}

/** Finds the event that is changing a row now. */
export const rowProgress = (
  row: Row,
  { resource, events }: Pick<RowContext, 'resource' | 'events'>,
): Event | undefined =>
  resource.entity ? progressOf(events, resource.entity, row[resource.id], resource.events) : undefined;

const sparkWidth = 9;

/** Readings (`[ms, value]`, percent) as a line of bars and the last value. */
function sparkFormat(value: unknown, glyphs: Theme['glyphs']): Formatted {
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

/** Room for most of what can be done to a row, and how far it is: `◐ rebooting 30%`. */
const statusWidth = 15;

/** The least width of a column, in cells, whatever its rows say. */
export const minWidth = ({ format, lazy, width = 0 }: Column): number =>
  format === 'status' ? statusWidth : format === 'sparkline' ? sparkWidth + 6 : lazy ? width : 0;

/** A column as wide as it is shown, in cells. */
export interface PlacedColumn {
  column: Column;
  width: number;
}

/** A text that is too long for its column, with its percentage at the end whole. */
function withPercent(text: string, width: number): string {
  const percent = / \d+%$/.exec(text)?.[0];
  if (percent === undefined || widthOf(text) <= width) return text;
  return cut(text.slice(0, -percent.length), width - percent.length) + percent;
}

export interface RowState {
  isCurrent?: boolean;
  isMarked?: boolean;
  /** The user's own action on it now, as it is written. */
  doing?: string;
}

/** One row of a list as one line with its colours. */
export function rowLine(row: Row, placed: readonly PlacedColumn[], pen: RowContext, place: RowState): string {
  const { theme, columns } = pen;
  const { isCurrent = false, isMarked = false, doing } = place;
  const mark = isMarked ? theme.paint('mark', marksOf(theme).mark) : ' ';
  const name = columns.find(({ format, keep }) => format === undefined && keep === 1);
  const cells = placed.map(({ column, width }): RowCell => {
    const { text, role, align } = formatCell(row, column, pen);
    const isName = isCurrent && column === name;
    return { column, text: cell(withPercent(text, width), width, align), role: isName ? 'cursor' : role };
  });
  const line =
    doing === undefined
      ? cells.map(({ text, role }) => (role ? theme.paint(role, text) : text)).join(columnGap)
      : busyLine(theme, cells, doing);
  return `${pointerOf(theme, isCurrent)}${mark} ${line}`;
}

interface RowCell {
  column: Column;
  text: string;
  role?: Role;
}

/** The cells of a row that is being changed, dimmed; what is done to it stands in place of its status, else at its end. */
function busyLine(theme: Theme, cells: readonly RowCell[], doing: string): string {
  const status = cells.find(({ column, text }) => column.format === 'status' && widthOf(text) >= widthOf(doing));
  if (status)
    return cells
      .map(({ column, text }) =>
        column.format === 'status' ? theme.paint('busy', cell(doing, widthOf(text))) : theme.paint('dim', text),
      )
      .join(columnGap);
  const line = cells.map(({ text }) => text).join(columnGap);
  const room = Math.max(0, widthOf(line) - widthOf(doing) - columnGap.length);
  return `${theme.paint('dim', cell(line, room))}${columnGap}${theme.paint('busy', doing)}`;
}

/** The sums of columns as they are written, each with its title; values that are not told are not taken for nothing. */
export const columnTotals = (
  rows: readonly Row[],
  pen: Pick<RowContext, 'columns' | 'theme' | 'cacheView'>,
  summed: readonly Column[] = pen.columns.filter(({ total }) => total),
): readonly [string, string][] =>
  summed.map((column) => {
    const told = rows
      .map((row) => amountIn(valueIn(row, column, pen.cacheView)))
      .filter((value) => value !== undefined);
    const sum = told.length === 0 && rows.length > 0 ? undefined : told.reduce((sum, value) => sum + value, 0);
    const as = column.format === 'sparkline' ? 'number' : column.format;
    const { text } = formatValue(sum, as, { now: pen.cacheView.now, glyphs: pen.theme.glyphs });
    return [column.title, told.length > 0 && told.length < rows.length ? `at least ${text}` : text];
  });

import { areChosen, columnGap } from '../../components/tableLayout.ts';
import { marksOf, type Theme } from '../../components/theme.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import type { Collection } from '../../store/cache.ts';
import type { ListView } from '../../store/navigation.ts';
import { cell, wholeParts, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { drawnIn, formatCell, type PlacedRowColumn, type RowContext } from './rowLines.ts';
import type { FetchProgress } from './useFetches.ts';

export interface TitleParts {
  resource: Resource;
  /** The view of the user's own by which it is seen. */
  name?: string;
  collection?: Collection | undefined;
  /** The number of rows after filtering. */
  shown: number;
  view: Pick<ListView, 'filter'>;
  /** The number of marked rows; blank where none is. */
  marked?: string;
  sort?: string | undefined;
  /** The age of the rows, or what has changed since. */
  age?: string;
  /** Sums, by the titles of their columns. */
  totals?: readonly (readonly [title: string, text: string])[];
  /** Counts of the rows that its filter and order need read. */
  progress?: readonly FetchProgress[];
  /** The sections of the list, including the shown one. */
  sections?: readonly ShownSection[];
  width: number;
}

/** A section in the title of its list. */
export interface ShownSection {
  title: string;
  isShown: boolean;
  /** The number of its rows, if known. */
  count?: number;
}

/** The name, counts, sort and marks of a list: `Servers  3 of 42   sort: Label ↑   marked 2`. */
export function listTitle(theme: Theme, parts: TitleParts): string {
  const { resource, name, collection, shown, view, sort, width } = parts;
  const { marked = '', age = '', totals = [], progress = [], sections = [] } = parts;
  const { up, down, within } = marksOf(theme);
  const heading = name === undefined ? resource.many : `${resource.many} ${within} ${name}`;
  const count = countText(collection, shown, view.filter !== '');
  const own = (all?: number) => linesText(collection, all, view) ?? count;
  const tabs = fittingTabs(sections, own, width - widthOf(heading) - 3);
  const facts = [
    sections.length > 0 ? '' : count,
    age,
    ...progress.map(progressText),
    sort ? `sort: ${sort.replace(/^-/, '')} ${sort.startsWith('-') ? down : up}` : '',
    marked && `marked ${marked}`,
    ...(isRead(collection) && !collection?.isTop
      ? totals.map(([title, text]) => `${title.toLowerCase()}: ${text}`)
      : []),
  ].filter(Boolean);
  const taken = tabs.reduce((sum, { text }) => sum + widthOf(text), widthOf(heading) + (tabs.length > 0 ? 3 : 1));
  const gap = '   ';
  const rest = wholeParts(['', ...facts].join(gap), width - taken + 1, gap).slice(1);
  const tail = marked ? theme.paint('mark', rest) : theme.paint('dim', rest);
  const painted = tabs.map(({ text, isShown }) => theme.paint(isShown ? 'cursor' : 'dim', text)).join('');
  return ` ${theme.paint('title', heading)}${painted && `  ${painted}`}${tail}`;
}

/** Sections as tabs that fit into the room; without it, first the counts of others go, then the farthest of them. */
function fittingTabs(
  sections: readonly ShownSection[],
  own: (all?: number) => string,
  room: number,
): readonly { text: string; isShown: boolean }[] {
  const tab = ({ title, isShown, count: all }: ShownSection, counted: boolean) => {
    const count = isShown ? own(all) : all === undefined || !counted ? '' : grouped(all);
    return { isShown, text: count === '' ? ` ${title} ` : ` ${title} ${count} ` };
  };
  const fits = (tabs: readonly { text: string }[]) => tabs.reduce((sum, { text }) => sum + widthOf(text), 0) <= room;
  const whole = sections.map((section) => tab(section, true));
  if (fits(whole)) return whole;
  const bare = sections.map((section) => tab(section, false));
  const more = { isShown: false, text: ' … ' };
  const shown = Math.max(
    0,
    bare.findIndex(({ isShown }) => isShown),
  );
  for (let length = bare.length; length > 1; length--) {
    const from = Math.max(0, Math.min(shown - Math.floor(length / 2), bare.length - length));
    const some = bare.slice(from, from + length);
    const tabs = [...(from > 0 ? [more] : []), ...some, ...(from + length < bare.length ? [more] : [])];
    if (fits(tabs)) return tabs;
  }
  return bare.slice(shown, shown + 1);
}

/** Whether anything was loaded; a list that could not be read has no totals. */
const isRead = (collection: Collection | undefined): boolean =>
  collection !== undefined && (collection.loadedAt !== undefined || collection.rows.length > 0);

/** `CPU of 30 of 40 read`, how many failed, and the pace where the others take more than a minute. */
function progressText({ title, what, read, of, failed, perMinute }: FetchProgress): string {
  const isLong = of - read - failed > perMinute;
  return [
    `${title} of ${grouped(read)} of ${grouped(of)} ${what === undefined ? '' : `${what} `}read`,
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(isLong ? [`${perMinute} a minute`] : []),
  ].join(', ');
}

/** Counts the rows of a section where fewer lines stand for them; undefined where each has its own. */
function linesText(collection: Collection | undefined, all: number | undefined, { filter }: Pick<ListView, 'filter'>) {
  const lines = collection?.rows.length ?? 0;
  const isWhole = !collection?.more && !collection?.loading;
  return filter !== '' || all === undefined || lines >= all || !isWhole
    ? undefined
    : `${grouped(all)} in ${grouped(lines)} lines`;
}

function countText(collection: Collection | undefined, shown: number, filtered: boolean): string {
  if (!collection || !isRead(collection)) return '';
  const { rows, results, loading, more, keptAt, isTop, error, loadedAt } = collection;
  const kept = grouped(isTop ? (results ?? 0) : rows.length);
  // Of a kept list all rows are there, or will be at once, and the age tells how many were read.
  if (keptAt !== undefined) return filtered ? `${grouped(shown)} of ${kept}` : kept;
  const isShort = !loading && error !== undefined && loadedAt === undefined;
  const all =
    (loading || more !== undefined || isShort) && results !== undefined && rows.length < results ? results : undefined;
  if (all !== undefined)
    return `${grouped(shown)} of ${grouped(all)}${isShort ? ', not all could be read' : loading ? ' …' : ''}`;
  // A plus if the total is unknown.
  const loaded = `${grouped(rows.length)}${more === undefined || results !== undefined ? '' : '+'}`;
  return filtered ? `${grouped(shown)} of ${loaded}` : loaded;
}

/** Cells before the first column: the cursor and the mark. */
export const gutter = 3;

export const isSortedBy = ({ title }: { title: string }, sort: string | undefined) => sort?.replace(/^-/, '') === title;

/** The column titles, with an arrow at the sorted one, and the number of chosen columns that have no room. */
export function headerLine(
  placed: readonly PlacedRowColumn[],
  context: RowContext,
  sort: string | undefined,
  row: Row | undefined,
  width: number,
) {
  const { indent = 0 } = context;
  const { up, down } = marksOf(context.theme);
  const cells = placed.map(({ column, width }) => {
    const drawn = drawnIn(context.drawing, column)?.head?.(width);
    if (drawn !== undefined) return drawn;
    const align = row ? formatCell(row, column, context).align : 'left';
    const arrow = isSortedBy(column, sort) ? (sort?.startsWith('-') ? down : up) : '';
    return cell(`${column.title.toUpperCase()}${arrow}`, width, align);
  });
  const titles = `${' '.repeat(gutter + indent)}${cells.join(columnGap)}`;
  const taken = placed.reduce((sum, one) => sum + one.width + columnGap.length, gutter + indent - columnGap.length);
  const cutOff = areChosen(context.columns) ? context.columns.length - placed.length : 0;
  const sign = cutOff > 0 ? `+${cutOff}`.padStart(Math.max(0, width - taken)) : '';
  return context.theme.paint('dim', `${titles}${sign}`);
}

/** The column at a cell of a line, counted from 0, and the cell within it, which may be in the blank behind it. */
export function columnAt(
  { placed, indent }: { placed: readonly PlacedRowColumn[]; indent: number },
  cell: number,
): (PlacedRowColumn & { cell: number }) | undefined {
  let start = gutter + indent;
  for (const one of placed) {
    if (cell >= start && cell < start + one.width + columnGap.length) return { ...one, cell: cell - start };
    start += one.width + columnGap.length;
  }
  return undefined;
}

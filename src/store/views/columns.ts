import type { ConfigFile } from '../../config/schema.ts';
import type { Column, Resource } from '../../resources/resource.ts';
import { capitalized } from '../../text/words.ts';
import { titled } from '../filter/fields.ts';

/** A view of the user's own as the configuration has it. */
export type ViewConfig = ConfigFile['views'][string];

/** A column as a person chose it: one of the list, or a path of the row, with a title and a width of its own. */
export type ChosenColumn = Exclude<NonNullable<ViewConfig['columns']>[number], string>;

/** A column on the screen. */
export interface ShownColumn {
  title: string;
  /** In cells. */
  width: number;
}

/** The key of the columns of a list, by that of its view: lists of the same kind below other rows share them. */
export const columnsKey = (viewKey: string): string => viewKey.replace(/:\{".*\}/s, '');

/** The column of a list by its title or its name in a filter, or by its path; undefined where it has none. */
export function columnCalled(columns: readonly Column[], name: string): Column | undefined {
  const wanted = name.toLowerCase();
  return (
    columns.find((column) => column.title.toLowerCase() === wanted || titled(column) === wanted) ??
    columns.find(({ value }) => value === name)
  );
}

/** The columns that can be chosen in a list: its own, and the others of its resource. */
export const columnsToChoose = (list: Resource, { columns }: Resource): readonly Column[] => [
  ...list.columns,
  ...columns.filter(({ title }) => !list.columns.some((own) => own.title === title)),
];

/** The resource with the chosen columns, which its list shows, before its others, by which it can be filtered and sorted. */
export function withChosen(resource: Resource, all: readonly Column[], chosen: readonly ChosenColumn[]): Resource {
  const columns: Column[] = [];
  for (const one of chosen) {
    const column = chosenColumn(all, one);
    const taken = (title: string) => columns.some((other) => isCalled(other, title));
    // Rows are sorted by the titles of columns.
    const title = [
      column.title,
      capitalized(one.value.replaceAll(/[._]/g, ' ')),
      `${one.value} ${columns.length + 1}`,
    ].find((title) => !taken(title));
    columns.push({ ...column, title: title ?? column.title });
  }
  const others = [...resource.columns, ...all].filter(
    (column, index, list) =>
      !columns.some((other) => isCalled(other, column.title)) &&
      list.findIndex(({ title }) => title === column.title) === index,
  );
  return { ...resource, columns: [...columns, ...others] };
}

const isCalled = (column: Column, title: string) => column.title.toLowerCase() === title.toLowerCase();

/** The columns that a list shows: those that the user has chosen, else all. */
export function shownColumns(columns: readonly Column[]): readonly Column[] {
  const chosen = columns.filter(({ exact }) => exact !== undefined);
  return chosen.length > 0 ? chosen : columns;
}

function chosenColumn(all: readonly Column[], { value, title, width = 0 }: ChosenColumn): Column {
  const known = columnCalled(all, value);
  if (known) return { ...known, title: title ?? known.title, exact: width };
  return { title: title ?? pathTitle(value), value, format: /(^|[._])id$/.test(value) ? 'id' : 'any', exact: width };
}

/** The last part of a path as a title; an index follows what it belongs to: `ipv4.0` is Ipv4 0. */
function pathTitle(path: string): string {
  const parts = path.split('.');
  const last = parts.findLastIndex((part) => !/^\d+$/.test(part));
  return capitalized(parts.slice(Math.max(0, last)).join(' ').replaceAll('_', ' '));
}

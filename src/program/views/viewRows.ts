import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Column, Resource, Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { type Fetch, notingColumns } from '../../screens/list/listRows.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { columnOf, sorted } from '../../store/sorting.ts';
import { shownColumns } from '../../store/views/columns.ts';
import type { UserView } from '../../store/views/userViews.ts';
import { grouped } from '../../text/numbers.ts';
import type { PrintedColumn } from '../document.ts';
import { printedColumns } from '../printedColumns.ts';
import { UsageError } from '../rules.ts';
import type { SnapshotReader } from '../snapshotReader.ts';

/** The API allows 100 statistics a minute. */
export const maxAsked = 100;

/**
 * The rows of a list that a view shows, in its order; what its filter and order ask about single rows is read first.
 * Throws a UsageError where the filter cannot be read.
 */
export async function rowsOfView(
  { resource, section, filter, sort }: UserView,
  rows: readonly Row[],
  reader: SnapshotReader,
): Promise<readonly Row[]> {
  const { columns } = resource;
  const by = columnOf(columns, sort);
  // A filter looks at what columns show, which may be of other lists.
  if (filter !== '' || (by && by.fetches === undefined)) await readBeside(reader, resource);
  const own = section ? rows.filter(section.only) : rows;
  const { asked } = matching(own, filter, resource, reader);
  await readAsked(reader, resource, asked);
  const { rows: found } = matching(own, filter, resource, reader);
  if (by?.fetches !== undefined && asked.every(({ operation }) => operation !== by.fetches))
    await readAsked(reader, resource, [{ operation: by.fetches, title: by.title, rows: found }]);
  return sorted(found, sort ?? resource.sort, columns, reader.cache);
}

/** Reads the lists at which the columns of a list look. */
export const readBeside = (reader: SnapshotReader, { reads = [] }: Pick<Resource, 'reads'>) =>
  Promise.all(reads.filter((name) => !resourceNamed(name).under).map((name) => reader.list(resourceNamed(name))));

/** The columns of a view, without any those of its section; each that was chosen is printed however little room there is, and no secret is. */
export const columnsOfView = (
  { resource, section }: UserView,
  rows: readonly Row[],
  view: CacheView,
  asked: ReadonlySet<string>,
): readonly PrintedColumn<Row>[] => {
  const { columns } = resource;
  const isChosen = columns.some(({ exact }) => exact !== undefined);
  const own = isChosen ? undefined : section?.columns?.flatMap((name) => columns.filter(({ title }) => title === name));
  return printedColumns(shownColumns(own ?? columns).map(printed), resource, rows, view, asked);
};

const printed = (column: Column): Column => {
  const { exact } = column;
  return exact === undefined ? column : { ...column, keep: 1, width: exact > 0 ? exact : column.width };
};

function matching(
  rows: readonly Row[],
  filter: string,
  { columns }: Resource,
  { cache }: SnapshotReader,
): { rows: readonly Row[]; asked: readonly Fetch[] } {
  const noting = notingColumns(columns);
  const test = parseFilter(filter, noting.columns, cache);
  if ('error' in test) throw new UsageError(`The filter ${filter} cannot be read: ${test.error}.`);
  return { rows: rows.filter(test.matches), asked: noting.take() };
}

/** Reads what is asked about rows, as far as the API allows it at once, and notes what is missing. */
export async function readAsked(reader: SnapshotReader, resource: Resource, asked: readonly Fetch[]): Promise<void> {
  for (const { operation, title, rows } of asked) {
    await reader.readAbout(resource, operation, rows.slice(0, maxAsked));
    const left = rows.length - maxAsked;
    if (left > 0)
      reader.noteMissing(
        `${title} of ${grouped(left)} ${plural(resource)} was not read: the API allows ${maxAsked} a minute.`,
      );
  }
}

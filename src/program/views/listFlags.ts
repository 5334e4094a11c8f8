import type { Configuration } from '../../config/configuration.ts';
import { resourceCalled, resourceNamed } from '../../resources/index.ts';
import { belowOne, overAll } from '../../resources/relations.ts';
import { type Column, emptyView, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { titled } from '../../store/filter/fields.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { sorted } from '../../store/sorting.ts';
import { columnCalled, type ViewConfig } from '../../store/views/columns.ts';
import { listCalled, type UserView, userView, viewIn } from '../../store/views/userViews.ts';
import { orSuggestion, orSuggestions } from '../../text/nearest.ts';
import type { Timestamp } from '../../text/times.ts';
import { listed, withStop } from '../../text/words.ts';
import type { AreaTarget } from '../areas.ts';
import { parseArguments } from '../arguments.ts';
import { boardParts } from '../commandLine/commands.ts';
import { mistakesOfList } from '../config/checkViews.ts';
import { accountColumn, type PrintedColumn } from '../document.ts';
import type { Invocation, ListFlags } from '../invocation.ts';
import { UnknownWordError, UsageError } from '../rules.ts';

/** The section of costs that has them by row. */
export const rowsSection = 2;

/** The list that a board is, by whose columns and sections options show it; undefined for any other. */
export function listOfBoard(area: string): Resource | undefined {
  const parts = boardParts[area];
  if (parts) return { ...resourceNamed('audit'), sections: parts.map((title) => ({ title, only: () => true })) };
  if (area === 'fleet') return resourceNamed('servers');
  if (area === 'accounts')
    return {
      ...resourceNamed('problems'),
      many: 'Accounts',
      columns: [accountColumn, ...accountColumns] as unknown as readonly Column[],
    };
  const resource = resourceCalled(area === 'activity' ? 'events' : area);
  return resource?.local && !resource.made ? resource : undefined;
}

/**
 * The view of a list that options ask for: over one of the configuration, whose filter stays.
 * Throws a UsageError of one sentence where they cannot mean this list.
 */
function flaggedView(resource: Resource, flags: ListFlags, own?: ViewConfig): UserView {
  // Of costs, sums are sections of their own.
  const usual = own?.section ?? (resource.made && resource.sections?.[rowsSection]?.title);
  const { filter, sort = own?.sort, section = usual, columns = own?.columns, since } = flags;
  const asked = { filter: [filter, newerThan(resource, since)].filter(Boolean).join(' '), sort, section, columns };
  const [mistake] = mistakesOfList(resource, asked);
  if (mistake) throw new UsageError(`--${mistake.path[0]} ${withStop(mistake.says)}`);
  const odd = oddWords(asked.filter, resource.columns);
  // It would watch for nothing, and somebody would rely on it in vain.
  if (odd.isHopeless) throw new UsageError(`--filter can never hold: ${withStop(odd.says ?? '')}`);
  return viewIn(resource, { ...asked, filter: [own?.filter, asked.filter].filter(Boolean).join(' ') }, '');
}

/** The filter by which rows are newer than an age or a date. */
function newerThan({ columns, name }: Resource, since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const column = columns.find(({ format }) => format === 'age');
  if (!column || !timed.has(name))
    throw new UsageError(
      `--since works only with journal, ${[...timed].join(', ')}; with other areas, --filter 'created<7d' finds what is newer.`,
    );
  return `${titled(column)}${/^\d{4}-/.test(since) ? '>=' : '<'}${since}`;
}

const timed: ReadonlySet<string> = new Set(['audit', 'requests', 'activity', 'events', 'problems']);

/** Of items, each of which is a row of a list, those that options ask for, in their order. */
export function narrowed<T>(
  items: readonly T[],
  rowOf: (item: T) => Row,
  { resource, filter, sort }: UserView,
  { limit }: ListFlags,
  now: Timestamp,
): readonly T[] {
  const view = viewWith(emptyView, { now });
  const test = parseFilter(filter, resource.columns, view);
  if ('error' in test) throw new UsageError(`--filter cannot be read: ${test.error}.`);
  const byRow = new Map(items.map((item) => [rowOf(item), item]));
  const rows = [...byRow.keys()].filter(test.matches);
  const ordered = sort === undefined ? rows : sorted(rows, sort, resource.columns, view);
  return ordered.slice(0, limit).map((row) => byRow.get(row) as T);
}

/** Throws a UsageError where a column that was asked for is nothing that any of the rows has. */
export function checkColumns({ resource, columns = [] }: UserView, area: Resource, rows: readonly Row[]): void {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  for (const { value } of columns) {
    const [root = ''] = value.split('.');
    if (columnCalled(area.columns, value) || names.has(root) || names.size === 0) continue;
    const known = [...resource.columns.filter(({ exact }) => exact === undefined).map(titled), ...names];
    throw new UsageError(
      `--columns has ${value}, which is no column of ${area.name} and no path of its rows${orSuggestions(value, known)}`,
    );
  }
}

/** Parses a command line; words that name no area are taken for views. Throws a UsageError for any other mistake. */
export function parseWords(argv: readonly string[]): Invocation {
  const unknown = new Map<string, UnknownWordError>();
  for (;;) {
    try {
      return { ...parseArguments(argv, [...unknown.keys()]), unknown };
    } catch (error) {
      if (!(error instanceof UnknownWordError) || unknown.has(error.word)) throw error;
      unknown.set(error.word, error);
    }
  }
}

/**
 * Throws a UsageError where one of the words is no view either.
 * @param broken the views that were left out, each with its mistake
 */
export function checkViewWords(
  { unknown = new Map() }: Invocation,
  views: readonly string[],
  broken: ReadonlyMap<string, string> = new Map(),
): void {
  for (const [word, { message }] of unknown) {
    if (views.includes(word)) continue;
    const mistake = broken.get(word);
    if (mistake !== undefined) throw new UsageError(`${mistake} The view ${word} is left out.`);
    const known = views.length > 0 ? ` The views are ${listed(views, 20)}${orSuggestion(word, views)}` : '';
    const unread = broken.get('');
    throw new UsageError(`${message}${known}${unread === undefined ? '' : ` The saved views are left out: ${unread}`}`);
  }
}

/** The target that is read, where a view names its list. Throws a UsageError where it has none of the problems that are looked for. */
export function areaOf(
  { view: name, ...target }: AreaTarget,
  view: UserView | undefined,
  { failOn }: Pick<Invocation['options'], 'failOn'>,
): AreaTarget {
  const own = view && name !== undefined ? { area: view.resource.name } : target;
  if (failOn === undefined || !/^(?:audit|costs|journal|requests)$/.test(own.area)) return own;
  throw new UsageError(`--fail-on looks for problems, and ${own.area} has none; name another area, such as servers.`);
}

/**
 * The view by which a list is printed: that of the configuration, with what options change of it; undefined where the
 * list is printed as it is. Throws a UsageError where its rows are those of the dashboard alone, or options are wrong.
 */
export function printedView(
  { views }: Pick<Configuration, 'views'>,
  { area, view: name, under }: AreaTarget,
  flags: ListFlags,
): UserView | undefined {
  const own = name === undefined ? undefined : userView(views, name);
  if (own?.resource.local && !own.resource.made)
    throw new UsageError(`${name} is a view of ${own.resource.many}, which only the dashboard shows.`);
  if (Object.values(flags).every((flag) => flag === undefined)) return own;
  if (name === undefined) {
    const resource = listOfBoard(area) ?? resourceNamed(area === 'activity' ? 'events' : area);
    return flaggedView(under ? belowOne(resource) : overAll(resource), flags);
  }
  const config = views[name];
  return config && own && { ...flaggedView(listCalled(config.area) ?? own.resource, flags, config), name };
}

/** An account in a line. What could not be read is null. */
export interface AccountLine {
  /** Its profile; left out where several accounts are printed, whose table names them. */
  account?: string;
  state: 'ok' | 'incomplete' | 'not read';
  critical: number | null;
  warnings: number | null;
  /** Events in progress. */
  jobs: number | null;
  servers: number | null;
  /** In dollars, as is `uninvoiced`. */
  balance: number | null;
  uninvoiced: number | null;
  readOnly: boolean | null;
}

/** The columns behind the name, as the list of accounts on the screen has them. */
export const accountColumns: readonly PrintedColumn<AccountLine>[] = [
  { title: 'State', value: ({ state }) => state, format: 'status', keep: 1 },
  { title: 'Critical', value: ({ critical }) => critical, format: 'number', keep: 1 },
  { title: 'Warnings', value: ({ warnings }) => warnings, format: 'number', keep: 1 },
  { title: 'Jobs', value: ({ jobs }) => jobs, format: 'number', keep: 2 },
  { title: 'Servers', value: ({ servers }) => servers, format: 'number', keep: 2 },
  { title: 'Balance', value: ({ balance }) => balance, format: 'money', keep: 2 },
  { title: 'Uninvoiced', value: ({ uninvoiced }) => uninvoiced, format: 'money', keep: 2 },
  {
    title: 'Mode',
    value: ({ readOnly }) => (readOnly === null ? null : readOnly ? 'read-only' : 'read-write'),
    keep: 2,
  },
];

import { byUrgency } from '../../resources/problems/problem.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { at } from '../../resources/resource.ts';
import { unexaminedPart } from '../../screens/problems/unexamined.ts';
import { clean, widthOf } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { timeOf } from '../../text/times.ts';
import type { Format } from '../arguments.ts';
import {
  csv,
  type PrintContext,
  type PrintedColumn,
  type SnapshotDocument,
  type Table,
  tableOf,
  textTable,
} from '../print.ts';
import { type ProblemRow, problemColumns, problemRow } from '../problemTable.ts';
import type { Snapshot } from '../snapshot.ts';
import { accountColumns, unreadAccount } from './accountsSnapshot.ts';

/** One account of a snapshot of several. */
export interface AccountSource {
  profile: string;
  /** Takes a snapshot of it; resolves with a sentence where nothing can be asked. */
  take(format: Format, context: PrintContext): Promise<Snapshot | string>;
}

/** The snapshot of one account, and what it printed before that was written. */
interface Taken {
  profile: string;
  snapshot: Snapshot;
  tables: readonly Table[];
  documents: readonly SnapshotDocument[];
}

/** A row with the account it belongs to. */
interface Owned<T> {
  account: string;
  row: T;
}

/** Boards of parts that differ, printed for one account after the other. */
const boardsOfParts = new Set(['home', 'managed']);

const accountColumn = 'Account';

/** Takes the snapshots of several accounts at once and prints them as one; an account that fails is missing. */
export async function takeMerged(
  sources: readonly AccountSource[],
  area: string,
  format: Format,
  context: PrintContext,
  examine: boolean,
): Promise<Snapshot> {
  const isApart = format === 'text' && boardsOfParts.has(area);
  const missing: string[] = [];
  const each = await Promise.all(
    sources.map(async ({ profile, take }): Promise<readonly Taken[]> => {
      const tables: Table[] = [];
      const documents: SnapshotDocument[] = [];
      const collect = {
        table: (table: Table) => void tables.push(table),
        document: (document: SnapshotDocument) => void documents.push(document),
      };
      const snapshot = await take(isApart || format === 'json' ? format : 'csv', { ...context, collect });
      if (typeof snapshot === 'string') {
        missing.push(`${profile}: ${snapshot}`);
        return area === 'accounts' ? [unread(profile)] : [];
      }
      missing.push(...snapshot.missing.map((sentence) => `${profile}: ${sentence}`));
      return [{ profile, snapshot, tables, documents }];
    }),
  );
  const taken = each.flat();
  const problems = taken.flatMap(({ snapshot }) => snapshot.problems).sort(byUrgency);
  const write = () => {
    if (format === 'json') return documentOf(sources, taken, area, context, missing);
    if (isApart) return taken.flatMap(({ profile, snapshot }) => headed(profile, snapshot.text)).join('\n');
    if (format === 'csv') return csvOf(taken, area);
    const parts = [
      ...(area === 'problems' ? [] : [tableText(taken, area, context)]),
      ...(area === 'problems' || examine ? [problemsText(taken, context)] : []),
    ];
    return taken.length === 0 ? '' : parts.join('\n');
  };
  return { text: write(), missing, problems, unexamined: [] };
}

/** The line of an account that could not be asked, in the list of accounts. */
const unread = (profile: string): Taken => ({
  profile,
  snapshot: { text: '', missing: [], problems: [], unexamined: [] },
  tables: [tableOf(accountColumns, [unreadAccount])],
  documents: [{ problems: undefined, unexamined: undefined, rows: [unreadAccount], missing: [] }],
});

const headed = (profile: string, text: string): readonly string[] =>
  text === '' ? [] : [`== ${clean(profile)}\n\n${text}`];

function documentOf(
  sources: readonly AccountSource[],
  taken: readonly Taken[],
  area: string,
  { now }: PrintContext,
  missing: readonly string[],
): string {
  const parts = taken.flatMap(({ profile, documents }) =>
    documents.map((document) => ({ owner: { account: profile }, document })),
  );
  const owned = (pick: (document: SnapshotDocument) => readonly object[] | undefined) =>
    parts.some(({ document }) => pick(document) !== undefined)
      ? parts.flatMap(({ owner, document }) => (pick(document) ?? []).map((row) => ({ ...owner, ...row, ...owner })))
      : undefined;
  const rows = owned(({ rows }) => rows as readonly object[]) ?? [];
  const content = {
    accounts: sources.map(({ profile }) => profile),
    problems: owned(({ problems }) => problems),
    unexamined: owned(({ unexamined }) => unexamined),
    rows: inOrder(rows, area, (row, name) => at(row, name)),
    missing,
  };
  return `${visibleJson({ area, takenAt: new Date(now).toISOString(), ...content }, 2)}\n`;
}

function csvOf(taken: readonly Taken[], area: string): string {
  const { columns, rows } = mergedTable(taken, area);
  return columns.length === 0 ? '' : csv(columns, rows);
}

function tableText(taken: readonly Taken[], area: string, context: PrintContext): string {
  const { columns, rows } = mergedTable(taken, area);
  if (columns.length === 0) return '';
  return rows.length === 0 ? 'There are no rows.\n' : textTable(columns, rows, context);
}

type MergedRow = Owned<ReadonlyMap<string, unknown>>;

/** The tables of all accounts as one: all their columns, behind one that names the account. */
function mergedTable(
  taken: readonly Taken[],
  area: string,
): { columns: readonly PrintedColumn<MergedRow>[]; rows: readonly MergedRow[] } {
  const tables = taken.flatMap(({ profile, tables }) => tables.map((table) => ({ profile, ...table })));
  const columns = new Map<string, PrintedColumn<MergedRow>>();
  for (const { columns: own } of tables)
    for (const { title, format, keep, width } of own)
      if (!columns.has(title)) columns.set(title, { title, format, keep, width, value: ({ row }) => row.get(title) });
  const rows = tables.flatMap(({ profile, columns: own, rows }) =>
    rows.map(
      (values): MergedRow => ({ account: profile, row: new Map(own.map(({ title }, nth) => [title, values[nth]])) }),
    ),
  );
  if (columns.size === 0) return { columns: [], rows };
  const account: PrintedColumn<MergedRow> = { title: accountColumn, keep: 1, value: (row) => row.account };
  return {
    columns: [account, ...columns.values()],
    rows: inOrder(rows, area, ({ row }, name) => valueNamed(row, name)),
  };
}

const valueNamed = (row: ReadonlyMap<string, unknown>, name: string): unknown =>
  [...row].find(([title]) => title.toLowerCase() === name)?.[1];

/** Orders the rows of several accounts where an area has an order of its own: events by time, servers by load. */
function inOrder<T>(rows: readonly T[], area: string, pick: (row: T, name: string) => unknown): readonly T[] {
  const keys: Readonly<Record<string, (row: T) => number>> = {
    activity: (row) => timeOf(pick(row, 'created') ?? pick(row, 'when')) || 0,
    events: (row) => timeOf(pick(row, 'created') ?? pick(row, 'when')) || 0,
    fleet: (row) => Number(pick(row, 'cpu') ?? -1),
  };
  const key = keys[area];
  return key ? rows.toSorted((one, other) => key(other) - key(one)) : rows;
}

/** The problems of all accounts under a title, the most urgent first, and what was not examined. */
function problemsText(taken: readonly Taken[], context: PrintContext): string {
  const owned = taken
    .flatMap(({ profile, snapshot }) => snapshot.problems.map((row): Owned<Problem> => ({ account: profile, row })))
    .sort((one, other) => byUrgency(one.row, other.row));
  const left = Math.max(widthOf(accountColumn), ...owned.map(({ account }) => widthOf(account))) + 2;
  const width = context.width === undefined ? undefined : context.width - left;
  const columns = problemColumns({ width }).filter(({ keep }) => keep <= 2);
  const rows = owned.map(({ account, row }): Owned<ProblemRow> => ({ account, row: problemRow(row) }));
  const all: readonly PrintedColumn<Owned<ProblemRow>>[] = [
    { title: accountColumn, keep: 1, value: ({ account }) => account },
    ...columns.map((column) => ({ ...column, value: ({ row }: Owned<ProblemRow>) => column.value(row) })),
  ];
  const body = rows.length > 0 ? textTable(all, rows, context).trimEnd() : 'There are no problems.';
  const unexamined = taken.flatMap(({ profile, snapshot }) => {
    const parts = snapshot.unexamined.map((part) => unexaminedPart(part));
    return parts.length > 0 ? [`Not examined of ${profile}: ${parts.join(', ')}.`] : [];
  });
  return `${['Problems', body, ...unexamined].join('\n')}\n`;
}

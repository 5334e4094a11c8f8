import { at, type Row } from '../../resources/resource.ts';
import { noneMatching } from '../../resources/wording.ts';
import type { UserView } from '../../store/views/userViews.ts';
import { clean } from '../../text/cells.ts';
import { type Timestamp, timeOf } from '../../text/times.ts';
import {
  accountColumn,
  type BoardDocument,
  type DocumentPart,
  type PrintedColumn,
  printDocument,
  type SnapshotDocument,
  type Table,
  tableOf,
} from '../document.ts';
import type { ListFlags } from '../invocation.ts';
import { type AccountLine, narrowed } from '../views/listFlags.ts';
import { accountsBoard, unreadAccount } from './accountsSnapshot.ts';

interface Taken {
  account: string;
  document: SnapshotDocument;
}

/** Boards of parts that differ, printed for one account after the other. */
const boardsOfParts = new Set(['home', 'managed', 'journal', 'costs']);

/**
 * Takes the snapshots of several accounts at once and joins them; an account that fails is missing.
 * @param take takes the snapshot of one; resolves with a sentence where nothing can be asked
 * @param isSorted options have chosen an order, in which each account stays
 */
export async function takeMerged(
  profiles: readonly string[],
  take: (profile: string) => Promise<SnapshotDocument | string>,
  area: string,
  isSorted: boolean,
): Promise<SnapshotDocument> {
  const each = await Promise.all(profiles.map(async (account) => ({ account, document: await take(account) })));
  const missing = each.flatMap(({ account, document }) =>
    (typeof document === 'string' ? [document] : document.missing).map((sentence) => `${account}: ${sentence}`),
  );
  const taken = each.flatMap(({ account, document }): Taken | readonly [] => {
    if (typeof document !== 'string') return { account, document };
    return area === 'accounts' ? { account, document: unreadAccount } : [];
  });
  return { ...joined(taken, area, isSorted), area, accounts: profiles, missing };
}

/** The documents of all accounts as one; each row and each problem names the account it belongs to. */
function joined(
  taken: readonly Taken[],
  area: string,
  isSorted: boolean,
): BoardDocument & Pick<SnapshotDocument, 'report'> {
  const order = isSorted ? '' : area;
  const owned = <T extends object>(pick: (document: SnapshotDocument) => readonly T[] | undefined) =>
    taken.flatMap(({ account, document }) =>
      (pick(document) ?? []).map((one) => ({ ...{ account }, ...one, ...{ account } })),
    );
  const problems = owned(({ report }) => report?.problems);
  const unexamined = owned(({ report }) => report?.unexamined);
  const first = taken.find(({ document }) => document.report);
  const report = first ? { problems, unexamined, none: first.document.report?.none } : undefined;
  const table = joinedTable(taken, order);
  const areTold = taken.some(({ document }) => document.sections.includes('problems'));
  const told: readonly DocumentPart[] = areTold ? ['problems'] : [];
  if (area === 'problems') return { report, table, sections: told };
  const all = owned((document) => document.rows);
  const rows = inOrder(all, order, at);
  const isList = taken.every(({ document }) =>
    document.sections.every((one) => one === document.table || one === 'problems'),
  );
  if (boardsOfParts.has(area) && !isList) return { report, rows, table, sections: taken.map(headed) };
  return { report, rows, table, sections: table ? [table, ...told] : told };
}

/** The text of one account below its name. */
const headed =
  ({ account, document }: Taken): DocumentPart =>
  (context) => {
    const text = printDocument(document, 'text', context).trimEnd();
    return text && `== ${clean(account)}\n\n${text}`;
  };

/** A row by the titles of its columns, with the account it belongs to. */
interface JoinedRow {
  account: string;
  values: ReadonlyMap<string, unknown>;
}

/** The tables of all accounts as one: all their columns, behind one that names the account. */
function joinedTable(taken: readonly Taken[], area: string): Table | undefined {
  const tables = taken.flatMap(({ account, document: { table } }) => (table ? [{ account, ...table }] : []));
  if (tables.length === 0) return undefined;
  const columns = new Map<string, PrintedColumn<JoinedRow>>();
  for (const column of tables.flatMap(({ columns }) => columns)) {
    const { title } = column;
    if (!columns.has(title)) columns.set(title, { ...column, value: ({ values }) => values.get(title) });
  }
  const rows = tables.flatMap(({ account, columns, rows }) =>
    rows.map(
      (row): JoinedRow => ({ account, values: new Map(columns.map(({ title, value }) => [title, value(row)])) }),
    ),
  );
  const none = tables[0]?.none ?? 'There are no rows.';
  return tableOf([accountColumn, ...columns.values()], inOrder(rows, area, valueNamed), { none });
}

const valueNamed = ({ values }: JoinedRow, name: string): unknown =>
  [...values].find(([title]) => title.toLowerCase() === name)?.[1];

/** Orders the rows of several accounts where an area has an order of its own: events by time, servers by load. */
function inOrder<T>(rows: readonly T[], area: string, pick: (row: T, name: string) => unknown): readonly T[] {
  const byTime = (row: T) => timeOf(pick(row, 'created') ?? pick(row, 'when')) || 0;
  const keys: Readonly<Record<string, (row: T) => number>> = {
    activity: byTime,
    events: byTime,
    fleet: (row) => Number(pick(row, 'cpu') ?? -1),
  };
  const key = keys[area];
  return key ? rows.toSorted((one, other) => key(other) - key(one)) : rows;
}

/** A snapshot with as many rows as options ask for, of all accounts together; the board of accounts also in their order. */
export function shownDocument(
  document: SnapshotDocument,
  view: UserView | undefined,
  list: ListFlags,
  now: Timestamp,
): SnapshotDocument {
  const { area, rows, table, sections, report } = document;
  if (!view) return document;
  if (area === 'accounts') {
    const lines = narrowed((rows ?? []) as AccountLine[], (line) => line as unknown as Row, view, list, now);
    return { ...document, ...accountsBoard(lines, noneMatching(view.resource, view.filter)) };
  }
  const { limit } = list;
  if (limit === undefined) return document;
  const short = table && { ...table, rows: table.rows.slice(0, limit) };
  return {
    ...document,
    rows: rows?.slice(0, limit),
    table: short,
    sections: sections.map((section) => (short && section === table ? short : section)),
    // The rows of a board of problems are these.
    report: report && !rows ? { ...report, problems: report.problems.slice(0, limit) } : report,
  };
}

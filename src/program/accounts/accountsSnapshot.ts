import { isInProgress } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import { allRules } from '../../resources/rules/index.ts';
import type { BoardDocument, SnapshotDocument } from '../document.ts';
import { accountColumn, type PrintedColumn, tableOf } from '../print.ts';
import type { SnapshotReader } from '../snapshotReader.ts';

/** An account in a line. What could not be read is null. */
interface AccountLine {
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

/** An account of which nothing is known. */
const unread: AccountLine = {
  state: 'not read',
  critical: null,
  warnings: null,
  jobs: null,
  servers: null,
  balance: null,
  uninvoiced: null,
  readOnly: null,
};

/** The columns behind the name, as the list of accounts on the screen has them. */
const accountColumns: readonly PrintedColumn<AccountLine>[] = [
  { title: 'State', value: ({ state }) => state, format: 'status', keep: 1 },
  { title: 'Critical', value: ({ critical }) => critical, format: 'number', keep: 1 },
  { title: 'Warnings', value: ({ warnings }) => warnings, format: 'number', keep: 1 },
  { title: 'Jobs', value: ({ jobs }) => jobs, format: 'number', keep: 2 },
  { title: 'Servers', value: ({ servers }) => servers, format: 'number', keep: 2 },
  { title: 'Balance', value: ({ balance }) => balance, format: 'money', keep: 2 },
  { title: 'Uninvoiced', value: ({ uninvoiced }) => uninvoiced, format: 'money', keep: 2 },
  { title: 'Mode', value: ({ readOnly }) => modeOf(readOnly), keep: 2 },
];

const modeOf = (readOnly: boolean | null): string | null =>
  readOnly === null ? null : readOnly ? 'read-only' : 'read-write';

const amount = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const linesOf = (line: AccountLine): BoardDocument => {
  const table = tableOf(line.account === undefined ? accountColumns : [accountColumn, ...accountColumns], [line]);
  return { rows: [line], table, sections: [table] };
};

/** The line of an account that could not be asked. */
export const unreadAccount: SnapshotDocument = { area: 'accounts', ...linesOf(unread), missing: [] };

/** The one line of an account: its problems by severity, what goes on, its servers, and what it owes. */
export async function accountsSnapshot(
  reader: SnapshotReader,
  examine: boolean,
  of: { name?: string; readOnly: boolean },
): Promise<BoardDocument> {
  const [{ problems }, servers, account, events] = [
    await reader.examine(allRules()),
    await reader.list(resourceNamed('servers')),
    await reader.view(resourceNamed('account'), {}),
    await reader.newestEvents(),
  ];
  const count = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  const isRead = servers !== undefined || account !== undefined || events !== undefined;
  const line: AccountLine = {
    ...(of.name !== undefined && { account: of.name }),
    state: !isRead ? 'not read' : reader.missing().length > 0 ? 'incomplete' : 'ok',
    critical: isRead ? count('critical') : null,
    warnings: isRead ? count('warning') : null,
    jobs: events?.filter(isInProgress).length ?? null,
    servers: servers?.length ?? null,
    balance: amount(account?.balance),
    uninvoiced: amount(account?.balance_uninvoiced),
    readOnly: of.readOnly,
  };
  const board = linesOf(line);
  if (!isRead) return { rows: board.rows, sections: [] };
  return examine ? { ...board, sections: [...board.sections, 'problems'] } : board;
}

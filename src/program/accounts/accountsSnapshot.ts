import { isInProgress } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import { allRules } from '../../resources/rules/index.ts';
import { accountColumn, type BoardDocument, type SnapshotDocument, tableOf } from '../document.ts';
import type { SnapshotReader } from '../snapshotReader.ts';
import { type AccountLine, accountColumns } from '../views/listFlags.ts';

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

const amount = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The board of accounts that are read. */
export const accountsBoard = (lines: readonly AccountLine[], none?: string): BoardDocument => {
  const isNamed = lines.some(({ account }) => account !== undefined);
  const table = tableOf(isNamed ? [accountColumn, ...accountColumns] : accountColumns, lines, { none });
  return { rows: lines, table, sections: [table] };
};

/** The line of an account that could not be asked. */
export const unreadAccount: SnapshotDocument = { area: 'accounts', ...accountsBoard([unread]), missing: [] };

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
    state: !isRead ? 'not read' : (await reader.missing()).length > 0 ? 'incomplete' : 'ok',
    critical: isRead ? count('critical') : null,
    warnings: isRead ? count('warning') : null,
    jobs: events?.filter(isInProgress).length ?? null,
    servers: servers?.length ?? null,
    balance: amount(account?.balance),
    uninvoiced: amount(account?.balance_uninvoiced),
    readOnly: of.readOnly,
  };
  const board = accountsBoard([line]);
  if (!isRead) return { rows: board.rows, sections: [] };
  return examine ? { ...board, sections: [...board.sections, 'problems'] } : board;
}

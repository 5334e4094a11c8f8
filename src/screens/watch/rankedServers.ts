import { statusRole } from '../../components/format.ts';
import type { Role } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { sorted } from '../../store/sorting.ts';
import type { AccountPart } from './board.ts';
import type { OwnedRow } from './rowsBoard.ts';

const servers = resourceNamed('servers');
const severities: readonly (Severity | undefined)[] = ['critical', 'warning', undefined];
const roles: readonly Role[] = ['bad', 'warn', 'busy', 'plain', 'dim', 'good'];

/** Servers by their worst problem, then by status, then by account and label. */
export const rankedServers = (accounts: readonly AccountPart[]): readonly OwnedRow[] =>
  accounts.flatMap(withRanks).sort((one, other) => one.rank - other.rank);

/** The servers of an account by label; those of a lower rank are worse. */
function withRanks(account: AccountPart): readonly (OwnedRow & { rank: number })[] {
  const { view, problems } = account.data;
  const worst = new Map<string, number>();
  for (const { resource, params, severity } of problems.problems) {
    const place = severities.indexOf(severity);
    const id = params[servers.param];
    if (resource !== servers.name || id === undefined || place < 0) continue;
    worst.set(id, Math.min(place, worst.get(id) ?? place));
  }
  const rankOf = (row: Row) =>
    (worst.get(idOf(servers, row)) ?? 2) * roles.length + roles.indexOf(statusRole(servers.status?.(row) ?? ''));
  return sorted(view.rows(servers.name), 'Label', servers.columns, view).map((row) => ({
    account,
    row,
    rank: rankOf(row),
  }));
}

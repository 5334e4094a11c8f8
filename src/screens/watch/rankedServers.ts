import { statusRole } from '../../components/format.ts';
import type { Role } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { sorted } from '../../store/sorting.ts';
import type { HomeData } from '../home/tile.ts';

const servers = resourceNamed('servers');
const severities: readonly (Severity | undefined)[] = ['critical', 'warning', undefined];
const roles: readonly Role[] = ['bad', 'warn', 'busy', 'plain', 'dim', 'good'];

/** Servers by their worst problem, then by status, then by label; those of a lower rank are worse. */
export function rankedServers(
  rows: readonly Row[],
  { view, problems }: HomeData,
): readonly { row: Row; rank: number }[] {
  const worst = new Map<string, number>();
  for (const { resource, params, severity } of problems.problems) {
    const place = severities.indexOf(severity);
    const id = params[servers.param];
    if (resource !== servers.name || id === undefined || place < 0) continue;
    worst.set(id, Math.min(place, worst.get(id) ?? place));
  }
  const rankOf = (row: Row) =>
    (worst.get(idOf(servers, row)) ?? 2) * roles.length + roles.indexOf(statusRole(servers.status?.(row) ?? ''));
  return sorted(rows, 'Label', servers.columns, view)
    .map((row) => ({ row, rank: rankOf(row) }))
    .sort((one, other) => one.rank - other.rank);
}

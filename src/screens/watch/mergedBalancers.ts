import { resourceNamed } from '../../resources/index.ts';
import { idOf, type Query } from '../../store/cache.ts';
import { balancerFigures, balancerStates, balancersTile } from '../home/balancersTile.ts';
import { maxBalancers, portsOf } from '../home/useHomeData.ts';
import { accountColumn, firstWith, pagedUnder } from './accountColumn.ts';
import { type AccountPart, type BoardContext, type MergedContent, pagedTile } from './board.ts';
import { withAllActivity } from './mergedActivity.ts';
import { linesOf, portLines } from './portsTile.ts';

const balancers = resourceNamed('nodebalancers');

/** The NodeBalancers of all accounts with their ports, the worst first. */
export function mergedBalancers(accounts: readonly AccountPart[], context: BoardContext): MergedContent {
  const column = accountColumn(accounts, context);
  const { data } = firstWith(accounts, (one) => one.data.queryState(balancers.name)?.loadedAt !== undefined);
  const tile = balancersTile(data);
  const all = accounts
    .flatMap((account) => {
      const { view } = account.data;
      return balancerStates(view.rows(balancers.name), view).map((state) => ({ account, state }));
    })
    .sort((one, other) => (other.state.nodes?.down ?? 0) - (one.state.nodes?.down ?? 0));
  if (all.length === 0) return withAllActivity(pagedTile(tile, context), accounts, context);
  const states = all.map(({ state }) => state);
  // The heading and the titles take a line each.
  const hasNodes = linesOf(states) <= context.height - 2;
  const queriesOf: Record<string, Query[]> = {};
  for (const { profile, data: own } of accounts) {
    const rows = own.view.rows(balancers.name).slice(0, maxBalancers);
    queriesOf[profile] = rows.map((row) => portsOf(idOf(balancers, row)));
  }
  const lines = all.flatMap(({ account, state }) => {
    const group = portLines(state, account.data.view, data.glyphs, hasNodes);
    queriesOf[account.profile]?.push(...group.queries);
    return group.lines.map((line) => column.tileLine(account, line));
  });
  const shown = { ...tile, ...balancerFigures(states, data.glyphs), lines };
  return { ...withAllActivity(pagedUnder(column.head(), shown, context), accounts, context), queriesOf };
}

import { byUrgency } from '../../resources/problems/problem.ts';
import { problemTile, problemTitles, severityCounts } from '../home/problemTile.ts';
import { noteLine, type Tile } from '../home/tile.ts';
import { accountColumn, firstWith, pagedUnder } from './accountColumn.ts';
import { allProblems } from './accountParts.ts';
import type { AccountPart, BoardContext, MergedContent } from './board.ts';
import { allActivity } from './mergedActivity.ts';
import { filledUp } from './rowsBoard.ts';

/** The problems of all accounts, the worst first, then what was not examined of each. */
export function mergedProblems(accounts: readonly AccountPart[], context: BoardContext): MergedContent {
  const column = accountColumn(accounts, context);
  const { data } = firstWith(accounts, () => true);
  const tiles = accounts.map((account) => ({ account, ...problemTile(account.data, Number.POSITIVE_INFINITY) }));
  const found = tiles
    .flatMap(({ account, lines }) =>
      lines.flatMap((line) => (line.problem ? [{ account, line, problem: line.problem }] : [])),
    )
    .sort((one, other) => byUrgency(one.problem, other.problem))
    .map(({ account, line }) => column.tileLine(account, line));
  // Where nothing is wrong, each account says what it has examined.
  const calm = tiles.flatMap(({ account, lines }) => lines.map((line) => column.tileLine(account, line)));
  const notes = tiles.flatMap(({ account, note }) =>
    note === undefined ? [] : [column.tileLine(account, noteLine('problems:note', note))],
  );
  const tile: Tile = {
    ...problemTile(data, 0),
    figures: severityCounts({ ...data, problems: allProblems(accounts) }),
    lines: [...(found.length > 0 ? found : calm), ...notes],
    omitted: 0,
    note: undefined,
  };
  const titles = found.length > 0 ? context.theme.paint('dim', problemTitles(column.room)) : undefined;
  const content = pagedUnder(column.head(titles), tile, context);
  return filledUp(content, context, (height) => allActivity(accounts, { ...context, height, page: 0 }).lines);
}

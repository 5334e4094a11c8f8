import type { Glyphs } from '../../components/format.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import type { HomeData } from '../home/tile.ts';
import { homeDataOf } from '../home/useHomeData.ts';
import type { AccountPart } from './board.ts';

/** The accounts of a wall that are open, in the order of their profiles. */
export function accountParts(accounts: Accounts, glyphs: Glyphs): readonly AccountPart[] {
  const { opened } = accounts.getState();
  return accounts.profiles().flatMap((profile) => {
    const stores = opened[profile];
    if (!stores) return [];
    return [{ profile, hue: stores.configuration.getState().color, data: homeDataOf(stores, glyphs) }];
  });
}

/** The problems of all accounts. */
export function allProblems(accounts: readonly AccountPart[]): HomeData['problems'] {
  const all = accounts.map(({ data }) => data.problems);
  return {
    problems: all.flatMap(({ problems }) => problems),
    acknowledged: all.flatMap(({ acknowledged }) => acknowledged),
    examinedAt: all.find(({ examinedAt }) => examinedAt !== undefined)?.examinedAt,
  };
}

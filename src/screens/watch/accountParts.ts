import type { Glyphs } from '../../components/format.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import type { Timestamp } from '../../text/times.ts';
import { silenceOf } from '../accounts/accountRows.ts';
import { freshnessOf } from '../freshness.ts';
import type { HomeData } from '../home/tile.ts';
import { homeDataOf } from '../home/useHomeData.ts';
import type { AccountPart } from './board.ts';
import type { AccountFreshness } from './freshnessLines.ts';

/** The accounts of a wall that are open, in the order of their profiles. */
export function accountParts(accounts: Accounts, glyphs: Glyphs): readonly AccountPart[] {
  const { opened } = accounts.getState();
  return accounts.profiles().flatMap((profile) => {
    const stores = opened[profile];
    if (!stores) return [];
    return [{ profile, hue: stores.configuration.getState().color, data: homeDataOf(stores, glyphs) }];
  });
}

/**
 * The freshness of each account of a wall, whether it is open or not.
 * @param since when they were asked first, in ms since the epoch, as is `now`
 */
export function allFreshness(accounts: Accounts, since: Timestamp, now: Timestamp): readonly AccountFreshness[] {
  const { opened, failures } = accounts.getState();
  return accounts.profiles().map((profile): AccountFreshness => {
    const stores = opened[profile];
    const why = failures[profile]?.replace(/\.$/, '');
    if (!stores) return { profile, freshness: { level: why === undefined ? 'reading' : 'blind', minutes: 0, why } };
    const freshness = freshnessOf(stores, now);
    const silence =
      freshness.level === 'fresh' || freshness.level === 'reading' ? silenceOf(stores, since, now) : undefined;
    if (silence === undefined) return { profile, freshness };
    return { profile, freshness: { ...freshness, level: 'blind', since: now - silence, why: 'no answer' } };
  });
}

/**
 * The problems of all accounts.
 * @param count of the accounts, of which some may not be open
 */
export function allProblems(accounts: readonly AccountPart[], count = accounts.length): HomeData['problems'] {
  const all = accounts.map(({ data }) => data.problems);
  return {
    problems: all.flatMap(({ problems }) => problems),
    acknowledged: all.flatMap(({ acknowledged }) => acknowledged),
    isPartial: accounts.length < count || all.some(({ examinedAt }) => examinedAt === undefined),
    examinedAt: all.find(({ examinedAt }) => examinedAt !== undefined)?.examinedAt,
  };
}

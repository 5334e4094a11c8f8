import type { Accounts } from '../../store/accounts/accounts.ts';
import { listed } from '../../text/words.ts';

/** Changes and transfers under way and kept drafts of the accounts in the background: `Delete 24 volumes in work`. */
export function leftElsewhere(accounts: Accounts): readonly string[] {
  const { current, opened } = accounts.getState();
  return Object.entries(opened).flatMap(([profile, { changes, transfers, navigation }]) =>
    profile === current
      ? []
      : [
          ...changes.getState().changes.flatMap(({ title, isOver }) => (isOver ? [] : title)),
          ...transfers.getState().transfers.flatMap(({ what, state }) => (state === 'running' ? what : [])),
          ...Object.values(navigation.getState().drafts).map(({ title }) => title),
        ].map((what) => `${what} in ${accounts.nameOf(profile)}`),
  );
}

/** Warns of what quitting leaves undone in other accounts. */
export const elsewhereWarning = (left: readonly string[]): string =>
  left.length === 0 ? '' : `Other accounts have work that is not done (${listed(left, 3)}); q once more quits.`;

import { resourceNamed } from '../../resources/index.ts';
import { allOf } from '../listeners.ts';
import { viewQuery } from '../queries.ts';
import type { Accounts } from './accounts.ts';

/** Reads the balance of an account, and the sum that is not invoiced yet. */
export const moneyOf = viewQuery(resourceNamed('account'), {});

/**
 * Has all accounts examined at the pace of what is on no screen, each by itself, so that none waits for another one.
 * Returns a function that ends this.
 */
export function glanceAtAll(accounts: Accounts): () => void {
  return allOf(
    accounts
      .profiles()
      .map((profile) =>
        accounts.wake(profile, ({ problems, scheduler }) =>
          allOf([problems.watch(), scheduler.subscribe([moneyOf], 'account')]),
        ),
      ),
  );
}

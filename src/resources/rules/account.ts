import { amountIn, dollars } from '../../text/numbers.ts';
import { day, dayText, spanWords, timeOf } from '../../text/times.ts';
import { textIn } from '../../text/words.ts';
import { type Account, cardEnd, type Promotion } from '../account/account.ts';
import { memoize } from '../memoize.ts';
import { type Rule, rule } from '../problems/rule.ts';
import type { Row } from '../resource.ts';

const accountRule = rule<Account>('account');

/** So much more than the largest of the last invoices is worth knowing: a factor, and US dollars. */
const moreThan = { times: 1.5, dollars: 20 };

/** `The card ending in 1117`. */
const cardWords = (last: unknown) =>
  typeof last === 'number' || textIn(last) ? `The card ending in ${String(last).padStart(4, '0')}` : 'The card on file';

/** The largest of the last three invoices in US dollars; NaN where there are none. */
const largestLately = memoize((rows) => {
  const dated = rows.map(({ date, total }) => [timeOf(date), amountIn(total) ?? 0] as const);
  const last = dated.filter(([time, total]) => time > 0 && total > 0).sort(([one], [other]) => other - one);
  return last.length < 2 ? Number.NaN : Math.max(...last.slice(0, 3).map(([, total]) => total));
});

const promotionsOf = ({ active_promotions }: Account): readonly Promotion[] =>
  [active_promotions ?? []]
    .flat()
    .filter((promotion: Row | null) => typeof promotion === 'object' && promotion !== null);

/** Problems of the account's payment and costs (document 1, 2.2 and 2.3). */
export const accountRules: readonly Rule[] = [
  accountRule({
    name: 'card-expired',
    severity: 'critical',
    remedy: { action: 'card' },
    find: ({ credit_card: card }, { now }) => {
      const end = cardEnd(card?.expiry);
      return end <= now
        ? {
            says: `${cardWords(card?.last_four)} expired ${card?.expiry}; the next invoice cannot be charged to it`,
            since: end,
          }
        : undefined;
    },
  }),
  accountRule({
    name: 'card-expires',
    remedy: { action: 'card' },
    find: ({ credit_card: card }, { now }) => {
      const left = cardEnd(card?.expiry) - now;
      return left > 0 && left <= 30 * day
        ? `${cardWords(card?.last_four)} expires ${card?.expiry}, in ${spanWords(left)}`
        : undefined;
    },
  }),
  accountRule({
    name: 'balance-due',
    remedy: { tab: 'Invoices' },
    find: ({ balance, credit_card: card }) => {
      if (!(typeof balance === 'number' && balance >= 0.01)) return;
      const hasNoCard = card === null || card?.last_four === null;
      return `${dollars(balance)} is due${hasNoCard ? ', and there is no card to charge it to' : ''}`;
    },
  }),
  accountRule({
    name: 'no-card',
    severity: 'notice',
    remedy: { action: 'card' },
    find: ({ balance, credit_card: card }) =>
      (card === null || card?.last_four === null) && !(Number(balance) >= 0.01)
        ? 'No credit card is on file, so invoices are not paid by themselves'
        : undefined,
  }),
  accountRule({
    name: 'promotion-expires',
    severity: 'notice',
    remedy: { tab: 'Promotions' },
    find: (account, { now }) =>
      promotionsOf(account).flatMap(({ summary, credit_remaining, expire_dt }, index) => {
        const end = timeOf(expire_dt);
        const credit = amountIn(credit_remaining) ?? 0;
        if (!(end > now && end - now <= 7 * day && credit > 0)) return [];
        const name = textIn(summary);
        return {
          part: name ?? String(index),
          says: `${dollars(credit)} of credit${name ? ` (${name})` : ''} expires on ${dayText(end)}, in ${spanWords(end - now)}`,
        };
      }),
  }),
  accountRule({
    name: 'spending-rises',
    severity: 'notice',
    reads: ['invoices'],
    remedy: { tab: 'Spending' },
    find: ({ balance_uninvoiced: open }, view) => {
      if (typeof open !== 'number' || !view.isRead('invoices')) return;
      const largest = largestLately(view.rows('invoices'));
      return open > largest * moreThan.times && open - largest > moreThan.dollars
        ? `About ${dollars(open)} is not invoiced yet; the largest of the last three invoices was ${dollars(largest)}`
        : undefined;
    },
  }),
];

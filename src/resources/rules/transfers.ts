import { day, hour, spanWords, timeOf } from '../../text/times.ts';
import { listed, textIn } from '../../text/words.ts';
import { type EntityTransfer, serverNames } from '../account/entityTransfers.ts';
import { lasting, type Rule, rule } from '../problems/rule.ts';
import type { CacheView } from '../resource.ts';
import { statusOf } from '../wording.ts';

const transferRule = rule<EntityTransfer>('entity-transfers', transferName, ['servers']);

/** A transfer is reported this long before its expiry, and may take this long once it is accepted. */
const soon = 6 * hour;
const maxTransferMs = 3 * hour;

/** `The transfer of web-1 and web-2`. */
function transferName(transfer: EntityTransfer, view: CacheView): string {
  const names = serverNames(transfer, view).flatMap((name) =>
    typeof name === 'number' ? [`server ${name}`] : (textIn(name) ?? []),
  );
  return names.length > 0 ? `The transfer of ${listed(names)}` : 'A transfer';
}

/** A transfer can still be accepted for so many ms; NaN when it cannot. */
const leftOf = (transfer: EntityTransfer, now: number) => {
  const left = timeOf(transfer.expiry) - now;
  return statusOf(transfer) === 'pending' && left > 0 ? left : Number.NaN;
};

/** Problems of hand-overs of servers (document 1, 2.4 and 3). */
export const transferRules: readonly Rule[] = [
  transferRule({
    name: 'transfer-offered',
    several: '{} transfers to this account wait to be accepted',
    severity: 'notice',
    remedy: { action: 'accept' },
    find: (transfer, view) => {
      const left = leftOf(transfer, view.now);
      if (transfer.is_sender !== false || !(left > 0)) return;
      return {
        severity: left <= soon ? 'warning' : undefined,
        says: `to this account waits to be accepted; it expires in ${spanWords(left)}`,
        since: timeOf(transfer.created),
      };
    },
  }),
  transferRule({
    name: 'transfer-expires',
    several: '{} transfers to other accounts expire soon and are not accepted yet',
    find: (transfer, view) => {
      const left = leftOf(transfer, view.now);
      if (transfer.is_sender !== true || !(left <= soon)) return;
      const says = `to another account is not accepted yet; it expires in ${spanWords(left)}`;
      return { says, since: timeOf(transfer.created) };
    },
  }),
  transferRule({
    name: 'transfer-slow',
    several: '{} transfers were accepted but are not complete yet',
    find: lasting(
      ['accepted'],
      maxTransferMs,
      () => 'was accepted but is not complete yet; it should take at most 3 hours',
      ['updated'],
    ),
  }),
  transferRule({
    name: 'transfer-failed',
    several: '{} transfers failed; new ones are needed',
    find: (transfer, view) => {
      if (statusOf(transfer) !== 'failed') return;
      const since = timeOf(transfer.updated);
      return view.now - since < 7 * day ? { says: 'failed; a new one is needed', since } : undefined;
    },
  }),
];

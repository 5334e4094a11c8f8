import { day, spanWords, timeOf } from '../../text/times.ts';
import { called, textIn } from '../../text/words.ts';
import type { Ticket } from '../account/tickets.ts';
import { memoize } from '../memoize.ts';
import { type Rule, rule } from '../problems/rule.ts';
import type { CacheView } from '../resource.ts';
import { statusOf } from '../wording.ts';

const ticketRule = rule<Ticket>('tickets');

/** Who wrote replies: true for the platform's staff (document 1, 2.8). */
const writers = memoize(
  (replies) =>
    new Map(
      replies.flatMap(({ created_by, from_server }) =>
        typeof from_server === 'boolean' ? [[created_by, from_server] as const] : [],
      ),
    ),
);

/** Who did things on the account; the platform's staff updates tickets only. */
const users = memoize(
  (events) => new Set(events.flatMap(({ action, username }) => (action === 'ticket_update' ? [] : [username]))),
);

/** Whether a name is one of the platform's staff; undefined where that cannot be told, for tickets only name people. */
function isStaff(name: unknown, view: CacheView): boolean | undefined {
  const known = writers(view.rows('replies')).get(name);
  if (known !== undefined) return known;
  return users(view.events).has(name) ? false : undefined;
}

/** Whether a ticket that is not closed waits for the account rather than the platform; undefined where that cannot be told. */
export function waitsForUs(ticket: Ticket, view: CacheView): boolean | undefined {
  const { id, closable, opened_by, updated_by } = ticket;
  const last = view.rows('replies', { ticketId: String(id) }).at(-1);
  if (typeof last?.from_server === 'boolean') return last.from_server;
  const known = isStaff(updated_by ?? opened_by, view);
  if (known !== undefined) return known;
  if (textIn(updated_by) && textIn(opened_by) && updated_by !== opened_by) return true;
  // A ticket that the account may not close was opened by the platform.
  if (closable === false) return true;
  return statusOf(ticket) === 'new' ? false : undefined;
}

/** Whether a ticket still goes on. */
export const isOpen = (ticket: Ticket) => ['open', 'new'].includes(statusOf(ticket));

function ticketName({ id, summary }: Ticket): string {
  const about = textIn(summary);
  return `${called(undefined, 'ticket', id)}${about ? ` (${about})` : ''}`;
}

/** Problems of support tickets (document 1, 2.7). */
export const ticketRules: readonly Rule[] = [
  ticketRule({
    name: 'ticket-waits-for-answer',
    several: '{} tickets wait for your answer',
    severity: 'notice',
    remedy: { shortcut: 'reply' },
    find: (ticket, view) => {
      if (!isOpen(ticket) || waitsForUs(ticket, view) !== true) return;
      const who = textIn(ticket.updated_by) ?? textIn(ticket.opened_by) ?? 'The platform';
      return {
        says: `${who} wrote last in ${ticketName(ticket)}; it waits for your answer`,
        since: timeOf(ticket.updated),
      };
    },
  }),
  ticketRule({
    name: 'ticket-unanswered',
    several: '{} tickets have had no answer from the platform for more than a day',
    severity: 'notice',
    remedy: { shortcut: 'reply' },
    find: (ticket, view) => {
      if (!isOpen(ticket)) return;
      const since = timeOf(ticket.updated ?? ticket.opened);
      if (!(view.now - since >= day) || waitsForUs(ticket, view) !== false) return;
      return { says: `The platform has not answered ${ticketName(ticket)} for ${spanWords(view.now - since)}`, since };
    },
  }),
];

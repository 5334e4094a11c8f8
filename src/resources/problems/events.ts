import { actionWords, type Event, entityWords } from '../account/events.ts';
import { at, type Row } from '../resource.ts';
import { timeOf } from '../time.ts';
import { remembered } from './lookup.ts';
import { type Facts, type Rule, rule } from './rule.ts';
import { textIn } from './wording.ts';

const day = 86_400_000;

/** What an event is about, as a key; what is about nothing is alone. */
const keyOf = ({ id, entity }: Row): string =>
  textIn(at(entity, 'type')) ? `${at(entity, 'type')}/${at(entity, 'id')}` : `event/${id}`;

const byEntity = remembered((rows) => Map.groupBy(rows as readonly Event[], keyOf));

/** A failure that nobody has read, of the last day. */
const isNews = ({ status, read, created }: Event, { now }: Facts) =>
  status === 'failed' && read !== true && now - timeOf(created) < day;

/** What has failed on the account (document 1, 2.5). */
export const eventRules: readonly Rule[] = [
  rule<Event>()({
    name: 'event-failed',
    severity: 'warning',
    of: 'events',
    remedy: { action: 'read' },
    find: (event, facts) => {
      if (!isNews(event, facts)) return;
      const same = byEntity(facts.rows('events')).get(keyOf(event)) ?? [];
      const failures = same.filter((other) => isNews(other, facts));
      const isLast = failures.every(({ id }) => id <= event.id);
      const succeeded = same.some(
        ({ id, action, status }) => id > event.id && action === event.action && status === 'finished',
      );
      if (!isLast || succeeded) return;
      const about = textIn(entityWords(event.entity));
      const why = textIn(event.message);
      return {
        says: [
          `The ${actionWords(event.action) || 'action'}${about ? ` of ${about}` : ''} failed`,
          failures.length > 1 ? `, as did ${failures.length - 1} more of its events in the last day` : '',
          why ? `: ${why}` : '',
        ].join(''),
        since: timeOf(event.created),
      };
    },
  }),
];

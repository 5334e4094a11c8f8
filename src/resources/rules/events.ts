import { day, timeOf } from '../../text/times.ts';
import { capitalized, textIn } from '../../text/words.ts';
import { actionWords, type EventRow, entityWords } from '../account/events.ts';
import { compareIds } from '../identity.ts';
import { memoize } from '../memoize.ts';
import { type Rule, rule } from '../problems/rule.ts';
import { at, type CacheView, type Row } from '../resource.ts';
import { statusOf } from '../wording.ts';

/** The subject of an event, as a key; an event about nothing is alone. */
const eventKey = ({ id, entity }: Row): string =>
  textIn(at(entity, 'type')) ? `${at(entity, 'type')}/${at(entity, 'id')}` : `event/${id}`;

const byEntity = memoize((rows) => Map.groupBy(rows as readonly EventRow[], eventKey));

/** A failure that nobody has read, of the last day. The time is read last: what a rule reads it of is examined each minute. */
const isNews = (event: EventRow, view: CacheView) =>
  statusOf(event) === 'failed' && event.read !== true && view.now - timeOf(event.created) < day;

/** Failures on the account (document 1, 2.5). */
export const eventRules: readonly Rule[] = [
  rule<EventRow>('events')({
    name: 'event-failed',
    several: '{} actions failed in the last day, and nobody has read it',
    remedy: { action: 'read' },
    find: (event, view) => {
      if (!isNews(event, view)) return;
      const same = byEntity(view.events).get(eventKey(event)) ?? [];
      const failures = same.filter((other) => isNews(other, view));
      const isLast = failures.every(({ id }) => compareIds(id, event.id) <= 0);
      const succeeded = same.some(
        (other) =>
          compareIds(other.id, event.id) > 0 && other.action === event.action && statusOf(other) === 'finished',
      );
      if (!isLast || succeeded) return;
      const about = entityWords(event.entity);
      const why = textIn(event.message);
      return {
        says: [
          `${capitalized(actionWords(textIn(event.action)) || 'something')}${about ? ` of ${about}` : ''} failed`,
          failures.length > 1 ? `, as did ${failures.length - 1} more of its events in the last day` : '',
          why ? `: ${why}` : '',
        ].join(''),
        since: timeOf(event.created),
      };
    },
  }),
];

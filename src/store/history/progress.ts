import { isInProgress } from '../../resources/account/events.ts';
import { memoize } from '../../resources/memoize.ts';
import { at, type Row } from '../../resources/row.ts';
import type { Event } from './eventPages.ts';

/** Percent done of an event that is going on, 0 to 100; undefined when the API does not say. */
export function percentOf(event: Row): number | undefined {
  const percent = event.percent_complete;
  return typeof percent === 'number' ? Math.min(100, Math.max(0, percent)) : undefined;
}

/** The events in progress by what they are about, `server 12`, be it their first or their second entity. */
const inProgressAbout = memoize((events: readonly Event[]) => {
  const found = new Map<string, Event[]>();
  for (const event of events.filter(isInProgress)) {
    for (const name of new Set([nameIn(event.entity), nameIn(event.secondary_entity)])) {
      const those = found.get(name) ?? [];
      found.set(name, those);
      those.push(event);
    }
  }
  return found;
});

/**
 * The newest event in progress about an entity, whatever other events are newer.
 * @param prefixes event actions that are about it also where it is their secondary entity
 */
export function progressOf(
  events: readonly Event[],
  type: string,
  id: unknown,
  prefixes: readonly string[] = [],
): Event | undefined {
  const name = `${type} ${id}`;
  return inProgressAbout(events)
    .get(name)
    ?.find(({ action, entity }) => nameIn(entity) === name || prefixes.some((prefix) => action.startsWith(prefix)));
}

const nameIn = (entity: unknown) => `${at(entity, 'type')} ${at(entity, 'id')}`;

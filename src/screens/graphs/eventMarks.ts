import type { TimeMark } from '../../components/graphLayout.ts';
import type { Role } from '../../components/theme.ts';
import { actionWords } from '../../resources/account/events.ts';
import { at, type Resource } from '../../resources/resource.ts';
import type { Event } from '../../store/events.ts';
import { dateText, timeOf } from '../../text/times.ts';

/** An event on the time axis of graphs. */
export interface EventMark extends TimeMark {
  /** The index of the row that it is about. */
  member: number;
  /** The event with its time, for the crosshair. */
  says: string;
}

/**
 * The events of rows that stand on the time axis: those with a letter, and all that failed; the oldest first.
 * @param members the rows whose events are marked
 * @param failed the letter of those that failed
 * @param roles the colour of each row; by default one for all, and another for what failed
 */
export function eventMarks(
  resource: Pick<Resource, 'entity' | 'statistics'>,
  members: readonly { id: string; label: string }[],
  events: readonly Event[],
  failed: string,
  roles?: readonly Role[],
): readonly EventMark[] {
  const letters = resource.statistics?.letters ?? {};
  const places = new Map(members.map(({ id }, index) => [id, index]));
  return events
    .flatMap((event): readonly EventMark[] => {
      const member = places.get(String(at(event, 'entity.id')));
      if (member === undefined || at(event, 'entity.type') !== resource.entity) return [];
      const isFailed = event.status === 'failed';
      const letter = isFailed ? failed : Object.hasOwn(letters, event.action) ? letters[event.action] : undefined;
      const time = timeOf(event.created);
      if (letter === undefined || Number.isNaN(time)) return [];
      const name = members.length > 1 ? `${members[member]?.label}: ` : '';
      const how = isFailed ? ' failed' : '';
      const says = `${letter} ${dateText(time).slice(5)} ${name}${actionWords(event.action)}${how}`;
      return [{ at: time, letter, role: roles?.[member] ?? (isFailed ? 'bad' : 'title'), member, says }];
    })
    .sort((one, other) => one.at - other.at);
}

/** The events within a distance of a time, in words. */
export const eventsAt = (marks: readonly EventMark[], time: number | undefined, distance: number): string =>
  marks.flatMap(({ at, says }) => (time !== undefined && Math.abs(at - time) <= distance ? [says] : [])).join(', ');

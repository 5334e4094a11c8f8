import type { Timestamp } from '../../text/times.ts';
import type { EventsState } from '../events.ts';

/** The part of a day's events that is known. */
export interface EventsReach {
  /** From when on all are known, in ms since the epoch; undefined where that is a day. */
  since: Timestamp | undefined;
  /** Older ones are being read. */
  isReading: boolean;
  /** All that is in progress is known, however long ago it began. */
  isProgressKnown: boolean;
}

/** Undefined where all of a day is known, with all that is in progress, and where nothing was read yet. */
export function reachOf({
  polledAt,
  knownSince,
  isDayKnown,
  isReadingOn,
  isProgressKnown,
}: EventsState): EventsReach | undefined {
  if (polledAt === undefined || (isDayKnown && isProgressKnown)) return undefined;
  const since = isDayKnown ? undefined : knownSince;
  return { since, isReading: isReadingOn === true, isProgressKnown: isProgressKnown === true };
}

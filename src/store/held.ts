import type { Held } from '../resources/relations.ts';
import type { Row } from '../resources/resource.ts';
import type { EventsState } from './events.ts';
import { questionOf } from './questions.ts';
import type { RecordsState } from './records.ts';

/** Every row that is loaded: those of lists, those viewed alone, and the newest events. */
export function heldIn({ collections, answers }: RecordsState, { events }: EventsState): readonly Held[] {
  const viewed = Object.entries(answers).flatMap(([key, { body }]): readonly Held[] => {
    const { resource, operation, params } = questionOf(key);
    return operation === 'view' && body ? [{ resource, params, rows: [body as Row], whole: false }] : [];
  });
  const listed = Object.entries(collections).map(([key, { resource, params, rows, loadedAt, more }]): Held => {
    const whole = questionOf(key).operation === 'list' && loadedAt !== undefined && more === undefined;
    return { resource, params, rows, whole };
  });
  // Lists come last: their rows are fresher than those that were viewed once.
  return [...viewed, { resource: 'events', params: {}, rows: events, whole: false }, ...listed];
}

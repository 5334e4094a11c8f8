import type { Held } from '../resources/relations.ts';
import type { Row } from '../resources/resource.ts';
import type { EventsState } from './events.ts';
import { questionOf } from './questions.ts';
import type { Collection, RecordsState } from './records.ts';

/** Whether a collection was read to its end. */
export const isWhole = ({ loadedAt, more }: Collection): boolean => loadedAt !== undefined && more === undefined;

/** Every row that is loaded: those of lists, those viewed alone, and the newest events. */
export function heldIn({ collections, answers }: RecordsState, { events }: EventsState): readonly Held[] {
  const viewed = Object.entries(answers).flatMap(([key, { body }]): readonly Held[] => {
    const { resource, operation, params } = questionOf(key);
    return operation === 'view' && body ? [{ resource, params, rows: [body as Row], whole: false }] : [];
  });
  const listed = Object.entries(collections).map(([key, collection]): Held => {
    const { resource, params, rows } = collection;
    return { resource, params, rows, whole: questionOf(key).operation === 'list' && isWhole(collection) };
  });
  // Lists come last: their rows are fresher than those that were viewed once.
  return [...viewed, { resource: 'events', params: {}, rows: events, whole: false }, ...listed];
}

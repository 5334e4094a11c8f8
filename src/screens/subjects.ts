import { idIn } from '../resources/identity.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Deck } from '../store/deck.ts';
import { idOf, keyOf, viewOf } from '../store/records.ts';

/** A row with the path parameters that name it. */
export interface Subject {
  row: Row;
  params: Params;
}

/** The row that these parameters name, as far as it is loaded: from a list, else viewed alone. */
export function rowAt({ records }: Deck, resource: Resource, params: Params): Row | undefined {
  const { collections, answers } = records.getState();
  const id = idIn(resource, params);
  for (const collection of Object.values(collections)) {
    if (collection.resource !== resource.name) continue;
    const isBeside = Object.entries(collection.query.params).every(([name, value]) => params[name] === value);
    const row = isBeside && collection.rows.find((row) => idOf(resource, row) === id);
    if (row) return row;
  }
  const viewed = answers[keyOf(viewOf(resource, params))];
  return viewed?.body as Row | undefined;
}

/** The rows that these parameters name and that are still there. */
export const subjectsAt = (deck: Deck, resource: Resource, targets: readonly Params[]): readonly Subject[] =>
  targets.flatMap((params) => {
    const row = rowAt(deck, resource, params);
    return row ? [{ row, params }] : [];
  });

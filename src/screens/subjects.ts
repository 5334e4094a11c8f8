import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Deck } from '../store/deck.ts';
import { idOf, keyOf } from '../store/records.ts';
import type { Subject } from './actions.ts';

/** The row that these parameters name, as far as it is loaded: from a list, else viewed alone. */
export function rowAt({ records }: Deck, resource: Resource, params: Params): Row | undefined {
  const { collections, answers } = records.getState();
  const id = params[resource.param];
  for (const collection of Object.values(collections)) {
    if (collection.resource !== resource.name) continue;
    const isBeside = Object.entries(collection.params).every(([name, value]) => params[name] === value);
    const row = isBeside && collection.rows.find((row) => idOf(resource, row) === id);
    if (row) return row;
  }
  const viewed = answers[keyOf({ resource: resource.name, operation: 'view', params: viewParams(resource, params) })];
  return viewed?.body as Row | undefined;
}

/** Of these parameters those that the view of a resource takes. */
export function viewParams(resource: Resource, params: Params): Params {
  const path = resource.view?.path ?? '';
  return Object.fromEntries(Object.entries(params).filter(([name]) => path.includes(`{${name}}`)));
}

/** The rows that these parameters name and that are still there. */
export const subjectsAt = (deck: Deck, resource: Resource, targets: readonly Params[]): readonly Subject[] =>
  targets.flatMap((params) => {
    const row = rowAt(deck, resource, params);
    return row ? [{ row, params }] : [];
  });

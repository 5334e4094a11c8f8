import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { plural } from '../../resources/wording.ts';
import { cachedRow, type Target } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';
import { listed } from '../../text/words.ts';

/** A row with its kind. */
export interface RowObject extends Target {
  resource: Resource;
}

/** The row that a row of a list stands for; undefined where it is one itself. */
export function objectOf(stores: Pick<Stores, 'view'>, { name }: Resource, row: Row): RowObject | undefined {
  const { resource: of, params } = row;
  if (!resourceNamed(name).standsFor || typeof of !== 'string' || !isRow(params)) return undefined;
  const resource = resourceNamed(of);
  const named = params as Params;
  return { resource, params: named, row: cachedRow(stores, resource, named) ?? {} };
}

/** Why nothing can be done to all of these rows at once, as a sentence: they are of several kinds. */
export function whyMixed(kinds: readonly Resource[]): string | undefined {
  const those = [...new Set(kinds)];
  if (those.length < 2) return undefined;
  return `These are ${listed(those.map(plural), 5)}; a change is made to one kind at a time. what:"${those[0]?.one}" filters them, and * marks those.`;
}

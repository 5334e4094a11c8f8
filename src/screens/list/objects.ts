import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { plural } from '../../resources/wording.ts';
import { paramsOf } from '../../store/cache.ts';
import { cachedRow, type Target } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';
import { listed } from '../../text/words.ts';
import type { ListTree } from './listTree.ts';

/** A row with its kind. */
export interface RowObject extends Target {
  resource: Resource;
  /** Whose JSON is shown: that of the line itself, unless it was made from its object. */
  told: { resource: Resource; params: Params };
}

/** The objects of rows of a list: those that they stand for, or they themselves. */
export function objectsOf(
  stores: Pick<Stores, 'view'>,
  { name }: Resource,
  tree: ListTree,
  rows: readonly Row[],
): readonly RowObject[] {
  const { standsFor } = resourceNamed(name);
  return rows.map((row) => {
    const { resource: of, params } = row;
    const kind = tree.kindOf(row);
    const self = { resource: kind.resource, params: paramsOf(kind.resource, row, kind.params) };
    if (standsFor && typeof of === 'string' && isRow(params)) {
      const object = { resource: resourceNamed(of), params: params as Params };
      const told = kind.resource.made ? object : self;
      return { ...object, told, row: cachedRow(stores, object.resource, object.params) ?? {} };
    }
    return { ...self, told: self, row };
  });
}

/** Why nothing can be done to all of these rows at once, as a sentence: they are of several kinds. */
export function whyMixed(kinds: readonly Resource[]): string | undefined {
  const those = [...new Set(kinds)];
  if (those.length < 2) return undefined;
  return `These are ${listed(those.map(plural))}: one kind at a time; what:"${those[0]?.one}" filters them.`;
}

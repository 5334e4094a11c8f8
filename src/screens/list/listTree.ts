import { idOf, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Column, isRow, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { cachedRow, type Target } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { listed } from '../../text/words.ts';
import type { FetchProgress } from './useFetches.ts';

/** The resource of a row, and the parameters of the list that it is in. */
export interface Kind {
  resource: Resource;
  params: Params;
}

/** Rows of another resource, each on a line above the rows of a list that lie under it. */
export interface Branches extends Kind {
  rows: readonly Row[];
  /** The rows of the list that lie under one of them. */
  under(branch: Row): readonly Row[];
  columns: readonly Column[];
  /** They have no lines: the rows stand in one order, whichever they lie under. */
  isFlat?: true;
  /** The lists below them that are read, while some are not. */
  progress?: FetchProgress;
}

/** The lines of a list: its rows, and where it has branches these above them. */
export type ListTree = ReturnType<typeof listTree>;

/** The id of the line of a branch, which may have the number of a row under it. */
export const branchId = ({ name }: Resource, id: string): string => `${name} ${id}`;

/** The lines of a list whose rows are of this kind. */
export function listTree(own: Kind, branches: Branches | undefined) {
  const { resource, params } = own;
  const all = new Set(branches && !branches.isFlat ? branches.rows : []);
  // Of many rows it is made where one of them is asked about.
  let above: Map<Row, Row> | undefined;
  const aboveOf = (row: Row): Row | undefined => {
    if (!branches) return undefined;
    above ??= new Map(branches.rows.flatMap((branch) => branches.under(branch).map((one) => [one, branch] as const)));
    return above.get(row);
  };
  const kindUnder = (branch: Row | undefined): Kind =>
    branches && branch ? { resource, params: paramsOf(branches.resource, branch, params) } : own;
  /** The branch that a row lies under, or that a line is; undefined without branches. */
  const branchOf = (row: Row) => (all.has(row) ? row : aboveOf(row));
  const isBranch = (row: Row) => all.has(row);
  return {
    isBranch,
    id: (row: Row): string =>
      branches && isBranch(row) ? branchId(branches.resource, idOf(branches.resource, row)) : idOf(resource, row),
    kindOf: (row: Row): Kind => (!branches ? own : isBranch(row) ? branches : kindUnder(aboveOf(row))),
    branchOf,
    /** The kind of a row that is made at a line, or where there is none. */
    newAt: (row: Row | undefined): Kind => (!branches ? own : row ? kindUnder(branchOf(row)) : branches),
    /** @param isFiltered branches without a row are left out */
    lines: (rows: readonly Row[], isFiltered: boolean): readonly Row[] => {
      if (!branches || branches.isFlat) return rows;
      const under = Map.groupBy(rows, branchOf);
      const shown = branches.rows.filter((branch) => !isFiltered || under.has(branch));
      return shown.flatMap((branch) => [branch, ...(under.get(branch) ?? [])]);
    },
  };
}

interface RowObject extends Target {
  resource: Resource;
  /** Whose JSON is shown: that of the line itself, unless it was made from its object. */
  told: Kind;
  /** Its resource, and the parameters under which it is listed or, where it stands for an object, those of that. */
  kind: Kind;
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
      return { ...object, told, kind: object, row: cachedRow(stores.view, object.resource, object.params) ?? {} };
    }
    return { ...self, told: self, kind, row };
  });
}

/** Why a key does nothing to all of these rows at once, as a sentence: they are of several kinds. */
export function whyMixed(kinds: readonly Resource[]): string | undefined {
  const those = [...new Set(kinds)];
  if (those.length < 2) return undefined;
  return `These are ${listed(those.map(plural))}: ${keyLabel('list.actions', 'a')} acts on each kind, what:"${those[0]?.one}" filters them.`;
}

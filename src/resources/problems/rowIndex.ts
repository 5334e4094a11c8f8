import { type Difference, memoizeIncremental } from '../differences.ts';
import { byAddress, canonicalAddress } from '../ipAddress.ts';
import { addTo, memoize, memoizeAll } from '../memoize.ts';
import { at, type CacheView, idAt, none, type Row, type RowIndex } from '../row.ts';

/** Looks rows up by the id at a dotted path. */
export const idIndex = memoizeAll(
  (path: string): RowIndex => ({
    name: path,
    valuesOf: (row) => {
      const id = idAt(row, path);
      return id === undefined ? [] : [id];
    },
  }),
);

/** The rows under each text, in their order, in lists that never change; the `unsorted` ones are collected again when they are asked for. */
interface Groups {
  of: Map<string, Row[]>;
  unsorted: Set<string>;
}

const groupedBy = memoize((index: RowIndex) => memoizeIncremental<Groups, Row>(groupsOf(index), groupsAfter(index)));

/** The rows that are found under a text, in their order: the very list of before where none of them has changed. */
export function findIn(rows: readonly Row[], index: RowIndex, value: string): readonly Row[] {
  const { of, unsorted } = groupedBy(index)(rows);
  if (unsorted.delete(value))
    of.set(
      value,
      rows.filter((row) => index.valuesOf(row).includes(value)),
    );
  return of.get(value) ?? none;
}

const groupsOf =
  ({ valuesOf }: RowIndex) =>
  (rows: readonly Row[]): Groups => {
    const of = new Map<string, Row[]>();
    for (const row of rows) {
      for (const value of new Set(valuesOf(row))) addTo(of, value, row);
    }
    return { of, unsorted: new Set() };
  };

const groupsAfter =
  ({ valuesOf }: RowIndex) =>
  (groups: Groups, differences: readonly Difference<Row>[]): Groups => {
    for (const { before, after } of differences) {
      const was = new Set(before ? valuesOf(before) : []);
      const is = new Set(after ? valuesOf(after) : []);
      for (const value of was) {
        const group = groups.of.get(value) ?? [];
        const place = before ? group.indexOf(before) : -1;
        if (place >= 0) groups.of.set(value, group.toSpliced(place, 1, ...(after && is.has(value) ? [after] : [])));
      }
      for (const value of is) {
        if (!after || was.has(value)) continue;
        // One that was there before belongs among the others, a new one behind them.
        if (before) groups.unsorted.add(value);
        else groups.of.set(value, [...(groups.of.get(value) ?? []), after]);
      }
    }
    return groups;
  };

/** The loaded server or NodeBalancer with an address or host name. */
export function addressOwner(address: string, view: CacheView): Row | undefined {
  const wanted = canonicalAddress(address);
  return view.find('servers', byAddress, wanted).at(-1) ?? view.find('nodebalancers', byAddress, wanted).at(-1);
}

/** The deleted one that had it. */
export function formerAddressOwner(address: string, view: CacheView): Row | undefined {
  const wanted = canonicalAddress(address);
  const among = (rows: readonly Row[]) => findIn(rows, byAddress, wanted).at(-1);
  return among(view.deleted('servers')) ?? among(view.deleted('nodebalancers'));
}

/** The events about what has this type and id, the newest first. */
export const eventsOf = (type: string, id: string, view: CacheView): readonly Row[] =>
  view.find('events', idIndex('entity.id'), id).filter((event) => at(event, 'entity.type') === type);

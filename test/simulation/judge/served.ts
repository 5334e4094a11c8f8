import { type Item, type Row, rowAt } from '../cloud/items.ts';
import { kinds } from '../cloud/kinds.ts';
import type { Exchange } from '../network.ts';

/** The path of the list in which an item is, after the version. */
function listOf({ kind, parent }: Item): string {
  const parts = (kinds[kind]?.path ?? '').split('*');
  const above = (one: Item | undefined): readonly number[] => (one ? [...above(one.parent), one.id] : []);
  const ids = above(parent);
  return parts.map((part, index) => part + (ids[index] ?? '')).join('');
}

/** The path of an item, after the version. */
const pathOf = (item: Item): string => `${listOf(item)}/${item.id}`;

/** The state of an item as a process was told it. */
export interface Served {
  /** When the cloud wrote that answer. */
  readonly at: number;
  readonly row: Row | undefined;
}

/** The last that a process was told of an item, by an answer that it had got by then; undefined where it never was. */
export function servedBefore(exchanges: readonly Exchange[], sent: Exchange, item: Item): Served | undefined {
  const [list, own] = [listOf(item), pathOf(item)];
  let latest: Exchange | undefined;
  for (const one of exchanges) {
    if (one.number >= sent.number) break;
    const { process, host, path, status = 0, answeredAt = Number.POSITIVE_INFINITY, method, arrivedAt = 0 } = one;
    if (process !== sent.process || host !== sent.host || answeredAt > sent.at || status >= 300) continue;
    const tells = method === 'GET' ? path === list || path === own : path.startsWith(own) && method !== 'DELETE';
    if (tells && arrivedAt >= (latest?.arrivedAt ?? 0)) latest = one;
  }
  return latest && { at: latest.arrivedAt ?? 0, row: rowAt(item, latest.arrivedAt ?? 0) };
}

/** All that an item was from a moment until a request came, which itself does not count. */
export const rowsUntil = (
  item: Item,
  from: number,
  { at, arrivedAt = at, write }: Exchange,
): readonly (Row | undefined)[] => [
  rowAt(item, from),
  ...item.versions
    .filter((one) => one.at > from && one.at <= arrivedAt && (one.by === undefined || one.by !== write?.number))
    .map(({ row }) => row),
];

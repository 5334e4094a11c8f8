import { differencesBetween } from '../resources/differences.ts';
import { idOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Row } from '../resources/resource.ts';
import type { Records } from './records.ts';
import { rowIn } from './rows.ts';

/** So many rows of a resource are remembered, the latest. */
const mostRemembered = 500;

/** Remembers the rows that went out of the lists that lie under nothing: what was deleted while somebody was looking. */
export function goneFrom(records: Pick<Records, 'subscribe'>): (resource: string) => readonly Row[] {
  const seen = new Map<string, readonly Row[]>();
  const gone = new Map<string, readonly Row[]>();

  records.subscribe(({ collections }, before) => {
    if (collections === before.collections) return;
    for (const key in collections) {
      const collection = collections[key];
      if (!collection || collection === before.collections[key]) continue;
      const { resource, params, rows, loading } = collection;
      const last = seen.get(key);
      if (loading || rows === last || Object.keys(params).length > 0 || resourceNamed(resource).local) continue;
      seen.set(key, rows);
      if (last) remember(resource, last, rows);
    }
  });

  function remember(resource: string, before: readonly Row[], after: readonly Row[]): void {
    const description = resourceNamed(resource);
    const differences = differencesBetween(before, after);
    if (differences?.every((one) => one.before && one.after)) return;
    const left = differences ? differences.flatMap((one) => (one.before && !one.after ? [one.before] : [])) : before;
    const isGone = (row: Row) => !rowIn(description, after, idOf(description, row));
    const all = [...(gone.get(resource) ?? []), ...left].filter(isGone);
    gone.set(resource, all.slice(-mostRemembered));
  }

  return (resource) => gone.get(resource) ?? [];
}

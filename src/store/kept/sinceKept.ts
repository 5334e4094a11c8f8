import { idIn, liesUnder } from '../../resources/identity.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import type { SeenChange } from '../history/seenChanges.ts';
import type { KeptChangesState } from './keptChanges.ts';

interface SinceKept extends Pick<KeptChangesState, 'lists'> {
  /** Of this session, the latest first. */
  seen: readonly SeenChange[];
  /** When this session began. */
  at: Timestamp;
}

/** The differences of a row from what an earlier session has read; at most one tells something new. */
export function changesSinceKept(
  resource: Resource,
  params: Params,
  row: Row,
  { lists, seen, at }: SinceKept,
): readonly SeenChange[] {
  const id = idIn(resource, params);
  if (id === undefined) return [];
  return Object.values(lists).flatMap(({ resource: name, query, since, changed }, index): readonly SeenChange[] => {
    const before = name === resource.name && liesUnder(params, query.params) ? changed.get(id) : undefined;
    // Changes that this session has seen came later.
    const after = seen.at(-1)?.before ?? row;
    return before ? [{ number: -index, resource: name, params: query.params, before, after, since, at }] : [];
  });
}

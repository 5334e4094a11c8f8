import type { ApiError } from '../../api/error.ts';
import { draftOf } from '../../resources/body.ts';
import { paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Domain } from '../../resources/networking/domainActions.ts';
import type { DomainRecord } from '../../resources/networking/recordRules.ts';
import type { ZoneChanges } from '../../resources/networking/zoneChanges.ts';
import type { Action, Draft, Resource, Row } from '../../resources/resource.ts';
import { changesFor } from '../changes/change.ts';
import { readListAgain } from '../changes/readAgain.ts';
import type { Stores } from '../stores.ts';
import type { NewStep } from './plan.ts';
import { stepsOf } from './planning.ts';

/** Reads the rows of a list anew; resolves with the error of the API where it cannot be read to its end. */
export async function readWholeList<T>(
  { cache }: Pick<Stores, 'cache'>,
  resource: string,
  params = {},
): Promise<{ rows: readonly T[] } | { error: ApiError }> {
  const found = await readListAgain(cache, { resource, operation: 'list', params });
  return found?.error ? { error: found.error } : { rows: (found?.rows ?? []) as readonly T[] };
}

/** The records of a domain, read anew. */
export const readRecords = (stores: Pick<Stores, 'cache'>, { id }: Domain) =>
  readWholeList<DomainRecord>(stores, 'records', { domainId: String(id) });

/** The steps that make a zone as a file has it: deletions go first, as what comes may need their names. */
export function zoneSteps(stores: Stores, domain: Domain, changes: ZoneChanges): readonly NewStep[] {
  const [zones, records] = [resourceNamed('domains'), resourceNamed('records')];
  const params = paramsOf(zones, domain);
  const step = (resource: Resource, action: Action | undefined, row: Row | undefined, draft: Draft) => {
    if (!action) return [];
    const targets = row ? [{ row, params: paramsOf(resource, row, params) }] : [];
    const edits = row && action.body ? { opened: draftOf(resource, action, row), mine: draft } : undefined;
    const submission = { resource, action, targets, params, draft, ...(edits && { edits }) };
    return stepsOf(stores, submission, changesFor(submission, stores.view), targets);
  };
  return [
    ...(Object.keys(changes.domain).length > 0 ? step(zones, zones.edit, domain, changes.domain) : []),
    ...changes.removes.flatMap((record) => step(records, records.remove, record, {})),
    ...changes.edits.flatMap(({ record, mine }) => step(records, records.edit, record, mine)),
    ...changes.creates.flatMap((draft) => step(records, records.create, undefined, draft)),
  ];
}

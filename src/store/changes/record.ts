import type { ChangeRecord } from '../../resources/changeRecord.ts';
import { actionsOf, resources } from '../../resources/index.ts';
import { clean, cut } from '../../text/cells.ts';
import type { Change } from './change.ts';

/** The change that a record tells of, or a sentence why there is none in this version. */
export function changeOfRecord({ resource: of, action: named, ...record }: ChangeRecord): Change | { why: string } {
  const resource = resources.find(({ name }) => name === of);
  if (!resource) return { why: `There is no resource called ${shown(of)}.` };
  const action = actionsOf(resource).find(({ name }) => name === named);
  if (!action) return { why: `${resource.many} have no action called ${shown(named)}.` };
  return { resource, action, ...record };
}

/** A name out of a file, fit for a sentence. */
const shown = (name: unknown): string => cut(clean(String(name)), 60);

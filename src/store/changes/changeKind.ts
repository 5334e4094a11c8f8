import { idIn } from '../../resources/identity.ts';
import type { Change } from './change.ts';

/**
 * By what a change is recognised whose answer was lost.
 * - `creation`: by the new row
 * - `copy`: by the new row that is made from its row
 * - `deletion`: by the absence of its row
 * - `edit`: by the fields of its row, or of an answer about it
 * - `action`: by the events, and by what its row has become
 */
export type ChangeKind = 'creation' | 'copy' | 'deletion' | 'edit' | 'action';

/** By what a change is recognised. */
export function kindOf({ resource, action, params }: Pick<Change, 'resource' | 'action' | 'params'>): ChangeKind {
  const isOne = idIn(resource, params) !== undefined;
  if (action === resource.remove) return 'deletion';
  const { answer, state } = action.shownBy ?? {};
  if (answer !== undefined && !state) return 'edit';
  if (action.method === 'PUT' && action.path === resource.view?.path) return 'edit';
  if (action.method !== 'POST' || !resource.list) return 'action';
  if (!isOne) return 'creation';
  return action.shownBy?.names ? 'copy' : 'action';
}

/** Whether a change makes a row, be it from another one. */
export const makesRow = (change: Change): boolean => ['creation', 'copy'].includes(kindOf(change));

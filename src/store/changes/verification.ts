import type { Row } from '../../resources/resource.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';
import type { Baseline } from './pendingChanges.ts';

/** The result of a change whose answer was lost, as far as the API shows it. */
export interface Verification {
  /** `unclear`: the API does not show it; `unreachable`: the API did not answer. */
  outcome: 'done' | 'not done' | 'unclear' | 'unreachable';
  /** One sentence or two. */
  says: string;
  /** The new or changed row, where it was found. */
  row?: Row;
  /** It is as this change leaves it, but somebody else did that. */
  byOther?: true;
}

export type VerifyStores = Pick<Stores, 'api' | 'events' | 'now' | 'cache' | 'session' | 'changes'>;

export type Verifier = (stores: VerifyStores, change: Change, before: Baseline) => Promise<Verification>;

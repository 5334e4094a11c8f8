import { keyLabel } from '../../text/keyLabel.ts';
import { uncapitalized } from '../../text/words.ts';
import type { Stores } from '../stores.ts';

/** Said where nothing may be changed. */
export const readOnlySays = 'Read-only: nothing can be taken back in this session.';

/** Says of a change why it cannot be taken back. */
export const irreversibleSays = (title: string, why: string): string =>
  `${title} cannot be taken back: ${uncapitalized(why)}`;

/** Why nothing takes back the last changes of this session, as a sentence; undefined where something does. */
export function whyNotBack({ api, changes }: Pick<Stores, 'api' | 'changes'>): string | undefined {
  const { last, changes: pending } = changes.getState();
  if (api.readOnly) return readOnlySays;
  if (pending.some(({ isOver, action }) => !isOver && !action.harmless))
    return `A change is being sent; ${keyLabel('everywhere.takeBack', 'u')} takes it back once it is done.`;
  if (!last) return 'Nothing was changed in this session yet.';
  return last.why === undefined ? undefined : irreversibleSays(last.title, last.why);
}

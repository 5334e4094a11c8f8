import { keyLabel } from '../../text/keyLabel.ts';
import { uncapitalized } from '../../text/words.ts';
import type { Stores } from '../stores.ts';

/** Says of a change why it cannot be taken back. */
export const irreversibleSays = (title: string, why: string): string =>
  `${title} cannot be taken back: ${uncapitalized(why)}`;

/** Why nothing takes back the last changes of this session, as a sentence; undefined where something does. */
export function whyNotBack({ api, changes }: Stores): string | undefined {
  const { last, changes: pending } = changes.getState();
  const key = keyLabel('everywhere.takeBack', 'u');
  if (api.readOnly)
    return `Read-only: nothing was changed from here; ${key} in a row's History plans what takes a change back.`;
  if (pending.some(({ isOver, action }) => !isOver && !action.harmless))
    return `A change is being sent; ${key} takes it back once it is done.`;
  if (!last) return 'Nothing was changed in this session yet.';
  return last.why === undefined ? undefined : irreversibleSays(last.title, last.why);
}

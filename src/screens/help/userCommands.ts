import { menuLetter } from '../../resources/asking.ts';
import { userActionsOf } from '../../resources/index.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { KeySubject } from '../keys/keyboard.ts';
import type { HelpSection } from './helpLines.ts';

/** The user's own commands for the rows of a place, with their keys; no section where there are none. */
export function commandSections(
  stores: Pick<Stores, 'api' | 'session'>,
  subjects: readonly KeySubject[],
): readonly HelpSection[] {
  const menu = keyLabel('list.actions', 'a');
  const entries = [...new Set(subjects.map(({ resource }) => resource))].flatMap((resource) =>
    userActionsOf(resource)
      .filter((action) => !readOnlyRefusal(stores, action))
      .map(({ key, help }) => ({ keys: [key === '' ? menu : `${menu} ${menuLetter(key)}`], help })),
  );
  return entries.length > 0 ? [{ title: 'Your commands', entries }] : [];
}

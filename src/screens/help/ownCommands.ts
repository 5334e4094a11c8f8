import { menuLetter } from '../../resources/asking.ts';
import { ownActionsOf } from '../../resources/index.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { Subject } from '../keys/keyboard.ts';
import type { HelpSection } from './helpLines.ts';

/** The user's own commands for the rows of a place, with their keys; no section where there are none. */
export function commandSections(subjects: readonly Subject[], isReadOnly: boolean): readonly HelpSection[] {
  const menu = keyLabel('list.actions', 'a');
  const entries = [...new Set(subjects.map(({ resource }) => resource))].flatMap((resource) =>
    ownActionsOf(resource)
      .filter(({ harmless }) => harmless || !isReadOnly)
      .map(({ key, help }) => ({ keys: [key === '' ? menu : `${menu} ${menuLetter(key)}`], help })),
  );
  return entries.length > 0 ? [{ title: 'Your commands', entries }] : [];
}

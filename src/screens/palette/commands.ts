import { themeNames } from '../../components/theme.ts';
import { ticketShortcutName } from '../../resources/ticketShortcut.ts';
import type { Stores } from '../../store/stores.ts';
import { capitalized } from '../../text/words.ts';
import { keymap } from '../keymap.ts';
import type { Command, KeySubject } from '../keys/keyboard.ts';
import type { Thing } from './thing.ts';

/** Keys that only move, or whose commands the palette offers by better names: with the row, the area or the tab. */
const unnamed = new Set([
  ...['up', 'down', 'pageUp', 'pageDown', 'first', 'last', 'left', 'right', 'open', 'palette', 'readOnly', 'fleet'],
  ...['edit', 'remove', 'actions', 'create', 'nthTab', 'remedy'],
]);

/** The commands of this place, each with its key; what is a verb of the rows they are about is offered as that. */
export function commandThings(
  { navigation }: Stores,
  commands: readonly Command[],
  subjects: readonly KeySubject[],
): readonly Thing[] {
  // A command is about the topmost rows: those of a tab, and not what the tab belongs to.
  const { view, shortcuts = [] } = subjects.find(({ targets }) => targets.length > 0)?.resource ?? {};
  // The JSON of a problem is not that of what it is about.
  const isOfProblem = commands.some(({ layer }) => layer === 'problems');
  const isVerb = (name: string) =>
    name === 'json'
      ? view && !isOfProblem
      : name === 'ticket' && shortcuts.some((one) => one.name === ticketShortcutName);
  const seen = new Set<string>();
  return commands.flatMap(({ layer, name, key, run }): readonly Thing[] => {
    const [first = ''] = key.keys;
    if (layer === 'views' || unnamed.has(name) || isVerb(name) || seen.has(first || name)) return [];
    seen.add(first || name);
    return [
      {
        id: `command ${layer} ${name}`,
        label: capitalized(key.help),
        names: [name],
        kind: 'command',
        detail: keymap[layer].title,
        ...(first !== '' && { key: first }),
        run: () => {
          navigation.close();
          run();
        },
      },
    ];
  });
}

/** The themes, each for the rest of this session. */
export function themeThings({ navigation, session, configuration, settings }: Stores): readonly Thing[] {
  const current = session.getState().theme ?? configuration.getState().theme ?? settings.theme;
  return themeNames.map((name) => ({
    id: `theme ${name}`,
    label: `Theme ${name}`,
    kind: 'theme',
    detail: name === current ? 'current' : 'for this session',
    refusal: settings.color ? undefined : 'colours are switched off',
    run: () => {
      navigation.close();
      session.setState({ theme: name });
    },
  }));
}

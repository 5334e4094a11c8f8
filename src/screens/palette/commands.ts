import { themeNames } from '../../components/theme.ts';
import type { Stores } from '../../store/stores.ts';
import { capitalized } from '../../text/words.ts';
import { keymap } from '../keymap.ts';
import type { Command } from '../keys/keyboard.ts';
import type { Thing } from './thing.ts';

/** Keys that only move, or whose commands the palette offers by better names: with the row, the area or the tab. */
const unnamed = new Set([
  ...['up', 'down', 'pageUp', 'pageDown', 'first', 'last', 'left', 'right', 'open', 'palette', 'readOnly', 'fleet'],
  ...['edit', 'remove', 'actions', 'create', 'ticket', 'json', 'nthTab', 'remedy'],
]);

/** The commands of this place, each with its key. */
export function commandThings({ navigation }: Stores, commands: readonly Command[]): readonly Thing[] {
  const seen = new Set<string>();
  return commands.flatMap(({ layer, name, key, run }): readonly Thing[] => {
    const [first = ''] = key.keys;
    if (layer === 'views' || unnamed.has(name) || seen.has(first)) return [];
    seen.add(first);
    return [
      {
        id: `command ${layer} ${name}`,
        label: capitalized(key.help),
        names: [name],
        kind: 'command',
        detail: keymap[layer].title,
        key: first,
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

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../src/config/configuration.ts';
import { keymap } from '../../src/screens/keymap.ts';
import type { Layer } from '../../src/screens/keys/layer.ts';
import { presets } from '../../src/screens/keys/presets.ts';
import { changedKeys, keymapWith } from '../../src/screens/keys/userKeys.ts';

type UserKeys = Configuration['keys'];

/** The sentence about the first mistake, with its path. */
function mistake(keys: UserKeys): string | undefined {
  const [first] = keymapWith(keys).mistakes;
  return first && `${first.path.join('.')} ${first.says}`;
}

describe('keys of the configuration', () => {
  it('are those of the program where nothing is said', () => {
    expect(keymapWith({}).layers).toBe(keymap);
    expect(changedKeys(keymap)).toEqual({});
  });

  it('take the place of those of the program, and an empty one takes them away', () => {
    const { layers, mistakes } = keymapWith({ list: { sort: 'O', edit: ['E', 'e'], copy: '' } });
    expect(mistakes).toEqual([]);
    expect(layers.list.keys).toMatchObject({
      sort: { keys: ['O'], help: 'sort' },
      edit: { keys: ['E', 'e'], writes: true },
      copy: { keys: [] },
      mark: { keys: ['space'] },
    });
    expect(layers.detail).toBe(keymap.detail);
    expect(changedKeys(layers)).toEqual({ 'list.sort': 'O', 'list.edit': 'E', 'list.copy': 'no key' });
  });

  it('may change places', () => {
    const { layers, mistakes } = keymapWith({ list: { sort: 'c', copy: 's' } });
    expect(mistakes).toEqual([]);
    expect([layers.list.keys.sort?.keys, layers.list.keys.copy?.keys]).toEqual([['c'], ['s']]);
  });

  it.each<[UserKeys, string]>([
    [{ lists: { sort: 'O' } }, 'lists is no layer; did you mean list? The layers are everywhere, home, list,'],
    [{ list: { srot: 'O' } }, 'list.srot is no action; did you mean sort? The actions are open, create,'],
    [{ list: { sort: 'ctrl-1' } }, 'list.sort is "ctrl-1", which is no key. Keys are single characters, ctrl-a to'],
    [{ list: { sort: 'PageUp' } }, 'list.sort is "PageUp", which is no key; did you mean pageup?'],
    [{ list: { sort: 'ctrl-i' } }, 'list.sort is "ctrl-i", which terminals send for tab; choose another key'],
    [{ list: { sort: 'escape' } }, 'list.sort is "escape", which is no key; did you mean esc?'],
    [{ list: { open: 'return' } }, 'list.open is "return", which is no key; did you mean enter?'],
    [{ list: { sort: 'shift-s' } }, 'list.sort is "shift-s", which is no key; did you mean S?'],
    [{ list: { sort: 'Ctrl+S' } }, 'list.sort is "Ctrl+S", which is no key; did you mean ctrl-s?'],
    [{ list: { sort: 'M-x' } }, 'list.sort is "M-x", which is no key; did you mean alt-x?'],
    [{ list: { sort: 'F5' } }, 'list.sort is "F5", which is no key; did you mean f5?'],
    [{ list: { sort: 'f13' } }, 'list.sort is "f13", which is no key'],
    [{ list: { sort: 'alt-up' } }, 'list.sort is "alt-up", which is no key'],
    [{ list: { sort: 'so' } }, 'list.sort is "so", which is no key'],
    [{ form: { send: 'ß' } }, 'form.send is "ß", which is typed as text there'],
    [{ list: { remove: 'alt-d' } }, 'list.remove is "alt-d", but what destroys has no key with ctrl or alt'],
    [{ list: { remove: 'up', up: 'K' } }, 'list.remove is "up", but what destroys has no key'],
    [{ list: { remove: 'j', down: 'J' } }, 'list.remove is "j", but what destroys has no key'],
    [{ list: { remove: 'backspace' } }, 'list.remove is "backspace", but what destroys has no key'],
    [{ list: { remove: 'space', mark: 'M' } }, 'list.remove is "space", but what destroys has no key'],
    [{ list: { sort: 'c' } }, 'list.sort is "c", which is "copy" there; give that another key, too'],
    [{ list: { remove: 'ctrl-d' } }, 'list.remove is "ctrl-d", but what destroys has no key with ctrl'],
    [{ detail: { remove: ['D', 'pagedown'] } }, 'detail.remove is "pagedown", but what destroys has no key with ctrl'],
    [{ form: { send: 's' } }, 'form.send is "s", which is typed as text there; take ctrl and a letter'],
    [{ form: { close: '' } }, 'form.close must keep a key: it is a way out'],
    [{ everywhere: { quit: '' } }, 'everywhere.quit must keep a key: it is a way out'],
    [
      { everywhere: { refresh: 'e' } },
      'everywhere.refresh is "e", which never reaches it in Lists: it is "edit" there',
    ],
    [{ list: { sort: ':' } }, 'list.sort is ":", which would take go to away there'],
    [{ preset: 'vim', list: { sort: 'o' } } as unknown as UserKeys, 'list.sort is "o", which is "new" there'],
  ])('%j is refused', (keys, says) => {
    expect(mistake(keys)).toContain(says);
    expect(keymapWith(keys).mistakes).toHaveLength(1);
  });

  it('may be function keys, keys with alt, and letters of any keyboard', () => {
    const keys = {
      list: { sort: 'ß', edit: 'alt-e', mark: ['f2', 'é'], remove: ['delete', 'f8'] },
      everywhere: { help: 'f1' },
    };
    expect(keymapWith(keys).mistakes).toEqual([]);
  });

  it('with a mistake stay as they were, and all others count', () => {
    const { layers } = keymapWith({ list: { sort: 'c', edit: 'E' } });
    expect([layers.list.keys.sort?.keys, layers.list.keys.edit?.keys]).toEqual([['s'], ['E']]);
  });
});

describe('the preset', () => {
  it.each(Object.keys(presets) as (keyof typeof presets)[])('%s keeps the rules of own keys', (preset) => {
    expect(keymapWith({ ...presets[preset] } as unknown as UserKeys).mistakes).toEqual([]);
    expect(keymapWith({ preset } as unknown as UserKeys).mistakes).toEqual([]);
  });
});

it('sentences name the keys of the keymap', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const named = files.flatMap((name) => [
    ...readFileSync(`src/${name}`, 'utf8').matchAll(/keyLabel\('(\w+)\.(\w+)', '([^']+)'\)/g),
  ]);
  expect(named.length).toBeGreaterThan(20);
  const layers: Readonly<Record<string, Layer>> = keymap;
  for (const [, layer = '', action = '', usual] of named)
    expect([layer, action, layers[layer]?.keys[action]?.keys[0]]).toEqual([layer, action, usual]);
});

import type { Configuration } from '../../config/configuration.ts';
import type { KeyMistake } from '../../config/lines.ts';
import { memoize } from '../../resources/memoize.ts';
import { noKey } from '../../text/keyLabel.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { keymap, type LayerName } from '../keymap.ts';
import { type Key, type Layer, moving } from './layer.ts';
import { presets } from './presets.ts';

/** Every layer with its keys. */
export type Layers = Readonly<Record<LayerName, Layer>>;

/** The keymap as the user wants it. Keys with a mistake stay as they were. */
export interface UserKeymap {
  layers: Layers;
  /** Keys of the configuration that cannot be had; their paths are below `keys`. */
  mistakes: readonly KeyMistake[];
}

/** Merges a preset and the user's own keys into the keymap; once for each configuration. */
export const keymapWith = memoize(merged);

/** The first key of each action that has another one than usual, or `no key`, by layer and action: `list.create`. */
export const changedKeys = (layers: Layers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(layers).flatMap(([name, { keys }]) => {
      const usual: Readonly<Record<string, Key>> = keymap[name as LayerName].keys;
      return Object.entries(keys).flatMap(([action, key]) => {
        const [first = noKey] = key.keys;
        return usual[action]?.keys.length && first !== usual[action].keys[0] ? [[`${name}.${action}`, first]] : [];
      });
    }),
  );

interface Wish {
  layer: LayerName;
  action: string;
  keys: readonly string[];
}

function merged({ preset = 'default', ...own }: Configuration['keys']): UserKeymap {
  if (preset === 'default' && Object.keys(own).length === 0) return { layers: keymap, mistakes: [] };
  const base = Object.entries(presets[preset]).reduce<Layers>(
    (layers, [layer, actions]) =>
      Object.entries<readonly string[]>(actions).reduce(
        (before, [action, keys]) => withKeys(before, { layer: layer as LayerName, action, keys }),
        layers,
      ),
    keymap,
  );
  const mistakes: KeyMistake[] = [];
  const wishes: Wish[] = [];
  for (const [layer, actions] of Object.entries(own)) {
    const found = Object.hasOwn(keymap, layer) ? (layer as LayerName) : undefined;
    const names = found ? actionsIn(keymap[found]) : Object.keys(keymap);
    if (!found) mistakes.push({ path: [layer], says: unknown('layer', layer, names) });
    else if (typeof actions === 'object') {
      for (const [action, keys] of Object.entries(actions)) {
        const wish = { layer: found, action, keys: [keys].flat().filter((key) => key !== '') };
        const says = names.includes(action) ? wrongKey(wish, base) : unknown('action', action, names);
        if (says) mistakes.push({ path: [layer, action], says });
        else wishes.push(wish);
      }
    }
  }
  // Keys may change places, so that conflicts are looked for among all of them.
  let layers = wishes.reduce(withKeys, base);
  for (const wish of wishes) {
    const says = conflict(wish, layers);
    if (!says) continue;
    mistakes.push({ path: [wish.layer, wish.action], says });
    layers = withKeys(layers, { ...wish, keys: base[wish.layer].keys[wish.action]?.keys ?? [] });
  }
  return { layers: withExplained(layers), mistakes };
}

const actionsIn = ({ keys }: Layer): readonly string[] => Object.keys(keys).filter((name) => !keys[name]?.explains);

/** The keys that only say why those of lists do nothing follow these. */
const withExplained = (layers: Layers): Layers =>
  Object.entries<Key>(keymap.everywhere.keys).reduce((before, [action, { explains }]) => {
    const keys = explains?.flatMap((name) => layers.list.keys[name]?.keys ?? []);
    return keys ? withKeys(before, { layer: 'everywhere', action, keys }) : before;
  }, layers);

const withKeys = (layers: Layers, { layer, action, keys }: Wish): Layers => {
  const { keys: others } = layers[layer];
  const key = others[action];
  return key ? { ...layers, [layer]: { ...layers[layer], keys: { ...others, [action]: { ...key, keys } } } } : layers;
};

const unknown = (kind: string, word: string, known: readonly string[]): string =>
  `is no ${kind}${orSuggestion(word, known)} The ${kind}s are ${known.join(', ')}`;

const named = [
  ...['up', 'down', 'left', 'right', 'pageup', 'pagedown', 'home', 'end'],
  ...['enter', 'esc', 'tab', 'shift-tab', 'space', 'backspace', 'delete'],
];

/** Keys that move in lists and texts, here or elsewhere, and those beside them. */
const pressedByMistake: ReadonlySet<string> = new Set([
  ...named.filter((key) => key !== 'delete'),
  ...Object.values(moving).flatMap(({ keys }) => keys),
  ...['h', 'l'],
]);

const keyPattern = `^(${named.join('|')}|(alt-)?[\\p{L}\\p{N}\\p{P}\\p{S}]|ctrl-[a-z\\\\\\]^_]|f[1-9]|f1[0-2])$`;
let keyRule: RegExp | undefined;

/** Whether a text names a key; most starts have none to check. */
function isKey(key: string): boolean {
  keyRule ??= new RegExp(keyPattern, 'u');
  return keyRule.test(key);
}

/** Where keys may be set, and how they are written. */
export const keyNames = () => ({
  actions: Object.fromEntries(Object.entries(keymap).map(([name, layer]) => [name, actionsIn(layer)])),
  pattern: keyPattern,
});

const otherNames: Readonly<Record<string, string>> = {
  ...{ escape: 'esc', return: 'enter', cr: 'enter', del: 'delete', bs: 'backspace', backtab: 'shift-tab' },
  ...{ pgup: 'pageup', pgdn: 'pagedown', pgdown: 'pagedown', 'page-up': 'pageup', 'page-down': 'pagedown' },
};

/** The name here of a key that other programs call so: `Escape`, `Ctrl+S`, `C-s`, `M-x`, `shift-s`. */
function meantKey(key: string): string {
  const [, shift, control, alt, last = ''] =
    /^<?(?:(shift)|(control|ctrl|ctl|c|\^)|(alt|meta|option|opt|m|a))[-+ ]?(.)>?$/iu.exec(key) ?? [];
  if (shift) return last.toUpperCase();
  if (control) return `ctrl-${last.toLowerCase()}`;
  const plain = key.toLowerCase().replace(/^<(.*)>$/, '$1');
  return alt ? `alt-${last}` : (otherNames[plain] ?? plain);
}

/** Control characters by which terminals send other keys. */
const sameAs: Readonly<Record<string, string>> = {
  'ctrl-i': 'tab',
  'ctrl-m': 'enter',
  'ctrl-j': 'enter',
  'ctrl-h': 'backspace',
  'ctrl-[': 'esc',
};

/** Actions that are a way out; one of their keys must stay. */
const waysOut = new Set(['close', 'cancel', 'quit', 'escape', 'leave']);

/** The end of a sentence about keys that this action cannot have; undefined where it can. */
function wrongKey({ layer, action, keys }: Wish, layers: Layers): string | undefined {
  const { typing, keys: actions } = layers[layer];
  if (keys.length === 0 && waysOut.has(action)) return 'must keep a key: it is a way out';
  for (const key of keys) {
    const says = JSON.stringify(key);
    if (sameAs[key]) return `is ${says}, which terminals send for ${sameAs[key]}; choose another key`;
    if (!isKey(key)) {
      const meant = meantKey(key);
      const nearest = isKey(meant) ? `; did you mean ${meant}?` : orSuggestion(meant, named);
      return `is ${says}, which is no key${nearest} Keys are single characters, ctrl-a to ctrl-z, alt- and a character, f1 to f12, and ${named.join(', ')}`;
    }
    if (typing && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(key))
      return `is ${says}, which is typed as text there; take ctrl and a letter`;
    if (actions[action]?.destroys && (/^(ctrl|alt)-/.test(key) || pressedByMistake.has(key)))
      return `is ${says}, but what destroys has no key with ctrl or alt and none that moves: they are pressed by mistake`;
  }
  return undefined;
}

/** Layers above `everywhere` that are there all the time: what they take never reaches it. */
const places = ['home', 'list', 'detail'] as const;

/** The end of a sentence about another action that has the same key, or takes it first; undefined where none has. */
function conflict({ layer, action, keys }: Wish, layers: Layers): string | undefined {
  for (const key of keys) {
    const other = takenBy(key, layers[layer], layer, action);
    if (other) return `is ${JSON.stringify(key)}, which is ${other} there; give that another key, too`;
  }
  const above = layer === 'everywhere' ? places : [];
  for (const place of above) {
    const takers = keys.map((key) => takenBy(key, layers[place], place));
    const [first] = takers;
    if (first && takers.every(Boolean))
      return `is ${JSON.stringify(keys[0])}, which never reaches it in ${layers[place].title}: it is ${first} there`;
  }
  if (layer === 'everywhere' || layers[layer].modal) return undefined;
  const hidden = Object.entries(layers.everywhere.keys).find(
    ([name, below]) => (below.always || waysOut.has(name)) && below.keys.every((key) => keys.includes(key)),
  );
  return hidden ? `is ${JSON.stringify(keys[0])}, which would take ${hidden[1].help} away there` : undefined;
}

/** The action of a layer that has a key, quoted; not one that shares this key with `action` from the first. */
function takenBy(key: string, { keys }: Layer, layer: LayerName, action?: string): string | undefined {
  const defaults: Readonly<Record<string, Key>> = keymap[layer].keys;
  const together = (name: string) =>
    action !== undefined && defaults[name]?.keys.some((one) => defaults[action]?.keys.includes(one));
  const other = Object.entries(keys).find(
    ([name, { keys: those, explains }]) => name !== action && !explains && those.includes(key) && !together(name),
  );
  return other && JSON.stringify(other[1].help);
}

import type { Key as InkKey } from 'ink';
import { clean, cut } from '../../text/cells.ts';

/** Function keys come as the characters behind this one, which nobody types. */
const functionKeys = 0xf700;

/** The name of a pressed key, as `keymap` spells it. */
export function keyName(input: string, key: InkKey): string {
  const named = (
    [
      ['upArrow', 'up'],
      ['downArrow', 'down'],
      ['leftArrow', 'left'],
      ['rightArrow', 'right'],
      ['pageUp', 'pageup'],
      ['pageDown', 'pagedown'],
      ['home', 'home'],
      ['end', 'end'],
      ['return', 'enter'],
      ['escape', 'esc'],
      ['backspace', 'backspace'],
      ['delete', 'delete'],
    ] as const
  ).find(([flag]) => key[flag]);
  if (named) return named[1];
  // Terminals of the kitty protocol tell it from escape, which it always was.
  if (key.ctrl && input === '[') return 'esc';
  const number = input.charCodeAt(0) - functionKeys;
  if (input.length === 1 && number >= 1 && number <= 12) return `f${number}`;
  if (key.tab) return key.shift ? 'shift-tab' : 'tab';
  if (key.ctrl) return `ctrl-${input}`;
  return input === ' ' ? 'space' : input;
}

/** The characters that a key types; none for named keys and with ctrl. Fast typing may bring several at once. */
export const typedText = (input: string, key: InkKey, name: string): string =>
  key.ctrl || key.tab || (name !== input && name !== 'space') ? '' : input;

/** The named keys that edit a text input. */
export const editsText: ReadonlySet<string> = new Set(['left', 'right', 'backspace', 'delete']);

/** A key that no layer takes. `seen` tells where all keys are shown. */
export const meaninglessKey = (pressed: string, seen: string): string =>
  `"${cut(clean(pressed), 16)}" does nothing here${seen}`;

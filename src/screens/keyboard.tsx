import { type Key as InkKey, useInput, usePaste } from 'ink';
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type KeyName, keymap, type LayerName } from './keymap.ts';
import type { Key, Layer } from './keys/layer.ts';

type Handlers = Readonly<Record<string, ((key: string) => void) | undefined>>;

export interface KeyOptions {
  /** Text is being typed: characters go to the input, only named keys and ctrl keys are commands. */
  typing?: boolean;
  /** Keys that are commands although they would be text. */
  commands?: readonly string[];
  /** Takes the characters that are no command, where no text input does. */
  onText?: (text: string) => void;
  /** Takes a paste of any length. */
  onPaste?: (text: string) => void;
}

interface Registration extends KeyOptions {
  name: LayerName;
  handlers: Handlers;
}

/** The layers that take keys now, and what the footer says of them. */
interface Keyboard {
  add(registration: { current: Registration }): () => void;
  changed(): void;
  press(input: string, key: InkKey): void;
  paste(text: string): void;
  /** Whether the key being handled was a command, which a text input must not take as text. */
  readonly taken: boolean;
  shown: StoreApi<{ keys: readonly { name: string; key: Key }[] }>;
}

const depthOf = ({ name }: Registration) => keymap[name].depth;
const layerOf = (name: LayerName): Layer => keymap[name];

/** The name of a pressed key, as `keymap` spells it. */
function nameOf(input: string, key: InkKey): string {
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
  if (key.tab) return key.shift ? 'shift-tab' : 'tab';
  if (key.ctrl) return `ctrl-${input}`;
  return input === ' ' ? 'space' : input;
}

/** The characters that a key enters; none for named keys and with ctrl. Quick typing may bring several at once. */
const textOf = (input: string, key: InkKey, name: string): string =>
  key.ctrl || key.tab || (name !== input && name !== 'space') ? '' : input;

const editsText = new Set(['left', 'right', 'backspace', 'delete']);

function createKeyboard(isActive: boolean): Keyboard {
  const registrations: { current: Registration }[] = [];
  const shown = createStore<{ keys: readonly { name: string; key: Key }[] }>(() => ({ keys: [] }));
  let taken = false;

  /** The layers from the topmost down to the first that lets nothing through. */
  function reachable(): readonly Registration[] {
    const ordered = registrations.map(({ current }) => current).sort((one, other) => depthOf(other) - depthOf(one));
    const wall = ordered.findIndex(({ name }) => layerOf(name).modal);
    return wall < 0 ? ordered : ordered.slice(0, wall + 1);
  }

  function changed(): void {
    if (!isActive) return;
    const keys = reachable().flatMap(({ name, handlers }) =>
      Object.entries(layerOf(name).keys).flatMap(([command, key]) =>
        handlers[command] ? [{ name: command, key }] : [],
      ),
    );
    const before = shown.getState().keys;
    if (keys.length !== before.length || keys.some(({ key }, index) => key !== before[index]?.key)) {
      shown.setState({ keys });
    }
  }

  function dispatch(pressed: string, text: string): void {
    // Of several characters at once none is a command, also where they spell the name of a key.
    const isKey = text.length <= 1 || [...text].length === 1;
    for (const { name, handlers, typing, commands, onText } of reachable()) {
      if (typing && (text !== '' || editsText.has(pressed)) && !commands?.includes(pressed)) return;
      for (const [command, { keys }] of Object.entries<Key>(layerOf(name).keys)) {
        const handler = handlers[command];
        if (!isKey || !handler || !(keys.includes(pressed) || keys.includes('any'))) continue;
        taken = true;
        handler(pressed);
        return;
      }
      if (!onText || text === '') continue;
      taken = true;
      onText(text);
      return;
    }
    taken = pressed.startsWith('ctrl-') || pressed === 'esc';
  }

  return {
    shown,
    changed,
    get taken() {
      return taken;
    },
    add: (registration) => {
      registrations.push(registration);
      changed();
      return () => {
        registrations.splice(registrations.indexOf(registration), 1);
        changed();
      };
    },
    press: (input, key) => {
      const name = nameOf(input, key);
      taken = key.meta;
      const text = textOf(input, key, name);
      if (!key.meta) return dispatch(name, text);
      // Nothing is bound to alt. Where a terminal says it by an escape, these may as well be two keys that came at once.
      const isEscape = key.eventType === undefined && !reachable().some(({ typing }) => typing);
      if (!isEscape) return;
      dispatch('esc', '');
      // By then the screen is as that key has left it.
      queueMicrotask(() => dispatch(name, text));
    },
    paste: (text) =>
      reachable()
        .find(({ onPaste }) => onPaste)
        ?.onPaste?.(text),
  };
}

const KeyboardContext = createContext<Keyboard | undefined>(undefined);

function useKeyboard(): Keyboard {
  const keyboard = useContext(KeyboardContext);
  if (!keyboard) throw new Error('there is no keyboard here');
  return keyboard;
}

/**
 * Reads the keys and pastes of the terminal, once for the whole program, and hands them to the topmost layer.
 * @param isActive false where the input is no terminal: nothing is read, and no layer is offered any key
 */
export function KeyboardProvider({ isActive = true, children }: { isActive?: boolean; children: ReactNode }) {
  const keyboard = useMemo(() => createKeyboard(isActive), [isActive]);
  useInput(keyboard.press, { isActive });
  usePaste(keyboard.paste, { isActive });
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/**
 * Takes keys for a layer while the component is mounted.
 * @param handlers by the key's name in `keymap`; those left out are not offered
 */
export function useKeys<L extends LayerName>(
  name: L,
  handlers: Partial<Record<KeyName<L>, (key: string) => void>>,
  options: KeyOptions = {},
): void {
  const keyboard = useKeyboard();
  const registration = useRef<Registration>({ name, handlers: handlers as Handlers, ...options });
  registration.current = { name, handlers: handlers as Handlers, ...options };
  useLayoutEffect(() => keyboard.add(registration), [keyboard]);
  useLayoutEffect(() => keyboard.changed());
}

/** The keys that do something now, the topmost layer's first. */
export const useShownKeys = () => useStore(useKeyboard().shown, ({ keys }) => keys);

/** Wraps the change handler of a text input so that it does not take commands as text; it answers whether it took it. */
export function useTextGuard(): (onChange: (text: string) => void) => (text: string) => boolean {
  const keyboard = useKeyboard();
  return (onChange) => (text) => {
    if (keyboard.taken) return false;
    onChange(text);
    return true;
  };
}

import { type Key as InkKey, useInput, usePaste } from 'ink';
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../resources/problems/rule.ts';
import type { Params, Resource } from '../resources/resource.ts';
import type { Target } from '../store/changes/change.ts';
import { type KeyName, keymap, type LayerName } from './keymap.ts';
import type { Key, Layer } from './keys/layer.ts';

type Handlers = Readonly<Record<string, ((key: string) => void) | undefined>>;

/** The keys of a layer are about these rows, or about a problem with one of them. */
export interface Subject {
  resource: Resource;
  targets: readonly Target[];
  /** Those of the list of the rows. */
  params: Params;
  problem?: Problem;
}

/** A key of a place, and what it does now. */
export interface Command {
  layer: LayerName;
  name: string;
  key: Key;
  run: () => void;
}

/** The keys of the place under an overlay, of the topmost layer first, and what they are about. */
export interface KeysOfPlace {
  commands: readonly Command[];
  subjects: readonly Subject[];
}

export interface KeyOptions {
  /** Characters go to a text input; only named keys and ctrl keys are commands. */
  typing?: boolean;
  /** Characters that are commands even so. */
  commands?: readonly string[];
  /** Gets the characters that are no command, where there is no text input. */
  onText?: (text: string) => void;
  /** Gets pasted text of any length. */
  onPaste?: (text: string) => void;
  /** The keys are about this. */
  subject?: Subject;
}

interface Registration extends KeyOptions {
  name: LayerName;
  handlers: Handlers;
}

/** Presses keys in the place of a person. */
export interface Keys {
  /** Whether the keys of a layer work: it is mounted, and nothing modal is above it. */
  reaches(name: LayerName): boolean;
  /** Presses a key, by its name in `keymap`. */
  send(key: string): void;
}

/** The mounted layers, and the keys that the footer shows. */
interface Keyboard extends Keys {
  add(registration: { current: Registration }): () => void;
  changed(): void;
  press(input: string, key: InkKey): void;
  paste(text: string): void;
  /** Whether the current key was a command, which a text input must not insert. */
  readonly taken: boolean;
  ofPlace(): KeysOfPlace;
  shown: StoreApi<{ keys: readonly { name: string; key: Key }[] }>;
}

const depthOf = ({ name }: Registration) => keymap[name].depth;
const layerOf = (name: LayerName): Layer => keymap[name];

/** The name of a pressed key, as `keymap` spells it. */
function keyName(input: string, key: InkKey): string {
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
  if (key.tab) return key.shift ? 'shift-tab' : 'tab';
  if (key.ctrl) return `ctrl-${input}`;
  return input === ' ' ? 'space' : input;
}

/** The characters that a key types; none for named keys and with ctrl. Fast typing may bring several at once. */
const typedText = (input: string, key: InkKey, name: string): string =>
  key.ctrl || key.tab || (name !== input && name !== 'space') ? '' : input;

const editsText = new Set(['left', 'right', 'backspace', 'delete']);

function createKeyboard(isActive: boolean): Keyboard {
  const registrations: { current: Registration }[] = [];
  const shown = createStore<{ keys: readonly { name: string; key: Key }[] }>(() => ({ keys: [] }));
  let taken = false;

  const inOrder = () => registrations.toSorted((one, other) => depthOf(other.current) - depthOf(one.current));

  /** The layers from the topmost down to the first modal one. */
  function reachable(): readonly Registration[] {
    const ordered = inOrder().map(({ current }) => current);
    const modal = ordered.findIndex(({ name }) => layerOf(name).modal);
    return modal < 0 ? ordered : ordered.slice(0, modal + 1);
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
    // Several characters at once are text, even where they spell the name of a key.
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

  /** The commands are those of the moment in which they are run: a row may have changed meanwhile. */
  function ofPlace(): KeysOfPlace {
    const layers = inOrder().filter(({ current }) => !layerOf(current.name).modal);
    const commands = layers.flatMap((registration): Command[] => {
      const { name: layer, handlers } = registration.current;
      return Object.entries(layerOf(layer).keys).flatMap(([name, key]) => {
        const run = () => registration.current.handlers[name]?.(key.keys[0] ?? '');
        return handlers[name] ? [{ layer, name, key, run }] : [];
      });
    });
    return { commands, subjects: layers.flatMap(({ current: { subject } }) => (subject ? [subject] : [])) };
  }

  return {
    shown,
    changed,
    ofPlace,
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
    reaches: (name) => reachable().some((registration) => registration.name === name),
    send: (key) => dispatch(key, ''),
    press: (input, key) => {
      // Those are the keys of the desktop.
      taken = key.super || key.hyper;
      if (taken) return;
      const name = keyName(input, key);
      taken = key.meta;
      const text = typedText(input, key, name);
      if (!key.meta) return dispatch(name, text);
      // Nothing is bound to alt. An alt key that arrives as an escape sequence may be esc and a key in one read.
      const isEscape = key.eventType === undefined && !reachable().some(({ typing }) => typing);
      if (!isEscape) return;
      dispatch('esc', '');
      // After the microtask the screen has handled esc.
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
  if (!keyboard) throw new Error('there is no KeyboardProvider above');
  return keyboard;
}

/**
 * Reads keys and pastes from the terminal, once for the whole program, and hands them to the topmost layer.
 * @param isActive false where the input is no terminal: nothing is read, and the footer shows no keys
 */
export function KeyboardProvider({ isActive = true, children }: { isActive?: boolean; children: ReactNode }) {
  const keyboard = useMemo(() => createKeyboard(isActive), [isActive]);
  useInput(keyboard.press, { isActive });
  usePaste(keyboard.paste, { isActive });
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/** Presses keys in the place of a person. */
export const useKeySender = (): Keys => useKeyboard();

/**
 * Handles the keys of a layer while the component is mounted.
 * @param handlers by the key's name in `keymap`; a key without one is inactive
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

/** Reads the keys of the place under an overlay. */
export const useKeysOfPlace = (): (() => KeysOfPlace) => useKeyboard().ofPlace;

/** The active keys, the topmost layer's first. */
export const useShownKeys = () => useStore(useKeyboard().shown, ({ keys }) => keys);

/** Wraps the change handler of a text input so that commands are not inserted; it returns whether the text was. */
export function useTextGuard(): (onChange: (text: string) => void) => (text: string) => boolean {
  const keyboard = useKeyboard();
  return (onChange) => (text) => {
    if (keyboard.taken) return false;
    onChange(text);
    return true;
  };
}

import { type Key as InkKey, useInput, usePaste } from 'ink';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../resources/problems/rule.ts';
import type { Params, Resource } from '../resources/resource.ts';
import type { Target } from '../store/changes/change.ts';
import { type KeyName, keymap, type LayerName } from './keymap.ts';
import { editsText, keyName, meaninglessKey, typedText } from './keys/keyNames.ts';
import type { Key, Layer } from './keys/layer.ts';

/** Carries a key out. Where it answers with a sentence, because it came to nothing, the footer says that. */
type Handler = (key: string) => unknown;
/** By the names of keys; a sentence tells why a key does nothing now. */
type Handlers = Readonly<Record<string, Handler | string | undefined>>;

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
  /** Why the last key did nothing; blank after a while and after the next key that does something. */
  said: StoreApi<{ text: string }>;
  say(text: string): void;
  shown: StoreApi<{ keys: readonly { name: string; key: Key }[] }>;
}

const depthOf = ({ name }: Registration) => keymap[name].depth;
const layerOf = (name: LayerName): Layer => keymap[name];

/** Why a key did nothing is said for so many milliseconds. */
const saidMs = 2_500;

function createKeyboard(isActive: boolean): Keyboard {
  const registrations: { current: Registration }[] = [];
  const shown = createStore<{ keys: readonly { name: string; key: Key }[] }>(() => ({ keys: [] }));
  const said = createStore(() => ({ text: '' }));
  let taken = false;
  let silence: NodeJS.Timeout | undefined;

  /** Says a sentence for a while; a key that is held says it once. */
  function say(text: string): void {
    if (text !== '' && text === said.getState().text) {
      silence?.refresh();
      return;
    }
    clearTimeout(silence);
    if (text !== '') silence = setTimeout(() => say(''), saidMs).unref();
    if (text !== said.getState().text) said.setState({ text });
  }

  /** Says why a key did nothing: the reason of the topmost layer that knows it, or else that none does. */
  function refuse(pressed: string, reason: string | undefined): void {
    const layers = reachable();
    // Other keys are for the text input, which may know them.
    if (reason === undefined && (pressed === '' || layers.some(({ typing }) => typing))) return;
    const hasHelp = layers.some(({ handlers }) => typeof handlers.help === 'function');
    say(reason ?? meaninglessKey(pressed, hasHelp ? '; ? shows the keys.' : '.'));
  }

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
        typeof handlers[command] === 'function' ? [{ name: command, key }] : [],
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
    let reason: string | undefined;
    for (const { name, handlers, typing, commands, onText } of reachable()) {
      if (typing && (text !== '' || editsText.has(pressed)) && !commands?.includes(pressed)) return;
      for (const [command, { keys }] of Object.entries<Key>(layerOf(name).keys)) {
        const handler = handlers[command];
        if (!isKey || !handler || !(keys.includes(pressed) || keys.includes('any'))) continue;
        if (typeof handler === 'string') {
          reason ??= handler;
          continue;
        }
        taken = true;
        const answer = handler(pressed);
        say(typeof answer === 'string' ? answer : '');
        return;
      }
      if (!onText || text === '') continue;
      taken = true;
      say('');
      onText(text);
      return;
    }
    taken = pressed.startsWith('ctrl-') || pressed === 'esc';
    refuse(pressed, reason);
  }

  /** The commands are those of the moment in which they are run: a row may have changed meanwhile. */
  function ofPlace(): KeysOfPlace {
    const layers = inOrder().filter(({ current }) => !layerOf(current.name).modal);
    const commands = layers.flatMap((registration): Command[] => {
      const { name: layer, handlers } = registration.current;
      return Object.entries(layerOf(layer).keys).flatMap(([name, key]) => {
        const run = () => {
          const handler = registration.current.handlers[name];
          const answer = typeof handler === 'function' ? handler(key.keys[0] ?? '') : handler;
          if (typeof answer === 'string') say(answer);
        };
        return typeof handlers[name] === 'function' ? [{ layer, name, key, run }] : [];
      });
    });
    return { commands, subjects: layers.flatMap(({ current: { subject } }) => (subject ? [subject] : [])) };
  }

  return {
    shown,
    said,
    say,
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
  useEffect(() => () => keyboard.say(''), [keyboard]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/** Presses keys in the place of a person. */
export const useKeySender = (): Keys => useKeyboard();

/**
 * Handles the keys of a layer while the component is mounted.
 * @param handlers by the key's name in `keymap`; a sentence in place of one tells why the key does nothing now, and a key
 *   with neither means nothing
 */
export function useKeys<L extends LayerName>(
  name: L,
  handlers: Partial<Record<KeyName<L>, Handler | string>>,
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

/** Why the last key did nothing; mostly blank. */
export const useSaid = (): string => useStore(useKeyboard().said, ({ text }) => text);

/** Whether a key of the reachable layers does something now. */
export const useIsShown = (name: string): boolean =>
  useStore(useKeyboard().shown, ({ keys }) => keys.some((one) => one.name === name));

/** Wraps the change handler of a text input so that commands are not inserted; it returns whether the text was. */
export function useTextGuard(): (onChange: (text: string) => void) => (text: string) => boolean {
  const keyboard = useKeyboard();
  return (onChange) => (text) => {
    if (keyboard.taken) return false;
    onChange(text);
    return true;
  };
}

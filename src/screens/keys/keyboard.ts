import type { Key as InkKey } from 'ink';
import { createStore } from 'zustand/vanilla';
import { memoize } from '../../resources/memoize.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Submission } from '../../store/changes/change.ts';
import { isSame } from '../../store/rows.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { textIn } from '../../text/words.ts';
import { keymap, type LayerName } from '../keymap.ts';
import { editsText, keyName, meaninglessKey, typedText } from './keyNames.ts';
import type { Key, Layer } from './layer.ts';
import type { Layers } from './userKeys.ts';

/** Carries a key out. Where it answers with a sentence, because it came to nothing, the footer says that. */
export interface Handler {
  (key: string): unknown;
  /** It only says this sentence: the key is not offered, and does not reach the layers below either. */
  refuses?: string;
}
/** By the names of keys; a sentence tells why a key does nothing now. */
export type Handlers = Readonly<Record<string, Handler | string | undefined>>;

/** The keys of a layer are about these rows, or about a problem with one of them. */
export interface KeySubject extends Pick<Submission, 'resource' | 'targets' | 'params'> {
  problem?: Problem;
}

/** A key of a place, and what it does now. */
export interface Command extends KnownKey {
  run: () => void;
}

/** A key that the layers of a place know. */
export interface KnownKey {
  layer: LayerName;
  name: string;
  key: Key;
  /** Why it does nothing now. */
  reason?: string;
}

/** The keys of the place under an overlay, of the topmost layer first, and what they are about. */
export type KeysOfPlace = ReturnType<Keyboard['ofPlace']>;

/** Marked rows, and the keys for what can be done to all of them. */
export interface Marked {
  count: string;
  /** The end of that where the filter hides further ones: `, 2 hidden`. */
  hidden: string;
  keys: readonly Key[];
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
  /** The command that the footer names before all others. */
  lead?: string | undefined;
  /** The words of the footer for commands that mean something of their own here. */
  words?: Readonly<Record<string, string>> | undefined;
  /** The keys are about this. */
  subject?: KeySubject;
  /** Undefined while nothing is marked. */
  marked?: Marked;
  /** The keys of a layer that the configuration fills, by command. */
  own?: Readonly<Record<string, Key>>;
}

/** The keys that do something now, the topmost layer's first. */
export type ShownKeys = ReturnType<typeof shownOf>;

export interface Registration extends KeyOptions {
  name: LayerName;
  handlers: Handlers;
}

/** The mounted layers, and the keys that the footer shows. */
export type Keyboard = ReturnType<typeof createKeyboard>;

/** Presses keys in the place of a person. */
export type Keys = Pick<Keyboard, 'reaches' | 'send'>;

/** A command without a key is offered with its reason as well: no press tells that. */
const isOffered = (handler: Handler | string | undefined, key?: Key) =>
  typeof handler === 'function' ? !handler.refuses : handler !== undefined && key?.keys.length === 0;

const depthOf = ({ name }: Registration) => keymap[name].depth;

/** Whether the footer shows the same keys of a layer before and after it was drawn again. */
export const offersTheSame = (before: Registration, after: Registration): boolean =>
  before.name === after.name &&
  before.lead === after.lead &&
  before.marked === after.marked &&
  namesIn(keymap[after.name]).every((name) => isOffered(before.handlers[name]) === isOffered(after.handlers[name]));

const namesIn = memoize(({ keys }: Layer): readonly string[] => Object.keys(keys));

/** Why a key did nothing is said for so many milliseconds. */
const saidMs = 2_500;

/** A sentence that is there for a while; one that is said again stays longer, and is not drawn again. */
function createSaid() {
  const said = createStore(() => ({ text: '' }));
  let silence: NodeJS.Timeout | undefined;
  function say(text: string): void {
    clearTimeout(silence);
    if (text !== '') silence = setTimeout(() => say(''), saidMs).unref();
    if (text !== said.getState().text) said.setState({ text });
  }
  return { said, say };
}

/** The keys of these layers that the footer shows; the topmost layer is the first. */
function shownOf(reached: readonly Registration[], layers: Layers) {
  const lead = reached.find((layer) => layer.lead)?.lead;
  const keys = reached
    .flatMap(({ name, handlers, words }) =>
      Object.entries<Key>(layers[name].keys).flatMap(([command, key]) =>
        key.keys.length > 0 && isOffered(handlers[command])
          ? [{ name: command, key: { ...key, help: words?.[command] ?? key.help } }]
          : [],
      ),
    )
    .toSorted((one, other) => Number(other.name === lead) - Number(one.name === lead));
  return { keys, marked: reached.find((layer) => layer.marked)?.marked };
}

/** @param isActive false where nothing is read: the footer shows no keys then */
export function createKeyboard(isActive: boolean) {
  const registrations: { current: Registration }[] = [];
  const shown = createStore<ShownKeys>(() => ({ keys: [], marked: undefined }));
  const { said, say } = createSaid();
  let taken = false;
  let layers: Layers = keymap;
  const layerOf = (name: LayerName): Layer => layers[name];
  const keysOf = ({ name, own }: Registration): Layer['keys'] => own ?? layerOf(name).keys;

  /** Says why a key did nothing: the reason of the topmost layer that knows it, or else that none does. */
  function refuse(pressed: string, reason: string | undefined): void {
    if (reason === undefined && pressed === '') return;
    const hasHelp = reachable().some(({ handlers }) => typeof handlers.help === 'function');
    say(reason ?? meaninglessKey(pressed, hasHelp ? `; ${keyLabel('everywhere.help', '?')} shows the keys.` : '.'));
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
    const next = shownOf(reachable(), layers);
    if (!isSame(next, shown.getState())) shown.setState(next);
  }

  function dispatch(pressed: string, text: string): void {
    // Several characters at once are text, even where they spell the name of a key.
    const isKey = text.length <= 1 || [...text].length === 1;
    let reason: string | undefined;
    for (const registration of reachable()) {
      const { handlers, typing, commands, onText } = registration;
      if (typing && (text !== '' || editsText.has(pressed)) && !commands?.includes(pressed)) return;
      for (const [command, { keys }] of Object.entries(keysOf(registration))) {
        const handler = handlers[command];
        // A key with a reason of its own is not taken for any other.
        if (!isKey || !handler || !(keys.includes(pressed) || (keys.includes('any') && !reason))) continue;
        if (typeof handler === 'string') {
          reason ??= handler;
          continue;
        }
        taken = true;
        const answer = keyboard.around(() => handler(pressed));
        say(typeof answer === 'string' ? answer : '');
        return;
      }
      if (!onText || text === '') continue;
      taken = true;
      say('');
      onText(text);
      return;
    }
    taken = pressed.startsWith('ctrl-') || pressed === 'esc' || /^f\d+$/.test(pressed);
    refuse(pressed, reason);
  }

  /** The layers of the place under an overlay. */
  const layersOfPlace = () => inOrder().filter(({ current }) => !layerOf(current.name).modal);

  /** Each key of these layers that does something or tells why not. */
  const keysIn = (some: readonly { current: Registration }[]) =>
    some.flatMap((registration) => {
      const { name: layer, handlers } = registration.current;
      return Object.entries(keysOf(registration.current)).flatMap(([name, key]) => {
        const handler = handlers[name];
        return handler === undefined ? [] : [{ registration, layer, name, key, handler }];
      });
    });

  /** The commands are those of the moment in which they are run: a row may have changed meanwhile. */
  function ofPlace() {
    const commands = keysIn(layersOfPlace()).flatMap(({ registration, handler, ...command }): Command[] => {
      const run = () => {
        const latest = registration.current.handlers[command.name];
        const answer = typeof latest === 'function' ? latest(command.key.keys[0] ?? '') : latest;
        if (typeof answer === 'string') say(answer);
      };
      return isOffered(handler, command.key) ? [{ ...command, reason: textIn(handler), run }] : [];
    });
    return { commands, subjects: layersOfPlace().flatMap(({ current: { subject } }) => subject ?? []) };
  }

  /** The keys of what opens the help over itself, as the plan does, else those of the place. */
  const known = (): readonly KnownKey[] => {
    const top = inOrder().find(({ current }) => layerOf(current.name).modal);
    const some = typeof top?.current.handlers.help === 'function' ? [top] : layersOfPlace();
    return keysIn(some).map(({ handler, registration: _, ...one }) => ({
      ...one,
      reason: typeof handler === 'string' ? handler : handler.refuses,
    }));
  };

  const keyboard = {
    around: <T>(run: () => T): T => run(),
    shown,
    /** Why the last key did nothing; blank after a while and after the next key that does something. */
    said,
    say,
    changed,
    ofPlace,
    known,
    /** Whether the current key was a command, which a text input must not insert. */
    get taken(): boolean {
      return taken;
    },
    /** The layers with the user's own keys. */
    set layers(own: Layers) {
      layers = own;
      changed();
    },
    add: (registration: { current: Registration }) => {
      registrations.push(registration);
      if (layerOf(registration.current.name).modal) say(''); // Its keys stand there.
      return () => {
        registrations.splice(registrations.indexOf(registration), 1);
        changed();
      };
    },
    /** Whether the keys of a layer work: it is mounted, and nothing modal is above it. */
    reaches: (name: LayerName): boolean => reachable().some((registration) => registration.name === name),
    /** Presses a key, by its name in `keymap`. */
    send: (key: string) => dispatch(key, ''),
    press: (input: string, key: InkKey) => {
      taken = key.super || key.hyper;
      if (taken) return; // Those are the keys of the desktop.
      const name = keyName(input, key);
      taken = key.meta;
      const text = typedText(input, key, name);
      if (!key.meta) return dispatch(name, text);
      const alt = `alt-${name}`;
      if (reachable().some((layer) => Object.values(keysOf(layer)).some(({ keys }) => keys.includes(alt))))
        return dispatch(alt, '');
      // Another one that arrives as an escape sequence may be esc and a key in one read.
      if (key.eventType !== undefined || reachable().some(({ typing }) => typing)) return;
      dispatch('esc', '');
      // After the microtask the screen has handled esc.
      queueMicrotask(() => dispatch(name, text));
    },
    paste: (text: string) =>
      reachable()
        .find(({ onPaste }) => onPaste)
        ?.onPaste?.(text),
  };
  return keyboard;
}

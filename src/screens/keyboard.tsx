import { useInput, usePaste } from 'ink';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { Stores } from '../store/stores.ts';
import { type KeyName, keymap, type LayerName } from './keymap.ts';
import {
  createKeyboard,
  type Handler,
  type Handlers,
  type Keyboard,
  type KeyOptions,
  offersTheSame,
  type Registration,
  type ShownKeys,
} from './keys/keyboard.ts';
import { presets } from './keys/presets.ts';
import { keymapWith, type Layers, type UserKeymap } from './keys/userKeys.ts';

const KeyboardContext = createContext<Keyboard | undefined>(undefined);

/** Presses keys in the place of a person, and reads those of the place under an overlay. */
export function useKeyboard(): Keyboard {
  const keyboard = useContext(KeyboardContext);
  if (!keyboard) throw new Error('there is no KeyboardProvider above');
  return keyboard;
}

interface KeyboardProviderProps {
  isActive?: boolean;
  layers?: Layers;
  /** Sees each key first; one that it answers with true is used up. */
  onKey?: (isEscape: boolean) => boolean;
  children: ReactNode;
}

/**
 * Reads keys and pastes from the terminal, once for the whole program, and hands them to the topmost layer.
 * @param isActive false where the input is no terminal: nothing is read, and the footer shows no keys
 * @param layers those of the user's own keys; `keymap` by default
 */
export function KeyboardProvider({ isActive = true, layers = keymap, onKey, children }: KeyboardProviderProps) {
  const keyboard = useMemo(() => createKeyboard(isActive), [isActive]);
  useLayoutEffect(() => {
    keyboard.layers = layers;
  }, [keyboard, layers]);
  useInput(
    (input, key) => {
      if (!onKey?.(key.escape)) keyboard.press(input, key);
    },
    { isActive },
  );
  usePaste(keyboard.paste, { isActive });
  useEffect(() => () => keyboard.say(''), [keyboard]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/** Carries out each key by this while the component is mounted. */
export function useAround(around: Keyboard['around']): void {
  const keyboard = useKeyboard();
  useLayoutEffect(() => {
    keyboard.around = around;
  }, [keyboard, around]);
}

/** Handlers of the keys of a layer, or sentences why they do nothing; of two layers, those of either. */
export type HandlersOf<L extends LayerName> = L extends LayerName
  ? Partial<Record<KeyName<L>, Handler | string>>
  : never;

/**
 * Handles the keys of a layer while the component is mounted.
 * @param handlers by the key's name in `keymap`; a sentence in place of one tells why the key does nothing now, and a key
 *   with neither means nothing
 */
export function useKeys<L extends LayerName>(name: L, handlers: HandlersOf<L>, options: KeyOptions = {}): void {
  const keyboard = useKeyboard();
  const registration = useRef<Registration>({ name, handlers: handlers as Handlers, ...options });
  const told = useRef<Registration>(undefined);
  registration.current = { name, handlers: handlers as Handlers, ...options };
  useLayoutEffect(() => keyboard.add(registration), [keyboard]);
  useLayoutEffect(() => {
    if (told.current && offersTheSame(told.current, registration.current)) return;
    told.current = registration.current;
    keyboard.changed();
  });
}

/** The active keys, the topmost layer's first. */
export const useShownKeys = (): ShownKeys => useStore(useKeyboard().shown);

/** Why the last key did nothing; mostly blank. */
export const useSaid = (): string => useStore(useKeyboard().said, ({ text }) => text);

/** Whether a key of the reachable layers does something now; false without a name. */
export const useIsShown = (name: string | undefined): boolean =>
  useStore(useKeyboard().shown, ({ keys }) => keys.some((one) => one.name === name));

/** Wraps the change handler of a text input so that commands are not inserted; it returns whether the text was wanted. */
export function useTextGuard(): (onChange: (text: string) => unknown) => (text: string) => boolean {
  const keyboard = useKeyboard();
  return (onChange) => (text) => !keyboard.taken && onChange(text) !== false;
}

type PresetName = keyof typeof presets;

/** The names of the presets. */
export const presetNames = Object.keys(presets) as readonly PresetName[];

/** The keymap of the configuration, which begins with the preset that was chosen in the help where it names none itself. */
export function useUserKeymap({
  configuration,
  navigation,
}: Pick<Stores, 'configuration' | 'navigation'>): UserKeymap & { preset: PresetName; isConfigured: boolean } {
  const keys = useStore(configuration, (state) => state.keys);
  const chosen = useStore(navigation, (state) => state.preset);
  return useMemo(() => {
    const preset = keys.preset ?? presetNames.find((name) => name === chosen) ?? 'default';
    const own = preset === keys.preset || preset === 'default' ? keys : ({ preset, ...keys } as typeof keys);
    return { ...keymapWith(own), preset, isConfigured: keys.preset !== undefined };
  }, [keys, chosen]);
}

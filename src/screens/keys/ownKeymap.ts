import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Stores } from '../../store/stores.ts';
import { presets } from './presets.ts';
import { keymapWith, type OwnKeymap } from './userKeys.ts';

export type PresetName = keyof typeof presets;

/** The names of the presets. */
export const presetNames = Object.keys(presets) as readonly PresetName[];

/** The keymap of the configuration, which begins with the preset that was chosen in the help where it names none itself. */
export function useOwnKeymap({
  configuration,
  navigation,
}: Pick<Stores, 'configuration' | 'navigation'>): OwnKeymap & { preset: PresetName; isConfigured: boolean } {
  const keys = useStore(configuration, (state) => state.keys);
  const chosen = useStore(navigation, (state) => state.preset);
  return useMemo(() => {
    const preset = keys.preset ?? presetNames.find((name) => name === chosen) ?? 'default';
    const own = preset === keys.preset || preset === 'default' ? keys : ({ preset, ...keys } as typeof keys);
    return { ...keymapWith(own), preset, isConfigured: keys.preset !== undefined };
  }, [keys, chosen]);
}

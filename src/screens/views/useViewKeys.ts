import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useKeys } from '../keyboard.tsx';
import type { Key } from '../keys/layer.ts';
import { useStores } from '../useStores.ts';
import { openView } from './openView.ts';

/** The keys that the configuration gives to the user's own views. */
export function useViewKeys(): void {
  const stores = useStores();
  const views = useStore(stores.configuration, (state) => state.views);
  const own = useMemo(() => {
    const keyed = Object.entries(views).flatMap(([name, { key }]) => (key === undefined ? [] : [[name, key] as const]));
    return keyed.map(([name, key]): [string, Key] => [name, { keys: [key], help: `view ${name}`, minor: true }]);
  }, [views]);
  const handlers = Object.fromEntries(own.map(([name]) => [name, () => openView(stores, name)]));
  useKeys('views', handlers, { own: Object.fromEntries(own) });
}

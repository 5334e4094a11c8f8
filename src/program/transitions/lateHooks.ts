import type { Stores } from '../../store/stores.ts';
import type { createHooks, Hooks } from './hooks.ts';

/** Hooks that are loaded when an account has any. */
export function lateHooks(options: Parameters<typeof createHooks>[0]): {
  follow(stores: Stores): () => void;
  stop(): void;
} {
  let loaded: Promise<Hooks> | undefined;
  let isOver = false;
  const load = async () => (await import('./hooks.ts')).createHooks(options);

  return {
    follow(stores) {
      const { configuration } = stores;
      let leave: (() => void) | undefined;
      let isLeft = false;
      const begin = async () => {
        if (configuration.getState().hooks.length === 0 || leave) return;
        leave = () => {};
        loaded ??= load();
        const hooks = await loaded;
        if (!isLeft && !isOver) leave = hooks.follow(stores);
      };
      void begin();
      const unsubscribe = configuration.subscribe(() => void begin());
      return () => {
        isLeft = true;
        unsubscribe();
        leave?.();
      };
    },
    stop: () => {
      isOver = true;
      void loaded?.then(({ stop }) => stop());
    },
  };
}

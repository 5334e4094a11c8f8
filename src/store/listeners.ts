/** Those who are told of something. */
export function createListeners<Told extends readonly unknown[]>() {
  const listeners = new Set<(...told: Told) => void>();
  return {
    tell: (...told: Told): void => {
      for (const listener of listeners) listener(...told);
    },
    /** Tells one of all that comes; returns a function that ends this. */
    subscribe: (listener: (...told: Told) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Resolves once something is so, which a store tells by a change. */
export const until = (store: { subscribe(listener: () => void): () => void }, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      leave();
      resolve();
    };
    const leave = store.subscribe(look);
    look();
  });

/** One function that calls all of these. */
export const allOf =
  (ends: readonly ((() => void) | undefined)[]): (() => void) =>
  () => {
    for (const end of ends) end?.();
  };

/**
 * The keys that sentences name. A terminal has one keyboard, so there is one such table in a process; it is empty where
 * the user has no keys of their own.
 */
let own: Readonly<Record<string, string>> = {};

/** Stands in a sentence where an action has no key any more: `no key makes the first server`. */
export const noKey = 'no key';

/** Sets the keys that are others than usual, by layer and action: `list.create`. */
export function setUserKeyLabels(labels: Readonly<Record<string, string>>): void {
  own = labels;
}

/** The key of an action for a sentence; `usual` is the one of the program. */
export const keyLabel = (action: string, usual: string): string => own[action] ?? usual;

/** One command and its keys. */
export interface Key {
  /** `ctrl-s`, `shift-tab`, `pagedown`, `space`, or the character itself; the footer shows the first. */
  keys: readonly string[];
  /** A few words for the footer. */
  help: string;
  /** Not in the footer, which has room for the most important only. */
  minor?: true;
  /** In the footer however narrow it is. */
  always?: true;
  /** Changes something, which a read-only session can at most put into the plan. */
  writes?: true;
  /** It does nothing but say why keys of these actions of lists do nothing here. */
  explains?: readonly string[];
  /** Deletes; no key that is pressed by mistake may begin it. */
  destroys?: true;
}

/** The keys of one layer; a higher layer takes a key before the ones below it. */
export interface Layer {
  title: string;
  depth: number;
  /** The layers below get nothing. */
  modal?: true;
  /** Characters may be typed into it, so that none can be a command. */
  typing?: true;
  keys: Readonly<Record<string, Key>>;
}

type Keys = Layer['keys'];

interface LayerOf<K extends Keys> extends Layer {
  keys: K;
}

/** A layer by its title, depth and keys. */
export const layer = <const K extends Keys>(title: string, depth: number, keys: K): LayerOf<K> => ({
  title,
  depth,
  keys,
});

/** One above layers that get no key. */
export const modal = <const K extends Keys>(title: string, depth: number, keys: K): LayerOf<K> => ({
  ...layer(title, depth, keys),
  modal: true,
});

/** One into which characters may be typed. */
export const typing = <const K extends Keys>(title: string, depth: number, keys: K): LayerOf<K> => ({
  ...modal(title, depth, keys),
  typing: true,
});

/** The keys that move a cursor or scroll. */
export const moving = {
  up: { keys: ['up', 'k'], help: 'up', minor: true },
  down: { keys: ['down', 'j'], help: 'down', minor: true },
  pageUp: { keys: ['pageup', 'ctrl-b'], help: 'page up', minor: true },
  pageDown: { keys: ['pagedown', 'ctrl-f'], help: 'page down', minor: true },
  first: { keys: ['g', 'home'], help: 'first', minor: true },
  last: { keys: ['G', 'end'], help: 'last', minor: true },
} as const satisfies Record<string, Key>;

/** Opens the palette. */
export const palette = { keys: [':'], help: 'go to' } as const satisfies Key;

/** Suspends the program, as a shell's job control does. */
export const suspend = { keys: ['ctrl-z'], help: 'suspend; fg resumes', minor: true } as const satisfies Key;

/** Opens the related rows. */
export const related = { keys: ['x'], help: 'related' } as const satisfies Key;

/** Any key that a dialog ignores while it reads again or sends. */
export const busy = { keys: ['any'], help: 'explains what is under way', minor: true } as const satisfies Key;

/** Stops a change of many rows, or transfers, after the rows or files under way. */
export const stopSending = { keys: ['X'], help: 'stop sending' } as const satisfies Key;

/** Has a plan or a rolling action begin nothing for now, or go on. */
export const pause = { keys: ['Z'], help: 'pause, or go on', minor: true } as const satisfies Key;

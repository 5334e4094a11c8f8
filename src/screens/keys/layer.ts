/** The keys of one command. */
export interface Key {
  /** `ctrl-s`, `shift-tab`, `pagedown`, `space`, or the character itself; the first is the one that is shown. */
  keys: readonly string[];
  /** A few words for the footer. */
  help: string;
  /** Left out of the footer. */
  minor?: true;
  /** In the footer even where there is little room. */
  always?: true;
  /** Writes, so it is not offered read-only. */
  writes?: true;
}

/** The keys of one layer; a higher layer takes a key before the ones below it. */
export interface Layer {
  title: string;
  depth: number;
  /** The layers below get nothing. */
  modal?: true;
  keys: Readonly<Record<string, Key>>;
}

/** The keys that move a cursor or scroll. */
export const moving = {
  up: { keys: ['up', 'k'], help: 'up', minor: true },
  down: { keys: ['down', 'j'], help: 'down', minor: true },
  pageUp: { keys: ['pageup', 'ctrl-b'], help: 'page up', minor: true },
  pageDown: { keys: ['pagedown', 'ctrl-f'], help: 'page down', minor: true },
  first: { keys: ['g', 'home'], help: 'first', minor: true },
  last: { keys: ['G', 'end'], help: 'last', minor: true },
} as const satisfies Record<string, Key>;

/** Suspends the program and returns to the shell. */
export const suspend = { keys: ['ctrl-z'], help: 'to the shell; fg comes back', minor: true } as const satisfies Key;

/** Opens the related rows of a row. */
export const related = { keys: ['x'], help: 'related' } as const satisfies Key;

/** Every other key of a dialog while it is read again or sent. */
export const busy = { keys: ['any'], help: 'says when it is being read or sent', minor: true } as const satisfies Key;

/** Stops changes after the rows that are being sent, and transfers. */
export const stopSending = { keys: ['S'], help: 'stop sending' } as const satisfies Key;

/** One thing that keys do. */
export interface Key {
  /** `ctrl-s`, `shift-tab`, `pagedown`, `space`, or the character itself; the first is the one that is shown. */
  keys: readonly string[];
  /** A few words for the footer. */
  help: string;
  /** Left out of the footer, which has room for the most needed only. */
  minor?: true;
  /** Never left out of the footer for want of room. */
  always?: true;
  /** Changes something, so it is not offered read-only. */
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

/** The keys that move a cursor or what is in sight. */
export const moving = {
  up: { keys: ['up', 'k'], help: 'up', minor: true },
  down: { keys: ['down', 'j'], help: 'down', minor: true },
  pageUp: { keys: ['pageup', 'ctrl-b'], help: 'page up', minor: true },
  pageDown: { keys: ['pagedown', 'ctrl-f'], help: 'page down', minor: true },
  first: { keys: ['g', 'home'], help: 'first', minor: true },
  last: { keys: ['G', 'end'], help: 'last', minor: true },
} as const satisfies Record<string, Key>;

/** The key that leaves the terminal to the shell. */
export const suspend = { keys: ['ctrl-z'], help: 'to the shell; fg comes back', minor: true } as const satisfies Key;

/** The key that leads to what a row has to do with. */
export const related = { keys: ['x'], help: 'related' } as const satisfies Key;

/** Every key that a dialog does not take while it is read again or sent. */
export const busy = { keys: ['any'], help: 'says when it is being read or sent', minor: true } as const satisfies Key;

/** The key that stops what is under way, after the rows or files that are. */
export const stopSending = { keys: ['S'], help: 'stop sending' } as const satisfies Key;

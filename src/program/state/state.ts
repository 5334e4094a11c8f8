import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase, stateFileName } from './database.ts';
import type { RunOwner } from './runs.ts';

/** The process of the program, which may carry plans out. On Windows it has no user, who alone may have written the state. */
export type StateHost = RunOwner & Pick<NodeJS.Process, 'env' | 'geteuid'>;

/** The state of the user, opened when it is first needed. */
export type State = ReturnType<typeof openState>;

/**
 * @param owner the only user who may have written it; absent on Windows
 * @param use `looks`: a file that cannot be used is not set aside, as nobody would be told
 */
export function openState(directory: string, owner: number | undefined, now: () => number = Date.now, use?: 'looks') {
  const file = join(directory, stateFileName);
  const held = { is: false };
  let opened: Database | undefined;
  let tell: ((says: string) => void) | undefined;
  const told: string[] = [];

  function notice(says: string): void {
    if (tell) tell(says);
    else told.push(says);
  }

  /** The database, made where there is none, and written again where it was removed. Throws a StateError. */
  function toWrite(): Database {
    opened?.closeLost();
    if (!opened || opened.isOver)
      opened = openDatabase({ directory, owner, now, held, onAside: use ? undefined : notice });
    return opened;
  }

  return {
    directory,
    owner,
    /** Milliseconds since the epoch. */
    now,
    toWrite,
    /** The database where there is one. Throws a StateError. */
    toRead: () => ((opened && !opened.isOver) || existsSync(file) ? toWrite() : undefined),
    /** Told, as sentences, of what was set aside or not taken over; also of what was before. */
    onNotice(listener: (says: string) => void) {
      tell = listener;
      for (const says of told.splice(0)) listener(says);
    },
    notice,
    close: () => opened?.close(),
  };
}

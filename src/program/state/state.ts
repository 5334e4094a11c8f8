import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase, stateFileName } from './database.ts';
import type { RunOwner } from './runs.ts';

/** The process of the program, which may carry plans out. On Windows it has no user, who alone may have written the state. */
export type StateHost = RunOwner & Pick<NodeJS.Process, 'env' | 'geteuid'>;

/** The state of the user, opened when it is first needed. */
export interface State {
  readonly directory: string;
  readonly owner: number | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The database, made where there is none. Throws a StateError. */
  toWrite(): Database;
  /** The database where there is one. Throws a StateError. */
  toRead(): Database | undefined;
  /** Told, as sentences, of what was set aside or not taken over; also of what was before. */
  onNotice(listener: (says: string) => void): void;
  notice(says: string): void;
  close(): void;
}

/**
 * @param owner the only user who may have written it; absent on Windows
 * @param use `looks`: a file that cannot be used is not set aside, as nobody would be told
 */
export function openState(
  directory: string,
  owner: number | undefined,
  now: () => number = Date.now,
  use?: 'looks',
): State {
  const file = join(directory, stateFileName);
  const held = { is: false };
  let opened: Database | undefined;
  let tell: ((says: string) => void) | undefined;
  const told: string[] = [];

  function notice(says: string): void {
    if (tell) tell(says);
    else told.push(says);
  }

  function toWrite(): Database {
    if (!opened || opened.isOver)
      opened = openDatabase({ directory, owner, now, held, onAside: use ? undefined : notice });
    return opened;
  }

  return {
    directory,
    owner,
    now,
    toWrite,
    toRead: () => (opened && !opened.isOver ? opened : existsSync(file) ? toWrite() : undefined),
    onNotice(listener) {
      tell = listener;
      for (const says of told.splice(0)) listener(says);
    },
    notice,
    close: () => opened?.close(),
  };
}

import { closeSync, constants, existsSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { foundOrMade } from '../../resources/memoize.ts';
import { attempt } from '../../text/errno.ts';
import { checkPrivate, preparePrivate, type Trusted, UnsafeFileError } from '../privateFile.ts';
import { replaceBy } from '../replaceFile.ts';
import {
  codes,
  ForeignSchema,
  isOutOfRange,
  LaterVersion,
  primaryCode,
  StateError,
  stateError,
  whyUnusable,
} from './failures.ts';
import { schema } from './schema.ts';

/** SQLite keeps these beside its file: what is written but not in it yet, and what sessions share of it. */
const companions: readonly string[] = ['-wal', '-shm', '-journal'];

/** Its plans would be sent, and its rows shown. */
export const trustedState: Trusted = { called: 'The state', because: 'so nothing of it is used', isSecret: true };

/** Makes directory and file for their owner alone. Throws a StateError where they are not the owner's alone. */
function prepare(file: string, owner: number | undefined): void {
  try {
    for (const name of ['', ...companions]) checkPrivate(`${file}${name}`, trustedState, owner);
    preparePrivate(dirname(file), owner);
    const { O_CREAT, O_EXCL, O_RDWR } = constants;
    // SQLite itself would make it readable by others.
    if (!lstatSync(file, { throwIfNoEntry: false })) closeSync(openSync(file, O_CREAT | O_EXCL | O_RDWR, 0o600));
  } catch (error) {
    if (error instanceof UnsafeFileError) throw new StateError(error.message);
    // Another session may have made it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !lstatSync(file, { throwIfNoEntry: false })?.isFile())
      throw stateError(file, 'opened', error);
  }
}

/** The name of the file within the state directory. */
export const stateFileName = 'skydeck.db';

/** Another session holds the file for a few milliseconds; of one that held it for so long the next wait is short. */
const busyMs = 3_000;
const heldMs = 50;

type Values = readonly SQLInputValue[];
type Found = Readonly<Record<string, SQLOutputValue>>;

/** The state of all accounts, in one file that only its owner can read. Every function throws a StateError. */
export type Database = ReturnType<typeof databaseOf>;

interface OpenOptions {
  directory: string;
  /** The only user who may have written it; absent on Windows. */
  owner: number | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told, as a sentence, of a file that was set aside, removed or replaced; without it none is set aside. */
  onAside?: (says: string) => void;
  /** Of SQLite, in place of its own. */
  vfs?: string;
  /** Whether another session was found to hold the file, and holds it still as far as is known. */
  held?: { is: boolean };
}

type Opening = OpenOptions & Required<Pick<OpenOptions, 'held'>>;

/**
 * Opens the state, makes it where there is none, and sets a file aside that is damaged or of a later version. Nothing is
 * believed that somebody else could have written. Throws a StateError.
 */
export function openDatabase(given: OpenOptions): Database {
  const options = { held: { is: false }, ...given };
  const { directory, owner } = options;
  const file = join(directory, stateFileName);
  const open = (isAnew: boolean): Database => {
    let found: number | undefined;
    try {
      prepare(file, owner);
      found = inodeOf(file);
      return connect(options, file);
    } catch (error) {
      if (error instanceof StateError) throw error;
      if (isAnew || whyUnusable(error) === undefined || !options.onAside) throw stateError(file, 'opened', error);
      setAside(options, file, found, error);
      return open(true);
    }
  };
  return open(false);
}

/** Connects to a file that was checked. Throws errors of SQLite. */
function connect(options: Opening, file: string): Database {
  const { vfs, held } = options;
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite');
  const own = new DatabaseSync(vfs === undefined ? file : new URL(`?vfs=${vfs}`, `file://${encodeURI(file)}`));
  try {
    own.exec(`PRAGMA busy_timeout=${held.is ? heldMs : busyMs}; PRAGMA trusted_schema=OFF; PRAGMA foreign_keys=ON`);
    beginJournal(own);
    // A secret in an answer that was deleted or written over is to stand in no free page.
    own.exec('PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON');
    migrate(own, options);
    own.exec(`PRAGMA busy_timeout=${busyMs}`);
    held.is = false;
    return databaseOf(own, options, file);
  } catch (error) {
    held.is = primaryCode(error) === codes.busy;
    own.close();
    throw error;
  }
}

/**
 * Chooses the journal with which sessions do not wait for each other; it needs memory that they share, which some
 * file systems lack.
 */
function beginJournal(own: DatabaseSync): void {
  try {
    const { journal_mode: mode } = own.prepare('PRAGMA journal_mode').get() ?? {};
    if (mode !== 'wal') own.exec('PRAGMA journal_mode=WAL');
    // The shared memory is opened now.
    own.prepare('PRAGMA user_version').get();
  } catch (error) {
    const code = primaryCode(error);
    if (code === codes.busy) {
      // Another session is just changing the journal, or holds the file.
      own.exec(`PRAGMA busy_timeout=${heldMs}`);
      return;
    }
    if (code !== codes.cannotOpen && code !== codes.input && code !== codes.protocol) throw error;
    own.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL');
    own.prepare('PRAGMA user_version').get();
  }
}

function migrate(own: DatabaseSync, { directory, now }: Opening): void {
  const before = versionOf(own);
  if (before <= schema.length && (before < 0 || runsByItself(own))) throw new ForeignSchema();
  if (before === schema.length) return;
  own.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(own);
    if (version > schema.length) throw new LaterVersion();
    for (const step of schema.slice(version)) own.exec(step);
    const aside = version === 0 ? readdirSync(directory).filter((name) => name.includes(asideSuffix)) : [];
    // Where the clock is behind, what was set aside is younger than now.
    const times = aside.map((name) => Math.ceil(lstatSync(join(directory, name)).mtimeMs));
    if (times.length > 0) own.prepare('INSERT INTO aside (at) VALUES (?)').run(Math.max(now(), ...times));
    own.exec(`PRAGMA user_version=${schema.length}; COMMIT`);
  } catch (error) {
    if (own.isTransaction) own.exec('ROLLBACK');
    throw error;
  }
}

/** Whether there are views or triggers, of which Skydeck has none; one may go on without end. */
const runsByItself = (own: DatabaseSync): boolean =>
  own.prepare(`SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index')`).get() !== undefined;

const versionOf = (own: DatabaseSync): number => Number(own.prepare('PRAGMA user_version').get()?.user_version);

/** Whether the last id of all is taken, which no session comes to; SQLite then says that the disk is full. */
function hasNoIdLeft(own: DatabaseSync): boolean {
  const sql = 'SELECT id FROM entry UNION ALL SELECT seq FROM sqlite_sequence';
  return attempt(() => own.prepare(`SELECT 1 FROM (${sql}) WHERE id = 9223372036854775807`).get()) !== undefined;
}

const asideSuffix = '.aside';

const inodeOf = (file: string) => attempt(() => lstatSync(file, { throwIfNoEntry: false })?.ino);

/** Gives a file that cannot be used another name, with its companions, unless another session has, and says so. */
function setAside({ directory, now, onAside }: Opening, file: string, found: number | undefined, error: unknown): void {
  const aside = `${file.replace(/\.db$/, '')}-${new Date(now()).toISOString().replaceAll(':', '-')}${asideSuffix}`;
  try {
    for (const name of inodeOf(file) === found ? ['', ...companions] : [])
      if (existsSync(`${file}${name}`)) renameSync(`${file}${name}`, `${aside}${name}`);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw stateError(file, 'opened', failure);
  }
  const isIt = (name: string) => name.endsWith(asideSuffix) && inodeOf(join(directory, name)) === found;
  const named = attempt(() => readdirSync(directory).find(isIt));
  const end = named
    ? `was set aside as ${named}, and a new one is begun`
    : 'is no longer there, and nothing of it is used';
  onAside?.(`${file} ${whyUnusable(error)}; it ${end}.`);
}

function databaseOf(own: DatabaseSync, options: Opening, file: string) {
  const { held } = options;
  const statements = new Map<string, StatementSync>();
  /** Of transactions within each other, the outermost counts. */
  let depth = 0;
  let writes = 0;
  let isOver = false;
  const ino = inodeOf(file);

  function close(): void {
    if (!isOver) own.close();
    isOver = true;
  }

  function setHeld(is: boolean): void {
    held.is = is;
    own.exec(`PRAGMA busy_timeout=${is ? heldMs : busyMs}`);
  }

  function guarded<T>(act: () => T): T {
    try {
      const result = act();
      if (held.is && !isOver) setHeld(false);
      return result;
    } catch (thrown) {
      const error = primaryCode(thrown) === codes.full && hasNoIdLeft(own) ? new ForeignSchema() : thrown;
      if (primaryCode(error) === codes.busy) setHeld(true);
      if (primaryCode(error) === undefined && !isOutOfRange(error) && error === thrown) throw error;
      if (whyUnusable(error) !== undefined) {
        close();
        if (options.onAside) setAside(options, file, ino, error);
      }
      throw stateError(file, 'read or written', error);
    }
  }

  const prepared = (sql: string): StatementSync => foundOrMade(statements, sql, () => own.prepare(sql));

  return {
    file,
    all: (sql: string, ...values: Values): readonly Found[] => guarded(() => prepared(sql).all(...values)),
    /** Reads row by row as long as `take` wants more. */
    each: (sql: string, take: (row: Found) => boolean, ...values: Values) =>
      guarded(() => {
        for (const row of prepared(sql).iterate(...values)) if (!take(row)) return;
      }),
    get: (sql: string, ...values: Values): Found | undefined => guarded(() => prepared(sql).get(...values)),
    run(sql: string, ...values: Values) {
      writes++;
      guarded(() => prepared(sql).run(...values));
    },
    /**
     * Reads and writes as one: no other session writes in between, and where `act` throws, nothing is written.
     * @param isLasting whether it must be on the disk when this returns, also after a power cut
     */
    transaction<T>(act: () => T, isLasting = false): T {
      if (depth > 0) return act();
      return guarded(() => {
        if (isLasting) own.exec('PRAGMA synchronous=FULL');
        own.exec('BEGIN IMMEDIATE');
        depth++;
        try {
          const result = act();
          own.exec('COMMIT');
          return result;
        } catch (error) {
          writes++;
          // A full disk has rolled it back already.
          if (!isOver && own.isTransaction) own.exec('ROLLBACK');
          throw error;
        } finally {
          depth--;
          if (isLasting && !isOver) own.exec('PRAGMA synchronous=NORMAL');
        }
      });
    },
    /** A number that is another one once another session has written. */
    version: () => Number(guarded(() => prepared('PRAGMA data_version').get())?.data_version),
    /** Another number once this session has written, or taken back what it wrote. */
    get writes() {
      return writes;
    },
    /** Whether it was closed, or set aside because it is damaged; opening it again begins a new one. */
    get isOver() {
      return isOver;
    },
    /** Closes it where its file was replaced, or removed and is written again: nobody would read what is written. */
    closeLost(): void {
      const now = inodeOf(file);
      if (depth > 0 || isOver || now === ino) return;
      if (now === undefined)
        try {
          // They belong to the file that was removed.
          for (const name of companions) rmSync(`${file}${name}`, { force: true });
          replaceBy(file, (next) => {
            closeSync(openSync(next, 'wx', 0o600));
            own.prepare('VACUUM INTO ?').run(next);
          });
        } catch (error) {
          throw stateError(file, 'opened', error);
        }
      close();
      const how = now === undefined ? 'removed; all of it was written again' : 'replaced; the new one is used now';
      options.onAside?.(`${file} was ${how}.`);
    },
    close,
  };
}

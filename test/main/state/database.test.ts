import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/program/state/database.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { environment, runProgram } from '../program.ts';

const noon = Date.UTC(2026, 4, 15, 12);
const owner = process.geteuid?.();

let home: string;
let directory: string;
let file: string;
let told: string[];
beforeEach(() => {
  home = temporaryFolder('state');
  directory = join(home, 'state');
  file = join(directory, 'skydeck.db');
  told = [];
});

function open(options: { owner?: number; vfs?: string } = {}): Database {
  const database = openDatabase({ directory, owner, now: () => noon, onAside: (says) => told.push(says), ...options });
  onTestFinished(database.close);
  return database;
}

const addAccount = 'INSERT INTO account (host, euuid) VALUES (?, ?)';
const hosts = (database: Database) => database.all('SELECT host FROM account ORDER BY id').map(({ host }) => host);

const mode = (path: string) => statSync(path).mode & 0o777;

/** Why it is not opened. */
function refusal(options?: Parameters<typeof open>[0]): string {
  try {
    open(options);
  } catch (error) {
    return (error as Error).message;
  }
  return expect.fail('it was opened');
}

describe('a file of its own', () => {
  test('has nothing left of what was deleted', () => {
    const database = open();
    database.run(addAccount, 'a', null);
    const put = (key: string, value: string) =>
      database.run(`INSERT INTO entry (account, kind, key, value) VALUES (1, 'view', ?, ?)`, key, value);
    put('short', 'token-of-a-transfer');
    put('long', 'token-of-another-one '.repeat(2000));
    database.run('DELETE FROM entry');
    database.close();
    expect(readFileSync(file).includes('token-of-a')).toBe(false);
  });

  test('is made for its owner alone, with all beside it, whatever the umask is', () => {
    const before = process.umask(0);
    try {
      open().run(addAccount, 'a', null);
    } finally {
      process.umask(before);
    }
    expect(mode(directory)).toBe(0o700);
    expect(readdirSync(directory).map((name) => [name, mode(join(directory, name)).toString(8)])).toEqual([
      ['skydeck.db', '600'],
      ['skydeck.db-shm', '600'],
      ['skydeck.db-wal', '600'],
    ]);
  });

  test('holds what was written for the next to open it', () => {
    const one = open();
    one.run(addAccount, 'a', null);
    one.close();
    expect(hosts(open())).toEqual(['a']);
    expect(told).toEqual([]);
  });

  test('a directory that others can only look at becomes private', () => {
    mkdirSync(directory, { mode: 0o755 });
    open();
    expect(mode(directory)).toBe(0o700);
  });

  test('works where the file system has no memory that sessions share', () => {
    const one = open({ vfs: 'unix-none' });
    one.run(addAccount, 'a', null);
    expect(one.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'delete' });
    expect(hosts(one)).toEqual(['a']);
  });

  test('works there also where it was begun elsewhere', () => {
    const one = open();
    one.run(addAccount, 'a', null);
    one.close();
    const other = open({ vfs: 'unix-dotfile' });
    other.run(addAccount, 'b', null);
    expect(other.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'delete' });
    expect(hosts(other)).toEqual(['a', 'b']);
  });
});

describe('two sessions', () => {
  test('see what the other has written, and that it has', () => {
    const [one, other] = [open(), open()];
    const before = other.version();
    one.run(addAccount, 'a', null);
    expect(other.version()).not.toBe(before);
    expect(one.version()).toBe(one.version());
    expect(hosts(other)).toEqual(['a']);
  });

  test('what fails within a transaction leaves nothing behind, and the next one is fine', () => {
    const database = open();
    const fail = () =>
      database.transaction(() => {
        database.run(addAccount, 'a', null);
        database.transaction(() => database.run(addAccount, 'b', null));
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    database.transaction(() => database.run(addAccount, 'c', null), true);
    expect(hosts(database)).toEqual(['c']);
  });

  test('in two processes lose nothing of what they write at once', async () => {
    open().close();
    const writers = ['a', 'b', 'c'].map((host) => writer(host, 200));
    await Promise.all(writers.map((one) => once(one, 'exit')));
    const counts = open().all('SELECT host, count(*) AS rows FROM account GROUP BY host');
    expect(counts.map(({ rows }) => rows)).toEqual([200, 200, 200]);
  });

  test('one that is killed in the middle of a write leaves what was whole', async () => {
    open().close();
    for (let round = 0; round < 3; round++) {
      const one = writer(`h${round}`, 1_000_000);
      await once(one.stdout, 'data');
      one.kill('SIGKILL');
      await once(one, 'exit');
      const database = open();
      // Each transaction writes two rows.
      expect(Number(database.get('SELECT count(*) AS rows FROM account')?.rows) % 2).toBe(0);
      expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
      database.close();
    }
    expect(told).toEqual([]);
  });
});

/** A process that writes two rows in a transaction until there are so many. */
const writer = (host: string, rows: number) =>
  spawn(process.execPath, [
    '-e',
    `const { DatabaseSync } = require('node:sqlite');
     const own = new DatabaseSync(${JSON.stringify(file)});
     own.exec('PRAGMA busy_timeout=20000');
     const add = own.prepare('INSERT INTO account (host, euuid) VALUES (?, ?)');
     for (let row = 0; row < ${rows}; row += 2) {
       own.exec('BEGIN IMMEDIATE');
       add.run('${host}', String(row));
       add.run('${host}', String(row + 1));
       own.exec('COMMIT');
       if (row === 20) console.log('some');
     }`,
  ]);

describe('is refused, with the way out', () => {
  test('where it is open to others', () => {
    open().close();
    for (const wrong of [0o640, 0o604, 0o660, 0o666]) {
      chmodSync(file, wrong);
      const octal = wrong.toString(8).padStart(4, '0');
      expect(refusal()).toBe(
        `The state ${file} can be read by others (mode ${octal}), so nothing of it is used; run: chmod 600 ${file}`,
      );
    }
  });

  test('where one beside it is open to others', () => {
    open().close();
    writeFileSync(`${file}-wal`, '', { mode: 0o644 });
    expect(refusal()).toContain('skydeck.db-wal can be read by others (mode 0644)');
  });

  test('where others can write its directory', () => {
    open().close();
    chmodSync(directory, 0o770);
    expect(refusal()).toBe(
      `The state ${file} lies in ${directory}, which can be changed by others (mode 0770), so nothing of it is used; run: chmod go-w ${directory}`,
    );
  });

  test('where file or directory belong to somebody else', () => {
    open().close();
    const other = (owner ?? 0) + 1;
    expect(refusal({ owner: other })).toBe(
      `The state ${file} belongs to another user (uid ${owner}), so nothing of it is used; run: chown ${other} ${file}`,
    );
  });

  test('behind symbolic links', () => {
    open().close();
    renameSync(file, join(home, 'there.db'));
    symlinkSync(join(home, 'there.db'), file);
    expect(refusal()).toBe(
      `The state ${file} is a symbolic link, so nothing of it is used; run: mv ${file} ${file}.aside`,
    );
    rmSync(file);
    renameSync(directory, join(home, 'there'));
    symlinkSync(join(home, 'there'), directory);
    expect(refusal()).toBe(
      `The state ${file} lies in ${directory}, which is a symbolic link, so nothing of it is used; run: rm ${directory}`,
    );
  });

  test('where it is no file', () => {
    mkdirSync(file, { recursive: true, mode: 0o700 });
    expect(refusal()).toBe(`The state ${file} is not a file, so nothing of it is used; run: mv ${file} ${file}.aside`);
  });

  test('where there is room for a file, but not for its tables', async () => {
    mkdirSync(directory, { mode: 0o700 });
    const source = new URL('../../../src/program/state/database.ts', import.meta.url);
    const opens = `import('${source}').then(({ openDatabase }) =>
      openDatabase({ directory: '${directory}', owner: ${owner}, now: Date.now }))`;
    const args = ['-c', 'ulimit -f 40; exec "$0" "$@"', process.execPath, '-e', opens];
    const { stderr } = await runProgram('bash', args, environment(home));
    expect(stderr).toContain(`${file} cannot be opened: the disk reports an error.`);
  });

  test('where no directory can be made', () => {
    writeFileSync(directory, '');
    expect(refusal()).toMatch(/cannot be opened: .*\.$/);
  });
});

describe('is written again where it was removed', () => {
  test('whole or not at all: what fails leaves no file, and is tried again', () => {
    const database = open();
    for (const host of ['one', 'two']) database.run(addAccount, host, null);
    database.each('SELECT host FROM account', () => {
      rmSync(file);
      // SQLite writes no copy while rows are read.
      expect(() => database.closeLost()).toThrow(`${file} cannot be`);
      return false;
    });
    expect(readdirSync(directory).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([]);
    expect(database.isOver).toBe(false);
    database.closeLost();
    expect(hosts(open())).toEqual(['one', 'two']);
    expect(told).toEqual([`${file} was removed; all of it was written again.`]);
  });
});

/** Fills a database, and writes over all but its beginning. */
function damageInTheMiddle(): void {
  const whole = open();
  whole.transaction(() => {
    for (let row = 0; row < 2000; row++) whole.run(addAccount, `host ${row} ${'x'.repeat(100)}`, null);
  });
  whole.close();
  const content = readFileSync(file);
  content.fill(0x5a, 4096 * 2);
  writeFileSync(file, content);
}

describe('is set aside, and begun anew', () => {
  const asideName = 'skydeck-2026-05-15T12-00-00.000Z.aside';
  const aside = () => join(directory, asideName);

  test.each([
    ['no database', 'this is no database, though it is long enough to be one '.repeat(200)],
    ['cut off in its header', 'SQLite format 3\0'],
  ])('%s', (_, content) => {
    open().close();
    writeFileSync(file, content, { mode: 0o600 });
    utimesSync(file, 0, noon / 1000 - 60);
    const database = open();
    expect(told).toEqual([`${file} is damaged; it was set aside as ${asideName}, and a new one is begun.`]);
    expect(readFileSync(aside(), 'utf8')).toBe(content);
    database.run(addAccount, 'a', null);
    database.close();
    expect(hosts(open())).toEqual(['a']);
    expect(told).toHaveLength(1);
    expect(open().all('SELECT at FROM aside')).toEqual([{ at: noon }]);
  });

  test('under a clock that is behind, and then nothing is known of what was kept before, be it later than now', () => {
    open().close();
    writeFileSync(file, 'no database '.repeat(100), { mode: 0o600 });
    const written = noon + 3_600_000;
    utimesSync(file, 0, written / 1000);
    expect(open().all('SELECT at FROM aside')).toEqual([{ at: written }]);
  });

  test('of a later version', () => {
    open().close();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA user_version=99');
    other.close();
    expect(hosts(open())).toEqual([]);
    expect(told).toEqual([
      `${file} was written by a later version; it was set aside as ${asideName}, and a new one is begun.`,
    ]);
  });

  test('damaged in the middle, once that is met', () => {
    damageInTheMiddle();
    const database = open();
    expect(() => hosts(database)).toThrow(`${file} cannot be read or written: it is damaged.`);
    expect(told).toHaveLength(1);
    expect(database.isOver).toBe(true);
    expect(existsSync(aside())).toBe(true);
    expect(hosts(open())).toEqual([]);
  });

  describe('by one of two sessions that meet it, and both tell its name', () => {
    const asides = () => readdirSync(directory).filter((name) => name.includes('.aside'));
    const damage = () => writeFileSync(file, 'no database '.repeat(100), { mode: 0o600 });

    test('where both start at once', () => {
      mkdirSync(directory, { mode: 0o700 });
      damage();
      let clock = () => {
        clock = () => noon + 1000;
        open().run(addAccount, 'of the other', null);
        return noon + 1000;
      };
      const database = openDatabase({ directory, owner, now: () => clock(), onAside: (says) => told.push(says) });
      onTestFinished(database.close);
      expect(hosts(database)).toEqual(['of the other']);
      expect(asides()).toEqual([asideName]);
      const says = `${file} is damaged; it was set aside as ${asideName}, and a new one is begun.`;
      expect(told).toEqual([says, says]);
    });

    test('where one has it open, and meets the damage after the other', () => {
      damageInTheMiddle();
      const [one, other] = [open(), open()];
      for (const database of [one, other]) expect(() => hosts(database)).toThrow('it is damaged.');
      const says = `${file} is damaged; it was set aside as ${asideName}, and a new one is begun.`;
      expect(told).toEqual([says, says]);
      expect(asides().filter((name) => name.endsWith('.aside'))).toEqual([asideName]);
    });

    test('unless somebody has removed it', () => {
      mkdirSync(directory, { mode: 0o700 });
      damage();
      const now = () => {
        rmSync(file, { force: true });
        return noon;
      };
      openDatabase({ directory, owner, now, onAside: (says) => told.push(says) }).close();
      expect(told).toEqual([`${file} is damaged; it is no longer there, and nothing of it is used.`]);
      expect(asides()).toEqual([]);
    });
  });

  test('a file that is there and empty is as good as none', () => {
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(file, '', { mode: 0o600 });
    expect(hosts(open())).toEqual([]);
    expect(told).toEqual([]);
  });
});

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { keptRows } from '../../../src/program/commandLine/completion.ts';
import { openKeptLists, queryText } from '../../../src/program/kept/keptLists.ts';
import { loginState } from '../../../src/program/state/accounts.ts';
import { leaveAside } from '../../../src/program/state/crashed.ts';
import { StateError } from '../../../src/program/state/failures.ts';
import { openState } from '../../../src/program/state/state.ts';
import { storedSteps, withProgress } from '../../../src/store/plans/storedPlan.ts';
import { createAcknowledgements } from '../../../src/store/problems/acknowledgements.ts';
import { readStoredViews } from '../../../src/store/views/storedViews.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { environment, skydeck } from '../program.ts';

const noon = Date.UTC(2026, 4, 15, 12);
const owner = process.geteuid?.();
const login = { profile: 'work', address: 'https://api.example.com', fingerprint: 'one' };
const servers = { resource: 'servers', operation: 'list', params: {} };
const list = { query: servers, rows: [{ id: 1, label: 'web-1' }], results: 1, keptAt: noon };

let home: string;
let directory: string;
let told: string[];
beforeEach(() => {
  home = temporaryFolder('odd');
  directory = join(home, '.local/state/skydeck');
  told = [];
});

function open() {
  const state = openState(directory, owner, () => noon);
  state.onNotice((says) => told.push(says));
  onTestFinished(state.close);
  const account = loginState(state, login);
  const kept = openKeptLists(state, login, account);
  kept.onLeftOut((says) => told.push(says));
  return { state, account, kept };
}

/** A session that leaves something of every kind. */
async function leaveSome(): Promise<void> {
  const { state, account, kept } = open();
  account.of('view').put([['place', { screen: 'home' }]]);
  account.of('plan').put([['u', { place: 0, id: 1, record: { resource: 'a', action: 'b', label: 'c', params: {} } }]]);
  account.of('progress').put([['u', { result: { state: 'done', at: 1 }, as: '' }]]);
  account.of('acknowledged').put([['p', { problem: 'p', reason: '', at: 1 }]]);
  account.begin(['u']);
  await kept.save([list]);
  state.toWrite().run('INSERT INTO aside (at) VALUES (1)');
  state.toWrite().run(`INSERT INTO crash (profile) VALUES ('other')`);
  state.close();
}

/** Changes the file past Skydeck. */
function forge(act: (file: DatabaseSync) => void): void {
  const file = new DatabaseSync(join(directory, 'skydeck.db'));
  file.exec('PRAGMA foreign_keys=OFF');
  act(file);
  file.close();
}

/** Does what a session does with what is kept; a sentence is all that may be thrown. */
async function live(): Promise<void> {
  const { state, account, kept } = open();
  const says = (sentence: string) => told.push(sentence);
  const attempt = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      expect(error).toBeInstanceOf(StateError);
      told.push((error as Error).message);
    }
  };
  attempt(() => leaveAside(state, 'work', account));
  attempt(() => readStoredViews(account.of('view'), says));
  attempt(() => withProgress(storedSteps(account.of('plan').read()), account.of('progress').read()));
  attempt(() => createAcknowledgements(() => noon, account.of('acknowledged'), says));
  attempt(() => account.running(['u']));
  attempt(() => account.begin(['other'])?.());
  attempt(() => expect(['number', 'undefined']).toContain(typeof account.asideAt()));
  account.look();
  attempt(() => kept.read(servers));
  for await (const one of kept.rest()) expect(one.rows).toBeInstanceOf(Array);
  account.confirm('E-1');
  await kept.save([{ ...list, rows: [{ id: 2 }] }]);
  attempt(() => account.of('view').put([['place', 1]]));
  state.close();
}

const columns: Readonly<Record<string, readonly string[]>> = {
  account: ['id', 'host', 'euuid'],
  login: ['id', 'profile', 'address', 'fingerprint', 'account', 'at'],
  entry: ['account', 'kind', 'key', 'value'],
  list: ['login', 'account', 'query', 'results', 'kept_at', 'count', 'data'],
  aside: ['at'],
  crash: ['profile'],
};
const values = [2n ** 63n - 1n, 1e300, 'a\0b', Buffer.from([255, 0])];

describe('a session of a file whose rows are odd ends well, and the one after it finds nothing odd', () => {
  test.each(Object.entries(columns).flatMap(([table, names]) => names.map((name) => [table, name] as const)))(
    '%s.%s',
    async (table, name) => {
      for (const value of values) {
        await leaveSome();
        let isOdd = true;
        forge((file) => {
          try {
            file.prepare(`UPDATE ${table} SET ${name} = ?`).run(value);
          } catch {
            // The column takes no such value.
            isOdd = false;
          }
        });
        if (isOdd) {
          await live();
          for (const says of told) expect(says).not.toMatch(/ERR_|undefined|NaN/);
        }
        rmSync(home, { recursive: true, force: true });
      }
    },
  );
});

describe('a file with other tables is set aside, and that is said', () => {
  test.each([
    ['no table of values', 'DROP TABLE entry'],
    ['none of crashes', 'DROP TABLE crash'],
    ['a view in its place', 'DROP TABLE entry; CREATE VIEW entry AS SELECT 1 AS id'],
    [
      'a view without end',
      'DROP TABLE crash; CREATE VIEW crash AS WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x FROM c) SELECT x AS profile FROM c',
    ],
    ['no column of rows', 'ALTER TABLE list DROP COLUMN data'],
    ['a trigger', `CREATE TRIGGER t BEFORE INSERT ON entry BEGIN SELECT raise(ABORT, 'no'); END`],
    ['tables of no version', 'PRAGMA user_version=0'],
    ['a version that there never was', 'PRAGMA user_version=-1'],
  ])('%s', async (_, sql) => {
    await leaveSome();
    forge((file) => file.exec(sql));
    await live();
    const file = join(directory, 'skydeck.db');
    expect(told.filter((says) => says.includes('set aside'))).toEqual([
      expect.stringMatching(/skydeck\.db is damaged; it was set aside as skydeck-.*\.aside, and a new one is begun\.$/),
    ]);
    for (const says of told) expect(says).not.toContain('ERR_');
    // Whatever is kept from now on is there for the next session.
    told = [];
    const { account } = open();
    account.of('view').put([['place', 1]]);
    expect(open().account.of('view').read()).toEqual(new Map([['place', 1]]));
    expect(told).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });

  test.each([
    ['an id after which there is none', 'UPDATE entry SET id = 9223372036854775807 WHERE id = 1'],
    ['a count of ids that is at its end', 'UPDATE sqlite_sequence SET seq = 9223372036854775807'],
  ])('%s', async (_, sql) => {
    await leaveSome();
    forge((file) => file.exec(sql));
    open().account.of('view').read();
    expect(told).toEqual([]);
    expect(() =>
      open()
        .account.of('view')
        .put([['place', 1]]),
    ).toThrow('cannot be read or written: it is damaged.');
    expect(told).toEqual([expect.stringMatching(/skydeck\.db is damaged; it was set aside as skydeck-.*\.aside, and/)]);
    const { account } = open();
    account.of('view').put([['place', 2]]);
    expect(account.of('view').read()).toEqual(new Map([['place', 2]]));
  });

  test('also where only what is kept is asked for, but not by a completion', async () => {
    await leaveSome();
    forge((file) => file.exec('PRAGMA user_version=0'));
    expect(
      keptRows(
        'work',
        'servers',
        openState(directory, owner, () => noon, 'looks'),
      ),
    ).toEqual([]);
    expect(readdirSync(directory).filter((name) => name.endsWith('.aside'))).toEqual([]);
    const { stdout, code } = await skydeck(['cache'], environment(home));
    expect(stdout).toMatch(/^\S+skydeck\.db is damaged; it was set aside as \S+, and a new one is begun\.\nNo lists/);
    expect(code).toBe(0);
  });
});

describe('what is read is bounded', () => {
  test('values in all, the last changed first', async () => {
    const { state, account } = open();
    const large = 'x'.repeat(17 * 2 ** 20);
    account.of('view').put(['a', 'b'].map((key) => [key, large]));
    account.of('view').put([['c', 1]]);
    expect([...account.of('view').read().keys()]).toEqual(['b', 'c']);
    state.toWrite().run(`UPDATE entry SET key = key || value WHERE key = 'b'`);
    expect([...account.of('view').read().keys()]).toEqual(['a', 'c']);
  });

  test('lists in all, however small they are when packed', async () => {
    const { state, account, kept } = open();
    await kept.save([list]);
    const { login: of, account: id } = account.row(state.toWrite()) ?? expect.fail('there is no row');
    const data = zstdCompressSync(`${' '.repeat(63 * 2 ** 20)}{"count":0,"fields":[]}`);
    const disks = (nth: number) => queryText({ resource: 'disks', operation: 'list', params: { serverId: `${nth}` } });
    const sql = 'INSERT INTO list (login, account, query, results, kept_at, count, data) VALUES (?, ?, ?, 1, ?, 1, ?)';
    for (let nth = 0; nth < 5; nth++) state.toWrite().run(sql, of, id, disks(nth), noon, data);
    let count = 0;
    for await (const _ of open().kept.rest()) count++;
    expect(count).toBe(5);
    expect(told.at(-1)).toBe('Some of the kept lists of work are left out: they are damaged.');
  });
});

test('a file that another program holds is waited for once, and used again once it is free', {
  timeout: 20_000,
}, () => {
  const { account, state } = open();
  const put = () => account.of('view').put([['place', 1]]);
  put();
  state.close();
  const file = new DatabaseSync(join(directory, 'skydeck.db'));
  file.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM crash');
  const held = 'cannot be opened: another Skydeck holds it.';
  expect(put).toThrow(held);
  const begun = performance.now();
  for (let nth = 0; nth < 10; nth++) expect(put).toThrow(held);
  expect(performance.now() - begun).toBeLessThan(3000);
  file.close();
  put();
  const other = new DatabaseSync(join(directory, 'skydeck.db'));
  other.exec('BEGIN IMMEDIATE');
  expect(put).toThrow('cannot be read or written: another Skydeck holds it.');
  const later = performance.now();
  for (let nth = 0; nth < 10; nth++) expect(put).toThrow('another Skydeck holds it.');
  expect(performance.now() - later).toBeLessThan(3000);
  other.close();
  put();
  expect(told).toEqual([]);
});

test('what another session has learnt of the account counts at once', () => {
  const [first, second, third] = [open().account, open().account, open().account];
  const views = (account: typeof first) => Object.fromEntries(account.of('view').read());
  const own = (account: typeof first) => Object.fromEntries(account.of('acknowledged').read());
  const other = loginState(
    openState(directory, owner, () => noon),
    { ...login, profile: 'other' },
  );
  other.confirm('E-1');
  other.of('view').put([['a', 1]]);
  first.of('acknowledged').put([['b', 2]]);
  second.of('acknowledged').read();
  second.confirm('E-1');
  // The first session has not heard from the API yet.
  first.of('acknowledged').put([['c', 3]]);
  expect(own(second)).toEqual({ b: 2, c: 3 });
  expect(own(first)).toEqual({ b: 2, c: 3 });
  expect(views(third)).toEqual({ a: 1 });
});

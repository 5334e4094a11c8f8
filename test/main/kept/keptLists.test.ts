import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Profile } from '../../../src/config/schema.ts';
import { type KeptLists, openKeptLists } from '../../../src/program/kept/keptLists.ts';
import type { RunSettings } from '../../../src/program/settings.ts';
import { loginOf, loginState } from '../../../src/program/state/accounts.ts';
import { openState, type State } from '../../../src/program/state/state.ts';
import { withListPosition } from '../../../src/resources/identity.ts';
import type { Row } from '../../../src/resources/resource.ts';
import type { KeptList } from '../../../src/store/kept/keptRows.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const noon = Date.UTC(2026, 4, 15, 12);
const hour = 3_600_000;
const of = { profile: 'work', address: 'https://api.example.com', token: 'one' };
const servers = { resource: 'servers', operation: 'list', params: {} };
const volumes = { resource: 'volumes', operation: 'list', params: {} };
const disks = (serverId: string) => ({ resource: 'disks', operation: 'list', params: { serverId } });

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('kept');
});

/** The lists of a login, as a session of its own has them. */
function open(given: typeof of = of, now = noon): KeptLists & { confirm(euuid: string): void; state: State } {
  const state = openState(directory, process.geteuid?.(), () => now);
  onTestFinished(state.close);
  const login = { ...given, fingerprint: given.token };
  const account = loginState(state, login);
  return { ...openKeptLists(state, login, account), confirm: account.confirm, state };
}

const list = (query: KeptList['query'], rows: readonly Row[], keptAt = noon): KeptList => ({
  query,
  rows,
  results: rows.length,
  keptAt,
});

const some = [
  { id: 1, label: 'web-1', tags: ['web'], specs: { memory: 1024 } },
  { id: 2, label: 'db-1', status: null, specs: { memory: 2048 } },
];

/** The sentences of a source that is asked for the servers. */
function complaints(kept: KeptLists): readonly string[] {
  const told: string[] = [];
  kept.onLeftOut((says) => told.push(says));
  expect(kept.read(servers)).toBeUndefined();
  return told;
}

/** Every list that is left. */
async function restOf(kept: KeptLists): Promise<readonly KeptList[]> {
  const found: KeptList[] = [];
  for await (const one of kept.rest()) found.push(one);
  return found;
}

describe('lists are kept', () => {
  test('as they were, with their time, the first at once and the others after it', async () => {
    await open().save([list(servers, some), list(volumes, [{ id: 7 }], noon - 5), list(disks('1'), [])]);
    const kept = open();
    expect(kept.hasLists()).toBe(true);
    expect(kept.read(servers)).toEqual(list(servers, some));
    expect(kept.read(servers)).toBeUndefined();
    expect(await restOf(kept)).toEqual([list(volumes, [{ id: 7 }], noon - 5), list(disks('1'), [])]);
  });

  test('a longer one than the first frame may wait for is left for later', async () => {
    await open().save([list(servers, some)]);
    const kept = open();
    expect(kept.read(servers, some.length - 1)).toBeUndefined();
    expect(await restOf(kept)).toEqual([list(servers, some)]);
    expect(open().read(servers, some.length)).toEqual(list(servers, some));
  });

  describe('with the rows at the top of a long one', () => {
    const rows = Array.from({ length: 600 }, (_, id) => ({ id, label: `s${600 - id}`, token: `secret-${id}` }));
    const plain = rows.map((row) => ({ ...row, token: '[redacted]' }));
    const top = () => ({ sort: 'Label', rows: rows.slice(-3) });
    const shown = { ...list(servers, plain.slice(-3)), results: 600, isTop: true };

    test('which are there at once in that order, and all of it first of the others', async () => {
      await open().save([list(volumes, [{ id: 7 }]), { ...list(servers, rows), top }]);
      const kept = open();
      expect(kept.readTop(servers, '-Label')).toBeUndefined();
      expect(kept.readTop(volumes, undefined)).toBeUndefined();
      expect(kept.readTop(servers, 'Label')).toEqual(shown);
      expect(await restOf(kept)).toEqual([list(servers, plain), list(volumes, [{ id: 7 }])]);
      expect(kept.readTop(servers, 'Label')).toBeUndefined();
      expect(open().read(servers)).toEqual(list(servers, plain));
    });

    test('and whole where that is damaged', async () => {
      await open().save([{ ...list(servers, rows), top }]);
      const { state } = open();
      const sql = 'UPDATE list SET data = CAST(substr(data, 1, length(data) - ?) || ? AS BLOB)';
      for (const [length, end] of [
        [4, Buffer.from([9, 0, 0, 0])],
        [4, Buffer.alloc(4, 255)],
        [9, Buffer.alloc(5)],
      ] as const) {
        state.toWrite().run(sql, length, end);
        const kept = open();
        expect(kept.readTop(servers, 'Label')).toBeUndefined();
        expect(await restOf(kept)).toEqual([list(servers, plain)]);
      }
    });
  });

  test('without secrets, wherever they are', async () => {
    const rows = [
      { id: 1, token: 'abcdef', config: { password: 'hunter22', port: 1 }, keys: [{ secret_key: 's3cr3t' }] },
    ];
    await open().save([list(servers, rows)]);
    expect(open().read(servers)?.rows).toEqual([
      { id: 1, token: '[redacted]', config: { password: '[redacted]', port: 1 }, keys: [{ secret_key: '[redacted]' }] },
    ]);
  });

  test('long ones whole, whatever fields their rows have', async () => {
    const rows = Array.from({ length: 1234 }, (_, id) => ({
      id,
      label: `server ${id % 7}`,
      ...(id % 3 === 0 && { only: [id] }),
      backups: { enabled: id % 2 === 0, last: id, schedule: { day: `d${id % 40}` } },
    }));
    await open().save([list(servers, rows)]);
    expect(open().read(servers)?.rows).toEqual(rows);
    expect((await restOf(open()))[0]?.rows).toEqual(rows);
  });

  test('beside those that another session has written, the newer of the same', async () => {
    const [one, other] = [open(), open()];
    await one.save([list(servers, some), list(volumes, [{ id: 1 }], noon - 1)]);
    await other.save([list(volumes, [{ id: 2 }], noon - 2), list(disks('1'), [{ id: 3 }])]);
    const kept = open();
    expect(kept.read(servers)?.rows).toEqual(some);
    expect(kept.read(volumes)?.rows).toEqual([{ id: 1 }]);
    expect(kept.read(disks('1'))?.rows).toEqual([{ id: 3 }]);
  });

  test('whole, however many write at once', async () => {
    const sessions = Array.from({ length: 8 }, () => open());
    const rows = Array.from({ length: 600 }, (_, id) => ({ id, label: `label ${id}` }));
    await Promise.all(sessions.map((kept, nth) => kept.save([list(servers, rows), list(disks(String(nth)), rows)])));
    expect(open().read(servers)?.rows).toEqual(rows);
    expect(await restOf(open())).toHaveLength(9);
  });

  test('without those that are too long, too old, or have rows without ids', async () => {
    const many = Array.from({ length: 1001 }, (_, id) => ({ id }));
    const nameless = withListPosition({ label: 'a' }, '0');
    await open().save([
      list(disks('1'), many),
      list(volumes, [{ id: 1 }], noon - 31 * 24 * hour),
      list(servers, [{ id: 1 }, nameless]),
    ]);
    expect(await restOf(open())).toEqual([]);
  });

  test('without those whose ids are secrets: their rows could not be told apart', async () => {
    const transfers = { resource: 'entity-transfers', operation: 'list', params: {} };
    await open().save([list(transfers, [{ token: '123E4567-E89B' }]), list(servers, some)]);
    expect((await restOf(open())).map(({ query }) => query.resource)).toEqual(['servers']);
  });

  test('without the events of a row that a secret names, and without that secret in all events', async () => {
    const entity = { id: 'abc-def', label: 'abc-def', type: 'entity_transfer', url: '/transfers/abc-def' };
    const events = [{ id: 1, entity, secondary_entity: { ...entity, type: 'server' } }];
    const about = { entityType: 'entity_transfer', entityId: 'abc-def' };
    await open().save([
      list({ resource: 'events', operation: 'about', params: about }, events),
      list({ resource: 'events', operation: 'list', params: {} }, events),
    ]);
    const left = await restOf(open());
    expect(left.map(({ query }) => query.operation)).toEqual(['list']);
    const hidden = { id: '[redacted]', label: '[redacted]', type: 'entity_transfer', url: '[redacted]' };
    expect(left[0]?.rows).toEqual([{ ...events[0], entity: hidden }]);
  });

  test('the newest of an account, those under no row before others, where there is no room for all', async () => {
    const bulky = (id: number) => [{ id, text: randomBytes(1_500_000).toString('base64') }];
    for (let nth = 0; nth < 6; nth++) await open().save([list(disks(String(nth)), bulky(nth), noon - nth * 1000)]);
    await open().save([list(volumes, bulky(9), noon - hour)]);
    const left = (await restOf(open())).map(({ query }) => query.params.serverId ?? query.resource);
    expect(left.sort()).toEqual(['0', '1', '2', '3', 'volumes']);
  });

  test('an unchanged list is not packed again', async () => {
    const kept = open();
    await kept.save([list(servers, some)]);
    // A second packing would fail.
    const trapped = [...some];
    await kept.save([list(servers, trapped)]);
    Object.defineProperty(trapped, 'slice', { value: () => expect.fail('packed again') });
    await kept.save([list(servers, trapped, noon + 1)]);
    expect(open().read(servers)?.keptAt).toBe(noon + 1);
  });
});

describe('the login of settings', () => {
  const settings = (token: string, source: string, own?: Profile) =>
    ({ profile: 'my work', account: { baseUrl: of.address, token: { value: token, source } }, own }) as RunSettings;
  const print = (token: string, source: string, own?: Profile) => loginOf(settings(token, source, own))?.fingerprint;
  const profile = (more: Partial<Profile> = {}): Profile => ({ guards: [], ...more });

  test('tells tokens apart without telling them', () => {
    expect(loginOf(settings('one', ''))).toMatchObject({ profile: 'my work', address: of.address });
    expect(print('one', 'The variable A', profile())).toMatch(/^[0-9a-f]{8}$/);
    expect(print('two', 'The variable A', profile())).not.toEqual(print('one', 'The variable A', profile()));
    expect(print('one', 'The variable B', profile())).toEqual(print('one', 'The variable A', profile()));
  });

  test('a token that a program prints may be another one each time', () => {
    const printed = 'The output of the token command pass';
    const own = profile({ token_command: ['pass', 'show'] });
    expect(print('one', printed, own)).toEqual(print('two', printed, own));
    expect(print('one', printed, profile({ token_command: ['pass', 'other'] }))).not.toEqual(
      print('one', printed, own),
    );
    expect(print('one', 'The variable SKYDECK_TOKEN', own)).not.toEqual(
      print('two', 'The variable SKYDECK_TOKEN', own),
    );
  });

  test('the demo has none', () => {
    expect(loginOf({ ...settings('one', ''), account: undefined })).toBeUndefined();
  });
});

describe('of another login nothing is shown, and nothing is lost', () => {
  test.each([
    ['profile', { ...of, profile: 'other' }],
    ['API', { ...of, address: 'https://other.example.com' }],
    ['token', { ...of, token: 'two' }],
  ])('another %s', async (_, other) => {
    await open(other).save([list(servers, some)]);
    expect(complaints(open())).toEqual([]);
    await open().save([list(servers, [{ id: 3 }])]);
    expect(open(other).read(servers)?.rows).toEqual(some);
    expect(open().read(servers)?.rows).toEqual([{ id: 3 }]);
  });

  test('another account behind the same token', async () => {
    const before = open();
    before.confirm('A');
    await before.save([list(servers, some), list(volumes, [{ id: 7 }])]);
    const kept = open();
    expect(kept.read(servers)?.rows).toEqual(some);
    const told: string[] = [];
    kept.onLeftOut((says) => told.push(says));
    kept.confirm('A');
    expect(told).toEqual([]);
    const other = open();
    expect(other.hasLists()).toBe(true);
    other.onLeftOut((says) => told.push(says));
    other.confirm('B');
    expect(told).toEqual(['The kept lists of work are left aside: the token is of another account now.']);
    expect(await restOf(other)).toEqual([]);
    await other.save([list(volumes, [{ id: 1 }])]);
    expect((await restOf(open())).map(({ rows }) => rows)).toEqual([[{ id: 1 }]]);
    const again = open();
    again.confirm('A');
    again.state.close();
    expect(await restOf(open())).toHaveLength(2);
  });

  test('what was kept before the account had a name is the account’s', async () => {
    await open().save([list(servers, some)]);
    const kept = open();
    kept.confirm('A');
    expect(kept.read(servers)?.rows).toEqual(some);
    expect(open().read(servers)?.rows).toEqual(some);
  });
});

describe('what does not fit is left out, once, with a sentence', () => {
  const future = 'Some of the kept lists of work are left out: they are of the future, so a clock is or was wrong.';
  const damaged = 'Some of the kept lists of work are left out: they are damaged.';

  test('of the future, by a clock that was wrong', async () => {
    await open(of, noon + hour).save([list(servers, some, noon + hour), list(volumes, [{ id: 7 }], noon)]);
    const kept = open();
    expect(complaints(kept)).toEqual([future]);
    expect(await restOf(kept)).toHaveLength(1);
    expect(complaints(open())).toEqual([]);
  });

  /** Puts a text or bytes in the place of the rows of a list. */
  async function forge(rows: string | Uint8Array, query: object = servers): Promise<void> {
    const { state, ...kept } = open();
    await kept.save([list(servers, some), list(volumes, [{ id: 7 }])]);
    const data = typeof rows === 'string' ? zstdCompressSync(rows) : rows;
    const sql = 'UPDATE list SET data = ?, query = ? WHERE query = ?';
    state.toWrite().run(sql, data, JSON.stringify(query), JSON.stringify(servers));
  }

  const bombs = {
    'a list that grows beyond its limit when unpacked': ' '.repeat(70 * 2 ** 20),
    'ten million rows': '{"count":250,"fields":[]}\n'.repeat(40_000),
    'rows of two billion values': `{"count":250,"fields":[${'{"name":"a","values":[]},'.repeat(9e6 / 25)}{"name":"a","values":[]}]}`,
    'blocks within blocks': `${'{"count":250,"fields":[{"name":"a","values":'.repeat(20_000)}[]${'}]}'.repeat(20_000)}`,
    'no compressed data': new Uint8Array([1, 2, 3]),
  };

  test.each([
    'null',
    '[]',
    '{"count":1}',
    '{"count":1e9,"fields":[]}',
    '{"count":-1,"fields":[]}',
    '{"count":0.5,"fields":[]}',
    '{"count":1,"fields":[{"name":1,"values":[]}]}',
    '{"count":1,"fields":[{"name":"a","values":{"count":-1}}]}',
    '',
    '{',
    ...Object.keys(bombs),
  ])('%s', async (name) => {
    await forge(bombs[name as keyof typeof bombs] ?? name);
    const kept = open();
    expect(complaints(kept)).toEqual([damaged]);
    expect(await restOf(kept)).toHaveLength(1);
    // No later start meets it again, also where it is read with the rest.
    expect(complaints(open())).toEqual([]);
    await forge(bombs[name as keyof typeof bombs] ?? name);
    expect(await restOf(open())).toHaveLength(1);
    expect(await restOf(open())).toHaveLength(1);
  });

  test('what is nested too deep, as in answers', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    await forge(`{"count":1,"fields":[{"name":"id","values":[1]},{"name":"label","values":[${deep}]}]}`);
    const [row = {}] = open().read(servers)?.rows ?? [];
    expect(JSON.stringify(row).length).toBeLessThan(1000);
    expect(JSON.stringify(row)).toContain('nested too deep');
  });

  test('names of prototypes are names like any other, or left out', async () => {
    await forge(
      '{"count":1,"fields":[{"name":"__proto__","values":[{"polluted":1}]},{"name":"constructor","values":["c"]},' +
        '{"name":"id","values":[{"__proto__":{"polluted":1}}],"at":["constructor"]},{"name":"b","values":[1],"at":[9]}]}',
    );
    const [row = {}] = open().read(servers)?.rows ?? [];
    expect(Object.entries(row)).toEqual([['constructor', 'c']]);
    expect(row.polluted).toBeUndefined();
    expect(({} as Row).polluted).toBeUndefined();
  });

  test.each([
    { resource: 'nothing', operation: 'list', params: {} },
    { resource: 'servers', operation: 'constructor', params: {} },
    { resource: 'servers', operation: 'view', params: { serverId: '1' } },
    { resource: 'servers', operation: 'list', params: { other: '1' } },
    { resource: 'disks', operation: 'list', params: {} },
    { resource: 'problems', operation: 'list', params: {} },
    { resource: '__proto__', operation: 'list', params: {} },
    { resource: 'servers', operation: 'list', params: { serverId: 1 } },
    [],
  ])('a list that there is not: %o', async (query) => {
    await forge('{"count":1,"fields":[{"name":"id","values":[1]}]}', query);
    expect((await restOf(open())).map(({ query: { resource } }) => resource)).toEqual(['volumes']);
  });

  test('a database that cannot be believed shows nothing, and writing there does no harm', async () => {
    const before = open();
    await before.save([list(servers, some)]);
    before.state.close();
    chmodSync(join(directory, 'skydeck.db'), 0o644);
    const bytes = readFileSync(join(directory, 'skydeck.db'));
    const kept = open();
    expect(kept.read(servers)).toBeUndefined();
    await kept.save([list(servers, [{ id: 9 }])]);
    expect(readFileSync(join(directory, 'skydeck.db'))).toEqual(bytes);
  });
});

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Profile } from '../../../src/config/schema.ts';
import { keptFileOf } from '../../../src/program/kept/keptFile.ts';
import { type KeptLists, openKeptLists } from '../../../src/program/kept/keptLists.ts';
import { keptOf } from '../../../src/program/kept/keptName.ts';
import type { Settings } from '../../../src/program/settings.ts';
import type { Row } from '../../../src/resources/resource.ts';
import type { KeptList } from '../../../src/store/kept/keptSource.ts';

const noon = Date.UTC(2026, 4, 15, 12);
const of = { profile: 'work', baseUrl: 'https://api.example.com', fingerprint: 'f00d' };
const servers = { resource: 'servers', operation: 'list', params: {} };
const volumes = { resource: 'volumes', operation: 'list', params: {} };
const disks = (serverId: string) => ({ resource: 'disks', operation: 'list', params: { serverId } });

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'skydeck-kept-'));
  file = join(home, 'cache', 'work.kept');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const owner = process.geteuid?.();
const open = (account: typeof of & { euuid?: string } = of, now = noon): KeptLists =>
  openKeptLists({ file, of: account }, owner, () => now);

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
  kept.onDiscard((says) => told.push(says));
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

  test('in a file that only its owner can read, in a directory of its own', async () => {
    await open().save([list(servers, some)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['work.kept']);
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
    expect(readdirSync(dirname(file))).toEqual(['work.kept']);
  });

  test('without those that are too long, too old, or have rows without ids', async () => {
    const many = Array.from({ length: 1001 }, (_, id) => ({ id }));
    await open().save([list(disks('1'), many), list(volumes, [{ id: 1 }], noon - 31 * 86_400_000)]);
    expect(await restOf(open())).toEqual([]);
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

describe('the file and the account of settings', () => {
  const settings = (token: string, source: string, own?: Profile) =>
    ({ profile: 'my work', account: { baseUrl: of.baseUrl, token: { value: token, source } }, own }) as Settings;
  const named = (token: string, source: string, own?: Profile) => {
    const name = keptOf(settings(token, source, own), '/kept');
    return name && { file: name.file, of: name.of };
  };
  const profile = (more: Partial<Profile> = {}): Profile => ({ guards: [], ...more });

  test('are named after the profile, and tell tokens apart without telling them', () => {
    const one = named('one', 'The variable A', profile());
    expect(one?.file).toBe('/kept/my%20work.kept');
    expect(one?.of).toEqual({
      profile: 'my work',
      baseUrl: of.baseUrl,
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(named('two', 'The variable A', profile())?.of).not.toEqual(one?.of);
    expect(named('one', 'The variable B', profile())?.of).toEqual(one?.of);
  });

  test('a token that a program prints may be another one each time', () => {
    const printed = 'The output of the token command pass';
    const own = profile({ token_command: ['pass', 'show'] });
    expect(named('one', printed, own)).toEqual(named('two', printed, own));
    expect(named('one', printed, profile({ token_command: ['pass', 'other'] }))).not.toEqual(
      named('one', printed, own),
    );
    expect(named('one', 'The variable SKYDECK_TOKEN', own)).not.toEqual(
      named('two', 'The variable SKYDECK_TOKEN', own),
    );
  });

  test('without a profile each token has a file, and the demo has none', () => {
    expect(named('one', 'The variable A')?.file).not.toBe(named('two', 'The variable A')?.file);
    expect(keptOf({ ...settings('one', ''), account: undefined }, '/kept')).toBeUndefined();
  });
});

describe('what does not fit is thrown away, with a sentence', () => {
  const thrown = (why: string) => [`The kept lists of work are thrown away: ${why}.`];

  test.each([
    ['another profile', { ...of, profile: 'other' }, 'they are of the profile other'],
    [
      'another API',
      { ...of, baseUrl: 'https://other.example.com' },
      'they are of another API, https://other.example.com',
    ],
    ['another token', { ...of, fingerprint: 'beef' }, 'they were read with another token'],
  ])('of %s', async (_, other, why) => {
    await open(other).save([list(servers, some)]);
    expect(complaints(open())).toEqual(thrown(why));
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  test('of the future', async () => {
    await open(of, noon + 3_600_000).save([list(servers, some)]);
    expect(complaints(open())).toEqual(thrown('it is of the future, 2026-05-15 13:00, so a clock is or was wrong'));
  });

  test('of another version', async () => {
    await open().save([list(servers, some)]);
    writeFileSync(file, readFileSync(file, 'latin1').replace('lists 1', 'lists 2'), 'latin1');
    expect(complaints(open())).toEqual(thrown('it was written by another version'));
  });

  test('open to others', async () => {
    await open().save([list(servers, some)]);
    chmodSync(file, 0o644);
    expect(complaints(open())).toEqual(thrown('the file was open to others (mode 0644)'));
    await open().save([list(servers, some)]);
    chmodSync(dirname(file), 0o755);
    expect(complaints(open())).toEqual(thrown('its directory was open to others (mode 0755)'));
  });

  test('of somebody else', async () => {
    await open().save([list(servers, some)]);
    const kept = openKeptLists({ file, of }, (owner ?? 0) + 1, () => noon);
    expect(complaints(kept)).toEqual(thrown('the file belongs to somebody else'));
  });

  test('behind a symbolic link', async () => {
    await open().save([list(servers, some)]);
    renameSync(file, `${file}.there`);
    symlinkSync(`${file}.there`, file);
    expect(complaints(open())).toEqual(thrown('it cannot be read: it is a symbolic link'));
    expect(readdirSync(dirname(file))).toEqual(['work.kept.there']);
  });

  test('in a directory behind one', async () => {
    await open().save([list(servers, some)]);
    renameSync(dirname(file), join(home, 'there'));
    symlinkSync(join(home, 'there'), dirname(file));
    expect(complaints(open())).toEqual(thrown('its directory is a symbolic link'));
  });

  test('no regular file', () => {
    mkdirSync(file, { recursive: true });
    expect(complaints(open())).toEqual(thrown('it is not a regular file'));
  });

  test('cut off or changed anywhere', async () => {
    await open().save([list(servers, some), list(volumes, [{ id: 7, label: 'v' }])]);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x20;
      writeFileSync(file, changed, { mode: 0o600 });
      const kept = open();
      const read = kept.read(servers);
      if (read) expect(read).toEqual(list(servers, some));
      const rest = await restOf(kept);
      expect([list(servers, some), list(volumes, [{ id: 7, label: 'v' }])]).toEqual(expect.arrayContaining([...rest]));
      writeFileSync(file, whole, { mode: 0o600 });
      truncateSync(file, at);
      expect(complaints(open())).toHaveLength(1);
    }
  });

  test('the account has another id than it had', async () => {
    const before = open();
    before.confirm('A');
    await before.save([list(servers, some)]);
    const kept = open();
    expect(kept.read(servers)?.rows).toEqual(some);
    expect(await restOf(kept)).toEqual([]);
    const told: string[] = [];
    kept.onDiscard((says) => told.push(says));
    kept.confirm('A');
    expect(told).toEqual([]);
    kept.confirm('B');
    expect(told).toEqual(thrown('the token is of another account now'));
    await kept.save([list(volumes, [{ id: 1 }])]);
    expect((await restOf(open())).map(({ query }) => query.resource)).toEqual(['volumes']);
  });
});

describe('hostile content does no harm', () => {
  /** Writes a file of one list whose rows are this text. */
  function forge(text: string, query: KeptList['query'] = servers): void {
    const data = zstdCompressSync(text);
    const segment = { query, keptAt: noon, rows: 1, bytes: data.length, checksum: crc32(data) };
    mkdirSync(dirname(file), { mode: 0o700, recursive: true });
    writeFileSync(file, Buffer.concat([...keptFileOf(of, noon, [[segment, data]])]), { mode: 0o600 });
  }

  test.each([
    'null',
    '[]',
    '{"count":1}',
    '{"count":1e9,"fields":[]}',
    '{"count":1,"fields":[{"name":1,"values":[]}]}',
    '{"count":1,"fields":[{"name":"a","values":{"count":-1}}]}',
    '',
    '{',
  ])('%s', (text) => {
    forge(text);
    expect(complaints(open())).toEqual(['The kept lists of work are thrown away: the file is damaged.']);
    expect(open().hasLists()).toBe(false);
  });

  test('names of prototypes are names like any other, or left out', () => {
    forge(
      '{"count":1,"fields":[{"name":"__proto__","values":[{"polluted":1}]},{"name":"constructor","values":["c"]},' +
        '{"name":"id","values":[{"__proto__":{"polluted":1}}],"at":["constructor"]},{"name":"b","values":[1],"at":[9]}]}',
    );
    const [row = {}] = open().read(servers)?.rows ?? [];
    expect(Object.entries(row)).toEqual([['constructor', 'c']]);
    expect(row.polluted).toBeUndefined();
    expect(({} as Row).polluted).toBeUndefined();
  });

  test('a list that grows beyond its limit when unpacked', () => {
    forge(' '.repeat(70 * 2 ** 20));
    expect(complaints(open())).toEqual(['The kept lists of work are thrown away: the file is damaged.']);
  });

  test.each<KeptList['query']>([
    { resource: 'nothing', operation: 'list', params: {} },
    { resource: 'servers', operation: 'constructor', params: {} },
    { resource: 'servers', operation: 'view', params: { serverId: '1' } },
    { resource: 'servers', operation: 'list', params: { other: '1' } },
    { resource: 'disks', operation: 'list', params: {} },
    { resource: 'problems', operation: 'list', params: {} },
    { resource: '__proto__', operation: 'list', params: {} },
  ])('a list that there is not: %o', async (query) => {
    forge('{"count":1,"fields":[{"name":"id","values":[1]}]}', query);
    expect(await restOf(open())).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { vocabularyOf } from '../../src/api/vocabulary.ts';
import { audit } from '../../src/resources/account/audit.ts';
import { emptyView, type Row } from '../../src/resources/resource.ts';
import { type AuditRows, createAuditRows } from '../../src/store/audit/auditRows.ts';

const { fromWire } = vocabularyOf({ server: 'machine' });
const api = {
  documented: fromWire,
  curlOf: (method: string, path: string, body: unknown) => `curl -X ${method} ${path} ${JSON.stringify(body)}`,
};
const owner = { profile: 'work', host: 'api.example.com', session: 'e7e7e7e7', account: 'E1' };
const time = (second: number) => new Date(second * 1000).toISOString();
const pending = (change: string, more: object = {}) => ({
  time: time(1),
  profile: 'work',
  host: 'api.example.com',
  account: 'E1',
  change,
  method: 'PUT',
  path: '/v0/machine/instances/5',
  outcome: 'pending',
  ...more,
});
const ended = (change: string, more: object = {}) => ({
  ...pending(change),
  time: time(3),
  outcome: 'done',
  status: 200,
  ...more,
});
const named = { resource: 'servers', action: 'edit', params: { serverId: '5' }, label: 'web' };

function read(...lines: readonly object[]) {
  const rows = createAuditRows(owner, api);
  rows.older(lines.toReversed() as never);
  rows.end();
  return rows.rows();
}

test('both lines of a change are one row, in the words of the documents', () => {
  const [row] = read(pending('a-1', { ...named, body: { machine_id: 7 }, before: { machine_id: 6 } }), ended('a-1'));
  expect(row).toEqual({
    id: 'a-1',
    at: 1000,
    endedAt: 3000,
    profile: 'work',
    host: 'api.example.com',
    account: 'E1',
    method: 'PUT',
    path: '/v0/server/instances/5',
    ...named,
    kind: 'Servers',
    help: 'Edit',
    body: { server_id: 7 },
    before: { server_id: 6 },
    outcome: 'done',
    status: 200,
  });
  expect(row?.curl).toBe('curl -X PUT /v0/server/instances/5 {"server_id":7}');
  expect(JSON.stringify(row)).not.toContain('curl');
});

test('a change that a file goes along with is one row, with what became of the file', () => {
  const asks = { method: 'POST', path: '/v0/object-url', resource: 'objects', action: 'upload', label: 'a.gz' };
  const upload = pending('a-1', { ...asks, params: { bucket: 'assets' }, body: { name: 'a.gz' }, uid: 'u.1' });
  const file = pending('a-2', { path: 'https://files.example/assets/a.gz', body: { bytes: 3 }, uid: 'u.1' });
  const lost = { outcome: 'failed', status: 507, error: 'The disk is full.' };
  const lines = [upload, ended('a-1'), file, ended('a-2', lost)];
  const one = { id: 'a-1', at: 1000, help: 'Upload a file', label: 'a.gz', path: '/v0/object-url', ...lost };
  expect(read(...lines)).toMatchObject([{ ...one, params: { bucket: 'assets' }, body: { name: 'a.gz' } }]);
  expect(read(...lines)[0]?.curl).toContain('/v0/object-url');
  expect(read(upload, ended('a-1'), file)).toMatchObject([{ outcome: 'answer unknown' }]);
  // A file whose change is in no line stands for itself.
  expect(read(file, ended('a-2'))).toMatchObject([{ method: 'PUT', path: 'https://files.example/assets/a.gz' }]);
  expect(read(upload, ended('a-1'), { ...file, uid: 'u.2' })).toHaveLength(2);
});

test('a creation names the row that it made, also while it is followed; another change names none', () => {
  const made = { method: 'POST', path: '/v0/machine/instances', resource: 'servers', params: {}, label: 'web' };
  const create = pending('a-1', { ...made, action: 'create' });
  expect(read(create, ended('a-1', { made: '9' }))).toMatchObject([{ params: { serverId: '9' } }]);
  expect(read(create, ended('a-1', { outcome: 'failed' }))[0]?.params).toEqual({});
  const rows = createAuditRows(owner, api);
  rows.newer(create);
  expect(rows.rows()).toMatchObject([{ params: {} }]);
  rows.newer(ended('a-1', { made: '9' }));
  expect(rows.rows()).toMatchObject([{ params: { serverId: '9' }, outcome: 'done' }]);
  // The answer of a backup has the id of that.
  const backup = pending('a-2', { ...made, action: 'snapshot', params: { serverId: '5' } });
  expect(read(backup, ended('a-2', { made: '9' }))).toMatchObject([{ params: { serverId: '5' } }]);
});

test('a change without an end has an unknown answer, an end without its begin is told alone', () => {
  const rows = read(ended('a-0', { outcome: 'failed', status: 400, error: 'No.' }), pending('a-1'));
  expect(rows.map(({ id, outcome, error }) => ({ id, outcome, error }))).toEqual([
    { id: 'a-0', outcome: 'failed', error: 'No.' },
    { id: 'a-1', outcome: 'answer unknown', error: undefined },
  ]);
});

test('lines stand in the order in which they were written, whatever the clock said', () => {
  const of = (uid: string, hour: number, more: object = {}) =>
    [
      pending(uid, { time: time(hour * 3600), uid, ...named, ...more }),
      ended(uid, { time: time(hour * 3600) }),
    ] as const;
  const first = [...of('a.0', 1), ...of('b.0', 99), ...of('c.0', 98, { takesBack: 'b.0' })];
  const last = [...of('d.0', 2, { takesBack: 'c.0' }), ...of('e.0', 3, { takesBack: 'd.0' })];
  const is = (rows: readonly Row[]) =>
    rows.map(({ uid, isBack, isTakenBack }) => [uid, isBack ?? false, isTakenBack ?? false]);
  const expected = [
    ['e.0', true, false],
    ['d.0', false, true],
    ['c.0', true, false],
    ['b.0', false, true],
    ['a.0', false, false],
  ];
  expect(is(read(...first, ...last))).toEqual(expected);
  const rows = createAuditRows(owner, api);
  rows.older(first.toReversed());
  rows.end();
  for (const line of last) rows.newer(line);
  expect(is(rows.rows())).toEqual(expected);
  const written = createAuditRows(owner, api);
  for (const line of [...first, ...last]) written.newer(line);
  expect(is(written.rows())).toEqual(expected);
  // The same change was sent again after the clock was set back; its last request stands for it.
  const again = read(
    ...of('a.0', 9),
    pending('a-2', { time: time(5), uid: 'a.0' }),
    ...of('b.0', 4, { takesBack: 'a.0' }),
  );
  expect(again.map(({ id, isTakenBack }) => [id, isTakenBack])).toEqual([
    ['b.0', undefined],
    ['a-2', true],
    ['a.0', undefined],
  ]);
});

test('a line that tells that a change was found done ends one whose answer was lost, and no other', () => {
  const of = { ...named, uid: 'k.0' };
  const found = {
    time: time(5),
    host: 'api.example.com',
    account: 'E1',
    found: 'k.0',
    outcome: 'done',
    evidence: 'So.',
  };
  const lost = ended('a-1', { outcome: 'answer lost', error: 'Gone.' });
  const is = { outcome: 'done', evidence: 'So.', error: 'Gone.', endedAt: 3000 };
  expect(read(pending('a-1', of), lost, found)).toMatchObject([is]);
  expect(read(pending('a-1', of), found)).toMatchObject([{ outcome: 'done', evidence: 'So.' }]);
  expect(read(pending('a-1', of), lost, { ...found, uid: 'l.0' })).toMatchObject([{ ...is, uid: 'l.0' }]);
  for (const other of [{ host: 'api.example.org' }, { found: 'k.1' }])
    expect(read(pending('a-1', of), lost, { ...found, ...other })).toMatchObject([{ outcome: 'answer lost' }]);
  for (const outcome of ['done', 'failed'])
    expect(read(pending('a-1', of), ended('a-1', { outcome }), found)[0]).not.toHaveProperty('evidence');
  const rows = createAuditRows(owner, api);
  for (const line of [pending('a-1', of), lost, found, found]) rows.newer(line);
  expect(rows.rows()).toMatchObject([is]);
});

test.each([
  ['host', { host: 'api.example.org' }],
  ['account', { account: 'E2' }],
  ['host, though the account has the same name', { host: 'api.example.org', profile: 'environment' }],
])('lines of another %s lead nowhere and are never joined with own ones', (_, other) => {
  const rows = read(pending('a-1', named), pending('b-1', { ...named, ...other }), ended('b-1', other));
  expect(rows).toMatchObject([
    { id: 'b-1', isForeign: true, ...other, outcome: 'done', kind: 'Servers', label: 'web' },
    { id: 'a-1', outcome: 'answer unknown', resource: 'servers' },
  ]);
  expect(rows[0]).not.toHaveProperty('resource');
  expect(rows[0]).not.toHaveProperty('params');
  expect(rows[0]?.curl).toBeUndefined();
});

test('the account of the environment is called by its host in the list', () => {
  const shown = audit.columns.find(({ title }) => title === 'Profile')?.value as (row: Row) => unknown;
  const rows = read(pending('a-1', { ...named, profile: 'environment' }), pending('b-1', named));
  expect(rows.map((row) => shown(row))).toEqual(['work', owner.host]);
});

test('what another profile has sent to the same account is its own', () => {
  expect(read(pending('a-1', { ...named, profile: 'home' }))).toMatchObject([{ profile: 'home', resource: 'servers' }]);
});

test('older lines without host or account are shown, and belong to nobody', () => {
  const none = { host: undefined, account: undefined };
  const rows = read(pending('a-1', { ...named, ...none }), pending('b-1', { ...named, account: undefined }));
  expect(rows).toMatchObject([{ isForeign: true }, { isForeign: true }]);
  const shown = audit.columns.find(({ title }) => title === 'Account')?.value as (row: Row) => unknown;
  expect(rows.map((row) => shown(row))).toEqual(['not recorded', 'not recorded']);
});

test('lines of a run that learned its account later are that account’s, and those of this run are own without', () => {
  const early = { ...named, account: undefined };
  const lines = [
    pending('0000000a-1', { ...early, session: '0000000a' }),
    pending('0000000b-1', { ...early, session: '0000000b' }),
    { time: time(2), profile: 'work', host: owner.host, account: 'E1', session: '0000000a' },
    { time: time(2), profile: 'work', host: owner.host, account: 'E2', session: '0000000b' },
    pending('e7e7e7e7-1', { ...early, session: 'e7e7e7e7' }),
  ];
  expect(read(...lines).map(({ id, account, isForeign }) => [id, account, isForeign])).toEqual([
    ['e7e7e7e7-1', 'E1', undefined],
    ['0000000b-1', 'E2', true],
    ['0000000a-1', 'E1', undefined],
  ]);
});

test('rows that were read before the account was known are its own as soon as it is', () => {
  const rows = createAuditRows({ ...owner, account: undefined }, api);
  rows.older([pending('b-1', { ...named, account: 'E2' }), ended('a-1'), pending('a-1', named)]);
  rows.end();
  expect(rows.rows()).toMatchObject([
    { id: 'b-1', isForeign: true },
    { id: 'a-1', isForeign: true },
  ]);
  rows.identify(owner);
  expect(rows.rows()).toMatchObject([
    { id: 'b-1', isForeign: true },
    { id: 'a-1', outcome: 'done', ...named },
  ]);
  expect(rows.rows()[1]).not.toHaveProperty('isForeign');
});

test('a line that cannot be read has its place among the others, and says why', () => {
  const rows = read(pending('a-1'), { damaged: 'It is nested too deep.' }, pending('b-1', { time: time(5) }));
  expect(rows.map(({ id, outcome, error }) => [id, outcome, error])).toEqual([
    ['b-1', 'answer unknown', undefined],
    ['damaged', 'damaged', 'It is nested too deep.'],
    ['a-1', 'answer unknown', undefined],
  ]);
});

test('shells and commands name their rows', () => {
  const whose = { profile: 'work', host: owner.host, account: 'E1' };
  const shell = { time: time(1), ...whose, shell: ['ssh', 'root@192.0.2.1'], server: { id: '5', label: 'web' } };
  const command = { time: time(2), ...whose, command: 'Ping', for: 'volumes', id: '9', run: ['ping'] };
  expect(read(shell, command)).toMatchObject([
    { command: 'Ping', resource: 'volumes', params: { volumeId: '9' }, outcome: 'begun' },
    { shell: ['ssh', 'root@192.0.2.1'], resource: 'servers', params: { serverId: '5' }, label: 'web' },
  ]);
});

test('hostile and older lines are told as far as they can be', () => {
  const rows = read(
    { time: 'never', profile: 'work', change: 'x', method: 'PUT', path: '/', outcome: 'pending' },
    { time: time(1), profile: 'work' },
    pending('a-1', { resource: '__proto__', params: { serverId: 5 }, label: {}, body: ['x'], before: 'x' }),
    pending('a-2', { ...named, params: { serverId: 5 } }),
    pending('a-2'),
  );
  expect(rows).toMatchObject([{ id: 'a-2' }, { id: 'a-2 2', label: 'web' }, { id: 'a-1', body: ['x'] }]);
  for (const row of rows) expect(row).not.toHaveProperty('params');
});

test('what was taken back is known of lines that were read before their account was', () => {
  const rows = createAuditRows({ ...owner, account: undefined }, api);
  rows.older([
    ended('b-2'),
    pending('b-2', { ...named, uid: 'c.0', takesBack: 'b.0' }),
    ended('b-1'),
    pending('b-1', { ...named, uid: 'b.0' }),
  ]);
  rows.end();
  rows.newer(pending('b-3', { ...named, uid: 'd.0' }));
  rows.newer(ended('b-3'));
  rows.rows();
  rows.identify(owner);
  expect(rows.rows()).toMatchObject([
    { id: 'b-3', resource: 'servers', outcome: 'done' },
    { id: 'b-2', takesBack: 'b.0' },
    { id: 'b-1', isTakenBack: true },
  ]);
});

test.each([
  ['among those from now on', (rows: AuditRows) => rows.newer(pending('b-1', named))],
  ['among the older ones', (rows: AuditRows) => rows.older([pending('b-1', named)])],
])('a line that was read %s before it is told counts once', (_, take) => {
  const rows = createAuditRows(owner, api);
  take(rows);
  rows.newer(pending('b-1', named));
  rows.newer(ended('b-1', { outcome: 'done' }));
  expect(rows.rows()).toMatchObject([{ id: 'b-1', outcome: 'done', label: 'web' }]);
  expect(rows.count).toBe(1);
});

test('what is written from now on comes on top, and its outcome takes the place of its begin', () => {
  const rows = createAuditRows(owner, api);
  rows.older([pending('a-1')]);
  rows.newer(pending('b-1', named));
  expect(rows.rows()).toMatchObject([{ id: 'b-1', outcome: 'pending' }, { id: 'a-1' }]);
  rows.newer(ended('b-1', { outcome: 'answer lost', error: 'Gone.' }));
  rows.end();
  expect(rows.rows()).toMatchObject([
    { id: 'b-1', outcome: 'answer lost', error: 'Gone.', label: 'web', endedAt: 3000 },
    { id: 'a-1', outcome: 'answer unknown' },
  ]);
});

test('an upload, of which only its request is written, has an action and an object', () => {
  const [row] = read(
    pending('a-1', { method: 'PUT', path: '/assets/logo.png', body: { file: '/logo.png', bytes: 9 } }),
  );
  const shown = (title: string) => {
    const value = audit.columns.find((one) => one.title === title)?.value;
    return typeof value === 'function' && row ? value(row, emptyView) : value;
  };
  expect([shown('Action'), shown('Object')]).toEqual(['PUT', '/assets/logo.png']);
});

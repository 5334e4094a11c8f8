import { describe, expect, test } from 'vitest';
import { dayBuckets } from '../../src/resources/compute/load.ts';
import type { CostRow } from '../../src/resources/costs/costRows.ts';
import { costs } from '../../src/resources/costs/costs.ts';
import type { LoadDay, Row } from '../../src/resources/resource.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { type Further, knowing, type Lists, present } from './known.ts';

const type = { id: 'small', price: { monthly: 24 }, addons: { backups: { price: { monthly: 5 } } } };
const server = (id: number, more: Row = {}): Row => ({
  id,
  label: `web-${id}`,
  status: 'running',
  type: 'small',
  backups: { enabled: false },
  specs: { vcpus: 2 },
  tags: ['web'],
  ...more,
});

const load = (max: number, known = dayBuckets): LoadDay => ({
  buckets: Float32Array.from({ length: dayBuckets }, (_, nth) => (nth < known ? max / 2 : Number.NaN)),
  max,
});
const dayOf = (cpu: number, network: number, known?: number) => ({
  until: present,
  cpu: load(cpu, known),
  networkIn: load(network, known),
  networkOut: load(0, known),
  io: load(0, known),
});

const types = { 'server-types': [type] };
const made = (lists: Lists, further?: Further) => costs.made?.rows(knowing(lists, further)) ?? [];
const rowOf = (rows: readonly Row[], id: string) => rows.find((one) => one.id === id);

test('the foot says that no server is read, rather than that there are none', () => {
  expect(costs.made?.foot?.(knowing({}))).toMatch(/^No server is read; no other price is told$/);
  expect(costs.made?.foot?.(knowing({ ...types, servers: [server(1)] }))).toMatch(/^\$24.* for 1 server;/);
});

test('of servers that are not read to their end nothing is said as of all of them', () => {
  const foot = (lists: Lists, further?: Further) => costs.made?.foot(knowing(lists, further));
  const some = { ...types, servers: [server(1)] };
  const partly = { partly: ['servers'], answers: { 'servers transfer 1': { used: 0, quota: 1024, billable: 0 } } };
  const unread = { count: undefined, cost: undefined, wasted: undefined, untold: 'not read to the end' };
  for (const area of ['Servers', 'backups', 'Volumes', 'NodeBalancers', 'Buckets'])
    expect(rowOf(made({}), `area ${area}`)).toMatchObject(unread);
  expect(rowOf(made(some, partly), 'area backups')).toMatchObject({ cost: undefined, untold: 'not read to the end' });
  expect(rowOf(made(some), 'area backups')).toMatchObject({ cost: 0, untold: undefined });
  expect(rowOf(made(some, partly), 'area transfer')?.why).toBe('0 B of 1 TiB used, 1 server read so far');
  expect(foot(some, partly)).toMatch(/ for 1 server read so far; no other price is told$/);
  expect(foot({ servers: [] })).toMatch(/^No server is there;/);
  expect(rowOf(made({ servers: [] }), 'area transfer')?.why).toBe('there is no server');
});

describe('the cost of a server', () => {
  test('is that of its type and its backups, which areas tell apart', () => {
    const rows = made({ ...types, servers: [server(1, { backups: { enabled: true } }), server(2)] });
    expect(rowOf(rows, 'servers 1')).toMatchObject({ cost: 29, resource: 'servers', params: { serverId: '1' } });
    expect(rowOf(rows, 'area Servers')).toMatchObject({ count: 2, cost: 48 });
    expect(rowOf(rows, 'area backups')).toMatchObject({ count: 1, cost: 5 });
  });

  test('stays unknown where the API does not tell it', () => {
    const rows = made({ ...types, servers: [server(1, { type: 'odd' }), server(2)] });
    expect(rowOf(rows, 'servers 1')).toMatchObject({ untold: 'the price' });
    expect(rowOf(rows, 'servers 1')?.cost).toBeUndefined();
    expect(rowOf(rows, 'tag web')).toMatchObject({ cost: 24, untold: '1 server' });
    expect(costs.made?.foot(knowing({ servers: [server(1)] }))).toMatch(/^No price for 1 server; no other/);
  });

  test('is that of what is told, where a type has no price, or its backups have none', () => {
    const odd = [
      { id: 'free', addons: { backups: { price: { monthly: 5 } } } },
      { id: 'plain', price: { monthly: 10 } },
    ];
    const backups = { enabled: true };
    const servers = [server(1), server(2, { type: 'free', backups }), server(3, { type: 'plain', backups })];
    const rows = made({ 'server-types': [type, ...odd], servers });
    expect(rowOf(rows, 'area Servers')).toMatchObject({ count: 3, cost: 24, untold: '2 servers' });
    expect(rowOf(rows, 'area backups')).toMatchObject({ count: 2, cost: 5, untold: '1 server' });
    const untold = rowOf(
      made({ 'server-types': odd, servers: [server(3, { type: 'plain', backups })] }),
      'area backups',
    );
    expect(untold).toMatchObject({ count: 1, untold: '1 server' });
    expect(untold?.cost).toBeUndefined();
  });

  test('is not known where a price is below nothing, and a tag that comes twice counts once', () => {
    const odd = { ...type, price: { monthly: -24 } };
    const backups = { id: 'plain', price: { monthly: 10 }, addons: { backups: { price: { monthly: -5 } } } };
    const servers = [server(1), server(2, { type: 'plain', tags: ['a', 'a'] })];
    const rows = made({ 'server-types': [odd, backups], servers });
    expect(rowOf(rows, 'servers 1')?.cost).toBeUndefined();
    expect(rowOf(rows, 'area Servers')).toMatchObject({ cost: 10, untold: '1 server' });
    expect(rowOf(rows, 'tag a')).toMatchObject({ cost: 10, count: 1 });
    const backed = made({
      'server-types': [backups],
      servers: [server(3, { type: 'plain', backups: { enabled: true } })],
    });
    expect(rowOf(backed, 'servers 3')?.cost).toBeUndefined();
  });

  test('counts for each of its tags', () => {
    const rows = made({ ...types, servers: [server(1, { tags: ['a', 'b'] }), server(2, { tags: [] })] });
    for (const tag of ['a', 'b', '(no tag)']) expect(rowOf(rows, `tag ${tag}`)).toMatchObject({ cost: 24, count: 1 });
  });

  test('says of a tag what would help, once for several, and nothing where all is in use', () => {
    const tagged = (id: number, status = 'running') =>
      server(id, { status, tags: status === 'offline' ? ['a', 'c'] : ['a', 'b'] });
    const lists = {
      ...types,
      servers: [tagged(1, 'offline'), tagged(2, 'offline'), tagged(3), server(4, { tags: ['d'] })],
    };
    const rows = made(lists, { days: { '3': dayOf(10, 4e5), '4': dayOf(60, 0) } });
    expect(rowOf(rows, 'tag a')?.helps).toBe('Capture an image, delete; Resize, or delete');
    expect(rowOf(rows, 'tag b')?.helps).toBe(rowOf(rows, 'servers 3')?.helps);
    expect(rowOf(rows, 'tag c')?.helps).toBe(rowOf(rows, 'servers 1')?.helps);
    expect(rowOf(rows, 'tag d')?.helps).toBeUndefined();
  });

  test.each(['a', 'two words', '5" disk', '"', 'a"b"', 'none', '(no tag)'])(
    'opens as the rows with the tag %s',
    (tag) => {
      const lists = { ...types, servers: [server(1, { tags: [tag, 'x'] }), server(2, { tags: [] }), server(3)] };
      // A tag that is called like the sum of what has none stands in quotes.
      const name = tag === '(no tag)' ? `"${tag}"` : tag;
      const sum = rowOf(made(lists), `tag ${name}`) as CostRow;
      const view = knowing(lists);
      const filter = parseFilter(costs.made?.opens(sum)?.filter ?? '', costs.columns, view);
      if ('error' in filter) throw new Error(filter.error);
      const ids = made(lists).filter((row) => row.by === 'row' && filter.matches(row));
      expect(ids.map(({ id }) => id)).toEqual(['servers 1']);
    },
  );
});

describe('a server', () => {
  const at = (days: Further['days']) => rowOf(made({ ...types, servers: [server(1)] }, { days }), 'servers 1');

  test('is idle where it did next to nothing for a whole day, and it is said how that was measured', () => {
    expect(at({ '1': dayOf(10, 4e5) })).toMatchObject({
      state: 'idle',
      wasted: 24,
      since: present - 24 * 3_600_000,
      why: 'at most 5% CPU, 400 kbit/s: means of 5 min, 24 h until 12:00 UTC',
    });
  });

  test.each([
    ['CPU', dayOf(60, 0)],
    ['traffic', dayOf(0, 2e6)],
  ])('is in use where it had %s', (_, day) => {
    expect(at({ '1': day })).toMatchObject({ state: 'in_use' });
    expect(at({ '1': day })?.wasted).toBeUndefined();
  });

  test.each([
    ['nothing was read', undefined],
    ['half of the day is missing', { '1': dayOf(0, 0, 24) }],
  ])('is neither where %s', (_, days) => {
    expect(at(days)).toMatchObject({ why: 'not measured for a whole day yet' });
    expect(at(days)?.state).toBeUndefined();
  });

  test('that is off is told with the time of its shutdown, as far as events go', () => {
    const off = { ...types, servers: [server(1, { status: 'offline' })] };
    const shutdown = {
      id: 9,
      action: 'server_shutdown',
      status: 'finished',
      created: '2024-04-30T12:00:00',
      entity: { type: 'server', id: 1 },
    };
    expect(rowOf(made(off, { events: [shutdown] }), 'servers 1')).toMatchObject({
      state: 'off',
      wasted: 24,
      since: Date.UTC(2024, 3, 30, 12),
    });
    expect(rowOf(made(off), 'servers 1')).toMatchObject({ why: expect.stringContaining('since when is not known') });
  });
});

describe('what has no price', () => {
  test('is told by its size, and where nothing uses it', () => {
    const volumes = [
      { id: 1, label: 'data', size: 100, server_id: null, updated: '2024-04-01T00:00:00', tags: [] },
      { id: 2, label: 'logs', size: 20, server_id: 7, tags: [] },
    ];
    const nodebalancers = [{ id: 3, label: 'lb', created: '2024-01-01T00:00:00', tags: [] }];
    const rows = made({ volumes, nodebalancers, 'nodebalancer-configs': [] });
    expect(rowOf(rows, 'volumes 1')).toMatchObject({ state: 'unattached', untold: 'the price of 100 GiB' });
    expect(rowOf(rows, 'volumes 2')).toMatchObject({ state: 'in_use' });
    expect(rowOf(rows, 'nodebalancers 3')).toMatchObject({ state: 'no_ports' });
    expect(rowOf(made({ nodebalancers }), 'nodebalancers 3')?.state).toBeUndefined();
    expect(rowOf(rows, 'area Servers')).toMatchObject({ untold: 'not read to the end' });
  });

  test('is transfer over the pool, with the servers that were read', () => {
    const answers = { 'servers transfer 1': { used: 3 * 2 ** 40, quota: 2048, billable: 0 } };
    const servers = [server(1), server(2)];
    expect(rowOf(made({ servers }, { answers }), 'area transfer')).toMatchObject({
      why: '3 TiB of 2 TiB used, 1 of 2 servers read',
      untold: undefined,
    });
    expect(rowOf(made({ servers: [server(1)] }, { answers }), 'area transfer')).toMatchObject({
      why: '3 TiB of 2 TiB used',
      untold: 'the price of 1 TiB over the pool',
    });
    const rows = made({ servers, 'object-storage': [{ used: 2 ** 39 }] }, { answers });
    expect(rowOf(rows, 'area transfer')).toMatchObject({ why: '3.5 TiB of 3 TiB used, 1 of 2 servers read' });
    expect(rowOf(made({ servers }), 'area transfer')).toMatchObject({ why: 'not read yet' });
  });
});

import { describe, expect, test } from 'vitest';
import { idIn } from '../../src/resources/identity.ts';
import { resourceNamed, resources } from '../../src/resources/index.ts';
import { type Relations, relationsOf } from '../../src/resources/relations.ts';
import type { LoadedList, Params, Row } from '../../src/resources/resource.ts';
import { callsDuring } from '../calls.ts';
import { knowing } from './known.ts';

/** A list that is loaded, with its resource. */
interface Held extends LoadedList {
  resource: string;
}

const viewOf = (held: readonly Held[]) => knowing(Object.fromEntries(Map.groupBy(held, ({ resource }) => resource)));

const list = (resource: string, rows: readonly Row[], params: Params = {}): Held => ({
  resource,
  params,
  rows,
  whole: true,
});

const about = (type: string, id: number | string | null) => ({ id: `${type} ${id}`, entity: { type, id } });

/** An account of which everything is loaded but the records of one domain. */
const account: readonly Held[] = [
  list('servers', [
    {
      id: 1,
      label: 'web-1',
      region: 'us-east',
      type: 'small',
      image: 'private/7',
      tags: ['web'],
      ipv4: ['192.0.2.1', '192.168.128.1'],
      ipv6: '2001:db8::1/128',
    },
    { id: 2, label: 'db-1', region: 'us-west', type: 'large', image: null, tags: [], ipv4: ['192.0.2.2'], ipv6: null },
  ]),
  list('regions', [{ id: 'us-east' }, { id: 'us-west' }]),
  list('tags', [{ label: 'web' }]),
  list('images', [
    { id: 'private/7', label: 'golden' },
    { id: 'private/8', label: 'from db-1' },
  ]),
  list('volumes', [
    { id: 5, label: 'data', region: 'us-east', server_id: 1, tags: [] },
    { id: 6, label: 'spare', region: 'us-west', server_id: null, tags: ['web'] },
  ]),
  list('disks', [{ id: 11, label: 'root' }], { serverId: '1' }),
  list('disks', [], { serverId: '2' }),
  list(
    'configs',
    [
      {
        id: 21,
        label: 'boot',
        kernel: 'server/grub2',
        devices: { sda: { disk_id: 11, volume_id: null }, sdb: { disk_id: null, volume_id: 5 }, sdc: null },
      },
    ],
    { serverId: '1' },
  ),
  list('configs', [], { serverId: '2' }),
  list('backups', [{ id: 25, slot: 'automatic' }], { serverId: '1' }),
  list('backups', [], { serverId: '2' }),
  list('kernels', [{ id: 'server/grub2', label: 'GRUB 2' }]),
  list('nodebalancers', [
    { id: 30, label: 'lb', region: 'us-east', ipv4: '192.0.2.30', hostname: 'lb.example.net', tags: [] },
  ]),
  list('nodebalancer-configs', [{ id: 31, port: 80 }], { nodeBalancerId: '30' }),
  list('nodebalancer-nodes', [{ id: 32, label: 'one', address: '192.168.128.1:80' }], {
    nodeBalancerId: '30',
    configId: '31',
  }),
  list('domains', [
    { id: 40, domain: 'example.com', tags: ['web'] },
    { id: 41, domain: 'example.org', tags: [] },
  ]),
  list(
    'records',
    [
      { id: 42, type: 'A', name: 'www', target: '192.0.2.1' },
      { id: 43, type: 'AAAA', name: 'www', target: '2001:DB8::1' },
      { id: 44, type: 'CNAME', name: 'shop', target: 'lb.example.net.' },
      { id: 45, type: 'TXT', name: 'note', target: '192.0.2.1' },
      { id: 46, type: 'CNAME', name: 'files', target: 'files.storage.example.net' },
    ],
    { domainId: '40' },
  ),
  list('object-clusters', [{ id: 'east-1', region: 'us-east' }]),
  list('buckets', [{ label: 'files', cluster: 'east-1', hostname: 'files.storage.example.net' }]),
  list('object-keys', [
    {
      id: 50,
      label: 'one',
      limited: true,
      bucket_access: [{ cluster: 'east-1', bucket_name: 'files', permissions: 'read_only' }],
    },
    { id: 51, label: 'all', limited: false, bucket_access: null },
    { id: 52, label: 'none', limited: true, bucket_access: [] },
  ]),
  list('stackscripts', [{ id: 55, label: 'setup', images: ['private/7'] }]),
  list('entity-transfers', [{ token: 'abc', entities: { servers: [2] } }]),
  list('tickets', [about('server', 1), about('domain', 40), { id: 'account', entity: null }]),
  list('events', [
    about('server', 1),
    about('account', null),
    { ...about('volume', 5), id: 'attach', secondary_entity: { type: 'server', id: 1 } },
    {
      ...about('server', 2),
      id: 'capture',
      action: 'disk_imagize',
      secondary_entity: { type: 'image', id: 'private/8' },
    },
  ]),
  list('managed-services', [
    {
      id: 60,
      label: 'shop',
      address: 'https://www.example.com:8443/up',
      credentials: [62],
      consultation_group: 'night',
      region: null,
    },
    { id: 61, label: 'ping', address: '192.0.2.2:5432', credentials: [], consultation_group: '', region: 'us-west' },
  ]),
  list('managed-credentials', [{ id: 62, label: 'root' }]),
  list('managed-contacts', [
    { id: 63, name: 'night shift', group: 'night' },
    { id: 64, name: 'day', group: null },
  ]),
  list('managed-issues', [{ id: 65, services: [60], entity: { type: 'ticket', id: 'server 1' } }]),
  list('managed-server-settings', [{ id: 1, label: 'web-1' }]),
  { resource: 'account', params: {}, rows: [{ euuid: 'e-1', company: 'Example' }], whole: false },
  list('invoices', [{ id: 70, label: 'first' }]),
];

/** The rows that a row of the account is related to, written `side resource id`. */
function told(name: string, params: Params, held = account): readonly string[] {
  return related(name, params, held).groups.flatMap(({ side, resource, rows }) =>
    rows.map((one) => `${side} ${resource.name} ${idIn(resource, one.params) ?? ''}${one.row ? '' : ' unseen'}`.trim()),
  );
}

function related(name: string, params: Params, held = account): Relations {
  const resource = resourceNamed(name);
  const row = held
    .filter((one) => one.resource === name && Object.entries(one.params).every(([key, value]) => params[key] === value))
    .flatMap(({ rows }) => rows)
    .find((row) => Object.keys(params).length === 0 || String(row[resource.id]) === params[resource.param]);
  if (!row) throw new Error(`there is no ${name} ${JSON.stringify(params)}`);
  return relationsOf(resource, row, params, viewOf(held));
}

const unreadOf = (name: string, params: Params, held = account) =>
  related(name, params, held).unread.map(({ resource, below, missing, of }) =>
    [resource.name, below && 'below', of !== undefined && `${missing} of ${of}`].filter(Boolean).join(' '),
  );

describe('what a row belongs to and what uses it', () => {
  test.each<[string, Params, readonly string[]]>([
    [
      'servers',
      { serverId: '1' },
      [
        'belongs to images private/7',
        'belongs to regions us-east',
        'belongs to server-types small unseen',
        'belongs to tags web',
        'used by disks 11',
        'used by configs 21',
        'used by backups 25',
        'used by volumes 5',
        'used by managed-server-settings 1',
        'used by nodebalancer-nodes 32',
        'used by records 42',
        'used by records 43',
        'used by events attach',
        'used by events server 1',
        'used by tickets server 1',
      ],
    ],
    [
      'servers',
      { serverId: '2' },
      [
        'belongs to regions us-west',
        'belongs to server-types large unseen',
        'used by entity-transfers abc',
        'used by images private/8',
        'used by managed-services 61',
        'used by events capture',
      ],
    ],
    [
      'volumes',
      { volumeId: '5' },
      ['belongs to servers 1', 'belongs to regions us-east', 'used by configs 21', 'used by events attach'],
    ],
    ['images', { imageId: 'private/8' }, ['belongs to servers 2', 'used by events capture']],
    ['images', { imageId: 'private/7' }, ['used by servers 1', 'used by stackscripts 55']],
    ['disks', { serverId: '1', diskId: '11' }, ['belongs to servers 1', 'used by configs 21']],
    [
      'configs',
      { serverId: '1', configId: '21' },
      ['belongs to servers 1', 'belongs to kernels server/grub2', 'belongs to disks 11', 'belongs to volumes 5'],
    ],
    [
      'nodebalancer-nodes',
      { nodeBalancerId: '30', configId: '31', nodeId: '32' },
      ['belongs to nodebalancer-configs 31', 'belongs to nodebalancers 30', 'belongs to servers 1'],
    ],
    [
      'nodebalancers',
      { nodeBalancerId: '30' },
      [
        'belongs to regions us-east',
        'used by nodebalancer-configs 31',
        'used by nodebalancer-nodes 32',
        'used by records 44',
      ],
    ],
    ['records', { domainId: '40', recordId: '45' }, ['belongs to domains 40']],
    ['records', { domainId: '40', recordId: '46' }, ['belongs to domains 40', 'belongs to buckets east-1/files']],
    [
      'buckets',
      { clusterId: 'east-1', bucket: 'files' },
      ['belongs to object-clusters east-1', 'used by object-keys 50', 'used by object-keys 51', 'used by records 46'],
    ],
    ['object-keys', { keyId: '52' }, []],
    ['object-clusters', { clusterId: 'east-1' }, ['belongs to regions us-east', 'used by buckets east-1/files']],
    [
      'managed-services',
      { serviceId: '60' },
      [
        'belongs to managed-credentials 62',
        'belongs to domains 40',
        'belongs to managed-contacts 63',
        'used by managed-issues 65',
      ],
    ],
    ['managed-issues', { issueId: '65' }, ['belongs to managed-services 60', 'belongs to tickets server 1']],
    ['tickets', { ticketId: 'account' }, []],
    ['account', {}, ['used by invoices 70', 'used by events account null']],
    ['kernels', { kernelId: 'server/grub2' }, ['used by configs 21']],
  ])('of %s %j', (name, params, expected) => {
    expect([...told(name, params)].sort()).toEqual([...expected].sort());
  });

  test('is the same from both ends', () => {
    const ends = (side: string) =>
      account.flatMap(({ resource: name, params: around, rows }) => {
        const resource = resourceNamed(name);
        return rows.flatMap((row) => {
          const clusterId: Params = row.cluster === undefined ? {} : { clusterId: String(row.cluster) };
          const params =
            name === 'account' ? {} : { ...around, ...clusterId, [resource.param]: String(row[resource.id]) };
          return relationsOf(resource, row, params, viewOf(account)).groups.flatMap((group) =>
            group.side === side ? group.rows.flatMap((one) => (one.row ? [[row, one.row] as const] : [])) : [],
          );
        });
      });
    const pairs = (found: readonly (readonly [Row, Row])[]) =>
      found.map(([low, high]) => `${JSON.stringify(low)} → ${JSON.stringify(high)}`).sort();
    const upwards = pairs(ends('belongs to'));
    // That the account lists invoices is told of the account only.
    const downwards = pairs(ends('used by').map(([high, low]) => [low, high])).filter((pair) => !/"euuid"/.test(pair));
    expect(upwards.length).toBeGreaterThan(30);
    expect(downwards).toEqual(upwards.filter((pair) => !/"euuid"/.test(pair)));
  });

  test('begins with what the row lies in and names, and ends with what is about it', () => {
    const groups = related('nodebalancer-nodes', { nodeBalancerId: '30', configId: '31', nodeId: '32' }).groups;
    expect(groups.map(({ resource }) => resource.one)).toEqual(['NodeBalancer config', 'NodeBalancer', 'server']);
    const kinds = related('servers', { serverId: '1' }).groups.map(({ side, resource }) => `${side} ${resource.name}`);
    expect(kinds.findLastIndex((kind) => kind.startsWith('belongs to'))).toBe(kinds.indexOf('used by disks') - 1);
    expect(kinds.slice(-2)).toEqual(['used by tickets', 'used by events']);
  });

  test('no rule fails on rows that lack their fields', () => {
    const bare = [...account, ...resources.map(({ name }) => ({ ...list(name, [{}]), whole: false }))];
    for (const resource of resources) expect(() => relationsOf(resource, {}, {}, viewOf(bare))).not.toThrow();
    expect(told('servers', { serverId: '1' }, bare)).toEqual(told('servers', { serverId: '1' }));
  });
});

describe('what is not loaded', () => {
  const without = (...names: readonly string[]) => account.filter(({ resource }) => !names.includes(resource));

  test('an id is enough to name what a row belongs to', () => {
    expect(told('volumes', { volumeId: '5' }, without('servers', 'regions', 'events', 'configs'))).toEqual([
      'belongs to servers 1 unseen',
      'belongs to regions us-east unseen',
    ]);
    expect(told('configs', { serverId: '1', configId: '21' }, without('disks'))).toContain(
      'belongs to disks 11 unseen',
    );
  });

  test('what is missing in a whole list is gone; in part of one it may be there', () => {
    const part = (held: readonly Held[]) => held.map((one) => ({ ...one, whole: false }));
    const empty = [...without('servers'), list('servers', [])];
    expect(told('volumes', { volumeId: '5' }, empty)).not.toContain('belongs to servers 1 unseen');
    expect(told('volumes', { volumeId: '5' }, part(empty))).toContain('belongs to servers 1 unseen');
  });

  test('a disk of another server cannot be named without that server', () => {
    const event = { id: 'e', entity: null, secondary_entity: { type: 'disk', id: 11 } };
    const told_ = (held: readonly Held[]) =>
      relationsOf(resourceNamed('events'), event, { eventId: 'e' }, viewOf(held)).groups.flatMap(({ rows }) => rows);
    expect(told_(account).map(({ params }) => params)).toEqual([{ serverId: '1', diskId: '11' }]);
    expect(told_(without('disks'))).toEqual([]);
  });

  test('where everything is loaded, only what is not is told', () => {
    expect(unreadOf('servers', { serverId: '1' })).toEqual(['records 1 of 2']);
    expect(unreadOf('kernels', { kernelId: 'server/grub2' })).toEqual([]);
    expect(unreadOf('domains', { domainId: '40' })).toEqual([]);
  });

  test('lists below the row are told apart, and those that are read in part', () => {
    expect(unreadOf('domains', { domainId: '41' })).toEqual(['records below']);
    expect(
      unreadOf('servers', { serverId: '1' }, without('disks', 'backups', 'tickets', 'domains', 'records')),
    ).toEqual(['disks below', 'backups below', 'records', 'tickets']);
    const configs = account.filter(({ resource, params }) => resource !== 'configs' || params.serverId !== '2');
    expect(unreadOf('kernels', { kernelId: 'server/grub2' }, configs)).toEqual(['configs 1 of 2']);
    expect(unreadOf('nodebalancers', { nodeBalancerId: '30' }, without('nodebalancer-nodes'))).toEqual([
      'nodebalancer-nodes below 1 of 1',
      'records 1 of 2',
    ]);
  });

  test('rows above that are not all loaded are not counted', () => {
    const part = account.map((one) => (one.resource === 'domains' ? { ...one, whole: false } : one));
    expect(unreadOf('servers', { serverId: '1' }, part)).toEqual(['records 1 of 2']);
    const first = part.map((one) => (one.resource === 'domains' ? { ...one, rows: one.rows.slice(0, 1) } : one));
    expect(unreadOf('servers', { serverId: '1' }, first)).toEqual(['records']);
  });

  test('nobody is sent to look for what is hardly ever there', () => {
    const bare = without('tickets', 'managed-issues', 'events');
    expect(unreadOf('images', { imageId: 'private/7' }, bare)).toEqual(['events']);
    expect(unreadOf('servers', { serverId: '1' }, bare)).toEqual(['records 1 of 2', 'tickets', 'events']);
    const ofRegion = unreadOf('regions', { regionId: 'us-east' }, without('tickets', 'images', 'volumes'));
    expect(ofRegion).toContain('volumes');
    for (const rare of ['tickets', 'images']) expect(ofRegion).not.toContain(rare);
  });
});

test('what follows from descriptions alone is worked out once, not for each row that is opened', async () => {
  const servers = resourceNamed('servers');
  const [web, db] = account[0]?.rows ?? [];
  const view = viewOf(account);
  relationsOf(servers, web as Row, { serverId: '1' }, view);
  const calls = await callsDuring(async () => relationsOf(servers, db as Row, { serverId: '2' }, view));
  expect(calls('keyOfRow')).toBeGreaterThan(0);
  expect(calls('rankOf')).toBe(0);
});

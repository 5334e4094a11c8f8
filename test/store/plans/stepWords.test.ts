import { describe, expect, test } from 'vitest';
import { resources } from '../../../src/resources/index.ts';
import type { CacheView } from '../../../src/resources/resource.ts';
import type { PlannedRecord, PlanStep } from '../../../src/store/plans/plan.ts';
import { costsOf, costText } from '../../../src/store/plans/stepCost.ts';
import { headingOf, stepWords, toldLines } from '../../../src/store/plans/stepWords.ts';
import { knowing } from '../../resources/known.ts';

const names = {
  'domains/5': 'alpha.example',
  'servers/7': 'web-1',
  'nodebalancers/3': 'web-lb',
  'nodebalancer-configs/3/4': 'port 443',
  'disks/7/1': 'Debian 9 Disk',
  'disks/7/2': 'Swap',
  'volumes/1': 'data',
  'configs/7/8': 'boot',
  'tickets/11': 'Broken disk',
};

type More = Partial<Omit<PlannedRecord, 'params'>> & Pick<PlannedRecord, 'params'>;

/** A step about a row, whose file knows these names. */
const step = (resource: string, action: string, label: string, more: More, id = 1): PlanStep => ({
  id,
  uid: `uid-${id}`,
  record: { resource, action, label, names, ...more },
});

/** All that is said of the last of these steps. */
function said(steps: readonly PlanStep[], view?: CacheView): readonly string[] {
  const [last] = steps.slice(-1);
  const words = last && stepWords(last, { steps, view });
  if (!words || 'why' in words) throw new Error('this step is not known');
  return [headingOf(words), ...toldLines(words).map(({ text }) => text)];
}

const device = (disk: number | null, volume: number | null) => ({ disk_id: disk, volume_id: volume });
const volume = { id: 1, label: 'data', size: 20, server_id: null };
const attached = { ...volume, server_id: 7, server_label: 'web-1' };

describe('a step in words', () => {
  test.each<readonly [PlanStep, readonly string[]]>([
    [
      step('records', 'create', 'A www', { params: { domainId: '5' }, body: { type: 'A', name: 'www', ttl_sec: 300 } }),
      ['New record A www in zone alpha.example', 'Type: A', 'Name: www', 'TTL: 5 min'],
    ],
    [
      step('records', 'ttl', 'A www', {
        params: { domainId: '5', recordId: '9' },
        changes: { set: { ttl_sec: 3600 } },
        before: { ttl_sec: 300 },
      }),
      ['Set the TTL of A www in zone alpha.example', 'TTL: 5 min → 1 h'],
    ],
    [
      step('nodebalancer-nodes', 'drain', 'node1', {
        params: { nodeBalancerId: '3', configId: '4', nodeId: '6' },
        body: { mode: 'drain' },
        before: { mode: 'accept' },
      }),
      ['Drain node1 at port 443 of NodeBalancer web-lb', 'Mode: accept → drain'],
    ],
    [
      step('objects', 'edit', 'favicon.ico', {
        params: { clusterId: 'us-east-1', bucket: 'pics', name: 'favicon.ico' },
        changes: { set: { acl: 'authenticated-read' } },
        before: { acl: 'private', name: 'favicon.ico' },
      }),
      ['Set the access to favicon.ico in bucket us-east-1/pics', 'Access: private → authenticated-read'],
    ],
    [
      step('replies', 'create', 'the new reply', { params: { ticketId: '11' }, body: { description: 'Hello' } }),
      ['Reply in ticket Broken disk', 'Reply: Hello'],
    ],
    [
      step('servers', 'snapshot', 'web-1', {
        params: { serverId: '7' },
        body: { label: 'before-patch' },
        before: { id: 7, label: 'web-1' },
      }),
      ['Take a snapshot of web-1', 'made: label before-patch'],
    ],
    [
      step('volumes', 'clone', 'data', { params: { volumeId: '1' }, body: { label: 'clone1' }, before: volume }),
      ['Clone data', 'made: label clone1'],
    ],
    [
      step('domains', 'clone', 'a.example', {
        params: { domainId: '5' },
        body: { domain: 'b.example' },
        before: { id: 5, domain: 'a.example' },
      }),
      ['Clone a.example', 'made: domain b.example'],
    ],
    [
      step('volumes', 'attach', 'data', {
        params: { volumeId: '1' },
        body: { server_id: 7, config_id: 8 },
        before: volume,
      }),
      ['Attach data to a server', 'Server: nothing → web-1 (7)', 'Config: boot (8)'],
    ],
    [
      step('volumes', 'detach', 'data', { params: { volumeId: '1' }, before: attached }),
      [
        'Detach data',
        'Server: web-1 (7) → nothing',
        'Detaches data from web-1. Unmount it there first; unwritten data is lost.',
      ],
    ],
    [
      step('volumes', 'edit', 'data', {
        params: { volumeId: '1' },
        changes: { set: { label: 'new' }, add: { tags: ['team-b'] }, remove: { tags: ['old'] } },
        before: { label: 'data', tags: ['old', 'kept'] },
      }),
      ['Edit data', 'Label: data → new', 'Tags: +team-b −old'],
    ],
    [
      step('volumes', 'tag', 'data', { params: { volumeId: '1' }, changes: { add: { tags: ['api'] } }, before: {} }),
      ['Add tags to data', 'Tags: +api'],
    ],
    [
      step('configs', 'edit', 'boot', {
        params: { serverId: '7', configId: '8' },
        changes: { set: { 'devices.sda': device(2, null), 'devices.sdb': null, 'interfaces.0.purpose': 'vlan' } },
        before: { devices: { sda: device(1, null), sdb: device(null, 1) }, interfaces: [{ purpose: 'public' }] },
      }),
      [
        'Edit boot of server web-1',
        '/dev/sda: Debian 9 Disk (disk 1) → Swap (disk 2)',
        '/dev/sdb: data (volume 1) → nothing',
        'eth0: public → vlan',
      ],
    ],
    [
      step('configs', 'create', 'new', {
        params: { serverId: '7' },
        body: {
          label: 'new',
          devices: { sda: device(1, null), sdb: device(null, null) },
          interfaces: [
            { purpose: 'public', label: '' },
            { purpose: 'vlan', label: 'net-a' },
          ],
        },
      }),
      [
        'New config new of server web-1',
        'Label: new',
        '/dev/sda: Debian 9 Disk (disk 1)',
        'Interfaces: eth0 public',
        'Interfaces: eth1 vlan, eth1 VLAN net-a',
      ],
    ],
    [
      step('nodebalancers', 'create', 'web-lb', {
        params: {},
        body: {
          label: 'web-lb',
          configs: [
            { port: 80, protocol: 'http', nodes: [{ label: 'web-1', address: '192.168.1.1:80', weight: 50 }] },
            { port: 443, protocol: 'https', ssl_cert: 'CERT', ssl_key: 'KEY' },
          ],
        },
      }),
      [
        'New NodeBalancer web-lb',
        'Label: web-lb',
        'Port 1: port 80, protocol http, nodes web-1 192.168.1.1:80 50',
        'Port 2: port 443, protocol https, certificate a secret, private key a secret',
      ],
    ],
    [
      step('domains', 'delete', 'a.example', {
        params: { domainId: '5' },
        before: { id: 5, domain: 'a.example' },
        holds: { records: ['1', '2', '3'] },
      }),
      [
        'Delete a.example',
        'Deletes a.example and its 3 records; the nameservers stop serving it shortly afterwards. This cannot be undone.',
      ],
    ],
    [
      step('nodebalancers', 'delete', 'web-lb', {
        params: { nodeBalancerId: '3' },
        before: { id: 3, label: 'web-lb' },
        holds: { 'nodebalancer-configs': ['4'], 'nodebalancer-nodes': ['6', '7'] },
      }),
      [
        'Delete web-lb',
        'Deletes web-lb with its 1 config and 2 nodes, and releases its address. The servers behind it are not touched. This cannot be undone.',
      ],
    ],
  ])('without an account: $record.resource $record.action', (one, expected) => {
    expect(said([one])).toEqual(expected);
  });

  test('has ids where no name is known, and the names of what steps make', () => {
    const made = step('servers', 'create', 'web-9', { params: {}, body: { label: 'web-9' } }, 4);
    const disk = step('disks', 'create', 'root', { params: { serverId: { $step: 4 } }, body: { size: 1000 } }, 6);
    expect(said([made, disk])).toEqual(['New disk root of server web-9 (step 4)', 'Size: 1 000 MiB']);
    const nameless = step('records', 'delete', 'A www', { params: { domainId: '5', recordId: '9' }, names: {} });
    expect(said([nameless])[0]).toBe('Delete A www in zone 5');
  });

  test('has the names of what is loaded rather than those that it was planned with', () => {
    const one = step('volumes', 'attach', 'data', {
      params: { volumeId: '1' },
      body: { server_id: 7 },
      before: volume,
    });
    expect(said([one], knowing({ servers: [{ id: 7, label: 'db-1' }] }))).toContain('Server: nothing → db-1 (7)');
  });

  test('begins where the steps before it end, and says where one of them does the same', () => {
    const resize = (size: number, id: number) =>
      step('volumes', 'resize', 'data', { params: { volumeId: '1' }, body: { size }, before: volume }, id);
    expect(said([resize(40, 1), resize(60, 2)])).toContain('Size: 40 GiB → 60 GiB');
    expect(said([resize(40, 1), resize(40, 2)])).toContain('Step 1 does the same.');
  });

  test('begins at what its row had when it was carried out, whatever stands before it', () => {
    const resize = (size: number, id: number, result?: PlanStep['result']): PlanStep => ({
      ...step('volumes', 'resize', 'data', { params: { volumeId: '1' }, body: { size }, before: volume }, id),
      result,
    });
    const at = 1_700_000_000_000;
    const done = resize(60, 2, { state: 'done', at });
    // The first has failed, was never tried, or came back and was carried out later.
    for (const result of [{ state: 'failed', at: at - 1 }, undefined, { state: 'done', at: at + 1 }] as const)
      expect(said([resize(40, 1, result), done])).toContain('Size: 20 GiB → 60 GiB');
    expect(said([resize(40, 1, { state: 'done', at: at - 1 }), done])).toContain('Size: 40 GiB → 60 GiB');
    expect(said([resize(40, 1), resize(60, 2)])).toContain('Size: 40 GiB → 60 GiB');
    // One that is done behind one that is left has gone first.
    const words = stepWords(resize(40, 1), { steps: [resize(40, 1), done] });
    expect('why' in words ? [] : words.lines.map(({ text }) => text)).toEqual(['60 GiB → 40 GiB']);
  });

  test('says of a server that is deleted what goes along and what becomes of its volumes', () => {
    const one = step('servers', 'delete', 'web-1', { params: { serverId: '7' }, before: { id: 7, label: 'web-1' } });
    const view = knowing({ disks: [{ id: 1 }], configs: [{ id: 8 }], volumes: [attached], servers: [] });
    expect(said([one], view)[1]).toBe(
      'Deletes web-1 with its 1 disk, 1 config and backups. Its addresses are released. Its volume data is kept. This cannot be undone. Billing stops with the period after the deletion.',
    );
  });

  test('every deletion that nothing takes back says so', () => {
    const final = resources.filter(({ remove }) => typeof remove?.inverse === 'string');
    expect(final.length).toBeGreaterThan(3);
    for (const { name, remove, param } of final) {
      const row = { id: 1, label: 'a', domain: 'a', name: 'a' };
      const one = step(name, remove?.name ?? '', 'a', { params: { [param]: '1' }, before: row });
      expect(said([one]).join(' ')).toMatch(/cannot be|never/);
    }
  });
});

describe('the prices of steps', () => {
  const types = [
    { id: 'small', price: { monthly: 24 } },
    { id: 'large', price: { monthly: 96 } },
  ];
  const view = knowing({ 'server-types': types });
  const server = { id: 7, label: 'web-1', type: 'small' };
  const resize = (id: number, type: string, price?: PlannedRecord['price']) =>
    step('servers', 'resize', 'web-1', { params: { serverId: '7' }, body: { type }, before: server, price }, id);
  const clone = step(
    'volumes',
    'clone',
    'data',
    { params: { volumeId: '1' }, body: { label: 'b' }, before: volume },
    9,
  );
  const text = (steps: readonly PlanStep[], id: number, loaded?: CacheView) => {
    const cost = costsOf({ steps, view: loaded }).of(id);
    return cost && costText(cost, 'unicode');
  };

  test('are those before and after, each step from where the one before ends', () => {
    const remove = step('servers', 'delete', 'web-1', { params: { serverId: '7' }, before: server }, 3);
    const steps = [resize(1, 'large'), resize(2, 'small'), remove, clone];
    expect(steps.map(({ id }) => text(steps, id, view))).toEqual([
      '$24.00 → $96.00 a month (+$72.00)',
      '$96.00 → $24.00 a month (-$72.00)',
      '$24.00 → $0.00 a month (-$24.00)',
      'price unknown',
    ]);
    const total = (ids: readonly number[]) => costsOf({ steps, view }).total(ids);
    expect(total([1, 2, 3, 9])).toBe('$24.00 → $0.00 a month (-$24.00), 1 price unknown');
    expect(total([9])).toBe('price unknown');
  });

  test('are those of when it was planned where no account is asked', () => {
    const planned = resize(1, 'large', { before: 24, after: 96 });
    expect(text([planned], 1)).toBe('$24.00 → $96.00 a month (+$72.00)');
    expect(text([resize(1, 'large')], 1)).toBe('price unknown');
  });
});

test.each([
  ['Edit A www', 'in zone alpha.example', 'Edit A www in zone alpha.example'],
  ['New record TXT _check in zone alpha.example', 'in zone alpha.example', undefined],
  ['Edit web-1', '', undefined],
])('the heading of %s says once where its row lies', (title, where, heading = title) => {
  expect(headingOf({ title, where })).toBe(heading);
});

import { describe, expect, test } from 'vitest';
import { askingWords } from '../../scripts/keysPage.ts';
import { askingOf, askOf, costOf, savedBy } from '../../src/resources/asking.ts';
import { resizeNote } from '../../src/resources/compute/serverActions.ts';
import type { Server } from '../../src/resources/compute/serverSettings.ts';
import { actionsOf, creationsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import type { CacheView, Draft, Resource, Row } from '../../src/resources/resource.ts';
import { amountIn, dollars, priceChangeWords } from '../../src/text/numbers.ts';
import { actionOf, saidBy, saidTogether } from './actionOf.ts';
import { knowing } from './known.ts';

type Spoken = { question?: string; warning?: string };

/** The question and the warning that a form puts; undefined where it puts none. */
function asked(resource: string, name: string, draft: Draft, view: CacheView, row: Row = {}): Spoken | undefined {
  const action = actionOf(resourceNamed(resource), name);
  const warning = saidBy(action, 'warning', row, view, draft);
  if (warning !== undefined) return { warning };
  const question = saidBy(action, 'question', row, view, draft);
  return question === undefined ? undefined : { question };
}

const all = resources.flatMap((resource) => actionsOf(resource).map((action) => ({ resource, action })));

describe('what is asked before', () => {
  test('every action that asks without a form says more than its name', () => {
    const bare = all.filter(({ action }) => {
      const { warning, question } = askOf(action);
      return !action.body && action.ask !== false && !warning && !question && !action.dialog;
    });
    expect(bare.map(({ resource, action }) => `${resource.name}: ${action.help}`)).toEqual([]);
  });

  test('every action that asks of one row and takes several speaks of several too', () => {
    const silent = all.filter(
      ({ resource, action }) =>
        askingOf(action) !== 'at once' &&
        askingOf(action) !== 'asks at times' &&
        !action.single &&
        !askOf(action).together &&
        resource.list &&
        !creationsOf(resource).includes(action),
    );
    expect(silent.map(({ resource, action }) => `${resource.name}.${action.name}`)).toEqual([]);
  });

  test('what is sent without a form and without a question takes nothing away', () => {
    const unasked = all.filter(({ action }) => action.ask === false);
    expect(unasked.map(({ resource, action }) => `${resource.name}.${action.name}`)).toEqual([
      'domains.enable',
      'nodebalancer-nodes.accept',
      'events.read',
      'managed-services.enable',
    ]);
  });

  test('a value that the API leaves out is never said as null', () => {
    const bare = (resource: Resource) => {
      const names = { domain: 'a.example', port: 80, cluster: 'us-east-1', summary: 'slow', company: 'Us', name: 'Jo' };
      const known: Row = { ...names, type: 'small', server_id: 5, [resource.id]: 7, label: 'x' };
      return new Proxy(known, { get: (row, name) => (name in row ? Reflect.get(row, name) : null) });
    };
    const said = all.flatMap(({ resource, action }) => {
      const row = bare(resource);
      const draft = { size: '40', label: 'copy', type: 'large', region: 'us-east-1' };
      const parts = askOf(action).when ? [] : (['warning', 'question'] as const);
      const sentences = parts.map((part) => saidBy(action, part, row, knowing(), draft));
      return sentences.filter((text) => /\b(null|undefined|NaN)\b/.test(text ?? ''));
    });
    expect(said).toEqual([]);
  });

  test('the note of a resize does not tell what would refuse it: a refusal is shown where there is one', () => {
    const note = resizeNote({ id: 5, label: 'web', type: 'small' } as Server, knowing());
    expect(note).toBe('The type is now small; the disks, which take an unknown amount, must fit into the new one.');
  });

  test('it is told in the words of the page of keys', () => {
    const words = (resource: string, name: string) => askingWords(actionOf(resourceNamed(resource), name));
    expect(words('servers', 'delete')).toBe('type the label');
    expect(words('servers', 'shutdown')).toBe('asks');
    expect(words('servers', 'edit')).toBe('form');
    expect(words('volumes', 'resize')).toBe('form, then asks');
    expect(words('nodebalancer-nodes', 'edit')).toBe('form, then asks when it takes traffic away');
    expect(words('nodebalancer-nodes', 'accept')).toBe('at once');
    expect(askingOf(actionOf(resourceNamed('stackscripts'), 'publish'))).toBe('types the label');
  });
});

describe('money', () => {
  test.each([
    [24, '$24.00'],
    ['24.5', '$24.50'],
    [-25.5, '-$25.50'],
    [0, '$0.00'],
    [undefined, 'an unknown amount'],
    [null, 'an unknown amount'],
    ['', 'an unknown amount'],
    ['much', 'an unknown amount'],
  ])('%j is said as %s', (value, said) => expect(dollars(value)).toBe(said));

  test('an amount is never taken for nothing, and a price that is not known is said to be so', () => {
    expect([amountIn(null), amountIn(''), amountIn('0')]).toEqual([undefined, undefined, 0]);
    expect(priceChangeWords(24, 48)).toBe('$24.00 → $48.00 a month (+$24.00)');
    expect(priceChangeWords(48, 24)).toBe('$48.00 → $24.00 a month (-$24.00)');
    expect(priceChangeWords(24, 24)).toBe('$24.00 → $24.00 a month (no change)');
    expect(priceChangeWords(24, undefined)).toBe('$24.00 → unknown a month');
    expect(priceChangeWords(undefined, undefined)).toBe('the API does not tell the price');
  });

  test.each([
    [
      { balance: -25.5, balance_uninvoiced: 10 },
      /has a credit of \$25\.50.*About \$10\.00 .*as far as the credit does not cover it/,
    ],
    [
      { balance: 25.5, balance_uninvoiced: 0 },
      /is charged the balance due, \$25\.50\. Nothing else is waiting to be invoiced/,
    ],
    [
      { balance: 0, balance_uninvoiced: 10 },
      /Nothing is due now\. About \$10\.00 is not invoiced yet and is charged too\./,
    ],
    [
      { balance: null, balance_uninvoiced: undefined },
      /the API does not report how much that is\. What is not invoiced yet.*the API does not report how much that is\./,
    ],
  ])('cancelling the account with %j says what is charged', (account, says) => {
    const cancel = actionOf(resourceNamed('account'), 'cancel');
    const warning = saidBy(cancel, 'warning', { company: 'Example', ...account }, knowing());
    expect(warning).toMatch(says);
    expect(warning).not.toContain('$-');
    expect(warning).not.toContain('$0.00');
  });
});

describe('prices of servers', () => {
  const view = knowing({
    'server-types': [
      { id: 'small', price: { monthly: 24 }, addons: { backups: { price: { monthly: 5 } } } },
      { id: 'large', price: { monthly: 48 }, addons: { backups: { price: { monthly: 10 } } } },
    ],
  });

  test('a new one tells its price in the form and in the question, with its backups', () => {
    const create = actionOf(resourceNamed('servers'), 'create');
    const cost = (draft: Draft, of = view) => costOf(create, [], of, draft);
    expect(cost({})).toBe('by its type, as soon as it is created');
    expect(cost({ type: 'small' })).toBe('$24.00 a month');
    expect(cost({ type: 'small', backups_enabled: true })).toBe('$24.00 + backups $5.00 = $29.00 a month');
    expect(cost({ type: 'small' }, knowing())).toBe('the API does not tell the price');
    const withoutAddons = knowing({ 'server-types': [{ id: 'small', price: { monthly: 24 } }] });
    expect(cost({ type: 'small', backups_enabled: true }, withoutAddons)).toBe(
      '$24.00 a month + backups; the API does not tell the price of these',
    );
    expect(asked('servers', 'create', { label: 'web', type: 'large' }, view)).toEqual({
      question: 'Creates web: large. It has no backups. It is billed as soon as it is created.',
    });
  });

  test('a new one names its image, its tags, or the backup and the server of that', () => {
    const created = '2026-05-13T04:10:00';
    const known = knowing({
      images: [{ id: 'server/debian12', label: 'Debian 12' }],
      servers: [{ id: 7, label: 'db-1' }],
      backups: [
        { id: 1, label: null, slot: 'automatic', created },
        { id: 2, label: 'before-upgrade', slot: 'current snapshot', created },
      ],
    });
    const question = (draft: Draft) =>
      asked('servers', 'create', { type: 'small', region: 'us-east', ...draft }, known);
    expect(question({ image: 'server/debian12', tags: ['web', 'prod'] })?.question).toBe(
      'Creates a new server: small in us-east from Debian 12, tagged web, prod. It has no backups. It is billed as soon as it is created.',
    );
    expect(question({ label: 'db-2', backup_of: '7', backup_id: '1', backups_enabled: true })?.question).toBe(
      'Creates db-2: small in us-east from automatic backup of 2026-05-13 04:10 of db-1. It has backups. It is billed as soon as it is created.',
    );
    expect(question({ backup_of: '7', backup_id: '2' })?.question).toContain(
      'from before-upgrade, current snapshot of 2026-05-13 04:10 of db-1. It has',
    );
    expect(question({ backup_of: '7', backup_id: '3' })?.question).toContain('from backup 3 of db-1. It');
    expect(question({ backup_id: '3' })?.question).toContain('from backup 3. It');
    expect(question({ image: 'private/9' })?.question).toContain('from private/9. It');
  });

  test('a backup without a label is called by its kind and date', () => {
    const { label } = resourceNamed('backups');
    expect(label({ id: 1, label: null, slot: 'automatic', created: '2026-05-13T04:10:00' })).toBe(
      'automatic backup of 2026-05-13 04:10',
    );
    expect(label({ id: 1, slot: 'snapshot in progress' })).toBe('backup 1');
  });

  test('a deletion tells what it saves, and nothing where the API tells no price', () => {
    const server = { id: 1, label: 'web', type: 'small', backups: { enabled: true } };
    expect(savedBy(resourceNamed('servers'), [server], view)).toBe('$29.00 a month');
    expect(savedBy(resourceNamed('nodebalancers'), [{ id: 1 }], view)).toBeUndefined();
    expect(savedBy(resourceNamed('servers'), [server], knowing())).toBeUndefined();
  });

  test('a question and a note name a type as pickers do', () => {
    const named = knowing({ 'server-types': [{ id: 'large', label: 'Standard 8 GB', memory: 8192 }] });
    const server = { id: 1, label: 'web', type: 'small' };
    expect(asked('servers', 'create', { label: 'web', type: 'large' }, named)?.question).toContain(
      'Creates web: Standard 8 GB (8 GiB). It has',
    );
    const resize = actionOf(resourceNamed('servers'), 'resize');
    expect(saidBy(resize, 'warning', server, named, { type: 'large' })).toContain(
      'Resizes web from small to Standard 8 GB (large). ',
    );
    expect(resizeNote({ ...server, type: 'large' } as unknown as Server, named)).toContain(
      'The type is now Standard 8 GB (large); ',
    );
  });

  test('a resize tells the price before and after, with the backups that the server has', () => {
    const server = { id: 1, label: 'web', type: 'small', backups: { enabled: true } };
    const resize = actionOf(resourceNamed('servers'), 'resize');
    expect(costOf(resize, [server], view, {})).toBe('$29.00 a month now');
    expect(costOf(resize, [server], view, { type: 'large' })).toBe('$29.00 → $58.00 a month (+$29.00)');
    const other = { id: 2, label: 'db', type: 'large', backups: { enabled: false } };
    expect(costOf(resize, [server, other], view, { type: 'small' })).toBe('$77.00 → $53.00 a month (-$24.00)');
    expect(costOf(resize, [server], view, { type: 'new' })).toBe('$29.00 → unknown a month');
    expect(costOf(resize, [server], knowing(), {})).toBe('the API does not tell the price');
    expect(resourceNamed('servers').monthly?.(server, view)).toBe(29);
    expect(resize.monthly?.(server, view, { type: 'large' })).toBe(58);
    expect(resize.monthly?.(server, knowing(), { type: 'large' })).toBeUndefined();
  });
});

test.each([
  ['volumes', 'create', [], {}, '20 GiB; the API does not tell the price'],
  ['volumes', 'create', [], { size: '50' }, '50 GiB; the API does not tell the price'],
  ['volumes', 'resize', [{ size: 20 }], {}, '20 GiB now; the API does not tell the price'],
  ['volumes', 'resize', [{ size: 20 }], { size: '30' }, '20 → 30 GiB (+10 GiB); the API does not tell the price'],
  ['volumes', 'resize', [{ size: 20 }, { size: 10 }], { size: '30' }, /^30 → 60 GiB \(\+30 GiB\); /],
  ['volumes', 'clone', [{ size: 20 }], {}, '20 GiB more; the API does not tell the price'],
  ['nodebalancers', 'create', [], {}, 'the API does not tell the price'],
  ['buckets', 'create', [], {}, 'the API does not tell the price'],
  ['servers', 'shutdown', [{}], {}, undefined],
])('%s: %s of %j with %j costs %s', (resource, action, rows, draft, cost) => {
  const told = costOf(actionOf(resourceNamed(resource), action), rows, knowing(), draft);
  if (cost instanceof RegExp) expect(told).toMatch(cost);
  else expect(told).toBe(cost);
});

test('a further bucket costs nothing by itself', () => {
  const create = actionOf(resourceNamed('buckets'), 'create');
  expect(costOf(create, [], knowing({ buckets: [{ label: 'a', cluster: 'b' }] }), {})).toBeUndefined();
});

describe('traffic', () => {
  const node = (id: number, status: string, mode = 'accept') => ({
    id,
    config_id: 7,
    label: `web-${id}`,
    address: `192.168.1.${id}:80`,
    status,
    mode,
  });
  const nodes = [node(1, 'UP'), node(2, 'up'), node(3, 'UP'), node(4, 'DOWN'), node(5, 'UP', 'backup')];
  const view = knowing({ 'nodebalancer-nodes': nodes, 'nodebalancer-configs': [{ id: 7, port: 80 }] });
  const reject = actionOf(resourceNamed('nodebalancer-nodes'), 'reject');

  test('a node that is taken out tells how many remain', () => {
    expect(saidBy(reject, 'warning', nodes[0] as Row, view)).toBe(
      'web-1 (192.168.1.1:80) gets no more traffic, and its connections break. Port 80: 2 of 3 healthy nodes remain, besides 1 backup.',
    );
    expect(saidTogether(reject, nodes.slice(0, 2), view)).toMatch(
      /^web-1 at port 80 and web-2 at port 80 get no more traffic, and their connections break\. Port 80: 1 of 3 healthy nodes remains, besides 1 backup\.$/,
    );
  });

  test('the last one tells that nothing answers, or that the backups take over', () => {
    const three = nodes.slice(0, 3);
    const says = (of: CacheView) => saidTogether(reject, three, of);
    expect(says(view)).toMatch(/none of 3 healthy nodes remains; its backups take over \(1 up\)/);
    expect(says(knowing({ 'nodebalancer-nodes': three }))).toMatch(
      /Its port: none of 3 healthy nodes remains; the port stops answering/,
    );
    expect(saidBy(reject, 'warning', nodes[0] as Row, knowing())).toMatch(/connections break\.$/);
  });

  test('the form of a node asks only where it takes traffic away', () => {
    const says = (mode: string, row = nodes[0]) =>
      asked('nodebalancer-nodes', 'edit', { mode, weight: '50' }, view, row);
    expect(says('accept')).toBeUndefined();
    expect(says('drain')).toMatchObject({ warning: expect.stringContaining('2 of 3 healthy nodes remain') });
    expect(says('accept', nodes[4])).toBeUndefined();
  });

  test('the form of a port asks where it leaves the port, its protocol or its certificate', () => {
    const config = { id: 7, port: 443, protocol: 'https', ssl_commonname: 'shop.example' };
    const says = (draft: Draft) =>
      asked('nodebalancer-configs', 'edit', { port: '443', protocol: 'https', ...draft }, view, config);
    expect(says({ check: 'none' })).toBeUndefined();
    expect(says({ ssl_cert: '<REDACTED>' })).toBeUndefined();
    expect(says({ port: '8443' })).toMatchObject({ warning: expect.stringContaining('Port 443 stops answering') });
    expect(says({ protocol: 'http' })).toMatchObject({ warning: expect.stringContaining('from https to http') });
    expect(says({ ssl_cert: '-----BEGIN' })).toMatchObject({
      warning: expect.stringContaining('(shop.example) cannot be read back'),
    });
  });

  test('the form of a domain asks where the name servers stop answering', () => {
    const domain = { id: 1, domain: 'a.example', type: 'master', status: 'active' };
    const says = (draft: Draft) =>
      asked('domains', 'edit', { domain: 'a.example', type: 'master', status: 'active', ...draft }, view, domain);
    expect(says({ ttl_sec: '300' })).toBeUndefined();
    expect(says({ status: 'disabled' })).toMatchObject({ warning: expect.stringContaining('Disables a.example') });
    expect(says({ domain: 'b.example' })).toMatchObject({
      warning: expect.stringContaining('Renames a.example to b.example'),
    });
    expect(says({ type: 'slave' })).toMatchObject({ warning: expect.stringContaining('a slave') });
  });
});

describe('object storage', () => {
  test('the first bucket tells that it is charged for, a further one is made without a question', () => {
    const says = (view: CacheView, acl?: string) => asked('buckets', 'create', { label: 'logs', acl }, view);
    expect(says(knowing({ buckets: [] }))?.question).toMatch(
      /^Creates the bucket logs\. The first bucket enables object storage/,
    );
    expect(says(knowing())?.question).toMatch(/could not be read\. A first bucket/);
    expect(says(knowing({ buckets: [{ label: 'old' }] }))).toBeUndefined();
    expect(says(knowing({ buckets: [{ label: 'old' }] }), 'public-read-write')).toMatchObject({
      warning: expect.stringContaining('EVERYONE can read the bucket logs'),
    });
  });

  test('an upload asks where it replaces an object', () => {
    const view = knowing({ objects: [{ name: 'a/photo.png' }] });
    const says = (draft: Draft) => asked('objects', 'upload', draft, view);
    expect(says({ name: 'a/', file: '~/photo.png' })).toEqual({
      warning: expect.stringContaining('Replaces the object a/photo.png'),
    });
    expect(says({ name: 'b/', file: '~/photo.png' })).toBeUndefined();
  });
});

test('a server type is chosen by what the API tells of it', () => {
  const choice = resourceNamed('server-types').choice;
  const facts = { vcpus: 2, memory: 4096, disk: 81_920 };
  expect(choice?.({ price: { monthly: 24 }, ...facts })).toEqual(['$24.00', '2 vCPU', '4 GiB', '80 GiB']);
  expect(choice?.({ price: { monthly: null }, ...facts, disk: 'large' })).toEqual(['', '2 vCPU', '4 GiB', '']);
  expect(choice?.({ price: 'free' })).toEqual(['', '', '', '']);
});

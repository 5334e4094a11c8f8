import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { actionNamed, resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { keymap } from '../../src/screens/keymap.ts';
import type { Command } from '../../src/screens/keys/keyboard.ts';
import { createFinder } from '../../src/screens/palette/find.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import type { Stores } from '../../src/store/stores.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

/** The keys of every place, while nothing is sent. */
const commands = Object.entries(keymap.everywhere.keys)
  .filter(([name]) => name !== 'stopSending')
  .map(([name, key]): Command => ({ layer: 'everywhere', name, key, run: () => {} }));

/** A palette over these rows, and the number of requests so far. */
function openFinder(lists: Record<string, readonly Row[]> = {}): {
  finder: ReturnType<typeof createFinder>;
  stores: Stores;
  asked: () => number;
} {
  const api = fakeApi();
  const stores = openStores(api);
  for (const [name, rows] of Object.entries(lists)) stores.cache.putLocal(resourceNamed(name), rows, Date.now());
  const before = api.all.length;
  const finder = createFinder(stores, { commands, subjects: [] });
  return { finder, stores, asked: () => api.all.length - before };
}

const server = (id: number, label: string): Row => ({ id, label, status: 'running', ipv4: ['192.0.2.1'], tags: [] });

const lacking = "not in this API's documents";

describe('a word of the trade is answered, and nothing is read', () => {
  test.each([
    ['cost', 'Costs'],
    ['price', 'Costs'],
    ['undo', 'Take the last change back, then the one before'],
    ['rollback', 'Take the last change back, then the one before'],
    ['export', 'Export', 'is done by skydeck snapshot AREA --format csv'],
    ['restore', 'Backups of which server?'],
    ['backup', 'Backups of which server?'],
    ['enable backups', 'Backups of which server?'],
    ['certificate', 'Upload a certificate for which bucket?'],
    ['ssl', 'Upload a certificate for which bucket?'],
    ['user', 'Users', lacking],
    ['new user', 'Users', lacking],
    ['add user', 'Users', lacking],
    ['open port', 'Firewalls', lacking],
    ['firewall rule', 'Firewalls', lacking],
    ['quota', 'Quotas', 'are not told by this API'],
    ['payment', 'Spending of the account'],
    ['promo', 'Promotions of the account'],
    ['invoice', 'Invoices'],
    ['migrate', 'Capture from a disk'],
    ['console', 'Show the console'],
    ['reboot', 'Reboot'],
    ['restart', 'Reboot'],
    ['boot', 'Boot'],
    ['start', 'Boot'],
    ['shutdown', 'Shut down which server?'],
    ['power off', 'Shut down which server?'],
    ['stop', 'Shut down which server?'],
    ['rebuild', 'Rebuild as it was'],
    ['clone', 'Clone'],
    ['rescue', 'Boot which server into rescue?'],
    ['resize', 'Resize which server?'],
    ['upgrade', 'Resize which server?'],
    ['snapshot', 'Take a snapshot of which server?'],
    ['rename', 'Rename which key?'],
    ['destroy', 'Delete which server?'],
    ['create', 'New server'],
    ['firewall', 'Firewalls', lacking],
    ['kubernetes', 'Kubernetes', lacking],
    ['database', 'Databases', lacking],
    ['reverse dns', 'Reverse dns', lacking],
    ['password', 'Boot which server into rescue?'],
    ['token', 'Tokens', lacking],
    ['ssh', 'A shell on the server'],
    ['ip', 'Servers'],
    ['dns', 'Domains'],
    ['vlan', 'Configs of which server?'],
    ['load balancer', 'NodeBalancers'],
    ['bandwidth', 'Transfer of which server?'],
    ['metrics', 'Fleet'],
    ['graphs', 'Graphs of which server?'],
    ['alert', 'Set alerts for which server?'],
    ['maintenance', 'Events'],
    ['log', 'Journal: Sent from here'],
    ['upload', 'Upload an image file'],
    ['upload image', 'Upload an image file'],
    ['upload file', 'Upload an image file'],
    ['upload object', 'Objects of which bucket?'],
    ['help', 'Keys'],
    ['rotate', 'Rotate which key?'],
    ['cancel', 'Cancel object storage'],
    ['access key', 'Object storage keys'],
    ['api key', 'Object storage keys'],
    ['vm', 'Servers'],
    ['droplet', 'Servers'],
    ['block storage', 'Volumes'],
    ['unattached', 'Unattached volumes'],
    ['add node', 'Nodes of which NodeBalancer?'],
    ['similar', 'New server like which server?'],
    ['provision', 'New server'],
    ['renew', 'Configs of which NodeBalancer?'],
    ['ipv6', 'Servers'],
    ['floating ip', 'Servers'],
    ['nameserver', 'Ask name servers'],
    ['silence', 'Problems'],
    ['acknowledge', 'Problems'],
    ['outage', 'Regions'],
    ['template', 'Images'],
    ['who', 'Events'],
    ['docs', 'Keys'],
    ['idle', 'Fleet'],
    ['tax', 'Invoices'],
    ['columns', 'Columns', 'is offered in a list'],
    ['sort', 'Sort', 'is done by s in a list'],
    ['diff', 'Compare', 'then v for their graphs or = for their fields'],
    ['rolling', 'Rolling', 'one by one'],
    ['wall', 'Wall', 'skydeck watch'],
    ['spf', 'Problems of SPF records'],
    ['expiry', 'Configs of which NodeBalancer?'],
    ['transfer', 'Transfer of which server?'],
    ['move zone', 'Zone file of which domain?'],
    ['who has access', 'Object storage keys'],
    ['permissions', 'Object storage keys'],
    ['invoice items', 'Invoices'],
    ['old version', 'History of which StackScript?'],
    ['what changed', 'Journal: Changed meanwhile'],
    ['last night', 'Journal: Changed meanwhile'],
    ['hand over', 'Journal: Changed meanwhile'],
    ['unused', 'Costs'],
    ['cleanup', 'Costs'],
    ['logs', 'Events'],
    ['errors', 'Events'],
    ['open tickets', 'Tickets'],
    ['expired', 'Configs of which NodeBalancer?'],
    ['attach volume', 'Attach which volume to a server?'],
    ['delete volume', 'Delete which volume?'],
    ['delete volumes', 'Delete which volume?'],
    ['resize a volume', 'Resize which volume?'],
    ['rotate key', 'Rotate which key?'],
    ['create volume', 'New volume'],
    ['add volume', 'New volume'],
    ['create nodebalancer', 'New NodeBalancer'],
    ['create server', 'New server'],
    ['transfer pool', 'Costs'],
  ])('%s', (word, label, says = '') => {
    const { finder, asked } = openFinder({ servers: [server(1, 'web-1')] });
    const [first] = finder.find(word).found;
    expect(first?.thing.label).toBe(label);
    expect(first?.thing.refusal ?? '').toContain(says);
    expect(first?.thing.refusal === undefined).toBe(says === '');
    expect(finder.nearest(word).length).toBeLessThanOrEqual(3);
    expect(asked()).toBe(0);
  });

  test('what is deprecated comes last of what matches as well', () => {
    const moved = { token: 'moved', status: 'pending', entities: { servers: [1] } };
    const { finder } = openFinder({ servers: [server(1, 'web-1')], 'entity-transfers': [moved] });
    const labels = finder.find('transfer').found.map(({ thing }) => thing.label);
    expect(labels.slice(0, 3)).toEqual([
      'Transfer of which server?',
      'Transfer of the object storage',
      'Transfer to another account (deprecated): which server?',
    ]);
  });

  test('an upload leads to the objects of a bucket as well as to an image', () => {
    const { finder } = openFinder({ buckets: [{ cluster: 'us-east-1', label: 'assets' }] });
    const found = finder.find('upload').found.map(({ thing }) => thing);
    expect(found.map(({ label }) => label)).toContain('Objects of which bucket?');
    expect(found.find(({ label }) => label.startsWith('Objects'))?.explains).toBe('n there uploads a file');
  });

  test('that the API tells no date of expiry is said, and SPF leads to its records as well', () => {
    const { finder, stores } = openFinder({ servers: [server(1, 'web-1')] });
    expect(finder.find('expiry').found[0]?.thing.explains).toContain('the API tells no date');
    finder
      .find('spf')
      .found.find(({ thing }) => thing.label === 'SPF records')
      ?.thing.run();
    expect(stores.navigation.getState().trail.at(-1)).toMatchObject({ screen: 'list', resource: 'records' });
    const of = resourceNamed('records');
    const filter = parseFilter('type:txt spf1', of.columns, stores.view);
    const found = ['v=spf1 mx -all', 'v=DMARC1; p=none'].map((target) => ({ id: 1, type: 'TXT', name: '', target }));
    expect('error' in filter || found.map(filter.matches)).toEqual([true, false]);
  });

  test('a name comes before a word for something else', () => {
    const { finder } = openFinder({ servers: [server(1, 'cost-api')] });
    expect(
      finder
        .find('cost')
        .found.map(({ thing }) => thing.label)
        .slice(0, 2),
    ).toEqual(['Costs', 'cost-api']);
  });
});

describe('a verb without an object', () => {
  test('asks which, the more important kind first, and then does it to the row', () => {
    const { finder, stores } = openFinder({
      servers: ['web-10', 'web-2', 'db-1'].map((label, nth) => server(nth + 1, label)),
      volumes: [{ id: 9, label: 'web-data', status: 'active', size: 20 }],
    });
    const asks = finder.find('resize').found.map(({ thing }) => thing);
    expect(asks.map(({ label }) => label)).toEqual(['Resize which server?', 'Resize which volume?']);
    const [{ chooses: verb } = {}] = asks;
    if (!verb) throw new Error('nothing is asked');
    const rows = (query: string) => finder.rowsFor(verb, query).found.map(({ thing }) => thing.label);
    expect(rows('')).toEqual(['db-1', 'web-2', 'web-10']);
    expect(rows('web')).toEqual(expect.arrayContaining(['web-2', 'web-10']));
    expect(rows('nothing')).toEqual([]);
    finder.rowsFor(verb, 'web-2').found[0]?.thing.run();
    expect(stores.navigation.getState().overlays).toMatchObject([
      { kind: 'form', resource: 'servers', action: 'resize' },
    ]);
  });

  test('has those rows of very many first to which it can be done, and asks of each row once', () => {
    const volume = (nth: number, server: number | null) => {
      const label = `data-${String(nth).padStart(4, '0')}`;
      return { id: nth, label, status: 'active', size: 20, server_id: server, server_label: server && 'web-1' };
    };
    const volumes = Array.from({ length: 3000 }, (_, nth) => volume(nth, nth < 2990 ? 7 : null));
    const { finder } = openFinder({ servers: [server(7, 'web-1')], volumes });
    const verb = finder.find('attach').found.find(({ thing }) => thing.chooses?.resource.name === 'volumes')
      ?.thing.chooses;
    if (!verb) throw new Error('nothing is asked');
    const refuse = vi.spyOn(actionNamed(resourceNamed('volumes'), 'attach'), 'refuse');
    onTestFinished(() => refuse.mockRestore());
    const rows = (query: string) => {
      const { found, total } = finder.rowsFor(verb, query);
      return { total, found: found.map(({ thing }) => thing.label) };
    };
    const all = rows('');
    expect(all.total).toBe(3000);
    expect(all.found).toHaveLength(200);
    expect(all.found.slice(8, 12)).toEqual(['data-2998', 'data-2999', 'data-0000', 'data-0001']);
    expect(rows('data').found.slice(0, 10).toSorted()[0]).toBe('data-2990');
    // A better match is first, refused or not.
    expect(rows('data-0005').found[0]).toBe('data-0005');
    refuse.mockClear();
    rows('data-');
    expect(refuse.mock.calls.length).toBeLessThanOrEqual(200);
  });

  test('is asked of parts only where some are loaded', () => {
    const labels = (lists = {}) =>
      openFinder(lists)
        .finder.find('set the ttl')
        .found.map(({ thing }) => thing.label);
    expect(labels()).not.toContain('Set the TTL of which record?');
  });

  test('with a name that is not loaded still asks, and the name is the beginning of the choice', () => {
    const { finder } = openFinder({ servers: [server(1, 'web-1')] });
    expect(finder.find('resize web-99').found[0]?.thing).toMatchObject({
      label: 'Resize which server?',
      types: 'web-99',
    });
    expect(finder.find('power off web-99').found[0]?.thing).toMatchObject({ types: 'web-99' });
    expect(finder.find('backups of web-99').found[0]?.thing).toMatchObject({ types: 'web-99' });
    expect(finder.find('backups of web-1').found[0]?.thing).toMatchObject({ label: 'Backups of web-1', opens: true });
    expect(finder.find('reboot web-1').found[0]?.thing.label).toBe('Reboot');
  });
});

test.each([
  ['resise', ['resize', 'rescue', 'restore']],
  ['deleet', ['delete', 'fleet', 'revert']],
  ['histroy', ['history', 'destroy', 'restore']],
  ['resise web-3', ['resize web-3', 'rescue web-3', 'restore web-3']],
  ['qqqzzz', []],
  ['robots.txt', []],
])('a mistyped word has the nearest three: %s', (typed, expected) => {
  const { finder, asked } = openFinder({ servers: [server(1, 'web-1')] });
  const finding = finder.find(typed);
  expect(finder.isGood(finding)).toBe(false);
  expect(finder.nearest(typed).map(({ thing }) => thing.types)).toEqual(expected);
  expect(asked()).toBe(0);
});

test('of several things of one name the more important kind stands first', () => {
  const row = (more: Row = {}) => ({ id: 1, label: 'shop', tags: [], status: 'active', ...more });
  const { finder } = openFinder({
    images: [row({ id: 'private/1' })],
    stackscripts: [row()],
    buckets: [row({ cluster: 'us-east-1' })],
    volumes: [row()],
    domains: [row({ domain: 'shop' })],
    nodebalancers: [row()],
    servers: [row({ ipv4: [] })],
    tags: [{ label: 'shop' }],
  });
  expect(
    finder
      .find('shop')
      .found.map(({ thing }) => thing.kind)
      .slice(0, 4),
  ).toEqual(['server', 'NodeBalancer', 'domain', 'volume']);
  const deletions = finder.find('delete shop').found.map(({ thing }) => thing.kind);
  expect(deletions.slice(0, 3)).toEqual(['server', 'NodeBalancer', 'domain']);
});

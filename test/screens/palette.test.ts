import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createFinder } from '../../src/screens/palette/find.ts';
import { addressForms, factsOf } from '../../src/screens/palette/rowIndex.ts';
import { placeOfArea } from '../../src/screens/places.ts';
import type { Stores } from '../../src/store/stores.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

/** Stores with these rows, read completely. */
function storesWith(lists: Record<string, readonly Row[]>): Stores {
  const stores = openStores(fakeApi());
  for (const [name, rows] of Object.entries(lists)) stores.cache.putLocal(resourceNamed(name), rows, Date.now());
  return stores;
}

const noKeys = { commands: [], subjects: [] };

/** The first of what is found, each as its label and what stands beside it. */
function labels(stores: Stores, query: string, count = 4): readonly string[] {
  const { found } = createFinder(stores, noKeys).find(query);
  return found.slice(0, count).map(({ thing }) => thing.label);
}

const server = (id: number, label: string, ipv4 = `192.0.2.${id % 250}`, ipv6 = ''): Row => ({
  id,
  label,
  status: 'running',
  ipv4: [ipv4],
  ipv6,
  tags: ['prod'],
});

describe('a word that nothing is called', () => {
  const finder = () => createFinder(storesWith({ servers: [server(1, 'web-1')], domains: [shop] }), noKeys);
  const shop = { id: 1, domain: 'shop.example', type: 'master', status: 'active' };

  test.each([
    ['resz nosuch', 'resize nosuch'],
    ['delte nosuch', 'delete nosuch'],
    ['zzzqqq nosuch', undefined],
  ])('behind a verb, as in %s, is kept behind the verbs that are meant, and behind nothing else', (query, meant) => {
    const found = finder().nearest(query);
    expect(found[0]?.thing.label).toBe(meant);
    for (const { thing } of found) expect(finder().find(thing.types ?? '').found[0]?.thing.chooses).toBeDefined();
  });

  test.each([
    ['upgrade web-1', 'Resize web-1'],
    ['destroy shop.example', 'Delete shop.example'],
    ['who changed web-1', 'History of web-1'],
    ['who changed shop.example', 'History of shop.example'],
    ['upgrade web-9', 'Resize which server?'],
  ])('is another word for a verb, with a row behind it: %s', (query, meant) => {
    expect(finder().find(query).found[0]?.thing.label).toBe(meant);
  });

  test('is a row below another: the row is chosen below which one is made', () => {
    const [{ thing } = { thing: undefined }] = finder().find('new record').found;
    expect(thing).toMatchObject({ label: 'New record in which domain?', key: 'a R' });
  });
});

describe('a label is found', () => {
  const stores = () =>
    storesWith({
      servers: [
        server(1, 'web-1'),
        server(2, 'web-3'),
        server(3, 'web-12'),
        server(4, 'staging-web-12'),
        server(5, 'web-120'),
        server(6, 'db-primary'),
        server(7, 'metrics-store'),
        server(31, 'worker'),
      ],
    });

  test.each([
    ['web-12', ['web-12', 'web-120', 'staging-web-12']],
    ['web3', ['web-3']],
    ['web 3', ['web-3']],
    ['dbp', ['db-primary']],
    ['mtst', ['metrics-store']],
    ['srvs', ['Servers']],
    ['vol', ['Volumes']],
    ['WEB-3', ['web-3']],
    ['primary', ['db-primary']],
  ])('by %s', (query, expected) => {
    expect(labels(stores(), query, expected.length)).toEqual(expected);
  });

  test('and letters that are far apart are no name', () => {
    expect(labels(stores(), 'wkrxx')).toEqual([]);
    expect(
      createFinder(stores(), noKeys)
        .find('eb1')
        .found.map(({ thing }) => thing.label),
    ).not.toContain('db-primary');
  });

  test('with the letters that matched', () => {
    const [first] = createFinder(stores(), noKeys).find('dbp').found;
    expect(first?.match.at).toEqual([0, 1, 3]);
  });

  test('before an id, and an id before an address', () => {
    const cloud = storesWith({
      servers: [server(9001, 'by-address', '77.0.0.1'), server(77, 'by-id', '10.0.0.1'), server(3, '77', '10.0.0.2')],
    });
    expect(labels(cloud, '77', 3)).toEqual(['77', 'by-id', 'by-address']);
  });
});

describe('an address is found', () => {
  const row = server(48200104, 'web-2', '192.0.2.11', '3fff:100:0:1::f03c:1001/128');
  const found = (query: string) => {
    const [first] = createFinder(storesWith({ servers: [server(1, 'other'), row] }), noKeys).find(query).found;
    const detail = first?.thing.detail ?? '';
    const { from, to } = first?.matchedDetail ?? { from: 0, to: 0 };
    return [first?.thing.label, detail.slice(from, to)];
  };

  test.each([
    ['192.0.2.11', '192.0.2.11'],
    ['192.0.2.11/24', '192.0.2.11'],
    ['0.2.11', '0.2.11'],
    ['3FFF:0100:0000:1::F03C:1001', '3fff:100:0:1::f03c:1001'],
    ['3fff:100:0:1:0:0:f03c:1001', '3fff:100:0:1::f03c:1001'],
    ['3fff:100:0:1::f03c:1001/64', '3fff:100:0:1::f03c:1001'],
    ['3fff:0100:0000:0001::f03c', '3fff:100:0:1::f03c'],
    ['f03c:1001', 'f03c:1001'],
    ['48200104', '48200104'],
    ['482001', '482001'],
  ])('by %s', (query, matched) => {
    expect(found(query)).toEqual(['web-2', matched]);
  });

  test('but not by a digit that is in nearly all of them', () => {
    expect(labels(storesWith({ servers: [server(5, 'web', '192.0.2.133')] }), '33')).not.toContain('web');
  });

  test.each([
    ['domainkey', 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0/9'],
    ['Mail.Example', 'Mail.Example'],
    ['2001:db8::1', '2001:db8::1'],
  ])('%s, and shown as it is written', (query, target) => {
    const stores = openStores(fakeApi());
    const texts = ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0/9', 'Mail.Example', '2001:DB8:0::1'];
    const rows = texts.map((target, id) => ({ id, type: 'TXT', name: ['x._domainkey', 'y', 'z'][id], target }));
    stores.cache.putLocal(resourceNamed('records'), rows, Date.now());
    const [first] = createFinder(stores, noKeys).find(query).found;
    expect(first?.thing.detail).toBe(target);
  });

  test('in one notation, whatever its own', () => {
    const row = { ipv4: ['192.0.2.1'], ipv6: '2001:DB8:0:0::1/64', hostname: 'A.example' };
    expect(factsOf('5', row)).toBe('5\n192.0.2.1\n2001:db8::1\na.example');
    expect(factsOf('5', { ipv6: 'not:an:address', address: null })).toBe('5\nnot:an:address');
    expect(addressForms('2001:db8:0:0:')).toContain('2001:db8::');
  });
});

describe('more than rows is found', () => {
  const stores = () => storesWith({ servers: [server(1, 'web-1'), server(2, 'web-2')], volumes: [] });

  test.each([
    ['tag:prod', 'Servers tag:prod'],
    ['theme light', 'Theme light'],
    ['servers/2', 'web-2'],
    ['servers/3', 'Open server 3'],
    ['new vol', 'New volume'],
    ['resz web1', 'Resize web-1'],
    ['web-2 delete', 'Delete web-2'],
    ['graphs web-1', 'Graphs of web-1'],
    ['json web-2', 'JSON of web-2'],
    ['like web-2', 'New server like web-2'],
    ['new server like web-1', 'New server like web-1'],
    ['new server', 'New server'],
  ])('%s', (query, label) => {
    expect(labels(stores(), query, 1)).toEqual([label]);
  });

  test('what is typed with two addresses is begun in the line', () => {
    const [first] = createFinder(stores(), noKeys).find('replace').found;
    expect(first?.thing).toMatchObject({ label: 'Replace a target in the records of all domains', types: 'replace ' });
    expect(first?.thing.refusal).toBeUndefined();
  });

  test('a verb on any row teaches its key', () => {
    const find = (query: string) => createFinder(stores(), noKeys).find(query).found[0]?.thing;
    expect(find('resize web-1')).toMatchObject({ kind: 'server', key: 'a Z' });
    expect(find('edit web-1')?.key).toBe('e');
    expect(find('delete web-1')?.key).toBe('d');
  });
});

test('before anything is typed each place is offered once, those last seen first', () => {
  const stores = storesWith({ servers: [server(1, 'web-1')] });
  const { navigation } = stores;
  const offered = () => labels(stores, '', 100).filter((label) => /^(Home|Fleet|Servers|Account|Volumes)$/.test(label));
  navigation.go(placeOfArea(resourceNamed('servers')));
  navigation.go({ screen: 'fleet' });
  navigation.go(placeOfArea(resourceNamed('account')));
  navigation.go(placeOfArea(resourceNamed('volumes')));
  expect(offered()).toEqual(['Account', 'Fleet', 'Servers', 'Home', 'Volumes']);
  navigation.go(placeOfArea(resourceNamed('servers')));
  navigation.setListView('servers:list:{}', { filter: 'web' });
  navigation.go({ screen: 'home' });
  expect(offered()).toEqual(['Servers', 'Volumes', 'Account', 'Fleet', 'Servers', 'Home']);
});

describe('among 20,000 rows', () => {
  const names = ['web', 'api', 'db-primary', 'ci', 'cache', 'search', 'mail', 'batch', 'metrics-store', 'logs'];
  const cloud = () =>
    storesWith({
      servers: Array.from({ length: 20_000 }, (_, nth) =>
        server(
          48_200_000 + nth,
          `${names[nth % 10]}-${nth}`,
          `10.${nth >> 8}.${nth & 255}.7`,
          `3fff::${nth.toString(16)}/128`,
        ),
      ),
    });

  test('a key is answered within a frame of 60 a second', () => {
    const finder = createFinder(cloud(), noKeys);
    // The first search prepares the rows, which the palette does in pieces once something is typed.
    finder.find('x');
    const took = (query: string) => {
      const before = process.cpuUsage();
      finder.glance(query);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    // Others make the machine slower for moments, never faster: one measurement within the limit shows that it can be.
    const isFast = (query: string, ms: number) => Array.from({ length: 60 }).some(() => took(query) < ms);
    expect(isFast('zzz', 17)).toBe(true);
    // A core that is shared all the time is slower in all: so many times that in which nothing is found is a frame otherwise.
    const frame = Math.max(17, 6 * Math.min(...Array.from({ length: 60 }, () => took('zzz'))));
    for (const query of ['w', 'we', 'web', 'web-19', 'mst', '10.3.', '3fff::1', 'resize web-19', 'resz web19'])
      expect({ query, isFast: isFast(query, frame) }).toEqual({ query, isFast: true });
  });

  test('areas are found before the rows are prepared, and the rows after it', async () => {
    const finder = createFinder(cloud(), noKeys);
    const glance = finder.glance('vol');
    expect(glance.isLooking).toBe(true);
    expect(glance.found.map(({ thing }) => thing.label)).toContain('Volumes');
    expect(finder.glance('web-120').found).toEqual([]);
    await new Promise<void>((onReady) => void finder.warm(onReady));
    const ready = finder.glance('web-120');
    expect(ready.isLooking).toBe(false);
    expect(ready.found[0]?.thing.label).toBe('web-120');
    const plain = ({ found, ...counts }: typeof ready) => ({ ...counts, found: found.map(({ thing: { id } }) => id) });
    expect(plain(ready)).toEqual(plain(finder.find('web-120')));
    // A whole search prepares them at once.
    expect(createFinder(cloud(), noKeys).find('web-120').found[0]?.thing.label).toBe('web-120');
  });
});

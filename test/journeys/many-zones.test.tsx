import { expect, test } from 'vitest';
import { blankRecord } from '../resources/blankRecord.ts';
import { keptLists } from './keptLists.ts';
import { type Exchanged, refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

const time = '2026-01-01T00:00:00';

const domainRow = (id: number, domain: string) => ({
  id,
  domain,
  type: 'master',
  status: 'active',
  tags: [],
  ttl_sec: 0,
});

const record = (id: number, more: object) => ({
  id,
  type: 'A',
  name: 'www',
  target: '192.0.2.1',
  ...blankRecord,
  created: time,
  updated: time,
  ...more,
});

/** One page of rows as the API answers it. */
function pageOf(rows: readonly object[], { query }: Pick<Exchanged, 'query'>): string {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 100)];
  const pages = Math.max(1, Math.ceil(rows.length / size));
  return JSON.stringify({ data: rows.slice((page - 1) * size, page * size), page, pages, results: rows.length });
}

/** The id of the domain whose records are asked for. */
const zoneIn = (path: string) => Number(/^\/domains\/(\d+)\/records$/.exec(path)?.[1]);

test('of 200 zones of 200 records the first are there at once, the others come at the pace of single rows', async () => {
  const domains = Array.from({ length: 200 }, (_, nth) => domainRow(nth + 1, `zone-${nth + 1}.example`));
  const recordsOf = (zone: number) =>
    Array.from({ length: 200 }, (_, nth) =>
      record(zone * 1000 + nth, { name: `host-${nth}`, target: `198.51.100.${zone}` }),
    );
  const api = await startOtherApi((asked) => {
    if (asked.path === '/domains') return pageOf(domains, asked);
    const zone = zoneIn(asked.path);
    return zone ? pageOf(recordsOf(zone), asked) : undefined;
  });
  const skydeck = await openSkydeck({ demo: api, columns: 120, rows: 40, place: { area: 'records' } });
  await skydeck.waitFor(/zone-1\.example +A +host-0 /);
  await skydeck.waitFor('Records  12 000   Records of 60 of 200 domains read, 60 a minute');
  const lists = new Set(api.seen.map(({ path }) => zoneIn(path)).filter(Boolean));
  expect(lists.size).toBe(60);
  // Keys do not wait for what is read: the list is filtered, marked, and left as any other.
  await skydeck.press('/');
  await skydeck.type('zone:zone-60. host-199');
  await skydeck.press('enter');
  await skydeck.waitFor('Records  1 of 12 000');
  await skydeck.press('enter');
  await skydeck.waitFor('Records › A host-199');
  await skydeck.press('esc');
  await skydeck.waitFor('Records  1 of 12 000');
});

test('a zone that is refused is counted, and rows without the usual fields stay rows', async () => {
  const hostile = '\u001b[31mred\u202e';
  const domains = [domainRow(1, 'one.example'), domainRow(2, 'two.example'), domainRow(3, `three-${hostile}.example`)];
  const rows: Readonly<Record<number, readonly object[]>> = {
    1: [
      record(11, { type: 'CNAME', name: 'loop', target: 'pool.one.example' }),
      record(12, { type: 'CNAME', name: 'pool', target: 'loop.one.example.' }),
      record(13, { type: 'MX', name: '', target: '' }),
      { id: 14, type: 'HTTPS', name: null, target: null },
      record(15, { type: 'CNAME', name: 'away', target: 'www.two.example' }),
      record(16, { type: 'CNAME', name: 'wild', target: 'any.thing.one.example' }),
      record(17, { name: '*.thing', target: '203.0.113.9' }),
    ],
    3: [record(31, { name: hostile, target: hostile })],
  };
  const api = await startOtherApi((asked) => {
    if (asked.path === '/domains') return pageOf(domains, asked);
    const zone = zoneIn(asked.path);
    if (zone === 2) return refusal(403, 'Unauthorized');
    return zone ? pageOf(rows[zone] ?? [], asked) : undefined;
  });
  const skydeck = await openSkydeck({ demo: api, columns: 160, rows: 30, place: { area: 'records' } });
  await skydeck.waitFor(/Records {2}8 +Records of 2 of 3 domains read, 1 failed/);
  const line = (text: string) =>
    skydeck
      .text()
      .split('\n')
      .find((one) => one.includes(text)) ?? '';
  await skydeck.waitFor(/loop +pool\.one\.example .* none/);
  // Nothing is known of a zone that cannot be read.
  expect(line('www.two.example')).not.toContain('none');
  expect(line('any.thing.one.example')).toContain('none');
  expect(line('HTTPS')).not.toContain('none');
  expect(line('no mail (Null MX)')).not.toContain('none');
  expect(skydeck.text()).not.toContain('\u202e');
  await skydeck.press('/');
  await skydeck.type('points-to:none');
  await skydeck.press('enter');
  await skydeck.waitFor('Records  5 of 8');
});

test('records of an earlier session are there before they are read again, and replaced once they are', async () => {
  let isHeld = true;
  const api = await startOtherApi(
    (asked) => {
      if (asked.path === '/domains') return pageOf([domainRow(1, 'one.example'), domainRow(2, 'two.example')], asked);
      return zoneIn(asked.path) === 1 && !isHeld ? pageOf([record(11, { name: 'now' })], asked) : undefined;
    },
    ({ path }) =>
      isHeld && zoneIn(path) ? refusal(400, 'Not yet') : zoneIn(path) === 2 ? refusal(403, 'No') : undefined,
  );
  const keptAt = Date.now() - 86_400_000;
  const list = (resource: string, params: Record<string, string>, rows: readonly object[]) => ({
    query: { resource, operation: 'list', params },
    rows: rows as never,
    results: rows.length,
    keptAt,
  });
  const kept = keptLists([
    list('domains', {}, [domainRow(1, 'one.example'), domainRow(2, 'two.example')]),
    list('records', { domainId: '1' }, [record(11, { name: 'before' }), record(12, { name: 'gone' })]),
    list('records', { domainId: '2' }, [record(21, { name: 'other' })]),
  ]);
  const skydeck = await openSkydeck({ demo: api, kept, columns: 120, rows: 24, place: { area: 'records' } });
  await skydeck.waitFor(/Records {2}3 .*kept yesterday/);
  await skydeck.waitFor(/two\.example +A +other/);
  isHeld = false;
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/one\.example +A +now/);
  expect(skydeck.text()).not.toContain('gone');
});

test('where no domain has a record, it says so, and where there is no domain, that comes first', async () => {
  for (const [domains, says] of [
    [[domainRow(1, 'one.example')], 'There are no records.'],
    [[], 'There are no domains.'],
  ] as const) {
    const api = await startOtherApi((asked) =>
      asked.path === '/domains' ? pageOf(domains, asked) : zoneIn(asked.path) ? pageOf([], asked) : undefined,
    );
    const skydeck = await openSkydeck({ demo: api, columns: 100, rows: 24, place: { area: 'records' } });
    await skydeck.waitFor(says);
    await skydeck.press('n');
    await skydeck.waitFor('New domain');
    await skydeck.close();
  }
});

test('where the domains cannot be read, it says so', async () => {
  const api = await startOtherApi(({ path }) => (path === '/domains' ? refusal(403, 'Unauthorized') : undefined));
  const skydeck = await openSkydeck({ demo: api, columns: 100, rows: 24, place: { area: 'records' } });
  await skydeck.waitFor('it needs the scope');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CacheView, type Column, emptyView, type Row } from '../../src/resources/resource.ts';
import { narrows, parseFilter } from '../../src/store/filter.ts';
import { timeOf } from '../../src/text/times.ts';

const now = Date.UTC(2025, 5, 10, 12);
const view: CacheView = { ...emptyView, now };
const columns: readonly Column[] = [
  { title: 'Status', value: 'status', format: 'status' },
  { title: 'Label', value: 'label' },
  { title: 'Size', value: 'size' },
  { title: 'Attached to', value: (row) => row.server_label },
  { title: 'Tags', value: 'tags' },
  { title: 'IPv6', value: 'ipv6' },
  { title: 'Created', value: 'created', format: 'age' },
  { title: 'CPU', value: () => 'secret', lazy: 'stats' },
];
const rows: readonly Row[] = [
  { id: 1, label: 'web 1', status: 'running', size: 20, tags: ['web', 'prod'], created: '2025-06-10T11:00:00' },
  { id: 2, label: 'web-2', status: 'offline', size: 5, tags: [], created: '2025-06-01T00:00:00', ipv6: 'fe80::1/64' },
  { id: 3, label: 'db', status: 'running', size: null, tags: ['prod'], specs: { vcpus: 8 }, server_label: 'big one' },
  { id: 4, label: '"odd" /a\\b/', status: null, size: 100, created: '2025-06-09T12:00:00Z', server_label: 'https://x' },
];

function found(text: string): readonly unknown[] {
  const filter = parseFilter(text, columns, view);
  if ('error' in filter) throw new Error(filter.error);
  return rows.filter(filter.matches).map(({ id }) => id);
}

describe('a filter', () => {
  test.each<[string, readonly number[]]>([
    ['', [1, 2, 3, 4]],
    ['   ', [1, 2, 3, 4]],
    ['WEB', [1, 2]],
    ['web running', [1]],
    ['  web \t running ', [1]],
    ['"web 1"', [1]],
    ['"web 1', [1]],
    ['status:running', [1, 3]],
    ['status:RUN size>10', [1]],
    ['stat:off', [2]],
    ['label:"web 1"', [1]],
    ['label:"web 1" status:running', [1]],
    ['!web', [3, 4]],
    ['!status:running', [2, 4]],
    ['!label:"web 1"', [2, 3, 4]],
    ['!!web', [1, 2]],
    ['size>19', [1, 4]],
    ['size<20', [2]],
    ['size>19.5 size<50', [1]],
    ['!size>19', [2, 3]],
    ['created<2h', [1]],
    ['created<7d', [1, 4]],
    ['created>1w', [2]],
    ['created<90min', [1]],
    ['/^web.\\d$/', [1, 2]],
    ['label:/^WEB/', [1, 2]],
    ['label:/web \\d/ running', [1]],
    ['!/web/', [3, 4]],
    ['/a\\\\b\\//', [4]],
    ['tags:prod', [1, 3]],
    ['tag:web', [1]],
    ['attached-to:"big one"', [3]],
    ['attached:big', [3]],
    ['server_label:big', [3]],
    ['specs.vcpus>4', [3]],
    ['id:2', [2]],
    ['status:', [1, 2, 3, 4]],
    ['fe80::1', [2]],
    ['ipv6:fe80::1', [2]],
    ['https://x', [4]],
    ['2025-06-10T11:00', [1]],
    ['secret', []],
    ['"status:running"', []],
  ])('%s', (text, ids) => expect(found(text)).toEqual(ids));

  test.each<[string, number, RegExp]>([
    ['colour:red', 0, /^there is no field colour; there are status, label, size, attached-to, tags, /],
    ['web colour:red', 4, /no field colour/],
    ['web  !colour:red', 6, /no field colour/],
    ['cpu:50', 0, /no field cpu/],
    ['size>', 5, /^a number or an age such as 2h or 7d must follow the >$/],
    ['web size<big', 9, /must follow the </],
    ['!', 1, /must follow the !/],
    ['web !', 5, /must follow the !/],
    ['/web', 4, /ends with a \//],
    ['label:/we b', 11, /ends with a \//],
    ['web /(/', 4, /./],
  ])('%s is wrong at %i', (text, position, says) => {
    expect(parseFilter(text, columns, view)).toEqual({ error: expect.stringMatching(says), position });
  });

  test('can be applied, or says where it cannot, whatever is typed', () => {
    const typed = fc.string({
      unit: fc.constantFrom('a', 'size', 'label', ':', '<', '>', '!', '/', '"', '\\', ' ', '2h', '('),
    });
    fc.assert(
      fc.property(typed, (text) => {
        const filter = parseFilter(text, columns, view);
        if ('error' in filter) return filter.position >= 0 && filter.position <= text.length && filter.error !== '';
        return rows.filter(filter.matches).length <= rows.length;
      }),
    );
  });

  test('that narrows another one leaves none but rows that the other leaves', () => {
    const letters = fc.constantFrom('a', 'b', 'A', 'Σ', 'σ', 'ς', 'İ', 'i', 'ß', ' ', '!', '/', '"', ':', '<');
    const text = fc.string({ unit: letters, maxLength: 5 });
    let times = 0;
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 8 }), (before, more, labels) => {
        const [wide, narrow] = [before, before + more].map((typed) => parseFilter(typed, columns, view));
        if (!wide || !narrow || 'error' in wide || 'error' in narrow || !narrows(before + more, before)) return true;
        times++;
        return labels.map((label) => ({ label })).every((row) => !narrow.matches(row) || wide.matches(row));
      }),
      { numRuns: 2000 },
    );
    expect(times).toBeGreaterThan(100);
  });

  test.each([
    ['web-1', 'web', true],
    ['web prod', 'web', true],
    ['WEB', 'we', true],
    ['web', '', false],
    ['we', 'web', false],
    ['!web', '!we', false],
    ['label:web', 'label:we', false],
    ['size>20', 'size>2', false],
    ['"web 1', '"web', false],
    ['/web|db/', '/web', false],
  ])('%s after %s', (text, before, isNarrower) => {
    expect(narrows(text, before)).toBe(isNarrower);
  });

  test('finds every word in quotes, whatever it holds', () => {
    const words = fc.string().filter((text) => !text.includes('"') && text.trim() !== '');
    fc.assert(
      fc.property(words, (text) => {
        const filter = parseFilter(`"${text}"`, columns, view);
        return !('error' in filter) && filter.matches({ label: `before ${text} after` });
      }),
    );
  });

  test('compares ages with the time at which it is applied', () => {
    let time = now;
    const clock: CacheView = {
      ...view,
      get now() {
        return time;
      },
    };
    const filter = parseFilter('created<2h', columns, clock);
    if ('error' in filter) throw new Error(filter.error);
    expect(rows.filter(filter.matches)).toHaveLength(1);
    time += 2 * 3_600_000;
    expect(rows.filter(filter.matches)).toHaveLength(0);
  });
});

test('timestamps without a zone are UTC', () => {
  expect(timeOf('2025-06-10T12:00:00')).toBe(now);
  expect(timeOf('2025-06-10T12:00:00Z')).toBe(now);
  expect(timeOf('2025-06-10T14:00:00+02:00')).toBe(now);
  expect(timeOf(null)).toBeNaN();
});

test('a word is found in what a column looks up, as it is known now', () => {
  const region: Column = {
    title: 'Region',
    value: (row, { row: named }) => named('regions', String(row.region))?.label,
  };
  const knowing = (label: string): CacheView => ({ ...view, row: () => ({ label }) });
  const row = { id: 1, region: 'us' };
  const matches = (text: string, columns: readonly Column[], about: CacheView) => {
    const filter = parseFilter(text, columns, about);
    return 'matches' in filter && filter.matches(row);
  };
  const before = knowing('Newark');
  expect(matches('newark', [region], before)).toBe(true);
  expect(matches('newark', [{ title: 'Id', value: 'id' }], before)).toBe(false);
  expect(matches('newark', [region], knowing('Fremont'))).toBe(false);
  expect(matches('fremont', [region], knowing('Fremont'))).toBe(true);
});

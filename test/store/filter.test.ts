import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { servers } from '../../src/resources/compute/servers.ts';
import { resourceNamed, resources } from '../../src/resources/index.ts';
import { type CacheView, type Column, emptyView, type Row } from '../../src/resources/resource.ts';
import { narrows, parseFilter } from '../../src/store/filter/filter.ts';
import { timeOf } from '../../src/text/times.ts';
import { knowing } from '../resources/known.ts';

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
  { title: 'Used', value: () => 'secret', fetches: 'stats' },
  { title: 'Up', value: 'up', format: 'boolean' },
  { title: 'Net in', name: 'in', value: ({ id }) => Number(id) * 1000, fetches: 'stats' },
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
    ['in>1000', [2, 3, 4]],
    ['2000', []],
    ['web running', [1]],
    ['  web \t running ', [1]],
    ['"web 1"', [1]],
    ['"web 1', [1]],
    ['status:running', [1, 3]],
    ['status:RUNNING size>10', [1]],
    ['stat:offline', [2]],
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
    ['size>=20', [1, 4]],
    ['size<=20', [1, 2]],
    ['size=20', [1]],
    ['size=20.0', [1]],
    ['size=2', []],
    ['size=20|100', [1, 4]],
    ['label="WEB 1"', [1]],
    ['label=web', []],
    ['label=/^web/', [1, 2]],
    ['tags=prod', [1, 3]],
    ['tags=pro', []],
    ['status=running', [1, 3]],
    ['!status=running', [2, 4]],
    ['status:running|offline', [1, 2, 3]],
    ['status:running|"offline', [1, 2, 3]],
    ['!status:running|offline', [4]],
    ['web-2|db', [2, 3]],
    ['"web 1"|db|/^.odd/', [1, 3, 4]],
    ['size<10|size>50', [2, 4]],
    ['status:offline|tag:web', [1, 2]],
    ['tag:web|label:db|"web-2"', [1, 2, 3]],
    ['status:running|', [1, 3]],
    ['web|', [1, 2]],
    ['|web', [1, 2]],
    ['status:|', [1, 2, 3, 4]],
    ['"|"', []],
    ['attached:none', [1, 2]],
    ['attached=none', [1, 2]],
    ['!attached:none', [3, 4]],
    ['status:none|offline', [2, 4]],
    ['tags:none', [2, 4]],
    ['attached:"none"', []],
    ['size:none', [3]],
    ['created:none', [3]],
    ['none', []],
    ['created<2025-06-01', []],
    ['created<=2025-06-01', [2]],
    ['created>2025-06-01', [1, 4]],
    ['created>=2025-06-01', [1, 2, 4]],
    ['created=2025-06-10', [1]],
    ['created=2025-06', [1, 2, 4]],
    ['created>2024', [1, 2, 4]],
    ['created=2025-06-10T11:00', [1]],
    ['created>"2025-06-10 10:59"', [1]],
    ['created=1d', [4]],
    ['created=9d', [2]],
    ['created<=1d', [1, 4]],
    ['created>=1d', [2, 4]],
    ['created<1y', [1, 2, 4]],
    ['server_label=none', [1, 2]],
    ['attached:-', [1, 2]],
    ['attached:\u2013', [1, 2]],
    ['attached=-', [1, 2]],
    ['!attached:-', [3, 4]],
    ['label:"-"', [2]],
    ['status!=running', [2, 4]],
    ['status!=running|offline', [4]],
    ['!status!=running', [1, 3]],
    ['status:!running', [2, 4]],
    ['tag:!prod', [2, 4]],
    ['tag:!web|prod size:!none', [2, 4]],
    ['-status:running', [2, 4]],
    ['web -status:running', [2]],
    ['-status!=running', [1, 3]],
    ['!(web)', [3, 4]],
    ['!(status:running|offline)', [4]],
    ['!(web-2|db)', [1, 4]],
    ['(status:offline|tag:web) size>10', [1]],
    ['(db|"web 1")', [1, 3]],
    ['tag:(web|prod)', [1, 3]],
    ['tag:!(web|prod)', [2, 4]],
    ['!tag:(web|prod)', [2, 4]],
    ['-web', []],
    ['"AND"|web', [1, 2]],
    ['and|web', [1, 2]],
  ])('%s', (text, ids) => expect(found(text)).toEqual(ids));

  test.each<[string, number, RegExp]>([
    ['colour:red', 0, /^there is no field colour; there are status, label, size, attached-to, tags, /],
    ['web colour:red', 4, /no field colour/],
    ['web  !colour:red', 6, /no field colour/],
    ['cpu:50', 0, /no field cpu/],
    ['size>', 5, /^size takes a number, an age such as 30d \(s, min, h, d, w, y\) or a date such as 2026-01-31$/],
    ['web size<big', 9, /^size takes a number, /],
    ['size>=', 6, /^size takes /],
    ['size=', 5, /^size takes /],
    ['size>5|size>x', 12, /^size takes /],
    ['created>', 8, /^created takes an age such as 30d \(s, min, h, d, w, y\) or a date such as 2026-01-31$/],
    ['created<30', 8, /^created takes an age/],
    ['created<2025-02-31', 8, /^created takes an age/],
    ['created<2025-13', 8, /^created takes an age/],
    ['web|colour:red', 4, /no field colour/],
    ['web | db', 4, /^no blanks around the \|: web\|db$/],
    ['!', 1, /must follow the !/],
    ['web !', 5, /must follow the !/],
    ['/web', 4, /ends with a \//],
    ['label:/we b', 11, /ends with a \//],
    ['web /(/', 4, /./],
    ['labl:web', 0, /^there is no field labl; did you mean label\?$/],
    ['tga:web', 0, /^there is no field tga; did you mean tag\?$/],
    ['-colour:red', 1, /no field colour/],
    ['web AND db', 4, /^all words must occur, so nothing stands between them; in quotes it is a word: "AND"$/],
    ['web && db', 4, /^all words must occur/],
    ['web OR db', 4, /^either of two is a\|b, without blanks/],
    ['NOT web', 0, /^! leaves out: !web/],
    ['status==running', 0, /^a field is compared by field:part, field=value or field:\/expression\/$/],
    ['label=~web', 0, /^a field is compared by/],
    ['label~=web', 0, /^a field is compared by/],
    ['label!~web', 0, /^a field is compared by/],
    ['size<>5', 0, /^what is not equal is size!=5$/],
    ['created:>2025', 7, /^no : before >: created>2025$/],
    ['!(web db)', 5, /^parentheses hold alternatives without blanks, and end with a \): !\(web\|db\)$/],
    ['!(web|db', 8, /^parentheses hold/],
    ['(tag:web)x', 9, /^a blank must follow the \)$/],
    ['status!=running|tag!=web', 16, /^what is left out stands for itself/],
    ['tag:web|status!=running', 8, /^what is left out stands for itself/],
    ['status!=running|tag:web', 16, /^what is left out stands for itself/],
  ])('%s is wrong at %i', (text, position, says) => {
    expect(parseFilter(text, columns, view)).toEqual({ error: expect.stringMatching(says), position });
  });

  test('can be applied, or says where it cannot, whatever is typed', () => {
    const typed = fc.string({
      unit: fc.constantFrom(
        ...'a size label created : < > = | ! / " \\ 2h 5GiB % 2026-01 none ( ) - AND'.split(' '),
        ' ',
      ),
    });
    fc.assert(
      fc.property(typed, (text) => {
        const filter = parseFilter(text, columns, view);
        if ('error' in filter) return filter.position >= 0 && filter.position <= text.length && filter.error !== '';
        return rows.filter(filter.matches).length <= rows.length;
      }),
    );
  });

  const letters = fc.string({ unit: fc.constantFrom(...'aAΣσςİiß', 'non', 'e'), minLength: 1, maxLength: 3 });
  const value = fc.oneof(
    letters,
    letters.map((text) => `"${text} `),
    letters.map((text) => `/${text}/`),
    fc.constantFrom('', 'none', '"none"', '2', '20', '2h', '2025-06-10', '-', 'on', 'no', 'yes', 'running', 'run'),
  );
  const lead = fc.constantFrom(
    ...['', 'label:', 'label=', 'size>', 'size<=', 'created<', 'created>', 'size:', 'created='],
    ...['status:', 'status=', 'label!=', 'status:!', 'up:', '-status:'],
  );
  const alternatives = fc.array(
    fc.tuple(lead, value).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 2 },
  );
  const term = fc.tuple(fc.constantFrom('', '', '!'), alternatives).map(([bang, all]) => bang + all.join('|'));
  const filter = fc.array(term, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '));
  const anyRow = fc.record(
    {
      label: fc.oneof(letters, fc.constantFrom('none', 'off', '-a', true, false)),
      status: fc.constantFrom('running', 'shutting_down', 'off', null),
      up: fc.constantFrom(true, false, null),
      size: fc.constantFrom(null, 1, 2, 20, 21),
      created: fc.constantFrom('2025-06-10T11:00:00', '2025-06-01T00:00:00', '2025-06-10T08:00:00'),
    },
    { requiredKeys: [] },
  );

  test('of letters asks no row for what is summed, and of digits does', () => {
    let asked = 0;
    const cost: Column = { title: 'Cost', value: () => ++asked, format: 'money', total: true };
    const matching = (text: string) => {
      const filter = parseFilter(text, [...columns, cost], view);
      return 'error' in filter ? [] : rows.filter(filter.matches);
    };
    expect(matching('zebra')).toEqual([]);
    expect(asked).toBe(0);
    matching('7');
    expect(asked).toBeGreaterThan(0);
  });

  test('that narrows another one leaves none but rows that the other leaves', () => {
    const more = fc.oneof(letters, filter, fc.constantFrom('|', '"', ' ', '/', 'e', '|none'));
    let times = 0;
    fc.assert(
      fc.property(filter, more, fc.integer({ min: 0, max: 20 }), fc.array(anyRow), (before, typed, at, some) => {
        // Typed at the end, in between, or anew.
        for (const text of [before + typed, before.slice(0, at) + typed + before.slice(at), typed]) {
          const [wide, narrow] = [before, text].map((one) => parseFilter(one, columns, view));
          if (!wide || !narrow || 'error' in wide || 'error' in narrow || !narrows(text, before, columns, view))
            continue;
          times++;
          if (some.some((row) => narrow.matches(row) && !wide.matches(row))) return false;
        }
        return true;
      }),
      { numRuns: 3000 },
    );
    expect(times).toBeGreaterThan(500);
  });

  test('that is negated leaves exactly the other rows', () => {
    fc.assert(
      fc.property(filter, fc.array(anyRow), (text, some) => {
        const [term = ''] = text.split(' ');
        const [one, other] = [term, `!${term}`].map((typed) => parseFilter(typed, columns, view));
        if (!one || !other || 'error' in one || 'error' in other) return true;
        return some.every((row) => one.matches(row) !== other.matches(row));
      }),
    );
  });

  test.each([
    ['web-1', 'web', true],
    ['web prod', 'web', true],
    ['WEB', 'we', true],
    ['web', '', false],
    ['we', 'web', false],
    ['!web', '!we', false],
    ['label:web', 'label:we', true],
    ['label:we tag:prod', 'label:we tag:p', true],
    ['label:we', 'label:web', false],
    ['label:web', 'tag:we', false],
    ['label:web', 'we', false],
    ['!web prod', '!web', true],
    ['!we', '!web', true],
    ['!a|b', '!a', true],
    ['!a', '!a|b', false],
    ['a|b', 'a', false],
    ['a|', 'a', true],
    ['b', 'a|', false],
    ['ab|cb', 'a|c', true],
    ['label:none', 'label:non', false],
    ['label:non', 'label:no', true],
    ['label=web', 'label=we', false],
    ['size>2 web', 'size>2', true],
    ['size>2', 'size<2', false],
    ['created>2h web', 'created>2h', false],
    ['created<2026-01-01 web', 'created<2026-01-01', true],
    ['/web/ d', '/web/', true],
    ['size>20', 'size>2', false],
    ['"web 1', '"web', true],
    ['/web|db/', '/web', false],
    ['status:running', 'status:run', false],
    ['status:running', 'status:', true],
    ['status:running web', 'status:RUNNING', true],
    ['status!=running web', 'status!=running', true],
    ['server_label:true', 'server_label:tru', false],
    ['attached:-x', 'attached:-', false],
    ['attached:-', 'attached:none', true],
    ['attached:none', 'attached:-', false],
  ])('%s after %s', (text, before, isNarrower) => {
    expect(narrows(text, before, columns, view)).toBe(isNarrower);
  });

  test('finds every word in quotes, whatever it holds', () => {
    const words = fc.string().filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(words, (text) => {
        const filter = parseFilter(`"${text.replaceAll('"', '""')}"`, columns, view);
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

describe('a comparison takes the units of its column', () => {
  const formatted: readonly Column[] = [
    { title: 'RAM', value: 'ram', format: 'megabytes' },
    { title: 'Size', value: 'size', format: 'gigabytes' },
    { title: 'Used', value: 'used', format: 'bytes' },
    { title: 'Load', value: 'load', format: 'percent' },
    { title: 'Price', value: 'price', format: 'money' },
    { title: 'Took', value: 'took', format: 'duration' },
    { title: 'CPUs', value: 'cpus', format: 'number' },
    { title: 'CPU', value: 'cpu', format: 'load' },
    { title: 'Net in', name: 'in', value: 'in', format: 'bitrate' },
    { title: 'I/O', name: 'io', value: 'io', format: 'blockrate' },
    { title: 'Throttle', value: 'throttle', format: 'limit connections/s' },
    { title: 'Backup', value: 'backup', format: 'age' },
    { title: 'Expires', value: 'expires', format: 'expiry' },
  ];
  const row = {
    ram: 8192,
    size: 2048,
    used: 1536,
    load: 80,
    price: 20,
    took: 5400,
    cpus: 4,
    cpu: 81.5,
    in: 12_000_000,
    io: 300,
    throttle: 15,
    backup: 'off',
    expires: '2025-06-12T12:00:00',
  };

  test.each<[string, boolean]>([
    ['ram=8GiB', true],
    ['ram=8gb', true],
    ['ram=8g', true],
    ['ram>=8192', true],
    ['ram>8', true],
    ['ram<0.01TiB', true],
    ['ram>8GiB', false],
    ['size>1TiB', true],
    ['size=2T', true],
    ['size<"2.5 TiB"', true],
    ['size<=2047', false],
    ['used=1.5KiB', true],
    ['used>1k', true],
    ['used=1536B', true],
    ['load>=80%', true],
    ['load>80', false],
    ['price<$20.5', true],
    ['price=20$', true],
    ['took=90min', true],
    ['took>1h', true],
    ['took<5401', true],
    ['cpus=4', true],
    ['cpus=1e3', false],
    ['cpu>80', true],
    ['cpu<=81.5%', true],
    ['in>10Mbit/s', true],
    ['in>=12mbit', true],
    ['in=12000kbps', true],
    ['in>0.1Gbit/s', false],
    ['in<12000001', true],
    ['io>=300', true],
    ['throttle=15', true],
    ['throttle<14', false],
    ['backup=off', true],
    ['backup<30d', false],
    ['expires<7d', true],
    ['expires<1d', false],
    ['expires>2025-06-11', true],
  ])('%s', (text, isFound) => {
    const filter = parseFilter(text, formatted, view);
    if ('error' in filter) throw new Error(filter.error);
    expect(filter.matches(row)).toBe(isFound);
  });

  test.each<[string, number, string]>([
    ['ram>8GHz', 4, 'ram takes a size such as 8GiB (B, KiB, MiB, GiB, TiB); a number alone counts MB'],
    ['size=big', 5, 'size takes a size such as 8GiB (B, KiB, MiB, GiB, TiB); a number alone counts GB'],
    ['used>30d', 5, 'used takes a size such as 8GiB (B, KiB, MiB, GiB, TiB); a number alone counts bytes'],
    ['load>8GiB', 5, 'load takes a percentage such as 80 or 80%'],
    ['price>20%', 6, 'price takes an amount such as 20 or $20'],
    ['took>2GiB', 5, 'took takes a duration such as 90min (s, min, h, d, w, y); a number alone counts seconds'],
    ['in>8MiB', 3, 'in takes a rate such as 10Mbit/s (bit/s, kbit/s, Mbit/s, Gbit/s); a number alone counts bit/s'],
    ['cpu>1GHz', 4, 'cpu takes a percentage such as 80 or 80%'],
    ['web cpus>4GiB', 9, 'cpus takes a number without a unit'],
    ['throttle>off', 9, 'throttle takes a number without a unit'],
    ['backup>off', 7, 'backup takes an age such as 30d (s, min, h, d, w, y) or a date such as 2026-01-31'],
    ['ram>/8/', 4, 'ram takes a size such as 8GiB (B, KiB, MiB, GiB, TiB); a number alone counts MB'],
  ])('%s is wrong at %i', (text, position, error) => {
    expect(parseFilter(text, formatted, view)).toEqual({ error, position });
  });
});

test('a row of which it is not known, as it was not read yet, is neither above nor not above', () => {
  const load: Column = { title: 'Load', value: 'load', format: 'percent', fetches: 'stats' };
  const price: Column = { title: 'Price', value: 'price', format: 'money', toldBy: 'server-types' };
  const some: readonly Row[] = [{ id: 1, load: 4, price: 9 }, { id: 2, load: 60, price: 50 }, { id: 3 }];
  const matching = (text: string) => {
    const filter = parseFilter(text, [load, price], view);
    if ('error' in filter) throw new Error(filter.error);
    return some.filter(filter.matches).map(({ id }) => id);
  };
  expect(['load>5', '!load>5', 'load:none', '!load:none'].map(matching)).toEqual([[2], [1], [3], [1, 2]]);
  expect(['price>10', '!price>10', '!(price>10|load>5)'].map(matching)).toEqual([[2], [1], [1]]);
});

test('a row of which a list that is not read would tell has neither none nor another value', () => {
  const nodes = resourceNamed('nodebalancer-nodes');
  const some: readonly Row[] = [1, 2].map((id) => ({ id, label: `node-${id}`, address: `192.168.0.${id}:80` }));
  const lists = { servers: [{ id: 7, label: 'web-1', ipv4: ['192.168.0.1'] }] };
  const matching = (text: string, known: CacheView) => {
    const filter = parseFilter(text, nodes.columns, known);
    if ('error' in filter) throw new Error(filter.error);
    return some.filter(filter.matches).map(({ id }) => id);
  };
  const terms = ['server:none', '!server:web', 'server!=web-1', '!web', '!server:web|web', 'server:web'];
  expect(terms.map((text) => matching(text, knowing(lists)))).toEqual([[2], [2], [2], [2], [2], [1]]);
  expect(terms.map((text) => matching(text, knowing({})))).toEqual([[], [], [], [], [], []]);
});

test('the filter of the README finds the servers that it names, and no other', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /`\/` filters with `([^`]+)`/.exec(readme) ?? [];
  const filter = parseFilter(example, servers.columns, view);
  if ('error' in filter) throw new Error(filter.error);
  const server = {
    status: 'running',
    label: 'web-regex',
    tags: ['web', 'prod'],
    specs: { vcpus: 8 },
    backups: { enabled: true, last_successful: '2025-06-10T11:00:00' },
  };
  const others = [
    { status: 'offline' },
    { label: 'db' },
    { tags: ['prod'] },
    { specs: { vcpus: 1 } },
    { backups: { enabled: false } },
  ];
  expect(filter.matches(server)).toBe(true);
  for (const other of others) expect(filter.matches({ ...server, ...other })).toBe(false);
});

describe('a word of a closed set', () => {
  const records: readonly Column[] = [
    { title: 'Type', value: 'type', words: ['A', 'AAAA', 'CNAME'] },
    { title: 'Status', value: 'status', format: 'status' },
    { title: 'Watchdog', value: 'watchdog', format: 'boolean' },
    { title: 'Stale', value: 'stale', format: 'mark' },
    { title: 'Backup', value: 'backup', format: 'age' },
  ];
  const cloud: readonly Row[] = [
    { id: 1, type: 'A', status: 'not ready', watchdog: true, stale: true, backup: '2025-06-10T11:00:00' },
    { id: 2, type: 'AAAA', status: 'ready', watchdog: false, stale: false, backup: 'off' },
    { id: 3, type: 'CNAME', status: 'shutting_down', watchdog: null, stale: null, backup: 'none yet' },
    { id: 4, type: null, status: 'userAborted', inner: { on: true, type: 'A' }, backup: null },
    { id: 5, type: 'on hold', status: 'resizing 40%' },
  ];
  const found = (text: string) => {
    const filter = parseFilter(text, records, view);
    return 'error' in filter ? filter.error : cloud.filter(filter.matches).map(({ id }) => id);
  };

  test.each<[string, readonly number[]]>([
    ['type:A', [1]],
    ['type:a', [1]],
    ['type=A', [1]],
    ['type:A|cname', [1, 3]],
    ['!type:A', [2, 3, 4, 5]],
    ['type:AA', []],
    ['type:', [1, 2, 3, 4, 5]],
    ['type:/^A/', [1, 2]],
    ['type:none', [4]],
    ['type:-', [4]],
    ['type:"on hold"', [5]],
    ['status:ready', [2]],
    ['status:"not ready"', [1]],
    ['status:not-ready', [1]],
    ['status:shut', []],
    ['status:shutting_down', [3]],
    ['status:"Shutting down"', [3]],
    ['"shutting down"', [3]],
    ['shutting_down', [3]],
    ['status:useraborted', [4]],
    ['status:"user aborted"', [4]],
    ['status:resizing', [5]],
    ['watchdog:yes', [1]],
    ['watchdog=on', [1]],
    ['watchdog:TRUE', [1]],
    ['watchdog:enabled', [1]],
    ['watchdog:no', [2]],
    ['watchdog:off|none', [2, 3, 4, 5]],
    ['watchdog:false', [2]],
    ['!watchdog:yes', [2, 3, 4, 5]],
    ['watchdog!=yes', [2, 3, 4, 5]],
    ['watchdog:none', [3, 4, 5]],
    ['watchdog:y', []],
    ['watchdog:/^y/', [1]],
    ['stale:yes', [1]],
    ['stale:none', [2, 3, 4, 5]],
    ['inner.on:yes', [4]],
    ['inner.on=true', [4]],
    ['inner.on:no', []],
    ['backup:none', [2, 3, 4, 5]],
    ['backup:-', [2, 4, 5]],
    ['backup=none', [2, 4, 5]],
    ['backup:off', [2]],
    ['!backup:-', [1, 3]],
  ])('%s', (text, ids) => expect(found(text)).toEqual(ids));
});

test('the columns of a choice have its options as their words', () => {
  const words = (resource: string, title: string) =>
    resourceNamed(resource).columns.find((column) => column.title === title)?.words;
  expect(words('records', 'Type')).toEqual(resourceNamed('records').fields.type?.options);
  expect(words('domains', 'Status')).toEqual(['active', 'disabled']);
  expect(words('servers', 'Status')).toContain('shutting_down');
  expect(words('servers', 'Region')).toBeUndefined();
  for (const { name, columns } of resources)
    for (const { title, format, words } of columns)
      if (format === 'status' && !['audit'].includes(name)) expect([name, title, words]).not.toContain(undefined);
});

test('a date is compared by the whole of it', () => {
  const inMay = { created: '2025-05-20T10:00:00' };
  const before = { created: '2025-04-30T23:59:59' };
  const after = { created: '2025-06-01T00:00:00' };
  const found = (text: string) => {
    const filter = parseFilter(text, columns, view);
    if ('error' in filter) throw new Error(filter.error);
    return [before, inMay, after].map(filter.matches);
  };
  expect(found('created>2025-05')).toEqual([false, false, true]);
  expect(found('created>=2025-05')).toEqual([false, true, true]);
  expect(found('created<2025-05')).toEqual([true, false, false]);
  expect(found('created<=2025-05')).toEqual([true, true, false]);
  expect(found('created>2025-05-20')).toEqual([false, false, true]);
  expect(found('created>2025-05-20T10:00')).toEqual([false, false, true]);
  expect(found('created>2025')).toEqual([false, false, false]);
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

test('a word is looked for in all that columns show, numbers among it, however they are written', () => {
  const shown: readonly Column[] = [
    { title: 'Own', value: (row) => row.own },
    { title: 'Plain', value: 'plain' },
    { title: 'Inner', value: 'specs.inner' },
  ];
  const values = [
    0,
    -1.5,
    1e21,
    1e-7,
    123_456,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    'Web',
    'ÄB',
    true,
    null,
    ['a', 7],
  ];
  const words = ['e', '+', '-', '.', '1', '1e', '21', 'n', 'na', 'inf', 'yes', 'web', 'äb', 'a 7', 'null', 'x'];
  const textOf = (value: unknown) => (value === null ? '' : value === true ? 'yes' : String(value).replace(',', ' '));
  for (const place of ['own', 'plain', 'inner'])
    for (const word of words) {
      const filter = parseFilter(`"${word}"`, shown, view);
      if ('error' in filter) throw new Error(filter.error);
      const found = values.filter((value) =>
        filter.matches(place === 'inner' ? { specs: { inner: value } } : { [place]: value }),
      );
      expect(found, `${word} in ${place}`).toEqual(
        values.filter((value) => textOf(value).toLowerCase().includes(word)),
      );
    }
});

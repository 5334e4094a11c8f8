import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resourceNamed, resources } from '../../src/resources/index.ts';
import type { ResourceName } from '../../src/resources/names.ts';
import { type CacheView, type Column, emptyView } from '../../src/resources/resource.ts';
import { comparedExample, completionsOf } from '../../src/store/filter/completion.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';

const view: CacheView = { ...emptyView, now: Date.UTC(2025, 5, 10, 12) };
const columns: readonly Column[] = [
  { title: 'Status', value: 'status', format: 'status' },
  { title: 'Label', value: 'label' },
  { title: 'RAM', value: 'ram', format: 'megabytes' },
  { title: 'vCPU', value: 'cpus', format: 'number' },
  { title: 'Attached to', value: 'server' },
  { title: 'Tags', value: 'tags' },
  { title: 'Created', value: 'created', format: 'age' },
  { title: 'Load', value: () => 1, fetches: 'stats' },
  { title: 'CPU', value: 'load', format: 'load' },
  { title: 'Now (%)', value: 'now', format: 'number' },
  { title: 'Up', value: 'up', format: 'boolean' },
];
const rows = [
  {
    status: 'running',
    label: 'a b',
    up: true,
    ram: 8192,
    cpus: 4,
    load: 11.4,
    tags: ['web', 'prod'],
    created: '2025-06-10T11:30:00',
  },
  {
    status: 'running',
    label: 'say "x y"',
    up: false,
    ram: 8192,
    cpus: 2,
    load: 11.9,
    tags: ['web'],
    created: '2025-06-10T02:00:00',
  },
  { status: 'offline', label: 'x|y', ram: 1000, cpus: 16, tags: [], server: 'none', created: '2025-01-10T02:00:00' },
  { status: 'not ready', label: '\u001b[31m', ram: null, tags: ['prod'], server: 'db', created: '2025-06-01T02:00:00' },
];

/** `name count → text` of each. */
const offered = (text: string) =>
  completionsOf(text, rows, columns, view).map(({ name, count, text: whole }) =>
    [name, count, '→', whole].filter((part) => part !== undefined).join(' '),
  );

describe('a filter is completed', () => {
  test.each<[string, readonly string[]]>([
    ['sta', ['status → status:']],
    ['!sta', ['status → !status:']],
    ['web crea', ['created → web created<']],
    ['web|r', ['ram → web|ram>']],
    ['tach', ['attached-to → attached-to:']],
    ['now', ['now- → now->']],
    ['load', ['load → load:']],
    ['zzz', []],
    ['/sta', []],
    ['"sta', []],
    ['colour:', []],
    ['status:', ['running 2 → status:running', 'offline 1 → status:offline', 'not ready 1 → status:"not ready"']],
    ['status:ru', ['running 2 → status:running']],
    ['status:RUN', ['running 2 → status:running']],
    ['status:nn', ['running 2 → status:running']],
    ['!status=o', ['offline 1 → !status=offline']],
    ['status:"not', ['not ready 1 → status:"not ready"']],
    ['status:running|', ['offline 1 → status:running|offline', 'not ready 1 → status:running|"not ready"']],
    ['tag:', ['web 2 → tag:web', 'prod 2 → tag:prod', 'none 1 → tag:none']],
    ['status:running tag:', ['web 2 → status:running tag:web', 'prod 1 → status:running tag:prod']],
    ['colour:red tag:p', ['prod 2 → colour:red tag:prod']],
    ['attached:', ['db 1 → attached:db', 'none 3 → attached:none']],
    ['up:', ['yes 1 → up:yes', 'no 1 → up:no', 'none 2 → up:none']],
    ['!up:y', ['yes 1 → !up:yes']],
    ['label:', ['a b 1 → label:"a b"', 'say "x y" 1 → label:"say ""x y"""', 'x|y 1 → label:"x|y"']],
    ['ram=', ['8GiB 2 → ram=8GiB', '1000MiB 1 → ram=1000MiB', 'none 1 → ram=none']],
    ['ram>', ['1000MiB 2 → ram>1000MiB']],
    ['cpu>', ['11 2 → cpu>11']],
    ['vcpu>=', ['2 3 → vcpu>=2', '4 2 → vcpu>=4', '16 1 → vcpu>=16']],
    [
      'created<',
      ['1h 1 → created<1h', '1d 2 → created<1d', '30d 3 → created<30d', '1y 4 → created<1y'].toSpliced(
        2,
        0,
        '7d 2 → created<7d',
      ),
    ],
    ['created=2025-06-1', ['2025-06-10 2 → created=2025-06-10']],
  ])('%s', (text, completions) => {
    expect(offered(text)).toEqual(completions);
  });

  test('by all fields where nothing is typed', () => {
    const names = ['status', 'label', 'ram', 'vcpu', 'attached-to', 'tags', 'created', 'load', 'cpu', 'now-', 'up'];
    for (const text of ['', 'web ', '!']) {
      expect(completionsOf(text, rows, columns, view).map(({ name }) => name)).toEqual(names);
    }
  });

  test('to filters that find the rows that were counted', () => {
    const label = fc.string({ unit: fc.constantFrom(...'ab |"/!:=>-() ', 'none', '\t'), maxLength: 6 });
    const start = fc.constantFrom('label:', 'label=', '!tag:a label:', 'label:a|', 'label:"', 'l', '', 'tag=', 'ram>');
    fc.assert(
      fc.property(fc.array(fc.record({ label, tags: fc.array(label), ram: fc.nat(5000) })), start, (some, text) => {
        for (const { text: whole, count } of completionsOf(text, some, columns, view)) {
          const filter = parseFilter(whole, columns, view);
          if ('error' in filter) {
            if (count !== undefined) return false;
          } else if (count !== undefined && some.filter(filter.matches).length < count) return false;
        }
        return true;
      }),
    );
  });
});

test('the example of a comparison is understood by the list that shows it', () => {
  for (const { name, columns } of resources) {
    const example = comparedExample(columns, emptyView);
    if (example !== '')
      expect(parseFilter(example, columns, emptyView), `${name}: ${example}`).toHaveProperty('matches');
  }
  const exampleOf = (name: ResourceName) => comparedExample(resourceNamed(name).columns, emptyView);
  expect(exampleOf('servers')).toBe('ram>8GiB');
  expect(exampleOf('volumes')).toBe('size>8GiB');
});

import { expect, test } from 'vitest';
import { type Column, emptyView } from '../../src/resources/resource.ts';
import { hintFor, unitHint, wordHint } from '../../src/store/filter/hints.ts';

test.each([
  ['status==running', 'A field is compared by field:part, field=value or field:/expression/.'],
  ['size > 5', 'No blanks around < and >: size>20.'],
  ['size>1 TiB', 'No blank between a number and its unit: size>1TiB.'],
  ['status:running,offline', 'Either of two values is status:running|offline.'],
  ['web-*', 'A part of a word is enough; /^web-.*1$/ is a regular expression.'],
  ['web -prod', '! leaves out: !web, !(web|db).'],
  ['web -(prod|test)', '! leaves out: !web, !(web|db).'],
  ['web-1', undefined],
  ['status:running|offline', undefined],
  ['label:/^web.*$/ "a*b"', undefined],
  ['size>1TiB !tag:none', undefined],
])('%s', (filter, hint) => expect(hintFor(filter)).toBe(hint));

test('a size without a unit says what it counts, where the column shows larger ones', () => {
  const columns: readonly Column[] = [
    { title: 'RAM', value: 'ram', format: 'megabytes' },
    { title: 'Used', value: 'used', format: 'bytes' },
    { title: 'Size', value: 'size', format: 'gigabytes' },
    { title: 'vCPU', value: 'cpus', format: 'number' },
  ];
  const hint = (filter: string) => unitHint(filter, columns, emptyView);
  expect(hint('web ram>=8')).toBe('8 alone counts MB; with a unit: ram>=8GiB');
  expect(hint('used=20')).toBe('20 alone counts bytes; with a unit: used=20GiB');
  for (const filter of ['ram>8GiB', 'ram:8', 'size>20', 'vcpu>4', '8', 'none>8']) expect(hint(filter)).toBeUndefined();
});

test('a word that its field never has is told with the nearest one', () => {
  const columns: readonly Column[] = [
    { title: 'Status', value: 'status', format: 'status' },
    { title: 'Type', value: 'type', words: ['A', 'AAAA', 'CNAME'] },
    { title: 'Watchdog', value: 'watchdog', format: 'boolean' },
    { title: 'Label', value: 'label' },
  ];
  const rows = [{ status: 'running', type: 'A' }, { status: 'shutting_down', type: 'LOC' }, { status: null }];
  const hint = (filter: string) => wordHint(filter, columns, emptyView, rows);
  expect(hint('status:run')).toBe('Nothing has the status run; did you mean running?');
  expect(hint('!web status:offlien|runing')).toBe('Nothing has the status offlien; it is running and shutting_down.');
  expect(hint('type:CNAM')).toBe('Nothing has the type CNAM; did you mean CNAME?');
  expect(hint('type:Q')).toBe('Nothing has the type Q; it is A, AAAA, CNAME and LOC.');
  expect(hint('watchdog=maybe')).toBe('Nothing has the watchdog maybe; it is yes and no.');
  for (const filter of [
    'status:running',
    'type:loc',
    'type:AAAA',
    'watchdog:on',
    'label:x',
    'status:none',
    'zzz',
    'a:b',
  ])
    expect(hint(filter)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { type Column, emptyView } from '../../src/resources/resource.ts';
import { hintFor, unitHint } from '../../src/store/filter/hints.ts';

test.each([
  ['web AND prod', 'All words must occur; nothing stands between them.'],
  ['status:running || web', 'Either of two is a|b, without blanks: status:running|offline.'],
  ['NOT web', '! leaves out: !web, !status:running.'],
  ['status!=running', '! before a field leaves out: !status=running.'],
  ['status==running', 'A field is compared by field:part, field=value or field:/expression/.'],
  ['size > 5', 'No blanks around < and >: size>20.'],
  ['size>1 TiB', 'No blank between a number and its unit: size>1TiB.'],
  ['attached:–', 'Where there is no value: attached:none.'],
  ['status:running,offline', 'Either of two values is status:running|offline.'],
  ['web-*', 'A part of a word is enough; /^web-.*1$/ is a regular expression.'],
  ['web -prod', '! leaves out: !web.'],
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

import { expect, test } from 'vitest';
import { hintFor } from '../../src/store/filter/hints.ts';

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

import { expect, test } from 'vitest';
import { sentence } from '../../src/text/words.ts';

test.each([
  ['try later', 'Try later.'],
  ['Try later!', 'Try later!'],
  ['is it?', 'Is it?'],
  ['It is.', 'It is.'],
])('the reason %j is said as %j', (reason, says) => {
  expect(sentence(reason)).toBe(says);
});

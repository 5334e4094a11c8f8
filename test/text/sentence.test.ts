import { expect, test } from 'vitest';
import { aNoun, sentence } from '../../src/text/words.ts';

test.each([
  ['try later', 'Try later.'],
  ['Try later!', 'Try later!'],
  ['is it?', 'Is it?'],
  ['It is.', 'It is.'],
])('the reason %j is said as %j', (reason, says) => {
  expect(sentence(reason)).toBe(says);
});

test('a noun has the article of its first sound', () => {
  expect(['server', 'object', 'image', 'entity transfer', 'A'].map(aNoun)).toEqual([
    'a server',
    'an object',
    'an image',
    'an entity transfer',
    'an A',
  ]);
});

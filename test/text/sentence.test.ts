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

test.each([
  'gx1 is guarded.',
  'web-2 is shutting down already.',
  'old.example is gone.',
  'my_volume is attached.',
  'http://127.0.0.1:4851 cannot be reached for POST volumes.',
  'localhost:4851 cannot be reached.',
])('a name keeps its small letter where it begins a sentence: %s', (text) => expect(sentence(text)).toBe(text));

test.each([
  ['read-only sessions plan', 'Read-only sessions plan.'],
  ['it is gone', 'It is gone.'],
])('a word gets its capital: %s', (reason, says) => expect(sentence(reason)).toBe(says));

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOneLine, unseenIn, withLineFeeds, withMarks, withoutUnseen } from '../../src/text/unseen.ts';
import { anyText } from './anyText.ts';

describe('characters of an input that cannot be seen', () => {
  test.each([
    ['a\u001bb', 'a⟨ESC⟩b'],
    ['\u0000\u0007\u0008\u007f', '⟨NUL⟩⟨BEL⟩⟨BS⟩⟨DEL⟩'],
    ['a\r', 'a⟨CR⟩'],
    ['\u009b\u0085\u2028', '⟨U+009B⟩⟨U+0085⟩⟨U+2028⟩'],
    ['a\u202eb\u200b\u2066', 'a⟨RLO⟩b⟨ZWSP⟩⟨LRI⟩'],
    ['a\tb\nc', 'a\tb\nc'],
    ['👨‍👩‍👧 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ é', '👨‍👩‍👧 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ é'],
  ])('%j are shown as %s', (text, shown) => expect(withMarks(text)).toBe(shown));

  test.each([
    ['a\u001b[31mred\u001b[0m', 'ared', 2],
    ['\u001b]0;evil\u0007x', 'x', 1],
    ['\u009b31mx\u202e', 'x', 2],
    ['a\u200bb\ufeff', 'ab', 2],
    ['👨‍👩‍👧', '👨‍👩‍👧', 0],
    ['a\tb\nc', 'a\tb\nc', 0],
  ])('%j without them is %j', (text, kept, dropped) => expect(withoutUnseen(text)).toEqual({ text: kept, dropped }));

  test('their first place is told by line and character', () => {
    expect(unseenIn('#!/bin/sh\necho 日本\u001b[2J')).toEqual({ mark: '⟨ESC⟩', line: 2, at: 8 });
    expect(unseenIn('👍\u202e')).toEqual({ mark: '⟨RLO⟩', line: 1, at: 2 });
    expect(unseenIn('plain\n\ttext 👨‍👩‍👧')).toBeUndefined();
  });

  test('none is left where they were taken out, whatever the text', () => {
    const nasty = fc.constantFrom(
      '\u001b',
      '[',
      '31m',
      '\u009b',
      ']0;',
      '\u0007',
      '\u202e',
      '\u200d',
      '👍',
      'م',
      '\n',
      '\t',
      'a',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(nasty, anyText()), { maxLength: 12 }), (parts) => {
        const { text } = withoutUnseen(parts.join(''));
        expect(unseenIn(text)).toBeUndefined();
        expect(withMarks(text)).toBe(text);
      }),
    );
  });

  test('line breaks of all kinds are one, or none', () => {
    expect(withLineFeeds('a\r\nb\rc')).toBe('a\nb\nc');
    expect(inOneLine('a\r\n\r\nb\tc\u2028d')).toBe('a b c d');
    expect(inOneLine('a\nb', ', ')).toBe('a, b');
  });
});

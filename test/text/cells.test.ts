import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { textLines } from '../../src/components/spans.ts';
import { cell, clean, cut, cutMiddle, widthOf, wrapCells } from '../../src/text/cells.ts';
import { anyText } from './anyText.ts';

const dangerous = /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

const nasty = fc.oneof(
  anyText(),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        '\u001b[31m',
        '\u001b]0;x\u0007',
        '\u009b2J',
        '日本',
        '👩‍👩‍👧',
        '🇩🇪',
        'e\u0301',
        '\u202e',
        '\ud800',
        'ก็',
        'ൎ',
        'a',
        ' ',
        '\n',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('clean', () => {
  test.each([
    ['plain words', 'plain words'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'link'],
    ['\u001bPq#0\u001b\\after', 'after'],
    ['\u009b31mred', 'red'],
    ['an open \u001b]0;title stays readable', 'an open 0;title stays readable'],
    ['one\r\ntwo\tthree', 'one two three'],
    ['bell\u0007 and del\u007f', 'bell and del'],
    ['abc\u202edef', 'abc⟨RLO⟩def'],
    ['zero\u200bwidth\ufeff', 'zero⟨ZWSP⟩width⟨BOM⟩'],
    ['a\u200db', 'a⟨ZWJ⟩b'],
    ['family 👩‍👩‍👧 stays', 'family 👩‍👩‍👧 stays'],
    ['🏴󠁧󠁢󠁳󠁣󠁴󠁿 and \u{e0041}', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 and ⟨U+E0041⟩'],
    ['نمی\u200cخواهم', 'نمی\u200cخواهم'],
    ['lone \ud800 half', 'lone \ufffd half'],
    [`z${'\u0301'.repeat(50)}`, `z${'\u0301'.repeat(4)}`],
  ])('%j becomes %j', (given, wanted) => {
    expect(clean(given)).toBe(wanted);
  });

  test('reads only the beginning of a huge text, whole characters of it', () => {
    expect(clean('x'.repeat(1_000_000))).toHaveLength(4096);
    expect(clean('😀😀', 3)).toBe('😀');
  });

  test('leaves no control character and nothing to clean', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const cleaned = clean(text);
        expect(cleaned).not.toMatch(dangerous);
        expect(cleaned.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('cell', () => {
  test.each([
    ['web-1', 8, 'left', 'web-1   '],
    ['42', 5, 'right', '   42'],
    ['a long label', 6, 'left', 'a lon…'],
    ['日本語', 5, 'left', '日本…'],
    ['日本語', 4, 'left', '日… '],
    ['日本語', 4, 'right', ' 日…'],
    ['👩‍👩‍👧x', 4, 'left', '👩‍👩‍👧x '],
    ['日', 1, 'left', '…'],
    ['x', 0, 'left', ''],
  ] as const)('%j in %i cells, %s', (text, width, align, wanted) => {
    expect(cell(text, width, align)).toBe(wanted);
  });

  test('is always exactly as wide as asked', () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 0, max: 40 }), fc.constantFrom('left', 'right'), (text, width, align) => {
        const made = cell(text, width, align as 'left' | 'right');
        expect(stringWidth(made)).toBe(width);
        expect(made).not.toMatch(dangerous);
      }),
      { numRuns: 1000 },
    );
  });

  test('is whole where it just fits', () => {
    expect(cut('label', 5)).toBe('label');
  });
});

describe('a name cut in its middle', () => {
  test.each([
    ['us-east-1/logs', 20, 'us-east-1/logs'],
    ['us-east-1/logs', 14, 'us-east-1/logs'],
    ['us-east-1/application-logs-2023', 20, 'us-east-1/…logs-2023'],
    ['日本語日本語', 7, '日…本語'],
    ['日本語日本語', 8, '日本…語'],
    ['abcdef', 2, 'a…'],
    ['abcdef', 0, ''],
  ])('%s in %i cells', (text, width, expected) => expect(cutMiddle(text, width)).toBe(expected));
});

describe('lines', () => {
  test('break after a space where there is one near', () => {
    expect(wrapCells('the quick brown fox', 10)).toEqual(['the quick ', 'brown fox']);
    expect(wrapCells('abcdefghijkl', 5, 2)).toEqual(['abcde', '  fgh', '  ijk', '  l']);
    expect(wrapCells('', 5)).toEqual(['']);
  });

  test('break within a letter that is wider than the whole line', () => {
    expect(wrapCells('ab\u3041\u302e', 3)).toEqual(['ab', '\u3041', '\u302e']);
  });

  test('lose nothing and are never too wide', () => {
    fc.assert(
      fc.property(
        nasty.map((text) => clean(text)),
        // Some characters, such as notes of music with their marks, are three cells wide.
        fc.integer({ min: 3, max: 30 }),
        (line, width) => {
          const lines = wrapCells(line, width);
          expect(lines.join('')).toBe(line);
          for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  test('of a script keep its lines, with tabs as spaces', () => {
    expect(textLines('#!/bin/sh\r\n\techo \u001b[1mhi\n', 40)).toEqual(['#!/bin/sh', '    echo hi', '']);
    expect(textLines('a\n'.repeat(50), 40, 3)).toHaveLength(3);
  });
});

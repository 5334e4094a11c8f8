import { describe, expect, test } from 'vitest';
import {
  applyEdit,
  type EditCommand,
  insertText,
  rowIndexAt,
  rowText,
  wrapRows,
} from '../../src/components/textArea.ts';
import { themeNamed } from '../../src/components/theme.ts';
import { widthOf } from '../../src/text/cells.ts';

const parts = (text: string, width: number) => wrapRows(text, width).map(({ start, end }) => text.slice(start, end));
const theme = { ...themeNamed('mono', 'unicode', false), paint: (_role: unknown, text: string) => `[${text}]` };

describe('rows', () => {
  test.each([
    ['', 10, ['']],
    ['one', 10, ['one']],
    ['one\ntwo\n', 10, ['one', 'two', '']],
    ['the quick brown fox', 10, ['the quick ', 'brown fox']],
    ['the quick brown fox', 9, ['the ', 'quick ', 'brown ', 'fox']],
    ['the quick brown fox', 11, ['the quick ', 'brown fox']],
    ['abcdefghijkl', 6, ['abcde', 'fghij', 'kl']],
    ['a abcdefghijkl', 6, ['a ', 'abcde', 'fghij', 'kl']],
    ['日本語日本語', 6, ['日本', '語日', '本語']],
    ['a\tb\x1b[31mc', 20, ['a\tb\x1b[31mc']],
    ['👨‍👩‍👧👨‍👩‍👧', 4, ['👨‍👩‍👧', '👨‍👩‍👧']],
  ])('%j in %i cells', (text, width, expected) => expect(parts(text, width)).toEqual(expected));

  test('no row is wider than its room, and none loses a character', () => {
    const text = 'Es 日本語 wärmer 👩‍💻 than\tever, andlongerthanonerowofthem\n\n  indented 値 '.repeat(5);
    for (const width of [2, 3, 7, 20, 33]) {
      const rows = wrapRows(text, width);
      expect(rows.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text.replaceAll('\n', ''));
      for (const { start, end } of rows)
        expect(widthOf(text.slice(start, end).replaceAll('\t', ' '))).toBeLessThanOrEqual(Math.max(2, width));
    }
  });

  test('the row of each place of the caret', () => {
    const rows = wrapRows('one\ntwo', 10);
    expect([0, 3, 4, 7].map((caret) => rowIndexAt(rows, caret))).toEqual([0, 0, 1, 1]);
  });
});

describe('editing', () => {
  const at = (marked: string) => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') });
  const shown = ({ text, caret }: { text: string; caret: number }) => `${text.slice(0, caret)}|${text.slice(caret)}`;

  test.each<[string, EditCommand, string]>([
    ['one\n|two', 'left', 'one|\ntwo'],
    ['|one', 'left', '|one'],
    ['one|\ntwo', 'right', 'one\n|two'],
    ['one|', 'right', 'one|'],
    ['a👨‍👩‍👧|b', 'left', 'a|👨‍👩‍👧b'],
    ['a|👨‍👩‍👧b', 'right', 'a👨‍👩‍👧|b'],
    ['a👨‍👩‍👧|b', 'backspace', 'a|b'],
    ['e\u0301|', 'backspace', '|'],
    ['one\n|two', 'backspace', 'one|two'],
    ['|one', 'backspace', '|one'],
    ['one|\ntwo', 'delete', 'one|two'],
    ['o|ne', 'delete', 'o|e'],
    ['one|', 'delete', 'one|'],
    ['abcd\nab|cd', 'up', 'ab|cd\nabcd'],
    ['abcd\nx\nabc|d', 'up', 'abcd\nx|\nabcd'],
    ['ab|cd\nx', 'down', 'abcd\nx|'],
    ['日本|語\nabcdef', 'down', '日本語\nabcd|ef'],
    ['abc|def\n日本語', 'down', 'abcdef\n日|本語'],
    ['ab|c', 'up', '|abc'],
    ['a|bc', 'down', 'abc|'],
    ['one\ntw|o', 'home', 'one\n|two'],
    ['o|ne\ntwo', 'end', 'one|\ntwo'],
    ['the quick bro|wn fox', 'home', 'the quick |brown fox'],
    ['the q|uick brown fox', 'end', 'the quick| brown fox'],
    ['the quick bro|wn fox', 'up', 'the| quick brown fox'],
    ['1\n2\n3\n4\n5|', 'pageUp', '1\n2|\n3\n4\n5'],
    ['1|\n2\n3\n4\n5', 'pageDown', '1\n2\n3\n4|\n5'],
  ])('%j %s', (before, edit, after) => expect(shown(applyEdit(at(before), edit, 11, 3))).toBe(after));

  test('what is put in keeps its lines, whoever made them', () =>
    expect(shown(insertText(at('a|d'), '\r\nb\rc\n'))).toBe('a\nb\nc\n|d'));
});

describe('drawing', () => {
  const drawn = (text: string, caret: number, mask?: string) =>
    wrapRows(text, 20).map((row, index, rows) =>
      rowText(theme, { text, caret }, row, rowIndexAt(rows, caret) === index, mask),
    );

  test('the caret stands on a character, or behind the last one of a line', () => {
    expect(drawn('one\ntwo', 1)).toEqual(['o[n]e', 'two']);
    expect(drawn('one\ntwo', 3)).toEqual(['one[ ]', 'two']);
    expect(drawn('one\n', 4)).toEqual(['one', '[ ]']);
  });

  test('of a secret no character is shown', () => expect(drawn('ab\n日c', 3, '•')).toEqual(['••', '[•]•']));

  test('nothing of a hostile text reaches the terminal, and all of it is seen', () =>
    expect(drawn('a\x1b]0;x\x07b\x9b31m\r', 0).join('')).toBe('[a]⟨ESC⟩]0;x⟨BEL⟩b⟨U+009B⟩31m⟨CR⟩'));
});

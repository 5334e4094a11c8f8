import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/resources/resource.ts';
import { verdictOf } from '../../src/resources/verdict.ts';
import { entryFrom, isEditableLine, typedText } from '../../src/screens/form/typedText.ts';
import { knowing } from '../resources/known.ts';

const words: Field = { label: 'Tags', kind: 'strings' };
const line: Field = { label: 'Label', kind: 'text' };
const script: Field = { label: 'Script', kind: 'paragraph' };

describe('words with commas between', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['a', ['a']],
    ['a, b', ['a', 'b']],
    ['a, b,', ['a', 'b', '']],
    ['a,,b', ['a', '', 'b']],
    ['"a, b"', ['a, b']],
    ['x, "a, b" , y', ['x', 'a, b', 'y']],
    ['"say ""hi"", now"', ['say "hi", now']],
    ['5" disk', ['5" disk']],
    ['"a, b', ['"a', 'b']],
    ['"a" b', ['"a" b']],
  ])('%j are %j', (typed, entry) => expect(entryFrom(words, typed)).toEqual(entry));

  test.each([[['a/b, c%', 'x']], [['"quoted"', 'a""b', 'say "hi", now']], [['5" disk']]])(
    'are typed so that they stay the same: %j',
    (entry) => expect(entryFrom(words, typedText(entry))).toEqual(entry),
  );
});

test('a line is left without what cannot be seen; a text of several lines keeps it, and is refused', () => {
  expect(entryFrom(line, 'a\u001b[31mb\tc\u202e')).toBe('ab c');
  expect(entryFrom(words, 'a\u001b[31mb, c\u202e')).toEqual(['ab', 'c']);
  expect(entryFrom(script, 'a\r\n\tb\u001b')).toBe('a\n\tb\u001b');
  const wrong = (field: Field, entry: string) => verdictOf(field, false, entry, {}, knowing());
  expect(wrong(script, 'echo\n\techo \u001b')).toBe(
    'Script has ⟨ESC⟩ at character 7 of line 2, which cannot be seen; take it out.',
  );
  expect(wrong(script, 'echo\n\techo')).toBeUndefined();
  expect(wrong({ ...line, kind: 'secret' }, 'a\u202e')).toContain('⟨RLO⟩ at character 2,');
  expect(verdictOf(words, false, ['a', 'b\u200b'], {}, knowing())).toContain('⟨ZWSP⟩');
});

test('a line with what cannot be seen is not edited, but shown with marks and replaced', () => {
  expect(isEditableLine('abc')).toBe(true);
  expect(isEditableLine('a\u202ebc')).toBe(false);
});

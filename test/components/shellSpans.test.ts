import { describe, expect, test } from 'vitest';
import { shellSpans } from '../../src/components/shellSpans.ts';
import { textOfSpans, wrapSpans } from '../../src/components/spans.ts';

/** The coloured parts of each line: `role:text`. */
const coloured = (script: string) =>
  shellSpans(script).map((spans) => spans.flatMap(({ text, role }) => (role ? [`${role}:${text}`] : [])));

const plain = (script: string) => shellSpans(script).map(textOfSpans);

describe('the colours of a shell script', () => {
  test.each<[string, string[]]>([
    ['# a comment', ['dim:# a comment']],
    ['true # and one', ['dim:# and one']],
    [`echo a#b \${#list}`, [`series2:\${#list}`]],
    ['if [ "$A" = \'x y\' ]; then', ['accent:if', 'good:"', 'series2:$A', 'good:"', "good:'x y'", 'accent:then']],
    ['echo "a \\" b" c', ['good:"a \\" b"']],
    ["echo 'a \\' b", ["good:'a \\'"]],
    [`echo \\" $HOME \${A:-b} $? $1`, ['series2:$HOME', `series2:\${A:-b}`, 'series2:$?', 'series2:$1']],
    ['iffy done-it', []],
    ['read <<< "word"', ['good:"word"']],
  ])('in %j are %j', (line, parts) => {
    expect(coloured(line)).toEqual([parts]);
  });

  test('tags that ask for something stand out of their comment', () => {
    expect(coloured('# <UDF name="host" default="" /> text')).toEqual([
      ['dim:# ', 'mark:<UDF name=', 'good:"host"', 'mark: default=', 'good:""', 'mark: />', 'dim: text'],
    ]);
  });

  test('a string goes on to the line on which it ends', () => {
    expect(coloured('echo "one\n$A two" if\nfi')).toEqual([
      ['good:"one'],
      ['series2:$A', 'good: two"', 'accent:if'],
      ['accent:fi'],
    ]);
    expect(coloured("a='x\n$B'")).toEqual([["good:'x"], ["good:$B'"]]);
  });

  test('a here-document goes on to its end', () => {
    expect(coloured("cat <<'EOF'\nif # no $A\nEOF\nif")).toEqual([
      ["accent:<<'EOF'"],
      ['good:if # no ', 'series2:$A'],
      ['accent:EOF'],
      ['accent:if'],
    ]);
  });

  test('no character is lost, tabs become spaces, and nothing reaches the terminal but text', () => {
    const script = 'a\t"b" \'c\' $d # e\r\n\tif x; then\n  \x1b[31mred\u202e\x07\n';
    expect(plain(script)).toEqual(['a   "b" \'c\' $d # e', '    if x; then', '  red⟨RLO⟩', '']);
  });
});

test('spans are wrapped without losing their colours', () => {
  const spans = [{ text: 'one two ' }, { text: 'three four', role: 'good' as const }];
  expect(wrapSpans(spans, 8)).toEqual([
    [{ text: 'one two ', role: undefined }],
    [{ text: 'three ', role: 'good' }],
    [{ text: 'four', role: 'good' }],
  ]);
});

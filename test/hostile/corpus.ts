import fc from 'fast-check';
import { anyText } from '../text/anyText.ts';

/** A sequence that a terminal would obey: it names the terminal. */
const commands = [
  '\u001b[2J\u001b[H',
  '\u001b[31mred\u001b[0m',
  '\u001b[999;999H',
  '\u001b[?1049l',
  '\u001b]0;title\u0007',
  '\u001b]52;c;cm0gLXJmIH4=\u0007',
  '\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u001bP+q544e\u001b\\',
  '\u001b_Gf=100;AAAA\u001b\\',
  '\u001b^private\u001b\\',
  '\u001bXstring\u001b\\',
  '\u001bc',
  '\u001b#8',
  '\u009b2J',
  '\u009d0;title\u009c',
  '\u0090q\u009c',
  '\u001b[\u001b[31m',
  '\u001b',
  '\u001b]0;never closed',
  '\u001b\u0007[2J',
];

/** Texts that a terminal would obey, that hide, reorder, or are far too long. */
export const hostileTexts: readonly string[] = [
  ...commands,
  '\u0000\u0001\u0007\u0008\u000b\u000c\u000e\u000f\u007f',
  'back\u0008\u0008\u0008\u0008space',
  'first\r\nsecond\nthird\rfourth',
  '\ttabs\tin\tit\t',
  'next\u0085line\u2028and\u2029paragraph',
  '\u202egnp.exe\u202c',
  '\u2066isolated\u2069\u200f\u200e\u061c',
  'zero\u200bwidth\u2060\ufeff\u00ad\u180e',
  'joined\u200dby\u200cnothing',
  `z${'\u0301\u0489'.repeat(400)}algo`,
  '\u0301begins with a mark',
  '\ud800',
  'half\udc00 of a pair \ud83d',
  '\ufffe\uffff\ufff9\ufffb',
  '日本語のラベルは幅が二倍です',
  '한국어 라벨 ｆｕｌｌ　ｗｉｄｔｈ',
  'שלום עולם',
  'مرحبا بالعالم',
  'क्षत्रिय ൎ ก็ำ',
  '👩‍👩‍👧‍👦 👨🏽‍🚀 🏳️‍🌈 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️ 1️⃣',
  '🫠🪿🛜😀',
  '☃ ⚠ ✓ ▁▂▃ │ █',
  '\u{1d400}\u{1d15f}\u{2f800}',
  '\u{e0041}\u{e0001}\u{f0000}',
  '⟨RLO⟩',
  ' ',
  '     leading and trailing     ',
  '',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  '../../../etc/passwd',
  'a/b?c=d&e#f%00%2e%zz',
  '%',
  '(((((', // no regular expression
  '$& $1 $$ $`',
  '"quoted", \'twice\' `thrice` \\',
  '=HYPERLINK("http://evil.example")',
  'x'.repeat(300),
  'w w '.repeat(200),
  '日'.repeat(300),
];

/** Words where the documents enumerate a few. */
const words = ['unheard_of', 'RUNNING', 'not-a-state', 'started', 'a_b_c', 'constructor', 'hasOwnProperty'];

const numbers: readonly unknown[] = [
  0,
  -0,
  -1,
  1.5,
  0.1 + 0.2,
  1e-7,
  1e21,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  2 ** 31,
  -(2 ** 53),
  8.64e15 + 1,
];

const dates = [
  '0000-00-00T00:00:00',
  '9999-12-31T23:59:59',
  '+275760-09-13T00:00:00',
  '2025-02-31T25:61:61',
  '2025-13-01',
  '1969-12-31T23:59:59',
  'yesterday',
  '2025-06-10T10:00:00+99:99',
  '-271821-04-20T00:00:00Z',
];

const shapes: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[[[]]]],
  [{}, null, 7, 'x'],
  { data: null },
  { label: '\u001b[31mnested' },
  { toString: null, valueOf: null },
  { toString: 'no function', length: -1 },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":null}}'),
  { toJSON: 1, length: 1e9 },
  Array.from({ length: 60 }, (_, index) => `item ${index}`),
];

/** A text as long as an answer can well be; far too long for any line. */
export const hugeText = `huge ${'\u001b[7m日e\u0301x\u202e '.repeat(100_000)}`;

/** Everything that a field can hold although it should not. */
export const hostileValues: readonly unknown[] = [...hostileTexts, ...words, ...numbers, ...dates, ...shapes];

/** Texts made of the hostile ones and of anything else. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.array(fc.constantFrom(...hostileTexts, 'a', ' ', '\n'), { maxLength: 6 }).map((parts) => parts.join('')),
  anyText(),
);

/** Any JSON value, mostly a hostile one. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileValues) },
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
);

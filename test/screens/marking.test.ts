import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { rangeMarked } from '../../src/screens/list/useListKeys.ts';
import { withPosition } from '../../src/screens/page/Pane.tsx';

const shown = ['a', 'b', 'c', 'd', 'e'];

test.each([
  ['down from the last mark', ['b'], 3, ['b', 'c', 'd']],
  ['up from it', ['d'], 1, ['b', 'c', 'd']],
  ['beside other marks', ['e', 'a'], 1, ['e', 'a', 'b']],
  ['none is marked yet', [], 2, ['c']],
  ['the last mark is filtered out', ['b', 'gone'], 3, ['b', 'gone', 'c', 'd']],
])('a range: %s', (_, marks, cursor, marked) => {
  expect(rangeMarked(shown, marks, cursor).toSorted()).toEqual(marked.toSorted());
  expect(rangeMarked(shown, marks, cursor).at(-1)).toBe(shown[cursor]);
});

const theme = themeNamed('none', 'unicode', false);
const part = { top: 11, body: 25, count: 40 };

test.each([
  [part, 40, ' Servers  40                12–36 of 40'],
  [{ ...part, top: 39 }, 40, ' Servers  40                16–40 of 40'],
  [{ ...part, isPartial: true }, 40, ' Servers  40               12–36 of 40+'],
  [{ ...part, count: 25 }, 40, ' Servers  40'],
  [part, 24, ' Servers  40'],
])('the position in the title of a list %j in %i cells', (shownPart, width, title) => {
  expect(withPosition(theme, ' Servers  40', shownPart, width)).toBe(title);
});

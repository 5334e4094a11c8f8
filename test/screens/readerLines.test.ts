import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { readerLineCount, readerLines } from '../../src/screens/list/listModel.ts';

const theme = themeNamed('mono', 'unicode', false);

test('room is kept only where values are cut, and never more than the list can spare', () => {
  expect(readerLineCount(0, 80, 40)).toBe(0);
  expect(readerLineCount(60, 80, 40)).toBe(1);
  expect(readerLineCount(120, 80, 40)).toBe(2);
  expect(readerLineCount(4000, 80, 40)).toBe(3);
  expect(readerLineCount(4000, 80, 20)).toBe(2);
  expect(readerLineCount(4000, 80, 14)).toBe(0);
});

test('the values that are cut stand there whole, with their titles, on as many lines as were kept', () => {
  const cells = [
    { title: 'Message', text: 'The root device could not be found.' },
    { title: 'User', text: 'night-shift' },
  ];
  expect(readerLines(theme, cells, 43, 3)).toEqual([
    '   MESSAGE The root device could not be ',
    '   found.   USER night-shift',
    '   ',
  ]);
  expect(readerLines(theme, [], 43, 1)).toEqual(['   ']);
});

test('what is too long even so ends in an ellipsis', () => {
  const [line = ''] = readerLines(theme, [{ title: 'Message', text: 'word '.repeat(30) }], 43, 1);
  expect(line).toMatch(/^ {3}MESSAGE (word )+…$|…$/);
  expect(line.length).toBeLessThanOrEqual(43);
});

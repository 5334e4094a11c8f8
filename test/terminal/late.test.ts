import { expect, test } from 'vitest';
import { blankLine } from '../../src/terminal/frameLine.ts';
import { differsOnlyIn } from '../../src/terminal/paint.ts';

test('lines are compared to their end where the late cells end before they begin', () => {
  const lines = ['abc', 'abd'].map((text) => ({ ...blankLine, text: [...text], style: [0, 0, 0] }));
  const [one = blankLine, other = blankLine] = lines as unknown as (typeof blankLine)[];
  expect(differsOnlyIn(one, other, { row: 0, from: 2, to: 3 })).toBe(true);
  expect(differsOnlyIn(one, other, { row: 0, from: 2, to: 2 })).toBe(false);
  expect(differsOnlyIn(one, other, { row: 0, from: 2, to: 1 })).toBe(false);
});

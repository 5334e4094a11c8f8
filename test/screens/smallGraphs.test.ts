import { expect, test } from 'vitest';
import { gridFor } from '../../src/screens/graphs/Comparison.tsx';

test.each([
  [6, 198, 57, { across: 2, down: 3 }],
  [6, 118, 37, { across: 2, down: 3 }],
  [12, 198, 57, { across: 3, down: 4 }],
  [20, 118, 37, { across: 3, down: 4 }],
  [6, 78, 21, { across: 2, down: 2 }],
  [6, 58, 13, { across: 1, down: 1 }],
  [5, 20, 5, { across: 1, down: 1 }],
])('%i graphs in %i × %i cells', (count, width, height, grid) => {
  const found = gridFor(count, width, height);
  expect(found).toMatchObject(grid);
  expect(found.across * found.width + (found.across - 1) * 2).toBeLessThanOrEqual(width);
  expect(found.down * found.height).toBeLessThanOrEqual(height);
});

import { expect, test } from 'vitest';
import { coveredOperations, operations } from './operations.ts';

/** Areas of the documents that no contract test covers yet, by the number of the operation. */
const toCome = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 29, 30, 31, 32, 33, 34],
  ...Array.from({ length: 150 - 67 }, (_, n) => n + 68),
];

test('every documented operation has its contract tests', () => {
  expect(operations).toHaveLength(150);
  const covered = new Set(coveredOperations().map(({ n }) => n));
  expect(operations.filter(({ n }) => !covered.has(n)).map(({ n }) => n)).toEqual(toCome);
});

test('of each operation method, path and need of a token are known', () => {
  for (const { method, path, scopes } of operations) {
    expect(path).toMatch(/^\/v4\/[a-z]/);
    expect(['GET', 'POST', 'PUT', 'DELETE']).toContain(method);
    if (scopes.length === 0) expect(path).toMatch(/\/(regions|kernels|clusters)/);
  }
});

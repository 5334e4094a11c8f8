import { expect, test } from 'vitest';
import { coveredOperations, operations } from './operations.ts';

test('every documented operation has its contract tests', () => {
  expect(operations.map(({ n }) => n)).toEqual(operations.map((_, index) => index + 1));
  const covered = new Set(coveredOperations().map(({ n }) => n));
  expect(operations.filter(({ n }) => !covered.has(n)).map(({ n }) => n)).toEqual([]);
});

test('of each operation method, path and need of a token are known', () => {
  for (const { method, path, scopes } of operations) {
    expect(path).toMatch(/^\/v4\/[a-z]/);
    expect(['GET', 'POST', 'PUT', 'DELETE']).toContain(method);
    if (scopes.length === 0) expect(path).toMatch(/\/(regions|kernels|clusters)/);
  }
});

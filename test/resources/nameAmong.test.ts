import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { nameAmong } from '../../src/resources/wording.ts';

const keys = resourceNamed('object-keys');
const key = (id: number, label: string, access_key = `KEY${id}`): Row => ({ id, label, access_key });

test.each([2, 200])('of %i rows with one name each is told by what it alone has', (count) => {
  const rows = Array.from({ length: count }, (_, nth) => key(nth + 1, 'analytics'));
  expect(rows.map((row) => nameAmong(keys, row, rows))).toEqual(rows.map(({ id }) => `analytics (KEY${id})`));
  expect(nameAmong(keys, key(0, 'backup'), rows)).toBe('backup');
});

test('of rows that show nothing else the id is told, and a name that is read anew is no other row', () => {
  const rows = [key(1, 'analytics', 'same'), key(2, 'analytics', 'same')];
  expect(rows.map((row) => nameAmong(keys, row, rows))).toEqual(['analytics (1)', 'analytics (2)']);
  expect(nameAmong(keys, { ...key(1, 'analytics') }, [key(1, 'analytics')])).toBe('analytics');
});

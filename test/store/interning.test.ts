import { describe, expect, test } from 'vitest';
import { createInterning } from '../../src/store/reading.ts';

/** A row as it comes, all its values its own. */
const server = (id: number, further = {}) => ({
  id,
  label: `web-${id}`,
  tags: ['web', 'prod'],
  specs: { disk: 81_920, vcpus: 2 },
  backups: { last: `2026-11-21T00:00:${id}`, schedule: { day: 'Thursday' } },
  group: null,
  ...further,
});

describe('rows of one list', () => {
  test('have what is equal in common, at any depth, and say what they said', () => {
    const share = createInterning();
    const [one, other] = [share(server(1)), share(server(2))];
    expect([one, other]).toEqual([server(1), server(2)]);
    expect(other.tags).toBe(one.tags);
    expect(other.specs).toBe(one.specs);
    expect(other.backups).not.toBe(one.backups);
    expect(other.backups).toHaveProperty('schedule', (one.backups as { schedule: unknown }).schedule);
  });

  test('keep apart what only looks alike', () => {
    const share = createInterning();
    const rows = [{ tags: '["web"]' }, { tags: ['web'] }, { tags: ['web', 'prod'] }, { tags: {} }, { tags: [] }];
    expect(rows.map((row) => share(structuredClone(row)))).toEqual(rows);
  });

  test('of a field with too many values have no more in common, and those of others still have', () => {
    const share = createInterning();
    for (let id = 1; id <= 1000; id++) share(server(id, { specs: { disk: id } }));
    const [one, other] = [share(server(7, { specs: { disk: 7 } })), share(server(7, { specs: { disk: 7 } }))];
    expect(one.specs).not.toBe(other.specs);
    expect(one.tags).toBe(other.tags);
    expect(one).toEqual(server(7, { specs: { disk: 7 } }));
  });
});

import { describe, expect, it } from 'vitest';
import { foundBy } from './facts.ts';

const volume = { id: 7, label: 'data', status: 'active', size: 40, server_id: null, updated: '2024-04-30T12:00:00' };

describe('volume-attached-to-nothing', () => {
  const found = (change: object) =>
    foundBy('volume-attached-to-nothing', { lists: { volumes: [{ ...volume, ...change }] } });

  it('names an active volume without a server, and since when', () => {
    expect(found({})).toMatchObject([
      {
        says: 'data (40 GB) is charged for and attached to no server',
        since: Date.UTC(2024, 3, 30, 12),
        label: 'data',
      },
    ]);
  });

  it.each([{ server_id: 3 }, { status: 'creating' }])('says nothing of one that is %o', (change) => {
    expect(found(change)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { foundBy, present } from './foundBy.ts';

const volume = { id: 7, label: 'data', status: 'active', size: 40, server_id: null, updated: '2024-04-30T12:00:00' };

describe('volume-attached-to-nothing', () => {
  const found = (change: object) =>
    foundBy('volume-attached-to-nothing', { lists: { volumes: [{ ...volume, ...change }] } });

  it('names an active volume without a server, and since when', () => {
    expect(found({})).toMatchObject([
      {
        says: 'data (40 GiB) is attached to no server and still charged for',
        since: Date.UTC(2024, 3, 30, 12),
        label: 'data',
      },
    ]);
  });

  it.each([{ server_id: 3 }, { status: 'creating' }])('says nothing of one that is %o', (change) => {
    expect(found(change)).toEqual([]);
  });
});

describe('a volume that is not as it should be', () => {
  const found = (rule: string, change: object, servers: readonly object[] = [], partly: readonly string[] = []) =>
    foundBy(rule, {
      lists: { volumes: [{ ...volume, region: 'us-east', ...change }], servers: servers as never },
      partly,
    });
  const attached = { server_id: 3, server_label: 'web-1' };

  it('changes for more than an hour', () => {
    const changing = { status: 'resizing', updated: '2024-05-01T10:59:59' };
    expect(found('volume-changing-too-long', changing)).toMatchObject([
      { severity: 'warning', says: 'data has been resizing for 60 minutes', since: present - 3_601_000 },
    ]);
    expect(found('volume-changing-too-long', { ...changing, updated: '2024-05-01T11:00:00' })).toEqual([]);
    expect(found('volume-changing-too-long', {})).toEqual([]);
  });

  it('is attached to a server that is gone', () => {
    expect(found('volume-on-gone-server', attached)).toMatchObject([
      { severity: 'warning', says: 'data is attached to web-1, which no longer exists' },
    ]);
    expect(found('volume-on-gone-server', attached, [{ id: 3 }])).toEqual([]);
    expect(found('volume-on-gone-server', attached, [], ['servers'])).toEqual([]);
    expect(found('volume-on-gone-server', {})).toEqual([]);
  });

  it('is attached to a server of another region', () => {
    expect(found('volume-in-other-region', attached, [{ id: 3, label: 'web-1', region: 'eu-west' }])).toMatchObject([
      { severity: 'warning', says: 'data in us-east is attached to web-1, which is in eu-west' },
    ]);
    expect(found('volume-in-other-region', attached, [{ id: 3, region: 'us-east' }])).toEqual([]);
    expect(found('volume-in-other-region', attached)).toEqual([]);
  });
});

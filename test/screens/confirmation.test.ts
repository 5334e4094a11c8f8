import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { withListPosition } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { partitionTargets, skippedSummary, skipReason, targetKey } from '../../src/screens/form/confirmation.ts';
import { changePreview } from '../../src/screens/form/preview.tsx';
import type { Target } from '../../src/store/changes/change.ts';
import type { Stores } from '../../src/store/stores.ts';
import { actionOf } from '../resources/actionOf.ts';
import { knowing } from '../resources/known.ts';

/** Nothing is guarded. */
const guards: Stores['guards'] = {
  refusal: () => undefined,
  isLocked: () => false,
  denials: () => [],
  limit: () => undefined,
  asks: () => [],
  examine: () => () => undefined,
};
const stores = { view: knowing(), guards };

const volumes = resourceNamed('volumes');
const action = actionOf(volumes, 'delete');
const target = (id: number, server: string | null, more: Row = {}) => ({
  row: { id, label: `data-${id}`, size: 10, server_id: server && 1, server_label: server, ...more },
  params: { volumeId: String(id) },
});

function parted(before: readonly Target[], now = before) {
  const able = before.filter(({ row }) => !action.refuse?.(row, knowing()));
  const parting = partitionTargets({ resource: volumes, action }, before, now, new Set(able.map(targetKey)), stores);
  return { ...parting, ids: parting.included.map(({ row }) => row.id) };
}

describe('the rows that a change is done to', () => {
  test('those that cannot go stay out, counted by their reasons', () => {
    const { ids, skipped } = parted([target(1, null), target(2, 'web-1'), target(3, 'web-2')]);
    expect(ids).toEqual([1]);
    expect(skippedSummary(skipped)).toBe('2 skipped: attached to a server (2)');
    expect(skipped.map(skipReason)[0]).toBe('data-2 is attached to web-1; detach it first');
  });

  test('one that goes away or is taken meanwhile stays out, and is told', () => {
    const { ids, skipped } = parted(
      [target(1, null), target(2, null), target(3, null)],
      [target(2, 'web-1'), target(3, null)],
    );
    expect(ids).toEqual([3]);
    expect(skipped.map(skipReason)).toEqual(['data-1: it is gone', 'data-2 is attached to web-1; detach it first']);
  });

  test('one that could not go when it was asked is never added', () => {
    const { ids, skipped } = parted([target(1, null), target(2, 'web-1')], [target(1, null), target(2, null)]);
    expect(ids).toEqual([1]);
    expect(skipped.map(skipReason)).toEqual([expect.stringMatching(/^data-2: .*ask again$/)]);
  });

  test('one without an id is counted by that, whatever else keeps rows out', () => {
    const nameless = { ...target(2, null), row: withListPosition({ label: 'data-2', size: 10, server_id: null }, '1') };
    const { ids, skipped } = parted([target(1, null), nameless]);
    expect(ids).toEqual([1]);
    expect(skippedSummary(skipped)).toBe('1 skipped: without an id (1)');
  });

  test('reasons that differ in the name of the row only are one', () => {
    const servers = resourceNamed('servers');
    const shutdown = actionOf(servers, 'shutdown');
    const off = [1, 2].map((id) => ({
      row: { id, label: `web-${id}`, status: 'offline' },
      params: { serverId: `${id}` },
    }));
    const { skipped } = partitionTargets({ resource: servers, action: shutdown }, off, off, new Set(), stores);
    expect(skippedSummary(skipped)).toBe('2 skipped: is offline already (2)');
  });
});

describe('what several rows get', () => {
  const servers = resourceNamed('servers');
  const preview = (said: string) =>
    changePreview(
      {
        resource: servers,
        action: actionOf(servers, 'snapshot'),
        targets: [1, 2].map((id) => ({ row: { id, label: `web-${id}` }, params: { serverId: `${id}` } })),
        params: {},
        draft: { label: 'web' },
      },
      knowing(),
      themeNamed('mono', 'ascii', false),
      80,
      [said],
    );

  test('is said once', () => {
    expect(preview('It is called web, and kept.')).toEqual([]);
  });

  test('is said where a sentence has it within another word only', () => {
    expect(preview('The snapshot of web-1 (may) is lost.')).toEqual(['Label: web']);
  });
});

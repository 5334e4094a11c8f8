import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { inverseOf } from '../../src/resources/inverse.ts';
import { actionOf } from './actionOf.ts';

const undo = (name: string, action: string, done: Parameters<typeof inverseOf>[2]) =>
  inverseOf(resourceNamed(name), actionOf(resourceNamed(name), action), done);

test('an edit is taken back by the values that were there, a list by none, a field that cannot be empty not at all', () => {
  const params = { volumeId: '7' };
  expect(
    undo('volumes', 'edit', { params, body: { label: 'b', tags: ['x'] }, before: { label: 'a', tags: [] } }),
  ).toEqual({ resource: 'volumes', action: 'edit', params, body: { label: 'a', tags: [] } });
  const nested = { params: { serverId: '1' }, body: { alerts: { cpu: 90 } }, before: { alerts: { cpu: 80 } } };
  expect(undo('servers', 'edit', nested)).toMatchObject({ body: { alerts: { cpu: 80 } } });
  const group = { params: { serverId: '1' }, body: { watchdog_enabled: true }, before: { watchdog_enabled: false } };
  expect(undo('servers', 'edit', group)).toMatchObject({ body: { watchdog_enabled: false } });
});

test('a creation is taken back by the deletion of what was made', () => {
  expect(undo('volumes', 'create', { params: {}, body: { label: 'a' }, made: { id: 9, label: 'a' } })).toEqual({
    resource: 'volumes',
    action: 'delete',
    params: { volumeId: '9' },
  });
});

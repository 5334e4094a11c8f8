import { describe, expect, test } from 'vitest';
import { statusRole } from '../../src/components/format.ts';
import { refuseShutdown } from '../../src/resources/compute/serverActions.ts';
import { resourceNamed, resources } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { inState, statusOf } from '../../src/resources/wording.ts';
import { actionOf } from './actionOf.ts';
import { foundBy } from './foundBy.ts';
import { knowing } from './known.ts';

test.each([
  ['active', 'active'],
  ['Active', 'active'],
  ['SHUTTING_DOWN', 'shutting_down'],
  ['shuttingDown', 'shutting_down'],
  ['needsPostProcessing', 'needs_post_processing'],
  ['not ready', 'not_ready'],
  [' Not-Ready ', 'not_ready'],
  [undefined, ''],
  [{ a: 1 }, ''],
])('%j is compared as %s', (status, word) => expect(statusOf({ status })).toBe(word));

describe('a status is told apart however it is spelled', () => {
  const old = { created: '2020-01-01T00:00:00', updated: '2020-01-01T00:00:00' };
  test.each<[string, string, Row, readonly string[]]>([
    [
      'volume-attached-to-nothing',
      'volumes',
      { id: 7, label: 'data', size: 40, server_id: null },
      ['active', 'Active'],
    ],
    ['volume-changing-too-long', 'volumes', { id: 7, label: 'data', ...old }, ['resizing', 'RESIZING']],
    ['service-down', 'managed-services', { id: 1, label: 'search', address: 'x' }, ['problem', 'Problem']],
  ])('%s', (rule, of, row, spellings) => {
    const found = spellings.map((status) => foundBy(rule, { lists: { [of]: [{ ...row, status }] } }));
    expect(found[0]).toHaveLength(1);
    for (const one of found) expect(one).toEqual(found[0]);
    for (const status of spellings) expect(statusRole(status)).toBe(statusRole(spellings[0] ?? ''));
  });

  test('also where it decides what can be done', () => {
    expect(refuseShutdown({ label: 'web-1', status: 'Offline' } as never)).toMatch(/^web-1 is offline already/);
  });

  test.each<[string, string, Row, string]>([
    ['volumes', 'resize', { label: 'data', server_id: null }, 'Active'],
    ['managed-services', 'enable', { label: 'search' }, 'Disabled'],
    ['entity-transfers', 'accept', { is_sender: false, expiry: '2999-01-01T00:00:00' }, 'Pending'],
  ])('%s: %s is possible', (of, name, row, status) => {
    const action = actionOf(resourceNamed(of), name);
    expect(action.refuse?.({ ...row, status }, knowing())).toBeUndefined();
    expect(action.refuse?.({ ...row, status: 'something_else' }, knowing())).toEqual(expect.any(String));
  });
});

test.each([
  ['failed', 'has failed'],
  ['pending_upload', 'waits for its file'],
  ['needsPostProcessing', 'is being finished'],
  ['shutting_down', 'is shutting down'],
  [null, 'has no known status'],
])('%s ends a sentence as %s', (status, says) => expect(inState({ status })).toBe(says));

test('a volume whose server the answer leaves out is attached to nothing', () => {
  const volumes = resourceNamed('volumes');
  const loose = { id: 1, label: 'data', status: 'active' };
  expect(actionOf(volumes, 'delete').refuse?.(loose, knowing())).toBeUndefined();
  expect(actionOf(volumes, 'detach').refuse?.(loose, knowing())).toBe('data is not attached to a server');
});

test('each word of a status that a description names has its colour, but that for not known', () => {
  const named = resources.flatMap(({ name, columns, fields }) =>
    columns
      .filter(({ format }) => format === 'status')
      .flatMap(({ words, value }) => words ?? fields[String(value)]?.options ?? [])
      .map((word) => ({ name, word })),
  );
  const plain = named.filter(({ word }) => statusRole(word) === 'plain');
  expect(plain).toEqual([{ name: 'nodebalancer-nodes', word: 'unknown' }]);
});

import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Draft, Row } from '../../src/resources/resource.ts';
import { outlookOf } from '../../src/screens/undo/outlook.ts';
import { createSession } from '../../src/store/session.ts';
import { actionOf } from '../resources/actionOf.ts';
import { knowing } from '../resources/known.ts';
import { fakeApi } from '../store/fakeApi.ts';

/** The line before a change of these rows; none of them where one is made. */
function outlook(
  of: string,
  named: string,
  rows: readonly Row[],
  draft: Draft = {},
  said: readonly string[] = [],
  readOnly = false,
  known: Parameters<typeof knowing>[0] = {},
) {
  const resource = resourceNamed(of);
  const targets = rows.map((row) => ({ row, params: { [resource.param]: String(row.id) } }));
  const stores = { view: knowing(known), api: { ...fakeApi(), readOnly }, session: createSession(Date.now) };
  return outlookOf({ resource, action: actionOf(resource, named), targets, params: {}, draft }, stores, said)?.says;
}

const volume = { id: 1, label: 'data', tags: [], size: 20, server_id: null, status: 'active' };

test('a change says before it is sent that it cannot be taken back or what is different then, and nothing else', () => {
  expect(outlook('volumes', 'edit', [volume], { label: 'new' })).toBeUndefined();
  expect(outlook('volumes', 'create', [], { label: 'new' })).toBeUndefined();
  expect(outlook('volumes', 'create', [], { label: 'new', server_id: '7' })).toBeUndefined();
  expect(outlook('nodebalancer-configs', 'delete', [{ id: 1, port: 80, protocol: 'http' }])).toBe(
    'Can be taken back by u, but it gets another id; its nodes are to be made anew.',
  );
  expect(outlook('nodebalancer-configs', 'delete', [{ id: 1, port: 443, protocol: 'https' }])).toBe(
    'Cannot be taken back: its private key cannot be read back.',
  );
  expect(outlook('nodebalancer-configs', 'rebuild', [{ id: 1, port: 80, protocol: 'http' }])).toBe(
    'Cannot be taken back: it had no node, and a rebuild needs one.',
  );
  const contact = { id: 1, name: 'Ann', email: '' };
  expect(outlook('managed-contacts', 'edit', [contact], { name: 'Ann', email: 'a@b.cd' })).toBe(
    'Cannot be taken back: email: there was nothing, and the API does not take it away.',
  );
});

test('a reason goes on in small letters, and that the API has no way back is one', () => {
  const server = { id: 1, label: 'web-1', status: 'running' };
  expect(outlook('servers', 'snapshot', [server], { label: 'new' })).toMatch(
    /^Cannot be taken back: a snapshot cannot/,
  );
  expect(outlook('tickets', 'create', [], { summary: 'Help', description: 'Please' })).toMatch(
    /^Cannot be taken back: a ticket cannot/,
  );
  const plain = { ...actionOf(resourceNamed('servers'), 'snapshot'), inverse: undefined };
  const stores = { view: knowing(), api: { ...fakeApi(), readOnly: false }, session: createSession(Date.now) };
  const submission = { resource: resourceNamed('servers'), action: plain, params: {}, draft: {} };
  expect(outlookOf({ ...submission, targets: [{ row: server, params: { serverId: '1' } }] }, stores, [])?.says).toBe(
    'Cannot be taken back: the API has no action that does it.',
  );
});

test('of several rows some may stay as they are then', () => {
  const ports = [
    { id: 1, port: 80, protocol: 'http' },
    { id: 2, port: 443, protocol: 'https' },
  ];
  expect(outlook('nodebalancer-configs', 'delete', ports)).toBe(
    'Some of it cannot be taken back: its private key cannot be read back.',
  );
  expect(outlook('volumes', 'delete', [volume, { ...volume, id: 2 }])).toBe(
    'Cannot be taken back: their data are gone.',
  );
});

test('what is different then is said of each of several rows, or of some', () => {
  const ports = [1, 2].map((id) => ({ id, port: 80 + id, protocol: 'http' }));
  expect(outlook('nodebalancer-configs', 'delete', ports)).toBe(
    'Can be taken back by u, but each gets another id; their nodes are to be made anew.',
  );
  const attached = { ...volume, server_id: 7 };
  expect(outlook('volumes', 'detach', [attached, { ...attached, id: 2 }])).toBe(
    'Can be taken back by u, but each goes to the config last booted, in its first free slot.',
  );
});

test('nothing is said twice, nor of what changes nothing, nor of what cannot be sent yet', () => {
  expect(outlook('volumes', 'delete', [volume])).toBe('Cannot be taken back: its data are gone.');
  expect(outlook('volumes', 'delete', [volume], {}, ['This cannot be undone; billing for it stops.'])).toBeUndefined();
  expect(outlook('servers', 'create', [], { stackscript_data: '{', mode: 'stackscript', image: 'a' })).toBeUndefined();
});

test('a resize that may enlarge the disks promises no way back', () => {
  const server = { id: 1, label: 'web-1', type: 'small', status: 'running' };
  const types = [
    { id: 'small', disk: 81920 },
    { id: 'large', disk: 163840 },
  ];
  const resized = (type: string, fits: boolean, row: Row = server) =>
    outlook('servers', 'resize', [row], { type, allow_auto_disk_resize: fits }, [], false, { 'server-types': types });
  expect(resized('large', true)).toBe(
    'Cannot be taken back: its disks may grow with the type, and then no longer fit the old one: make them smaller, and resize it by hand.',
  );
  expect(resized('large', false)).toMatch(/^Can be taken back by u, but it is down once more;/);
  expect(resized('small', true, { ...server, type: 'large' })).toMatch(/^Can be taken back by u/);
});

test('where it is only planned, nothing is said of a key that takes back what was sent from here', () => {
  expect(outlook('volumes', 'edit', [volume], { label: 'new' }, [], true)).toBeUndefined();
  expect(outlook('volumes', 'delete', [volume], {}, [], true)).toBe('Cannot be taken back: its data are gone.');
});

import { expect, test } from 'vitest';
import { abortedError } from '../../src/api/error.ts';
import type { TransferOptions } from '../../src/api/fileTransfer.ts';
import type { FileTransfer } from '../../src/resources/action.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Change } from '../../src/store/changes/change.ts';
import { transferFile } from '../../src/store/changes/submit.ts';
import { actionOf } from '../resources/actionOf.ts';
import { fakeApi } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const objects = resourceNamed('objects');

/** The end of a transfer that is cancelled once so many of its bytes are sent. */
async function cancelled(described: FileTransfer, bytes: number, maybeSent = true) {
  const move = async (...[, , options]: readonly unknown[]) => {
    (options as TransferOptions | undefined)?.onProgress?.(bytes, 100);
    throw abortedError({ method: described.way === 'download' ? 'GET' : 'PUT', path: '/a' }, maybeSent);
  };
  const files = { upload: move, download: move, remove: move };
  const stores = openStores({ ...fakeApi(), files });
  const change: Change = { resource: objects, action: actionOf(objects, 'delete'), params: {}, label: 'a', file: '/a' };
  await stores.guards.examine([change], false)(change);
  const { says } = await transferFile(stores, described, change, { url: 'https://files.example.com/a' });
  return says;
}

const upload: FileTransfer = { way: 'upload', file: 'file', address: 'url', missed: 'It has no data.' };
const open = 'cancelled, but it may have been done; look at it before you do it again.';

test('what is cancelled once all of it was sent may have been done', async () => {
  expect(await cancelled({ way: 'delete', address: 'url' }, 0)).toBe(`Delete a: ${open}`);
  expect(await cancelled(upload, 100)).toBe(`Upload a: ${open}`);
});

test('what is cancelled before is not done', async () => {
  expect(await cancelled({ way: 'delete', address: 'url' }, 0, false)).toBe('Delete a: cancelled.');
  expect(await cancelled(upload, 99)).toBe('Upload a: cancelled. It has no data.');
  expect(await cancelled({ way: 'download', file: 'file', address: 'url' }, 100, false)).toBe('Download a: cancelled.');
});

import { expect, test } from 'vitest';
import type { Call } from '../../src/api/request.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { keepMade } from '../../src/store/madeRows.ts';
import { createSession, waitUntil } from '../../src/store/session.ts';
import { fakeApi } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const callOf = (further: Partial<Call> = {}): Call => ({
  method: 'GET',
  path: '/volumes',
  status: 200,
  ms: 12,
  at: 1000,
  attempt: 1,
  ...further,
});

test('the requests of the session are a list, the newest first, of which none changes any more', () => {
  const session = createSession(Date.now);
  session.noteCall(callOf({ path: '/before' }));
  const stores = openStores(fakeApi(), session);
  const rows = () => stores.cache.getState().collections['requests.list?']?.rows ?? [];
  const leave = keepMade(stores, resourceNamed('requests'));
  expect(rows()).toMatchObject([{ path: '/before' }]);
  session.noteCall(callOf({ path: '/after', status: 500, error: 'Broken.' }));
  const [, first] = rows();
  expect(rows()).toMatchObject([
    { path: '/after', status: 500, error: 'Broken.' },
    { path: '/before', status: 200 },
  ]);
  session.noteCall(callOf({ attempt: 2 }));
  expect(rows()[2]).toBe(first);
  expect(new Set(rows().map(({ id }) => id)).size).toBe(3);
  session.noteRefusal({ method: 'PUT', path: '/instances' }, 'No.');
  for (let count = 0; count < 600; count++) session.noteCall(callOf());
  expect(rows()).toHaveLength(500);
  const last = rows();
  leave();
  session.noteCall(callOf());
  expect(rows()).toBe(last);
});

test('a request changes nothing in the cache while nobody looks at the list of them', () => {
  const session = createSession(Date.now);
  const { cache } = openStores(fakeApi(), session);
  let changes = 0;
  cache.subscribe(() => changes++);
  for (let count = 0; count < 10; count++) session.noteCall(callOf());
  expect(changes).toBe(0);
});

test('the API asks to wait from the end of the call that it turned away', () => {
  const session = createSession(() => 0);
  expect(waitUntil(session.getState())).toBe(0);
  session.noteCall(callOf({ status: 429, at: 1000, ms: 50, retryAfterMs: 30_000 }));
  session.noteCall(callOf({ status: 429, at: 2000, ms: 50, retryAfterMs: 2_000 }));
  session.noteCall(callOf({ at: 3000 }));
  expect(waitUntil(session.getState())).toBe(31_050);
});

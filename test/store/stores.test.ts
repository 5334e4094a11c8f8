import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSession } from '../../src/store/session.ts';
import { createStores } from '../../src/store/stores.ts';
import { fakeApi } from './fakeApi.ts';
import { memoryState } from './keptState.ts';
import { openStores, partsOf } from './openStores.ts';

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const call = { method: 'GET', path: '/', ms: 1, at: 0, attempt: 1 };
const volumes = { resource: 'volumes', operation: 'list', params: {} };

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

async function open() {
  const api = fakeApi();
  const session = createSession(Date.now);
  const stores = openStores(api, session);
  stores.events.start();
  await api.next('events.list').page([]);
  return { api, session, stores };
}

test('the first sign of trouble has the events looked at, later ones do not', async () => {
  const { api, session } = await open();
  await seconds(12);
  session.noteCall({ ...call, kind: 'answer', status: 403, error: 'No.' });
  expect(api.count('events.list')).toBe(1);
  for (let nth = 0; nth < 5; nth++) session.noteCall({ ...call, kind: 'unreachable', error: 'Gone.' });
  expect(api.count('events.list')).toBe(2);
});

test('an acknowledgement that could not be kept is kept once that is possible, with no other one', async () => {
  const api = fakeApi();
  const state = memoryState();
  const parts = partsOf(api, { persist: { state: state.session() } });
  const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
  onTestFinished(() => stores.close());
  stores.events.start();
  await api.next('events.list').page([]);
  state.refuses = true;
  const problem = { id: 'server-offline 1', severity: 'warning', rule: 'server-offline', resource: 'servers' } as const;
  const told = { params: { serverId: '1' }, label: 'web-1', says: 'web-1 is offline' };
  stores.acknowledgements.acknowledge([{ ...problem, ...told }], 'known', 'never');
  await seconds(15);
  await api.next('events.list').page([]);
  state.refuses = false;
  expect(state.text()).not.toContain('known');
  await seconds(15);
  await api.next('events.list').page([]);
  expect(state.text()).toContain('known');
});

test.each<[string, number | undefined]>([
  ['answers again', undefined],
  ['is there, although the events are not for this token', 403],
])('what failed is read again as soon as the API %s', async (_, status) => {
  const { api, stores } = await open();
  stores.scheduler.subscribe([volumes]);
  await api.next('volumes.list').fail({ status: 503 });
  void stores.events.poll();
  await api.next('events.list').fail({ status: 503 });
  await seconds(4);
  expect(api.count('volumes.list')).toBe(1);
  if (status === undefined) await api.next('events.list').page([]);
  else await api.next('events.list').fail({ status });
  expect(api.count('volumes.list')).toBe(2);
});

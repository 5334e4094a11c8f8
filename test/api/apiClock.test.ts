import { expect, test, vi } from 'vitest';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const read: Operation = { method: 'GET', path: `${version}/volumes` };
const hour = 3_600_000;

test('the time of the API is told by its answers, to a second and the round trip', async () => {
  const date = Date.UTC(2025, 5, 10, 12);
  const { url } = await serve((_, response) => json(response, {}, 200, { date: new Date(date).toUTCString() }));
  const { api } = client(url);
  expect(api.time()).toBeUndefined();
  const begun = performance.now();
  await api.send(read);
  const { from = 0, to = 0 } = api.time() ?? {};
  const took = performance.now() - begun;
  // A thousandth for the rounding of times since the epoch.
  expect(from).toBeGreaterThanOrEqual(date - 0.001);
  expect(from).toBeLessThanOrEqual(date + took + 0.001);
  expect(to).toBeGreaterThanOrEqual(date + 1000 - 0.001);
  expect(to - from).toBeLessThanOrEqual(1000 + took + 0.001);
});

test.each([
  ['ahead', hour],
  ['behind', -hour],
])('a clock of this machine that is set an hour %s changes nothing', async (_, by) => {
  const { url } = await serve((_, response) => json(response, {}, 200, { date: 'Tue, 10 Jun 2025 12:00:00 GMT' }));
  const { api } = client(url);
  await api.send(read);
  const before = api.time()?.from ?? 0;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
  try {
    expect(Math.abs((api.time()?.from ?? 0) - before)).toBeLessThan(60_000);
    expect(Math.abs(before - Date.UTC(2025, 5, 10, 12))).toBeLessThan(60_000);
  } finally {
    vi.useRealTimers();
  }
});

test('further answers narrow it, and one that does not fit takes the place of all before', async () => {
  let date = 'Tue, 10 Jun 2025 12:00:00 GMT';
  const { url } = await serve((_, response) => json(response, {}, 200, { date }));
  const { api } = client(url);
  await api.send(read);
  const width = () => (api.time()?.to ?? 0) - (api.time()?.from ?? 0);
  const first = width();
  await api.send(read);
  expect(width()).toBeLessThanOrEqual(first);
  date = 'Tue, 10 Jun 2025 18:00:00 GMT';
  await api.send(read);
  expect(Math.abs((api.time()?.from ?? 0) - Date.UTC(2025, 5, 10, 18))).toBeLessThan(60_000);
});

test('no store on the way answers in place of the API', async () => {
  let label = 'old';
  const { url } = await serve(({ headers }, response) =>
    headers['cache-control'] === 'no-cache'
      ? json(response, { label })
      : json(response, { label: 'old' }, 200, { age: '60' }),
  );
  const { api } = client(url);
  await api.send(read);
  label = 'new';
  expect(await api.send(read)).toMatchObject({ body: { label: 'new' } });
});

test.each([
  ['that came from a store on the way', { date: 'Tue, 10 Jun 2025 12:00:00 GMT', age: '60' }, 200],
  ["of a failure, which may be a proxy's", { date: 'Tue, 10 Jun 2025 12:00:00 GMT' }, 502],
  ['that is no time', { date: 'soon' }, 200],
])('an answer %s tells nothing of it', async (_, headers, status) => {
  const { url } = await serve((_, response) => json(response, {}, status, headers));
  const { api } = client(url);
  await (status === 200 ? api.send(read) : failure(api.send(read)));
  expect(api.time()).toBeUndefined();
});

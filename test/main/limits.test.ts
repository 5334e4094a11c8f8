import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { createSnapshotReader } from '../../src/program/snapshotReader.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { jsonLines } from '../jsonLines.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { emptyAreas, type Route, serve } from './apiServer.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

let home: string;
let server: Awaited<ReturnType<typeof serve>> | undefined;
beforeEach(() => {
  home = temporaryFolder('limits');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const run = (args: string[], baseUrl: string) =>
  skydeck(args, environment(home, { SKYDECK_TOKEN: 'token-of-the-test', SKYDECK_BASE_URL: baseUrl }));

const pauseMs = 2000;

/** A line of the log of calls. */
interface Logged {
  /** When it began, and how many milliseconds it took. */
  time: string;
  ms: number;
  status?: number;
}

it('a snapshot keeps the pause that the API asks for with every request, and is whole afterwards', async () => {
  let count = 0;
  const limited =
    (route: Route): Route =>
    (url) =>
      ++count === 4 ? { status: 429, body: {}, headers: { 'retry-after': `${pauseMs / 1000}` } } : route(url);
  server = await serve(Object.fromEntries(Object.entries(emptyAreas).map(([path, route]) => [path, limited(route)])));
  const log = join(home, 'calls.jsonl');
  const { code, stderr } = await run(['snapshot', 'home', '--log-file', log], server.baseUrl);
  expect(stderr).toBe('');
  expect(code).toBe(0);

  const calls: readonly Logged[] = jsonLines(await readFile(log, 'utf8'));
  const refused = calls.find(({ status }) => status === 429);
  const pause = Date.parse(refused?.time ?? '') + (refused?.ms ?? 0);
  const begun = calls.map(({ time }) => Date.parse(time) - pause);
  // The log rounds to milliseconds.
  expect(begun.filter((since) => since > 1 && since < pauseMs - 1)).toEqual([]);
  expect(begun.filter((since) => since >= pauseMs - 1).length).toBeGreaterThan(10);
});

it('a question that waits to be asked again holds up no other one', async () => {
  const { promise: allAsked, resolve } = Promise.withResolvers<void>();
  const path = resourceNamed('servers').list?.path ?? '';
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, label: `web-${id}` }));
  const asked = new Map<string, number>();
  const isBusyAtFirst = ({ pathname }: URL, id: number): ReturnType<Route> => {
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
    if (asked.size === rows.length) resolve();
    if (id <= 5 && asked.get(pathname) === 1) return { status: 400, body: { errors: [{ reason: 'Server busy.' }] } };
    return { body: { data: { cpu: [] } } };
  };
  const routes = rows.map(({ id }) => [`${path}/${id}/stats`, (url: URL) => isBusyAtFirst(url, id)] as const);
  server = await serve(Object.fromEntries(routes));
  const api = connect({ baseUrl: server.baseUrl, token: 't', readOnly: true, sleep: () => allAsked });
  const reader = createSnapshotReader(api, Date.now(), () => false);
  await reader.readAbout(resourceNamed('servers'), 'stats', rows);
  const answered = rows.filter(({ id }) => reader.cache.answer('servers', 'stats', { serverId: String(id) }));
  expect(answered).toHaveLength(rows.length);
  await api.close();
});

it('a snapshot outlasts a few refusals that name no time, and a server that is busy', async () => {
  const refusals = [
    { status: 429, body: { errors: [{ reason: 'Too many requests' }] } },
    { status: 400, body: { errors: [{ reason: 'Server busy.' }] } },
    { text: '{"data": [{"id"' },
  ];
  const volumes = resourceNamed('volumes').list?.path ?? '';
  const row = { id: 1, label: 'data-1', status: 'active', size: 20, region: 'us-east' };
  server = await serve({ ...emptyAreas, [volumes]: () => refusals.shift() ?? { rows: [row] } });
  const { code, stdout, stderr } = await run(['snapshot', 'volumes', '--format', 'csv'], server.baseUrl);
  expect(stderr).toBe('');
  expect(stdout).toContain('data-1');
  expect(code).toBe(0);
});

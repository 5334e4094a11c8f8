import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { areas } from '../../src/program/areas.ts';
import { jsonLines } from '../jsonLines.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { pathOf, type Route, serve } from './apiServer.ts';
import { environment, skydeck, start } from './program.ts';

let home: string;
let child: ReturnType<typeof start> | undefined;
let server: Awaited<ReturnType<typeof serve>>;
/** The account, which changes meanwhile. */
let volumes: readonly object[];
let events: readonly object[];
let isAway: boolean;
/** The token may see no events. */
let isBlind: boolean;

const volume = (id: number, status: string) => ({
  id,
  label: `data-${id}`,
  size: 20,
  status,
  region: 'us-east',
  tags: [],
});
const job = (id: number, status: string, volumeId: number) => ({
  id,
  action: 'volume_resize',
  status,
  created: new Date().toISOString().slice(0, 19),
  entity: { id: volumeId, type: 'volume', label: `data-${volumeId}` },
});
/** While it goes on, the account is looked at every two seconds. */
const long = job(3, 'started', 9);

beforeEach(async () => {
  home = temporaryFolder('lines');
  [volumes, events, isAway] = [[volume(1, 'broken'), volume(2, 'active')], [job(5, 'started', 1), long], false];
  isBlind = false;
  fleet = [];
  const forbidden = { status: 403, body: { errors: [{ reason: 'Unauthorized' }] } };
  const away = { status: 400, body: { errors: [{ reason: 'Closed for repairs' }] } };
  const rows = (of: () => readonly object[]) => (): ReturnType<Route> => (isAway ? away : { rows: of() });
  server = await serve({
    ...Object.fromEntries(
      areas.map(({ list, view }): [string, Route] =>
        list ? [list.path, rows(() => [])] : [view?.path ?? '', () => ({ body: {} })],
      ),
    ),
    [pathOf('volumes')]: rows(() => volumes),
    [`${pathOf('volumes')}/1`]: () => ({ body: volumes[0] }),
    [`${pathOf('volumes')}/2`]: () => ({ body: volumes[1] }),
    [pathOf('servers')]: rows(() => fleet),
    [pathOf('events')]: () => (isBlind ? forbidden : rows(() => events)()),
  });
});
afterEach(async () => {
  child?.kill('SIGKILL');
  child = undefined;
  await server.close();
});

let fleet: readonly object[] = [];

const rule = `[[rules]]
for = "volumes"
where = "status:broken"
severity = "critical"
says = "{label} is broken"
`;
const account = () =>
  environment(home, {
    SKYDECK_BASE_URL: server.baseUrl,
    SKYDECK_TOKEN: 'token-of-the-test',
    OTHER: 'token-of-the-test',
  });

async function watch(config: string) {
  const file = join(home, 'config.toml');
  await writeFile(file, config, { mode: 0o600 });
  const running = start(['watch', '--jsonl', '--config', file, '--refresh', '1'], account());
  child = running;
  let [text, errors] = ['', ''];
  running.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  running.stderr.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk;
  });
  const lines = () => jsonLines(text);
  return {
    running,
    errors: () => errors,
    next: async (count: number) => {
      await vi.waitFor(() => expect(lines().length, text + errors).toBeGreaterThanOrEqual(count), { timeout: 25_000 });
      return lines();
    },
    ended: () => new Promise<number | null>((resolve) => running.on('close', resolve)),
  };
}

describe('watch --jsonl', () => {
  test('tells what a rule by load leaves out', async () => {
    fleet = Array.from({ length: 200 }, (_, index) => ({
      id: index + 1,
      label: `web-${index + 1}`,
      status: 'running',
    }));
    const { next } = await watch(rule.replace('volumes', 'servers').replace('status:broken', 'cpu>95'));
    const own = () => expect.objectContaining({ operation: 'stats', count: 50, of: 200, own: 'critical' });
    expect((await next(2)).slice(0, 2)).toMatchObject([
      { on: 'start' },
      { on: 'unexamined', unexamined: expect.arrayContaining([own()]) },
    ]);
  });

  test('writes what is wrong at the start, then one line for each transition, and runs the hooks', async () => {
    const out = join(home, 'out');
    const hook = `[[hooks]]\non = ["critical", "job-ended"]\nrun = ["/bin/sh", "-c", "cat >>'${out}'; env >'${home}/env'"]\n`;
    const { running, next, ended, errors } = await watch(rule + hook);
    const [begin] = await next(1);
    expect(begin).toMatchObject({
      on: 'start',
      profile: 'environment',
      jobs: [{ id: 5, status: 'started' }, { id: 3 }],
    });
    expect(begin.problems.map(({ says }: { says: string }) => says)).toEqual(['data-1 is broken']);
    expect(Date.parse(begin.at)).toBeGreaterThan(0);
    volumes = [volume(1, 'active'), volume(2, 'broken')];
    events = [job(6, 'finished', 2), job(5, 'finished', 1), long];
    const heard = (await next(5)).slice(1).map(({ on, problem, job }) => `${on} ${problem?.says ?? job.id}`);
    expect(heard.toSorted()).toEqual([
      'critical data-2 is broken',
      'job-ended 5',
      'job-ended 6',
      'recovered data-1 is broken',
    ]);
    await vi.waitFor(async () => {
      const hooked = jsonLines(await readFile(out, 'utf8')).map(({ on }) => on);
      expect(hooked.sort()).toEqual(['critical', 'job-ended', 'job-ended']);
    });
    expect(await readFile(join(home, 'env'), 'utf8')).not.toContain('token-of-the-test');
    isAway = true;
    expect((await next(6))[5]).toMatchObject({
      on: 'lost',
      profile: 'environment',
      says: expect.stringContaining('repairs'),
    });
    isAway = false;
    expect((await next(7))[6]).toMatchObject({ on: 'back', profile: 'environment' });
    running.kill('SIGTERM');
    expect(await ended()).toBe(143);
    expect(errors()).toBe('');
  }, 60_000);

  test('ends quietly when nobody reads it any more, and by SIGINT', async () => {
    const { running, next, ended, errors } = await watch(rule);
    await next(1);
    running.stdout.destroy();
    events = [job(5, 'finished', 1), long];
    expect(await ended()).toBe(0);
    expect(errors()).toBe('');
    const other = await watch(rule);
    await other.next(1);
    other.running.kill('SIGINT');
    expect(await other.ended()).toBe(130);
  }, 60_000);

  test('ends with a whole line at SIGTERM, however slowly it is read', async () => {
    const message = 'x'.repeat(20_000);
    events = Array.from({ length: 100 }, (_, nth) => ({ ...job(nth + 1, 'started', 9), message }));
    const running = start(['watch', '--jsonl', '--refresh', '1'], account());
    child = running;
    const ended = new Promise<number | null>((resolve) => running.on('exit', resolve));
    await new Promise((resolve) => running.stdout.once('readable', resolve));
    running.kill('SIGTERM');
    let text = '';
    for await (const chunk of running.stdout) text += chunk;
    expect(await ended).toBe(143);
    expect(text.at(-1)).toBe('\n');
    expect(JSON.parse(text.split('\n')[0] ?? '').jobs).toHaveLength(100);
  }, 60_000);

  test('of a token that may not see the events tells what it can, and not that the API is lost', async () => {
    isBlind = true;
    const { next, running, ended } = await watch(rule);
    const [begin] = await next(1);
    expect(begin).toMatchObject({ on: 'start', problems: [{ says: 'data-1 is broken' }] });
    expect(begin).not.toHaveProperty('jobs');
    running.kill('SIGTERM');
    expect(await ended()).toBe(143);
  }, 60_000);

  test('shows no boards', async () => {
    for (const [args, says] of [
      [['watch', '--jsonl', 'fleet'], '--jsonl shows no board, so leave out its name.\n'],
      [['watch', '--jsonl', '--bell'], '--jsonl draws nothing, so leave out --bell.\n'],
      [['--jsonl'], '--jsonl works only with skydeck watch and skydeck plan apply.\n'],
    ] as const)
      expect(await skydeck([...args], account())).toEqual({ code: 2, stdout: '', stderr: says });
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { stateDirectory } from '../../src/program/directories.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { emptyAreas, pathOf, type Route, serve } from './apiServer.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment, start } from './program.ts';
import { takeSnapshot } from './takeSnapshot.ts';

let home: string;
let server: Awaited<ReturnType<typeof serve>> | undefined;
beforeEach(() => {
  home = temporaryFolder('fail-on');
});
afterEach(() => server?.close());

const longAgo = '2020-01-01T00:00:00';
const volume = (more: object) => ({
  id: 1,
  label: 'data',
  size: 20,
  region: 'us-east',
  tags: [],
  created: longAgo,
  ...more,
});
const listing = (name: string, row: object): Record<string, Route> => ({ [pathOf(name)]: () => ({ rows: [row] }) });

const bucket = {
  label: 'logs',
  cluster: 'us-east-1',
  hostname: 'logs.example.com',
  created: longAgo,
  size: 1,
  objects: 1,
};
const bucketAccess = `${pathOf('buckets')}/us-east-1/logs/access`;

const states: Readonly<Record<string, Record<string, Route>>> = {
  emptyAreas: {},
  notice: listing('volumes', volume({ status: 'active', server_id: null })),
  warning: listing('volumes', volume({ status: 'creating', updated: longAgo, server_id: 1 })),
  critical: {
    ...listing('volumes', volume({ status: 'active', server_id: null })),
    ...listing('regions', { id: 'us-east', status: 'outage', country: 'us', capabilities: [] }),
  },
  undocumented: {
    ...listing('buckets', bucket),
    ...listing('volumes', volume({ status: 'creating', updated: longAgo, server_id: 1 })),
    [pathOf('server-types')]: () => ({ status: 404 }),
    [bucketAccess]: () => ({ status: 405, body: { errors: [{ reason: 'Method Not Allowed' }] } }),
  },
  unread: { [pathOf('volumes')]: () => ({ status: 403 }) },
};

async function ended(args: string[], state: string) {
  server = await serve({ ...emptyAreas, ...states[state] });
  const account = { SKYDECK_BASE_URL: server.baseUrl, SKYDECK_TOKEN: 'token-of-the-test' };
  return skydeck(['snapshot', ...args], environment(home, account));
}

describe('--fail-on', () => {
  it.each([
    ['nothing', 'problem', 0],
    ['notice', 'problem', 0],
    ['warning', 'problem', 1],
    ['critical', 'problem', 1],
    ['unread', 'problem', 3],
    ['nothing', 'critical', 0],
    ['notice', 'critical', 0],
    ['warning', 'critical', 0],
    ['critical', 'critical', 1],
    ['unread', 'critical', 3],
  ])('with %s wrong and --fail-on %s exits with %i', async (state, failOn, code) => {
    const result = await ended(['problems', '--format', 'json', '--fail-on', failOn], state);
    expect(result.code).toBe(code);
    const severities = JSON.parse(result.stdout).rows.map(({ severity }: { severity: string }) => severity);
    if (state === 'nothing' || state === 'unread') expect(severities).toEqual([]);
    else expect(severities).toContain(state);
    expect(result.stderr).toMatch(state === 'unread' ? /^Volumes could not be read: [^\n]+\n$/ : /^$/);
  });

  it('does not miss what the API does not have and the documents do not either', async () => {
    const { code, stderr } = await ended(['problems', '--fail-on', 'problem'], 'undocumented');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(server?.asked).toContain(`GET ${bucketAccess}`);
  });

  it('does not count what somebody has acknowledged', async () => {
    const { rows } = JSON.parse((await ended(['problems', '--format', 'json'], 'warning')).stdout);
    const known = rows.map(({ id }: { id: string }) => ({ problem: id, reason: 'known', at: Date.now() }));
    await server?.close();
    // A file of an earlier version, which is taken over.
    const directory = stateDirectory({ HOME: home });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(join(directory, 'acknowledged-environment.json'), JSON.stringify(known), { mode: 0o600 });
    const { code, stdout, stderr } = await ended(['problems', '--fail-on', 'problem'], 'warning');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(rows[0].says);
  });

  it('is asked anew each time with --watch what somebody has acknowledged', async () => {
    server = await serve({ ...emptyAreas, ...states.warning });
    const account = { SKYDECK_BASE_URL: server.baseUrl, SKYDECK_TOKEN: 'token-of-the-test' };
    const child = start(['snapshot', 'problems', '--watch', '3'], environment(home, account));
    const taken: { rows: { id: string }[] }[] = [];
    for await (const line of createInterface(child.stdout)) {
      taken.push(JSON.parse(line));
      if (taken.length === 3) break;
      if (taken.length > 1) continue;
      const known = taken[0]?.rows.map(({ id }) => ({ problem: id, reason: 'known', at: Date.now() }));
      const file = join(stateDirectory({ HOME: home }), 'acknowledged-environment.json');
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, JSON.stringify(known), { mode: 0o600 });
    }
    child.kill('SIGTERM');
    expect(taken.map(({ rows }) => rows.length)).toEqual([2, 0, 0]);
  }, 30_000);

  it.each([
    ['status:creating', 'critical', 1],
    ['status:active', 'critical', 0],
    ['status:creating', 'notice', 0],
  ])("fails on what a rule of one's own finds: %s, %s", async (where, severity, code) => {
    const config = join(home, 'config.toml');
    const rule = `[[rules]]\nfor = "volumes"\nwhere = "${where}"\nseverity = "${severity}"\nsays = "{label} is {status}"\n`;
    await writeFile(config, rule, { mode: 0o600 });
    const own = ['--config', config, '--format', 'json', '--fail-on', 'critical'];
    for (const area of ['problems', 'volumes', 'home']) {
      const result = await ended([area, ...own], 'warning');
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: '' });
      const said = expect.stringContaining('"data is creating"');
      expect(result.stdout).toEqual(
        where === 'status:creating' ? said : expect.not.stringContaining('data is creating'),
      );
      await server?.close();
    }
  });

  it('changes no exit code where it is not given', async () => {
    expect((await ended(['problems'], 'critical')).code).toBe(0);
  });
});

describe("a rule of one's own by load", () => {
  const statsPath = resourceNamed('servers').operations?.stats?.path ?? '';
  /** So many servers, every second one tagged, of which the last is busy. */
  const fleet = (count: number): Record<string, Route> => {
    const rows = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      label: `web-${index + 1}`,
      status: 'running',
      tags: index % 2 === 1 ? ['web'] : [],
      specs: { vcpus: 1 },
      created: longAgo,
    }));
    const load = (id: number): Route => {
      const cpu = [1, 2, 3].map((past) => [Date.now() - past * 300_000, id === count ? 80 : 5]);
      return () => ({ body: { data: { cpu } } });
    };
    const stats = rows.map(({ id }) => [statsPath.replace(/\{\w+\}/, String(id)), load(id)] as const);
    const parts = ['disks', 'configs'].flatMap((name) =>
      rows.map(({ id }) => [pathOf(name).replace(/\{\w+\}/, String(id)), (): ReturnType<Route> => ({ rows: [] })]),
    );
    return { ...emptyAreas, [pathOf('servers')]: () => ({ rows }), ...Object.fromEntries([...stats, ...parts]) };
  };
  const rule = (where: string, severity = 'critical') =>
    `[[rules]]\nfor = "servers"\nwhere = "${where}"\nseverity = "${severity}"\nsays = "{label} has {cpu}%"\n`;
  const unexamined = (what: string) =>
    `A rule of the configuration was not examined wholly: ${what} would be too many requests; narrow its filter.`;

  async function ended(count: number, text: string, ...args: string[]) {
    server = await serve(fleet(count));
    const profile = (name: string) => `[profiles.${name}]\nbase_url = "${server?.baseUrl}"\ntoken_env = "TOKEN"\n`;
    const config = join(home, 'config.toml');
    await writeFile(config, `${profile('one')}${profile('two')}${text}`, { mode: 0o600 });
    const result = await skydeck(['snapshot', ...args, '--config', config], environment(home, { TOKEN: 'sesame' }));
    const asked = server.asked.filter((line) => /\/stats$/.test(line)).length;
    return { ...result, asked };
  }
  const alone = ['problems', '--profile', 'one', '--format', 'json', '--fail-on', 'critical'];

  it('is examined on sixty servers, and on those of more that its other terms leave', async () => {
    const { code, stdout, stderr, asked } = await ended(60, rule('cpu>35'), ...alone);
    expect({ code, stderr, asked }).toEqual({ code: 1, stderr: '', asked: 60 });
    expect(JSON.parse(stdout).rows.map(({ says }: { says: string }) => says)).toContain('web-60 has 80%');
    await server?.close();
    const narrowed = await ended(200, rule('tag:web cpu>35'), ...alone);
    expect({ code: narrowed.code, asked: narrowed.asked }).toEqual({ code: 1, asked: 100 });
    expect(narrowed.stdout).toContain('web-200 has 80%');
  });

  it.each([
    ['critical', 'critical', 3],
    ['warning', 'critical', 0],
    ['warning', 'problem', 3],
    ['notice', 'problem', 0],
  ])('that is %s and not examined wholly is no success by --fail-on %s: %i', async (severity, failOn, code) => {
    const result = await ended(200, rule('cpu>95', severity), 'problems', '--profile', 'one', '--fail-on', failOn);
    const says = unexamined('statistics of 50 of 200 servers');
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: code === 3 ? `${says}\n` : '' });
    expect(result.stdout).toContain('statistics of 50 of 200 servers');
    expect(result.asked).toBe(150);
  });

  it('is no success either where several accounts are printed as one', async () => {
    const several = ['problems', '--profile', 'one,two', '--fail-on', 'critical'];
    const { code, stdout, stderr } = await ended(200, rule('cpu>95'), ...several);
    const says = unexamined('statistics of 50 of 200 servers');
    expect(code).toBe(3);
    expect(stderr.trimEnd().split('\n').sort()).toEqual([`one: ${says}`, `two: ${says}`]);
    expect(stdout).toContain('Not examined of two: ');
  });

  it('is told as not examined where emptyAreas fails by it', async () => {
    const { code, stdout } = await ended(200, rule('cpu>95'), 'problems', '--profile', 'one', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).unexamined).toContainEqual({
      ...{ resource: 'servers', operation: 'stats', count: 50, of: 200, own: 'critical' },
    });
  });
});

describe('a list that breaks off', () => {
  it.each([
    ['has no second page', (number: number) => (number === 2 ? undefined : { pages: 3, results: 70 }), 50],
    ['has fewer rows than it tells', () => ({ pages: 1, results: 70 }), 25],
  ])('is told where it %s', async (_, told, count) => {
    const rows = Array.from({ length: 75 }, (_, index) => volume({ id: index + 1, label: `v-${index + 1}` }));
    const route: Route = (url) => {
      const page = Number(url.searchParams.get('page'));
      const counts = told(page);
      if (!counts) return { status: 404, body: { errors: [{ reason: 'Not found' }] } };
      return { body: { data: rows.slice((page - 1) * 25, page * 25), page, ...counts } };
    };
    server = await serve({ ...emptyAreas, [pathOf('volumes')]: route });
    const account = { SKYDECK_BASE_URL: server.baseUrl, SKYDECK_TOKEN: 'token-of-the-test' };
    const { code, stdout, stderr } = await skydeck(
      ['snapshot', 'volumes', '--format', 'jsonl'],
      environment(home, account),
    );
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 3, lines: count });
    expect(stderr).toMatch(new RegExp(`^Only ${count} of 70 volumes could be read: [^\n]*\n$`));
  });

  it('is printed as far as it was read, and that is said', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => volume({ id: index + 1, label: `v-${index + 1}` }));
    const route: Route = (url) => {
      const page = Number(url.searchParams.get('page'));
      if (page > 1) return { status: 500, body: { errors: [{ reason: 'Internal error' }] } };
      return { body: { data: rows.slice(0, 100), page, pages: 3, results: 300 } };
    };
    server = await serve({ [pathOf('volumes')]: route });
    const api = connect({ baseUrl: server.baseUrl, token: 'token-of-the-test', readOnly: true, sleep: async () => {} });
    const context = { now: Date.now(), glyphs: 'unicode' } as const;
    const { text, missing } = await takeSnapshot(api, { area: 'volumes' }, 'json', context);
    await api.close();
    expect(JSON.parse(text).rows).toEqual(rows.slice(0, 100));
    expect(missing).toEqual([expect.stringMatching(/^Only 100 of 300 volumes could be read: .*500/)]);
    expect(JSON.parse(text).missing).toEqual(missing);
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { areas } from '../../src/program/areas.ts';
import { stateDirectory } from '../../src/program/directories.ts';
import { takeSnapshot } from '../../src/program/snapshot.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Route, serve } from './apiServer.ts';
import { environment, skydeck } from './program.ts';

let home: string;
let server: Awaited<ReturnType<typeof serve>> | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-fail-on-'));
});
afterEach(async () => {
  await server?.close();
  await rm(home, { recursive: true, force: true });
});

const pathOf = (name: string) => resourceNamed(name).list?.path ?? '';
const nothing: Record<string, Route> = Object.fromEntries(
  areas.map(({ list, view }) =>
    list ? [list.path, () => ({ rows: [] })] : [view?.path ?? '', (): ReturnType<Route> => ({ body: {} })],
  ),
);

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
  nothing: {},
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
  server = await serve({ ...nothing, ...states[state] });
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

describe('a list that breaks off', () => {
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

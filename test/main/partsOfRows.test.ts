import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { emptyAreas, pathOf, type Route, serve } from './apiServer.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

let home: string;
let server: Awaited<ReturnType<typeof serve>> | undefined;
beforeEach(() => {
  home = temporaryFolder('parts');
});
afterEach(() => server?.close());

const created = '2020-01-01T00:00:00';
const balancers = [1, 2].map((id) => ({ id, label: `front-${id}`, region: 'us-east', tags: [], created }));
const servers = [1, 2].map((id) => ({ id, label: `web-${id}`, status: 'running', tags: [], created }));
const statsPath = (id: number) =>
  resourceNamed('servers').operations?.stats?.path?.replace(/\{\w+\}/, String(id)) ?? '';
const idle: Route = () => ({ body: { data: { cpu: [] } } });
const rule = '[[rules]]\nfor = "nodebalancers"\nwhere = "ports:443"\nseverity = "critical"\nsays = "{label} has 443"\n';

async function ended(routes: Record<string, Route>, ...args: string[]) {
  server = await serve({ ...emptyAreas, ...routes });
  const config = join(home, 'config.toml');
  await writeFile(config, rule, { mode: 0o600 });
  const account = { SKYDECK_BASE_URL: server.baseUrl, SKYDECK_TOKEN: 'token-of-the-test' };
  return skydeck(['snapshot', ...args, '--config', config], environment(home, account));
}

describe('a part of a row that is not found', () => {
  const says = /^Configs of 2 NodeBalancers could not be read: .*404/;

  it('is said where its row is still there', async () => {
    const routes = { [pathOf('nodebalancers')]: () => ({ rows: balancers }) };
    const { code, stdout, stderr } = await ended(
      routes,
      ...['nodebalancers', '--fail-on', 'critical', '--format', 'json'],
    );
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(says) });
    expect(JSON.parse(stdout).missing).toContainEqual(expect.stringMatching(says));
  });

  it('is said where a filter needs it', async () => {
    const result = await ended({ [pathOf('servers')]: () => ({ rows: servers }) }, 'servers', '--filter', 'cpu>1');
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/^Statistics of 2 servers could not be read: .*404/i);
    // The list is read once more, however many rows it has.
    expect(server?.asked.filter((line) => line === `GET ${pathOf('servers')}`)).toHaveLength(2);
  });

  it('is not said where its row went away meanwhile', async () => {
    let read = 0;
    const routes = { [pathOf('nodebalancers')]: () => ({ rows: read++ === 0 ? balancers : [] }) };
    const { code, stderr } = await ended(routes, 'nodebalancers', '--fail-on', 'critical');
    expect({ code, stderr, read }).toEqual({ code: 0, stderr: '', read: 2 });
  });

  it('is said of those alone whose row is still there', async () => {
    let read = 0;
    const routes = { [pathOf('nodebalancers')]: () => ({ rows: read++ === 0 ? balancers : balancers.slice(1) }) };
    const { code, stderr } = await ended(routes, 'nodebalancers', '--fail-on', 'critical');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Configs of 1 NodeBalancer could not be read: .*404/);
  });

  it('is said where its row was named and does not exist', async () => {
    const { code, stderr } = await ended({}, 'servers/9/disks');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Disks of 1 server could not be read: .*404/);
  });
});

it('a table in a pipe is aligned, however long its values are', async () => {
  const labels = ['a'.repeat(64), 'b'];
  const volumes = labels.map((label, nth) => ({ id: nth + 1, label, size: 20, region: 'us-east', tags: [], created }));
  const { stdout } = await ended({ [pathOf('volumes')]: () => ({ rows: volumes }) }, 'volumes');
  const lines = stdout.trimEnd().split('\n');
  expect(stdout).toContain('a'.repeat(64));
  expect(new Set(lines.map((line) => line.search(/REGION|us-east/))).size).toBe(1);
});

it('CSV of a log has its times as that of rows of the API', async () => {
  const file = join(home, 'requests.log');
  await writeFile(
    file,
    `${JSON.stringify({ time: '2026-11-27T10:00:00Z', method: 'GET', path: '/x', status: 200 })}\n`,
    { mode: 0o600 },
  );
  const { stdout } = await ended({}, 'requests', '--log-file', file, '--format', 'csv');
  expect(stdout).toContain('2026-11-27T10:00:00.000Z');
  expect(stdout).not.toMatch(/\d{13}/);
});

describe('a filter on the command line', () => {
  const routes = { [pathOf('servers')]: () => ({ rows: servers }) };

  it.each([
    ['problems', 'severity:critcal', 'severity is never critcal; did you mean critical?'],
    ['servers', 'status:runing', 'status is never runing; did you mean running?'],
    ['fleet', 'status:runing|stoped', 'status is never runing; did you mean running?'],
  ])('%s --filter %s is refused where a closed set has no such word', async (area, filter, says) => {
    const { code, stderr } = await ended(routes, area, '--filter', filter, '--fail-on', 'critical');
    expect(code).toBe(2);
    expect(stderr).toContain(`--filter can never hold: ${says} In quotes it is taken as it is: "`);
  });

  it.each([
    ['servers', 'status:"melting"', 'None of the servers matches status:"melting"'],
    ['servers', 'status:melting|offline', 'None of the servers matches status:melting|offline'],
    ['fleet', 'label:nobody', 'None of the servers matches label:nobody'],
    ['problems', 'severity:critical', 'None of the problems matches severity:critical'],
    ['accounts', 'account:nobody', 'None of the accounts matches account:nobody'],
    ['activity', 'nobody', 'None of the events matches nobody'],
    ['audit', 'nobody', 'None of the changes matches nobody'],
  ])('%s --filter %s says that it finds nothing', async (area, filter, says) => {
    const { code, stdout, stderr } = await ended(
      area === 'servers' || area === 'fleet' ? { ...routes, [statsPath(1)]: idle, [statsPath(2)]: idle } : {},
      ...[area, '--filter', filter],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n').at(-1)).toBe(says);
  });
});

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { tokenCheck } from '../../src/program/connection.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { pathOf, type Route, serve } from './apiServer.ts';
import { readCsv } from './csv.ts';
import { skydeckHere } from './here.ts';
import { environment, skydeck } from './program.ts';

let home: string;
let servers: readonly Awaited<ReturnType<typeof serve>>[] = [];

const longAgo = '2020-01-01T00:00:00';
const volume = (id: number, label: string, more: object = {}) => ({
  ...{ id, label, status: 'active', size: 20, region: 'us-east', tags: [], created: longAgo, server_id: 7 },
  ...more,
});
const event = (id: number, created: string) => ({
  ...{ id, created, action: 'server_boot', status: 'finished', username: 'x', read: true, seen: true },
  entity: { id: 1, label: `web-${id}`, type: 'server' },
});
const account: Route = () => ({ body: { email: 'a@b.example', balance: 0 } });
const cloud = (volumes: readonly object[], events: readonly object[]): Record<string, Route> => ({
  [tokenCheck().path]: account,
  [pathOf('volumes')]: () => ({ rows: volumes }),
  [pathOf('servers')]: () => ({ rows: [] }),
  [pathOf('managed-services')]: () => ({
    rows: [{ id: 1, label: 'shop', status: 'ok', address: 'https://x.example' }],
  }),
  [pathOf('managed-issues')]: () => ({ rows: [] }),
  [pathOf('events')]: () => ({ rows: events }),
});

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-several-'));
  servers = await Promise.all([
    serve({
      ...cloud([volume(1, 'data-1'), volume(2, 'data-2')], [event(1, '2026-01-01T00:00:00')]),
      [pathOf('domains')]: () => ({ rows: [{ id: 1, domain: 'example.com', type: 'master', status: 'active' }] }),
    }),
    serve({
      ...cloud([volume(1, 'other', { status: 'creating', updated: longAgo })], [event(2, '2026-01-02T00:00:00')]),
      [pathOf('domains')]: () => ({ status: 403, body: { errors: [{ reason: 'Unauthorized' }] } }),
    }),
  ]);
  const profile = (name: string, url: string | undefined, token: string) =>
    `[profiles.${name}]\nbase_url = "${url}"\ntoken_env = "${token}"\n`;
  const file = join(home, 'config.toml');
  const [one, other] = servers;
  await writeFile(
    file,
    profile('work', one?.baseUrl, 'TOKEN') +
      profile('lab', other?.baseUrl, 'TOKEN') +
      profile('broken', one?.baseUrl, 'NONE'),
  );
  await chmod(file, 0o600);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(home, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  skydeckHere(['snapshot', '--config', join(home, 'config.toml'), ...args], environment(home, { TOKEN: 'sesame' }));

describe('a snapshot of several accounts', () => {
  it('has a column that names the account', async () => {
    const { code, stdout, stderr } = await run('volumes', '--profile', 'work,lab');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head = '', ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ACCOUNT +STATUS +LABEL/);
    expect(lines.map((line) => line.split(/ +/).slice(0, 4))).toEqual([
      ['work', '●', 'active', 'data-1'],
      ['work', '●', 'active', 'data-2'],
      ['lab', '◐', 'creating', 'other'],
    ]);
  });

  it('has it in CSV, and one whose token cannot be read is missing', async () => {
    const { code, stdout, stderr } = await run('volumes', '--profile', 'broken,lab', '--format', 'csv');
    expect(code).toBe(3);
    expect(stderr).toBe('broken: The variable NONE, which token_env names, is not set.\n');
    const [head = [], row = []] = readCsv(stdout);
    expect(head.slice(0, 3)).toEqual(['Account', 'Status', 'Label']);
    expect(row.slice(0, 3)).toEqual(['lab', 'creating', 'other']);
  });

  it('has it in the rows, the problems and what is missing of JSON', async () => {
    const { code, stdout } = await run(
      ...['volumes', '--profile', 'work,lab,broken', '--format', 'json', '--fail-on', 'problem'],
    );
    expect(code).toBe(3);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      area: 'volumes',
      accounts: ['work', 'lab', 'broken'],
      rows: [
        { account: 'work', id: 1, label: 'data-1' },
        { account: 'work', label: 'data-2' },
        { account: 'lab', id: 1, label: 'other' },
      ],
      missing: ['broken: The variable NONE, which token_env names, is not set.'],
    });
    expect(document.problems).toContainEqual(expect.objectContaining({ account: 'lab', label: 'other' }));
  });

  it('has the events of all in the order of their times', async () => {
    const { stdout } = await run('activity', '--profile', 'work,lab');
    expect(stdout.split('\n').flatMap((line) => /^(?:work|lab)\b.*(web-\d)/.exec(line)?.slice(1) ?? [])).toEqual([
      'web-2',
      'web-1',
    ]);
  });

  it('says with --fail-on which account has which problem', async () => {
    const { code, stdout } = await run('volumes', '--profile', 'work,lab', '--fail-on', 'problem');
    expect(stdout).toMatch(/\nProblems\nACCOUNT +SEVERITY +PROBLEM.*\nlab +! warning +other/);
    expect(code).toBe(1);
  });

  it.each(['text', 'csv', 'json'])('says as %s what one account could not read, and is no success', async (format) => {
    const args = ['domains', '--profile', 'work,lab', '--format', format];
    const says = /^lab: Domains could not be read: .*Unauthorized.*$/;
    for (const more of [[], ['--fail-on', 'critical']]) {
      const { code, stdout, stderr } = await run(...args, ...more);
      expect({ code, names: stdout.includes('example.com') }).toEqual({ code: 3, names: true });
      expect(stderr.split('\n')).toContainEqual(expect.stringMatching(says));
      if (format === 'json') expect(JSON.parse(stdout).missing).toContainEqual(expect.stringMatching(says));
    }
  });

  it('names what is missing in the order of the accounts, and says nothing of problems where nothing was read', async () => {
    const { stdout, stderr } = await run('domains', '--profile', 'lab,broken', '--fail-on', 'critical');
    expect(stdout).toBe('');
    const said = stderr
      .trimEnd()
      .split('\n')
      .map((line) => /^\w+: \w+ \w+/.exec(line)?.[0]);
    expect(said).toEqual(['lab: Domains could', 'broken: The variable']);
  });

  it('prints boards of several parts for one account after the other', async () => {
    const { stdout } = await run('managed', '--profile', 'work,lab');
    expect(stdout.match(/^== \w+$|^.*shop.*$/gm)?.map((line) => line.split(/ +/)[1])).toEqual([
      ...['work', 'ok', 'lab', 'ok'],
    ]);
  });

  it.each([
    ['snapshot volumes --profile work,gone', 'There is no profile gone: '],
    ['snapshot volumes/1 --profile work,lab', 'volumes/1 is a row of one account; name one profile.'],
    ['snapshot volumes --profile work,', '--profile "work," has an empty name between its commas.'],
    ['snapshot costs --profile work,lab --fail-on problem', '--fail-on looks for problems, and costs has none; '],
    ['snapshot journal --profile work,lab --fail-on critical', '--fail-on looks for problems, and journal has none; '],
    ['doctor --profile work,lab', '--profile with several names works only with skydeck watch and skydeck snapshot; '],
    ['snapshot --profile a,b --base-url https://x.example', '--base-url works only with one profile; '],
  ])('%s is refused', async (line, says) => {
    const file = ['--config', join(home, 'config.toml')];
    const { code, stderr } = await skydeckHere([...line.split(' '), ...file], environment(home, { TOKEN: 'sesame' }));
    expect({ code, says: stderr.startsWith(says), stderr }).toMatchObject({ code: 2, says: true });
  });
});

describe('the accounts where standard output is no terminal', () => {
  let demo: Demo;
  let file: readonly string[];
  const env = (more: Record<string, string> = {}) => environment(home, { TOKEN: demo.tokens.full, ...more });
  const figures = String.raw`\d+ +\d+ +\d+ +12 +-?\$\d+\.\d\d +\$\d+\.\d\d`;

  beforeAll(async () => {
    demo = await startQuietDemo({ servers: 12 });
    const path = join(home, 'accounts.toml');
    const profile = (name: string, token: string, more = '') =>
      `[profiles.${name}]\nbase_url = "${demo.url}"\ntoken_env = "${token}"\n${more}`;
    await writeFile(
      path,
      profile('work', 'TOKEN') + profile('lab', 'TOKEN', 'read_only = true\n') + profile('broken', 'NONE'),
      { mode: 0o600 },
    );
    file = ['--config', path];
  });
  afterAll(() => demo.close());

  it('are a table of all profiles, with why one is not read', async () => {
    const { code, stdout, stderr } = await skydeckHere(['accounts', ...file], env());
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^ACCOUNT +STATE +CRITICAL +WARNINGS +JOBS +SERVERS +BALANCE +UNINVOICED +MODE$/),
      expect.stringMatching(new RegExp(`^work +\\S ok +${figures} +read-write$`)),
      expect.stringMatching(new RegExp(`^lab +\\S ok +${figures} +read-only$`)),
      expect.stringMatching(/^broken +\S not read +– +– +– +– +– +– +–$/),
    ]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'broken: The variable NONE, which token_env names, is not set.\n',
    });
  });

  it('are those that are named, in each format', async () => {
    const text = await skydeckHere(['accounts', '--profile', 'work', ...file], env());
    expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ACCOUNT .*\nwork .*\n$/) });
    const csv = await skydeckHere(
      ['snapshot', 'accounts', '--profile', 'lab,broken', '--format', 'csv', ...file],
      env(),
    );
    expect(readCsv(csv.stdout).map(([account, state, critical]) => [account, state, Number(critical) > 0])).toEqual([
      ['Account', 'State', false],
      ['lab', 'ok', true],
      ['broken', 'not read', false],
    ]);
    const json = await skydeckHere(['snapshot', 'accounts', '--format', 'json', ...file], env());
    const { area, rows, missing } = JSON.parse(json.stdout);
    expect({ area, missing: missing.length }).toEqual({ area: 'accounts', missing: 1 });
    expect(rows).toMatchObject([
      { account: 'work', state: 'ok', servers: 12, readOnly: false },
      { account: 'lab', readOnly: true },
      { account: 'broken', state: 'not read', critical: null, servers: null },
    ]);
  });

  it('are the only one where no file names any, and that of the demo', async () => {
    const { code, stdout } = await skydeck(['--demo', 'accounts'], environment(home));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ACCOUNT +STATE .*\ndemo +\S ok +\d+ +\d+ +\d+ +40 /);
    const variables = { SKYDECK_TOKEN: demo.tokens.full, SKYDECK_BASE_URL: demo.url };
    const own = await skydeckHere(['accounts'], environment(home, variables));
    expect(own).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nenvironment +\S ok /) });
  });
});

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenCheck } from '../../src/program/connection.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Route, serve } from './apiServer.ts';
import { readCsv } from './csv.ts';
import { environment, skydeck } from './program.ts';

let home: string;
let servers: readonly Awaited<ReturnType<typeof serve>>[] = [];

const pathOf = (name: string) => resourceNamed(name).list?.path ?? '';
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
    serve(cloud([volume(1, 'data-1'), volume(2, 'data-2')], [event(1, '2026-01-01T00:00:00')])),
    serve(cloud([volume(1, 'other', { status: 'creating', updated: longAgo })], [event(2, '2026-01-02T00:00:00')])),
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
  skydeck(['snapshot', '--config', join(home, 'config.toml'), ...args], environment(home, { TOKEN: 'sesame' }));

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
    ['doctor --profile work,lab', '--profile with several names works only with skydeck watch and skydeck snapshot; '],
    ['snapshot --profile a,b --base-url https://x.example', '--base-url works only with one profile; '],
  ])('%s is refused', async (line, says) => {
    const file = ['--config', join(home, 'config.toml')];
    const { code, stderr } = await skydeck([...line.split(' '), ...file], environment(home, { TOKEN: 'sesame' }));
    expect({ code, says: stderr.startsWith(says), stderr }).toMatchObject({ code: 2, says: true });
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect as connectOpen } from '../../src/api/client.ts';
import { noConfiguration } from '../../src/config/configuration.ts';
import { tokenCheck, whyRefused } from '../../src/program/connection.ts';
import { type DoctorInput, diagnose } from '../../src/program/doctor/doctor.ts';
import { UsageError } from '../../src/program/rules.ts';
import type { RunSettings } from '../../src/program/settings.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Operation } from '../../src/resources/resource.ts';
import { client, serve as serveOnce, version } from '../api/server.ts';
import { pathOf, type Route, serve } from './apiServer.ts';

type Server = Awaited<ReturnType<typeof serve>>;
let server: Server | undefined;
let state = '';
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'skydeck-doctor-'));
});
afterAll(() => rm(state, { recursive: true }));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const regionsPath = resourceNamed('regions').list?.path ?? '';
const checkPath = tokenCheck().path;
const accepted: Route = () => ({ rows: [], headers: { 'X-OAuth-Scopes': 'servers:read_only' } });
const listed: Route = () => ({ rows: [{ id: 'us-east' }] });

const settings = (baseUrl: string): RunSettings => ({
  profile: 'work',
  account: { baseUrl, token: { value: 'sesame-open', source: 'The variable WORK' } },
  configFile: '/home/x/config.toml',
  readOnly: false,
  critical: false,
  refreshSeconds: 15,
  theme: 'dark',
  followsBackground: true,
  mouse: false,
  screenReader: false,
  ascii: false,
  color: true,
  demo: false,
  configuration: noConfiguration,
  profiles: [],
  tokenVariables: [],
  leftOut: [],
});

async function examined(routes: Record<string, Route>, more: Partial<DoctorInput> = {}) {
  const running = await serve(routes);
  server = running;
  const lines: string[] = [];
  const failures = await diagnose({
    settings: async () => settings(running.baseUrl),
    connect: () => ({ api: running.client('sesame-open'), close: async () => {} }),
    env: { TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    stdout: { isTTY: true, columns: 100, rows: 30, getColorDepth: () => 8 },
    state: join(state, 'skydeck'),
    print: (line) => lines.push(line),
    now: Date.now,
    ...more,
  });
  return { failures, lines, text: lines.join('\n') };
}

const serversPath = resourceNamed('servers').list?.path ?? '';
const healthy = {
  [regionsPath]: listed,
  [checkPath]: accepted,
  [serversPath]: () => ({ rows: [{ id: 1, label: 'web-1' }] }),
};

describe('the doctor', () => {
  it.each([
    ['366 d 12 h ahead of', 366.52],
    ['1 h 30 min behind', -1.508 / 24],
  ])('says that the clock is %s that of the API', async (off, days) => {
    const { failures, text } = await examined(healthy, { now: () => Date.now() + days * 86_400_000 });
    expect(failures).toBe(1);
    expect(text).toContain(`✗ clock     is ${off} the clock of the API; ages will be wrong. Set the clock.`);
  });

  it('finds nothing wrong with what is right', async () => {
    const { failures, text } = await examined(healthy);
    expect(failures).toBe(0);
    expect(text).toContain('✓ config    /home/x/config.toml, profile work');
    expect(text).toContain(`✓ state     ${state}/skydeck`);
    expect(text).toContain('✓ lists     servers are read, in the words of the documents');
    expect(text).toContain('✓ clipboard by the terminal (OSC 52)');
    expect(text).toMatch(/✓ latency {3}\d+ ms \(median of 3\)/);
    expect(text).toContain('✓ clock     agrees with the clock of the API');
    expect(text).toContain('✓ token     accepted, with the scopes servers:read_only (the variable WORK)');
    expect(text).toContain('✓ terminal  xterm-256color, 256 colours, UTF-8, 100×30');
    expect(text).toContain(
      '✓ window    title, no progress on the tab, mouse off (--mouse), light or dark: asked when it opens, kitty keyboard: asked when it opens',
    );
    expect(text).not.toContain('sesame-open');
  });

  it('names each part of the configuration that is left out', async () => {
    const { failures, lines } = await examined(healthy, {
      settings: async () => ({
        ...settings(server?.baseUrl ?? ''),
        leftOut: ['/home/x/config.toml, line 3: views.a.area is missing.'],
      }),
    });
    expect(failures).toBe(1);
    expect(lines[1]).toBe('✗ config    /home/x/config.toml, line 3: views.a.area is missing. It is left out.');
  });

  it('tells which operations are guarded how', async () => {
    const guards = [
      {
        for: 'servers',
        where: 'tag:prod',
        actions: ['delete', 'resize'],
        deny: true as const,
        reason: 'The pipeline does.',
      },
      { for: 'nodebalancers', actions: ['*'], at_most: 2, ask: 'label' as const },
    ];
    const { failures, text } = await examined(healthy, {
      settings: async () => ({ ...settings(server?.baseUrl ?? ''), configuration: { ...noConfiguration, guards } }),
    });
    expect(failures).toBe(0);
    expect(text.split('\n').slice(1, 8)).toEqual([
      '✓ guard 1   denied: 2 operations, The pipeline does.',
      '✓ guard 2   at most 2 at once, type the label: 17 operations',
      '            ACTIONS         AREA                                   WHERE     HOW                                REASON',
      '            resize, delete  servers                                tag:prod  denied                             The pipeline does.',
      '            all 5           nodebalancers                          all       at most 2 at once, type the label',
      '            all 5           nodebalancer-configs of nodebalancers  all       at most 2 at once, type the label',
      '            all 7           nodebalancer-nodes of nodebalancers    all       at most 2 at once, type the label',
    ]);
    await server?.close();
    expect((await examined(healthy)).text).not.toContain('guard');
  });

  it('counts the rows on which guards, rules and views hold now', async () => {
    const servers = Array.from({ length: 60 }, (_, index) => ({
      id: index + 1,
      label: `web-${index + 1}`,
      status: 'running',
      watchdog_enabled: index > 1,
      tags: index === 0 ? ['prod'] : [],
      specs: { vcpus: 1 },
    }));
    const volumes = [{ id: 1, label: 'data', status: 'active', tags: ['prod'], server_id: null }];
    const deny = true as const;
    const guards = [
      { for: 'servers', where: 'watchdog:yes', actions: ['delete'], deny },
      { for: 'servers', where: 'tag:live', actions: ['delete', 'resize'], deny },
      { where: 'tag:prod', actions: ['*'], deny },
      { for: 'volumes', where: 'hardware:nvme', actions: ['edit'], deny },
      { for: 'records', where: 'type:A', actions: ['edit'], deny },
      { for: 'domains', actions: ['delete'], deny },
    ];
    const severity = 'critical' as const;
    const rules = [
      { for: 'servers', where: 'watchdog:no', severity, says: '{label}' },
      { for: 'servers', where: 'tag:prod cpu>95', severity, says: '{label}' },
    ];
    const views = {
      idle: { area: 'volumes', filter: 'attached:none' },
      gone: { area: 'servers', filter: 'status:offline' },
      all: { area: 'servers' },
    };
    const routes = {
      ...healthy,
      [pathOf('servers')]: () => ({ rows: servers }),
      [pathOf('volumes')]: () => ({ rows: volumes }),
      [pathOf('nodebalancers')]: () => ({ rows: [] }),
      [pathOf('domains')]: () => ({ rows: [] }),
    };
    const { failures, lines } = await examined(routes, {
      settings: async () => ({
        ...settings(server?.baseUrl ?? ''),
        configuration: { ...noConfiguration, guards, rules, views },
      }),
    });
    expect(failures).toBe(0);
    const token = lines.findIndex((line) => line.includes('token '));
    expect(lines.slice(token + 2, -3)).toEqual([
      '✓ guard 1   delete of servers with watchdog:yes holds on 58 of 60 servers',
      '– guard 2   delete and resize of servers with tag:live holds on none of 60 servers',
      '✓ guard 3   all actions of all rows with tag:prod holds on 1 of 60 servers and 1 of 1 volume',
      '– guard 4   edit of volumes with hardware:nvme holds on none of 1 volume; of 1 it is not known',
      '– guard 5   edit of records with type:A: its rows are not counted',
      '✓ rule 1    watchdog:no finds 2 of 60 servers',
      '– rule 2    tag:prod cpu>95 finds none of 60 servers',
      '✓ view idle attached:none shows 1 of 1 volume',
      '– view gone status:offline shows none of 60 servers',
    ]);
    // One server has the tag, and it alone is asked about.
    expect(server?.asked.filter((line) => line.endsWith('/stats'))).toHaveLength(1);
  });

  it("tells of guards of the user's own commands", async () => {
    const guards = [{ for: 'servers', actions: ['reboot', 'delete'], deny: true as const }];
    const commands = [{ name: 'Reboot', for: 'servers', run: ['reboot', '{label}'] }];
    const configuration = { ...noConfiguration, guards, commands };
    const { text } = await examined(healthy, {
      settings: async () => ({ ...settings(server?.baseUrl ?? ''), configuration }),
    });
    expect(text).toContain('guard 1   denied: 2 operations');
    expect(text).toMatch(/delete, reboot +servers +all +denied/);
  });

  it('finds a list missing where the words are those of another deployment', async () => {
    const { failures, text } = await examined({ ...healthy, [serversPath]: () => ({ status: 404, body: {} }) });
    expect(failures).toBe(1);
    expect(text).toContain(
      `✗ lists     The API has nothing at ${serversPath} (404); a list is never deleted, so look at vocabulary and base_url.`,
    );
    await server?.close();
    const words = { server: 'acme' };
    const found = await examined(healthy, {
      settings: async () => ({ ...settings(server?.baseUrl ?? ''), vocabulary: words }),
    });
    expect(found.text).toContain('✓ lists     servers are read, in the words of server = acme');
    await server?.close();
    const restricted = await examined({ ...healthy, [serversPath]: () => ({ status: 403, body: {} }) });
    expect(restricted.failures).toBe(0);
    expect(restricted.text).toContain('– lists     The token has no permission for ');
  });

  it('finds a directory that no change can be noted in', async () => {
    const file = join(state, 'file');
    await writeFile(file, '');
    const { failures, text } = await examined(healthy, { state: join(file, 'skydeck') });
    expect(failures).toBe(1);
    expect(text).toMatch(
      /✗ state .*file\/skydeck cannot be written: .*; without its line in the audit log no change is sent/,
    );
  });

  it('finds programs of shells, commands and hooks missing', async () => {
    const bin = join(state, 'bin');
    await mkdir(join(bin, 'folder'), { recursive: true });
    await writeFile(join(bin, 'trace'), '', { mode: 0o755 });
    await writeFile(join(bin, 'plain'), '', { mode: 0o644 });
    const configuration = {
      ...noConfiguration,
      ssh: { run: [join(bin, 'trace'), 'x'], when: [{ where: 'tag:a', run: ['nowhere'] }] },
      commands: [
        { name: 'Trace', for: 'servers', run: ['trace', '{label}'] },
        { name: 'Look', for: 'servers', run: ['plain'] },
        { name: 'Ask', for: 'servers', request: { method: 'GET' as const, path: `${version}/x` } },
      ],
      hooks: [{ on: ['critical' as const], run: ['folder'] }],
    };
    const { failures, lines } = await examined(healthy, {
      env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', PATH: `/nowhere:${bin}`, EDITOR: 'trace -w' },
      settings: async () => ({ ...settings(server?.baseUrl ?? ''), configuration }),
    });
    expect(failures).toBe(3);
    expect(lines.filter((line) => line.includes('programs'))).toEqual([
      '✗ programs  nowhere of the ssh of the profile was not found; install it, or write its whole path',
      '✗ programs  plain of the command Look was not found; install it, or write its whole path',
      '✗ programs  folder of hook 1 was not found; install it, or write its whole path',
      `✓ programs  ${bin}/trace and trace found`,
    ]);
  });

  it('looks for the editor, and for tmux where it runs in it', async () => {
    const env = { TERM: 'tmux-256color', LANG: 'C.UTF-8', PATH: '/nowhere', TMUX: '/tmp/x,1,0' };
    const { failures, text } = await examined(healthy, { env });
    expect(failures).toBe(1);
    expect(text).toContain('– programs  vi of the editor was not found; name one in EDITOR');
    expect(text).toContain('✗ programs  tmux of tmux, which opens windows for shells was not found; install it');
    expect(text).toContain('– clipboard by the terminal, where tmux has set-clipboard or allow-passthrough on');
    await server?.close();
    const named = await examined(healthy, { env: { ...env, TMUX: '', VISUAL: 'code --wait' } });
    expect(named.text).toContain('✗ programs  code of the editor was not found; name one in EDITOR');
  });

  it('tells the same as one JSON document', async () => {
    const { failures, lines } = await examined({ ...healthy, [checkPath]: () => ({ status: 401 }) }, { json: true });
    expect(lines).toHaveLength(1);
    const told = JSON.parse(lines[0] ?? '');
    expect(told).toMatchObject({
      failures,
      checks: expect.arrayContaining([{ check: 'latency', result: 'fine', says: expect.any(String) }]),
    });
    expect(told.checks).toContainEqual({ check: 'token', result: 'wrong', says: expect.any(String) });
    expect(JSON.stringify(told)).not.toContain('sesame-open');
  });

  it('asks for the regions three times, and once with the token and for servers', async () => {
    await examined(healthy);
    expect(server?.asked).toEqual([...Array(3).fill(`GET ${regionsPath}`), `GET ${checkPath}`, `GET ${serversPath}`]);
  });

  it('says when the token is refused, and takes a restricted one for what it is', async () => {
    const refused = await examined({
      ...healthy,
      [checkPath]: () => ({ status: 401, body: { errors: [{ reason: 'Invalid Token' }] } }),
    });
    expect(refused.failures).toBe(1);
    expect(refused.text).toMatch(/✗ token .*401/);
    await server?.close();
    const restricted = await examined({ ...healthy, [checkPath]: () => ({ status: 403, body: {} }) });
    expect(restricted.failures).toBe(0);
    expect(restricted.text).toContain('✓ token     accepted, but restricted');
  });

  it('says how wrong the clock is', async () => {
    const { failures, text } = await examined(healthy, { now: () => Date.now() + 300_000 });
    expect(failures).toBe(1);
    expect(text).toMatch(/✗ clock {5}is (4 min 59 s|5 min( [01] s)?) ahead of the clock of the API/);
    await server?.close();
    const behind = await examined(healthy, { now: () => Date.now() - 300_000 });
    expect(behind.text).toContain('behind the clock of the API');
  });

  it('finds a minute of difference small enough', async () => {
    for (const [seconds, failures] of [
      [-65, 1],
      [-55, 0],
      [55, 0],
      [65, 1],
    ] as const) {
      const found = await examined(healthy, { now: () => Date.now() + seconds * 1000 });
      expect([seconds, found.failures]).toEqual([seconds, failures]);
      await server?.close();
    }
  });

  it('asks nothing where something could be changed', async () => {
    const connect = (): ReturnType<DoctorInput['connect']> => ({
      api: connectOpen({ baseUrl: server?.baseUrl ?? '', token: 'sesame-open' }),
      close: async () => {},
    });
    await expect(examined(healthy, { connect })).rejects.toThrow('read-only client');
    expect(server?.asked).toEqual([]);
  });

  it('tells what of the terminal is used beside the picture', async () => {
    const windowOf = async (env: Record<string, string>, more: Partial<RunSettings> = {}) => {
      const { lines } = await examined(healthy, {
        env,
        settings: async () => ({ ...settings(server?.baseUrl ?? ''), ...more }),
      });
      await server?.close();
      return lines.at(-1);
    };
    expect(await windowOf({ TERM: 'xterm-ghostty' }, { mouse: true, followsBackground: false, theme: 'mono' })).toMatch(
      /title, progress on the tab, mouse on, light or dark: theme mono, kitty keyboard: asked/,
    );
    expect(await windowOf({ TERM: 'screen', STY: '1' }, { screenReader: true })).toMatch(
      /light or dark: not asked inside screen, kitty keyboard: not asked inside screen, cursor for a screen reader$/,
    );
    expect(await windowOf({ TERM: 'linux' })).toContain('a console: no title, no mouse, no questions');
  });

  it('says what is wrong with the configuration and goes on to the terminal', async () => {
    const { failures, text } = await examined(healthy, {
      settings: async () => {
        throw new UsageError('There is no token.');
      },
      env: { TERM: 'dumb' },
    });
    expect(failures).toBe(2);
    expect(text).toContain('x config    There is no token.');
    expect(text).toContain('x terminal  TERM is dumb');
    expect(server?.asked).toEqual([]);
  });

  it('says of a list what was seen of it', async () => {
    const lines = async (rows: readonly unknown[]) => {
      const { text } = await examined({ ...healthy, [serversPath]: () => ({ rows }) });
      await server?.close();
      return text.match(/^. lists .*/m)?.[0];
    };
    expect(await lines([{ ident: 1, name: 'x' }])).toBe(
      '✗ lists     servers came without id and label, so they are not in the words of the documents; look at vocabulary and base_url.',
    );
    expect(await lines([{ id: 1, label: 'a' }, { id: 2 }])).toMatch(/^✗ lists {5}servers came without label, so/);
    expect(await lines([])).toBe(
      '– lists     there is no server, so only the path of their list is seen to be in the words of the documents',
    );
  });

  it('asks an API that never answers once', async () => {
    const silent = await serveOnce(() => {});
    const { api, waits } = client(silent.url, { timeoutMs: 50, readOnly: true, retriesTimeouts: false });
    const { failures, text } = await examined({}, { connect: () => ({ api, close: async () => {} }) });
    expect([failures, silent.seen.length, waits]).toEqual([1, 1, []]);
    expect(text).toMatch(/✗ latency .* did not answer GET .* within 0\.05 s\./);
    expect(text).toContain('– token     not asked, as the API does not answer');
    expect(text).not.toContain(' lists ');
  });

  it('calls a recording by its name', async () => {
    const replayed = { demo: true, profile: 'replay of work', exchanges: { answer: async () => Promise.reject() } };
    const { text } = await examined(healthy, {
      settings: async () => ({ ...settings(server?.baseUrl ?? ''), ...replayed, readOnly: true }),
    });
    expect(text).toContain('✓ config    a replay of work, read-only');
  });

  it('fails where the API cannot be reached or is something else', async () => {
    const { failures, text } = await examined({});
    expect(failures).toBe(2);
    expect(text).toMatch(/✗ latency .*404/);
    expect(text).toContain('– clock     unknown without an answer');
  });

  it('warns of an address that anyone can listen to, and of a small window', async () => {
    const { failures, text } = await examined(healthy, {
      settings: async () => settings('http://api.example.com'),
      stdout: { isTTY: true, columns: 59, rows: 30 },
    });
    expect(failures).toBe(2);
    expect(text).toContain('http://api.example.com is not encrypted');
    expect(text).toContain('the window must have at least 60×16');
  });

  it('warns where nobody checks who answers', async () => {
    const { failures, text } = await examined(healthy, {
      settings: async () => ({ ...settings('https://api.example.com'), tlsWarning: 'TLS unchecked' }),
    });
    expect(failures).toBe(1);
    expect(text).toContain(
      '✗ address   NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so anyone on the network can impersonate https',
    );
  });

  it('does not judge a pipe', async () => {
    const { failures, text } = await examined(healthy, { stdout: {} });
    expect(failures).toBe(0);
    expect(text).toContain('– terminal  standard output is not a terminal');
  });
});

describe('the first question to an API', () => {
  const verdict = async (route: Route | undefined) => {
    const running = await serve(route ? { [checkPath]: route } : {});
    server = running;
    const says = await whyRefused(running.client(), running.baseUrl);
    await running.close();
    return { says, baseUrl: running.baseUrl };
  };

  it.each([200, 403, 429, 500, 503])('lets an answer of %d pass', async (status) => {
    expect((await verdict(() => ({ status }))).says).toBeUndefined();
  });

  it('finds a token that is not accepted', async () => {
    expect((await verdict(() => ({ status: 401 }))).says).toContain('does not accept the token');
  });

  it('finds an address where no API is', async () => {
    const { says, baseUrl } = await verdict(undefined);
    expect(says).toBe(`The server at ${baseUrl} is not the API (404); check the base URL.`);
  });

  it('is repeated after an answer that was cut off or busy, as later ones are', async () => {
    const busy = { status: 400, body: { errors: [{ reason: 'Server busy.' }] } };
    for (const first of [{ text: '{"email": "a' }, busy]) {
      let asked = 0;
      expect((await verdict(() => (asked++ === 0 ? first : {}))).says).toBeUndefined();
      expect(asked).toBe(2);
    }
  });

  it('says what it saw where every answer is cut off, and blames no setting', async () => {
    const { says } = await verdict(() => ({ text: '{"email": "a' }));
    expect(says).toMatch(/^The API answered GET \S+ with 200, but with JSON that is cut off or broken\.$/);
  });

  it('finds a server that is down', async () => {
    const running = await serve({});
    const api = running.client();
    await running.close();
    const other = (await import('../../src/api/client.ts')).connect({
      baseUrl: running.baseUrl,
      token: 't',
      sleep: async () => {},
    });
    expect(await whyRefused(other, running.baseUrl)).toContain('cannot be reached');
    // Lists of an earlier session are worth a look meanwhile.
    expect(await whyRefused(other, running.baseUrl, undefined, () => true)).toBeUndefined();
    // Also beside other reads that have failed before.
    const events = resourceNamed('events').list as Operation;
    for (let reads = 0; reads < 3; reads++) await other.send(events, { isProbe: true }).catch(() => undefined);
    expect(await whyRefused(other, running.baseUrl)).toMatch(/^http\S+ cannot be reached for GET \S+: /);
    await Promise.all([api.close(), other.close()]);
  });
});

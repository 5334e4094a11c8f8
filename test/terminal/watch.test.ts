import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { users } from '../../src/demo/engine/access.ts';
import { demoListener } from '../../src/demo/server.ts';
import { bundle } from '../build.ts';
import { environment, skydeck } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty, type Pty } from './pty.ts';

let home: string;
let glass: Pty | undefined;
let servers: Server[] = [];

beforeEach(() => {
  home = temporaryFolder('watch');
});
afterEach(() => {
  glass?.kill('SIGKILL');
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers = [];
});

/** A demo API that counts requests by their method, and turns every one away while it is told to. */
async function serveDemo() {
  const methods: string[] = [];
  const state = { refuses: false };
  const { listener } = demoListener({ colleagues: false });
  const server = createServer((request, response) => {
    methods.push(request.method ?? '');
    if (!state.refuses) return void listener(request, response);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"errors": [{"reason": "Invalid Token"}]}');
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { methods, state, url: `http://127.0.0.1:${port}` };
}

const account = (url: string) =>
  environment(home, { TZ: 'UTC', SKYDECK_BASE_URL: url, SKYDECK_TOKEN: users.full.token });

test('with a token that may change everything nothing but GET leaves, whatever key is pressed', async () => {
  const { methods, url } = await serveDemo();
  glass = openPty(process.execPath, [bundle, 'watch', '--every', '3600'], {
    columns: 100,
    rows: 30,
    env: account(url),
  });
  const pty = glass;
  await pty.waitFor('FRESH');
  await pty.press('3');
  await pty.waitFor('› Servers');
  await pty.waitFor('api-1');
  await pty.press('d', 'e', 'a', 'n', ':', 'enter', 'ctrl-s', 'esc');
  await pty.waitFor('› Fleet');
  await pty.press('space');
  await pty.waitFor('paused');
  await pty.press('p');
  await pty.waitFor('› Servers');
  await pty.press('q');
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  expect(pty.terminal.buffer.active.type).toBe('normal');
  expect(methods.length).toBeGreaterThan(10);
  expect(new Set(methods)).toEqual(new Set(['GET']));
  // No log of changes is begun where there can be none.
  expect(await readdir(home, { recursive: true })).not.toContain('.local/state/skydeck/audit.jsonl');
});

test('it turns without a key and without a terminal to read from, and leaves the terminal as it was', async () => {
  const { url } = await serveDemo();
  const args = [
    '-c',
    'exec "$0" "$@" </dev/null',
    process.execPath,
    bundle,
    'watch',
    'servers',
    'managed',
    '--every',
    '3',
  ];
  glass = openPty('/bin/sh', args, { columns: 100, rows: 30, env: account(url) });
  const pty = glass;
  await pty.waitFor('› Servers');
  await pty.waitFor('› Managed');
  await pty.waitFor('› Servers');
  expect(pty.text()).not.toContain('quit');
  // Where nobody reads, what the terminal tells of its focus would be printed.
  expect(pty.bytes).not.toContain('\x1b[?1004h');
  pty.kill('SIGTERM');
  expect((await pty.exit).code).toBe(143);
  expect(pty.terminal.buffer.active.type).toBe('normal');
});

test('it shows and reads the named profile alone, and no command of another one is run', async () => {
  const [wall, secret] = [await serveDemo(), await serveDemo()];
  const ran = join(home, 'secret-ran');
  const config = join(home, 'config.toml');
  await writeFile(
    config,
    `[profiles.wall]\nbase_url = "${wall.url}"\ntoken_env = "WALL"\n` +
      `[profiles.secret]\nbase_url = "${secret.url}"\ntoken_command = ["sh", "-c", "echo ran >>${ran}; echo sesame"]\n`,
    { mode: 0o600 },
  );
  const ways: readonly { args: string[]; env: Record<string, string> }[] = [
    { args: ['--profile', 'wall'], env: {} },
    { args: [], env: { SKYDECK_PROFILE: 'wall' } },
  ];
  for (const named of ways) {
    glass = openPty(process.execPath, [bundle, 'watch', '--every', '3600', '--config', config, ...named.args], {
      columns: 100,
      rows: 30,
      env: environment(home, { TZ: 'UTC', WALL: users.full.token, ...named.env }),
    });
    await glass.waitFor('wall › ');
    await glass.waitFor('FRESH');
    await glass.press('3');
    await glass.waitFor('› Servers');
    await glass.waitFor('api-1');
    expect(glass.text()).not.toContain('secret');
    await glass.press('q');
    expect(await glass.exit).toEqual({ code: 0, signal: 0 });
  }
  expect(wall.methods.length).toBeGreaterThan(10);
  expect(secret.methods).toEqual([]);
  expect(await readdir(home)).not.toContain('secret-ran');
});

test('each account of a wall of several is opened with a client that only reads', async () => {
  const [first, other] = [await serveDemo(), await serveDemo()];
  const config = join(home, 'config.toml');
  const profile = (name: string, url: string) => `[profiles.${name}]\nbase_url = "${url}"\ntoken_env = "WALL"\n`;
  await writeFile(config, profile('a', first.url) + profile('b', other.url), { mode: 0o600 });
  glass = openPty(process.execPath, [bundle, 'watch', '--every', '3600', '--config', config, '--profile', 'a,b'], {
    columns: 100,
    rows: 30,
    env: environment(home, { TZ: 'UTC', WALL: users.full.token }),
  });
  await glass.waitFor(/ a \d+ critical.* b \d+ critical/);
  await glass.press('d', 'e', 'a', 'n', ':', 'enter', 'ctrl-s', 'q');
  expect(await glass.exit).toEqual({ code: 0, signal: 0 });
  for (const { methods } of [first, other]) expect(new Set(methods)).toEqual(new Set(['GET']));
  // A client that may write begins a log of changes.
  expect(await readdir(home, { recursive: true })).not.toContain('.local/state/skydeck/audit.jsonl');
});

test('a token that is refused makes it blind, not end; it sees again by itself', async () => {
  const { state, url } = await serveDemo();
  state.refuses = true;
  glass = openPty(process.execPath, [bundle, 'watch'], { columns: 100, rows: 30, env: account(url) });
  const pty = glass;
  await pty.waitFor(/BLIND · since \d\d:\d\d: The token was rejected[\s\S]*next try\s+\d\d:\d\d:\d\d/);
  state.refuses = false;
  await pty.waitFor('FRESH', { timeoutMs: 20_000 });
});

test('without a terminal to draw on it says so', async () => {
  const ended = await skydeck(['watch', '--demo'], environment(home));
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('Standard output is not a terminal');
});

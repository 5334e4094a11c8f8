import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { users } from '../../src/demo/engine/access.ts';
import { demoListener } from '../../src/demo/server.ts';
import { bundle } from '../build.ts';
import { environment, skydeck } from '../main/program.ts';
import { openPty, type Pty } from './pty.ts';

let home: string;
let glass: Pty | undefined;
let server: Server | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-watch-'));
});
afterEach(async () => {
  glass?.kill('SIGKILL');
  server?.close();
  server?.closeAllConnections();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

/** A demo API that counts requests by their method, and turns every one away while it is told to. */
async function serveDemo() {
  const methods: string[] = [];
  const state = { refuses: false };
  const { listener } = demoListener({ colleagues: false });
  server = createServer((request, response) => {
    methods.push(request.method ?? '');
    if (!state.refuses) return void listener(request, response);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"errors": [{"reason": "Invalid Token"}]}');
  });
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

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { answering } from '../answering.ts';
import { seed, someOf } from '../draw.ts';
import { environment, skydeck } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openShell, type Shell } from './shell.ts';

const own = demoAndHome();
/** Longer than the client waits between two of its attempts, in milliseconds. */
const maxBackoffMs = 3000;
const accountPath = resourceNamed('account').view?.path ?? '';

/** An API that may fall silent, and whose token may come to be that of another account. */
const api = { isSilent: false, isAway: false, euuid: undefined as string | undefined };
let accountAskedAt = 0;
const answerTo = answering(async ({ method, url, headers }, response) => {
  if (url === accountPath) accountAskedAt = Date.now();
  const isAccount = url === accountPath && api.euuid !== undefined;
  if (api.isAway) return void response.destroy();
  if (api.isSilent && !isAccount) return;
  const { authorization = '' } = headers;
  const filter = headers['x-filter'];
  const answer = await fetch(own.demo.url + url, {
    method,
    headers: { authorization, ...(typeof filter === 'string' && { 'x-filter': filter }) },
  });
  const body = (await answer.json()) as Record<string, unknown>;
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isAccount ? { ...body, euuid: api.euuid } : body));
});
const server = createServer(answerTo);
beforeAll(() => new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => Object.assign(api, { isSilent: false, isAway: false, euuid: undefined }));

let shell: Shell | undefined;
afterEach(() => shell?.kill('SIGKILL'));

const directory = () => join(own.home, '.local/state/skydeck');
/** The output of `skydeck cache`. */
const kept = async () => (await skydeck(['cache'], environment(own.home))).stdout;
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Opens the servers of the profile `work`, which keeps lists unless its settings say otherwise. */
async function open(settings: string, ...args: readonly string[]): Promise<Shell> {
  return openAt(['servers'], settings, args);
}

/** Breaks the program from outside on SIGURG. */
const breakable = ['--import', 'data:text/javascript,process.on("SIGURG",()=>{throw new Error("boom")})'];

async function openAt(place: readonly string[], settings: string, args: readonly string[] = []): Promise<Shell> {
  const folder = join(own.home, '.config/skydeck');
  await mkdir(folder, { recursive: true });
  const profile = `[profiles.work]\nbase_url = "${url()}"\ntoken_env = "MY_TOKEN"\n${settings}\n`;
  await writeFile(join(folder, 'config.toml'), profile, { mode: 0o600 });
  const env = environment(own.home, { MY_TOKEN: own.demo.tokens.full });
  shell = openShell([...args, ...place], { columns: 110, rows: 30, env, node: breakable });
  return shell;
}

/** Opens the servers, waits until they were read, and quits. */
async function readOnce(): Promise<void> {
  const terminal = await open('');
  await terminal.waitFor(/Servers +40/);
  await terminal.waitFor('api-1');
  await terminal.press('q');
  await terminal.ended(0);
}

test('rows are there in the first frame although the API is silent, and can be filtered', async () => {
  await readOnce();
  expect(await kept()).toMatch(/^work: \d+ lists?, \d+ rows, .* of http/);
  for (const name of await readdir(directory()))
    expect((await readFile(join(directory(), name))).includes(own.demo.tokens.full)).toBe(false);
  api.isSilent = true;
  const terminal = await open('');
  await terminal.waitFor('api-1');
  await terminal.press('/');
  await terminal.type('web');
  await terminal.waitFor('Servers  9 of 40');
  await terminal.press('esc');
  await terminal.waitFor(/Servers +40/);
  await terminal.press('q');
  await terminal.ended(0);
  // A session that has read nothing takes nothing away.
  expect(await kept()).toMatch(/^work: /);
  const without = await open('', '--no-cache');
  await without.waitFor('Servers');
  await without.waitFor(/reading|loading|…/i);
  expect(without.text()).not.toContain('api-1');
  await without.press('q');
  await without.ended(0);
  const refused = await open('cache = false');
  await refused.waitFor('Servers');
  await refused.press('q');
  await refused.ended(0);
  expect(await kept()).toMatch(/^No lists are kept/);
});

const ends = [
  ['SIGHUP', 129],
  ['SIGTERM', 143],
] as const;
test.each(someOf('signals that keep', ends, 2))(
  `what was read last is kept when %s ends it (seed ${seed})`,
  async (signal, code) => {
    const terminal = await open('');
    await terminal.waitFor(/Servers +40/);
    await terminal.waitFor('api-1');
    await terminal.signal(signal);
    await terminal.ended(code, `Skydeck was ended by ${signal}.`);
    expect(await kept()).toMatch(/^work: \d+ lists?, \d+ rows/);
  },
);

test('kept lists of another account leave the screen, with a notice', async () => {
  await readOnce();
  Object.assign(api, { isSilent: true, euuid: 'ANOTHER' });
  const terminal = await open('');
  await terminal.waitFor('The kept lists of work are left aside: the token is of another account now.');
  await terminal.waitFor((text) => !text.includes('api-1'));
  await terminal.press('q');
  await terminal.ended(0);
  // They stay for their account.
  Object.assign(api, { isSilent: false, euuid: undefined });
  const again = await open('');
  await again.waitFor('api-1');
  await again.press('q');
  await again.ended(0);
});

test('an API that was away at the start is asked for its account once it is back', async () => {
  await readOnce();
  Object.assign(api, { isAway: true, euuid: 'ANOTHER' });
  const terminal = await open('');
  await terminal.waitFor('api-1');
  // Until its last attempt has failed.
  await expect.poll(() => Date.now() - accountAskedAt, { timeout: 20_000 }).toBeGreaterThan(maxBackoffMs);
  Object.assign(api, { isAway: false });
  await terminal.press('ctrl-r');
  await terminal.waitFor('The kept lists of work are left aside: the token is of another account now.');
  await terminal.press('q');
  await terminal.ended(0);
});

test('a damaged file is set aside, told, and read no further', async () => {
  await readOnce();
  await writeFile(join(directory(), 'skydeck.db'), 'no database at all '.repeat(100), { mode: 0o600 });
  const terminal = await open('');
  await terminal.waitFor('is damaged');
  await terminal.waitFor('api-1');
  await terminal.press('q');
  await terminal.ended(0);
  expect(await kept()).toMatch(/^work: /);
});

test('after a crash the last place and the kept lists are left aside, once', async () => {
  const before = await openAt([], '');
  await before.waitFor('Home');
  await before.press(':');
  await before.type('servers');
  await before.press('enter');
  await before.waitFor(/Servers +40/);
  await before.press('q');
  await before.ended(0);
  api.isSilent = true;
  const broken = await openAt([], '');
  await broken.waitFor('api-1');
  await broken.signal('SIGURG');
  await broken.ended(70, /Skydeck crashed \(boom\)/);
  const next = await openAt([], '');
  await next.waitFor('Skydeck crashed the last time, so the last place and the kept lists are left aside');
  expect(next.text().split('\n')[0]).not.toContain('Servers');
  expect(next.text()).not.toContain('api-1');
  api.isSilent = false;
  await next.press('ctrl-r');
  await next.waitFor(/Servers +40/);
  await next.press('q');
  await next.ended(0);
  const last = await openAt([], '');
  await last.waitFor(/Servers +40/);
  expect(last.text()).not.toContain('crashed');
  await last.press('q');
  await last.ended(0);
});

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { seed, someOf } from '../draw.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { jsonLines } from '../jsonLines.ts';
import { environment, skydeck } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openShell, type Shell } from './shell.ts';

const own = demoAndHome();
let shell: Shell | undefined;
afterEach(() => shell?.kill('SIGKILL'));

const profile = (name: string, url = own.demo.url) =>
  `[profiles.${name}]\nbase_url = "${url}"\ntoken_env = "MY_TOKEN"\n`;
const env = () => environment(own.home, { MY_TOKEN: own.demo.tokens.full });

/** Writes the configuration of the test. */
async function configure(...parts: readonly string[]): Promise<void> {
  const directory = join(own.home, '.config/skydeck');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'config.toml'), parts.join('\n'), { mode: 0o600 });
}

/** The program in a terminal, with the configuration of the test. */
function open(...args: readonly string[]): Shell {
  shell = openShell(args, { columns: 110, rows: 36, env: env() });
  return shell;
}

/** Types a command behind the colon, and runs it. */
async function command(terminal: Shell, words: string): Promise<void> {
  await terminal.press(':');
  await terminal.waitFor('── Go to');
  await terminal.type(words);
  await terminal.waitFor((text) => new RegExp(`❯.*${words}`, 'i').test(text));
  await terminal.press('enter');
}

/** Filters a list. */
async function filter(terminal: Shell, words: string, title: string): Promise<void> {
  await terminal.press('/');
  await terminal.waitFor('esc no filter');
  await terminal.type(words);
  await terminal.waitFor(title);
  await terminal.press('enter');
}

const audit = async () => jsonLines(await readFile(join(own.home, '.local/state/skydeck/audit.jsonl'), 'utf8'));

const serversPath = resourceNamed('servers').list?.path ?? '';
const servers = async () => {
  const headers = { Authorization: `Bearer ${own.demo.tokens.full}` };
  const answer = await fetch(`${own.demo.url}${serversPath}?page_size=100`, { headers });
  return ((await answer.json()) as { data: { id: number; label: string }[] }).data;
};

test('a server is rebooted by a command of the user: shown, asked, sent, seen in its events and written down', async () => {
  await configure(profile('work'), await readFile('docs/commands.toml', 'utf8'));
  const terminal = open('servers/48200101');
  await terminal.waitFor('a actions');
  await terminal.press('a');
  await terminal.waitFor(/X +Reboot +asks/);
  await terminal.press('X');
  await terminal.waitFor('web-1 is down until it has booted again. Reboot it?');
  await terminal.press('ctrl-p');
  const path = `${serversPath}/48200101/reboot`;
  await terminal.waitFor(`POST ${own.demo.url}${path}`);
  await terminal.press('esc');
  await terminal.waitFor('Reboot it?');
  await terminal.press('enter');
  await terminal.waitFor('Reboot: web-1');
  await command(terminal, 'events');
  await terminal.waitFor(/ \d+ s +server reboot +web-1 /);
  const reboot = { profile: 'work', method: 'POST', path };
  expect(await audit()).toMatchObject([
    { ...reboot, outcome: 'pending' },
    { ...reboot, outcome: 'done', status: 200 },
  ]);
  expect(terminal.bytes).not.toContain(own.demo.tokens.full);
  await terminal.press('q');
  await terminal.ended(0);
});

test('of twenty marked servers those that are guarded are left out and told, and doctor names the guard', async () => {
  await configure(
    profile('work'),
    '[[profiles.work.guards]]\nfor = "servers"\nwhere = "tag:prod"\nactions = ["delete"]\ndeny = true',
    'reason = "Production is changed by the pipeline."\n',
  );
  const before = await servers();
  const terminal = open('servers');
  await terminal.waitFor('api-1');
  await filter(terminal, 'label:/^(web|api|batch|vpn|mail)/', '20 of 40');
  await terminal.press('*');
  await terminal.waitFor('marked 20');
  await terminal.press('d');
  await terminal.waitFor('── Delete 5 of 20 servers');
  await terminal.waitFor('15 skipped: guarded (15)');
  await terminal.type('5 servers');
  await terminal.waitFor(/5 servers[\s\S]*5 servers/);
  await terminal.press('enter');
  await terminal.waitFor('Delete 5 servers: all done');
  await terminal.waitFor('marked 15');
  await terminal.press('d');
  await terminal.waitFor('is guarded: Production is changed by the pipeline; the other 14');
  await terminal.press('esc');
  await terminal.waitFor((text) => !text.includes('is guarded'));
  await terminal.press('q');
  await terminal.ended(0);

  const left = await servers();
  const gone = before.filter(({ id }) => !left.some((server) => server.id === id));
  expect(gone.map(({ label }) => label).sort()).toEqual(['batch-1', 'batch-2', 'batch-3', 'batch-4', 'vpn']);
  const done = (await audit()).filter(({ outcome }) => outcome !== 'pending');
  const sent = done.map(({ method, path }) => `${method} ${path}`).sort();
  expect(sent).toEqual(gone.map(({ id }) => `DELETE ${serversPath}/${id}`).sort());

  const doctor = await skydeck(['doctor'], env());
  expect(doctor.stdout).toMatch(/delete +servers +tag:prod +denied +Production is changed by the pipeline\./);
});

const presets = [
  { preset: 'vim', opens: 'l', back: 'h', actions: 'a', deletes: 'd', copies: 'y' },
  { preset: 'k9s', opens: 'd', back: 'esc', actions: 'a', deletes: 'D', copies: 'c' },
  { preset: 'lazygit', opens: 'enter', back: '{', actions: 'x', deletes: 'd', copies: 'y' },
] as const;

const someKeys = someOf('keys of presets', presets, 3);
test.each(someKeys)(`the keys of $preset open, go back, act, delete, and copy (seed ${seed})`, async (keys) => {
  await configure(`[keys]\npreset = "${keys.preset}"\n`, profile('work'));
  const terminal = open('volumes');
  await terminal.waitFor('db-primary-data');
  await terminal.waitFor(`${keys.actions} actions`);
  await terminal.press(...'jjjjjjjk');
  await terminal.waitFor(/❯ .*archive-2023/);
  await terminal.press(keys.opens);
  await terminal.waitFor('work › Volumes › archive-2023');
  await terminal.press(keys.back);
  await terminal.waitFor(/work › Volumes {2}/);
  await terminal.press(keys.actions);
  await terminal.waitFor('── Actions');
  await terminal.press('esc');
  await terminal.waitFor((text) => !text.includes('── Actions'));
  await terminal.press(keys.deletes);
  await terminal.waitFor('── Delete');
  await terminal.press('esc');
  await terminal.waitFor((text) => !text.includes('── Delete'));
  await terminal.press(keys.copies);
  await terminal.waitFor('── Copy');
  await terminal.press('enter');
  await terminal.waitFor((text) => !text.includes('── Copy'));
  await expect.poll(() => terminal.bytes).toContain('\x1b]52;c;');
  expect(await audit()).toEqual([]);
  await terminal.press('q');
  await terminal.ended(0);
});

/** The servers of the tag database, in the order of their regions. */
const databases = ['db-replica-3', 'db-replica-1', 'db-replica-2', 'db-primary'];
const inOrder = new RegExp(databases.join(' [\\s\\S]*\\n.*'));

test('a view is made, saved, and opened, watched and printed by its name; the last place comes back', async () => {
  await configure(profile('work'));
  let terminal = open('servers');
  await terminal.waitFor('api-1');
  await filter(terminal, 'tag:database', 'Servers  4 of ');
  await terminal.press('s');
  await terminal.waitFor('── Sort');
  await terminal.type('region');
  await terminal.waitFor(/❯.*Region/);
  await terminal.press('enter');
  await terminal.waitFor('sort: Region');
  await terminal.press('s', 'C');
  await terminal.waitFor('── Columns');
  await terminal.press('down', 'down', 'space');
  await terminal.press('esc');
  await terminal.waitFor((text) => !text.includes('── Columns') && !text.includes('IPV4'));
  await command(terminal, 'save mine');
  await terminal.waitFor('── Save this list as a view');
  await terminal.waitFor('[views.mine]');
  await terminal.press('enter');
  await terminal.waitFor('── Saved: mine');
  await terminal.press('esc');
  await terminal.waitFor('Servers › mine  ');
  await terminal.press('q');
  await terminal.ended(0);

  const printed = await skydeck(['snapshot', 'mine'], env());
  const [header, ...rows] = printed.stdout.trim().split('\n');
  expect(header).toMatch(/^STATUS +LABEL +CPU +REGION /);
  expect(rows.map((row) => row.match(/db-\S+/)?.[0])).toEqual(databases);

  terminal = open('watch', 'mine');
  await terminal.waitFor(inOrder);
  await terminal.press('q');
  await terminal.ended(0);

  terminal = open('mine');
  await terminal.waitFor('Servers › mine');
  await terminal.waitFor(inOrder);
  await terminal.press('down', 'enter');
  await terminal.waitFor(`Servers › ${databases[1]}`);
  await terminal.press('q');
  await terminal.ended(0);

  terminal = open();
  await terminal.waitFor(`Servers › ${databases[1]}`);
  await terminal.press('q');
  await terminal.ended(0);
});

/** An API that accepts connections and never answers. */
async function startSilent() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('of three accounts one hangs: the others are read, and each keeps its place', async () => {
  const silent = await startSilent();
  onTestFinished(silent.close);
  const work = await startQuietDemo({ servers: 5, seed: 2 });
  onTestFinished(() => work.close());
  await configure(profile('home'), profile('work', work.url), profile('lab', silent.url));
  const terminal = open('volumes', '--profile', 'home');
  await terminal.waitFor('archive-2023');
  await terminal.press('j');
  await command(terminal, 'accounts');
  await terminal.waitFor(/^. home +ok +\d+ s/m);
  await terminal.waitFor(/^. work +ok +\d+ s/m);
  await terminal.waitFor(/^. lab +no answer for \d+ s/m, { timeoutMs: 30_000 });
  await terminal.press('esc');
  await terminal.waitFor('home › Volumes');
  await command(terminal, 'profile work');
  await terminal.waitFor('work › Home');
  await command(terminal, 'servers');
  await terminal.waitFor('work › Servers');
  await command(terminal, 'profile home');
  await terminal.waitFor('home › Volumes');
  await terminal.waitFor(/❯ .*api-2-uploads/);
  await command(terminal, 'profile work');
  await terminal.waitFor('work › Servers');
  await terminal.press('q');
  await terminal.ended(0);
});

test('no report of a crash has the token of an account that was opened later', async () => {
  const { full, readOnly } = own.demo.tokens;
  const other = `[profiles.other]\nbase_url = "${own.demo.url}"\ntoken_env = "OTHER_TOKEN"\n`;
  await configure(profile('work'), other);
  const fault = join(own.home, 'fault.mjs');
  const text = JSON.stringify(`the first ${full}, the second ${readOnly}.`);
  await writeFile(fault, `process.on('SIGURG', () => { throw new Error(${text}); });`);
  const terminal = openShell(['--profile', 'work'], {
    columns: 110,
    rows: 36,
    node: ['--import', fault],
    env: { ...env(), OTHER_TOKEN: readOnly },
  });
  shell = terminal;
  await terminal.waitFor('work › Home');
  await command(terminal, 'profile other');
  await terminal.waitFor('other › Home');
  await terminal.signal('SIGURG');
  await terminal.ended(70, /^Skydeck crashed \(the first \[redacted\], the second \[redacted\]/);
  const state = join(own.home, '.local/state/skydeck');
  const report = (await readdir(state)).find((name) => name.startsWith('crash')) ?? '';
  const written = await readFile(join(state, report), 'utf8');
  expect(written).toContain('the second [redacted]');
  for (const token of [full, readOnly]) expect((terminal.bytes + written).includes(token), token).toBe(false);
});

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { startOtherApi } from '../journeys/otherApi.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { jsonLines } from '../jsonLines.ts';
import { environment } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openShell, type Shell } from './shell.ts';

let home: string;
let demo: Demo;
let shell: Shell | undefined;
beforeEach(async () => {
  home = temporaryFolder('ssh');
  demo = await startQuietDemo();
});
afterEach(async () => {
  shell?.kill('SIGKILL');
  await demo.close();
});

/** The program on the list of servers, with a script in the place of ssh. */
async function open(script: string, more: Record<string, string> = {}, url = demo.url): Promise<Shell> {
  const program = join(home, 'login');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const directory = join(home, '.config', 'skydeck');
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, 'config.toml'),
    `[profiles.work]\nbase_url = "${url}"\ntoken_env = "WORK"\n[profiles.work.ssh]\nrun = ["${program}", "-l", "{user}", "{address}"]\nuser = "operator"\n[profiles.other]\ntoken_env = "O_TOKEN"\n[profiles.odd]\ntokn_env = 3\ntoken_env = "ODD_TOKEN"\n`,
  );
  const env = environment(home, { WORK: demo.tokens.full, O_TOKEN: 'of-another', ODD_TOKEN: 'of-a-third', ...more });
  shell = openShell(['servers', '--profile', 'work'], { columns: 100, rows: 24, env });
  await shell.waitFor(/Servers {2}\d/);
  return shell;
}

const audit = async () => jsonLines(await readFile(join(home, '.local', 'state', 'skydeck', 'audit.jsonl'), 'utf8'));

test('a shell has the whole terminal, and the list comes back at the same row with its exit code', async () => {
  const terminal = await open('stty -a | head -1; env; echo "on $*"; read -r line; echo "read $line"; exit 3');
  await terminal.press('down', 'S');
  await terminal.waitFor('on -l operator 192.0.2.19');
  for (const token of [demo.tokens.full, 'of-another', 'of-a-third']) expect(terminal.bytes).not.toContain(token);
  expect(terminal.terminal.buffer.active.type).toBe('normal');
  await terminal.type('exit\r');
  // The last words of a program that fails can be read.
  await terminal.waitFor(/read exit\s+\S*login ended with code 3\. Press enter to return\./);
  expect(terminal.terminal.buffer.active.type).toBe('normal');
  await terminal.type('\r');
  await terminal.waitFor('Shell on api-2: ');
  expect(terminal.text()).toMatch(/login ended with code 3/);
  expect(terminal.text()).toMatch(/❯ +● running +api-2/);
  expect(await audit()).toEqual([
    expect.objectContaining({
      profile: 'work',
      shell: [join(home, 'login'), '-l', 'operator', '192.0.2.19'],
      server: { id: '48200128', label: 'api-2' },
    }),
  ]);
  await terminal.press('q');
  await terminal.waitFor('code 0');
});

test('a shell whose last command was interrupted comes back without a question', async () => {
  const terminal = await open('exit 130');
  await terminal.press('S');
  await terminal.waitFor(/ i Shell on api-1: /);
  expect(terminal.bytes).not.toContain('Press enter to return');
  await terminal.press('q');
  await terminal.waitFor('code 0');
});

test('marked servers have one after the other where there is no tmux', async () => {
  const terminal = await open(`printf '%0120d|end\\n' 0; echo "on $3"; read -r line`);
  const isWhole = (text: string) => /^api-\d \(. of 2\): .*login -l operator [\d.]+\n0{100}\n0{20}\|end$/m.test(text);
  await terminal.press('space', 'space', 'S');
  await terminal.waitFor('api-1 (1 of 2): ');
  await terminal.waitFor('on 192.0.2.18');
  // Long lines wrap, and the heading has a line of its own.
  await terminal.waitFor(isWhole);
  await terminal.type('\r');
  await terminal.waitFor('api-2 (2 of 2): ');
  await terminal.waitFor('on 192.0.2.19');
  await terminal.type('\r');
  await terminal.waitFor('2 marked');
  expect(await audit()).toHaveLength(2);
  await terminal.press('q');
  await terminal.waitFor('code 0');
});

test('marked servers have a window of tmux each where there is tmux, and no name is a command of its own', async () => {
  const seen = join(home, 'seen');
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin', 'tmux'), `#!/bin/sh\nline=$(printf '%s|' "$@")\necho "$line" >>'${seen}'\n`, {
    mode: 0o755,
  });
  // The API may let anything be a label.
  const { url } = await startOtherApi(({ path, text }) =>
    path === '/server/instances'
      ? text.replaceAll('"web-1"', '"!#(touch made)"').replaceAll('"web-2"', '"#{q:x};kill-server;"')
      : undefined,
  );
  const more = { TMUX: '/tmp/tmux', PATH: `${join(home, 'bin')}:${process.env.PATH}` };
  const terminal = await open('exit 9', more, url);
  await terminal.waitFor('kill-server');
  await terminal.press('space', 'space', 'S');
  await terminal.waitFor('2 windows of tmux were opened.');
  await terminal.press('q');
  await terminal.waitFor('code 0');
  const windows = (await readFile(seen, 'utf8')).trim().split('\n').sort();
  const program = join(home, 'login');
  // A shell that fails leaves its window open, and what was said there can be read.
  const stays = ';|last-window|;|set-option|-w|-t|{last}|remain-on-exit|failed|';
  // The server of tmux may have been started with them.
  const own = 'env|-u|SKYDECK_TOKEN|-u|WORK|-u|O_TOKEN|-u|ODD_TOKEN';
  expect(windows).toEqual([
    `new-window|-P|-F|#{window_id}|-n|___touch_made_|--|${own}|${program}|-l|operator|192.0.2.10|${stays}`,
    `new-window|-P|-F|#{window_id}|-n|__q_x__kill-server_|--|${own}|${program}|-l|operator|192.0.2.11|${stays}`,
  ]);
});

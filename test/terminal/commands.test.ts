import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { jsonLines } from '../jsonLines.ts';
import { environment } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openShell, type Shell } from './shell.ts';

const own = demoAndHome();
let shell: Shell;
afterEach(() => shell.kill('SIGKILL'));

const command = (name: string, key: string, script: string, more: string) =>
  `[[commands]]\nname = "${name}"\nkey = "${key}"\nfor = "servers"\n${more}\nrun = ["sh", "-c", '''${script}''', "sh", "{label}"]\n`;

/** Skydeck at the servers of the demo, with a configuration of these commands. */
async function open(...commands: readonly string[]): Promise<Shell> {
  const directory = join(own.home, '.config/skydeck');
  await mkdir(directory, { recursive: true });
  const profile = `[profiles.work]\nbase_url = "${own.demo.url}"\ntoken_env = "MY_TOKEN"\n`;
  await writeFile(join(directory, 'config.toml'), profile + commands.join(''), { mode: 0o600 });
  const env = environment(own.home, { MY_TOKEN: own.demo.tokens.full, HEADER: `Bearer ${own.demo.tokens.full}` });
  shell = openShell(['servers/48200101'], { columns: 100, rows: 30, env });
  await shell.waitFor(/web-1/);
  await shell.waitFor('a actions');
  return shell;
}

const running = (word: string) =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word) && !line.startsWith('ps '));

test('what a program prints on the terminal stays until enter is pressed, and its notice names command and row', async () => {
  const skydeck = await open(command('Show it', 'k', 'echo "of $1"', 'show = "terminal"\nchanges = false'));
  await skydeck.press('a');
  await shell.waitFor(/K +Show it/);
  await skydeck.press('K');
  await shell.waitFor(/of web-1\s+sh ended with code 0\. Press enter to return\./);
  await shell.type('\r');
  await shell.waitFor('Show it: web-1: sh ended with code 0.');
  await skydeck.press('q');
  await shell.ended(0, /of web-1/);
});

test('a program has the terminal and gives it back, whatever it leaves behind; another is recorded and knows no token', async () => {
  const messy = String.raw`stty raw -echo; printf "\033[?1000h\033[?7l\033[31mhello $1\r\n"; head -c 1 >/dev/null; exit 3`;
  const skydeck = await open(
    command('Take over', 'k', messy, 'show = "terminal"\nchanges = false'),
    command('Note it', 'q', 'env; echo noted', ''),
  );
  await skydeck.press('a');
  await shell.waitFor(/K +Take over/);
  await skydeck.press('K');
  await shell.waitFor('hello web-1');
  expect(shell.terminal.buffer.active.type).toBe('normal');
  await shell.type('x');
  await shell.waitFor('sh ended with code 3. Press enter to return.');
  await shell.type('\r');
  await shell.waitFor('Take over: web-1: sh ended with code 3.');
  await shell.waitFor(/Servers › web-1/);
  expect(shell.terminal.modes.mouseTrackingMode).toBe('none');
  await skydeck.press('a', 'Q');
  await shell.waitFor('Note it?');
  await skydeck.press('enter');
  await shell.waitFor('sh ended with code 0.');
  await shell.waitFor('noted');
  expect(shell.text()).toContain('PATH=');
  expect(shell.bytes).not.toContain(own.demo.tokens.full);
  const audit = await readFile(join(own.home, '.local/state/skydeck/audit.jsonl'), 'utf8');
  expect(jsonLines(audit)).toEqual([
    {
      time: expect.any(String),
      profile: 'work',
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      account: expect.stringMatching(/^[0-9A-F-]{36}$/),
      command: 'note-it',
      for: 'servers',
      id: '48200101',
      run: ['sh', '-c', 'env; echo noted', 'sh', 'web-1'],
    },
  ]);
  await skydeck.press('esc');
  await shell.waitFor('tab next tab');
  await skydeck.press('q');
  await shell.ended(0, /hello web-1/);
});

test.each([
  [
    'is quit',
    async (skydeck: Shell) => {
      await skydeck.press('esc');
      await skydeck.waitFor('tab next tab');
      await skydeck.press('q', 'q');
    },
    0,
  ],
  ['is ended by a signal', async () => shell.signal('SIGTERM'), 143],
])('a program that runs ends with Skydeck when that %s', async (_, leave, code) => {
  const skydeck = await open(command('Wait', 'w', `trap "" TERM; echo begun; sleep 8640${code}`, 'changes = false'));
  await skydeck.press('a', 'W');
  await shell.waitFor('begun');
  expect(running(`sleep 8640${code}`)).not.toEqual([]);
  await leave(skydeck);
  await shell.waitFor(`code ${code}`);
  await vi.waitFor(() => expect(running(`sleep 8640${code}`)).toEqual([]), { timeout: 10_000 });
});

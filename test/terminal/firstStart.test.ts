import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { bundle } from '../build.ts';
import { environment, skydeck } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openPty } from './pty.ts';
import { openShell, type Shell } from './shell.ts';

const own = demoAndHome();
let shell: Shell;
afterEach(() => shell?.kill('SIGKILL'));

const configFile = () => join(own.home, '.config', 'skydeck', 'config.toml');

async function open(more: Record<string, string> = {}): Promise<void> {
  shell = openShell([], { columns: 80, rows: 24, env: environment(own.home, more) });
  await shell.waitFor(/enter choose .* esc quit$/m);
}

test('an account is tried, saved for its owner alone, and opened, now and at the next start', async () => {
  await open();
  await shell.press('down', 'enter');
  await shell.waitFor('Your account');
  await shell.press('enter');
  await shell.waitFor('✗ Type the address of the API first, like https://api.example.com.');
  await shell.type('nowhere');
  await shell.press('enter');
  await shell.waitFor(/❯ Token/);
  await shell.press('enter');
  await shell.waitFor(/✗ Type or paste a personal access token/);
  await shell.type('not-a-token-that-is-known');
  await shell.press('enter');
  await shell.waitFor(/❯ Address +nowhere\n[\s\S]*The address must be an address like https:\/\/api\.example\.com; it/);
  await shell.press('ctrl-u');
  await shell.type(own.demo.url);
  await shell.press('enter');
  await shell.waitFor(
    /❯ Token +•+\n\s+Tried: GET http:\/\/127\.\S+\/account\n +✗ The API does not accept the token \(401/,
  );
  await expect(stat(configFile())).rejects.toThrow('ENOENT');
  await shell.press('ctrl-u');
  await shell.type(own.demo.tokens.full);
  await shell.press('enter');
  await shell.waitFor(/skydeck {2}default › Home[\s\S]*Servers +40/);
  expect(shell.bytes).not.toContain(own.demo.tokens.full);
  await shell.press('q');
  await shell.ended(0);

  expect(await readFile(configFile(), 'utf8')).toBe(
    `[profiles.default]\nbase_url = "${own.demo.url}"\ntoken_file = "default.token"\n`,
  );
  const token = join(own.home, '.config', 'skydeck', 'default.token');
  expect((await readFile(token, 'utf8')).trim()).toBe(own.demo.tokens.full);
  expect((await stat(token)).mode & 0o777).toBe(0o600);
  expect((await stat(configFile())).mode & 0o777).toBe(0o600);
  const { code, stdout } = await skydeck(['snapshot', 'servers'], environment(own.home));
  expect(code).toBe(0);
  expect(stdout).toContain('api-1');
});

test('the demo begins from there, and esc leaves with code 0', async () => {
  await open();
  await shell.press('down', 'down', 'enter');
  // All of it has room.
  await shell.waitFor(/── Accounts ─+\n[\s\S]*SKYDECK_TOKEN[\s\S]*q quits\.\s+esc close/);
  await shell.press('esc');
  await shell.waitFor(/Welcome[\s\S]*❯ +Read on/);
  await shell.press('up', 'up', 'enter');
  await shell.waitFor(/skydeck {2}demo › Home[\s\S]*Servers +40/);
  await shell.press('q');
  await shell.ended(0);
});

test('it is light where the terminal is', async () => {
  const env = environment(own.home, { TERM: 'xterm-256color' });
  shell = openShell([], { columns: 80, rows: 24, env, background: 'ffff/ffff/ffff' });
  await shell.waitFor(/enter choose .* esc quit$/m);
  // The blue of keys on white.
  await vi.waitFor(() => expect(shell.bytes).toMatch(/\x1b\[38;5;26m(?:\x1b\[[\d;]*m)*enter/));
  await shell.press('esc');
  await shell.ended(0);
});

test('what is there already stays, and a file that cannot be written is said', async () => {
  const folder = join(own.home, '.config', 'skydeck');
  await mkdir(folder, { recursive: true });
  await writeFile(configFile(), '# mine, as [profiles.default] would be', { mode: 0o600 });
  await writeFile(join(folder, 'default.token'), 'of-another-tool\n', { mode: 0o600 });
  await open({ SKYDECK_BASE_URL: own.demo.url });
  await shell.press('down', 'enter');
  await shell.waitFor(/❯ Token/);
  await shell.type(own.demo.tokens.readOnly);
  await mkdir(`${configFile()}.skydeck-writes`);
  await shell.press('enter');
  await shell.waitFor(/It works, but it cannot be saved: [\s\S]*something else writes it at this moment/);
  await rm(`${configFile()}.skydeck-writes`, { recursive: true });
  await shell.press('enter');
  // The facts beside it may leave no room for its place.
  await shell.waitFor(/skydeck {2}default[\s\S]*Problems/);
  expect(await readFile(configFile(), 'utf8')).toMatch(
    /^# mine, as .*\n\[profiles\.default\]\n.*\ntoken_file = "default\.token-2"\n$/,
  );
  expect(await readFile(join(folder, 'default.token'), 'utf8')).toBe('of-another-tool\n');
  expect((await readFile(join(folder, 'default.token-2'), 'utf8')).trim()).toBe(own.demo.tokens.readOnly);
});

test('a disk that is full once the token is written keeps no token that no profile names', async () => {
  const folder = join(own.home, '.config', 'skydeck');
  await mkdir(folder, { recursive: true });
  const mine = `# ${'mine '.repeat(600)}\n`;
  await writeFile(configFile(), mine, { mode: 0o600 });
  const env = environment(own.home, { SKYDECK_BASE_URL: own.demo.url });
  const unnoticed = join(own.home, 'unnoticed.mjs');
  await writeFile(unnoticed, `process.on('SIGXFSZ', () => {});`);
  const limited = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, `--import=${unnoticed}`, bundle];
  const pty = openPty('/bin/sh', limited, { columns: 80, rows: 24, env });
  onTestFinished(() => pty.kill('SIGKILL'));
  await pty.waitFor(/enter choose .* esc quit$/m);
  await pty.press('down', 'enter');
  await pty.waitFor(/❯ Token/);
  await pty.type(own.demo.tokens.readOnly);
  await pty.press('enter');
  await pty.waitFor(/It works, but it cannot be saved: [\s\S]*it may not grow any further/);
  expect(await readFile(configFile(), 'utf8')).toBe(mine);
  expect(await readdir(folder)).toEqual(['config.toml']);
});

test('a token that a first start has left, which was killed before its profile was there, is the one of the next', async () => {
  const folder = join(own.home, '.config', 'skydeck');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'default.token'), `${own.demo.tokens.readOnly}\n`, { mode: 0o600 });
  await open({ SKYDECK_BASE_URL: own.demo.url });
  await shell.press('down', 'enter');
  await shell.waitFor(/❯ Token/);
  await shell.type(own.demo.tokens.readOnly);
  await shell.press('enter');
  await shell.waitFor(/skydeck {2}default[\s\S]*Problems/);
  expect(await readFile(configFile(), 'utf8')).toMatch(/\ntoken_file = "default\.token"\n$/);
  expect((await readdir(folder)).filter((name) => name.includes('token'))).toEqual(['default.token']);
});

test('a profile that another session has made meanwhile stays the only one', async () => {
  await mkdir(join(own.home, '.config', 'skydeck'), { recursive: true });
  await open({ SKYDECK_BASE_URL: own.demo.url });
  await shell.press('down', 'enter');
  await shell.waitFor(/❯ Token/);
  const made = `[profiles.default]\nbase_url = "${own.demo.url}"\n`;
  await writeFile(configFile(), made, { mode: 0o600 });
  await shell.type(own.demo.tokens.readOnly);
  await shell.press('enter');
  await shell.waitFor(/It works, but it cannot be saved: [\s\S]*has a profile default by now; start again/);
  expect(await readFile(configFile(), 'utf8')).toBe(made);
});

test('without a terminal nothing is asked', async () => {
  const { code, stderr } = await skydeck([], environment(own.home));
  expect(code).toBe(2);
  expect(stderr).toMatch(/^There is no token: set SKYDECK_TOKEN/);
  shell = openShell(['watch'], { columns: 80, rows: 24, env: environment(own.home) });
  await shell.waitFor('code 2');
  expect(shell.text()).toContain('There is no token');
});

import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startDemo } from '../../src/demo/server.ts';
import { bundle } from '../build.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty } from '../terminal/pty.ts';
import { openShell } from '../terminal/shell.ts';
import { environment, skydeck } from './program.ts';

let home: string;
let file: string;
beforeEach(async () => {
  home = temporaryFolder('bundle');
  file = join(home, 'report.json');
  await mkdir(join(home, '.config/skydeck'), { recursive: true });
  const profile = '[profiles.work]\nbase_url = "http://127.0.0.1:9"\ntoken_command = ["echo", "hunter2secret"]\n';
  await writeFile(join(home, '.config/skydeck/config.toml'), profile, { mode: 0o600 });
  await mkdir(join(home, '.local/state/skydeck'), { recursive: true, mode: 0o700 });
  await writeFile(join(home, '.local/state/skydeck/crash-2026-01-01.txt'), 'an older crash');
  await writeFile(join(home, '.local/state/skydeck/crash-2026-01-02.txt'), 'it broke');
});

const pack = (...args: string[]) => skydeck(['doctor', '--bundle', file, ...args], environment(home));

test('what tells of a defect is listed, and written for its owner alone', async () => {
  const calls = join(home, 'calls.log');
  await writeFile(calls, '{"method":"GET"}\n{"method":"PUT"}\n', { mode: 0o600 });
  const { code, stdout, stderr } = await pack('--log-file', calls);
  expect(code).toBe(0);
  expect(stdout).toBe(`${file} is written, and only you can read it. It is sent to nobody.\n`);
  expect(stderr).toMatch(/ is to have:\n- skydeck [^\n]*\n- what doctor finds, in \d+ checks\n- the configuration /);
  expect(stderr).toContain(`- the last 2 lines of ${calls}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('hunter2');
  const { program, doctor, configuration, crash, requests } = JSON.parse(text);
  expect(program).toMatch(/^skydeck \d.*Node \d/);
  expect(doctor.checks).toContainEqual(expect.objectContaining({ check: 'token', result: 'wrong' }));
  expect(configuration.profiles.work.token_command).toEqual(['echo', '[redacted]']);
  expect([crash, requests]).toEqual(['it broke', ['{"method":"GET"}', '{"method":"PUT"}']]);
});

test('of every program that the configuration runs only its name goes in', async () => {
  const run = (...words: string[]) => `run = ${JSON.stringify(words)}\n`;
  const programs = [
    `[profiles.work.ssh]\n${run('ssh', '-o', 'ProxyCommand=secret1', '{address}')}`,
    `[[profiles.work.ssh.when]]\nwhere = "db"\n${run('ssh', 'secret2')}`,
    `[[hooks]]\non = ["critical"]\n${run('curl', '-H', 'Authorization: Bearer secret3', 'https://x')}`,
    `[[commands]]\nname = "Hit"\nfor = "servers"\n${run('curl', '-u', 'user:secret4', 'https://x/{id}')}`,
    `[[commands]]\nname = "Ring"\nfor = "servers"\n${run('ring')}`,
  ];
  const config = join(home, '.config/skydeck/config.toml');
  await writeFile(config, (await readFile(config, 'utf8')) + programs.join(''));
  const { stderr } = await pack();
  expect(stderr).toContain(`${config}, without secrets and the arguments of the programs that it runs\n`);
  const text = await readFile(file, 'utf8');
  expect(text).not.toMatch(/secret\d/);
  const { profiles, hooks, commands } = JSON.parse(text).configuration;
  expect(profiles.work.ssh).toEqual({
    run: ['ssh', '[redacted]'],
    when: [{ where: 'db', run: ['ssh', '[redacted]'] }],
  });
  expect(hooks[0].run).toEqual(['curl', '[redacted]']);
  expect(commands.map((one: { run: unknown }) => one.run)).toEqual([['curl', '[redacted]'], ['ring']]);
});

test('what the dashboard has said is kept for it: the last messages of the account, without tokens', async () => {
  const demo = await startDemo({ pace: 50, seed: 1, colleagues: false });
  onTestFinished(demo.close);
  const token = demo.tokens.full;
  const profile = `[profiles.demo]\nbase_url = "${demo.url}"\ntoken_env = "TOKEN"\n`;
  await writeFile(join(home, '.config/skydeck/config.toml'), profile, { mode: 0o600 });
  const env = environment(home, { TOKEN: token });
  const pty = openPty(process.execPath, [bundle, 'volumes', '--profile', 'demo'], { env, columns: 120, rows: 30 });
  await pty.waitFor(/db-primary-data/);
  await pty.press('u');
  await pty.waitFor(/left to take back/);
  pty.kill('SIGKILL');
  await pty.exit;
  const { stderr } = await pack('--profile', 'demo');
  expect(stderr).toMatch(/- the last \d+ messages? of the dashboard, with the names of rows\n/);
  const { messages } = JSON.parse(await readFile(file, 'utf8'));
  expect(messages[0]).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    profile: 'demo',
    tone: 'plain',
    text: expect.stringMatching(/left to take back/),
  });
  await expect(stat(join(home, '.local/state/skydeck/skydeck.db'))).resolves.toMatchObject({ mode: 0o100600 });
});

test('it never takes the place of a file, and takes no recording that is none', async () => {
  await writeFile(file, 'mine');
  expect(await pack()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it exists already, and nothing is overwritten'),
  });
  expect(await readFile(file, 'utf8')).toBe('mine');
  await rm(file);
  expect(await pack('--recording', join(home, '.config/skydeck/config.toml'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it is no HAR'),
  });
});

test('on a terminal it is asked for once its parts are seen', async () => {
  const shell = openShell(['doctor', '--bundle', file], { env: environment(home), columns: 120, rows: 30 });
  await shell.waitFor('Type yes to write it:');
  await shell.type('no');
  await shell.press('enter');
  await shell.waitFor('Nothing was written.');
  await shell.waitFor(/code 0/);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

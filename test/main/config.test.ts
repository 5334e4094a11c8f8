import { chmod, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { beginning } from '../../src/config/configTexts.ts';
import { editConfig } from '../../src/program/config/commands.ts';
import { readConfig } from '../../src/program/config/readConfig.ts';
import { readSettings } from '../../src/program/settings.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

let home: string;
let folder: string;
let file: string;
beforeEach(async () => {
  home = temporaryFolder('config');
  folder = join(home, '.config', 'skydeck');
  file = join(folder, 'config.toml');
  await mkdir(join(folder, 'config.d'), { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o600 });
const check = async (...more: string[]) => skydeck(['config', 'check', ...more], environment(home));
const account = (more = '') => `base_url = "https://api.example.com"\ntoken_env = "T"\n${more}`;

describe('config.d', () => {
  test('is read in the order of names as if it stood in the configuration', async () => {
    await write('config.toml', `[profiles.work]\n${account()}[[rules]]\n${rule('label:a')}`);
    await write(
      'config.d/20.toml',
      `[profiles.b]\n${account()}[[rules]]\n${rule('label:c')}[keys.list]\nsort = "f2"\n`,
    );
    await write('config.d/10.toml', `[views.v]\narea = "servers"\n[[rules]]\n${rule('label:b')}`);
    await write('config.d/.hidden.toml', 'this is not TOML');
    await write('config.d/readme.md', 'nor is this');
    const { config, mistakes } = await readConfig(file, false);
    expect(mistakes).toEqual([]);
    expect(Object.keys(config.profiles)).toEqual(['work', 'b']);
    expect(config.rules.map(({ where }) => where)).toEqual(['label:a', 'label:b', 'label:c']);
    expect(config.views).toHaveProperty('v');
    const names = ['config.toml', 'config.d/10.toml', 'config.d/20.toml'].map((name) => join(folder, name));
    expect((await check()).stdout).toBe(
      `${names.join(' with ')} has no mistakes: 2 profiles, 1 key, 1 view, 3 rules.\n`,
    );
    await rm(file);
    expect(Object.keys((await readConfig(file, false)).config.profiles)).toEqual(['b']);
  });

  test('names conflicts with both files, and each mistake with its own file, line and column', async () => {
    await write('config.toml', `[profiles.work]\n${account()}`);
    await write('config.d/a.toml', `[profiles.b]\n${account('them = "dark"\n')}[[rules]]\n  ${rule('stauts:x')}`);
    await write('config.d/b.toml', '[profiles.work]\n[profiles.b]\n');
    const [a, b] = ['a', 'b'].map((name) => join(folder, 'config.d', `${name}.toml`));
    const { code, stdout } = await check();
    expect(code).toBe(2);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines).toContainEqual(expect.stringContaining(`${a}:4:1: profiles.b.them is unknown; did you mean theme?`));
    expect(lines).toContainEqual(expect.stringMatching(/a\.toml:6:3: rules\[1\]\.where is no filter of servers/));
    expect(lines).toContainEqual(
      `${b}:1:11: profiles.work stands in the configuration itself already; leave out one of the two.`,
    );
    expect(lines).toContainEqual(`${b}:2:11: profiles.b stands in ${a} already; leave out one of the two.`);
    const told = JSON.parse((await check('--json')).stdout);
    expect(told.mistakes).toHaveLength(4);
    expect(told.mistakes).toContainEqual({ file: b, line: 2, column: 11, key: 'profiles.b', says: expect.any(String) });
  });

  test('is refused where others may write a file of it', async () => {
    await write('config.toml', '');
    await write('config.d/a.toml', '');
    await chmod(join(folder, 'config.d', 'a.toml'), 0o666);
    const { code, stderr } = await check();
    expect(code).toBe(2);
    expect(stderr).toContain('a.toml');
  });

  const rule = (where: string) => `where = "${where}"\nfor = "servers"\nseverity = "notice"\nsays = "x"\n`;
});

describe('[defaults]', () => {
  const guard = (action: string) => `actions = ["${action}"]\nask = "label"\n`;
  const settings = (profile?: string) => {
    const env = {
      HOME: home,
      T: 'token',
      ...(profile === undefined && { SKYDECK_TOKEN: 't', SKYDECK_BASE_URL: 'https://x' }),
    };
    return readSettings({ profile }, env);
  };

  test('are settings of every profile, under its own; guards hold beside those of the profile', async () => {
    await write(
      'config.toml',
      `[defaults]\ntheme = "light"\nread_only = true\n[[defaults.guards]]\n${guard('delete')}
[profiles.a]\n${account('theme = "mono"\n')}[[profiles.a.guards]]\n${guard('resize')}[profiles.b]\n${account('read_only = false\n')}`,
    );
    expect((await check()).stdout).toContain('has no mistakes');
    const [a, b, none] = [await settings('a'), await settings('b'), await settings()];
    expect(a).toMatchObject({ theme: 'mono', readOnly: true });
    expect(a.configuration.guards.map(({ actions }) => actions)).toEqual([['delete'], ['resize']]);
    expect(b).toMatchObject({ theme: 'light', readOnly: false });
    expect(none).toMatchObject({ theme: 'light', readOnly: true, profile: 'environment' });
    expect(none.configuration.guards).toHaveLength(1);
  });

  test.each([
    ['[defaults]\nbase_url = "https://x"', 'defaults.base_url says whose account it is, so it stands in its profile'],
    ['[defaults]\nthem = "dark"', 'defaults.them is unknown; did you mean theme?'],
    ['[[defaults.guards]]\nactions = ["delte"]\ndeny = true', 'defaults.guards[1].actions has "delte", which is no'],
    ['[defaults]\nssh = { user = "-x" }', 'defaults.ssh.user must be the name of a user'],
    ['[defaults]\nvocabulary = { server = "a", kube = "a" }', 'must not be the word of server as well'],
  ])('with %j stop every start, as they may be safeguards', async (text, says) => {
    await write('config.toml', `${text}\n[profiles.a]\n${account()}`);
    const { code, stdout } = await check();
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(stdout).toContain(says);
    await expect(settings('a')).rejects.toThrow(says);
  });
});

describe('skydeck config show', () => {
  const show = async (env: Record<string, string>, ...args: string[]) => {
    const { stdout, stderr, code } = await skydeck(['config', 'show', '--json', ...args], environment(home, env));
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const { settings } = JSON.parse(stdout) as { settings: { setting: string; value: string; from: string }[] };
    return Object.fromEntries(settings.map(({ setting, value, from }) => [setting, `${value} | ${from}`]));
  };

  test('refuses an address that every start refuses, without the password in it', async () => {
    const env = { SKYDECK_BASE_URL: 'https://user:secretpw@api.example.com' };
    const { stderr, ...ended } = await skydeck(['config', 'show'], environment(home, env));
    expect(ended).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(/^SKYDECK_BASE_URL [^\n]*password[^\n]*\.\n$/);
    expect(stderr).not.toContain('secretpw');
    expect(await show(env, '--base-url', 'https://other.example.com')).toMatchObject({
      base_url: 'https://other.example.com | option --base-url',
    });
  });

  test('tells each setting in force, and where it comes from, and runs nothing for it', async () => {
    await write(
      'config.toml',
      `[defaults]\nrefresh = 60\n\n[profiles.work]\nbase_url = "https://a.example.com"
token_command = ["false", "secret"]\ntheme = "light"\nvocabulary = { server = "acme" }
ssh = { run = ["ssh", "-o", "SetEnv=KEY=secret", "{address}"] }\n[profiles.b]\n${account()}`,
    );
    expect(await show({}, '--profile', 'work', '--mouse')).toMatchObject({
      profile: 'work | option --profile',
      base_url: `https://a.example.com | profile work, ${file}:5`,
      token: `token_command false and 1 argument | profile work, ${file}:6`,
      theme: `light | profile work, ${file}:7`,
      refresh: `60 | defaults, ${file}:2`,
      mouse: 'yes | option --mouse',
      'vocabulary.server': `acme | profile work, ${file}:8`,
      'ssh.run': `ssh and 3 arguments | profile work, ${file}:9`,
      critical: 'no | default',
    });
    const env = { SKYDECK_PROFILE: 'b', SKYDECK_TOKEN: 'very-secret', SKYDECK_BASE_URL: 'https://env', NO_COLOR: '1' };
    const shown = await show(env);
    expect(shown).toMatchObject({
      profile: 'b | variable SKYDECK_PROFILE',
      base_url: 'https://env | variable SKYDECK_BASE_URL',
      token: 'set | variable SKYDECK_TOKEN',
      no_color: '1 | variable NO_COLOR',
    });
    expect(JSON.stringify(shown)).not.toContain('secret');
    // A profile that an option names stands above the environment, as at every start.
    expect(await show(env, '--profile', 'b')).toMatchObject({
      base_url: expect.stringContaining('https://api.example.com | profile b'),
      token: expect.stringContaining('token_env T | profile b'),
    });
  });

  test('says where a profile has mistakes, or there is none', async () => {
    await write('config.toml', `[profiles.work]\nthem = "dark"\n`);
    expect((await skydeck(['config', 'show'], environment(home))).stderr).toContain('did you mean theme?');
    const { stderr, code } = await skydeck(['config', 'show', '--profile', 'wrk'], environment(home));
    expect({ stderr, code }).toMatchObject({ stderr: expect.stringContaining('did you mean work?'), code: 2 });
  });
});

describe('skydeck config edit', () => {
  /** Edits with a script as the editor; answers are typed at the question. */
  async function edit(script: string, ...answers: string[]) {
    const editor = join(home, 'editor.sh');
    await writeFile(editor, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    let text = '';
    stdout.on('data', (chunk) => {
      text += chunk;
      if (!/as it was: $/.test(text)) return;
      const answer = answers.shift() ?? 'q\n';
      if (answer === 'end') stdin.end();
      else stdin.write(answer);
    });
    const tty = (stream: PassThrough) => Object.assign(stream, { isTTY: true, fd: 1 });
    const host = {
      env: environment(home, { EDITOR: editor, T: 'top-secret', SKYDECK_TOKEN: 'top-secret' }),
      stdin: tty(stdin),
      stdout: tty(stdout),
      stderr: stdout,
    };
    const failed = await editConfig(file, host as unknown as NodeJS.Process);
    return { code: failed ? 2 : 0, text };
  }

  test('takes what has no mistakes, and leaves mode and link', async () => {
    await write('real.toml', `[profiles.a]\n${account()}`);
    await chmod(join(folder, 'real.toml'), 0o640);
    await symlink('real.toml', file);
    const { code, text } = await edit(`echo 'theme = "dark"' >> "$1"`);
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining(`${file} is written`) });
    expect(await readFile(file, 'utf8')).toContain('theme = "dark"');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  test('begins with the beginning where there is none', async () => {
    expect((await edit(`grep -q 'Take away' "$1" && echo '[profiles.a]' >> "$1"`)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(`${beginning}[profiles.a]\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('tells mistakes, and opens what was typed again or keeps it beside', async () => {
    await write('config.toml', '');
    const again = `if grep -q them "$1"; then echo '[profiles.b]' > "$1"; else echo 'them = 1' > "$1"; fi`;
    const mended = await edit(again, 'x\n', 'e\n');
    expect(mended).toMatchObject({ code: 0, text: expect.stringContaining(`${file}:1:1: them is unknown`) });
    expect(await readFile(file, 'utf8')).toBe('[profiles.b]\n');
    const left = await edit(`echo 'them = 1' > "$1"`, 'q\n');
    expect(left).toMatchObject({ code: 2, text: expect.stringContaining(`what you typed is in ${file}.edit`) });
    expect(await readFile(`${file}.edit`, 'utf8')).toBe('them = 1\n');
    expect(await readFile(file, 'utf8')).toBe('[profiles.b]\n');
  });

  test('overwrites nothing that came meanwhile, and nothing where the editor gives up', async () => {
    await write('config.toml', '');
    const { code } = await edit(`echo '[profiles.a]' > "$1"; echo '[profiles.z]' > '${file}'`);
    expect(code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('[profiles.z]\n');
    expect(await readFile(`${file}.edit`, 'utf8')).toBe('[profiles.a]\n');
    expect(await edit('exit 1')).toMatchObject({ code: 2, text: expect.stringContaining('nothing was changed') });
    expect(await edit(':')).toMatchObject({ code: 0, text: `Nothing was changed in ${file}.\n` });
  });

  test('overwrites nothing while another session writes it, and keeps what was typed', async () => {
    await write('config.toml', '');
    const lock = `${file}.skydeck-writes`;
    await writeFile(lock, '');
    const { code, text } = await edit(`echo '[profiles.a]' > "$1"`);
    expect({ code, text }).toEqual({
      code: 2,
      text: expect.stringContaining('something else writes it at this moment'),
    });
    expect(text).toContain(`what you typed is in ${file}.edit.`);
    expect(await readFile(file, 'utf8')).toBe('');
    expect(await readFile(`${file}.edit`, 'utf8')).toBe('[profiles.a]\n');
    await rm(lock);
    expect((await edit(`cp '${file}.edit' "$1"`)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('[profiles.a]\n');
    await expect(stat(lock)).rejects.toThrow();
  });

  test('keeps each text that was typed, also where the editor gives up later, or the question has no answer', async () => {
    await write('config.toml', '');
    const typed = (text: string) => `if grep -q them "$1"; then exit 1; else echo '${text}' > "$1"; fi`;
    await edit(typed('them = 1'), 'q\n');
    const { code, text } = await edit(typed('them = 2'), 'e\n');
    expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining(`what you typed is in ${file}.edit-2`) });
    await edit(typed('them = 3'), 'end');
    const names = ['edit', 'edit-2', 'edit-3'];
    const kept = await Promise.all(names.map((name) => readFile(`${file}.${name}`, 'utf8')));
    expect(kept).toEqual(['them = 1\n', 'them = 2\n', 'them = 3\n']);
  });

  test('gives the editor no token', async () => {
    await write('config.toml', `[profiles.a]\n${account()}`);
    const seen = join(home, 'seen');
    await edit(`env > '${seen}'`, 'q\n');
    expect(await readFile(seen, 'utf8')).not.toMatch(/^(T|SKYDECK_TOKEN)=|top-secret/m);
  });

  test('needs a terminal', async () => {
    expect((await skydeck(['config', 'edit'], environment(home))).stderr).toContain('needs a terminal');
  });
});

test('config init is a beginning without mistakes, as it is and with every # taken away', async () => {
  const { stdout } = await skydeck(['config', 'init'], environment(home));
  await write('config.toml', stdout);
  expect((await check()).stdout).toBe(`${file} has no mistakes: it is empty.\n`);
  await write('config.toml', stdout.split('\n').slice(2).join('\n').replace(/^# /gm, ''));
  expect((await check()).code).toBe(0);
});

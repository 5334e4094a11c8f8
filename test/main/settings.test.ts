import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/program/arguments.ts';
import { stateDirectory } from '../../src/program/directories.ts';
import type { Options } from '../../src/program/invocation.ts';
import { UsageError } from '../../src/program/rules.ts';
import { readNamedConfig, readSettings, settingsOfProfile } from '../../src/program/settings.ts';
import { environmentFor, tokenOf } from '../../src/program/token.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let home: string;
let file: string;

beforeEach(async () => {
  home = temporaryFolder('settings');
  await mkdir(join(home, '.config', 'skydeck'), { recursive: true });
  file = join(home, '.config', 'skydeck', 'config.toml');
});

const options = (...argv: string[]): Options => parseArguments(argv).options;
const environment = (more: Record<string, string> = {}) => ({ HOME: home, PATH: process.env.PATH, ...more });
const read = (argv: string[] = [], env: Record<string, string> = {}) =>
  readSettings(options(...argv), environment(env));
const config = (text: string) => writeFile(file, text);

async function refusal(argv: string[] = [], env: Record<string, string> = {}): Promise<string> {
  const error = await read(argv, env).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return (error as Error).message;
}

const both = { SKYDECK_TOKEN: 'secret-of-env', SKYDECK_BASE_URL: 'https://env.example' };

describe('settings', () => {
  it('come from the environment alone', async () => {
    expect(await read([], both)).toMatchObject({
      profile: 'environment',
      host: 'env.example',
      account: { baseUrl: 'https://env.example', token: { value: 'secret-of-env' } },
      configFile: undefined,
      readOnly: false,
      critical: false,
      refreshSeconds: 15,
      theme: 'dark',
      color: true,
      demo: false,
    });
  });

  it('need nothing with --demo, whatever the environment and the configuration say', async () => {
    await config('not toml at all');
    expect(await read(['--demo'], { SKYDECK_PROFILE: 'gone' })).toMatchObject({ profile: 'demo', demo: true });
    expect((await read(['--demo'], both)).account).toBeUndefined();
  });

  it('come from a profile', async () => {
    await config(`
[profiles.work]
base_url = "https://api.example.com"
token_env = "WORK_TOKEN"
read_only = true
critical = true
theme = "light"
colors = "256"
refresh = 30
vocabulary = { server = "acme", kube = "ake" }
`);
    expect(await read(['--profile', 'work'], { WORK_TOKEN: 'secret' })).toMatchObject({
      profile: 'work',
      configFile: file,
      account: { baseUrl: 'https://api.example.com', token: { value: 'secret', source: 'The variable WORK_TOKEN' } },
      readOnly: true,
      critical: true,
      theme: 'light',
      colorDepth: 8,
      refreshSeconds: 30,
      vocabulary: { server: 'acme', kube: 'ake' },
    });
  });

  it('prefer options to the environment, and the environment to the profile', async () => {
    await config('[profiles.work]\nbase_url = "https://profile.example"\ntoken_env = "UNSET"\ntheme = "light"\n');
    const fromEnvironment = await read([], { ...both, SKYDECK_PROFILE: 'work' });
    expect(fromEnvironment.account).toMatchObject({
      baseUrl: 'https://env.example',
      token: { value: 'secret-of-env' },
    });
    expect(fromEnvironment.theme).toBe('light');
    const fromOptions = await read(['--base-url', 'https://option.example', '--theme', 'mono'], {
      ...both,
      SKYDECK_PROFILE: 'work',
    });
    expect(fromOptions.account?.baseUrl).toBe('https://option.example');
    expect(fromOptions.theme).toBe('mono');
    expect(fromOptions.colorDepth).toBeUndefined();
  });

  it('read the file named by the option before the one of the environment', async () => {
    const [one, other] = [join(home, 'one.toml'), join(home, 'other.toml')];
    await writeFile(one, '[profiles.default]\ntheme = "light"\n');
    await writeFile(other, '[profiles.default]\ntheme = "mono"\n');
    expect((await read(['--config', one], { ...both, SKYDECK_CONFIG: other })).theme).toBe('light');
    expect((await read([], { ...both, SKYDECK_CONFIG: other })).theme).toBe('mono');
  });

  it('find the configuration where XDG_CONFIG_HOME says', async () => {
    const elsewhere = join(home, 'elsewhere');
    await mkdir(join(elsewhere, 'skydeck'), { recursive: true });
    await writeFile(join(elsewhere, 'skydeck', 'config.toml'), '[profiles.default]\ntheme = "mono"\n');
    expect((await read([], { ...both, XDG_CONFIG_HOME: elsewhere })).theme).toBe('mono');
    expect(stateDirectory({ HOME: home })).toBe(join(home, '.local', 'state', 'skydeck'));
    expect(stateDirectory({ HOME: home, XDG_STATE_HOME: '/var/state' })).toBe('/var/state/skydeck');
  });

  it('use the profile called default, or the only one', async () => {
    await config('[profiles.only]\nbase_url = "https://a.example"\ntoken_env = "T"\n');
    expect((await read([], { T: 'x' })).profile).toBe('only');
    await config('[profiles.a]\ntheme = "mono"\n[profiles.default]\nbase_url = "https://a.example"\ntoken_env = "T"\n');
    expect((await read([], { T: 'x' })).profile).toBe('default');
  });

  it('stay read-only where the profile says so', async () => {
    await config('[profiles.default]\nread_only = true\n');
    expect((await read([], both)).readOnly).toBe(true);
    await config('[profiles.default]\nread_only = false\n');
    expect((await read(['--read-only'], both)).readOnly).toBe(true);
  });

  it('use mouse and screen reader as an option or the profile says, and follow the background without a theme', async () => {
    const none = { mouse: false, screenReader: false, followsBackground: true };
    expect(await read([], both)).toMatchObject(none);
    expect(await read(['--demo'])).toMatchObject(none);
    expect(await read(['--mouse', '--screen-reader', '--theme', 'dark'], both)).toMatchObject({
      mouse: true,
      screenReader: true,
      followsBackground: false,
    });
    expect((await read([], { ...both, INK_SCREEN_READER: 'true' })).screenReader).toBe(true);
    expect((await read([], { ...both, NO_COLOR: '1' })).followsBackground).toBe(false);
    await config('[profiles.default]\nmouse = true\nscreen_reader = true\ntheme = "light"\n');
    expect(await read([], both)).toMatchObject({ mouse: true, screenReader: true, followsBackground: false });
    await config('[profiles.default]\nmouse = "yes"\n');
    expect(await refusal([], both)).toContain('mouse must be true or false; it is "yes"');
  });

  it('of one profile of several are its own, whatever options and environment say of the account they mean', async () => {
    await config(`
[profiles.work]
base_url = "https://work.example"
token_env = "SKYDECK_TOKEN"
color = "magenta"
[profiles.lab]
base_url = "https://lab.example"
read_only = true
`);
    const given = options('--base-url', 'https://other.example', '--read-only');
    const found = await readNamedConfig(given, environment());
    const of = (profile: string) => settingsOfProfile(found, profile, given, environment(both));
    expect(await of('work')).toMatchObject({
      profile: 'work',
      profiles: ['work', 'lab'],
      account: { baseUrl: 'https://work.example', token: { value: 'secret-of-env' } },
      configuration: { color: 'magenta' },
      readOnly: true,
    });
    await expect(of('lab')).rejects.toThrow('The profile lab in');
    await expect(of('wrok')).rejects.toThrow(
      `There is no profile wrok: ${file} has only work, lab; did you mean work?`,
    );
    await expect(of('gone')).rejects.toThrow(`There is no profile gone: ${file} has only work, lab.`);
  });

  it('leave out colour with --no-color and NO_COLOR', async () => {
    expect((await read(['--no-color'], both)).color).toBe(false);
    expect((await read([], { ...both, NO_COLOR: '1' })).color).toBe(false);
    expect((await read([], { ...both, NO_COLOR: '' })).color).toBe(true);
  });

  it('name both ways out without a token', async () => {
    const says = await refusal();
    expect(says).toContain('SKYDECK_TOKEN');
    expect(says).toContain('skydeck --demo');
    expect(says).not.toContain('\n');
    await config('[profiles.bare]\nbase_url = "https://a.example"\n');
    expect(await refusal()).toContain('The profile bare in');
  });

  it('name the ways to give an address', async () => {
    expect(await refusal([], { SKYDECK_TOKEN: 'x' })).toContain('--base-url, SKYDECK_BASE_URL or base_url');
    expect(await refusal([], { ...both, SKYDECK_BASE_URL: 'nowhere' })).toContain(
      'SKYDECK_BASE_URL must be an address like',
    );
  });

  it('refuse a token that cannot be one, without repeating it', async () => {
    const says = await refusal([], { ...both, SKYDECK_TOKEN: 'two words' });
    expect(says).toContain('The variable SKYDECK_TOKEN is not a token');
    expect(says).not.toContain('two words');
  });
});

describe('a configuration with a mistake', () => {
  it.each([
    ['[profiles.a]\nthemee = "dark"', 2, 'profiles.a.themee is unknown; did you mean theme?'],
    [
      '[profiles.a]\n\n# colour\ntheme = "drak"',
      4,
      'profiles.a.theme must be one of dark, light, high-contrast, mono; it is "drak"; did you mean dark?',
    ],
    ['[profiles.a]\ntheme = 3', 2, 'profiles.a.theme must be one of dark, light, high-contrast, mono; it is 3.'],
    ['[profiles.a]\nread_only = "yes"', 2, 'profiles.a.read_only must be true or false; it is "yes".'],
    ['[profiles.a]\nrefresh = 0', 2, 'profiles.a.refresh must be a number of seconds from 1 to 3600; it is 0.'],
    ['[profiles.a]\nrefresh = "2"', 2, 'profiles.a.refresh must be a number of seconds'],
    ['[profiles.a]\nbase_url = "https://a.example/v4"', 2, 'profiles.a.base_url must end before /v4'],
    [
      '[profiles.a]\ntoken = "abc"',
      2,
      'profiles.a.token must not be in this file; use one of token_env, token_file, token_command.',
    ],
    [
      '[profiles.a]\ntoken_env = "A"\ntoken_file = "b"',
      3,
      'profiles.a.token_file cannot be set together with token_env; keep exactly one of',
    ],
    [
      '[profiles.a]\ncritical = true\ntoken_command = [\n  "pass",\n  3,\n]',
      3,
      'profiles.a.token_command must be a list of texts like',
    ],
    ['[profiles.a]\ntoken_command = "pass show"', 2, 'profiles.a.token_command must be a list of texts'],
    [
      '[profiles.a]\nvocabulary = { sever = "acme" }',
      2,
      'profiles.a.vocabulary.sever is unknown; the words are server, servers,',
    ],
    [
      '[profiles.a.vocabulary]\nserver = "Acme Cloud"',
      2,
      'profiles.a.vocabulary.server must be a word of lower-case letters',
    ],
    ['theme = "dark"', 1, 'theme is unknown; settings belong in [profiles.NAME].'],
    ['profiles = 3', 1, 'profiles must be made of tables like [profiles.work].'],
    ['[profiles]\na = 3', 2, 'profiles.a must be a table like [profiles.work]; it is 3.'],
  ])('%j is named by line and key', async (text, line, says) => {
    await config(text);
    const message = await refusal(['--profile', 'a'], both);
    expect(message).toContain(`${file}, line ${line}: ${says}`);
    expect(message).not.toContain('\n');
  });

  it('in another profile stops nothing', async () => {
    await config('[profiles.a]\nthemee = "dark"\n[profiles.b]\ntheme = "light"\n');
    expect(await read(['--profile', 'b'], both)).toMatchObject({ profile: 'b', theme: 'light' });
    expect(await refusal(['--profile', 'a'], both)).toContain('profiles.a.themee is unknown');
  });

  it('that is no TOML is named by line', async () => {
    await config('[profiles.a]\ntheme = dark\n');
    const message = await refusal([], both);
    expect(message).toContain(`${file}, line 2: "theme" is not valid TOML`);
    expect(message).not.toContain('\n');
  });

  it('that is missing or no file is named when it was asked for', async () => {
    expect(await refusal(['--config', join(home, 'gone.toml')], both)).toContain('no such file');
    expect(await refusal(['--config', home], both)).toContain('it is a directory');
    expect(await refusal([], { ...both, SKYDECK_CONFIG: join(home, 'gone.toml') })).toContain('cannot be read');
  });

  it('without the wanted profile names those it has', async () => {
    await config('[profiles.a]\n[profiles.b]\n');
    expect(await refusal(['--profile', 'c'])).toBe(`There is no profile c: ${file} has only a, b.`);
    expect(await refusal()).toBe(`${file} has the profiles a, b; choose one with --profile NAME.`);
    await rm(file);
    expect(await refusal(['--profile', 'c'])).toBe(`There is no profile c: ${file} has no profile.`);
  });
});

describe('a profile beside the variables of an account', () => {
  beforeEach(() =>
    config(
      '[profiles.work]\nbase_url = "https://work.example"\ntoken_env = "WORK"\n[profiles.bare]\nread_only = true\n[profiles.lab]\nbase_url = "https://lab.example"\n',
    ),
  );
  const accountOf = async (args: string[], env: Record<string, string>) => {
    const { account, accountOf, profile } = await read(args, { WORK: 'of-work', ...env });
    return [profile, account?.baseUrl, account?.token.value, accountOf];
  };
  const work = ['work', 'https://work.example', 'of-work', undefined];

  it('that an option names is the one that is used', async () => {
    const { SKYDECK_BASE_URL, SKYDECK_TOKEN } = both;
    const environments: Record<string, string>[] = [{}, both, { SKYDECK_BASE_URL }, { SKYDECK_TOKEN }];
    for (const env of environments) expect(await accountOf(['--profile', 'work'], env)).toEqual(work);
    const address = ['work', 'https://of-option.example', 'of-work', undefined];
    expect(await accountOf(['--profile', 'work', '--base-url', 'https://of-option.example'], both)).toEqual(address);
  });

  it('takes from them what it does not say itself', async () => {
    expect(await accountOf(['--profile', 'bare'], both)).toEqual([
      'bare',
      'https://env.example',
      'secret-of-env',
      undefined,
    ]);
    expect(await accountOf(['--profile', 'lab'], both)).toEqual([
      'lab',
      'https://lab.example',
      'secret-of-env',
      undefined,
    ]);
  });

  it('that a variable names comes behind them, and that is said', async () => {
    const named = { SKYDECK_PROFILE: 'work' };
    expect(await accountOf([], named)).toEqual(work);
    const { SKYDECK_BASE_URL, SKYDECK_TOKEN } = both;
    const told = async (env: Record<string, string>) => (await accountOf([], { ...named, ...env }))[3];
    expect(await told({ SKYDECK_BASE_URL })).toBe('address of SKYDECK_BASE_URL');
    expect(await told({ SKYDECK_TOKEN })).toBe('token of SKYDECK_TOKEN');
    expect(await told(both)).toBe('account of the environment');
  });
});

describe('a configuration that others may have written', () => {
  it.each([0o620, 0o602, 0o666])('of mode %o is refused: it can name a program to run', async (mode) => {
    await config('[profiles.p]\nbase_url = "https://a.example"\ntoken_command = ["echo", "of-command"]\n');
    await chmod(file, mode);
    expect(await refusal()).toBe(
      `The configuration ${file} can be changed by others (mode 0${mode.toString(8)}), and it may name a program to run; run: chmod go-w ${file}`,
    );
  });

  it('through a pipe is refused at once', async () => {
    await promisify(execFile)('mkfifo', [file]);
    expect(await refusal([], both)).toBe(`The configuration ${file} is not a file.`);
  });
});

describe('an address without encryption', () => {
  const plain = { ...both, SKYDECK_BASE_URL: 'http://api.example.com' };

  it('is given no token, wherever it comes from', async () => {
    const says = await refusal([], plain);
    expect(says).toContain('http://api.example.com is not encrypted');
    expect(says).toContain('use https, or set insecure_http = true in a profile');
    expect(await refusal(['--base-url', 'http://192.0.2.7:8080'], both)).toContain('is not encrypted');
    await config('[profiles.p]\nbase_url = "http://api.example.com"\ntoken_command = ["echo", "of-command"]\n');
    expect(await refusal()).toContain('is not encrypted');
    expect(await refusal(['--base-url', 'http://localhost.example.com'])).toContain('is not encrypted');
  });

  it.each(['http://127.0.0.1:4010', 'http://localhost', 'http://api.localhost:80', 'http://[::1]:4010'])(
    'is fine on this machine: %s',
    async (url) => {
      expect(await read([], { ...both, SKYDECK_BASE_URL: url })).toMatchObject({ account: { baseUrl: url } });
      expect((await read([], { ...both, SKYDECK_BASE_URL: url })).tlsWarning).toBeUndefined();
    },
  );

  it('is used where the profile allows it, and the header warns of it', async () => {
    await config('[profiles.p]\nbase_url = "http://api.example.com"\ninsecure_http = true\n');
    expect(await read([], { SKYDECK_TOKEN: 't' })).toMatchObject({ tlsWarning: 'not encrypted' });
  });

  it('is as good as one whose certificates are not checked', async () => {
    expect((await read([], both)).tlsWarning).toBeUndefined();
    expect((await read([], { ...both, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).tlsWarning).toBe('TLS unchecked');
  });
});

describe('a token', () => {
  const profile = (source: string) => config(`[profiles.p]\nbase_url = "https://a.example"\n${source}\n`);

  it('comes from a file that only its owner can read', async () => {
    const token = join(home, 'token');
    await writeFile(token, 'from-file\n', { mode: 0o600 });
    await profile(`token_file = "${token}"`);
    expect((await read()).account?.token.value).toBe('from-file');
    await profile('token_file = "~/token"');
    expect((await read()).account?.token.value).toBe('from-file');
  });

  it('is found beside the configuration where its file is relative', async () => {
    await writeFile(join(home, '.config', 'skydeck', 'token'), 'beside', { mode: 0o600 });
    await profile('token_file = "token"');
    expect((await read()).account?.token.value).toBe('beside');
  });

  it.each([0o640, 0o604, 0o620, 0o601, 0o644])('file of mode %o is refused', async (mode) => {
    const token = join(home, 'token');
    await writeFile(token, 'from-file');
    await chmod(token, mode);
    await profile(`token_file = "${token}"`);
    const says = await refusal();
    expect(says).toContain(`can be read by others (mode 0${mode.toString(8)}); run: chmod 600 ${token}`);
    expect(says).not.toContain('from-file');
  });

  it('file that is missing, a directory or empty is refused', async () => {
    await profile('token_file = "gone"');
    expect(await refusal()).toContain('no such file');
    await profile(`token_file = "${home}"`);
    expect(await refusal()).toContain('it is a directory');
    await writeFile(join(home, 'empty'), '\n', { mode: 0o600 });
    await profile('token_file = "~/empty"');
    expect(await refusal()).toContain('is empty');
  });

  it('comes from a variable', async () => {
    await profile('token_env = "MINE"');
    expect((await read([], { MINE: 'of-mine' })).account?.token.value).toBe('of-mine');
    expect(await refusal()).toBe('The variable MINE, which token_env names, is not set.');
  });

  it('is the first line of what a command prints, run without a shell', async () => {
    await profile(`token_command = ["printf", "%s\\n", "of-$HOME", "second"]`);
    expect((await read()).account?.token.value).toBe('of-$HOME');
  });

  it('command that fails is refused with what it complained of last, and nothing of its output', async () => {
    await profile(`token_command = ["sh", "-c", "echo leaked; exit 3"]`);
    const says = await refusal();
    expect(says).toBe('The token command sh ended with code 3.');
    await profile(`token_command = ["no-such-command-here"]`);
    expect(await refusal()).toBe('The token command no-such-command-here was not found.');
    await profile(`token_command = ["true"]`);
    expect(await refusal()).toBe('The output of the token command true is empty; put the token there.');
    await profile(
      `token_command = ["sh", "-c", "echo trying >&2; printf '\\\\033]0;x\\\\007not signed in\\\\n' >&2; exit 3"]`,
    );
    expect(await refusal()).toMatch(/^The token command sh ended with code 3\. It says: .*not signed in$/);
    expect(await refusal()).not.toMatch(/[\x00-\x1f]/);
    const token = 'f00dfeedf00dfeedf00dfeedf00dfeedf00dfeed';
    for (const said of [
      `error: token ${token} expired`,
      `token=${token}`,
      `{"token":"${token}"}`,
      `Bearer ${token}.`,
    ]) {
      await profile(`token_command = ["sh", "-c", ${JSON.stringify(`echo '${said}' >&2; exit 3`)}]`);
      expect(await refusal()).toContain('[redacted]');
      expect(await refusal()).not.toContain('f00d');
    }
    await profile(`token_command = ["sh", "-c", "echo open-sesame; echo open-sesame is locked >&2; exit 3"]`);
    expect(await refusal()).toBe('The token command sh ended with code 3. It says: [redacted] is locked');
    await profile(
      `token_command = ["sh", "-c", "echo no entry /home/me/.password-store/cloud-production1.gpg >&2; exit 3"]`,
    );
    expect(await refusal()).toContain('It says: no entry /home/me/.password-store/cloud-production1.gpg');
    await profile(`token_command = ["yes"]`);
    expect(await refusal()).toBe('The token command yes prints more than a token.');
  });

  it('command that takes too long is ended', async () => {
    const error = await tokenOf({ token_command: ['sleep', '600'] }, environment(), file, [], 50).catch(String);
    expect(error).toContain('The token command sleep did not answer within 0.05 seconds.');
  });

  it('command that takes too long ends with all that it has started', async () => {
    const started = join(home, 'started');
    const script = `(sleep 600 & echo $! >>"$0"; wait) & echo $! >>"$0"; wait`;
    const error = await tokenOf({ token_command: ['sh', '-c', script, started] }, environment(), file, [], 500).catch(
      String,
    );
    expect(error).toContain('did not answer within 0.5 seconds');
    const pids = (await readFile(started, 'utf8')).trim().split('\n');
    expect(pids).toHaveLength(2);
    for (const pid of pids) await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });

  it('command whose output somebody else holds open is not waited for', async () => {
    const error = await tokenOf(
      { token_command: ['sh', '-c', 'sleep 3 & echo of-mine'] },
      environment(),
      file,
      [],
      300,
    ).catch(String);
    expect(error).toContain('did not answer within 0.3 seconds');
  });

  it('command is not told the token of the environment', async () => {
    const command = ['sh', '-c', 'echo "<$SKYDECK_TOKEN><$OTHER>"'];
    const env = environment({ SKYDECK_TOKEN: 'secret-of-env', OTHER: 'kept' });
    expect((await tokenOf({ token_command: command }, env, file, ['OTHER']))?.value).toBe('<><>');
    expect((await tokenOf({ token_command: command }, env, file))?.value).toBe('<><kept>');
  });

  it('is in no environment of another program, whatever its variable is called', () => {
    const env = { SKYDECK_TOKEN: 'one', MINE: 'of-mine', HEADER: 'Bearer of-mine', OTHER: 'second', EDITOR: 'vi' };
    expect(environmentFor(env, { tokens: ['of-mine', 'second'] })).toEqual({ EDITOR: 'vi' });
    expect(environmentFor({ MINE: 'of-mine', EDITOR: 'vi' }, {})).toEqual({ MINE: 'of-mine', EDITOR: 'vi' });
  });

  it('file that is a pipe is refused at once', async () => {
    await promisify(execFile)('mkfifo', ['-m', '600', join(home, 'pipe')]);
    await profile('token_file = "~/pipe"');
    expect(await refusal()).toBe(`The token file ${join(home, 'pipe')} is not a file.`);
  });

  it('command that waits for input finds none', async () => {
    await profile(`token_command = ["sh", "-c", "read line; echo answered"]`);
    expect((await read()).account?.token.value).toBe('answered');
  });
});

/** A process that has ended and only waits to be asked how counts as ended. */
const isRunning = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return / [^ZX] /.test(stat.slice(stat.lastIndexOf(')') + 1, stat.lastIndexOf(')') + 4));
};

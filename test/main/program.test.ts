import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { help } from '../../src/program/commandLine/help.ts';
import { tokenCheck } from '../../src/program/connection.ts';
import { jsonLines } from '../jsonLines.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty, type Pty } from '../terminal/pty.ts';
import { type Route, serve } from './apiServer.ts';
import { skydeckHere } from './here.ts';
import { environment, skydeck, start } from './program.ts';

let home: string;
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());
beforeEach(() => {
  home = temporaryFolder('program');
});

const account = (more: Record<string, string> = {}) =>
  environment(home, { SKYDECK_BASE_URL: demo.url, SKYDECK_TOKEN: demo.tokens.full, ...more });
const oneSentence = (text: string) => {
  expect(text.trimEnd()).not.toContain('\n');
  expect(text).toMatch(/[.?]\n$|\w\n$/);
};

describe('the program', () => {
  it('tells its version and its usage', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    const told = await skydeck(['--version'], environment(home));
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toMatch(/^skydeck \d+\.\d+\.\d+ \((?:commit \w+\+?, )?Node \d+\.\d+\.\d+\)\n$/);
    expect(told.stdout).toContain(`skydeck ${version} (`);
    expect(await skydeck(['--help'], environment(home))).toEqual({ code: 0, stdout: help, stderr: '' });
  });

  it.each([
    [['--reed-only'], 'did you mean --read-only?'],
    [['volums'], 'did you mean volumes or volume?'],
    [['snapshot', '--format', 'xml'], 'skydeck snapshot has text, json, jsonl, csv and tsv.'],
    [[], 'SKYDECK_TOKEN'],
    [['--profile', 'work'], 'There is no profile work'],
    [['--demo', '--log-file', '/no/such/directory/log'], 'no such file or directory'],
  ])('answers %j with one sentence and exit code 2', async (args, says) => {
    // The demo is a process of its own.
    const answered = args[0] === '--demo' ? skydeck : skydeckHere;
    const { code, stdout, stderr } = await answered(args, environment(home));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    oneSentence(stderr);
  });

  it('names file, line and key of a mistake in the configuration', async () => {
    const file = join(home, 'config.toml');
    await writeFile(file, '[profiles.work]\n\nrefresh = "often"\n');
    const { code, stderr } = await skydeckHere(['--config', file], environment(home));
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}, line 3: profiles.work.refresh must be a number of seconds`);
    oneSentence(stderr);
  });

  it('answers a token that is not accepted with one sentence and exit code 3', async () => {
    const { code, stdout, stderr } = await skydeck([], account({ SKYDECK_TOKEN: 'not-this-one' }));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('does not accept the token');
    expect(stderr).not.toContain('not-this-one');
    oneSentence(stderr);
  });

  it.each([
    ['is a web site', (): ReturnType<Route> => ({ status: 404 }), 'is not the API (404)'],
    [
      'redirects',
      (): ReturnType<Route> => ({ status: 301, headers: { location: 'https://example.com/' } }),
      'check the base URL',
    ],
  ])('answers an address that %s with one sentence and exit code 3', async (_, route, says) => {
    const site = await serve({ [tokenCheck().path]: route });
    try {
      const { code, stderr } = await skydeckHere([], account({ SKYDECK_BASE_URL: site.baseUrl }));
      expect(code).toBe(3);
      expect(stderr).toContain(says);
      oneSentence(stderr);
    } finally {
      await site.close();
    }
  });

  it('answers a server that is down with one sentence and exit code 3', async () => {
    const site = await serve({});
    await site.close();
    const { code, stderr } = await skydeckHere(['snapshot'], account({ SKYDECK_BASE_URL: site.baseUrl }));
    expect(code).toBe(3);
    expect(stderr).toContain(`${site.baseUrl} cannot be reached`);
    oneSentence(stderr);
  });

  it('prints home where there is no terminal', async () => {
    const { code, stdout, stderr } = await skydeck(['--demo'], environment(home));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Skydeck /);
    expect(stdout).toMatch(/\nServers +40 /);
    expect(stdout).toContain('Last activity');
    expect(stdout).not.toContain('\x1b');
  });

  it('prints an area in every format', async () => {
    const { stdout: text } = await skydeckHere(['snapshot', 'servers'], account());
    expect(text.split('\n')[0]).toMatch(/STATUS +LABEL/);
    const { stdout: json } = await skydeckHere(['snapshot', 'servers', '--format', 'json'], account());
    const { rows } = JSON.parse(json);
    expect(rows).toHaveLength(40);
    const { stdout: csv } = await skydeckHere(['snapshot', 'servers', '--format=csv'], account());
    expect(csv.trimEnd().split('\r\n')).toHaveLength(41);
    for (const { label } of rows) for (const output of [text, csv]) expect(output).toContain(label);
  });

  it('prints what a restricted token may see, and names the rest', async () => {
    const { code, stderr } = await skydeckHere(['snapshot'], account({ SKYDECK_TOKEN: demo.tokens.restricted }));
    expect(code).toBe(3);
    expect(stderr).toMatch(/ could not be read: The token has no permission for GET /);
  });

  it('ends quietly when the reader has seen enough', async () => {
    const child = start(['--demo', '--servers', '5000', 'snapshot', 'servers', '--format', 'json'], environment(home));
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  it('logs each call, without token and body, in a file of its user', async () => {
    const log = join(home, 'calls.jsonl');
    expect((await skydeckHere(['snapshot', 'volumes', '--log-file', log], account())).code).toBe(0);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
    const text = await readFile(log, 'utf8');
    expect(text).not.toContain(demo.tokens.full);
    const calls = jsonLines(text);
    expect(calls.length).toBeGreaterThanOrEqual(2);
    for (const call of calls) expect(call).toMatchObject({ method: 'GET', status: 200, attempt: 1 });
  });

  it('examines itself, and exits with 1 where something is wrong', async () => {
    const fine = await skydeckHere(['doctor'], account());
    expect(fine.stdout).toContain('✓ token     accepted');
    expect(fine.code).toBe(0);
    const wrong = await skydeckHere(['doctor'], account({ SKYDECK_TOKEN: 'not-this-one' }));
    expect(wrong.stdout).toContain('✗ token');
    expect(wrong.code).toBe(1);
  });

  it('serves the demo API until it is interrupted', async () => {
    const child = start(['demo-api', '--port', '0', '--servers', '3'], environment(home));
    try {
      const [chunk] = await once(child.stdout.setEncoding('utf8'), 'data');
      const [, url = ''] = /listens on (\S+)/.exec(chunk) ?? [];
      const [, token = ''] = /Tokens: (\S+)/.exec(chunk) ?? [];
      const { stdout } = await skydeckHere(
        ['snapshot', 'servers', '--format', 'json'],
        account({ SKYDECK_BASE_URL: url, SKYDECK_TOKEN: token }),
      );
      expect(JSON.parse(stdout).rows).toHaveLength(3);
      const { code, stderr } = await skydeck(['demo-api', '--port', new URL(url).port], environment(home));
      expect(code).toBe(2);
      expect(stderr).toContain('is in use; choose another one with --port');
    } finally {
      child.kill('SIGTERM');
    }
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('the program on a terminal', () => {
  let glass: Pty | undefined;
  afterEach(() => glass?.kill('SIGKILL'));

  const open = (args: string[], env: NodeJS.ProcessEnv) => {
    glass = openPty(
      '/bin/sh',
      ['-c', 'echo before; "$0" dist/skydeck.js "$@"; echo "code $?"', process.execPath, ...args],
      { env },
    );
    return glass;
  };
  const program = (pty: Pty) => pty.terminal.buffer.active.type;

  it('draws nothing where TERM is dumb', async () => {
    const pty = openPty(process.execPath, ['dist/skydeck.js', '--demo'], { env: environment(home, { TERM: 'dumb' }) });
    glass = pty;
    await pty.waitFor('TERM=dumb');
    expect((await pty.exit).code).toBe(2);
    expect(pty.bytes).not.toContain('\x1b');
  });

  it('leaves with one sentence and exit code 3 when the token is not accepted', async () => {
    const pty = open([], account({ SKYDECK_TOKEN: 'not-this-one' }));
    await pty.waitFor('code 3');
    expect(program(pty)).toBe('normal');
    expect(pty.text()).toMatch(/^before\nThe API does not accept the token/);
    expect(pty.terminal.modes).toMatchObject({ bracketedPasteMode: false, sendFocusMode: false });
  });

  it('refuses to change anything without an audit log, before it draws', async () => {
    await writeFile(join(home, 'state'), '');
    const pty = open([], account({ XDG_STATE_HOME: join(home, 'state') }));
    await pty.waitFor('code 2');
    expect(pty.text()).toContain('start with --read-only');
    expect(pty.bytes).not.toContain('\x1b[?1049h');
  });
});

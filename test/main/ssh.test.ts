import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { bundle } from '../build.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { jsonLines } from '../jsonLines.ts';
import { serve } from './apiServer.ts';
import { type Ended, environment, skydeck } from './program.ts';

let home: string;
let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
  home = await mkdtemp(join(tmpdir(), 'skydeck-ssh-'));
});
afterAll(async () => {
  await demo.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  const directory = join(home, '.config', 'skydeck');
  await mkdir(directory, { recursive: true });
  const program = join(home, 'login');
  await writeFile(program, '#!/bin/sh\necho "$@"; test -n "$WORK" || echo none; exit 7\n');
  await chmod(program, 0o755);
  const profile = (name: string, more: string) =>
    `[profiles.${name}]\nbase_url = "${demo.url}"\ntoken_env = "WORK"\n${more}[profiles.${name}.ssh]\nrun = ["${program}", "{user}@{address}"]\nuser = "me"\n`;
  await writeFile(
    join(directory, 'config.toml'),
    `${profile('work', '')}[[profiles.work.ssh.when]]\nwhere = "tag:database"\naddress = "private"\n${profile('wall', 'read_only = true\n')}`,
  );
});

const run = (...args: string[]) => skydeck(args, environment(home, { WORK: demo.tokens.full }));

describe('skydeck ssh', () => {
  it('logs in by label, id or address, with the exit code of the shell', async () => {
    await rm(join(home, '.local', 'state', 'skydeck', 'audit.jsonl'), { force: true });
    for (const name of ['web-1', '48200101', '192.0.2.10'])
      expect(await run('ssh', name, '--profile', 'work')).toEqual({
        code: 7,
        stdout: 'me@192.0.2.10\nnone\n',
        stderr: '',
      });
    const lines = jsonLines(await readFile(join(home, '.local', 'state', 'skydeck', 'audit.jsonl'), 'utf8'));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ profile: 'work', server: { label: 'web-1' } });
  });

  it('ends as the shell does that a signal has ended', async () => {
    await writeFile(join(home, 'login'), '#!/bin/sh\nkill -HUP $$\n');
    expect(await run('ssh', 'web-1', '--profile', 'work')).toMatchObject({ code: 128 + 1 });
  });

  it('runs a command, which is never an option of ssh', async () => {
    expect((await run('ssh', 'web-1', '--profile', 'work', '--', 'uptime', '-p')).stdout).toContain(
      'me@192.0.2.10 uptime -p',
    );
    expect((await run('ssh', 'web-1', '--profile', 'work', '--', '-oProxyCommand=id')).stdout).toContain(
      'me@192.0.2.10 -- -oProxyCommand=id',
    );
  });

  it('says which server is meant, that it may not, and that the demo has none', async () => {
    expect(await run('ssh', 'web-l', '--profile', 'work')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'There is no server "web-l"; did you mean web-1?\n',
    });
    expect((await run('ssh', 'db-r', '--profile', 'work')).stderr).toBe(
      'There is no server "db-r"; did you mean one of db-replica-1, db-replica-2 and db-replica-3?\n',
    );
    expect((await run('ssh', 'web-1', '--profile', 'wall')).stderr).toContain(
      'Read-only: a shell is opened only where',
    );
    expect((await run('ssh', 'web-1', '--demo')).stderr).toContain('The servers of the demo are in its memory only');
    expect((await run('ssh')).stderr).toContain('skydeck ssh needs the label, id or address of a server after it.');
  });
});

describe('labels that steer a terminal', () => {
  const odd = (id: number, label: string) => ({
    id,
    label,
    ipv4: [`192.0.2.${id}`],
    ipv6: null,
    status: 'running',
    tags: [],
  });
  const rows = [odd(1, 'web-1\u001b[2J'), odd(2, 'twin\u009b2J'), odd(3, 'twin\u009b2J'), odd(4, 'x\u202ey')];
  const steers = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/;

  it('reach neither the sentences nor the configuration of ssh as they are', async () => {
    const { list } = resourceNamed('servers');
    const { view } = resourceNamed('account');
    const server = await serve({ [view?.path ?? '']: () => ({ body: {} }), [list?.path ?? '']: () => ({ rows }) });
    const env = environment(home, {
      SKYDECK_BASE_URL: server.baseUrl,
      SKYDECK_TOKEN: 'x',
      XDG_CONFIG_HOME: '/nowhere',
    });
    const unknown = await skydeck(['ssh', 'web-12'], env);
    const several = await skydeck(['ssh', 'twin\u009b2J'], env);
    const printed = await skydeck(['export', '--format', 'ssh-config'], env);
    await server.close();
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no server "web-12"') });
    expect(several).toMatchObject({ code: 3, stderr: expect.stringContaining('names 2 servers: 2 (twin') });
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('cannot be the name of a host') });
    for (const { stdout, stderr } of [unknown, several, printed]) expect(stdout + stderr).not.toMatch(steers);
  });
});

it('a shell is not opened where the audit log cannot be written, and a sentence says so', async () => {
  const env = environment(home, { WORK: demo.tokens.full });
  // The signal that comes with the refusal is ignored; a full disk sends none.
  const limited = 'trap \'\' XFSZ; ulimit -f 0; exec "$0" "$@"';
  const { code, stdout, stderr } = await new Promise<Ended>((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', limited, process.execPath, bundle, 'ssh', 'web-1', '--profile', 'work'],
      { env },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, stdout: out, stderr: err }),
    );
  });
  expect(stderr).toMatch(/^Nothing was run, because the audit log .*audit\.jsonl cannot be written: .*\n$/);
  expect([code, stdout]).toEqual([2, '']);
});

describe('skydeck export --format ssh-config', () => {
  it('prints a host for each server, by the addresses of the profile', async () => {
    const { code, stdout } = await run('export', '--format', 'ssh-config', '--profile', 'work');
    expect(code).toBe(0);
    expect(stdout).toContain('Host web-1\n  HostName 192.0.2.10\n  User me\n');
    expect(stdout).toMatch(
      /Host db-primary\n {2}HostName 192\.168\.\d+\.\d+\n|# db-primary has no private IPv4 address/,
    );
  });

  it('has the options that the own call of ssh has before its destination', async () => {
    const file = join(home, 'options.toml');
    const words = [
      'ssh',
      '-4',
      '-p',
      '2222',
      '-Jjump@bastion',
      '-o',
      'ConnectTimeout=5',
      '-oProxyCommand=a "b"',
      '{address}',
      '-i',
      'x',
    ];
    const profile = `[profiles.work]\nbase_url = "${demo.url}"\ntoken_env = "WORK"\n[profiles.work.ssh]\nrun = ${JSON.stringify(words)}\n`;
    await writeFile(file, profile, { mode: 0o600 });
    const { stdout } = await run('export', '--format', 'ssh-config', '--config', file);
    expect(stdout).toContain(
      'Host web-1\n  HostName 192.0.2.10\n  User root\n  Port 2222\n  ProxyJump jump@bastion\n  ConnectTimeout 5\n\nHost',
    );
  });

  it('is no format of a snapshot', () => {
    expect(() => parseArguments(['snapshot', 'servers', '--format', 'ssh-config'])).toThrow(
      '--format ssh-config works only with skydeck export; skydeck snapshot has text, json, jsonl, csv and tsv.',
    );
  });
});

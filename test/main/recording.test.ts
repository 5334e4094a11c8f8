import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../../src/api/request.ts';
import { startDemo } from '../../src/demo/server.ts';
import { openRecording } from '../../src/program/recording/record.ts';
import type { RunSettings } from '../../src/program/settings.ts';
import { version } from '../api/server.ts';
import { bundle } from '../build.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty, type Pty } from '../terminal/pty.ts';
import { serve } from './apiServer.ts';
import { skydeckHere } from './here.ts';
import { environment, skydeck } from './program.ts';

let home: string;
let file: string;
beforeEach(() => {
  home = temporaryFolder('recording');
  file = join(home, 'session.har');
});

const token = 'sesame-open-1234';

/** The volumes of an account whose API answers in its own way, and is gone when this resolves. */
async function recordVolumes(format = 'json') {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://api');
    if (pathname.endsWith('/events')) request.socket.destroy();
    else if (pathname.endsWith('/volumes')) {
      const volume = `{"id":9007199254740993,"label":"db ${token}","size":20,"region":"us-east","secret_key":"hunter22","tags":[]}`;
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'one=two' });
      response.end(`{"data":[${volume}],"page":1,"pages":1,"results":1}`);
    } else response.writeHead(500, { 'content-type': 'text/html' }).end('<p>hunter23</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = environment(home, { SKYDECK_TOKEN: token, SKYDECK_BASE_URL: `http://127.0.0.1:${port}/api` });
  const ended = await skydeckHere(['snapshot', 'volumes', '--format', format, '--record', file], env);
  server.closeAllConnections();
  await promisify(server.close.bind(server))();
  return ended;
}

const replay = (...args: string[]) => skydeckHere(['snapshot', ...args, '--replay', file], environment(home));

describe('a recording', () => {
  test.each(['servers --filter stauts:x', 'journal --fail-on problem'])(
    'is not begun by a mistake of the command line, %s',
    async (line) => {
      const env = environment(home, { SKYDECK_TOKEN: token, SKYDECK_BASE_URL: 'http://127.0.0.1:9' });
      const { code } = await skydeckHere(['snapshot', ...line.split(' '), '--record', file], env);
      expect(code).toBe(2);
      await expect(stat(file)).rejects.toThrow('ENOENT');
    },
  );

  test('is a file of its owner that has no token and no secret, whatever the API answers', async () => {
    await recordVolumes();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    const { log } = JSON.parse(text);
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Skydeck' }, _skydeck: { profile: 'environment' } });
    const volumes = log.entries.find(({ request }: { request: { url: string } }) => request.url.includes('/volumes'));
    expect(volumes.response.content.text).toContain('"id":9007199254740993');
    expect(volumes.response.content.text).toContain('"label":"db [redacted]"');
    for (const secret of [token, 'hunter2', 'set-cookie', 'uthorization']) expect(text).not.toContain(secret);
  });

  test('has no answer that is shown once, though rows have fields of that name', async () => {
    const { record } = openRecording(file, { profile: 'work' } as RunSettings);
    const exchange = (method: string, path: string, text: string) => {
      const request = { method, line: { method, path }, target: path, told: path, headers: {} } as Exchange['request'];
      const response = { status: 200, headers: { 'content-type': 'application/json' }, text };
      record?.({ request, origin: 'https://api.example.com', at: 0, ms: 1, response });
    };
    exchange(
      'POST',
      `${version}/object-storage/buckets/us-east-1/files/object-url`,
      '{"url":"https://signed/","exists":true}',
    );
    exchange('POST', `${version}/account/cancel`, '{"survey_link":"https://survey/"}');
    exchange('GET', `${version}/account/events`, '{"data":[{"entity":{"url":"https://event/"}}]}');
    const text = await readFile(file, 'utf8');
    expect(['signed', 'survey/', 'event/', 'exists'].map((part) => text.includes(part))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('has no secret that an answer repeats under another name', async () => {
    const { record } = openRecording(file, { profile: 'work' } as RunSettings);
    const refused = (method: string, path: string, told: string, body: string | undefined, says: string) => {
      const request = { method, line: { method, path: told }, target: path, told, headers: {}, body };
      const response = { status: 400, headers: {}, text: JSON.stringify({ errors: [{ reason: says }] }) };
      record?.({ request: request as Exchange['request'], origin: 'https://api.example.com', at: 0, ms: 1, response });
    };
    const [password, id] = ['hunter"22\\', '123E4567-E89B-12D3-A456-426614174000'];
    const [list, servers] = [`${version}/account/entity-transfers`, `${version}/server/instances`];
    refused('POST', servers, servers, JSON.stringify({ root_pass: password }), `The password ${password} is too weak.`);
    refused('GET', `${list}/${id}`, `${list}/[redacted]`, undefined, `There is no transfer ${id}.`);
    const { log } = JSON.parse(await readFile(file, 'utf8'));
    const texts = log.entries.map(({ response }: { response: { content: { text: string } } }) => response.content.text);
    expect(texts.map((text: string) => JSON.parse(text).errors[0].reason)).toEqual([
      'The password [redacted] is too weak.',
      'There is no transfer [redacted].',
    ]);
  });

  test('has no token of a transfer, for whose events it is asked', async () => {
    const { record } = openRecording(file, { profile: 'work' } as RunSettings);
    const path = `${version}/account/events`;
    const headers = { 'x-filter': '{"entity.type":"entity_transfer","entity.id":"123E4567"}' };
    const request = { method: 'GET', line: { method: 'GET', path }, target: path, told: path, headers };
    const entity = { id: '123E4567', label: '123E4567', type: 'entity_transfer', url: '/transfers/123E4567' };
    const response = { status: 200, headers: {}, text: JSON.stringify({ data: [{ id: 5, entity }] }) };
    const origin = 'https://api.example.com';
    record?.({ request: request as unknown as Exchange['request'], origin, at: 0, ms: 1, response });
    const text = await readFile(file, 'utf8');
    expect(text).toContain('entity_transfer');
    expect(text).not.toContain('123E4567');
  });

  test('is replayed without the API, with the same rows', async () => {
    const recorded = await recordVolumes();
    expect(recorded).toMatchObject({ code: 0 });
    const replayed = await replay('volumes', '--format', 'json');
    expect(replayed).toMatchObject({ code: 0, stderr: '' });
    const { takenAt, ...rows } = JSON.parse(replayed.stdout);
    const hidden = recorded.stdout.replaceAll(token, '[redacted]').replaceAll('hunter22', '[redacted]');
    expect(JSON.parse(hidden)).toEqual({ ...rows, takenAt: expect.any(String) });
    expect(Math.abs(Date.parse(takenAt) - Date.parse(JSON.parse(hidden).takenAt))).toBeLessThan(60_000);
  });

  test('has no answer to what was not asked, and says so', async () => {
    await recordVolumes();
    const { code, stderr } = await replay('images');
    expect(code).not.toBe(0);
    expect(stderr).toContain('The recording has no answer to this request');
  });

  test('names no row by a secret, nor does the log, and is replayed all the same', async () => {
    const secret = '123E4567-E89B-12D3-A456-426614174000';
    const list = `${version}/account/entity-transfers`;
    const transfer = { token: secret, status: 'pending', is_sender: true, entities: { servers: [1] } };
    const nothing = () => ({ rows: [] });
    const beside = {
      [`${version}/account`]: () => ({ body: {} }),
      [`${version}/server/instances`]: nothing,
      [`${version}/account/events`]: nothing,
    };
    const answered = {
      ...beside,
      [list]: () => ({ rows: [transfer] }),
      [`${list}/${secret}`]: () => ({ body: transfer }),
    };
    const { baseUrl, asked, close } = await serve(answered);
    onTestFinished(close);
    const env = environment(home, { SKYDECK_TOKEN: token, SKYDECK_BASE_URL: baseUrl });
    const log = join(home, 'calls.log');
    for (const [index, format] of ['text', 'csv', 'json'].entries()) {
      const all = await skydeckHere(['snapshot', 'entity-transfers', '--format', format, '--log-file', log], env);
      expect(all).toMatchObject({ stderr: '', code: 0, stdout: expect.stringContaining('[redacted]') });
      const har = join(home, `${index}.har`);
      const one = ['snapshot', `entity-transfers/${secret}`, '--format', format];
      const shown = await skydeckHere([...one, '--log-file', log, '--record', har], env);
      expect(asked).toContain(`GET ${list}/${secret}`);
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('pending') });
      const replayed = await skydeckHere([...one, '--replay', har], environment(home));
      expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('pending') });
      const written = [await readFile(har, 'utf8'), await readFile(log, 'utf8')];
      for (const text of written) expect(text).toContain(`${list}/[redacted]`);
      expect([all.stdout, shown.stdout, ...written].join('')).not.toContain(secret);
    }
  });

  test('that breaks off is replayed as far as it goes', async () => {
    await recordVolumes();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, -30));
    expect((await replay('volumes')).code).not.toBe(2);
  });

  test.each([
    ['{}', 'it is no HAR, which begins with {"log": …'],
    ['{"log":{"entries":[]}}', 'it was not made by skydeck --record; log._skydeck is missing'],
    ['{"log":{"_skydeck":null,"entries":[]}}', 'it was not made by skydeck --record; log._skydeck is missing'],
    ...[
      '"profile":5',
      '"baseUrl":null',
      '"host":{"toString":null}',
      '"vocabulary":null',
      '"vocabulary":{"server":5}',
    ].map((wrong) => [`{"log":{"_skydeck":{"profile":"a",${wrong}},"entries":[]}}`, 'log._skydeck must have texts']),
    ['{"log":{"_skydeck":{"profile":"a"},"entries":[]}}', 'it has no request'],
    [
      '{"log":{"_skydeck":{"profile":"a"},"entries":[{"startedDateTime":8.64e15}]}}',
      'log.entries[0].startedDateTime must be a time',
    ],
    [
      '{"log":{"_skydeck":{"profile":"a"},"entries":[{"startedDateTime":"x"}]}}',
      'log.entries[0].startedDateTime must be a time',
    ],
  ])('%s is refused', async (text, why) => {
    await writeFile(file, text);
    const ended = await replay('volumes');
    expect(ended).toMatchObject({ code: 2, stderr: `The recording ${file} cannot be replayed: ${why}.\n` });
  });

  test('never takes the place of a file', async () => {
    await writeFile(file, 'mine');
    const ended = await skydeck(['snapshot', 'volumes', '--demo', '--record', file], environment(home));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('the file is there already') });
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test('needs no account, and takes none', async () => {
    const ended = await skydeckHere(['--replay', file, '--profile', 'work'], environment(home));
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--replay has its account from the recording'),
    });
  });

  test.each(['accounts', 'volumes'])('is all that a replay of %s asks, whatever profiles there are', async (area) => {
    await recordVolumes();
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const profile = `[profiles.work]\nbase_url = "http://127.0.0.1:${port}"\ntoken_env = "WORK"\n`;
    await mkdir(join(home, '.config/skydeck'), { recursive: true });
    await writeFile(join(home, '.config/skydeck/config.toml'), profile, { mode: 0o600 });
    await skydeckHere(['snapshot', area, '--replay', file], environment(home, { WORK: token }));
    expect(asked).toEqual([]);
  });

  test.each([
    ['watch', '--profile', 'work,home'],
    ['snapshot', 'volumes', '--profile', 'work,home'],
  ])('is of one account: %s %s %s', async (...words) => {
    const ended = await skydeckHere([...words, '--record', file], environment(home));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--record writes down one account') });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('is of one account: another one is not opened from the screen, which says why', async () => {
    const demo = await startDemo({ pace: 50, seed: 1, colleagues: false });
    onTestFinished(demo.close);
    const profiles = ['a', 'b'].map((name) => `[profiles.${name}]\nbase_url = "${demo.url}"\ntoken_env = "TOKEN"\n`);
    await mkdir(join(home, '.config/skydeck'), { recursive: true });
    await writeFile(join(home, '.config/skydeck/config.toml'), profiles.join(''), { mode: 0o600 });
    const env = environment(home, { TOKEN: demo.tokens.readOnly });
    const args = [bundle, 'volumes', '--profile', 'a', '--record', file];
    const pty = openPty(process.execPath, args, { env, columns: 120, rows: 30 });
    await pty.waitFor(/db-primary-data/);
    await pty.press(':');
    await pty.type('profile b');
    await pty.waitFor(/profile b/i);
    await pty.press('enter');
    await pty.waitFor(/--record writes down the account of a alone; without it, b can be/);
    await pty.press('q');
    await pty.exit;
    const { log } = JSON.parse(await readFile(file, 'utf8'));
    expect(log._skydeck.profile).toBe('a');
  });

  test('ends where it may not grow, and harms nothing else', async () => {
    const command = 'ulimit -f 100; exec "$0" "$@"';
    const args = ['-c', command, process.execPath, bundle, 'snapshot', 'servers', '--demo', '--record', file];
    const { stdout, stderr } = await promisify(execFile)('bash', args, { env: environment(home) });
    expect(stdout).toMatch(/^STATUS/);
    expect(stderr).toBe(`The recording ${file} ends here: it may not grow any further. It has what came before.\n`);
    expect(JSON.parse(await readFile(file, 'utf8')).log.creator.name).toBe('Skydeck');
  });
});

describe('the screen of a replay', () => {
  const open = (...args: string[]): Pty =>
    openPty(process.execPath, [bundle, ...args], { env: environment(home), columns: 120, rows: 30 });
  /** Without the header, which tells the account and the time, and without the footer. */
  const body = (pty: Pty) => pty.text().split('\n').slice(1, -2).join('\n');

  test('is that of a faulted session, read-only', async () => {
    const faults = ['--demo', '--servers', '30', '--faults', 'errors:0.3,truncated:0.2', '--seed', '3'];
    const live = open('volumes', ...faults, '--record', file);
    await live.waitFor(/api-1-uploads/);
    const seen = body(live);
    await live.press('q');
    await live.exit;
    // An answer may be shown sooner, or later, than it was recorded.
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    const har = await readFile(file, 'utf8');
    await writeFile(file, har.replaceAll(/("name":"date","value":)"[^"]*"/g, `$1"${later}"`));
    const replayed = open('volumes', '--replay', file);
    await replayed.waitFor(() => body(replayed) === seen);
    await replayed.press('J');
    await replayed.waitFor(/Messages \d/);
    expect(replayed.text()).toContain('Messages 0');
    expect(replayed.text().split('\n')[0]).toMatch(/replay of demo .* read-only/);
    await replayed.press('q');
    expect(await replayed.exit).toMatchObject({ code: 0 });
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createChangeAudit } from '../../src/api/changeAudit.ts';
import type { ApiError } from '../../src/api/error.ts';
import { fileTransfers } from '../../src/api/fileTransfer.ts';
import { createTransport } from '../../src/api/transport.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { client, failure } from './server.ts';

/** A host for files, told of each request before its body is read. */
async function host(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function directory(): Promise<string> {
  const path = temporaryFolder('test');
  return path;
}

/** A client whose API is elsewhere, and the changes it told of. */
function elsewhere(readOnly = false) {
  const changes: object[] = [];
  const { api } = client('http://127.0.0.1:9', { readOnly, onChange: (change) => changes.push(change) });
  return { api, changes };
}

const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'skydeck ');

test('puts a file to another host, without the token, and tells how far it is', async () => {
  const got: Buffer[] = [];
  const asked: IncomingMessage[] = [];
  const url = await host((request, response) => {
    asked.push(request);
    request.on('data', (chunk: Buffer) => got.push(chunk)).on('end', () => response.end());
  });
  const path = join(await directory(), 'backup.tar');
  await writeFile(path, megabytes(3));
  const told: [number, number | undefined][] = [];
  const { api, changes } = elsewhere();
  await api.files.upload(`${url}/bucket/backup.tar?signature=abc`, path, {
    contentType: 'application/x-tar',
    onProgress: (...progress) => told.push(progress),
  });
  expect(Buffer.concat(got).equals(megabytes(3))).toBe(true);
  expect(asked[0]).toMatchObject({ method: 'PUT', url: '/bucket/backup.tar?signature=abc' });
  expect(asked[0]?.headers).toMatchObject({ 'content-type': 'application/x-tar', 'content-length': '3145728' });
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
  expect(told.at(-1)).toEqual([3145728, 3145728]);
  expect(told.length).toBeGreaterThan(3);
  // The audit log names the place, never the signature.
  expect(changes).toMatchObject([{ method: 'PUT', path: `${url}/bucket/backup.tar`, status: 200 }]);
  expect(JSON.stringify(changes)).not.toContain('abc');
});

test('an empty file is put as one', async () => {
  const url = await host((request, response) => {
    expect(request.headers['content-length']).toBe('0');
    request.resume().on('end', () => response.end());
  });
  const path = join(await directory(), 'empty');
  await writeFile(path, '');
  await elsewhere().api.files.upload(`${url}/empty`, path);
});

test('gets a file that only its owner can read, without the token', async () => {
  const asked: IncomingMessage[] = [];
  const url = await host((request, response) => {
    asked.push(request);
    response.end(megabytes(5));
  });
  const path = join(await directory(), 'report.pdf');
  const told: [number, number | undefined][] = [];
  const { api, changes } = elsewhere(true);
  await api.files.download(`${url}/report.pdf?signature=abc`, path, {
    onProgress: (...progress) => told.push(progress),
  });
  expect((await readFile(path)).equals(megabytes(5))).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
  expect(told.at(-1)).toEqual([5242880, 5242880]);
  expect(changes).toEqual([]);
});

test('deletes what is at an address, without the token', async () => {
  const asked: IncomingMessage[] = [];
  const url = await host((request, response) => {
    asked.push(request);
    response.writeHead(204).end();
  });
  const { api, changes } = elsewhere();
  await api.files.remove(`${url}/a?signature=abc`);
  expect(asked[0]).toMatchObject({ method: 'DELETE', url: '/a?signature=abc' });
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
  expect(changes).toMatchObject([{ method: 'DELETE', path: `${url}/a`, status: 204 }]);
});

test('a closed gate lets no file out, and opens no connection for one', async () => {
  const asked: IncomingMessage[] = [];
  const url = await host((request, response) => {
    asked.push(request);
    response.end();
  });
  const path = join(await directory(), 'a');
  await writeFile(path, 'a');
  const { api, changes } = elsewhere(true);
  expect(await failure(api.files.upload(`${url}/a?signature=abc`, path))).toMatchObject({
    kind: 'read-only',
    message: expect.not.stringContaining('abc'),
  });
  expect(asked).toEqual([]);
  expect(changes).toEqual([]);
});

test('a host that answers before it has the whole file has not taken it', async () => {
  const path = join(await directory(), 'a');
  await writeFile(path, megabytes(64));
  const url = await host((request, response) => {
    response.writeHead(200, { connection: 'close' }).end();
    request.resume();
  });
  const { api, changes } = elsewhere();
  const error = await failure(api.files.upload(`${url}/a`, path));
  expect(error.message).toMatch(/before it had the whole file/);
  expect(error).toMatchObject({ kind: 'unreachable', maybeSent: true });
  expect(changes).toMatchObject([{ outcome: 'answer lost' }]);
});

test('a file whose end is not told is not taken for whole', async () => {
  const path = join(await directory(), 'a');
  const url = await host((request) => void request.socket.end('HTTP/1.1 200 OK\r\n\r\nhalf'));
  const error = await failure(elsewhere().api.files.download(`${url}/a`, path));
  expect(error.message).toBe('The host does not tell where the file ends, so nothing was saved.');
  expect(existsSync(path)).toBe(false);
});

test('what a storage host refuses is told as a sentence, without the signature', async () => {
  const url = await host((request, response) => {
    request.resume();
    response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>Request has expired.</Message></Error>');
  });
  const path = join(await directory(), 'a');
  const { api } = elsewhere();
  const error = await failure(api.files.download(`${url}/a?signature=abc`, path));
  expect(error).toMatchObject({ kind: 'answer', status: 403 });
  expect(error.message).toBe(
    `${url} refuses GET ${url}/a (403: Request has expired); the address may have expired, so create a new one.`,
  );
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('of a refusal no more is read than a sentence takes', async () => {
  const url = await host((_, response) => {
    response.writeHead(403);
    response.write(' '.repeat(300_000), () => response.end('<Message>Far behind.</Message>'));
  });
  const error = await failure(elsewhere().api.files.download(`${url}/a`, join(await directory(), 'a')));
  expect(error.message).toContain('(403)');
});

test('a download that breaks off leaves no file', async () => {
  const url = await host((_, response) => {
    response.writeHead(200, { 'content-length': '1000000' });
    response.write('x'.repeat(500_000), () => response.destroy());
  });
  const path = join(await directory(), 'a');
  expect(await failure(elsewhere().api.files.download(`${url}/a`, path))).toMatchObject({ kind: 'unreachable' });
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('a download that is cancelled leaves no file, even where the program ends at once', async () => {
  const url = await host((_, response) => void response.writeHead(200, { 'content-length': '100' }).write('x'));
  const path = join(await directory(), 'a');
  const cancel = new AbortController();
  const begun = Promise.withResolvers<void>();
  const options = { signal: cancel.signal, onProgress: () => begun.resolve() };
  const carried = failure(elsewhere().api.files.download(`${url}/a`, path, options));
  await begun.promise;
  expect(existsSync(path)).toBe(true);
  cancel.abort();
  expect(existsSync(path)).toBe(false);
  expect(await carried).toMatchObject({ kind: 'aborted' });
  expect(existsSync(path)).toBe(false);
});

test('nothing is overwritten', async () => {
  const url = await host((_, response) => response.end('new'));
  const path = join(await directory(), 'a');
  await writeFile(path, 'old');
  const error = await failure(elsewhere().api.files.download(`${url}/a`, path));
  expect(error.message).toBe(
    `The file ${path} cannot be written: it exists already, and nothing is overwritten; name another file.`,
  );
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('a file that is not there is told before anything is sent', async () => {
  const { api } = elsewhere();
  expect((await failure(api.files.upload('http://127.0.0.1:9/a', '/nowhere/a'))).message).toBe(
    'The file /nowhere/a cannot be read: no such file or directory.',
  );
  expect((await failure(api.files.upload('http://127.0.0.1:9/a', tmpdir()))).message).toMatch(/is not a file/);
  expect((await failure(api.files.upload('file:///etc/passwd', '/etc/hostname'))).message).toMatch(/nothing was sent/);
});

test.each(['upload', 'download'] as const)('an %s is cancelled at once', async (way) => {
  const begun = Promise.withResolvers<void>();
  const url = await host((request, response) => {
    if (way === 'download') response.writeHead(200, { 'content-length': '100' }).write('x');
    request.once('readable', begun.resolve);
    if (way === 'download') begun.resolve();
  });
  const path = join(await directory(), 'a');
  if (way === 'upload') await writeFile(path, megabytes(64));
  const stop = new AbortController();
  const carried = failure(elsewhere().api.files[way](`${url}/a`, path, { signal: stop.signal }));
  await begun.promise;
  stop.abort();
  expect(await carried).toMatchObject({ kind: 'aborted', maybeSent: way === 'upload' });
});

test.each([204, 206])('an answer of %d is no whole file, and nothing is saved', async (status) => {
  const url = await host((_, response) => {
    response.writeHead(status, { 'content-range': 'bytes 0-3/100' }).end(status === 206 ? 'part' : undefined);
  });
  const path = join(await directory(), 'a');
  const error = await failure(elsewhere().api.files.download(`${url}/a`, path));
  expect(error.message).toBe(`The host answers with ${status}, which is no whole file, so nothing was saved.`);
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('closing the client ends a transfer', async () => {
  const begun = Promise.withResolvers<void>();
  const url = await host((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x', () => begun.resolve());
  });
  const { api } = elsewhere();
  const carried = failure(api.files.download(`${url}/a`, join(await directory(), 'a')));
  await begun.promise;
  await api.close();
  expect(await carried).toMatchObject({ kind: 'aborted' });
});

test('a transfer in which nothing moves is given up', async () => {
  const url = await host((_, response) => void response.writeHead(200, { 'content-length': '100' }).write('x'));
  const transport = createTransport('http://127.0.0.1:9', 1000, false);
  onTestFinished(() => transport.close());
  const { download } = fileTransfers(transport, createChangeAudit({}), 50);
  expect(await failure(download(`${url}/a`, join(await directory(), 'a')))).toMatchObject({ kind: 'timeout' });
});

describe('a file that is not the same to its end', () => {
  /** Uploads 64 MiB, changes them once the host has the first of them, and counts what arrives. */
  async function uploadAndChange(change: (path: string) => Promise<unknown>) {
    const path = join(await directory(), 'a');
    await writeFile(path, megabytes(64));
    const got = { bytes: 0, isWhole: false };
    const url = await host((request, response) => {
      request.on('error', () => {});
      request.once('readable', async () => {
        await change(path);
        request.on('data', (chunk: Buffer) => {
          got.bytes += chunk.length;
        });
        request.on('end', () => {
          got.isWhole = true;
          response.end();
        });
      });
    });
    const { api, changes } = elsewhere();
    const ended = await api.files.upload(`${url}/a`, path).catch((error: ApiError) => error);
    return { path, url, ended, changes, got };
  }

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['grows', (path) => appendFile(path, 'more')],
    ['shrinks', (path) => truncate(path, 10)],
    ['is written over in its place', (path) => writeFile(path, 'another ', { flag: 'r+' })],
    [
      'is replaced by another of the same size',
      async (path) => {
        await writeFile(`${path}.new`, megabytes(64).fill('another '));
        await rename(`${path}.new`, path);
      },
    ],
  ])('that %s is told, with what was sent, and the host never has all of it', async (_, change) => {
    const { path, url, ended, changes, got } = await uploadAndChange(change);
    const { message } = ended as ApiError;
    const [, sent = ''] = /: ([\d ]+) of 67 108 864 bytes were sent/.exec(message) ?? [];
    const bytes = Number(sent.replaceAll(' ', ''));
    expect(message).toBe(
      `The file ${path} changed while it was sent: ${sent} of 67 108 864 bytes were sent, so ${url} never had all of it; upload it again.`,
    );
    expect(bytes).toBeLessThan(67108864);
    expect(got.bytes).toBeLessThanOrEqual(bytes);
    expect(got.isWhole).toBe(false);
    expect(ended).toMatchObject({ maybeSent: true });
    expect(changes).toMatchObject([{ outcome: 'answer lost', error: message }]);
  });

  test('but whose name is gone is sent as a whole, as it is nowhere else', async () => {
    const { ended, changes, got } = await uploadAndChange((path) => rm(path));
    expect(ended).toBeUndefined();
    expect(got).toEqual({ bytes: 67108864, isWhole: true });
    expect(changes).toMatchObject([{ outcome: 'done' }]);
  });

  test.runIf(existsSync('/proc/self/status'))('and has more than it tells is not sent as empty', async () => {
    const url = await host((request, response) => void request.resume().on('end', () => response.end()));
    const { message } = await failure(elsewhere().api.files.upload(`${url}/a`, '/proc/self/status'));
    expect(message).toContain('The file /proc/self/status changed while it was sent: 0 of 0 bytes were sent');
  });

  test('and is small or empty is not sent at all', async () => {
    const path = join(await directory(), 'a');
    for (const content of ['', 'content']) {
      await writeFile(path, content);
      const asked: IncomingMessage[] = [];
      const url = await host((request, response) => {
        asked.push(request);
        response.end();
      });
      const { api } = client('http://127.0.0.1:9', { beforeChange: () => appendFile(path, 'more') });
      const { message } = await failure(api.files.upload(`${url}/a`, path));
      expect(message).toContain(`changed while it was sent: 0 of ${content.length} bytes were sent`);
      expect(asked).toEqual([]);
    }
  });
});

test('a pipe is told at once, and nobody waits for its other end', async () => {
  const path = join(await directory(), 'pipe');
  execFileSync('bash', ['-c', 'mkfifo "$0"', path]);
  const { message } = await failure(elsewhere().api.files.upload('http://127.0.0.1:9/a', path));
  expect(message).toBe(`${path} is not a file, so nothing was sent; name a file.`);
});

test.each([
  ['http://files.example.com/a?signature=abc', 'is not encrypted (files.example.com)'],
  ['https://127.0.0.1:9/a?signature=abc', 'points to this machine'],
  ['https://0x7f.1/a', 'points to this machine'],
  ['https://localhost/a', 'points to this machine'],
  ['https://files.localhost/a', 'points to this machine'],
  ['https://[::1]/a', 'points to this machine'],
  ['https://[::ffff:127.0.0.1]/a', 'points to this machine'],
  ['https://169.254.169.254/a', 'points to this machine'],
  ['https://[fe80::1]/a', 'points to this machine'],
  ['https://0.0.0.0/a', 'points to this machine'],
])('sends nothing to %s, where an API elsewhere leads', async (address, says) => {
  const { api } = client('https://api.example.com');
  const path = join(await directory(), 'file');
  await writeFile(path, 'content');
  for (const sent of [api.files.upload(address, path), api.files.download(address, path), api.files.remove(address)]) {
    const error = await failure(sent);
    expect(error.message).toContain(says);
    expect(error.message).toContain('nothing was sent');
    expect(error.message).not.toContain('signature');
  }
});

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { environment, skydeck } from './program.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('proxy');
});

const tls = join(import.meta.dirname, 'tls');
const certificate = join(tls, 'certificate.pem');

/** Listens on the loopback interface until the test is over. Answers the port. */
async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An API that speaks TLS, under a name that nobody can look up. */
async function startApi(): Promise<number> {
  const [key, cert] = await Promise.all([readFile(join(tls, 'key.pem')), readFile(certificate)]);
  const rows = JSON.stringify({ data: [{ id: 1, label: 'data-1', status: 'active' }], page: 1, pages: 1, results: 1 });
  return listening(
    createServer({ key, cert }, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(rows);
    }),
  );
}

/** A proxy that opens a tunnel to this port, whatever it is asked for, for whoever has the password. */
async function startProxy(port: number) {
  const asked: string[] = [];
  const accepted = `Basic ${Buffer.from('me:pass word').toString('base64')}`;
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      const [line = ''] = head.toString().split('\r\n');
      asked.push(line);
      if (!head.toString().includes(accepted))
        return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
    });
  });
  return { asked, port: await listening(server) };
}

const account = (proxy: string, more: Record<string, string> = {}) => ({
  ...environment(home, { SKYDECK_TOKEN: 'token-of-the-test', SKYDECK_BASE_URL: 'https://api.example.test' }),
  NODE_EXTRA_CA_CERTS: certificate,
  HTTPS_PROXY: proxy,
  ...more,
});

it('the API is reached through the proxy of the environment, which the doctor tells without its password', async () => {
  const proxy = await startProxy(await startApi());
  const env = account(`http://me:pass%20word@127.0.0.1:${proxy.port}`);
  const { code, stdout, stderr } = await skydeck(['snapshot', 'volumes', '--format', 'csv'], env);
  expect(stderr).toBe('');
  expect(stdout).toContain('data-1');
  expect(code).toBe(0);
  expect(proxy.asked[0]).toBe('CONNECT api.example.test:443 HTTP/1.1');

  const doctor = await skydeck(['doctor'], env);
  expect(doctor.stdout).toMatch(new RegExp(`✓ proxy +http://127\\.0\\.0\\.1:${proxy.port} \\(HTTPS_PROXY\\)\n`));
  expect(doctor.stdout).toMatch(/✓ token +accepted/);
  expect(doctor.stdout).not.toMatch(/pass( |%20)word/);
});

it('a proxy that does not take the password says so', async () => {
  const proxy = await startProxy(1);
  const { code, stderr } = await skydeck(['snapshot', 'volumes'], account(`http://me:wrong@127.0.0.1:${proxy.port}`));
  expect(stderr).toMatch(
    /^https:\/\/api\.example\.test through the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached for GET \S+: the proxy does not accept the name and password \(407\)\.\n$/,
  );
  expect(code).toBe(3);
});

it('what is no address of a proxy is a mistake in the environment', async () => {
  const { code, stderr } = await skydeck(['snapshot', 'volumes'], account('socks5://me:secret@127.0.0.1'));
  expect(stderr).toBe('HTTPS_PROXY must be an http or https address such as http://proxy.example.com:3128.\n');
  expect(code).toBe(2);
});

it('the demo is reached without the proxy', async () => {
  const env = environment(home, { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' });
  const { code, stderr } = await skydeck(['snapshot', 'volumes', '--demo'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

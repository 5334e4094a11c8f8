/** The demo API in a thread of its own: it tells its address at once and builds the cloud while the program goes on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

const port = parentPort;
if (port) {
  // Whoever asks before there is a cloud waits for it.
  const listener = Promise.all([import('./server.ts'), once(port, 'message')]).then(
    ([{ demoListener }, [options]]) => demoListener(options).listener,
  );
  const server = createServer(async (request, response) => (await listener)(request, response));
  server.listen(0, '127.0.0.1', () => {
    port.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

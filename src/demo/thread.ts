/** The demo API in a thread of its own: it tells its address at once and builds the cloud while the program goes on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import nodeModule from 'node:module';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { options, cacheDirectory } = workerData;
if (cacheDirectory) nodeModule.enableCompileCache(cacheDirectory);

// Whoever asks before there is a cloud waits for it.
const listener = import('./server.ts').then(({ demoListener }) => demoListener(options).listener);
const server = createServer(async (request, response) => (await listener)(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
parentPort?.postMessage(`http://127.0.0.1:${port}`);

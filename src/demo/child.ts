/** The demo API in a process of its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** Starts the demo API in this process. */
export const startDemo = async (...given: Parameters<typeof import('./server.ts').startDemo>) =>
  (await import('./server.ts')).startDemo(...given);

/**
 * Reads the options of the demo API, a line of JSON, and writes its address, a line as well, at once: the cloud is
 * built while the parent goes on.
 * @param onEnd called when the parent ends it, or has ended
 */
export function serveParent({ stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'>, onEnd: () => void): void {
  const lines = createInterface(stdin);
  lines.on('close', onEnd);
  // Requests that arrive before there is a cloud wait for it.
  const listener = Promise.all([import('./server.ts'), once(lines, 'line')]).then(
    ([{ demoListener }, [line]]) => demoListener(JSON.parse(line)).listener,
  );
  const server = createServer(async (request, response) => (await listener)(request, response));
  server.listen(0, '127.0.0.1', () => {
    stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
}

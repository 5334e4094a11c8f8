import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';

/** Every change that a demo receives until the test ends, as `METHOD path`. */
export function changesAt(demo: Demo): readonly string[] {
  const received: string[] = [];
  const port = Number(new URL(demo.url).port);
  const note = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.socket.localPort === port && request.method !== 'GET')
      received.push(`${request.method} ${request.url}`);
  };
  subscribe('http.server.request.start', note);
  onTestFinished(() => void unsubscribe('http.server.request.start', note));
  return received;
}

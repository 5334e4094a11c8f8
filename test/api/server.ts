import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Api, connect } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/error.ts';
import type { ApiOptions, Call } from '../../src/api/request.ts';
import { answering } from '../answering.ts';

/** Every path begins with it (document 1, 9). */
export const version = '/v4';

/** A request as the server saw it. */
export interface Seen {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Handler = (seen: Seen, response: ServerResponse, count: number) => unknown;

/** An HTTP server on loopback for one test, and everything it was asked. */
export async function serve(handler: Handler): Promise<{ url: string; seen: Seen[]; connections: () => number }> {
  const seen: Seen[] = [];
  let connections = 0;
  const answerTo = answering(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', headers, url = '' } = request;
    const entry = { method, headers, body, url: new URL(url, 'http://server') };
    seen.push(entry);
    await handler(entry, response, seen.length);
  });
  const server = createServer(answerTo);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, connections: () => connections };
}

/** Answers JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A client of one test, what it reported, and how long it would have waited. */
export function client(
  baseUrl: string,
  options: Partial<ApiOptions> = {},
): { api: Api; calls: Call[]; waits: number[] } {
  const calls: Call[] = [];
  const waits: number[] = [];
  const api = connect({
    baseUrl,
    token: 'secret-token-of-the-test',
    onCall: (call) => calls.push(call),
    sleep: async (ms) => void waits.push(ms),
    random: () => 1,
    ...options,
  });
  onTestFinished(() => api.close());
  return { api, calls, waits };
}

/** The ApiError that a promise rejects with; throws when it does anything else. */
export async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { answering } from '../answering.ts';
import { startQuietDemo } from './skydeck.ts';

/** A demo API that keeps requests until the test lets them go. */
export interface HeldDemo extends Demo {
  /** The number of requests that wait. */
  readonly held: number;
  /** Passes the oldest requests on that wait, and answers them; all by default. */
  release(count?: number): void;
  /** Passes the oldest request on that waits, and never answers it. */
  lose(): void;
}

/**
 * Starts one; it ends after the test.
 * @param holds which requests it keeps; changes by default
 */
export async function startHeldDemo(
  holds = ({ method }: IncomingMessage): boolean => method !== 'GET',
  options?: Parameters<typeof startQuietDemo>[0],
): Promise<HeldDemo> {
  const demo = await startQuietDemo(options);
  const waiting: ((isLost: boolean) => void)[] = [];
  const answerTo = answering(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isLost = holds(request) && (await new Promise<boolean>((go) => waiting.push(go)));
    await pass(demo.url, request, Buffer.concat(chunks), response, isLost);
  });
  const server = createServer(answerTo);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await demo.close();
  });
  return {
    ...demo,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get held() {
      return waiting.length;
    },
    release: (count = waiting.length) => {
      for (const go of waiting.splice(0, count)) go(false);
    },
    lose: () => waiting.shift()?.(true),
  };
}

async function pass(
  url: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  isLost: boolean,
): Promise<void> {
  const { method, url: path = '', headers } = request;
  const sent = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
  const answer = await fetch(url + path, {
    method,
    headers: Object.fromEntries(sent) as Record<string, string>,
    body: body.length > 0 ? new Uint8Array(body) : undefined,
  });
  if (isLost) {
    response.destroy();
    return;
  }
  const told = [...answer.headers].filter(
    ([name]) => !/^(connection|transfer-encoding|content-|keep-alive)/.test(name),
  );
  response.writeHead(answer.status, { ...Object.fromEntries(told), 'content-type': 'application/json' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

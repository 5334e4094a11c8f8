import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { startQuietDemo } from './skydeck.ts';

/** A request as it arrived, and what the demo answers to it. */
export interface Exchanged {
  method: string;
  /** Without the version and the query. */
  path: string;
  query: URLSearchParams;
  /** X-Filter, where there was one. */
  filter: Record<string, unknown> | undefined;
  /** The body that was sent, as text. */
  sent: string;
  status: number;
  /** The text of the answer. */
  text: string;
}

/** Answers in place of the demo: with a text, or a status beside it; undefined leaves its answer as it is. */
type Alter = (exchanged: Exchanged) => string | { status: number; text: string } | undefined;

/** Answers a refusal. */
export const refusal = (status: number, reason: string) => ({ status, text: JSON.stringify({ errors: [{ reason }] }) });

/** Refuses a request, so that nothing of it is done; undefined lets the demo answer. */
type Refuse = (asked: Pick<Exchanged, 'method' | 'path'>) => { status: number; text: string } | undefined;

/**
 * An API that differs from the demo in some answers, for one test, and everything it was asked.
 * @param refuse looks at each request before the demo does
 */
export async function startOtherApi(
  alter: Alter,
  refuse: Refuse = () => undefined,
  given?: Demo,
): Promise<Demo & { seen: Exchanged[] }> {
  const demo = given ?? (await startQuietDemo({ servers: 3 }));
  const seen: Exchanged[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const sent = await textOf(request);
    const { authorization = '', 'x-filter': filter } = request.headers;
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...(typeof filter === 'string' && { 'x-filter': filter }),
    };
    const { pathname, searchParams: query } = new URL(url, demo.url);
    const path = pathname.replace(/^\/\w+/, '');
    const asked = typeof filter === 'string' ? JSON.parse(filter) : undefined;
    const given =
      refuse({ method, path }) ?? (await answerOf(demo.url + url, { method, headers, body: sent || undefined }));
    const exchanged = { method, path, query, filter: asked, sent, ...given };
    seen.push(exchanged);
    const altered = alter(exchanged) ?? exchanged;
    const { status, text } = typeof altered === 'string' ? { status: 200, text: altered } : altered;
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    // Who asks may leave, at the end of the test at the latest.
    const answering = answer(request, response).catch(() => void response.destroy());
    underWay.add(answering);
    void answering.finally(() => underWay.delete(answering));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all(underWay);
    await demo.close();
  });
  return { ...demo, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function answerOf(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, request);
  return { status: answer.status, text: await answer.text() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

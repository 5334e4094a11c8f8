import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Demo } from '../../src/demo/server.ts';
import { answering } from '../answering.ts';
import { startQuietDemo } from './skydeck.ts';

/** A demo API of which nobody learns by its events what others change: those answer that nothing has happened. */
export interface SilentApi extends Demo {
  /** The reads of one row that are refused, as the path without the version ends; none at first. */
  refused: RegExp | undefined;
}

/** Starts one; its owner closes it. */
export async function startSilentApi(): Promise<SilentApi> {
  const demo = await startQuietDemo({ servers: 10 });
  const answerTo = answering(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const answer = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    const [path = ''] = url.split('?');
    if (path.endsWith('/account/events'))
      return answer(200, JSON.stringify({ data: [], page: 1, pages: 1, results: 0 }));
    if (method === 'GET' && api.refused?.test(path))
      return answer(403, JSON.stringify({ errors: [{ reason: 'Unauthorized' }] }));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const passed = { authorization: headers.authorization ?? '', 'content-type': 'application/json' };
    const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
    const from = await fetch(demo.url + url, { method, headers: passed, body });
    return answer(from.status, await from.text());
  });
  const server = createServer(answerTo);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const api: SilentApi = {
    ...demo,
    refused: undefined,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await demo.close();
    },
  };
  return api;
}

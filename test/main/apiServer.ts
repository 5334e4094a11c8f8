import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Api, connect } from '../../src/api/client.ts';
import { areas } from '../../src/program/areas.ts';
import { resourceNamed } from '../../src/resources/index.ts';

/** Answers with a status and a JSON body, with a text as it is, or with rows as one page of a collection. */
export type Route = (url: URL) => {
  status?: number;
  body?: unknown;
  text?: string;
  rows?: readonly unknown[];
  headers?: Record<string, string>;
};

/** The path of the list of a resource. */
export const pathOf = (name: string): string => resourceNamed(name).list?.path ?? '';

/** All areas of an account that has nothing. */
export const emptyAreas: Readonly<Record<string, Route>> = Object.fromEntries(
  areas.map(({ list, view }) =>
    list ? [list.path, () => ({ rows: [] })] : [view?.path ?? '', (): ReturnType<Route> => ({ body: {} })],
  ),
);

/** A real HTTP server that answers these paths, and 404 for all others. */
export async function serve(routes: Readonly<Record<string, Route>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    asked.push(`${request.method} ${url.pathname}`);
    const answer = routes[url.pathname]?.(url) ?? { status: 404, body: { errors: [{ reason: 'Not found' }] } };
    const { status = 200, rows, headers = {} } = answer;
    const body = rows ? { data: rows, page: 1, pages: 1, results: rows.length } : (answer.body ?? {});
    send(response, status, answer.text ?? JSON.stringify(body), headers);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: Api[] = [];
  return {
    baseUrl,
    asked,
    /** A client whose retries do not wait. */
    client(token = 'token-of-the-test'): Api {
      const api = connect({ baseUrl, token, readOnly: true, sleep: async () => {} });
      clients.push(api);
      return api;
    },
    async close() {
      await Promise.all(clients.map((api) => api.close()));
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function send(response: ServerResponse, status: number, text: string, headers: Record<string, string>) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

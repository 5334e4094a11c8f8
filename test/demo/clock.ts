import { type Demo, type DemoOptions, startDemo } from '../../src/demo/server.ts';
import { operationsOf, resourceNamed } from '../../src/resources/index.ts';
import type { Params } from '../../src/resources/resource.ts';

interface Asked {
  body?: object;
  headers?: Record<string, string>;
  token?: string;
}

interface Handler<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** A demo whose clock only moves when it is told to. */
export interface Clockwork extends Demo {
  /** Lets so many seconds pass. */
  pass(seconds: number): void;
  /** Asks for an operation by its resource and its name there. */
  ask<T>(resource: string, name: string, params?: Params, asked?: Asked): Promise<Handler<T>>;
}

export interface Page<T> {
  data: T[];
  results: number;
}

/** The shape of a server as far as tests look at it. */
export interface Server {
  id: number;
  label: string;
  status: string;
  type: string;
  region: string;
  tags: string[];
  ipv4: string[];
  backups: { enabled: boolean };
}

/** The shape of an event as far as tests look at it. */
export interface Event {
  id: number;
  action: string;
  status: string;
  percent_complete: number | null;
  duration: number | null;
  rate: string | null;
  time_remaining: string | null;
  entity: { id?: number; label: string };
}

/** Starts a demo on a Tuesday noon, with a clock that stands still. */
export async function openClockwork(options: DemoOptions = {}): Promise<Clockwork> {
  let time = Date.UTC(2025, 5, 10, 12);
  const demo = await startDemo({ now: () => time, ...options });
  return {
    ...demo,
    pass: (seconds) => {
      time += seconds * 1000;
    },
    ask: async <T>(
      resource: string,
      name: string,
      params: Params = {},
      { body, headers = {}, token = demo.tokens.full }: Asked = {},
    ) => {
      const { path, method } = operationAt(resource, name);
      const address = addressOf(demo, path, params);
      const sent = {
        method,
        body: body && JSON.stringify(body),
        headers: { Authorization: `Bearer ${token}`, ...headers },
      };
      const response = await fetch(address, sent);
      return { status: response.status, headers: response.headers, body: (await response.json()) as T };
    },
  };
}

const addressOf = ({ url }: Demo, path: string, params: Params) =>
  url + path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');

/** Asks a demo for its servers, whatever comes of it. */
export const fetchServers = (demo: Demo, signal?: AbortSignal): Promise<Response> =>
  fetch(addressOf(demo, operationAt('servers', 'list').path, {}), {
    headers: { Authorization: `Bearer ${demo.tokens.full}` },
    signal,
  });

function operationAt(resource: string, name: string) {
  const found = operationsOf(resourceNamed(resource)).find((one) => one.name === name);
  if (!found) throw new Error(`${resource} has no operation ${name}`);
  return found.operation;
}

/** The one thing that a test needs. */
export function need<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new Error(`there is no ${what}`);
  return thing;
}

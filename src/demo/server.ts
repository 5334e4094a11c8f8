import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { writeHistory } from './account/events.ts';
import { startActivity } from './activity.ts';
import { users } from './engine/access.ts';
import { Cloud } from './engine/cloud.ts';
import { faultInjector } from './engine/faults.ts';
import { appOf } from './engine/routes.ts';
import { minute } from './engine/time.ts';
import { translatorFor } from './engine/vocabulary.ts';
import * as handlers from './handlers.ts';

/** The options of the demo API. */
export interface DemoOptions {
  /** The port on the loopback interface; 0 takes a free one. */
  port?: number;
  /** The number of servers at first, 0 to 20 000. */
  servers?: number;
  /** The same seed gives the same cloud. */
  seed?: number;
  /** The delay of every answer, in milliseconds. */
  latencyMs?: number;
  /** Faults, each with its share of the requests: `errors`, `limits:0.1`, `drops` and others. */
  faults?: readonly string[];
  /** The deployment's words for the documents' stand-ins, e.g. `{server: 'acme'}`. */
  vocabulary?: Readonly<Record<string, string>>;
  /** The factor by which jobs and the work of colleagues are faster than real time. */
  pace?: number;
  /** Whether colleagues are at work in it and something is under way at first; true by default. */
  colleagues?: boolean;
  /** The clock, in milliseconds since the epoch. */
  now?: () => number;
}

/** A demo API that answers. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/**
 * Starts the demo API: a cloud in memory, endpoint over HTTP on 127.0.0.1.
 * @throws for an unknown fault or word, too many servers, a port that is taken, or an operation without an answer, naming it
 */
export async function startDemo(options: DemoOptions = {}) {
  const { listener, setFaults } = demoListener(options);
  // Clients end a connection before that: one that is closed while a request is on its way loses the answer.
  const server = createServer({ keepAliveTimeout: minute }, listener);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  /** `full` may do all, `readOnly` may read all, `restricted` has few scopes and no grants. */
  const tokens = Object.fromEntries(Object.entries(users).map(([name, { token }]) => [name, token]));
  return {
    /** Everything before the version in a path. */
    url: `http://127.0.0.1:${taken}`,
    tokens: tokens as Record<keyof typeof users, string>,
    setFaults,
    /** Ends it; open requests are cut off. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Builds the cloud, in memory, and returns the request listener that serves it over `node:http`.
 * @throws for an unknown fault or word, too many servers, or an operation without an answer, naming it
 */
export function demoListener(options: Omit<DemoOptions, 'port'>) {
  const { servers = 40, seed = 1, latencyMs = 0, faults = [], pace = 1, colleagues = true, now = Date.now } = options;
  if (!(servers >= 0 && servers <= 20_000))
    throw new Error(`There can be 0 to 20000 servers; ${servers} were asked for.`);
  // The cloud has been at work for a while, so that something is under way when it is first looked at.
  const cloud = new Cloud({ seed, servers, pace, time: now() - 100_000 / pace });
  writeHistory(cloud);
  if (colleagues) startActivity(cloud);
  const behaviour = {
    now,
    latencyMs,
    injectFault: faultInjector(faults, seed),
    translator: translatorFor(options.vocabulary),
  };
  const { fetch } = appOf(cloud, Object.values(handlers), behaviour);
  return {
    listener: getRequestListener(fetch, { overrideGlobalObjects: false }),
    /** Injects other faults from the next request on; none with an empty list. @throws for an unknown fault */
    setFaults: (list: readonly string[]) => {
      behaviour.injectFault = faultInjector(list, seed);
    },
  };
}

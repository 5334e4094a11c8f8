import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { invalidToken } from './access.ts';
import { faultNames } from './faultNames.ts';
import { type Random, randomFrom } from './random.ts';

type FaultName = (typeof faultNames)[number];

/** A request into which a fault may be injected. */
interface Exchange {
  outgoing: HttpBindings['outgoing'];
  /** Has the cloud do its work. */
  proceed: () => Promise<Response>;
  /** Has a colleague change the row that is asked for alone, where it is one. */
  changeAsColleague: () => Promise<void>;
}

/** Answers a request in place of the cloud, or lets it through with undefined. */
export type FaultInjector = (exchange: Exchange) => Promise<Response | undefined>;

/**
 * Injects the faults of a list, each into its share of the requests (`errors:0.2`; 0.2 without a share).
 * The same seed injects the same faults in the same order.
 * @throws for an unknown fault or a share that is not between 0 and 1
 */
export function faultInjector(faults: readonly string[], seed: number): FaultInjector {
  const shares = faults.map(shareOf);
  const random = randomFrom(seed, 4100);
  let isRevoked = false;
  return async (exchange) => {
    const kind = isRevoked ? 'revoked' : shares.find(({ share }) => random.chance(share))?.kind;
    isRevoked = kind === 'revoked';
    return kind && responses[kind]({ ...exchange, random });
  };
}

function shareOf(fault: string): { kind: FaultName; share: number } {
  const [name, text = '0.2'] = fault.split(':');
  const kind = faultNames.find((one) => one === name);
  if (!kind) throw new Error(`There is no fault called ${name}; there are ${faultNames.join(', ')}.`);
  const share = Number(text);
  if (!(share >= 0 && share <= 1)) throw new Error(`The share of ${name} must be between 0 and 1; it is ${text}.`);
  return { kind, share };
}

const responses: Record<FaultName, (exchange: Exchange & { random: Random }) => Promise<Response>> = {
  // A gateway that gives up waiting does not stop the work behind it.
  errors: async ({ random, proceed }) => {
    const status = random.pick([500, 502, 504]);
    if (status === 500) return refusal(status, 'An unexpected error occurred. Please try again.');
    if (random.chance(0.5)) await proceed();
    return page(status, 'The upstream server did not answer in time.');
  },
  unavailable: async ({ random }) => refusal(503, 'The API is under maintenance.', someDelay(random)),
  limits: async ({ random }) => refusal(429, 'Too many requests', someDelay(random)),
  // Another job is running on what is read; changes have refusals of their own for that.
  busy: async ({ outgoing, proceed }) => (outgoing.req.method === 'GET' ? refusal(400, 'Server busy.') : proceed()),
  // Half of the lost connections break after the work was done, so that nobody knows whether it was.
  drops: async ({ random, outgoing, proceed }) => {
    if (random.chance(0.5)) await proceed();
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  },
  hangs: async ({ outgoing }) => {
    if (!outgoing.destroyed) await once(outgoing, 'close');
    return RESPONSE_ALREADY_SENT;
  },
  pages: async () => page(200, 'Welcome to the network. Please sign in.'),
  // The work is done, but half of the answer is missing: it says it is complete, or the connection breaks.
  truncated: async ({ random, outgoing, proceed }) => {
    const text = await (await proceed()).text();
    const half = text.slice(0, Math.ceil(text.length / 2));
    const headers = { 'Content-Type': 'application/json' };
    if (random.chance(0.5)) return new Response(half, { headers });
    outgoing.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) });
    outgoing.write(half, () => outgoing.destroy());
    return RESPONSE_ALREADY_SENT;
  },
  redirects: async ({ random }) => {
    const status = random.pick([301, 302, 303, 307, 308]);
    return new Response(null, { status, headers: { Location: 'https://sign-in.example.net/' } });
  },
  // From the first time on, to everybody.
  revoked: async () => {
    const { status, errors } = invalidToken();
    return Response.json({ errors }, { status });
  },
  skew: async ({ random, proceed }) => {
    const { body, status, headers } = await proceed();
    const skewed = new Headers(headers);
    skewed.set('Date', new Date(Date.now() + random.pick([-7, -1, 1, 7]) * 3_600_000).toUTCString());
    return new Response(body, { status, headers: skewed });
  },
  colleague: async ({ proceed, changeAsColleague }) => {
    await changeAsColleague();
    return proceed();
  },
};

/** Half of those who ask for patience say how much. */
const someDelay = (random: Random): Record<string, string> => (random.chance(0.5) ? { 'Retry-After': '2' } : {});

const refusal = (status: number, reason: string, headers: Record<string, string> = {}) =>
  Response.json({ errors: [{ reason }] }, { status, headers });

const page = (status: number, text: string) =>
  new Response(`<html><body><p>${text}</p></body></html>`, { status, headers: { 'Content-Type': 'text/html' } });

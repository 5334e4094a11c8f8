import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Random, randomFrom } from './random.ts';

/** What may go wrong on the way. */
const kinds = ['errors', 'limits', 'drops', 'garbage', 'hangs'] as const;
type Kind = (typeof kinds)[number];

/** Answers a request in place of the cloud, or lets it through with undefined. */
export type Trouble = (
  outgoing: HttpBindings['outgoing'],
  proceed: () => Promise<void>,
) => Promise<Response | undefined>;

/**
 * The trouble that a list of faults makes, each with its share of the requests (`errors:0.2`; 0.2 without a share).
 * The same seed makes the same trouble in the same order.
 * @throws for an unknown fault or a share that is not between 0 and 1
 */
export function troubleOf(faults: readonly string[], seed: number): Trouble {
  const shares = faults.map(shareOf);
  const random = randomFrom(seed, 4100);
  return async (outgoing, proceed) => {
    for (const { kind, share } of shares) {
      if (random.chance(share)) return troubles[kind](random, outgoing, proceed);
    }
    return undefined;
  };
}

function shareOf(fault: string): { kind: Kind; share: number } {
  const [name, text = '0.2'] = fault.split(':');
  const kind = kinds.find((one) => one === name);
  if (!kind) throw new Error(`There is no fault called ${name}; there are ${kinds.join(', ')}.`);
  const share = Number(text);
  if (!(share >= 0 && share <= 1)) throw new Error(`The share of ${name} must be between 0 and 1; it is ${text}.`);
  return { kind, share };
}

type Maker = (
  random: Random,
  outgoing: HttpBindings['outgoing'],
  proceed: () => Promise<void>,
) => Promise<Response | undefined>;

const troubles: Record<Kind, Maker> = {
  errors: async (random) => {
    const status = random.pick([500, 502, 503, 504]);
    if (status === 502 || status === 504) return page(status, 'The upstream server did not answer in time.');
    return Response.json({ errors: [{ reason: 'An unexpected error occurred. Please try again.' }] }, { status });
  },
  limits: async (random) => {
    const headers: Record<string, string> = random.chance(0.5) ? { 'Retry-After': '2' } : {};
    return Response.json({ errors: [{ reason: 'Too many requests' }] }, { status: 429, headers });
  },
  // Half of the lost connections break after the work was done, so that nobody knows whether it was.
  drops: async (random, outgoing, proceed) => {
    if (random.chance(0.5)) await proceed();
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  },
  garbage: async (random) =>
    random.chance(0.5)
      ? new Response('{"data": [{"id": 4821', { headers: { 'Content-Type': 'application/json' } })
      : page(200, 'Welcome to the network. Please sign in.'),
  hangs: async (_random, outgoing) => {
    if (!outgoing.destroyed) await once(outgoing, 'close');
    return RESPONSE_ALREADY_SENT;
  },
};

const page = (status: number, text: string) =>
  new Response(`<html><body><p>${text}</p></body></html>`, { status, headers: { 'Content-Type': 'text/html' } });

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Demo } from '../../src/demo/server.ts';
import { answering } from '../answering.ts';
import { drawing, drawn } from '../draw.ts';
import { hostileValues, hugeText } from './corpus.ts';

/** The mischief that is done to answers. */
export interface Mischief {
  /** The same seed does the same to the same path. */
  seed: number;
  /** The share of fields that are replaced; a tenth of it hits lists and objects, and as much goes missing. */
  share: number;
  /** `readable` leaves ids and page counts as they are, so that every row is still reached. */
  mode: 'readable' | 'anything';
  /** The share of answers that hold one text of a megabyte. */
  huge?: number;
  /** The share of reads that are refused, with reasons that are hostile too. */
  refusals?: number;
  /** The share of paths at which changes are accepted, with answers that are hostile too; none by default. */
  accepted?: number;
}

/** A demo API whose answers somebody changes. */
export interface HostileApi extends Demo {
  /** The changes that arrived, as method and path. */
  readonly changes: readonly string[];
  /** Their bodies, as their bytes arrived. */
  readonly bodies: readonly Buffer[];
}

type Random = () => number;

/** These hold a readable collection together. */
const frame = new Set(['data', 'page', 'pages', 'results', 'next_marker', 'is_truncated']);
const names = new Set(['id', 'cluster']);

function mutated(value: unknown, mischief: Mischief, random: Random, key = '', depth = 0): unknown {
  const { share, mode } = mischief;
  const isKept = mode === 'readable' && ((depth <= 1 && frame.has(key)) || names.has(key) || depth === 0);
  const isBranch = value !== null && typeof value === 'object';
  const isRow = mode === 'readable' && key === 'data' && !Array.isArray(value);
  if (isKept && !isBranch) return value;
  if (!isKept && !isRow && random() < (isBranch ? share / 10 : share)) return drawn(random, hostileValues);
  const inner = (child: unknown, name: string) => mutated(child, mischief, random, name, depth + 1);
  if (Array.isArray(value)) {
    // A row of a readable list stays an object.
    const items = mode === 'readable' && key === 'data';
    return value.map((item) => (items ? mutated(item, mischief, random, '', 0) : inner(item, key)));
  }
  if (!isBranch) return value;
  const kept = Object.entries(value).filter(([name]) => isNeeded(name, mode) || random() >= share / 10);
  return Object.fromEntries(kept.map(([name, child]) => [name, inner(child, name)]));
}

const isNeeded = (name: string, mode: Mischief['mode']) => mode === 'readable' && (frame.has(name) || names.has(name));

/** Puts one text of a megabyte somewhere into a body. */
function withHuge(body: unknown, random: Random): unknown {
  const rows = (body as { data?: unknown }).data;
  const row = Array.isArray(rows) && rows.length > 0 ? drawn(random, rows) : body;
  if (row === null || typeof row !== 'object') return body;
  const texts = Object.keys(row).filter((key) => key !== 'id' && typeof Reflect.get(row, key) === 'string');
  const key = texts.length > 0 ? drawn(random, texts) : undefined;
  if (key !== undefined) Object.assign(row, { [key]: hugeText });
  return body;
}

const refusalOf = (random: Random) => ({
  errors: [
    { reason: drawn(random, hostileValues), field: drawn(random, hostileValues) },
    { reason: '\u001b[2J\u202ereason\n', field: 'label\u001b]0;x\u0007[0].\u009b31m' },
    drawn(random, hostileValues),
  ],
});

/** Headers that say nothing sensible; those of HTTP can hold C1 control characters. */
const headers = {
  'content-type': 'application/json',
  'x-ratelimit-limit': '\u009b2J',
  'x-oauth-scopes': '\u009b31m*\u0085',
  date: 'never',
};

/**
 * A demo API behind which somebody changes the answers; changes never reach it, and what is refused has hostile reasons.
 * @returns what can be used in its place
 */
export async function startHostileApi(demo: Demo, mischief: Mischief): Promise<HostileApi> {
  const changes: string[] = [];
  const bodies: Buffer[] = [];
  const answerTo = answering((request, response) => answer(request, response, demo, mischief));
  const server = createServer((request, response) => {
    if (request.method !== 'GET') {
      changes.push(`${request.method} ${request.url}`);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => bodies.push(Buffer.concat(chunks)));
    }
    answerTo(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...demo,
    url: `http://127.0.0.1:${port}`,
    changes,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, demo: Demo, mischief: Mischief) {
  const { url = '', method } = request;
  const random = drawing(url, mischief.seed);
  request.resume();
  if (url.startsWith(filePlace)) return answerFile(response, random);
  const refuse = (status: number) => response.writeHead(status, headers).end(JSON.stringify(refusalOf(random)));
  const isChange = method !== 'GET';
  if (isChange && random() >= (mischief.accepted ?? 0)) return refuse(400);
  if (random() < (mischief.refusals ?? 0)) return refuse(403);
  const { authorization = '', host = '' } = request.headers;
  const real = await fetch(demo.url + url, { headers: { authorization } });
  const told = (await real.json()) as { data?: readonly object[] };
  const body = mutated(isChange ? madeOf(told, host) : told, mischief, random);
  const said = random() < (mischief.huge ?? 0) ? withHuge(body, random) : body;
  response.writeHead(isChange ? 200 : real.status, headers).end(JSON.stringify(said ?? null));
}

/** Where files are put to and got from. */
const filePlace = '/file/';

/** An answer to a change: a row, and what is told but once. */
function madeOf(told: { data?: readonly object[] }, host: string): object {
  const row = told.data?.[0] ?? told;
  const address = `http://${host}${filePlace}%1b%5b2J?signature=1`;
  return { ...row, image: row, url: address, upload_to: address, access_key: 'access', secret_key: 'secret' };
}

/** A host of files, which takes them, or says in its own way that it does not. */
function answerFile(response: ServerResponse, random: Random): void {
  const says = `<Error><Message>${drawn(random, hostileValues)}\u001b[2J\u202e</Message></Error>`;
  response.writeHead(random() < 0.5 ? 200 : 403, headers).end(says);
}

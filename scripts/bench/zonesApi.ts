/** A small API with many zones and nothing else: `node scripts/bench/zonesApi.ts ZONES RECORDS_OF_EACH`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [zones = 0, each = 0] = process.argv.slice(2).map(Number);
const created = '2026-01-01T00:00:00';

const domains = Array.from({ length: zones }, (_, nth) => ({
  id: nth + 1,
  domain: `zone-${nth + 1}.example`,
  type: 'master',
  status: 'active',
  tags: [],
}));

/** Three addresses, and an alias of one in the next zone. */
const recordsOf = (zone: number) =>
  Array.from({ length: each }, (_, nth) => ({
    id: zone * 1000 + nth,
    type: nth % 4 === 3 ? 'CNAME' : 'A',
    name: `host-${nth}`,
    target: nth % 4 === 3 ? `host-${nth - 1}.zone-${(zone % zones) + 1}.example` : `198.51.${nth % 256}.${zone % 256}`,
    ttl_sec: 0,
    created,
    updated: created,
  }));

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const [, , kind, id, below] = pathname.split('/');
  const rows: readonly object[] = kind !== 'domains' ? [] : below === 'records' ? recordsOf(Number(id)) : domains;
  const [page, size] = ['page', 'page_size'].map((name) => Number(searchParams.get(name) ?? 1));
  const pages = Math.max(1, Math.ceil(rows.length / (size ?? 1)));
  const data = rows.slice(((page ?? 1) - 1) * (size ?? 1), (page ?? 1) * (size ?? 1));
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data, page, pages, results: rows.length }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(`The API listens on http://127.0.0.1:${port}.\nTokens: none-of-them`);

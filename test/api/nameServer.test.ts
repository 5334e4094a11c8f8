import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askServer } from '../../src/api/nameServer.ts';
import { answers, flags, openDnsServer, type Zone } from '../dnsServer.ts';
import { seed } from '../draw.ts';

const never = new AbortController().signal;

const a = (data: string, ttl = 300) => ({ type: 'A' as const, name: 'www.example.com', ttl, data });

/** Asks a server with this zone for the addresses of `www.example.com`. */
async function ask(zone: Zone, more: { type?: string; name?: string; signal?: AbortSignal } = {}) {
  const server = await openDnsServer(zone);
  const query = { name: 'www.example.com', type: 'A', isRecursive: true, signal: never, ...more };
  const answer = await askServer(server, query);
  return { answer, server };
}

test('an answer with its records, and whether it is that of the zone', async () => {
  const { answer, server } = await ask(() => answers(a('192.0.2.10', 60), a('192.0.2.11', 60)));
  expect(answer).toEqual({
    rcode: 'NOERROR',
    isAuthoritative: true,
    records: ['192.0.2.10', '192.0.2.11'].map((target) => ({
      name: 'www.example.com',
      type: 'A',
      ttl_sec: 60,
      target,
    })),
    authorities: [],
  });
  expect(new Set(server.asked)).toEqual(new Set(['A www.example.com +']));
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

test.skipIf(!hasIpv6)('a server is asked by its IPv6 address, over UDP and TCP', async () => {
  const over: string[] = [];
  const zone: Zone = ({ isTcp }) => {
    over.push(isTcp ? 'TCP' : 'UDP');
    return isTcp ? answers(a('192.0.2.10')) : { flags: flags.truncated };
  };
  const server = await openDnsServer(zone, '::1');
  const query = { name: 'www.example.com', type: 'A', isRecursive: false, signal: never };
  expect(await askServer(server, query)).toMatchObject({ records: [{ target: '192.0.2.10' }] });
  expect(over).toEqual(['UDP', 'TCP']);
});

test('records of every type have the fields of the API, and others are left out', async () => {
  const name = 'www.example.com';
  const { answer } = await ask(() => ({
    answers: [
      { type: 'MX', name, ttl: 1, data: { preference: 10, exchange: 'mail.example.com' } },
      { type: 'SRV', name, ttl: 1, data: { priority: 1, weight: 2, port: 3, target: 'sip.example.com' } },
      { type: 'CAA', name, ttl: 1, data: { flags: 0, tag: 'issue', value: 'ca.example' } },
      { type: 'TXT', name, ttl: 1, data: ['v=spf1 ', '-all'] },
      { type: 'AAAA', name, ttl: 1, data: '2001:db8::1' },
      { type: 'MX', name, ttl: 1, data: { preference: 0, exchange: '.' } },
      { type: 'HINFO', name, ttl: 1, data: { cpu: 'x', os: 'y' } },
    ],
  }));
  expect(answer).toMatchObject({
    records: [
      { type: 'MX', priority: 10, target: 'mail.example.com.' },
      { type: 'SRV', priority: 1, weight: 2, port: 3, target: 'sip.example.com.' },
      { type: 'CAA', tag: 'issue', target: 'ca.example' },
      { type: 'TXT', target: 'v=spf1 -all' },
      { type: 'AAAA', target: '2001:db8::1' },
      { type: 'MX', priority: 0, target: '' },
    ],
  });
});

test.each([
  ['NXDOMAIN', flags.noName],
  ['REFUSED', flags.refused],
  ['SERVFAIL', flags.failed],
  ['NOTAUTH', 9],
])('%s is told', async (rcode, code) => {
  expect((await ask(() => ({ flags: code }))).answer).toMatchObject({ rcode, records: [] });
  expect((await ask(() => ({ flags: code, questions: [] }))).answer).toMatchObject({ rcode });
});

test('what does not fit is asked for over TCP, also where it breaks off within a record', async () => {
  const many = Array.from({ length: 200 }, (_, nth) => a(`192.0.2.${nth}`));
  const cut = Buffer.from([0, 0, 0x82, 0, 0, 0, 0, 9, 0, 0, 0, 0, 1]);
  const whole = await ask(({ isTcp }) => (isTcp ? answers(...many) : { flags: flags.truncated }));
  expect(whole.answer).toMatchObject({ records: { length: 200 } });
  const broken = await openBroken(cut);
  expect(await askServer(broken, { name: 'www.example.com', type: 'A', isRecursive: true, signal: never })).toMatch(
    /^cannot be reached: the connection was refused$/,
  );
});

/** A server over UDP alone that sends these bytes with the id of the query. */
async function openBroken(bytes: Buffer) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    query.copy(bytes, 0, 0, 2);
    socket.send(bytes, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.unref();
  return { address: '127.0.0.1', port: socket.address().port };
}

test('what is not about the question is as if it had not come', async () => {
  const wrong = [
    { ...answers(a('192.0.2.66')), id: 1 },
    { ...answers(a('192.0.2.66')), questions: [{ name: 'www.example.net', type: 'A' as const }] },
    { ...answers(a('192.0.2.66')), questions: [{ name: 'www.example.com', type: 'AAAA' as const }] },
    { ...answers(a('192.0.2.66')), questions: [] },
    { ...answers(a('192.0.2.66')), type: 'query' as const },
    Buffer.from('not a packet'),
    Buffer.alloc(0),
  ];
  const { answer } = await ask(() => [...wrong, answers(a('192.0.2.10'))]);
  expect(answer).toMatchObject({ records: [{ target: '192.0.2.10' }] });
});

describe('no answer', () => {
  test('a server that keeps silent is asked once more, and given up after 3 s', async () => {
    const { answer, server } = await ask(() => undefined);
    expect(answer).toBe('did not answer within 3 s');
    expect(server.asked).toHaveLength(2);
  });

  test('one whose first packet was lost answers the second', async () => {
    const { answer } = await ask(({ nth }) => (nth === 1 ? undefined : answers(a('192.0.2.10'))));
    expect(answer).toMatchObject({ records: [{ target: '192.0.2.10' }] });
  });

  test('one that sends something else, over UDP and over TCP', async () => {
    const other = () => ({ ...answers(a('192.0.2.66')), questions: [{ name: 'other.example', type: 'A' as const }] });
    expect((await ask(other)).answer).toBe('did not answer within 3 s');
    const overTcp = await ask(({ isTcp }) => (isTcp ? other() : { flags: flags.truncated }));
    expect(overTcp.answer).toBe('sent no answer that can be read');
  });

  test('a port at which nobody listens, and a name that is none', async () => {
    const { server } = await ask(() => answers());
    const query = { name: 'www.example.com', type: 'A', isRecursive: true, signal: never };
    const closed = { address: '127.0.0.1', port: 1 };
    expect(await askServer(closed, query)).toMatch('cannot be reached: the connection was refused');
    for (const name of ['', 'a..b', `${'a'.repeat(64)}.example`, 'a.'.repeat(200)])
      expect(await askServer(server, { ...query, name })).toMatch('no name that the DNS can have');
    expect(new Set(server.asked)).toEqual(new Set(['A www.example.com +']));
  });

  test('nobody waits for it any more', async () => {
    const stop = new AbortController();
    const { answer } = await ask(
      () => {
        stop.abort();
        return undefined;
      },
      { signal: stop.signal },
    );
    expect(answer).toBe('was not waited for');
  });
});

test(`whatever a server sends, there is an answer or an Error (seed ${seed})`, async () => {
  let bytes: Uint8Array = Buffer.alloc(0);
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    // The header fits the question, so that the rest is read.
    socket.send(Buffer.concat([query.subarray(0, 2), Buffer.from([0x84, 0]), bytes]), port, address);
    // Ends the wait where it does not.
    socket.send(
      Buffer.concat([
        query.subarray(0, 2),
        Buffer.from([0x80, 5]),
        query.subarray(4, 6),
        Buffer.alloc(6),
        query.subarray(12),
      ]),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server = { address: '127.0.0.1', port: socket.address().port };
  const question = Buffer.from('03777777076578616d706c6503636f6d0000010001', 'hex');
  const record = fc.tuple(
    fc.constantFrom(1, 2, 5, 12, 15, 16, 28, 33, 41, 257, 46, 47, 50),
    fc.uint8Array({ maxLength: 80 }),
    fc.integer({ min: 0, max: 400 }),
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(record, { maxLength: 4 }).map((all) =>
      Buffer.concat([
        Buffer.from([0, 1, 0, all.length, 0, 0, 0, 0]),
        question,
        ...all.map(([type, data, length]) => {
          const head = Buffer.from([0xc0, 12, type >> 8, type & 255, 0, 1, 0, 0, 1, 44, length >> 8, length & 255]);
          return Buffer.concat([head, data]);
        }),
      ]),
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      bytes = given;
      const answer = await askServer(server, { name: 'www.example.com', type: 'A', isRecursive: true, signal: never });
      expect(answer).toHaveProperty('rcode', expect.stringMatching(/^(NOERROR|REFUSED)$/));
    }),
    { seed, numRuns: 300 },
  );
  socket.close();
});

import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import * as dns from 'dns-packet';
import type { NameServer } from '../resources/ipAddress.ts';
import type { DnsAnswer } from '../resources/networking/dnsAnswers.ts';
import type { DomainRecord } from '../resources/networking/recordRules.ts';
import { attempt, reasonOf } from '../text/errno.ts';

/** A question to a name server; a recursive one has it ask others. */
interface Query extends Pick<DomainRecord, 'name' | 'type'> {
  isRecursive: boolean;
  signal: AbortSignal;
}

/** A server that has not answered is asked once more after the first time, and given up after the second. */
const againMs = 1_000;
const maxMs = 3_000;

/** Has answers of more bytes than always arrive come over TCP (DNS flag day 2020). */
const size = { type: 'OPT', name: '.', udpPayloadSize: 1_232, options: [] } as unknown as dns.Answer;

/** Asks a name server over UDP, and over TCP where the answer does not fit. Resolves with the end of a sentence about it where it has none. */
export async function askServer(server: NameServer, query: Query): Promise<DnsAnswer | string> {
  const { name, isRecursive, signal } = query;
  // The codec would write other bytes for a name with a longer label.
  if (!/^(?=.{1,253}$)[^.]{1,63}(?:\.[^.]{1,63})*$/s.test(Buffer.from(name).toString('latin1')))
    return 'was not asked, because this is no name that the DNS can have';
  const id = randomInt(2 ** 16);
  const question = { name, type: query.type as dns.RecordType };
  const flags = isRecursive ? dns.RECURSION_DESIRED : 0;
  const packet = { type: 'query' as const, id, flags, questions: [question], additionals: [size] };
  const read = (bytes: Buffer): Read | undefined => {
    const found = attempt(() => dns.decode(bytes) as Read);
    const [asked, ...others] = found?.questions ?? [];
    const isSame =
      asked?.name.toLowerCase() === name.toLowerCase() && asked.type === query.type && asked.class === 'IN';
    // One that reports an error may leave the question out.
    const isAbout = asked ? isSame && others.length === 0 : found?.rcode !== 'NOERROR';
    return found?.id === id && found.flag_qr && isAbout ? found : undefined;
  };
  const isCut = (bytes: Buffer) =>
    bytes.length > 2 && bytes.readUInt16BE() === id && (Number(bytes[2]) & 0x82) === 0x82;
  const timeout = AbortSignal.timeout(maxMs);
  const ended = AbortSignal.any([signal, timeout]);
  try {
    const first = await overUdp(server, dns.encode(packet), (bytes) => (isCut(bytes) ? 'cut' : read(bytes)), ended);
    const found = first === 'cut' ? await overTcp(server, dns.streamEncode(packet), read, ended) : first;
    const [records = [], authorities = []] = [found.answers, found.authorities].map((all) => all?.flatMap(recordOf));
    return { rcode: found.rcode, isAuthoritative: found.flag_aa, records, authorities };
  } catch (error) {
    if (signal.aborted) return 'was not waited for';
    if (timeout.aborted) return `did not answer within ${maxMs / 1_000} s`;
    const { code, message } = error as NodeJS.ErrnoException;
    return code ? `cannot be reached: ${reasonOf(error)}` : message;
  }
}

/** The types of the codec lack the code. */
type Read = dns.DecodedPacket & { rcode: string };
type Reader<T> = (bytes: Buffer) => T | undefined;

/** Only what the server itself sends is received; what does not answer the question is as if it had not come. */
function overUdp<T>({ address, port }: NameServer, query: Buffer, read: Reader<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', signal });
  const send = () => socket.send(query);
  const again = setTimeout(send, againMs);
  socket.on('connect', send).on('error', reject).on('close', reject);
  socket.on('message', (bytes) => {
    const found = read(bytes);
    if (found) resolve(found);
  });
  socket.connect(port, address);
  return promise.finally(() => {
    clearTimeout(again);
    if (!signal.aborted) socket.close();
  });
}

function overTcp<T>({ address, port }: NameServer, query: Buffer, read: Reader<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const socket = connect({ host: address, port, signal });
  let got = Buffer.alloc(0);
  socket.on('error', reject).on('close', () => reject(new Error('sent no answer that can be read')));
  socket.on('data', (bytes: Buffer) => {
    got = Buffer.concat([got, bytes]);
    const end = got.length < 2 ? Number.POSITIVE_INFINITY : 2 + got.readUInt16BE();
    const found = got.length < end ? undefined : read(got.subarray(2, end));
    if (found) resolve(found);
    else if (got.length >= end) socket.destroy();
  });
  socket.write(query);
  return promise.finally(() => socket.destroy());
}

/** A name in full; the root is ''. */
const full = (name: string): string => (name === '.' ? '' : `${name}.`);
const address = (target: string) => ({ target });
const host = (name: string) => ({ target: full(name) });

/** The fields of a record by what the codec has of its type. */
const fields: Readonly<Record<string, (data: never) => Partial<DomainRecord>>> = {
  ...{ A: address, AAAA: address, NS: host, CNAME: host, PTR: host },
  MX: ({ preference, exchange }: dns.MxData) => ({ priority: preference, target: full(exchange) }),
  SRV: ({ target, ...numbers }: dns.SrvData) => ({ ...numbers, target: full(target) }),
  CAA: ({ flags, tag, value }: dns.CaaData) => ({ tag: flags ? `${tag} with flags ${flags}` : tag, target: value }),
  TXT: (parts: readonly Buffer[]) => ({ target: Buffer.concat(parts).toString() }),
};

/** A record with the fields that those of the API have; none of a type that the API does not have. */
function recordOf(answer: dns.Answer): readonly DomainRecord[] {
  const { name, type, ttl, class: of, data } = answer as dns.Answer & { ttl?: number; class?: string; data?: unknown };
  const own = of === 'IN' ? fields[type]?.(data as never) : undefined;
  return own ? [{ name, type, ttl_sec: ttl, ...own } as DomainRecord] : [];
}

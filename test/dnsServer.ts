import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  streamEncode,
} from 'dns-packet';
import { onTestFinished } from 'vitest';

/** The answer to a question: parts of a packet, the bytes themselves, several packets, or none. */
export type Reply = Packet | Buffer | readonly (Packet | Buffer)[] | undefined;

/** The answer to a query by its name and type, and how often it was asked that; `isTcp` over a connection. */
export type Zone = (query: { name: string; type: string; isRecursive: boolean; isTcp: boolean; nth: number }) => Reply;

/** A DNS server of the tests' own on this machine alone, over UDP and TCP. */
export interface DnsServer {
  address: string;
  port: number;
  /** All questions in their order: `A www.example.com`, with `+` where others were to be asked. */
  asked: readonly string[];
}

export const flags = { authoritative: AUTHORITATIVE_ANSWER, truncated: 0x200, refused: 5, noName: 3, failed: 2 };

/** Records as an answer has them. */
export const answers = (...all: readonly Answer[]): Packet => ({ flags: flags.authoritative, answers: [...all] });

/** Opens one, on a free port unless that is said; it is closed after the test. */
export async function openDnsServer(zone: Zone, address = '127.0.0.1', wanted = 0): Promise<DnsServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const udp = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const tcp = createServer();
  const replies = (bytes: Buffer, isTcp: boolean): readonly (Packet | Buffer)[] => {
    const query = decode(bytes) as DecodedPacket;
    const [{ name, type } = { name: '', type: 'A' }] = query.questions ?? [];
    const line = `${type} ${name}${query.flag_rd ? ' +' : ''}`;
    asked.push(line);
    const nth = asked.filter((one) => one === line).length;
    const found = zone({ name, type, isRecursive: query.flag_rd, isTcp, nth });
    const all = found === undefined ? [] : Array.isArray(found) ? found : [found];
    return all.map((one) =>
      Buffer.isBuffer(one) ? one : { id: query.id, type: 'response', questions: query.questions, ...one },
    );
  };
  udp.on('message', (bytes, { port, address }: RemoteInfo) => {
    for (const one of replies(bytes, false)) udp.send(Buffer.isBuffer(one) ? one : encode(one), port, address);
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      for (const one of replies(bytes.subarray(2), true)) socket.write(Buffer.isBuffer(one) ? one : streamEncode(one));
    });
  });
  // The port that is free for one may be taken for the other.
  for (;;) {
    tcp.listen(wanted, address);
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const bound = new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false));
      udp.bind(port, address, () => resolve(true));
    });
    if (await bound) {
      onTestFinished(async () => {
        for (const socket of sockets) socket.destroy();
        tcp.close();
        udp.close();
      });
      return { address, port, asked };
    }
    tcp.close();
    await once(tcp, 'close');
  }
}

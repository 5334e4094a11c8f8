import { shellWord } from '../../text/escapes.ts';
import { isPrivateAddress } from '../ipAddress.ts';
import { textsOf } from '../row.ts';
import type { Server } from './server.ts';

/** The first address at which a server is reached from outside. */
export const publicAddress = (server: Server): string | undefined =>
  textsOf(server.ipv4).find((address) => !isPrivateAddress(address));

/** The command that opens a shell on a server. */
export const sshCommand = (server: Server): string | undefined => {
  const address = publicAddress(server);
  return address && `ssh root@${shellWord(address)}`;
};

/** All addresses of a server, a line each, with their kind. */
export const addresses = ({ ipv4, ipv6 }: Server): string =>
  [
    ...textsOf(ipv4).map((address) => `${address}, ${isPrivateAddress(address) ? 'private' : 'public'} IPv4`),
    ...(ipv6 ? [`${ipv6}, public IPv6`] : []),
  ].join('\n');

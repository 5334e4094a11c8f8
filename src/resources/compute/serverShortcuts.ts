import type { Shortcut } from '../resource.ts';
import { ticketShortcut } from '../ticketShortcut.ts';
import type { Server } from './server.ts';

/** Shortcuts from servers to the forms of other resources. */
export const serverShortcuts: readonly Shortcut<Server>[] = [
  {
    name: 'capture',
    key: 'i',
    help: 'Capture an image of a disk',
    to: 'images',
    action: 'create',
    start: (server) => ({ server: String(server.id) }),
  },
  {
    name: 'volume',
    key: 'v',
    help: 'New volume for this server',
    to: 'volumes',
    action: 'create',
    start: (server) => ({ server_id: String(server.id) }),
  },
  ticketShortcut('server_id'),
  {
    name: 'transfer',
    key: 'h',
    help: 'Transfer to another account (deprecated)',
    to: 'entity-transfers',
    action: 'create',
    many: true,
    start: (server, _view, _params, servers = [server]) => ({
      'entities.servers': servers.map(({ id }) => String(id)),
    }),
  },
];

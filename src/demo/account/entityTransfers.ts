import type { EntityTransfer } from '../../resources/account/entityTransfers.ts';
import { isRow } from '../../resources/row.ts';
import { ipv6Address, newServer, publicAddress, serverType } from '../compute/servers.seed.ts';
import { type Cloud, perCloud, type Stored } from '../engine/cloud.ts';
import { badRequest, type FieldError, HttpError, invalid } from '../engine/errors.ts';
import type { Entity } from '../engine/eventLog.ts';
import { type Call, collection, userIn } from '../engine/handler.ts';
import { uuidFrom } from '../engine/random.ts';
import { day, hour, parseTimestamp, timestamp } from '../engine/time.ts';
import { serverEntity, serversOf } from '../inventory.ts';

/** An entity transfer (document 1, 2.4). */
type Transfer = Omit<Stored<EntityTransfer>, 'entities'> & { entities: { servers: readonly number[] } };

/** The servers that another account hands over, by id. */
const offered: Readonly<Record<number, { label: string; type: string }>> = {
  39110207: { label: 'legacy-web', type: 'g6-standard-2' },
  39110214: { label: 'legacy-db', type: 'g6-standard-4' },
};

/** The token of the transfer that another account has offered, which its owner tells in a ticket. */
export const offeredToken = ({ options }: Cloud): string => uuidFrom(options.seed, 73);

/** All transfers by token: some of long ago, and the one that is offered. */
const transfersOf = perCloud((cloud) => {
  const { seed, time } = cloud.options;
  const past = (number: number, age: number, status: string, is_sender: boolean, took: number): Transfer => ({
    created: timestamp(time - age),
    entities: { servers: [31_004_011 + number * 7] },
    expiry: timestamp(time - age + day),
    is_sender,
    status,
    token: uuidFrom(seed, number, 74),
    updated: timestamp(time - age + took),
  });
  const transfers = [
    past(0, 140 * day, 'completed', true, 3 * hour),
    past(1, 77 * day, 'stale', true, day),
    past(2, 76 * day, 'completed', true, hour),
    past(3, 33 * day, 'cancelled', true, hour / 4),
    past(4, 31 * day, 'failed', false, 2 * hour),
    {
      ...past(5, 9 * hour, 'pending', false, 0),
      entities: { servers: Object.keys(offered).map(Number) },
      token: offeredToken(cloud),
    },
  ];
  return new Map(transfers.map((transfer) => [transfer.token, transfer]));
});

const entityOf = ({ token }: Transfer): Entity => ({ id: token, label: token, type: 'entity_transfer', url: null });

function finish(cloud: Cloud, change: string, transfer: Transfer, username: string): void {
  cloud.touch(transfer);
  cloud.log.note({ action: `entity_transfer_${change}`, entity: entityOf(transfer), username });
}

/** Takes a transfer as stale that nobody accepted in time. */
function expire(cloud: Cloud, transfer: Transfer): void {
  if (transfer.status !== 'pending' || parseTimestamp(transfer.expiry) > cloud.time) return;
  transfer.status = 'stale';
  finish(cloud, 'stale', transfer, 'system');
}

const { handlers } = collection<Transfer>('entity-transfers', {
  rows: (cloud) => {
    const all = transfersOf(cloud);
    for (const transfer of all.values()) expire(cloud, transfer);
    return all;
  },
  filters: ['is_sender', 'status'],
  // Those that were made here, and those that were accepted here.
  listed: (all) => all.filter(({ is_sender, status }) => is_sender || status !== 'pending').toReversed(),
  onRow: { accept, cancel },
});

/** Entity Transfer Create (document 1, 3): pending, for 24 hours. */
function create(call: Call, cloud: Cloud): Transfer {
  const servers = checked(call.body.entities, cloud);
  const transfer: Transfer = {
    created: cloud.timestamp,
    entities: { servers },
    expiry: timestamp(cloud.time + day),
    is_sender: true,
    status: 'pending',
    token: uuidFrom(cloud.options.seed, cloud.nextId()),
    updated: cloud.timestamp,
  };
  transfersOf(cloud).set(transfer.token, transfer);
  finish(cloud, 'create', transfer, userIn(call).name);
  cloud.timeline.at(cloud.time + day, () => expire(cloud, transfer));
  return transfer;
}

/** The ids of the servers to hand over. @throws 400 */
function checked(entities: unknown, cloud: Cloud): readonly number[] {
  if (!isRow(entities)) throw invalid('entities', 'entities must be an object');
  const unknown = Object.keys(entities).find((group) => group !== 'servers');
  if (unknown) throw invalid(`entities.${unknown}`, `${unknown} cannot be transferred`);
  const { servers } = entities;
  if (!Array.isArray(servers) || servers.length === 0) throw invalid('entities.servers', 'Must hold at least one id');
  const errors = servers.flatMap((id, index) => complaintAbout(id, index, cloud));
  if (errors.length > 0) throw new HttpError(400, errors);
  return servers;
}

function complaintAbout(id: unknown, index: number, cloud: Cloud): readonly FieldError[] {
  const field = `entities.servers[${index}]`;
  if (!serversOf(cloud).has(Number(id))) return [{ field, reason: `${id} is not valid` }];
  const isMoving = [...transfersOf(cloud).values()].some(
    ({ status, entities }) => status === 'pending' && entities.servers.includes(Number(id)),
  );
  return isMoving ? [{ field, reason: `Server ${id} is in another pending transfer` }] : [];
}

function needPending({ status }: Transfer): void {
  if (status !== 'pending') throw badRequest(`The transfer is ${status}. It must be pending.`);
}

function cancel(transfer: Transfer, call: Call, cloud: Cloud): void {
  if (!transfer.is_sender) throw badRequest('Only the account that made a transfer can cancel it.');
  needPending(transfer);
  transfer.status = 'cancelled';
  finish(cloud, 'cancel', transfer, userIn(call).name);
}

/** Accepted at once; the servers come over some time later. */
function accept(transfer: Transfer, call: Call, cloud: Cloud): void {
  if (transfer.is_sender) throw badRequest('You cannot accept a transfer that you made yourself.');
  needPending(transfer);
  cloud.setStatus(transfer, 'accepted');
  const { name: username } = userIn(call);
  cloud.begin(40, { action: 'entity_transfer_accept', entity: entityOf(transfer), username }, () => {
    cloud.setStatus(transfer, 'completed');
    for (const id of transfer.entities.servers) takeOver(cloud, id, username);
  });
}

function takeOver(cloud: Cloud, id: number, username: string): void {
  const { label, type } = offered[id] ?? { label: `server${id}`, type: 'g6-standard-1' };
  const server = newServer(serverType(type), {
    id,
    label,
    status: 'running',
    created: timestamp(cloud.options.time - 800 * day),
    updated: cloud.timestamp,
    ipv4: [publicAddress(id % 500)],
    ipv6: ipv6Address(id % 65_536),
    image: 'server/debian11',
    region: 'us-east',
  });
  serversOf(cloud).set(id, server);
  cloud.log.note({ action: 'server_update', entity: serverEntity(server), username });
}

/** Entity transfers (document 1, 4.2). */
export const entityTransfers = handlers({ create });

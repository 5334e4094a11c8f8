import type { Row } from '../../resources/resource.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { type Entity, entityOf } from '../engine/eventLog.ts';
import { type Call, collection, handlersFor, page, userIn } from '../engine/handler.ts';
import { serverEntity, serversOf, volumeEntity, volumesOf } from '../inventory.ts';
import { balancersOf } from '../networking/balancers.seed.ts';
import { balancerEntity } from '../networking/balancers.ts';
import { domainEntity, zonesOf } from '../networking/zones.ts';
import { offeredToken } from './entityTransfers.ts';
import { openedTicket, type Reply, replyOf, seedTickets, staff, type Ticket } from './tickets.seed.ts';

const ticketsOf = perCloud((cloud) => {
  const labelled = <T extends { label: string }>(things: Iterable<T>, entity: (thing: T) => Entity) => {
    const byLabel = new Map([...things].map((thing) => [thing.label, thing]));
    return (label: string) => {
      const thing = byLabel.get(label);
      return thing && entity(thing);
    };
  };
  const subjects = {
    server: labelled(serversOf(cloud).values(), serverEntity),
    volume: labelled(volumesOf(cloud).values(), volumeEntity),
    cluster: subjectOf(cloud, 'kubecluster_id', 1201),
    token: offeredToken(cloud),
  };
  return seedTickets(subjects, cloud.options.time);
});

/** A ticket as it is answered: its replies have an address of their own. */
const shown = ({ replies: _, ...ticket }: Ticket): Row => ticket;

const order = ['open', 'new', 'closed'];

const { find, handlers } = collection<Ticket>('tickets', {
  rows: ticketsOf,
  filters: ['closed', 'opened', 'updated'],
  // Open tickets first, then the newest.
  listed: (all) =>
    all.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status) || other.id - one.id),
  shown,
  onRow: { attach, close },
});

const ticketEntity = ({ id, summary }: Ticket): Entity => entityOf('tickets', 'ticket', { id, label: summary });

function change(cloud: Cloud, ticket: Ticket, username: string, action: string): void {
  ticket.updated = cloud.timestamp;
  ticket.updated_by = username;
  cloud.log.note({ action, entity: ticketEntity(ticket), username });
}

function newTicket(
  cloud: Cloud,
  name: string,
  summary: string,
  description: string,
  entity: Entity | null = null,
): Ticket {
  const of = { summary, description, entity, opened: cloud.timestamp, opened_by: name };
  const ticket = openedTicket({ id: cloud.nextId(), ...of });
  ticketsOf(cloud).set(ticket.id, ticket);
  return ticket;
}

/** Support Ticket Open (document 1, 4.4); the platform answers after a while. */
function create(call: Call, cloud: Cloud): Row {
  const { name } = userIn(call);
  const entity = entityFor(call, cloud);
  const ticket = newTicket(cloud, name, String(call.body.summary), String(call.body.description), entity);
  change(cloud, ticket, name, 'ticket_create');
  answerLater(cloud, ticket);
  return shown(ticket);
}

/** The ticket of this summary that there was at first, as an issue names it. */
export function ticketCalled(cloud: Cloud, summary: string): Entity | undefined {
  const ticket = [...ticketsOf(cloud).values()].find((one) => one.summary === summary);
  return ticket && ticketEntity(ticket);
}

/** Opens a ticket in which the platform tells of something that it found. */
export function openByPlatform(cloud: Cloud, summary: string, description: string): Entity {
  const ticket = newTicket(cloud, staff, summary, description);
  Object.assign(ticket, { closable: false, status: 'open' });
  change(cloud, ticket, staff, 'ticket_create');
  return ticketEntity(ticket);
}

/** Has the platform write its last word in a ticket of its own and close it. */
export function closeByPlatform(cloud: Cloud, id: number, text: string): void {
  const ticket = ticketsOf(cloud).get(id);
  if (!ticket || ticket.status === 'closed') return;
  write(cloud, ticket, staff, text);
  Object.assign(ticket, { status: 'closed', closed: cloud.timestamp });
}

const ids = ['domain_id', 'server_id', 'kubecluster_id', 'monitorclient_id', 'nodebalancer_id', 'volume_id'] as const;

/** The one thing that a new ticket is about, if any. @throws 400 */
function entityFor({ body }: Call, cloud: Cloud): Entity | null {
  const named = ids.filter((name) => typeof body[name] === 'number');
  const [first, second] = named;
  if (second) throw invalid(second, `Only one of ${ids.join(', ')} may be set`);
  if (body.managed_issue === true && first) throw invalid('managed_issue', `managed_issue excludes ${first}`);
  if (typeof body.region === 'string' && typeof body.vlan !== 'string')
    throw invalid('region', 'region is allowed for a VLAN ticket only');
  if (typeof body.vlan === 'string') {
    if (first) throw invalid('vlan', `vlan excludes ${first}`);
    if (typeof body.region !== 'string') throw invalid('region', 'region is required with vlan');
    return { label: body.vlan, type: 'vlan', url: null };
  }
  if (!first) return null;
  const entity = subjectOf(cloud, first, Number(body[first]));
  if (!entity) throw invalid(first, `${first} is not valid`);
  return entity;
}

const texts = [
  'Thank you for writing. We look into it and come back to you within the hour.',
  'We have found the cause and are working on it. There is nothing you need to do for now.',
  'It should be fine by now. Could you have a look and tell us?',
  'Thank you for telling us. You can close this ticket, or write again when it comes back.',
];

/** The platform answers after a while; a ticket that was closed meanwhile is left alone. */
function answerLater(cloud: Cloud, ticket: Ticket): void {
  cloud.after(45, () => {
    if (ticket.status === 'closed') return;
    const said = ticket.replies.filter(({ from_server }) => from_server).length;
    write(cloud, ticket, staff, texts[said % texts.length] ?? '');
    ticket.status = 'open';
  });
}

function write(cloud: Cloud, ticket: Ticket, username: string, description: string): Reply {
  const reply = replyOf(username, description, cloud.timestamp, cloud.nextId());
  ticket.replies = [...ticket.replies, reply];
  change(cloud, ticket, username, 'ticket_update');
  return reply;
}

/** Support Ticket Reply Create; a closed ticket is open again. */
function reply(call: Call, cloud: Cloud): Reply {
  const ticket = find(call, cloud);
  const written = write(cloud, ticket, userIn(call).name, String(call.body.description));
  if (ticket.status === 'closed') Object.assign(ticket, { status: 'open', closed: null });
  answerLater(cloud, ticket);
  return written;
}

const extensions = /\.(gif|jpe?g|pjpe?g|tiff?|png|pdf|txt)$/i;

/** Support Ticket Attachment Create: a multipart form with one field named file. */
async function attach(ticket: Ticket, call: Call, cloud: Cloud): Promise<void> {
  const isForm = /^multipart\/form-data/i.test(call.request.headers.get('Content-Type') ?? '');
  const form = isForm ? await call.request.formData().catch(() => undefined) : undefined;
  const file = form?.get('file');
  if (!(file instanceof File)) throw invalid('file', 'file is required, as a field of a multipart form');
  if (!extensions.test(file.name)) throw invalid('file', 'The type of this file is not accepted');
  ticket.attachments = [...ticket.attachments, file.name];
  change(cloud, ticket, userIn(call).name, 'ticket_attachment_upload');
}

function close(ticket: Ticket, call: Call, cloud: Cloud): void {
  if (ticket.status === 'closed') throw badRequest('This ticket is closed already.');
  if (!ticket.closable) throw badRequest('This ticket cannot be closed by you.');
  Object.assign(ticket, { status: 'closed', closed: cloud.timestamp });
  change(cloud, ticket, userIn(call).name, 'ticket_update');
}

/** Support tickets (document 1, 4.4). */
export const tickets = handlers({ create: { handler: create, rateLimit: 2 } });

/** Replies to support tickets (document 1, 4.4). */
export const replies = handlersFor('replies', {
  list: (call, cloud) => page(find(call, cloud).replies, call),
  create: reply,
});

type Find = (cloud: Cloud, id: number) => Entity | undefined;

const found =
  <T>(thingsOf: (cloud: Cloud) => ReadonlyMap<number, T>, entity: (thing: T) => Entity): Find =>
  (cloud, id) => {
    const thing = thingsOf(cloud).get(id);
    return thing && entity(thing);
  };

/** A thing that the API of the documents does not show, but a ticket can be about. */
const unseen =
  (entity: Omit<Entity, 'url'>): Find =>
  (_cloud, id) =>
    id === entity.id ? { ...entity, url: null } : undefined;

/** Finds the thing that a field of a new ticket names, by field. */
const finders: Readonly<Record<string, Find>> = {
  server_id: found(serversOf, serverEntity),
  volume_id: found(volumesOf, volumeEntity),
  domain_id: found(zonesOf, domainEntity),
  nodebalancer_id: found(balancersOf, balancerEntity),
  kubecluster_id: unseen({ id: 1201, label: 'edge', type: 'kubecluster' }),
  monitorclient_id: unseen({ id: 334, label: 'db-primary-monitor', type: 'monitor' }),
};

/** The thing that a field of a new ticket names; undefined where there is none. */
const subjectOf = (cloud: Cloud, field: string, id: number): Entity | undefined => finders[field]?.(cloud, id);

import { capitalized } from '../../text/words.ts';
import type { ResourceName } from '../names.ts';
import { type DescribedField, type Draft, type Resource, type Row, resource, statusColumn } from '../resource.ts';
import { ticketSubjects, toNew } from '../shortcuts.ts';
import { statusOf } from '../wording.ts';
import { type Entity, entityWords } from './events.ts';

/** A support ticket (document 1, 2.7). */
export type Ticket = Row & {
  id: number;
  summary: string;
  description: string;
  status: string;
  closable: boolean;
  opened: string;
  opened_by: string;
  closed: string | null;
  updated: string;
  updated_by: string | null;
  entity: Entity | null;
  attachments: readonly string[];
};

const managed = 'managed service';
const vlan = 'VLAN';

const isAbout =
  (...subjects: readonly string[]) =>
  ({ about }: Draft) =>
    subjects.includes(String(about));

/** A field for the object that a ticket is about; required once this kind of object is chosen. */
const subjectField = (name: keyof typeof ticketSubjects, to?: ResourceName): DescribedField => {
  const when = isAbout(ticketSubjects[name]);
  const subject: DescribedField = to ? { to, writeOnly: true } : { kind: 'integer', min: 1, help: 'Its ID.' };
  return { label: capitalized(ticketSubjects[name]), needed: when, shown: when, ...subject };
};

const extensions = ['.gif', '.jpg', '.jpeg', '.pjpg', '.pjpeg', '.tif', '.tiff', '.png', '.pdf', '.txt'];

/** Says why the name of an attachment is wrong, as the end of a sentence. */
const extensionComplaint = (path: string) =>
  extensions.some((extension) => path.toLowerCase().endsWith(extension))
    ? undefined
    : `${path} must end in one of ${extensions.join(' ')}`;

const closeRefusal = ({ id, status, closable }: Ticket) => {
  if (statusOf({ status }) === 'closed') return `Ticket ${id} is already closed`;
  return closable ? undefined : `You cannot close ticket ${id}; the platform closes it when it is done`;
};

/** Support tickets (document 1, 2.7 and 4.4). */
export const tickets: Resource = resource<Ticket>()({
  name: 'tickets',
  area: 'Account',
  aliases: ['support'],
  path: '/v4/support/tickets',
  scope: 'account',
  label: (ticket) => ticket.summary,
  entity: 'ticket',
  about: 'entity',
  aboutTypes: ['server', 'volume', 'domain', 'nodebalancer', 'managed_service'],
  ids: /^\d+$/,
  // Of the three words for a status this puts `open` and `new` before `closed`.
  sort: '-Status',
  empty: 'A ticket is a request to the support of the platform, about one thing or about the account.',
  fields: {
    summary: { min: 1, max: 64 },
    description: { kind: 'paragraph', min: 1, max: 65_000, help: 'What happened, when, and what you expected.' },
    about: {
      options: [...Object.values(ticketSubjects), managed, vlan],
      local: true,
      help: 'One thing at most; if empty, the account.',
    },
    server_id: subjectField('server_id', 'servers'),
    volume_id: subjectField('volume_id', 'volumes'),
    domain_id: subjectField('domain_id', 'domains'),
    nodebalancer_id: subjectField('nodebalancer_id', 'nodebalancers'),
    kubecluster_id: subjectField('kubecluster_id'),
    monitorclient_id: subjectField('monitorclient_id'),
    managed_issue: { label: 'Managed service', kind: 'boolean', shown: () => false },
    vlan: { label: 'VLAN', shown: isAbout(vlan), needed: isAbout(vlan), help: 'Its label.' },
    region: {
      to: 'regions',
      shown: isAbout(vlan),
      needed: isAbout(vlan),
      writeOnly: true,
      help: 'The region of the VLAN.',
    },
    file: { kind: 'file', check: extensionComplaint, help: `It ends in one of ${extensions.join(' ')}` },
  },
  columns: [
    { ...statusColumn, words: ['new', 'open', 'closed'] },
    { title: 'ID', value: 'id', format: 'id', keep: 1 },
    { title: 'Summary', value: 'summary', keep: 1 },
    { title: 'Entity', value: ({ entity }) => entityWords(entity) },
    { title: 'Updated', value: 'updated', format: 'age' },
    { title: 'By', value: 'updated_by', keep: 3 },
    { title: 'Opened', value: 'opened', format: 'age', keep: 3 },
    { title: 'Opened by', value: 'opened_by', keep: 3 },
    { title: 'Closed', value: 'closed', format: 'age', keep: 3 },
    { title: 'Attachments', value: ({ attachments }) => attachments?.length ?? 0, format: 'number', keep: 3 },
  ],
  card: [
    { title: 'Entity kind', value: ({ entity }) => entity?.type?.replaceAll('_', ' ') },
    { title: 'Can be closed', value: 'closable', format: 'boolean' },
    { title: 'Files', value: 'attachments', format: 'list' },
    { title: 'Description', value: 'description', format: 'paragraph' },
  ],
  tabs: [
    {
      title: 'Conversation',
      screen: 'ticketConversation',
      uses: ['replies.list', 'replies.create'],
      tells: ['Summary', 'Status', 'ID', 'Description'],
    },
  ],
  opensAt: 'Conversation',
  create: {
    shownBy: { events: ['ticket_create'], names: ['summary'], time: 'opened', author: 'opened_by' },
    body: ['summary!', 'description!', 'about', ...Object.keys(ticketSubjects), 'managed_issue', 'vlan', 'region'],
    send: (body, { about }) => (about === managed ? { ...body, managed_issue: true } : body),
    inverse: 'A ticket cannot be deleted; it can be closed.',
  },
  actions: [
    {
      name: 'attach',
      key: 'f',
      on: 'Attach a file to {}',
      path: '/v4/support/tickets/{ticketId}/attachments',
      body: ['file!'],
      multipart: true,
      inverse: 'A file cannot be taken off a ticket.',
      single: true,
    },
    {
      name: 'close',
      shownBy: { events: ['ticket_update'], state: ({ status }) => status === 'closed' },
      key: 'x',
      help: 'Close',
      refuse: closeRefusal,
      ask: {
        question: ({ id, summary }) => `Closes ticket ${id}, ${summary}. Support stops working on it.`,
        together: 'Closes these tickets. Support stops working on them.',
      },
      inverse: 'The API opens no closed ticket again.',
    },
  ],
  shortcuts: [toNew({ name: 'reply', key: 'r', help: 'Reply', to: 'replies', each: 'Reply to {}' })],
  paragraphs: ['description', 'last reply'],
  copies: {
    description: ({ description }) => description,
    'last reply': ({ id }, view) =>
      view.rows('replies', { ticketId: String(id) }).at(-1)?.description as string | undefined,
  },
});

/** A reply to a support ticket (document 1, 2.8). */
export type Reply = Row & {
  id: number;
  description: string;
  created: string;
  created_by: string;
  /** It comes from the platform's staff. */
  from_server: boolean;
};

/** Replies to a support ticket (document 1, 2.8 and 4.4). */
export const replies: Resource = resource<Reply>()({
  name: 'replies',
  one: 'reply',
  area: 'Account',
  path: '/v4/support/tickets/{ticketId}/replies',
  scope: 'account',
  under: 'tickets',
  within: 'in ticket {}',
  label: (reply) => `by ${reply.created_by}`,
  events: ['ticket_'],
  sort: 'Created',
  empty: 'Nobody has replied yet.',
  fields: { description: { label: 'Reply', kind: 'paragraph', min: 1, max: 65_535 } },
  columns: [
    { title: 'Created', value: 'created', format: 'age', keep: 1 },
    { title: 'By', value: 'created_by', keep: 1 },
    { title: 'Staff', value: 'from_server', format: 'boolean' },
    { title: 'Text', value: 'description', keep: 1 },
  ],
  view: false,
  create: {
    shownBy: { events: ['ticket_update'], names: ['description'], time: 'created', author: 'created_by' },
    help: 'Reply',
    body: ['description!'],
    inverse: 'A reply cannot be deleted.',
    invalidates: ['tickets'],
  },
});

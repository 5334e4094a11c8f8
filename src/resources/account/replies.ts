import { type Resource, type Row, resource } from '../resource.ts';

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
  list: { pages: 'numbered' },
  create: {
    shownBy: { events: ['ticket_update'], names: ['description'], time: 'created', author: 'created_by' },
    help: 'Reply',
    body: ['description!'],
    inverse: 'A reply cannot be deleted.',
    invalidates: ['tickets'],
  },
});

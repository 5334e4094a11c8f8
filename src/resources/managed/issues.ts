import { type CacheView, type Resource, type Row, resource } from '../resource.ts';

/** An issue found by managed monitoring, with its ticket (document 3, 4.4). */
export type ManagedIssue = Row & {
  id: number;
  created: string;
  services: readonly number[];
  entity: { id: number; type: string; label: string; url: string };
};

/** The labels of the services that are loaded, the ids of others. */
const serviceLabels = ({ services }: ManagedIssue, view: CacheView) =>
  (services ?? []).map((id) => view.row('managed-services', id)?.label ?? `service ${id}`);

/** Issues of managed monitoring (document 3, 4.4). */
export const managedIssues: Resource = resource<ManagedIssue>()({
  name: 'managed-issues',
  area: 'Managed',
  aliases: ['issues'],
  path: '/v4/managed/issues',
  scope: 'account',
  label: ({ id, entity }) => entity?.label || `issue ${id}`,
  about: 'entity',
  aboutTypes: ['ticket'],
  relations: [{ to: 'managed-services', by: ({ services }) => services ?? [] }],
  reads: ['managed-services'],
  sort: '-Created',
  empty: 'An issue is opened when a managed service goes down. Its ticket, opened with o, tells how it goes on.',
  columns: [
    { title: 'Created', value: 'created', format: 'age', keep: 1 },
    { title: 'Services', value: serviceLabels, format: 'list', keep: 1 },
    { title: 'Ticket', value: ({ entity }) => entity && `${entity.id} ${entity.label}`, keep: 1 },
    { title: 'ID', value: 'id', format: 'id' },
  ],
  card: [
    {
      title: 'Services now',
      value: ({ services }, view) =>
        (services ?? []).map((id) => view.row('managed-services', id)?.status ?? 'unknown'),
      format: 'list',
    },
    { title: 'Since', value: 'created', format: 'date' },
  ],
  copies: { 'ticket number': ({ entity }) => entity && String(entity.id) },
});

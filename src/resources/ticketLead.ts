import type { Lead } from './resource.ts';

/** What a support ticket can be about, by the field that names it (document 1, 4.4). */
export const ticketSubjects = {
  server_id: 'server',
  volume_id: 'volume',
  domain_id: 'domain',
  nodebalancer_id: 'NodeBalancer',
  kubecluster_id: 'Kubernetes cluster',
  monitorclient_id: 'monitor client',
} as const;

/** The name of that lead, which has a key of its own in lists and details. */
export const ticketLeadName = 'ticket';

/** The way from a row to a new support ticket about it; `field` is the one that takes the row's id. */
export const ticketLead = (field: keyof typeof ticketSubjects): Lead => ({
  name: ticketLeadName,
  key: 't',
  help: 'Open a ticket about it',
  to: 'tickets',
  action: 'create',
  start: (row) => ({ about: ticketSubjects[field], [field]: String(row.id) }),
});

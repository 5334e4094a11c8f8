import { capitalized } from '../text/words.ts';
import type { Resource, Shortcut } from './resource.ts';

/** Subjects of support tickets, by the field that names them (document 1, 4.4). */
export const ticketSubjects = {
  server_id: 'server',
  volume_id: 'volume',
  domain_id: 'domain',
  nodebalancer_id: 'NodeBalancer',
  kubecluster_id: 'Kubernetes cluster',
  monitorclient_id: 'monitor client',
} as const;

/** The resource that it makes a row of. */
export const tickets = 'tickets';

/** The name of that shortcut, which has a key of its own in lists and details. */
export const ticketShortcutName = 'ticket';

/** The way from a row to the form of a new one, which starts empty unless something else is said. */
export const toNew = <T>(shortcut: Omit<Shortcut<T>, 'action' | 'start'> & Partial<Shortcut<T>>): Shortcut<T> => ({
  action: 'create',
  start: () => ({}),
  ...shortcut,
});

/** The way from a row to a new server that is made of it. */
export const toDeploy = <T>(shortcut: Pick<Shortcut<T>, 'key' | 'start' | 'refuse'>): Shortcut<T> =>
  toNew({ name: 'deploy', help: 'Deploy a new server', to: 'servers', ...shortcut });

/** The way from a row to a new support ticket, which starts with these entries. */
export const ticketStarting = <T>(start: Shortcut<T>['start']): Shortcut<T> =>
  toNew({ name: ticketShortcutName, key: 't', help: 'Open a ticket about it', to: tickets, start });

/** The way to a ticket about a row; `field` is the one that takes the row's id. */
export const ticketShortcut = (field: keyof typeof ticketSubjects): Shortcut =>
  ticketStarting((row) => ({ about: ticketSubjects[field], [field]: String(row.id) }));

/** The parameters of a path that name what a ticket can be about. */
const subjectParams: Readonly<Record<string, keyof typeof ticketSubjects>> = {
  serverId: 'server_id',
  volumeId: 'volume_id',
  domainId: 'domain_id',
  nodeBalancerId: 'nodebalancer_id',
};

/** The same for rows that no ticket can be about by themselves: it is about what they lie in, and its summary names them. */
export const anyTicketShortcut = ({ one, label, id }: Resource): Shortcut =>
  ticketStarting((row, _view, params) => {
    const [param] = Object.keys(params).filter((name) => subjectParams[name]);
    const field = param && subjectParams[param];
    const named = label(row) === String(row[id]) ? label(row) : `${label(row)} (${row[id]})`;
    return {
      summary: `${capitalized(one)} ${named}`.slice(0, 64),
      ...(field && { about: ticketSubjects[field], [field]: params[param] }),
    };
  });

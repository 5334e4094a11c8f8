import { shellWord } from '../../text/escapes.ts';
import { textIn } from '../../text/words.ts';
import { addressesOf, canonicalAddress } from '../ipAddress.ts';
import { type Resource, resource, statusColumn } from '../resource.ts';
import { type CacheView, type Dated, type Draft, itemsOf, type Labelled } from '../row.ts';
import { ticketStarting } from '../shortcuts.ts';
import { inState, statusOf } from '../wording.ts';
import { hostOf, isPrivateService, plainName } from './address.ts';

/** A service that is monitored (document 3, 4.4). */
export type ManagedService = Labelled &
  Dated & {
    status: string;
    service_type: string;
    address: string;
    timeout: number;
    body: string | null;
    consultation_group: string;
    credentials: readonly number[];
    notes: string | null;
    region: string | null;
  };

const isPrivate = ({ address }: Draft) => isPrivateService(String(address ?? ''));

/** The labels of the credentials that are loaded, the ids of others. */
const credentialLabels = ({ credentials }: ManagedService, view: CacheView) =>
  itemsOf(credentials).map((id) => view.row('managed-credentials', id)?.label ?? id);

const body = 'label! service_type! address! region timeout! body consultation_group credentials notes'.split(' ');

function hostAndAbove({ address }: ManagedService): readonly string[] {
  const parts = hostOf(String(address)).toLowerCase().split('.');
  return parts.map((_part, index) => parts.slice(index).join('.'));
}

/** Services under managed monitoring (document 3, 4.4). */
export const managedServices: Resource = resource<ManagedService>()({
  name: 'managed-services',
  area: 'Managed',
  aliases: ['services', 'monitors'],
  path: '/v4/managed/services',
  scope: 'account',
  entity: 'managed_service',
  reads: ['managed-credentials'],
  relations: [
    {
      to: ['servers', 'nodebalancers'],
      by: ({ address }) => [canonicalAddress(hostOf(String(address)))],
      theirs: addressesOf,
    },
    { to: 'domains', by: hostAndAbove, theirs: ({ domain }) => [domain] },
    { to: 'managed-contacts', by: ({ consultation_group }) => [consultation_group], theirs: ({ group }) => [group] },
  ],
  // Of the words for a status this puts problem and pending before ok and disabled.
  sort: '-Status',
  empty:
    'A managed service is a URL or a TCP port that the platform monitors; when it goes down, its contacts are notified.',
  fields: {
    label: { min: 3, max: 64, pattern: plainName(3) },
    service_type: { label: 'Type', optionHelp: { url: 'requests a page', tcp: 'opens a connection' } },
    address: {
      min: 3,
      pattern: { test: /^\S+$/, says: 'one word without spaces', whole: true },
      help: 'A URL, or a host with its port. A query (?) is kept, a fragment (#) is dropped.',
    },
    region: {
      to: 'regions',
      emptied: null,
      shown: isPrivate,
      needed: isPrivate,
      help: 'The region of the private address; public addresses have none.',
    },
    timeout: {
      kind: 'integer',
      unit: 'seconds',
      min: 1,
      max: 255,
      help: 'Without a response in this time the service counts as down.',
    },
    body: {
      label: 'Expected body',
      max: 100,
      emptied: null,
      help: 'The service counts as up only while its response contains this.',
    },
    consultation_group: {
      label: 'Contact group',
      max: 50,
      emptied: '',
      help: 'The group of contacts to notify when it goes down.',
    },
    credentials: {
      kind: 'references',
      merged: true,
      to: 'managed-credentials',
      help: "What the platform's staff may log in with.",
    },
    notes: { kind: 'paragraph', emptied: null, help: "For the platform's staff, when they work on a problem." },
  },
  columns: [
    { ...statusColumn, words: ['disabled', 'pending', 'ok', 'problem'] },
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Type', value: 'service_type', keep: 1 },
    { title: 'Address', value: 'address', format: 'address', keep: 1 },
    { title: 'Timeout', value: 'timeout', format: 'duration' },
    { title: 'Group', value: 'consultation_group' },
    { title: 'Credentials', value: credentialLabels, format: 'list' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Region', value: 'region', keep: 3 },
    { title: 'Expected body', value: 'body', keep: 3 },
    { title: 'Updated', value: 'updated', format: 'age', keep: 3 },
  ],
  card: [
    { title: 'Created', value: 'created', format: 'date' },
    { title: 'Notes', value: 'notes', format: 'paragraph' },
  ],
  overview: { related: [{ list: 'managed-contacts' }] },
  create: { shownBy: { events: ['managed_service_create'], names: ['label'], time: 'created' }, body },
  edit: {
    body,
    // A region may only stand beside a private address, so it goes when that does.
    send: (sent, draft, service) =>
      'address' in sent && service?.region && !isPrivate(draft) ? { ...sent, region: null } : sent,
    ask: {
      note: ({ region }, _view, draft) =>
        region && draft.address !== undefined && !isPrivate(draft)
          ? `A public address has no region, so ${region} is taken off it.`
          : undefined,
    },
    single: true,
  },
  remove: {
    ask: {
      warning: ({ label, address }) => `Deletes ${label}. ${textIn(address) ?? 'It'} is no longer monitored.`,
      typeLabel: true,
      together: 'Deletes these services. They are no longer monitored.',
    },
    inverse: () => ({ action: 'create', differs: ['it gets another id', 'its state is checked anew'] }),
    invalidates: ['managed-issues'],
  },
  actions: [
    {
      name: 'enable',
      shownBy: { state: ({ status }) => status !== 'disabled' },
      key: 'o',
      help: 'Enable',
      refuse: ({ label, status }) =>
        statusOf({ status }) === 'disabled' ? undefined : `${label} is already enabled; its status is ${status}`,
      inverse: () => ({ action: 'disable' }),
      ask: false,
    },
    {
      name: 'disable',
      shownBy: { state: ({ status }) => status === 'disabled' },
      key: 'x',
      help: 'Disable',
      refuse: ({ label, status }) => (statusOf({ status }) === 'disabled' ? `${label} is already disabled` : undefined),
      ask: {
        question: ({ label }) =>
          `Stops monitoring ${label}. Nobody is notified when it goes down until it is enabled again.`,
        together: 'Stops monitoring these services. Nobody is notified when they go down until they are enabled again.',
      },
      inverse: () => ({ action: 'enable', differs: ['its state is checked anew'] }),
    },
  ],
  shortcuts: [
    ticketStarting(({ label, status }) => ({
      about: 'managed service',
      summary: `${label} ${inState({ status })}`.slice(0, 64),
    })),
  ],
  paragraphs: ['notes'],
  copies: {
    address: (service) => service.address,
    'curl command': ({ service_type, address, timeout }) =>
      service_type === 'url' ? `curl -sS --max-time ${shellWord(timeout)} ${shellWord(address)}` : undefined,
    notes: (service) => service.notes ?? undefined,
  },
});

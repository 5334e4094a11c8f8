import { timeOf } from '../../text/times.ts';
import { counted, listed } from '../../text/words.ts';
import { type CacheView, type Dated, type Resource, resource, statusColumn } from '../resource.ts';
import { inState, statusOf } from '../wording.ts';

/** A hand-over of servers to another account (document 1, 2.4). */
export type EntityTransfer = Dated & {
  token: string;
  status: string;
  is_sender: boolean;
  entities: { servers?: readonly number[] };
  expiry: string;
};

const serverIds = ({ entities }: EntityTransfer): readonly number[] => [entities?.servers ?? []].flat();

/** The labels of the servers of a transfer that are loaded, the ids of others. */
export const serverNames = (transfer: EntityTransfer, view: CacheView) =>
  serverIds(transfer).map((id) => view.row('servers', id)?.label ?? id);

const countText = (transfer: EntityTransfer) => counted(serverIds(transfer).length, 'server');

const refuseUnlessPending = (transfer: EntityTransfer, { now }: CacheView) => {
  if (statusOf(transfer) !== 'pending')
    return `This transfer ${inState(transfer)}; only a pending one can be accepted or cancelled`;
  return timeOf(transfer.expiry) <= now
    ? 'This transfer expired 24 hours after it was created; create a new one'
    : undefined;
};

const accepted = 'The servers belong to this account then, and a transfer back is one that their old owner accepts.';

/** Entity transfers, deprecated as a whole (document 1, 2.4 and 4.2). */
export const entityTransfers: Resource = resource<EntityTransfer>()({
  name: 'entity-transfers',
  many: 'Entity transfers (deprecated)',
  deprecated: true,
  area: 'Account',
  aliases: ['transfers', 'entitytransfers'],
  id: 'token',
  path: '/v4/account/entity-transfers',
  scope: 'account',
  entity: 'entity_transfer',
  ids: /^[\w-]{20,}$/,
  sort: '-Created',
  empty:
    'An entity transfer moves servers to another account, which accepts it by its token within 24 hours. To look at one that you were offered, press n and choose to accept a transfer by its token.',
  fields: {
    'entities.servers': {
      kind: 'references',
      to: 'servers',
      min: 1,
      help: 'The account that accepts pays for them from then on.',
    },
  },
  columns: [
    { ...statusColumn, words: ['pending', 'accepted', 'cancelled', 'completed', 'failed', 'stale'] },
    {
      title: 'Direction',
      value: ({ is_sender }) => (is_sender ? 'sent' : 'received'),
      words: ['sent', 'received'],
      keep: 1,
    },
    { title: 'Token', value: 'token', keep: 1 },
    { title: 'Servers', value: serverNames, format: 'list' },
    {
      title: 'Expires',
      value: ({ status, expiry }) => (statusOf({ status }) === 'pending' ? expiry : undefined),
      format: 'expiry',
    },
    { title: 'Created', value: 'created', format: 'age' },
  ],
  card: [
    { title: 'Expiry', value: 'expiry', format: 'date' },
    { title: 'Updated', value: 'updated', format: 'date' },
  ],
  create: {
    shownBy: { events: ['entity_transfer_create'], names: ['entities'], time: 'created', isUnique: true },
    help: 'New entity transfer (deprecated)',
    body: ['entities.servers!'],
    ask: {
      warning: (_row, view, { 'entities.servers': ids }) => {
        const names = [ids ?? []].flat().map((id) => view.row('servers', id)?.label ?? id);
        const [them, are] = names.length === 1 ? ['it', 'it is'] : ['them', 'they are'];
        return `Offers ${listed(names, 8)} with everything on ${them}: whoever has the token can accept ${them} within 24 hours, and then ${are} no longer yours.`;
      },
      note: 'Whoever has the token can accept it within 24 hours. The API has replaced entity transfers by service transfers and may remove them.',
    },
    inverse: ({ made }) =>
      made
        ? {
            action: 'cancel',
            params: { token: String(made.token) },
            differs: ['once it is accepted, its servers are gone'],
          }
        : 'The token of the transfer is not known.',
  },
  creates: [
    {
      name: 'accept-by-token',
      path: '/v4/account/entity-transfers/{token}/accept',
      key: 't',
      help: 'Accept a transfer by its token',
      dialog: 'transferByToken',
      inverse: accepted,
    },
  ],
  actions: [
    {
      name: 'accept',
      shownBy: { state: ({ status }) => status === 'accepted' || status === 'completed' },
      key: 'y',
      help: 'Accept',
      refuse: (transfer, view) =>
        transfer.is_sender
          ? 'This transfer was created by your own account; another account accepts it'
          : refuseUnlessPending(transfer, view),
      ask: {
        question: (transfer) =>
          `Moves ${countText(transfer)} to this account, which pays for them from then on; their prices are shown once they are here. It may take up to 3 hours.`,
        together:
          'Moves all their servers to this account, which pays for them from then on; their prices are shown once they are here. It may take up to 3 hours.',
      },
      inverse: accepted,
      invalidates: ['servers'],
    },
    {
      name: 'cancel',
      shownBy: { events: ['entity_transfer_cancel'], state: ({ status }) => status === 'cancelled' },
      key: 'x',
      help: 'Cancel the transfer',
      on: 'Cancel {}',
      method: 'DELETE',
      refuse: (transfer, view) =>
        transfer.is_sender
          ? refuseUnlessPending(transfer, view)
          : 'This transfer was created by another account; only that one can cancel it',
      ask: {
        warning: (transfer) => `Cancels the transfer of ${countText(transfer)}. Its token can no longer be used.`,
        together: 'Cancels these transfers. Their tokens can no longer be used.',
      },
      inverse: ({ before }) =>
        before
          ? {
              action: 'create',
              entries: { 'entities.servers': serverIds(before).map(String) },
              differs: ['it gets another token and another 24 hours'],
            }
          : 'The servers of the transfer are not known.',
    },
  ],
  copies: { token: ({ token }) => token },
});

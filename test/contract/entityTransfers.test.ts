import { expect, test } from 'vitest';
import { type Reply, type Ticket, type Transfer, transfer } from './accountNouns.ts';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { refuses, required } from './limits.ts';
import type { Event, Server } from './nouns.ts';
import { nothing } from './shapes.ts';
import { emptyServer, serversOf } from './subjects.ts';

const transfers = '/v4/account/entity-transfers';
const day = 86_400;

const aTransfer = async (cloud: Cloud): Promise<{ token: string; server: Server }> => {
  const server = await emptyServer(cloud);
  const { token } = await cloud.post<Transfer>(transfers, { entities: { servers: [server.id] } });
  return { token, server };
};

const newTransfer = async (cloud: Cloud) => ({ token: (await aTransfer(cloud)).token });

/** The token of a transfer that another account has offered: a ticket tells it. */
async function offered(cloud: Cloud): Promise<{ token: string }> {
  for (const { id } of await cloud.all<Ticket>('/v4/support/tickets')) {
    for (const { description } of await cloud.all<Reply>(`/v4/support/tickets/${id}/replies`)) {
      const token = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(description)?.[0];
      if (token) return { token };
    }
  }
  throw new Error('no ticket tells the token of a transfer');
}

const viewed = (cloud: Cloud, token: string) => cloud.get<Transfer>(`${transfers}/${token}`);

describeArea(
  'entity transfers (document 1, 4.2)',
  {
    'GET /v4/account/entity-transfers': { answers: transfer },
    'POST /v4/account/entity-transfers': {
      answers: transfer,
      body: async (cloud) => ({ entities: { servers: [(await emptyServer(cloud)).id] } }),
      limits: [
        required('entities'),
        required('entities.servers'),
        refuses('entities', 'servers', [1], 5),
        refuses('entities.servers', [], 5, ['web-1'], [987654321]),
        refuses('entities.volumes', [1]),
      ],
    },
    'GET /v4/account/entity-transfers/{token}': { answers: transfer, params: newTransfer },
    'DELETE /v4/account/entity-transfers/{token}': { answers: nothing, params: newTransfer },
  },
  (cloud) => {
    test('a new one is pending, sent by this account, and expires 24 hours later', async () => {
      const { token } = await newTransfer(cloud());
      const made = await viewed(cloud(), token);
      expect(made).toMatchObject({ status: 'pending', is_sender: true });
      expect(Date.parse(`${made.expiry}Z`) - Date.parse(`${made.created}Z`)).toBe(day * 1000);
      expect((await cloud().all<Transfer>(transfers)).map((one) => one.token)).toContain(token);
    });

    test('a server is in one pending transfer only', async () => {
      const { token, server } = await aTransfer(cloud());
      const body = { entities: { servers: [server.id] } };
      await cloud().refused('POST', transfers, body);
      await cloud().remove(`${transfers}/${token}`);
      await cloud().post(transfers, body);
    });

    test('a cancelled one stays in the list and is neither cancelled again nor accepted', async () => {
      const { token } = await newTransfer(cloud());
      await cloud().remove(`${transfers}/${token}`);
      expect((await viewed(cloud(), token)).status).toBe('cancelled');
      await cloud().refused('DELETE', `${transfers}/${token}`);
      await cloud().refused('POST', `${transfers}/${token}/accept`);
    });

    test('the account that made one cannot accept it', async () => {
      const { token } = await newTransfer(cloud());
      await cloud().refused('POST', `${transfers}/${token}/accept`);
    });

    test('nobody has accepted it in time: it is stale, and an event says so', async () => {
      const { token } = await newTransfer(cloud());
      cloud().pass(day + 1);
      expect((await viewed(cloud(), token)).status).toBe('stale');
      await cloud().refused('DELETE', `${transfers}/${token}`);
      const events = await cloud().all<Event>('/v4/account/events');
      expect(events.some(({ action, entity }) => action === 'entity_transfer_stale' && entity?.id === token)).toBe(
        true,
      );
    });
  },
);

describeArea(
  'accepting an entity transfer',
  { 'POST /v4/account/entity-transfers/{token}/accept': { answers: nothing, params: offered } },
  () => {},
);

describeArea('an entity transfer that is accepted', {}, (cloud) => {
  test('its servers come over, and it is completed', async () => {
    const { token } = await offered(cloud());
    await cloud().post(`${transfers}/${token}/accept`, {});
    const accepted = await viewed(cloud(), token);
    expect(accepted).toMatchObject({ status: 'accepted', is_sender: false });
    expect((await cloud().all<Transfer>(transfers)).map((one) => one.token)).toContain(token);
    await cloud().until('it is completed', async () => (await viewed(cloud(), token)).status === 'completed');
    const ids = (await serversOf(cloud())).map(({ id }) => id);
    for (const id of accepted.entities.servers) expect(ids).toContain(id);
    await cloud().refused('POST', `${transfers}/${token}/accept`);
  });
});

describeArea('an entity transfer that is offered', {}, (cloud) => {
  test('can be looked at by its token, is in no list, and cannot be cancelled', async () => {
    const { token } = await offered(cloud());
    expect(await viewed(cloud(), token)).toMatchObject({ status: 'pending', is_sender: false });
    expect((await cloud().all<Transfer>(transfers)).map((one) => one.token)).not.toContain(token);
    await cloud().refused('DELETE', `${transfers}/${token}`);
  });
});

import { expect, test } from 'vitest';
import { type Reply, reply, type Ticket, ticket } from './accountNouns.ts';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, lengths, refuses, required, yesOrNo } from './limits.ts';
import type { Event } from './nouns.ts';
import { nothing } from './shapes.ts';
import { newVolume, serversOf } from './subjects.ts';

const tickets = '/v4/support/tickets';

const newTicket = (cloud: Cloud, more: object = {}) =>
  cloud.post<Ticket>(tickets, { summary: 'A question', description: 'What is this?', ...more });

const aTicket = async (cloud: Cloud) => ({ ticketId: (await newTicket(cloud)).id });

const ticketNow = (cloud: Cloud, id: number) => cloud.get<Ticket>(`${tickets}/${id}`);

const repliesOf = (cloud: Cloud, id: number) => cloud.all<Reply>(`${tickets}/${id}/replies`);

const attached = (cloud: Cloud, id: number, file: string) =>
  cloud.ask('POST', `${tickets}/${id}/attachments`, { file });

const extensions = ['.gif', '.jpg', '.jpeg', '.pjpg', '.pjpeg', '.tif', '.tiff', '.png', '.pdf', '.txt'];

describeArea(
  'support tickets (document 1, 4.4)',
  {
    'GET /v4/support/tickets': { answers: ticket },
    'POST /v4/support/tickets': {
      answers: ticket,
      body: () => ({ summary: 'A question', description: 'What is this?' }),
      limits: [
        required('summary'),
        required('description'),
        lengths('summary', 1, 64),
        lengths('description', 1, 65_000),
        refuses('server_id', 987654321, 'web-1'),
        refuses('volume_id', 987654321, 'many'),
        refuses('domain_id', 987654321, 'many'),
        refuses('nodebalancer_id', 987654321, 'many'),
        { field: 'kubecluster_id', accepts: [1201], refuses: [987654321, 'many'] },
        { field: 'monitorclient_id', accepts: [334], refuses: [987654321, 'many'] },
        yesOrNo('managed_issue'),
        refuses('vlan', 5),
        refuses('region', 'us-east'),
      ],
    },
    'GET /v4/support/tickets/{ticketId}': { answers: ticket, params: aTicket },
    'POST /v4/support/tickets/{ticketId}/attachments': { answers: nothing, params: aTicket, file: 'trace.txt' },
    'POST /v4/support/tickets/{ticketId}/close': { answers: nothing, params: aTicket },
    'GET /v4/support/tickets/{ticketId}/replies': {
      answers: reply,
      params: async (cloud) => {
        const all = await cloud.all<Ticket>(tickets);
        return { ticketId: all.find(({ status }) => status === 'closed')?.id ?? 0 };
      },
    },
    'POST /v4/support/tickets/{ticketId}/replies': {
      answers: reply,
      params: aTicket,
      body: () => ({ description: 'One thing more.' }),
      limits: [required('description'), lengths('description', 1, 65_535), accepts('description', 'two\nlines')],
    },
  },
  (cloud) => {
    test('open tickets come first', async () => {
      const isOpen = (await cloud().all<Ticket>(tickets)).map(({ status }) => status !== 'closed');
      expect(isOpen).toEqual(isOpen.toSorted((one, other) => Number(other) - Number(one)));
      expect(new Set(isOpen).size).toBe(2);
    });

    test('a ticket is about one thing at most', async () => {
      const [server] = await serversOf(cloud());
      const volume = await newVolume(cloud());
      const words = { summary: 'A question', description: 'What is this?' };
      const both = { ...words, server_id: server?.id, volume_id: volume.id };
      await cloud().refused('POST', tickets, both);
      await cloud().refused('POST', tickets, { ...words, server_id: server?.id, managed_issue: true });
      expect((await newTicket(cloud(), { server_id: server?.id })).entity).toMatchObject({
        id: server?.id,
        label: server?.label,
        type: 'server',
      });
      expect((await newTicket(cloud(), { volume_id: volume.id })).entity).toMatchObject({ id: volume.id });
      expect((await newTicket(cloud())).entity).toBeNull();
    });

    test('one about a VLAN names its region, and no other one does', async () => {
      const words = { summary: 'A question', description: 'What is this?' };
      expect((await cloud().refused('POST', tickets, { ...words, vlan: 'inner' }))[0]?.field).toBe('region');
      expect((await newTicket(cloud(), { vlan: 'inner', region: 'us-east' })).entity).toMatchObject({ label: 'inner' });
    });

    test('a new one is new; when the platform has answered it is open', async () => {
      const { id, status } = await newTicket(cloud());
      expect(status).toBe('new');
      const open = await cloud().until('it is open', async () => {
        const now = await ticketNow(cloud(), id);
        return now.status === 'open' && now;
      });
      const [first] = await repliesOf(cloud(), id);
      expect(first).toMatchObject({ from_server: true, created_by: open.updated_by });
    });

    test('a reply is the last of its ticket and tells so by an event', async () => {
      const { id } = await newTicket(cloud());
      await cloud().post(`${tickets}/${id}/replies`, { description: 'Any news?' });
      expect((await repliesOf(cloud(), id)).at(-1)).toMatchObject({ description: 'Any news?', from_server: false });
      const { data } = await cloud().get<{ data: Event[] }>('/v4/account/events');
      const told = data.filter(({ entity }) => entity?.type === 'ticket' && entity.id === id);
      expect(told.map(({ action }) => action)).toEqual(['ticket_update', 'ticket_create']);
    });

    test('a closed one has the time it was closed, and is not closed again', async () => {
      const { id } = await newTicket(cloud());
      await cloud().post(`${tickets}/${id}/close`);
      const closed = await ticketNow(cloud(), id);
      expect(closed.status).toBe('closed');
      expect(closed.closed).toBe(closed.updated);
      await cloud().refused('POST', `${tickets}/${id}/close`);
    });

    test('one that is not closable is not closed', async () => {
      const kept = (await cloud().all<Ticket>(tickets)).find(({ closable }) => !closable);
      await cloud().refused('POST', `${tickets}/${kept?.id}/close`);
      expect((await ticketNow(cloud(), kept?.id ?? 0)).status).not.toBe('closed');
    });

    test.each([...extensions, '.PNG'])('a file that ends in %s is attached', async (extension) => {
      const { id } = await newTicket(cloud());
      expect((await attached(cloud(), id, `shot${extension}`)).status).toBe(200);
      expect((await ticketNow(cloud(), id)).attachments).toEqual([`shot${extension}`]);
    });

    test.each(['core.exe', 'notes', 'txt', 'trace.log', 'page.pdf.zip'])('%s is not attached', async (file) => {
      const { id } = await newTicket(cloud());
      const { status, body } = await attached(cloud(), id, file);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ field: 'file' }] });
      expect((await ticketNow(cloud(), id)).attachments).toEqual([]);
    });

    test('without a form there is nothing to attach', async () => {
      const { id } = await newTicket(cloud());
      const complaints = await cloud().refused('POST', `${tickets}/${id}/attachments`, { file: 'trace.txt' });
      expect(complaints.map(({ field }) => field)).toEqual(['file']);
    });
  },
);

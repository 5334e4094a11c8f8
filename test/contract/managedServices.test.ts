import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, lengths, names, options, range, refuses, required, word } from './limits.ts';
import { type Issue, issue, type Service, service } from './managedNouns.ts';
import { nothing } from './shapes.ts';

const path = '/v4/managed/services';

const wanted = (more: object = {}) => ({
  label: word(10),
  address: 'https://www.example.com/health?deep=1',
  service_type: 'url',
  timeout: 10,
  ...more,
});

const newService = (cloud: Cloud, more: object = {}) => cloud.post<Service>(path, wanted(more));

const aService = async (cloud: Cloud) => ({ serviceId: (await newService(cloud)).id });

const disabled = async (cloud: Cloud) => {
  const params = await aService(cloud);
  await cloud.post(`${path}/${params.serviceId}/disable`);
  return params;
};

const limits = [
  lengths('label', 3, 64),
  range('timeout', 1, 255),
  options('service_type', 'url', 'tcp'),
  accepts('address', 'a.b', 'a.bc', 'www.example.com:443', 'http://198.51.100.7/up?x=1'),
  refuses('address', 'ab', '', 5),
  accepts('body', null, '', word(99), word(100)),
  refuses('body', word(101), 5),
  accepts('consultation_group', '', word(49), word(50)),
  refuses('consultation_group', word(51), 5),
  accepts('notes', null, 'first line\nsecond line'),
  refuses('notes', 5),
  refuses('credentials', 'many', ['one'], [987654321]),
  refuses('region', 'us-east', 5),
];

describeArea(
  'managed services (document 3, 4.4)',
  {
    'GET /v4/managed/services': { answers: service },
    'POST /v4/managed/services': {
      answers: service,
      body: () => wanted(),
      limits: [...limits, ...['label', 'timeout', 'service_type', 'address'].map(required)],
    },
    'GET /v4/managed/services/{serviceId}': { answers: service, params: aService },
    'PUT /v4/managed/services/{serviceId}': { answers: service, params: aService, body: () => ({}), limits },
    'DELETE /v4/managed/services/{serviceId}': { answers: nothing, params: aService },
    'POST /v4/managed/services/{serviceId}/disable': { answers: service, params: aService },
    'POST /v4/managed/services/{serviceId}/enable': { answers: service, params: disabled },
    'GET /v4/managed/issues': { answers: issue },
    'GET /v4/managed/issues/{issueId}': {
      answers: issue,
      params: async (cloud) => ({ issueId: (await cloud.all<Issue>('/v4/managed/issues'))[0]?.id ?? 0 }),
    },
  },
  (cloud) => {
    test.each(['10.1.2.3', '172.16.0.1', '172.31.255.254', '192.168.128.9'])(
      'the private address %s needs a region',
      async (host) => {
        for (const address of [`http://${host}/up`, `${host}:5432`]) {
          const complaints = await cloud().refused('POST', path, wanted({ address }));
          expect(names('region', complaints)).toBe(true);
          expect(await newService(cloud(), { address, region: 'us-east' })).toMatchObject({ region: 'us-east' });
        }
      },
    );

    test.each(['172.15.0.1', '172.32.0.1', '11.0.0.1', '192.169.0.1', '192.0.2.7', 'ten.example.com'])(
      '%s is not private and has no region',
      async (host) => {
        const address = `http://${host}/`;
        expect(names('region', await cloud().refused('POST', path, wanted({ address, region: 'us-east' })))).toBe(true);
        expect(await newService(cloud(), { address })).toMatchObject({ region: null });
      },
    );

    test('a service that becomes public gives its region up', async () => {
      const { id } = await newService(cloud(), { address: '10.0.0.5:80', region: 'us-east' });
      const address = 'http://192.0.2.7/';
      expect(names('region', await cloud().refused('PUT', `${path}/${id}`, { address }))).toBe(true);
      expect(await cloud().put(`${path}/${id}`, { address, region: null })).toMatchObject({ address, region: null });
    });

    test('the query of an address is kept, its fragment dropped', async () => {
      const { address } = await newService(cloud(), { address: 'https://www.example.com/a?b=c#d' });
      expect(address).toBe('https://www.example.com/a?b=c');
    });

    test('a new service is pending and then well; disabled it stays so until it is enabled', async () => {
      const { id, status } = await newService(cloud());
      const now = () => cloud().get<Service>(`${path}/${id}`);
      const isWell = () => cloud().until('it is well', async () => (await now()).status === 'ok');
      expect(status).toBe('pending');
      await isWell();
      expect(await cloud().post(`${path}/${id}/disable`)).toMatchObject({ id, status: 'disabled' });
      await cloud().refused('POST', `${path}/${id}/disable`);
      cloud().pass(600);
      expect(await now()).toMatchObject({ status: 'disabled' });
      expect(await cloud().post(`${path}/${id}/enable`)).toMatchObject({ id, status: 'pending' });
      await isWell();
      await cloud().refused('POST', `${path}/${id}/enable`);
    });

    test('an outage has an issue and a ticket, which ends when the service is well again', async () => {
      const known = new Set((await cloud().all<Issue>('/v4/managed/issues')).map(({ id }) => id));
      const found = await cloud().until('there is a new issue', async () =>
        (await cloud().all<Issue>('/v4/managed/issues')).find(({ id }) => !known.has(id)),
      );
      const [id] = found.services;
      const status = async () => (await cloud().get<Service>(`${path}/${id}`)).status;
      const ticket = `/v4/support/tickets/${found.entity.id}`;
      expect(await status()).toBe('problem');
      expect(await cloud().get(ticket)).toMatchObject({ status: 'open', closable: false });
      await cloud().until('the service is well', async () => (await status()) === 'ok');
      expect(await cloud().get(ticket)).toMatchObject({ status: 'closed' });
    });

    test('making and deleting a service are told as events', async () => {
      const { id, label } = await newService(cloud());
      await cloud().remove(`${path}/${id}`);
      interface Told {
        data: { action: string; entity: { id: number; label: string; type: string } | null }[];
      }
      const { data } = await cloud().get<Told>('/v4/account/events');
      const about = data.filter(({ entity }) => entity?.type === 'managed_service' && entity.id === id);
      expect(about.map(({ action }) => action)).toEqual(['managed_service_delete', 'managed_service_create']);
      expect(about[0]?.entity?.label).toBe(label);
    });
  },
);

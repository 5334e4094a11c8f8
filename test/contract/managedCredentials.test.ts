import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, lengths, names, refuses, required, word } from './limits.ts';
import { type Credential, credential, type Service } from './managedNouns.ts';
import { matching, nothing, object } from './shapes.ts';

const path = '/v4/managed/credentials';
const newCredential = (cloud: Cloud) => cloud.post<Credential>(path, { label: word(12), password: 'secret' });
const aCredential = async (cloud: Cloud) => ({ credentialId: (await newCredential(cloud)).id });
const username = [accepts('username', 'me', word(4999), word(5000)), refuses('username', word(5001), 5)];

describeArea(
  'managed credentials (document 3, 4.4)',
  {
    'GET /v4/managed/credentials': { answers: credential },
    'POST /v4/managed/credentials': {
      answers: credential,
      body: () => ({ label: word(12), password: 'secret' }),
      limits: [
        lengths('label', 2, 75),
        required('label'),
        required('password'),
        accepts('label', `a b-_.${word(9)}`),
        refuses('label', 'a/b', 5),
        refuses('password', 5),
        ...username,
      ],
    },
    'GET /v4/managed/credentials/sshkey': { answers: object({ ssh_key: matching(/^ssh-\w+ [A-Za-z0-9+/]+=* \S+$/) }) },
    'GET /v4/managed/credentials/{credentialId}': { answers: credential, params: aCredential },
    'PUT /v4/managed/credentials/{credentialId}': {
      answers: credential,
      params: aCredential,
      body: () => ({ label: word(12) }),
      limits: [lengths('label', 2, 75), refuses('label', 5)],
    },
    'POST /v4/managed/credentials/{credentialId}/revoke': { answers: nothing, params: aCredential },
    'POST /v4/managed/credentials/{credentialId}/update': {
      answers: nothing,
      params: aCredential,
      body: () => ({ password: 'another secret' }),
      limits: [required('password'), refuses('password', 5), ...username],
    },
  },
  (cloud) => {
    test('a label is unique', async () => {
      const [one, other] = [await newCredential(cloud()), await newCredential(cloud())];
      const { label } = one;
      expect(names('label', await cloud().refused('POST', path, { label, password: 'secret' }))).toBe(true);
      expect(names('label', await cloud().refused('PUT', `${path}/${other.id}`, { label }))).toBe(true);
      expect(await cloud().put(`${path}/${one.id}`, { label })).toMatchObject({ label });
    });

    test('what it holds is never answered', async () => {
      const { id } = await newCredential(cloud());
      const told = [
        await cloud().get(`${path}/${id}`),
        await cloud().put(`${path}/${id}`, { label: word(12) }),
        await cloud().post(`${path}/${id}/update`, { username: 'somebody', password: 'secret' }),
      ];
      expect(JSON.stringify(told)).not.toMatch(/secret|somebody|password|username/);
    });

    test('revoked it is gone, also from the services that named it', async () => {
      const { id } = await newCredential(cloud());
      const service = await cloud().post<Service>('/v4/managed/services', {
        label: word(10),
        address: 'mail.example.com:25',
        service_type: 'tcp',
        timeout: 10,
        credentials: [id],
      });
      expect(service.credentials).toEqual([id]);
      await cloud().post(`${path}/${id}/revoke`);
      expect((await cloud().ask('GET', `${path}/${id}`)).status).toBe(404);
      expect(await cloud().get(`/v4/managed/services/${service.id}`)).toMatchObject({ credentials: [] });
    });
  },
);

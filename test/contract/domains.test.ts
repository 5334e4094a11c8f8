import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, type Limit, lengths, options, refuses, required, word } from './limits.ts';
import { type Domain, type DomainRecord, domain } from './networkNouns.ts';
import { domainName, newDomain, newRecord } from './networkSubjects.ts';
import { list, nothing, object, text } from './shapes.ts';

const aDomain = async (cloud: Cloud) => ({ domainId: (await newDomain(cloud)).id });
const path = (id: number) => `/v4/domains/${id}`;
const one = () => ({ domain: `${word(12)}.example` });
const addresses = ['192.0.2.1', '2001:db8::1'];

const timers = ['ttl_sec', 'refresh_sec', 'retry_sec', 'expire_sec'];
const valid = [0, 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200];

/** Made anew for each operation, for a domain is there only once. */
const limits = (): readonly Limit[] => [
  lengths('domain', 1, 255, domainName),
  refuses('domain', `${'a'.repeat(64)}.example`, 'two words.example', '-a.example', 'a-.example', 'a..example', 5),
  accepts('domain', `${word(63)}.example`, `_acme.${word(9)}.example`, `*.${word(9)}.example`),
  refuses('domain', `a.*.${word(9)}.example`),
  lengths('description', 1, 255),
  lengths('group', 1, 50),
  options('status', 'active', 'disabled'),
  refuses('type', 'primary', 5),
  refuses('soa_email', 'nobody', 5),
  accepts('axfr_ips', [], addresses),
  refuses('axfr_ips', ['nowhere'], '192.0.2.1'),
  accepts('master_ips', [], addresses),
  refuses('master_ips', ['nowhere'], [5]),
  accepts('tags', [], ['web']),
  refuses('tags', 'web', [5]),
  ...timers.map((name): Limit => ({ field: name, accepts: valid, refuses: ['long', -1, 1.5] })),
];

describeArea(
  'domains (document 3, 4.1)',
  {
    'GET /v4/domains': { answers: domain },
    'POST /v4/domains': {
      answers: domain,
      body: () => ({ ...one(), type: 'master', soa_email: 'hostmaster@example.com' }),
      limits: [required('domain'), required('type'), required('soa_email'), ...limits()],
    },
    'POST /v4/domains/import': {
      answers: domain,
      body: () => ({ ...one(), remote_nameserver: 'ns1.example.org' }),
      limits: [
        required('domain'),
        required('remote_nameserver'),
        refuses('domain', 'two words', 5),
        refuses('remote_nameserver', 5),
      ],
    },
    'GET /v4/domains/{domainId}': { answers: domain, params: aDomain },
    'PUT /v4/domains/{domainId}': {
      answers: domain,
      params: aDomain,
      body: () => ({ description: 'edited' }),
      limits: limits(),
    },
    'DELETE /v4/domains/{domainId}': { answers: nothing, params: aDomain },
    'POST /v4/domains/{domainId}/clone': {
      answers: domain,
      params: aDomain,
      body: one,
      limits: [required('domain'), refuses('domain', 'two words', 5)],
    },
    'GET /v4/domains/{domainId}/zone-file': { answers: object({ zone_file: list(text) }), params: aDomain },
  },
  (cloud) => {
    test('a domain is there once on the whole platform, however it is written', async () => {
      const { domain: taken } = await newDomain(cloud());
      const other = await newDomain(cloud());
      const master = { type: 'master', soa_email: 'hostmaster@example.com' };
      for (const name of [taken, taken.toUpperCase()]) {
        for (const [method, at, body] of [
          ['POST', '/v4/domains', { domain: name, ...master }],
          ['POST', '/v4/domains/import', { domain: name, remote_nameserver: 'ns1.example.org' }],
          ['POST', `${path(other.id)}/clone`, { domain: name }],
          ['PUT', path(other.id), { domain: name }],
        ] as const)
          expect(await cloud().refused(method, at, body), at).toEqual([expect.objectContaining({ field: 'domain' })]);
      }
    });

    test('a slave needs a master address and no e-mail; a master an e-mail', async () => {
      const slave = { ...one(), type: 'slave' };
      expect(await cloud().refused('POST', '/v4/domains', slave)).toEqual([
        expect.objectContaining({ field: 'master_ips' }),
      ]);
      const made = await cloud().post<Domain>('/v4/domains', { ...slave, master_ips: addresses });
      expect(made).toMatchObject({ type: 'slave', master_ips: addresses });
      await cloud().refused('PUT', path(made.id), { master_ips: [] });
      await cloud().refused('PUT', path(made.id), { type: 'master' });
      await cloud().put(path(made.id), { type: 'master', soa_email: 'hostmaster@example.com' });
    });

    test('is active when nothing is said', async () => {
      expect(await newDomain(cloud())).toMatchObject({ status: 'active', tags: [], ttl_sec: 0 });
    });

    test.each(timers)('%s is rounded up to a value that there is', async (name) => {
      const { id } = await newDomain(cloud());
      for (const [given, kept] of [
        [1, 300],
        [299, 300],
        [301, 3600],
        [86_401, 172_800],
        [2_419_201, 2_419_200],
        [0, 0],
      ] as const)
        expect(await cloud().put(path(id), { [name]: given }), `${given}`).toMatchObject({ [name]: kept });
    });

    test('what is edited stays edited, and only that; null empties a list', async () => {
      const before = await newDomain(cloud(), { tags: ['web'], axfr_ips: addresses, ttl_sec: 300 });
      await cloud().put(path(before.id), { status: 'disabled' });
      const after = await cloud().get<Domain>(path(before.id));
      expect(after).toMatchObject({ status: 'disabled', tags: ['web'], axfr_ips: addresses, ttl_sec: 300 });
      expect(await cloud().put(path(before.id), { tags: null, axfr_ips: null })).toMatchObject({
        tags: [],
        axfr_ips: [],
      });
    });

    test('a clone has all records, and an id of its own', async () => {
      const { id } = await newDomain(cloud());
      await newRecord(cloud(), id, { name: 'www' });
      await newRecord(cloud(), id, { type: 'MX', name: '', target: 'mail.example.com', priority: 10 });
      const clone = await cloud().post<Domain>(`${path(id)}/clone`, one());
      expect(clone.id).not.toBe(id);
      const names = async (of: number) =>
        (await cloud().all<DomainRecord>(`${path(of)}/records`)).map(({ type, name, target }) => [type, name, target]);
      expect(await names(clone.id)).toEqual(await names(id));
    });

    test('an import brings the records of the other name server, which must allow it', async () => {
      const made = await cloud().post<Domain>('/v4/domains/import', { ...one(), remote_nameserver: 'ns1.example.org' });
      expect((await cloud().all<DomainRecord>(`${path(made.id)}/records`)).length).toBeGreaterThan(0);
      await cloud().refused('POST', '/v4/domains/import', { ...one(), remote_nameserver: 'closed.invalid' });
    });

    test('a deleted one is gone with its records', async () => {
      const { id } = await newDomain(cloud());
      await newRecord(cloud(), id);
      await cloud().remove(path(id));
      for (const at of [path(id), `${path(id)}/records`, `${path(id)}/zone-file`])
        expect((await cloud().ask('GET', at)).status, at).toBe(404);
    });

    test('the zone file is empty until it is rendered, then has the records', async () => {
      const { id } = await newDomain(cloud());
      const file = async () => (await cloud().get<{ zone_file: string[] }>(`${path(id)}/zone-file`)).zone_file;
      expect(await file()).toEqual([]);
      await newRecord(cloud(), id, { name: 'here', target: '192.0.2.77' });
      await cloud().until('it is rendered', async () =>
        (await file()).some((line) => /here.*192\.0\.2\.77/.test(line)),
      );
    });
  },
);

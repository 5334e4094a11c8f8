import { expect, test } from 'vitest';
import { describeArea, type Params } from './area.ts';
import type { Cloud } from './cloud.ts';
import { names, refuses, required, told, word } from './limits.ts';
import { type DomainRecord, domainRecord, recordTypes } from './networkNouns.ts';
import { newDomain, newRecord } from './networkSubjects.ts';
import { nothing } from './shapes.ts';

const path = (domainId: number | string | undefined, id?: number) =>
  `/v4/domains/${domainId}/records${id === undefined ? '' : `/${id}`}`;

const aDomain = async (cloud: Cloud) => ({ domainId: (await newDomain(cloud)).id });

const aRecord = async (cloud: Cloud) => {
  const { domainId } = await aDomain(cloud);
  return { domainId, recordId: (await newRecord(cloud, domainId)).id };
};

const anA = () => ({ type: 'A', name: word(8), target: '192.0.2.9' });
const bodies: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  A: anA,
  AAAA: () => ({ type: 'AAAA', name: word(8), target: '2001:db8::9' }),
  NS: () => ({ type: 'NS', name: word(8), target: 'ns1.example.org' }),
  MX: () => ({ type: 'MX', name: word(8), target: 'mail.example.com' }),
  CNAME: () => ({ type: 'CNAME', name: word(8), target: 'www.example.com' }),
  TXT: () => ({ type: 'TXT', name: word(8), target: 'v=spf1 -all' }),
  SRV: () => ({ type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip', priority: 1, weight: 2, port: 5060 }),
  PTR: () => ({ type: 'PTR', name: word(8), target: 'host.example.com' }),
  CAA: () => ({ type: 'CAA', name: word(8), target: 'letsencrypt.org', tag: 'issue' }),
};

const limits = [
  { field: 'name', accepts: [word(1), word(99), word(100)], refuses: [word(101), 5] },
  { field: 'ttl_sec', accepts: [300, 3600, 2419200], refuses: ['long', -1, 1.5] },
  refuses('target', 'nowhere', '2001:db8::9', '192.0.2.9.', '192.0.2.256', 5),
  refuses('weight', 1, 'heavy'),
  refuses('port', 1, 'many'),
  refuses('priority', 1, 'high'),
  refuses('tag', 'issue', 'other'),
];

/** Entries that one field of one type accepts and refuses. */
const byType: readonly (readonly [
  type: string,
  field: string,
  accepts: readonly unknown[],
  refuses: readonly unknown[],
])[] = [
  ['A', 'target', ['[remote_addr]', '203.0.113.1'], [undefined, '']],
  ['AAAA', 'target', ['::1'], [undefined, '192.0.2.9', '2001:db8::9.', '2001:db8:::9']],
  ['NS', 'target', ['ns1.example.org.'], [undefined, 'two words']],
  ['MX', 'target', ['mail.example.com.'], ['two words']],
  ['MX', 'priority', [undefined, 0, 1, 254, 255], [-1, 256, 1.5, 'high']],
  ['CNAME', 'target', ['www.example.com.'], [undefined, 'two words']],
  ['CNAME', 'name', [], [undefined, '']],
  ['TXT', 'target', ['any text; at all', 'ends with a period.'], [undefined]],
  ['SRV', 'target', ['sip.example.com', 'sip.example.com.', 'sip'], [undefined, 'two words']],
  ['SRV', 'service', ['_sip'], [undefined]],
  ['SRV', 'protocol', [undefined, null, '_udp'], [5]],
  ['SRV', 'priority', [0, 255], [undefined, -1, 256]],
  ['SRV', 'weight', [0, 65535], [undefined, -1, 65536, 'heavy']],
  ['SRV', 'port', [0, 65535], [undefined, -1, 65536, 'many']],
  ['CAA', 'tag', ['issuewild'], [undefined, null, 'other']],
  ['CAA', 'target', ['ca.example.org'], [undefined, 'letsencrypt.org.']],
  ['CAA', 'name', [undefined, ''], []],
];

describeArea(
  'records (document 3, 2.2 and 4.1)',
  {
    'GET /v4/domains/{domainId}/records': { answers: domainRecord, params: aDomain },
    'POST /v4/domains/{domainId}/records': {
      answers: domainRecord,
      params: aDomain,
      body: anA,
      limits: [required('type'), required('target'), refuses('type', 'SOA', 5), ...limits],
    },
    'GET /v4/domains/{domainId}/records/{recordId}': { answers: domainRecord, params: aRecord },
    'PUT /v4/domains/{domainId}/records/{recordId}': {
      answers: domainRecord,
      params: aRecord,
      body: () => ({ name: word(8) }),
      limits,
    },
    'DELETE /v4/domains/{domainId}/records/{recordId}': { answers: nothing, params: aRecord },
  },
  (cloud) => {
    const make = async (body: object, params?: Params) =>
      cloud().ask('POST', path((params ?? (await aDomain(cloud()))).domainId), { body });

    test.each(recordTypes)('a record of type %s is made and is there', async (type) => {
      const { domainId } = await aDomain(cloud());
      const answer = await make(bodies[type]?.() ?? {}, { domainId });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(domainRecord(answer.body)).toEqual([]);
      const [only] = await cloud().all<DomainRecord>(path(domainId));
      expect(only).toEqual(answer.body);
    });

    const tries = byType.flatMap(([type, field, accepted, refused]) => [
      ...accepted.map((value) => ({ type, field, value, as: told(value), says: 'accepts', status: 200 })),
      ...refused.map((value) => ({ type, field, value, as: told(value), says: 'refuses', status: 400 })),
    ]);
    test.each(tries)('$type $says $as as $field', async ({ type, field, value, status }) => {
      const answer = await make({ ...bodies[type]?.(), [field]: value });
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      if (status === 400) {
        const { errors } = answer.body as { errors: { field?: string; reason: string }[] };
        expect(names(field, errors), JSON.stringify(errors)).toBe(true);
      }
    });

    test('iodef names an http or mailto address', async () => {
      for (const [target, status] of [
        ['mailto:security@example.com', 200],
        ['https://example.com/caa', 200],
        ['security@example.com', 400],
        ['ftp://example.com', 400],
      ] as const)
        expect((await make({ type: 'CAA', tag: 'iodef', target })).status, target).toBe(status);
    });

    test('[remote_addr] becomes an IPv4 address', async () => {
      const { body } = await make({ ...anA(), target: '[remote_addr]' });
      expect((body as DomainRecord).target).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    });

    test('an underscore is put before service and protocol, and only one', async () => {
      for (const given of ['sip', '_sip']) {
        const { body } = await make({ ...bodies.SRV?.(), service: given });
        expect(body).toMatchObject({ service: expect.stringMatching(/^_sip\.?$/), protocol: '_tcp' });
      }
    });

    test('the TTL is rounded to the nearest value that there is', async () => {
      const { domainId } = await aDomain(cloud());
      const { id } = await newRecord(cloud(), domainId);
      for (const [given, kept] of [
        [301, 300],
        [1900, 300],
        [2000, 3600],
        [5000, 3600],
        [3_000_000, 2_419_200],
      ] as const)
        expect(await cloud().put(path(domainId, id), { ttl_sec: given }), `${given}`).toMatchObject({ ttl_sec: kept });
    });

    test('a name with a CNAME has no other CNAME', async () => {
      const { domainId } = await aDomain(cloud());
      await newRecord(cloud(), domainId, { type: 'CNAME', name: 'www', target: 'example.com' });
      const again = await cloud().refused('POST', path(domainId), {
        type: 'CNAME',
        name: 'WWW',
        target: 'example.org',
      });
      expect(names('name', again)).toBe(true);
      const { id } = await newRecord(cloud(), domainId, { type: 'CNAME', name: 'ftp', target: 'example.com' });
      await cloud().refused('PUT', path(domainId, id), { name: 'www' });
    });

    test('a Null MX stands alone: no other MX before it, none after it', async () => {
      const { domainId } = await aDomain(cloud());
      const nullMx = { type: 'MX', name: '', target: '' };
      const mail = await newRecord(cloud(), domainId, {
        type: 'MX',
        name: '',
        target: 'mail.example.com',
        priority: 10,
      });
      await cloud().refused('POST', path(domainId), nullMx);
      await cloud().remove(path(domainId, mail.id));
      for (const wrong of [{ name: 'mail' }, { priority: 5 }]) {
        await cloud().refused('POST', path(domainId), { ...nullMx, ...wrong });
      }
      const made = await cloud().post<DomainRecord>(path(domainId), nullMx);
      expect(made).toMatchObject({ target: '', name: '', priority: 0 });
      await cloud().refused('POST', path(domainId), { type: 'MX', name: '', target: 'mail.example.com' });
      await cloud().remove(path(domainId, made.id));
      await newRecord(cloud(), domainId, { type: 'MX', name: '', target: 'mail.example.com' });
    });

    test('a record of another domain is not found', async () => {
      const { recordId } = await aRecord(cloud());
      const { domainId } = await aDomain(cloud());
      expect((await cloud().ask('GET', path(domainId, Number(recordId)))).status).toBe(404);
    });

    test('a deleted one is gone', async () => {
      const { domainId, recordId } = await aRecord(cloud());
      await cloud().remove(path(domainId, recordId));
      expect(await cloud().all(path(domainId))).toEqual([]);
    });
  },
);

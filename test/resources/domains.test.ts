import { describe, expect, test } from 'vitest';
import { bodyOf, entriesLike, formFields } from '../../src/resources/body.ts';
import {
  addressesOf,
  addressPattern,
  canonicalAddress,
  isCidr,
  isIpv4,
  isIpv6,
  isPrivateAddress,
} from '../../src/resources/ipAddress.ts';
import { hostOf } from '../../src/resources/managed/address.ts';
import { leadsTo } from '../../src/resources/networking/dnsZones.ts';
import { domains } from '../../src/resources/networking/domains.ts';
import type { DomainRecord } from '../../src/resources/networking/recordRules.ts';
import { domainPattern, isHostName } from '../../src/resources/networking/recordRules.ts';
import { records } from '../../src/resources/networking/records.ts';
import { zoneLine } from '../../src/resources/networking/zoneLine.ts';
import type { Draft, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

describe('addresses and names', () => {
  test.each(['192.0.2.1', '0.0.0.0', '255.255.255.255'])('%s is IPv4', (text) => {
    expect([isIpv4(text), isIpv6(text), addressPattern.test.test(text)]).toEqual([true, false, true]);
  });

  test.each(['::', '::1', '2001:db8::', '2001:DB8::1', '1:2:3:4:5:6:7:8', '1::8', '1:2:3:4:5:6::8', '::2:3:4:5:6:7:8'])(
    '%s is IPv6',
    (text) => {
      expect([isIpv4(text), isIpv6(text), addressPattern.test.test(text)]).toEqual([false, true, true]);
    },
  );

  test.each([
    '',
    '192.0.2',
    '192.0.2.256',
    '1:2:3',
    '1::2::3',
    ':1',
    '1:2:3:4:5:6:7:8:9',
    'g::1',
    '12345::',
    '192.0.2.1/24',
  ])('%s is no address', (text) => {
    expect([isIpv4(text), isIpv6(text), addressPattern.test.test(text)]).toEqual([false, false, false]);
  });

  test.each(['2001:db8:0:0::10', '2001:0DB8:0000::0010', '2001:db8::10/64'])(
    '%s is 2001:db8::10 however it is written',
    (text) => {
      expect(canonicalAddress(text)).toBe('2001:db8::10');
      const record = { type: 'AAAA', target: '2001:DB8:0::10' } as DomainRecord;
      expect(addressesOf({ ipv6: text })).toEqual(leadsTo(record));
    },
  );

  test.each([
    ['[2001:db8::1]:8443', '2001:db8::1'],
    ['https://[2001:db8::1]/up', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['10.0.0.5:5432', '10.0.0.5'],
    ['https://me@example.com:8443/up?x=1', 'example.com'],
  ])('the host of the service at %s is %s', (address, host) => expect(hostOf(address)).toBe(host));

  test.each(['fe80::1%eth0', '1::/129', '1.2.3.4/33', '1.2.3.4/', ':::/3'])(
    '%s is no address with a prefix',
    (text) => {
      expect(isCidr(text)).toBe(false);
    },
  );

  test.each([
    ['10.0.0.1', true],
    ['192.168.128.5', true],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.1', false],
    ['192.0.2.1', false],
    ['10.0.0.256', false],
  ])('%s is private: %s', (text, is) => expect(isPrivateAddress(text)).toBe(is));

  const label = (length: number) => 'a'.repeat(length);
  test.each([
    ['example.com', true],
    [`${label(63)}.example`, true],
    [`${label(64)}.example`, false],
    [`${`${label(63)}.`.repeat(3)}${label(63)}`, true],
    [`${`${label(63)}.`.repeat(4)}a`, false],
    ['-a.example', false],
    ['a..example', false],
    ['a_b.example', true],
    ['_acme-challenge.example.com', true],
    ['*.example.com', true],
    ['www.*.example.com', false],
    ['a*.example.com', false],
    ['example.com.', false],
  ])('%s is a domain: %s', (text, is) => expect(domainPattern.test.test(text)).toBe(is));

  test.each([
    ['mail.example.com.', true],
    ['_dmarc.example.com', true],
    ['*.example.com', true],
    ['sip', true],
    ['two words', false],
    ['', false],
  ])('%s is a host name: %s', (text, is) => expect(isHostName(text)).toBe(is));
});

describe('a new domain', () => {
  const create = actionOf(domains, 'create');
  const wrong = (draft: Draft) => complaintsOf(domains, create, draft, knowing()).map(({ field }) => field);
  const shown = (draft: Draft) => formFields(domains, create, draft).map(({ name }) => name);
  const master = { domain: 'example.com', type: 'master', soa_email: 'hostmaster@example.com' };

  test('as a master needs an e-mail, as a slave its masters', () => {
    expect(wrong({ domain: 'example.com', type: 'master' })).toEqual(['soa_email']);
    expect(wrong({ domain: 'example.com', type: 'slave' })).toEqual(['master_ips']);
    expect(shown(master)).not.toContain('master_ips');
    expect(shown({ type: 'slave' })).not.toContain('soa_email');
    expect(wrong({ domain: 'example.com', type: 'slave', master_ips: ['192.0.2.1', '2001:db8::1'] })).toEqual([]);
  });

  test.each([
    [{ domain: 'two words' }, ['domain']],
    [{ soa_email: 'nobody' }, ['soa_email']],
    [{ axfr_ips: ['nowhere'] }, ['axfr_ips']],
    [{ description: 'a'.repeat(256) }, ['description']],
    [{ group: 'a'.repeat(51) }, ['group']],
    [{ ttl_sec: '300' }, []],
    [{ ttl_sec: '301' }, ['ttl_sec']],
  ])('with %j is wrong in %j', (draft, fields) => expect(wrong({ ...master, ...draft })).toEqual(fields));

  test('sends its timers as numbers', () => {
    expect(bodyOf(domains, create, { ...master, ttl_sec: '300', expire_sec: '0' })).toEqual({
      ...master,
      ttl_sec: 300,
      expire_sec: 0,
    });
  });
});

test('enabling and disabling send the status alone, and only where it differs', () => {
  const row = { id: 1, domain: 'example.com', status: 'active' };
  const disable = actionOf(domains, 'disable');
  expect(bodyOf(domains, disable, {}, row)).toEqual({ status: 'disabled' });
  expect(disable.refuse?.(row, knowing())).toBeUndefined();
  expect(actionOf(domains, 'enable').refuse?.(row, knowing())).toBe('example.com is already active');
});

test('deleting a domain tells how many records go with it', () => {
  const row = { id: 1, domain: 'example.com' };
  const says = (count: number) =>
    saidBy(domains.remove, 'warning', row, knowing({ records: Array.from({ length: count }, (_, id) => ({ id })) }));
  expect(says(0)).toContain('all its records');
  expect(says(1)).toContain('its one record');
  expect(says(3)).toContain('its 3 records');
});

describe('a new record', () => {
  const create = actionOf(records, 'create');
  const others = (...rows: readonly Row[]) => knowing({ records: rows });
  const shown = (draft: Draft) => formFields(records, create, draft).map(({ name }) => name);
  const wrong = (draft: Draft, view = knowing()) =>
    complaintsOf(records, create, draft, view, undefined, { domainId: '1' }).map(({ field }) => field);

  test.each([
    [undefined, ['type', 'ttl_sec']],
    ['A', ['type', 'name', 'target', 'ttl_sec']],
    ['MX', ['type', 'null_mx', 'name', 'target', 'priority', 'ttl_sec']],
    ['SRV', ['type', 'service', 'protocol', 'target', 'priority', 'weight', 'port', 'ttl_sec']],
    ['CAA', ['type', 'name', 'tag', 'target', 'ttl_sec']],
  ])('of type %s has the fields %j', (type, fields) => expect(shown({ type })).toEqual(fields));

  test.each([
    [{ type: 'A', target: '192.0.2.1' }, []],
    [{ type: 'A', target: '[remote_addr]' }, []],
    [{ type: 'A', target: '2001:db8::1' }, ['target']],
    [{ type: 'AAAA', target: '192.0.2.1' }, ['target']],
    [{ type: 'NS', target: 'ns1.example.com.' }, []],
    [{ type: 'NS', target: 'two words' }, ['target']],
    [{ type: 'MX', target: 'mail.example.com', priority: '255' }, []],
    [{ type: 'MX', target: 'mail.example.com', priority: '256' }, ['priority']],
    [{ type: 'MX' }, ['target']],
    [{ type: 'MX', null_mx: true }, []],
    [{ type: 'CNAME', target: 'example.com' }, ['name']],
    [{ type: 'TXT' }, ['target']],
    [{ type: 'SRV', target: 'sip' }, ['service', 'priority', 'weight', 'port']],
    [{ type: 'SRV', service: 'sip', target: 'sip', priority: '0', weight: '65535', port: '65536' }, ['port']],
    [{ type: 'CAA', target: 'letsencrypt.org' }, ['tag']],
    [{ type: 'CAA', tag: 'issue', target: 'letsencrypt.org.' }, ['target']],
    [{ type: 'CAA', tag: 'iodef', target: 'security@example.com' }, ['target']],
    [{ type: 'CAA', tag: 'iodef', target: 'mailto:security@example.com' }, []],
    [{ type: 'PTR' }, []],
    [{ type: 'A', name: 'a'.repeat(101), target: '192.0.2.1' }, ['name']],
  ])('%j is wrong in %j', (draft, fields) => expect(wrong(draft)).toEqual(fields));

  test('sends only what its type has', () => {
    const draft = { type: 'A', name: 'www', target: '192.0.2.1', priority: '5', tag: 'issue', ttl_sec: '300' };
    expect(bodyOf(records, create, draft)).toEqual({ type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 300 });
  });

  test('as a Null MX is sent empty, and stands alone', () => {
    const nullMx = { type: 'MX', null_mx: true, name: 'left', target: 'over', priority: '9' };
    expect(shown(nullMx)).toEqual(['type', 'null_mx', 'ttl_sec']);
    expect(bodyOf(records, create, nullMx)).toEqual({ type: 'MX', name: '', target: '', priority: 0 });
    const mail = { id: 1, type: 'MX', name: '', target: 'mail.example.com' };
    expect(wrong(nullMx, others(mail))).toEqual(['null_mx']);
    expect(wrong({ type: 'MX', target: 'mail-2.example.com' }, others(mail))).toEqual([]);
    expect(wrong({ type: 'MX', target: 'mail.example.com' }, others({ ...mail, target: '' }))).toEqual(['type']);
  });

  test.each([
    ['www', []],
    ['_dmarc.mail', []],
    ['*.dev', []],
    ['*', []],
    ['7.0/25', []],
    ['', []],
    ['bad name!', ['name']],
    ['@', ['name']],
    ['a..b', ['name']],
    ['a'.repeat(64), ['name']],
  ])('may be called %j: %j', (name, fields) => expect(wrong({ type: 'TXT', name, target: 'x' })).toEqual(fields));

  test.each<[Draft, Row, readonly string[]]>([
    [{ type: 'A', name: 'www', target: '192.0.2.1' }, { name: 'WWW', target: '192.0.2.1', ttl_sec: 300 }, ['target']],
    [{ type: 'A', name: 'www', target: '192.0.2.1' }, { name: 'www', target: '192.0.2.2' }, []],
    [{ type: 'A', target: '192.0.2.1' }, { name: '', target: '192.0.2.1' }, ['target']],
    [{ type: 'AAAA', target: '2001:DB8:0::1' }, { name: '', target: '2001:db8::1' }, ['target']],
    [{ type: 'TXT', target: 'Key' }, { name: '', target: 'key' }, []],
    [{ type: 'MX', target: 'mail.example.com.' }, { name: '', target: 'mail.example.com', priority: 0 }, ['target']],
    [
      { type: 'MX', target: 'mail.example.com', priority: '9' },
      { name: '', target: 'mail.example.com', priority: 0 },
      [],
    ],
    [
      { type: 'SRV', service: 'sip', protocol: 'tcp', target: 'a.b', priority: '1', weight: '2', port: '3' },
      { name: '_sip._tcp', service: '_sip.', protocol: '_tcp', target: 'a.b', priority: 1, weight: 2, port: 3 },
      ['target'],
    ],
  ])('%j beside %j is wrong in %j', (draft, other, fields) =>
    expect(wrong(draft, others({ id: 1, type: String(draft.type), ...other }))).toEqual(fields),
  );

  test('as a CNAME has its name alone', () => {
    const cname = { type: 'CNAME', name: 'WWW', target: 'example.com' };
    expect(wrong(cname, others({ id: 1, type: 'A', name: 'www' }))).toEqual(['name']);
    expect(wrong(cname, others({ id: 1, type: 'A', name: 'ftp' }))).toEqual([]);
  });
});

describe('a record', () => {
  const srv = {
    id: 7,
    type: 'SRV',
    name: '_sip._tcp',
    service: '_sip.',
    protocol: '_tcp',
    target: 'sip',
    priority: 1,
    weight: 2,
    port: 5060,
    ttl_sec: 0,
    tag: null,
  };
  const of = (type: string, more: Row) => ({ ...srv, service: null, protocol: null, name: '', ...more, type });

  test.each([
    [srv, '_sip._tcp IN SRV 1 2 5060 sip'],
    [of('A', { target: '192.0.2.1', ttl_sec: 300 }), '@ 300 IN A 192.0.2.1'],
    [of('CNAME', { name: 'www', target: 'example.com' }), 'www IN CNAME example.com.'],
    [of('MX', { target: 'mail.example.com.', priority: 10 }), '@ IN MX 10 mail.example.com.'],
    [of('MX', { target: '', priority: 0 }), '@ IN MX 0 .'],
    [of('TXT', { target: 'say "hi"' }), '@ IN TXT "say \\"hi\\""'],
    [of('CAA', { target: 'letsencrypt.org', tag: 'issue' }), '@ IN CAA 0 issue "letsencrypt.org"'],
  ])('reads in a zone file as it does there', (row, line) => expect(zoneLine(row as never)).toBe(line));

  test('is edited within its type: shown and sent are only its fields', () => {
    const edit = actionOf(records, 'edit');
    expect(formFields(records, edit, {}, srv).map(({ name }) => name)).toEqual([
      'service',
      'protocol',
      'target',
      'priority',
      'weight',
      'port',
      'ttl_sec',
    ]);
    const draft = {
      service: '_sip.',
      protocol: '_tcp',
      target: 'sip',
      priority: '1',
      weight: '3',
      port: '5060',
      ttl_sec: '0',
    };
    expect(bodyOf(records, edit, draft, srv)).toEqual({ weight: 3 });
    const wrong = complaintsOf(records, edit, { ...draft, target: '' }, knowing(), srv, { domainId: '1' });
    expect(wrong.map(({ field }) => field)).toEqual(['target']);
  });

  test('names the server or NodeBalancer of ours that it leads to', () => {
    const view = knowing({
      servers: [{ id: 1, label: 'web-1', ipv4: ['192.0.2.1'], ipv6: '2001:db8::1/128' }],
      nodebalancers: [{ id: 2, label: 'web-lb', ipv4: '203.0.113.1', hostname: '203.0.113.1.lb.example' }],
    });
    const column = records.columns.find(({ title }) => title === 'Points to');
    const shown = (row: Row) => typeof column?.value === 'function' && column.value(row, view);
    expect(shown(of('A', { target: '192.0.2.1' }))).toBe('web-1');
    expect(shown(of('AAAA', { target: '2001:DB8::1' }))).toBe('web-1');
    expect(shown(of('A', { target: '203.0.113.1' }))).toBe('web-lb');
    expect(shown(of('CNAME', { target: '203.0.113.1.lb.example.' }))).toBe('web-lb');
    expect(shown(of('A', { target: '192.0.2.2' }))).toBeUndefined();
    expect(shown(of('TXT', { target: '192.0.2.1' }))).toBeUndefined();
  });

  test('is marked where it leads to what is no more', () => {
    const view = knowing(
      { servers: [{ id: 3, label: 'web-3', ipv4: ['192.0.2.3'] }] },
      {
        deleted: {
          servers: [
            { id: 1, label: 'web-1', ipv4: ['192.0.2.1'] },
            { id: 2, label: 'web-2', ipv4: ['192.0.2.1', '192.0.2.3'] },
          ],
        },
      },
    );
    const column = records.columns.find(({ title }) => title === 'Points to');
    const shown = (row: Row) => typeof column?.value === 'function' && column.value(row, view);
    expect(shown(of('A', { target: '192.0.2.1' }))).toBe('! none: was web-2');
    expect(shown(of('A', { target: '192.0.2.3' }))).toBe('web-3');
  });

  test('is sent without the underscores and periods that the platform adds', () => {
    const { create, edit } = records;
    const sent = { service: '_sip.', protocol: '_tcp', target: 'sip.example.' };
    for (const action of [create, edit])
      expect(action?.send?.(sent, { type: 'SRV' }, undefined)).toEqual({ ...sent, service: 'sip', protocol: 'tcp' });
    expect(edit?.send?.({ protocol: null }, {}, undefined)).toEqual({ protocol: null });
  });

  test('is duplicated as it is', () => {
    const like = (record: Row) => records.create && entriesLike(records, records.create, record);
    expect(like(of('MX', { target: '', priority: 0 }))).toMatchObject({ type: 'MX', null_mx: true });
    expect(like(of('A', { name: 'api', target: '192.0.2.10' }))).toMatchObject({ name: 'api', target: '192.0.2.10' });
    expect(records.shortcuts?.map(({ help }) => help)).toEqual(['Add records']);
  });
});

import { expect, test } from 'vitest';
import { type DnsAnswer, questionAbout } from '../../src/resources/networking/dnsAnswers.ts';
import type { Domain } from '../../src/resources/networking/domainActions.ts';
import type { DomainRecord } from '../../src/resources/networking/recordRules.ts';
import { blankRecord } from './blankRecord.ts';

const domain = { id: 1, domain: 'Example.com', ttl_sec: 3600 } as Domain;

let ids = 0;

const blank = { ...blankRecord, name: '', target: '' };
const record = (type: string, target: string, more: object = {}) =>
  ({ ...blank, id: ++ids, created: '', updated: '', type, target, ...more }) as DomainRecord;

/** A record of an answer, which has no id. */
const found = (type: string, target: string, more: object = {}) =>
  ({ name: 'www.example.com', type, ttl_sec: 3600, target, ...more }) as DomainRecord;

const answer = (records: readonly DomainRecord[], more: Partial<DnsAnswer> = {}): DnsAnswer => ({
  rcode: 'NOERROR',
  isAuthoritative: true,
  records,
  authorities: [],
  ...more,
});

/** The judgement of an answer about the first record of a zone. */
const judge = (rows: readonly DomainRecord[], given: DnsAnswer) =>
  questionAbout(rows[0] as DomainRecord, domain, rows).judged(given, 'ns');

const www = { name: 'www' };
const one = record('A', '192.0.2.1', www);
const two = record('A', '192.0.2.2', www);

test('all records of the name and type are one answer, whatever their order', () => {
  const rows = [one, two, record('A', '192.0.2.9', { name: 'other' }), record('TXT', 'text', www)];
  const [first, second] = [found('A', '192.0.2.1'), found('A', '192.0.2.2')];
  expect(questionAbout(one, domain, rows).zoneSays).toBe('The zone says 192.0.2.1 and 192.0.2.2; TTL 1 h.');
  expect(judge(rows, answer([second, first]))).toEqual({
    tone: 'good',
    says: 'ns: 192.0.2.1 and 192.0.2.2; TTL 1 h; as the zone says',
  });
  expect(judge(rows, answer([first])).tone).toBe('bad');
  expect(judge(rows, answer([first, second, found('A', '192.0.2.3')])).tone).toBe('bad');
  expect(judge(rows, answer([first, { ...second, name: 'WWW.Example.COM' }])).tone).toBe('good');
  expect(judge(rows, answer([first, second, found('A', '192.0.2.3', { name: 'elsewhere.example' })])).tone).toBe(
    'good',
  );
});

test.each([
  ['AAAA', record('AAAA', '2001:DB8:0::1', www), found('AAAA', '2001:db8::1'), found('AAAA', '2001:db8::2')],
  [
    'CNAME',
    record('CNAME', 'Web.Example.net', www),
    found('CNAME', 'web.example.net.'),
    found('CNAME', 'x.example.net.'),
  ],
  ['CNAME', record('CNAME', 'web', www), found('CNAME', 'web.example.com.'), found('CNAME', 'web.')],
  [
    'MX',
    record('MX', 'mail.example.com', { ...www, priority: 10 }),
    found('MX', 'mail.example.com.', { priority: 10 }),
    found('MX', 'mail.example.com.', { priority: 20 }),
  ],
  ['TXT', record('TXT', 'v=spf1 -all', www), found('TXT', 'v=spf1 -all'), found('TXT', 'v=spf1 -All')],
  [
    'CAA',
    record('CAA', 'ca.example', { ...www, tag: 'issue' }),
    found('CAA', 'ca.example', { tag: 'ISSUE' }),
    found('CAA', 'ca.example', { tag: 'issue with flags 128' }),
  ],
])('%s is compared as such values are', (_type, row, same, other) => {
  expect(judge([row], answer([same])).tone).toBe('good');
  expect(judge([row], answer([other])).tone).toBe('bad');
});

test('SRV and Null MX by all their parts, under their own names', () => {
  const sip = record('SRV', 'sip', { service: '_sip', protocol: '_tcp', priority: 1, weight: 2, port: 5060 });
  const name = '_sip._tcp.example.com';
  expect(questionAbout(sip, domain).name).toBe(name);
  const parts = { name, priority: 1, weight: 2, port: 5060 };
  expect(judge([sip], answer([found('SRV', 'sip.example.com.', parts)])).tone).toBe('good');
  expect(judge([sip], answer([found('SRV', 'sip.example.com.', { ...parts, weight: 3 })])).tone).toBe('bad');
  const none = record('MX', '');
  expect(judge([none], answer([found('MX', '', { name: 'example.com', priority: 0 })]))).toEqual({
    tone: 'good',
    says: 'ns: 0 .; TTL 1 h; as the zone says',
  });
});

test('the TTL: what is left of it in a cache, that of the zone, and another one', () => {
  const left = answer([found('A', '192.0.2.1', { ttl_sec: 754 })], { isAuthoritative: false });
  expect(judge([one], left)).toEqual({ tone: 'good', says: 'ns: 192.0.2.1; 12 min 34 s left; as the zone says' });
  const other = answer([found('A', '192.0.2.1', { ttl_sec: 300 })]);
  expect(judge([one], other)).toEqual({
    tone: 'warn',
    says: 'ns: 192.0.2.1; TTL 5 min; as the zone says, but for the TTL',
  });
  const longer = answer([found('A', '192.0.2.1', { ttl_sec: 86_400 })], { isAuthoritative: false });
  expect(judge([one], longer).tone).toBe('warn');
});

test('an alias in place of an address says so, and whether the zone has it', () => {
  const chain = answer([found('CNAME', 'web.example.net.'), found('A', '192.0.2.1', { name: 'web.example.net' })]);
  expect(judge([one], chain)).toEqual({ tone: 'bad', says: 'ns: CNAME web.example.net.; not as the zone says' });
  const alias = record('CNAME', 'web.example.net', www);
  expect(judge([one, alias], chain).says).toBe('ns: CNAME web.example.net., which the zone has; not as the zone says');
  expect(judge([alias], chain).tone).toBe('good');
});

test('no name, no record, a refusal, an error, and a referral', () => {
  const noName = answer([], { rcode: 'NXDOMAIN' });
  expect(judge([one], noName)).toEqual({ tone: 'bad', says: 'ns: no such name; not as the zone says' });
  expect(judge([one], answer([]))).toEqual({ tone: 'bad', says: 'ns: no A record; not as the zone says' });
  expect(judge([one], answer([], { rcode: 'REFUSED' }))).toEqual({ tone: 'warn', says: 'ns answers REFUSED' });
  expect(judge([one], answer([], { rcode: 'SERVFAIL' })).says).toBe('ns answers SERVFAIL');
  const authorities = [found('NS', 'ns.example.net.', { name: 'www.example.com' })];
  const referral = answer([], { isAuthoritative: false, authorities });
  expect(judge([one], referral)).toEqual({ tone: 'warn', says: 'ns: refers to ns.example.net.' });
  expect(judge([record('NS', 'ns.example.net', www)], referral).tone).toBe('good');
});

test('what cannot be told is not told: a zone that is not read, and a record that is gone', () => {
  const ofUnread = (given: DnsAnswer) => questionAbout(one, domain).judged(given, 'ns');
  expect(ofUnread(answer([found('A', '192.0.2.1')]))).toEqual({ tone: 'warn', says: 'ns: 192.0.2.1; TTL 1 h' });
  expect(ofUnread(answer([], { rcode: 'NXDOMAIN' })).tone).toBe('warn');
  const gone = questionAbout(one, domain, []);
  const ofGone = (given: DnsAnswer) => gone.judged(given, 'ns');
  expect(gone.zoneSays).toBe('The zone has no such record any more.');
  expect(ofGone(answer([], { rcode: 'NXDOMAIN' })).tone).toBe('good');
  expect(ofGone(answer([found('A', '192.0.2.1')])).tone).toBe('bad');
});

test('what a server sends is shown clean and short', () => {
  const says = judge([one], answer([found('A', '192.0.2.1'), found('A', '\x1b]0;x\x07')])).says;
  const names = judge([record('CNAME', 'a.b', www)], answer([found('CNAME', 'e\x1b[31mvil\u202e.example.')])).says;
  const text = judge([record('TXT', 'x', www)], answer([found('TXT', '\x9b31m\n"'.repeat(2000))])).says;
  const many = judge([one], answer(Array.from({ length: 500 }, (_, nth) => found('A', `192.0.2.${nth}`)))).says;
  for (const one of [says, names, text, many]) expect(one).toMatch(/^[\x20-\x7e…]{1,700}$/);
});

import { describe, expect, test } from 'vitest';
import { draftOf } from '../../src/resources/body.ts';
import type { Domain } from '../../src/resources/networking/domainActions.ts';
import { domains } from '../../src/resources/networking/domains.ts';
import type { DomainRecord } from '../../src/resources/networking/recordRules.ts';
import { records } from '../../src/resources/networking/records.ts';
import { zoneChanges } from '../../src/resources/networking/zoneChanges.ts';
import { zoneChecks } from '../../src/resources/networking/zoneChecks.ts';
import { zoneFileOf } from '../../src/resources/networking/zoneLine.ts';
import { readZone } from '../../src/resources/networking/zoneReader.ts';
import type { CacheView, Draft, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { sentence, uncapitalized } from '../../src/text/words.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { blankRecord } from './blankRecord.ts';
import { foundBy } from './foundBy.ts';
import { type Further, knowing } from './known.ts';

const domain = {
  ...{ id: 3, domain: 'example.com', type: 'master', status: 'active', soa_email: 'a@example.com', ttl_sec: 0 },
  ...{ refresh_sec: 0, retry_sec: 0, expire_sec: 0, master_ips: [], axfr_ips: [], tags: [], group: '' },
} as unknown as Domain;
const other = { ...domain, id: 4, domain: 'other.example' };
const params = { domainId: '3' };

/** A record as `TYPE name target`, of a CAA `CAA name tag value`, of an SRV `SRV service target`; behind ` ~` its TTL. */
function record(line: string, id: number): DomainRecord {
  const [text = '', ttl = '0'] = line.split(' ~');
  const [type = '', name = '', ...rest] = text.split(' ');
  const tag = type === 'CAA' ? (rest.shift() ?? '') : null;
  const service = type === 'SRV' ? { service: name, protocol: 'tcp' } : {};
  const own = { name: name === '@' || type === 'SRV' ? '' : name, ...service };
  return {
    ...blankRecord,
    id,
    type,
    target: rest.join(' '),
    ttl_sec: Number(ttl),
    tag,
    ...own,
  } as unknown as DomainRecord;
}

const rowsOf = (lines: readonly string[]) => lines.map((line, nth) => record(line, nth + 1));
const listsOf = (rows: readonly Row[], whole = true, about: Row = {}) => ({
  domains: [{ params: {}, rows: [{ ...domain, ...about }, other], whole: true }],
  records: [{ params, rows, whole }],
  servers: [],
  nodebalancers: [],
});

/** The sentences of a check as problems of the records that are there. */
const problems = (name: string, rows: readonly Row[], whole = true, further: Further & { about?: Row } = {}) =>
  foundBy(name, { lists: listsOf(rows, whole, further.about), ...further }).map(({ says }) => says);

const key = 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7';
const includes = Array.from({ length: 11 }, (_, nth) => `include:s${nth}.example.org`).join(' ');

/** A wrong zone of each check, whose last record makes it so, and right ones. */
const zones: Readonly<Record<string, { wrong: readonly string[]; right: readonly (readonly string[])[] }>> = {
  'record-name-in-full': {
    wrong: ['TXT www.example.com x'],
    right: [['TXT www x'], ['TXT example.org x'], ['TXT notexample.com x']],
  },
  'record-alias-of-domain': { wrong: ['CNAME @ a.example.org'], right: [['CNAME www a.example.org']] },
  'record-beside-alias': {
    wrong: ['CNAME www a.example.org', 'TXT www x'],
    right: [
      ['CNAME www a.example.org', 'TXT web x'],
      ['A www 192.0.2.1', 'TXT www x'],
    ],
  },
  'record-leads-to-itself': {
    wrong: ['CNAME b a', 'CNAME a b'],
    right: [['CNAME a b', 'CNAME b c', 'A c 192.0.2.1'], ['CNAME a a.example.org'], ['MX a a', 'A a 192.0.2.1']],
  },
  'record-target-is-address': { wrong: ['MX @ 192.0.2.1'], right: [['MX @ mail.example.org'], ['A @ 192.0.2.1']] },
  'record-target-is-alias': {
    wrong: ['CNAME mail a.example.org', 'MX @ mail'],
    right: [
      ['A mail 192.0.2.1', 'MX @ mail'],
      ['CNAME www mail', 'CNAME mail a.example.org'],
    ],
  },
  'record-target-without-record': {
    wrong: ['TXT mail x', 'MX @ mail'],
    right: [
      ['AAAA mail 2001:db8::1', 'MX @ mail'],
      ['A * 192.0.2.1', 'MX @ mail', 'CNAME www web'],
      ['NS sub ns.example.org', 'MX @ mail.sub.example.com', 'CNAME www sub'],
      ['TXT mail x', 'CNAME www mail'],
      ['MX @ mail.example.org', 'MX @ mail.other.example'],
      ['MX @ '],
      ['A ns.sub 192.0.2.1', 'NS sub ns.sub.example.com', 'NS sub ns.example.org'],
      ['A ns 192.0.2.1', 'NS sub ns'],
    ],
  },
  'record-leads-to-gone': { wrong: ['A www 192.0.2.2'], right: [['A www 192.0.2.3']] },
  'mx-null-beside-others': {
    wrong: ['MX @ mail.example.org', 'MX @ '],
    right: [['MX @ '], ['MX @ mail.example.org', 'MX @ mx.example.org']],
  },
  'record-duplicate': {
    wrong: ['AAAA www 2001:db8::1', 'AAAA WWW 2001:DB8:0::1 ~300'],
    right: [
      ['A www 192.0.2.1', 'A www 192.0.2.2'],
      ['TXT www x', 'TXT www X'],
      ['TXT www x', 'TXT web x'],
    ],
  },
  'record-ttl-differs': {
    wrong: ['A www 192.0.2.1', 'A www 192.0.2.2 ~300'],
    right: [
      ['A www 192.0.2.1', 'A www 192.0.2.2 ~86400'],
      ['A www 192.0.2.1', 'TXT www x ~300'],
    ],
  },
  'spf-several': {
    wrong: ['TXT @ v=spf1 mx -all', 'TXT @ v=spf1 -all'],
    right: [['TXT @ v=spf1 -all', 'TXT mail v=spf1 -all', 'TXT @ v=spf10']],
  },
  'spf-too-many-lookups': {
    wrong: [`TXT @ v=spf1 ${includes} -all`],
    right: [['TXT @ v=spf1 include:a.example -all']],
  },
  'spf-unknown-term': {
    wrong: ['TXT @ v=spf1 ipv4:192.0.2.1 -all'],
    right: [['TXT @ v=spf1 a mx/24 a:b.example//64 ip4:192.0.2.0/24 ?ptr exists:%{i}.b exp=c.example x=y ~all']],
  },
  'spf-allows-everybody': { wrong: ['TXT @ v=spf1 +all'], right: [['TXT @ v=spf1 ?all']] },
  'spf-without-end': { wrong: ['TXT @ v=spf1 mx'], right: [['TXT @ v=spf1 redirect=a.example']] },
  'dmarc-several': {
    wrong: ['TXT _dmarc v=DMARC1; p=none', 'TXT _dmarc v=DMARC1; p=reject'],
    right: [['TXT _dmarc v=DMARC1; p=none', 'TXT _dmarc verification=1', 'TXT _dmarc.sub v=DMARC1; p=none']],
  },
  'dmarc-malformed': {
    wrong: ['TXT _dmarc v=DMARC1; p=allow'],
    right: [
      ['TXT _dmarc v=DMARC1;p=none; rua=mailto:a@b.example;'],
      ['TXT a._report._dmarc v=DMARC1', 'TXT _dmarc site=1'],
    ],
  },
  'dkim-malformed': {
    wrong: ['TXT k1._domainkey v=DKIM1; k=rsa'],
    right: [
      [`TXT k1._domainkey v=DKIM1; k=rsa; p=${key}==`, `TXT k2._domainkey k=rsa; p=${key}`],
      ['TXT k1._domainkey v=DKIM1; p=', `TXT k2._domainkey "v=DKIM1; p=${key}" "${key}"`],
      ['TXT _adsp._domainkey dkim=all', 'TXT _domainkey t=y; o=~', 'TXT k1._domainkey site-verification'],
    ],
  },
  'caa-malformed': {
    wrong: ['CAA @ issue https://letsencrypt.org'],
    right: [
      ['CAA @ issue letsencrypt.org; validationmethods=dns-01', 'CAA @ issuewild ;', 'CAA @ iodef mailto:a@b.example'],
      ['CAA @ contactemail a@b.example'],
    ],
  },
};

const deleted = { servers: [{ id: 2, label: 'web-2', ipv4: ['192.0.2.2'], ipv6: null }] };

test('each check has a wrong zone and right ones here, a source, and sentences of its own', () => {
  expect(zoneChecks.map(({ name }) => name).toSorted()).toEqual(Object.keys(zones).toSorted());
  expect(zoneChecks.filter(({ rfc }) => rfc === undefined).map(({ name }) => name)).toEqual(['record-leads-to-gone']);
  expect(new Set(zoneChecks.map(({ several }) => several)).size).toBe(zoneChecks.length);
});

/** The refusal and the note in the form of a new record beside others. */
function formSays(view: CacheView, row: DomainRecord): readonly string[] {
  const create = actionOf(records, 'create');
  const isNone = row.type === 'MX' && row.target === '';
  const draft: Draft = { ...draftOf(records, create, row), type: row.type, ...(isNone && { null_mx: true }) };
  const refused = complaintsOf(records, create, draft, view, undefined, params).map(({ says }) => says);
  return [...refused, saidBy(create, 'note', {}, view, draft, params) ?? ''];
}

describe.each(zoneChecks.map((check) => [check.name, check] as const))('%s', (name, check) => {
  const { wrong, right } = zones[name] ?? { wrong: [], right: [] };
  const rows = rowsOf(wrong);

  test('is said alike by problems, form and zone file, with the number of its RFC', () => {
    const [says = '', ...others] = problems(name, rows, true, { deleted });
    expect(others).toHaveLength(name === 'record-leads-to-itself' ? 1 : 0);
    if (check.rfc !== undefined) expect(says).toMatch(/ \(RFC \d{4}(?: §[\d.]+)?\)$/);
    const told = says && name === 'record-leads-to-itself' ? (others[0] ?? '') : says;
    const last = rows.at(-1) as DomainRecord;
    const before = knowing(listsOf(rows.slice(0, -1)), { deleted });
    // The zone file is read without the account.
    expect(formSays(before, last).join('\n')).toContain(check.scope.refuses ? uncapitalized(told) : sentence(told));
    if (name === 'record-leads-to-gone') return;
    const text = zoneFileOf(domain, rows);
    const { mistakes, notes } = zoneChanges(readZone(text, 'example.com'), domain, []);
    const remarks = (check.scope.refuses ? mistakes : notes).filter((one) => one.says === sentence(told));
    expect(remarks.length, `${JSON.stringify({ mistakes, notes })} ${told}`).toBeGreaterThan(0);
    expect(remarks.some(({ line }) => text.split('\n')[line - 1]?.includes(last.type))).toBe(true);
  });

  test.each(right.map((lines) => [lines.join(' | '), lines] as const))('says nothing of %s', (_name, lines) => {
    const fine = rowsOf(lines);
    expect(problems(name, fine, true, { deleted })).toEqual([]);
    const said = zoneChecks.find((one) => one.name === name)?.several;
    expect(said).toContain('{}');
  });

  test('what a record is already is no complaint about its edit', () => {
    const edit = actionOf(records, 'edit');
    for (const row of rows) {
      const now = draftOf(records, edit, row);
      const view = knowing(listsOf(rows), { deleted });
      const mine = { ...now, ttl_sec: String(row.ttl_sec) };
      expect(complaintsOf(records, edit, mine, view, row, params, now)).toEqual([]);
      expect(saidBy(edit, 'note', row, view, mine, params)).toBeUndefined();
    }
  });

  test('junk in place of fields is no reason to fail', () => {
    for (const junk of [null, undefined, 7, {}, [], 'CNAME', true])
      for (const field of ['name', 'target', 'type', 'ttl_sec', 'tag', 'service'])
        for (const row of rows)
          expect(() => problems(name, [...rows, { ...row, id: 9, [field]: junk }], true, { deleted })).not.toThrow();
  });
});

test('TTLs are told as in their column, and two that differ never alike', () => {
  const said = (ttl: string) =>
    problems('record-ttl-differs', rowsOf(['A www 192.0.2.1 ~3600', `A www 192.0.2.2 ~${ttl}`]));
  expect(said('300')).toEqual([expect.stringContaining('have TTLs of 5 min and 1 h;')]);
  expect(said('3601')).toEqual([expect.stringContaining('have TTLs of 1 h and 3601 s;')]);
});

test('what is not known finds nothing: unread records, slaves, zones that are not served, other zones', () => {
  const name = 'record-target-without-record';
  for (const lines of [['TXT mail x', 'MX @ mail'], ['CNAME www web'], ['NS sub ns'], ['NS sub ns.sub.example.com']]) {
    const rows = rowsOf(lines);
    expect(problems(name, rows)).toHaveLength(1);
    expect(problems(name, rows, false)).toEqual([]);
    for (const about of [{ type: 'slave' }, { status: 'disabled' }, { status: 'has_errors' }, { domain: null }])
      expect(problems(name, rows, true, { about })).toEqual([]);
  }
  const lists = { ...listsOf(rowsOf(['MX @ mail'])), domains: [{ params: {}, rows: [domain], whole: false }] };
  expect(foundBy('record-target-without-record', { lists })).toEqual([]);
});

test('what several records are together is told at one of them, with all as evidence', () => {
  const rows = rowsOf(['A www 192.0.2.1', 'CNAME www a.example.org', 'TXT www x']);
  const [found, ...others] = foundBy('record-beside-alias', { lists: listsOf(rows) });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ params: { domainId: '3', recordId: '2' } });
});

test('200 zones of 200 records are checked in a time that grows with their number alone', () => {
  const timed = (count: number) => {
    const lines = Array.from(
      { length: count },
      (_, nth) => `${nth % 2 ? 'A' : 'TXT'} ${nth % 7 ? `h${nth}` : 'www'} 192.0.2.${nth}`,
    );
    const rows = rowsOf(lines);
    const from = process.cpuUsage().user;
    for (const { name } of zoneChecks) problems(name, rows);
    return process.cpuUsage().user - from;
  };
  timed(500);
  expect(timed(8000)).toBeLessThan(60 * Math.max(timed(500), 2000));
}, 60_000);

test('SPF records that all include each other are counted to an end', () => {
  const hosts = Array.from({ length: 14 }, (_, nth) => `s${nth}`);
  const all = hosts.map((host) => `include:${host}.example.com`).join(' ');
  const rows = rowsOf(hosts.map((host) => `TXT ${host} v=spf1 ${all} -all`));
  const [first] = problems('spf-too-many-lookups', rows);
  expect(JSON.stringify(first)).toContain('needs at least 100 DNS lookups');
});

test('long texts are checked in a time that grows with their length alone', () => {
  const blanks = ' '.repeat(100_000);
  const texts = [`v=DKIM1; p=${blanks}!`, `v=DKIM1;${blanks}v`, `p=${'a'.repeat(100_000)}!`];
  const rows = [
    ...texts.map((target, nth) => ({ ...record(`TXT s${nth}._domainkey x`, nth + 1), target })),
    { ...record('TXT _dmarc x', 8), target: `v=DMARC1;${blanks}p${blanks}!` },
    { ...record('TXT @ x', 9), target: `v=spf1 ${blanks}a${blanks}!` },
  ];
  const from = process.cpuUsage().user;
  expect(zoneChecks.flatMap(({ name }) => problems(name, rows)).length).toBeGreaterThan(3);
  expect(process.cpuUsage().user - from).toBeLessThan(2_000_000);
});

test('a TTL that the API does not have is refused, with the one that it would make of it', () => {
  const told = (of: typeof records, name: string, draft: Draft) =>
    complaintsOf(of, actionOf(of, name), draft, knowing(listsOf([])), undefined, params).map(({ says }) => says);
  const a = { type: 'A', name: 'www', target: '192.0.2.1' };
  expect(told(records, 'create', { ...a, ttl_sec: '3600' })).toEqual([]);
  expect(told(records, 'create', { ...a, ttl_sec: '600' })).toEqual([
    expect.stringMatching(/^TTL must be one of 0, 300, .*; the API would make 300 of 600\.$/),
  ]);
  // Those of a domain are rounded up.
  expect(
    told(domains, 'create', { domain: 'a.example', type: 'master', soa_email: 'a@b.example', ttl_sec: '600' }),
  ).toEqual([expect.stringMatching(/^TTL must be one of .*; the API would make 3600 of 600\.$/)]);
  const { notes } = zoneChanges(readZone('www 600 A 192.0.2.1\n', 'example.com'), domain, []);
  expect(notes).toEqual([{ line: 1, column: 5, says: 'the API holds no time of 600 s; it becomes 300 s.' }]);
});

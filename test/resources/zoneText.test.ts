import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Domain } from '../../src/resources/networking/domainActions.ts';
import { type DomainRecord, recordTypes } from '../../src/resources/networking/recordRules.ts';
import { zoneChanges } from '../../src/resources/networking/zoneChanges.ts';
import { zoneFileOf } from '../../src/resources/networking/zoneLine.ts';
import { readZone } from '../../src/resources/networking/zoneReader.ts';
import { seed } from '../draw.ts';
import { anyText } from '../text/anyText.ts';
import { blankRecord } from './blankRecord.ts';

const domain = {
  ...{ id: 7, domain: 'example.com', type: 'master', status: 'active', soa_email: 'dns.admin@example.com' },
  ...{ ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0, tags: [], description: '', group: '' },
  ...{ master_ips: [], axfr_ips: [] },
} as unknown as Domain;

let ids = 0;
const record = (type: string, name: string, target: string, more: Partial<DomainRecord> = {}) => {
  ids += 1;
  return { ...blankRecord, id: ids, type, name, target, ...more } as DomainRecord;
};

/** The changes that a file asks for, of which only those are named that there are. */
function changes(file: string, records: readonly DomainRecord[] = [], of = domain) {
  const { removes, edits, creates, mistakes, notes, domain: own } = zoneChanges(readZone(file, of.domain), of, records);
  const said = (remarks: typeof mistakes) => remarks.map(({ line, column, says }) => `${line}:${column}: ${says}`);
  const all = {
    removes: removes.map(({ type, name, target }) => `${type} ${name || '@'} ${target}`),
    edits: edits.map(({ record: { type, name }, mine }) => ({ [`${type} ${name || '@'}`]: mine })),
    creates,
    domain: Object.entries(own).map(([name, entry]) => `${name} ${entry}`),
    mistakes: said(mistakes),
    notes: said(notes),
  };
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0));
}

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,12}[a-z0-9_])?$/);
const anyName = fc.oneof(
  fc.constant(''),
  fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')),
  label.map((one) => `*.${one}`),
  label.map((one) => `_${one}._domainkey`),
  label.map((one) => `${one}.example.com`),
  fc.constantFrom(
    '*',
    '@',
    'WWW',
    'bücher',
    '例え.テスト',
    '0/25.2',
    'www.example.com.',
    'mail.elsewhere.example.',
    'xn--bcher-kva',
  ),
);
const host = fc.oneof(
  fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.')),
  fc.array(label, { minLength: 1, maxLength: 2 }).map((labels) => `${labels.join('.')}.`),
  label,
  fc.constantFrom('Mail.Example.COM', 'bücher.example', 'www.example.com'),
);
const timer = fc.constantFrom(0, 300, 3600, 86_400, 2_419_200);
const recordText = fc.oneof(
  anyText({ minLength: 1, maxLength: 600 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 900 }),
  fc.constantFrom(
    'v=spf1 -all',
    '"v=spf1 -all"',
    'a;b (c) \\ \\032 "',
    ' ',
    '\n',
    '\ufeffx',
    '\ud800',
    '@',
    '$TTL 1',
    'ü'.repeat(300),
  ),
);
const targets: Readonly<Record<string, fc.Arbitrary<Partial<DomainRecord>>>> = {
  A: fc.record({ target: fc.ipV4() }),
  AAAA: fc.record({ target: fc.oneof(fc.ipV6(), fc.constantFrom('2001:DB8::1', '2001:db8:0:0::1')) }),
  NS: fc.record({ target: host }),
  MX: fc.record({ target: fc.oneof(host, fc.constant('')), priority: fc.integer({ min: 0, max: 255 }) }),
  CNAME: fc.record({ target: host }),
  TXT: fc.record({ target: recordText }),
  SRV: fc.record({
    ...{
      service: label.map((one) => `_${one}.`),
      protocol: fc.oneof(
        label.map((one) => `_${one}`),
        fc.constant(null),
      ),
    },
    ...{ target: host, priority: fc.integer({ min: 0, max: 255 }) },
    ...{ weight: fc.integer({ min: 0, max: 65_535 }), port: fc.integer({ min: 0, max: 65_535 }) },
  }),
  PTR: fc.record({ target: fc.oneof(host, fc.constant(''), fc.constant('two words')) }),
  CAA: fc.record({ tag: fc.constantFrom('issue', 'issuewild', 'iodef'), target: recordText }),
};
const anyRecord = fc
  .constantFrom(...recordTypes)
  .chain((type) => fc.tuple(fc.constant(type), anyName, timer, targets[type] ?? fc.constant({})))
  .map(([type, name, ttl_sec, more]) => record(type, name, '', { ttl_sec, ...more }));
const anyDomain = fc
  .record({
    ...{ ttl_sec: timer, refresh_sec: timer, retry_sec: timer, expire_sec: timer },
    domain: fc.constantFrom(
      'example.com',
      'Example.COM',
      'xn--bcher-kva.example',
      'bücher.example',
      '2.0.192.in-addr.arpa',
    ),
    soa_email: fc.constantFrom('dns.admin@example.com', 'a+b@bücher.example', 'x@y.example'),
  })
  .map((own) => ({ ...domain, ...own }) as Domain);

test('a zone that is written and read again is the same, whatever it has', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyDomain, fc.array(anyRecord, { maxLength: 12 }), (of, records) => {
      for (const { type } of records) seen.add(type);
      const file = zoneFileOf(of, records);
      expect(file).toMatch(/^[\x20-\x7e\n]*$/);
      expect(changes(file, records, of)).toEqual({});
      // The file tells its zone by itself, and the order of the rows is of no account.
      expect(zoneChanges(readZone(file), of, records.toReversed()).mistakes).toEqual([]);
      expect(zoneFileOf(of, records.toReversed())).toBe(file);
    }),
    { seed, numRuns: 1000 },
  );
  expect([...seen].toSorted()).toEqual([...recordTypes].toSorted());
});

test('whatever is typed, the reader ends, and each mistake is at a place of the text', () => {
  const word = fc.constantFrom(
    '@',
    'IN',
    'A',
    'TXT',
    '(',
    ')',
    '"',
    ';',
    '\\',
    '$TTL',
    '1h',
    '\n',
    ' ',
    'MX',
    '10',
    '\\999',
    'SOA',
    '.',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 40 }), (words) => {
      const text = words.join(' ');
      const lines = text.split('\n');
      for (const { line, column } of readZone(text, 'example.com').mistakes) {
        expect(lines[line - 1]).toBeDefined();
        expect(column).toBeGreaterThan(0);
        expect(column).toBeLessThanOrEqual(Math.max(1, lines[line - 1]?.length ?? 0));
      }
    }),
    { seed },
  );
});

test('what the zone holds though the API would not take it anew is no change, and nothing is said to become another', () => {
  const records = [
    record('A', 'short', '192.0.2.7', { ttl_sec: 17 }),
    record('A', 'twin', '192.0.2.7', { ttl_sec: 300 }),
    record('A', 'twin', '192.0.2.7', { ttl_sec: 17 }),
    record('CNAME', 'itself', '@'),
    record('MX', '', '@', { priority: 10 }),
  ];
  const of = { ...domain, ttl_sec: 17, refresh_sec: 18, retry_sec: 19, expire_sec: 20 };
  const file = zoneFileOf(of, records);
  expect(file).toMatch(/^\$TTL 17$/m);
  expect(changes(file, records, of)).toEqual({});
  expect(changes(file.replace(/^(short +)17/m, '$118'), records, of)).toEqual({
    edits: [{ 'A short': { ttl_sec: '300' } }],
    notes: [expect.stringMatching(/: the API holds no time of 18 s; it becomes 300 s\.$/)],
  });
});

test('a zone file is in the order of names, aligned, and says what it does not know', () => {
  const long = `v=DKIM1; p=${'A'.repeat(300)}`;
  const records = [
    record('SRV', '_sip._tcp', 'pbx', { service: '_sip.', protocol: '_tcp', priority: 10, weight: 5, port: 5060 }),
    record('TXT', 'k1._domainkey', long),
    record('CNAME', 'www', 'example.com', { ttl_sec: 300 }),
    record('CAA', '', 'letsencrypt.org', { tag: 'issue' }),
    record('MX', '', 'mail.example.com', { priority: 10 }),
    record('A', '', '192.0.2.10'),
  ];
  expect(zoneFileOf(domain, records)).toBe(`\
$ORIGIN example.com.
$TTL 86400
@ IN SOA . dns\\.admin.example.com. 0 14400 14400 1209600 0 ; mailbox, 0, refresh, retry, expire, 0
@                   IN  A      192.0.2.10
@                   IN  MX     10 mail.example.com.
@                   IN  CAA    0 issue "letsencrypt.org"
_sip._tcp           IN  SRV    10 5 5060 pbx
k1._domainkey       IN  TXT    "${long.slice(0, 255)}" "${long.slice(255)}"
www            300  IN  CNAME  example.com.
`);
});

describe('zone files of others', () => {
  test('of BIND: units, classes, omitted names and TTLs, parentheses, comments', () => {
    const file = `\
; zone of example.com
$ORIGIN .
$TTL 1h ; an hour
example.com  IN SOA ns1.example.net. hostmaster.example.com. (
                2026112601 ; serial
                2h         ; refresh
                1h ; retry
                2w
                5m )       ; minimum
             NS  ns1.example.net.
$ORIGIN example.com.
@       1D IN A 192.0.2.1
        IN 1d AAAA 2001:db8::1
www     A   192.0.2.2
        AAAA 2001:db8::2
        TXT ( "v=spf1 (not; a comment)"
              " -all" )
$TTL 300
ftp     CNAME www
mail.example.com. A 192.0.2.3
`;
    expect(changes(file)).toEqual({
      domain: ['ttl_sec 3600', 'soa_email hostmaster@example.com', 'refresh_sec 7200', 'retry_sec 3600'],
      creates: [
        { type: 'NS', name: '', target: 'ns1.example.net' },
        { type: 'A', name: '', target: '192.0.2.1', ttl_sec: '86400' },
        { type: 'AAAA', name: '', target: '2001:db8::1', ttl_sec: '86400' },
        { type: 'A', name: 'www', target: '192.0.2.2' },
        { type: 'AAAA', name: 'www', target: '2001:db8::2' },
        { type: 'TXT', name: 'www', target: 'v=spf1 (not; a comment) -all' },
        { type: 'CNAME', name: 'ftp', target: 'www.example.com', ttl_sec: '300' },
        { type: 'A', name: 'mail', target: '192.0.2.3', ttl_sec: '300' },
      ],
      notes: [
        '4:21: the name server, serial and minimum of the SOA record are those that the API keeps.',
        expect.stringMatching(/^16:15: The SPF record of www\.example\.com has "\(not;"/),
      ],
    });
  });

  test('of PowerDNS: all in full, each with its TTL, the SOA record at the end once more', () => {
    const soa =
      'example.com.\t3600\tIN\tSOA\ta.misconfigured.dns.server.invalid. hostmaster.example.com. 1 10800 3600 604800 3600';
    const file = `\
${soa}
_sip._tcp.example.com.\t86400\tIN\tSRV\t10 60 5060 sip.example.com.
*.dev.example.com.\t86400\tIN\tA\t192.0.2.9
example.com.\t3600\tIN\tMX\t0 .
example.com.\t86400\tIN\tCAA\t0 ISSUE "letsencrypt.org;validationmethods=dns-01"
xn--bcher-kva.example.com.\t120\tIN\tTXT\t"caf\\195\\169 \\"q\\"" "\\\\"
${soa}
`;
    const records = [record('A', '*.dev', '192.0.2.9'), record('A', 'old', '192.0.2.1')];
    expect(changes(file, records)).toMatchObject({
      removes: ['A old 192.0.2.1'],
      creates: [
        {
          ...{ type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip.example.com' },
          ...{ priority: '10', weight: '60', port: '5060', ttl_sec: '86400' },
        },
        { type: 'MX', null_mx: true, ttl_sec: '3600' },
        { type: 'CAA', tag: 'issue', target: 'letsencrypt.org;validationmethods=dns-01' },
        { type: 'TXT', name: 'xn--bcher-kva', target: 'café "q"\\', ttl_sec: '300' },
      ],
      notes: [
        '1:26: the name server, serial and minimum of the SOA record are those that the API keeps.',
        '1:88: the API holds no time of 10800 s; it becomes 14400 s.',
        '2:48: The SRV record of _sip._tcp.example.com leads to sip.example.com, for which example.com has no record (RFC 2782).',
        '6:28: the API holds no time of 120 s; it becomes 300 s.',
      ],
    });
    expect(changes(file, records)).not.toHaveProperty('mistakes');
  });

  test('of registrars: no $ORIGIN, CRLF, a mark at the begin, long texts in one piece, texts without quotes', () => {
    const long = 'x'.repeat(400);
    const file = `\ufeff@ 600 IN A 192.0.2.1\r\n@ 600 IN TXT "${long}"\r\nk 3600 IN TXT google-site-verification=abc\r\n`;
    expect(changes(file)).toEqual({
      creates: [
        { type: 'A', name: '', target: '192.0.2.1', ttl_sec: '300' },
        { type: 'TXT', name: '', target: long, ttl_sec: '300' },
        { type: 'TXT', name: 'k', target: 'google-site-verification=abc', ttl_sec: '3600' },
      ],
      notes: [
        '1:3: the API holds no time of 600 s; it becomes 300 s.',
        '2:3: the API holds no time of 600 s; it becomes 300 s.',
      ],
    });
  });

  test('a file without $TTL: the last TTL that was told goes on', () => {
    const file = 'a A 192.0.2.1\nb 300 A 192.0.2.2\nc A 192.0.2.3\n';
    expect(changes(file).creates).toEqual([
      { type: 'A', name: 'a', target: '192.0.2.1' },
      { type: 'A', name: 'b', target: '192.0.2.2', ttl_sec: '300' },
      { type: 'A', name: 'c', target: '192.0.2.3', ttl_sec: '300' },
    ]);
  });

  test('the zone is named by its SOA record, else by the first $ORIGIN', () => {
    expect(readZone('$ORIGIN org.\nexample SOA . a.b. 0 1h 1h 1h 0\n').zone).toBe('example.org');
    expect(readZone('$ORIGIN Example.ORG.\nwww A 192.0.2.1\n').zone).toBe('example.org');
    expect(readZone('www A 192.0.2.1\n').mistakes).toEqual([
      { line: 1, column: 1, says: 'www is relative, and no $ORIGIN says to what; a name in full ends with a period.' },
    ]);
    expect(readZone('').mistakes).toHaveLength(1);
  });
});

describe('differences', () => {
  const records = [
    record('A', 'www', '192.0.2.1'),
    record('A', 'www', '192.0.2.2', { ttl_sec: 300 }),
    record('MX', '', 'mail.example.com', { priority: 10 }),
    record('CNAME', 'old', 'www.example.com'),
    record('TXT', '', 'v=spf1 -all'),
  ];
  const file = zoneFileOf(domain, records);

  test('edits keep the record, whatever of it changes', () => {
    const edited = file.replace('10 mail', '20 MX2').replace('192.0.2.2', '192.0.2.7').replace('spf1 -', 'spf1 mx -');
    expect(changes(edited, records)).toEqual({
      edits: [
        { 'MX @': { target: 'MX2.example.com', priority: '20' } },
        { 'TXT @': { target: 'v=spf1 mx -all' } },
        { 'A www': { target: '192.0.2.7' } },
      ],
      notes: [
        '4:25: The MX record of example.com leads to mx2.example.com, for which example.com has no record (RFC 5321 §5.1).',
      ],
    });
    expect(changes(file.replace('86400', '3600').replace(/300/, '1d'), records)).toEqual({
      domain: ['ttl_sec 3600'],
      edits: [{ 'A www': { ttl_sec: '86400' } }],
      notes: [expect.stringMatching(/^8:6: The A records of www\.example\.com have TTLs of 1 h and 1 d;/)],
    });
  });

  test('another type is another record; what the file does not have is deleted', () => {
    const other = file.replace(/old .*\n/, 'old A 192.0.2.4\n').replace(/.*TXT.*\n/, '');
    expect(changes(other, records)).toEqual({
      removes: ['CNAME old www.example.com', 'TXT @ v=spf1 -all'],
      creates: [{ type: 'A', name: 'old', target: '192.0.2.4' }],
    });
  });

  test('a text becomes another, but never an SPF record', () => {
    const own = [record('TXT', '', 'v=spf1 -all'), record('TXT', '', 'site=1')];
    expect(changes('@ TXT "site=2"\n@ TXT "v=spf1 mx -all"\n', own)).toEqual({
      edits: [{ 'TXT @': { target: 'site=2' } }, { 'TXT @': { target: 'v=spf1 mx -all' } }],
    });
  });

  test('a Null MX is made anew, never by an edit', () => {
    expect(changes(file.replace(/10 mail\S+/, '0 .'), records)).toEqual({
      removes: ['MX @ mail.example.com'],
      creates: [{ type: 'MX', name: '', priority: '0', target: '', null_mx: true }],
    });
  });
});

describe('mistakes', () => {
  test.each([
    ['$INCLUDE other.zone', '1:1: $INCLUDE is not read, only $ORIGIN and $TTL; write what it stands for in its place.'],
    [
      '$GENERATE 1-9 h$ A 192.0.2.$',
      '1:1: $GENERATE is not read, only $ORIGIN and $TTL; write what it stands for in its place.',
    ],
    ['$TTL', '1:1: $TTL takes one value.'],
    ['$TTL x', '1:6: x is no time; seconds are, or 30m, 1h, 1d12h, 1w.'],
    ['h HINFO a b', '1:3: the API has no records of type HINFO, only A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA.'],
    ['h CH TXT a', '1:3: the API holds no class CH, only IN.'],
    [' A 192.0.2.1', '1:2: it omits its name, and there is no entry before it.'],
    ['h 300 IN', '1:7: a type is missing behind it: A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA.'],
    ['h MX mail', '1:3: MX takes priority, target behind it; it has 1 value.'],
    ['h A 192.0.2.1 192.0.2.2', '1:15: A takes target behind it; it has 2 values.'],
    ['h A 192.0.2.300', '1:5: Target must be an IPv4 address, e.g. 192.0.2.10.'],
    ['h MX 300 mail', '1:6: Priority must be 0–255; it is 300.'],
    ['h MX 10 mail.example.com', '1:9: it leads to mail.example.com.example.com; a name in full ends with a period.'],
    [
      'www.example.com A 192.0.2.1',
      '1:1: The A record is named www.example.com, and example.com may be added to it once more; enter www (RFC 1035 §5.1).',
    ],
    ['www.example.org. A 192.0.2.1', '1:1: www.example.org is not in the zone example.com.'],
    ['h CAA 128 issue "ca.example"', '1:7: the API keeps the flags of CAA records as 0, and not as 128.'],
    ['h CAA 0 contactemail "a@b.example"', '1:9: Tag must be one of issue, issuewild, iodef.'],
    [
      '_a._tcp.sub SRV 0 0 1 h',
      '1:1: the API holds services of example.com itself alone, whose names are like _sip._tcp.',
    ],
    ['h MX 5 .', '1:8: a Null MX is that of the zone itself, with the priority 0.'],
    ['h TXT "a', '1:7: the quote is not closed; a text ends with " in the line in which it begins.'],
    ['h TXT "\\256"', '1:7: \\256 is no byte; \\000 to \\255 are.'],
    ['h TXT "\\25"', '1:7: a \\ stands before three digits or another character.'],
    ['h TXT "\\255"', '1:7: its bytes are no UTF-8 text, and the API holds no other.'],
    ['h\\.i A 192.0.2.1', '1:1: the API holds no name with a period within a label.'],
    ['h A ( 192.0.2.1', '1:5: the ( is not closed.'],
    ['h A 192.0.2.1 )', '1:15: there is no ( before it.'],
    [
      '@ CNAME www',
      '1:1: The CNAME record of example.com is at the domain itself, where a CNAME is not allowed; use A and AAAA records (RFC 1912 §2.4).',
    ],
    [
      '@ SOA . a.b. 0 1h 1h 1h',
      '1:3: SOA takes name server, mailbox, serial, refresh, retry, expire, minimum behind it; it has 6 values.',
    ],
    ['@ SOA . a@b.example. 0 1h 1h 1h 0', '1:9: SOA email must be an email address, e.g. oncall@example.com.'],
    ['example.org. SOA . a.b. 0 1h 1h 1h 0', '1:1: it is the SOA record of example.org, and the zone is example.com.'],
  ])('%s', (file, says) => expect(changes(file).mistakes).toContain(says));

  test('all of a file, with those that one record makes to another', () => {
    const file =
      '@ TXT "v=spf1 -all"\n@ TXT "v=spf1 mx -all"\nwww CNAME a.example.org.\nwww A 192.0.2.1\nx HINFO\ny A z\n';
    expect(changes(file).mistakes).toEqual([
      expect.stringMatching(/^1:7: example\.com has 2 SPF records;/),
      expect.stringMatching(/^2:7: example\.com has 2 SPF records;/),
      expect.stringMatching(/^3:1: .*a CNAME must be the only record of its name/),
      expect.stringMatching(/^4:1: .*a CNAME must be the only record of its name/),
      expect.stringMatching(/^5:3: .*no records of type HINFO/),
      expect.stringMatching(/^6:5: Target must be an IPv4 address/),
    ]);
  });

  test('what the zone has already is no mistake, whatever the forms say of it', () => {
    const records = [
      record('TXT', '', 'v=spf1 -all'),
      record('TXT', '', '"v=spf1 mx"'),
      record('A', 'x.example.com', '192.0.2.1'),
    ];
    expect(changes(zoneFileOf(domain, records), records)).toEqual({});
    expect(changes(zoneFileOf(domain, records)).mistakes).toHaveLength(3);
  });

  test('a number that is none, or a sign that cannot be seen, begins no line of its own', () => {
    const line = '10\nevil IN A 192.0.2.66 ;' as never;
    const odd = [
      record('A', 'www', '192.0.2.1', { ttl_sec: line }),
      record('A', 'www', '192.0.2.1', { ttl_sec: -5 }),
      record('MX', '', 'mail.example.net', { priority: line }),
      record('SRV', '', 'sip.example.net', { service: 'sip', protocol: 'tcp', weight: line }),
      record('SRV', '', 'sip.example.net', { service: 'sip', protocol: 'tcp', port: {} as never }),
      record('A', 'www', '192.0.2.1\x1b[2J'),
      record('A', 'www', '\u202e192.0.2.1'),
      record('CAA', '', 'ca.example.net', { tag: 'issue\x1b[2J' }),
    ];
    const [, , ...lines] = zoneFileOf(domain, odd).trimEnd().split('\n');
    expect(lines.filter((text) => !text.startsWith('; The '))).toEqual([expect.stringMatching(/^@ IN SOA /)]);
    expect(changes(zoneFileOf(domain, odd), odd)).toEqual({});
  });

  test('what no file can hold is a remark, and stays as it is', () => {
    const none = null as unknown as string;
    const odd = [
      record('HINFO', 'odd', 'a\nwww A 192.0.2.9'),
      record(none, 'www', '192.0.2.1'),
      record('A', 'empty', none),
      record('AAAA', 'two', '2001:db8::1 ; x'),
      record('CAA', '', 'ca.example.net', { tag: none }),
    ];
    const held = [
      record('MX', '', 'mail.example.net', { priority: none as never }),
      record('MX', 'sub', none),
      record('SRV', '', 'sip.example.net', { service: 'sip', protocol: 'tcp', weight: none as never }),
    ];
    const file = zoneFileOf(domain, [...odd, ...held]);
    expect(file.split('\n').filter((line) => line.startsWith('; '))).toEqual([
      '; The CAA record of @ stays as it is, as no zone file can hold it: ca.example.net',
      '; The A record of empty stays as it is, as no zone file can hold it: ',
      '; The HINFO record of odd stays as it is, as no zone file can hold it: a www A 192.0.2.9',
      '; The AAAA record of two stays as it is, as no zone file can hold it: 2001:db8::1 ; x',
      '; The record of www stays as it is, as no zone file can hold it: 192.0.2.1',
    ]);
    expect(changes(file, [...odd, ...held])).toEqual({});
    expect(changes(file.replace(/^sub .*\n/m, ''), [...odd, ...held])).toEqual({ removes: ['MX sub null'] });
    expect(changes(`${file}odd CNAME x.example.net.\n`, [...odd, ...held]).mistakes).toEqual([
      expect.stringMatching(/has a CNAME beside HINFO/),
    ]);
  });

  test('a slave has no records of its own', () => {
    const slave = { ...domain, type: 'slave' } as Domain;
    expect(changes('h A 192.0.2.1', [], slave).mistakes).toEqual([
      '1:1: example.com is a slave, so its records are those of its masters.',
    ]);
  });
});

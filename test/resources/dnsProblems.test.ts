import { describe, expect, it } from 'vitest';
import { foundBy } from './foundBy.ts';

const domain = {
  id: 3,
  domain: 'example.com',
  type: 'master',
  status: 'active',
  soa_email: 'hostmaster@example.com',
  master_ips: [],
  updated: '2024-04-30T12:00:00',
};
const since = Date.UTC(2024, 3, 30, 12);

describe('domains', () => {
  const found = (name: string, change: object) =>
    foundBy(name, { lists: { domains: [{ ...domain, ...change }] } }).map((problem) => [
      problem.severity,
      problem.says,
    ]);

  it.each([
    [{ status: 'has_errors' }, 'critical', 'example.com has errors, so its changes do not reach the name servers'],
    [
      { status: 'edit_mode' },
      'warning',
      'example.com has the status edit_mode; its changes may not reach the name servers',
    ],
  ])('not rendered: %o', (change, severity, says) => {
    expect(found('domain-not-rendered', change)).toEqual([[severity, says]]);
  });

  it.each([{}, { status: 'disabled' }, { status: null }])('rendered or disabled: %o', (change) => {
    expect(found('domain-not-rendered', change)).toEqual([]);
  });

  it('disabled, and since when', () => {
    const disabled = { lists: { domains: [{ ...domain, status: 'disabled' }] } };
    expect(foundBy('domain-disabled', disabled)).toMatchObject([
      { severity: 'notice', says: 'example.com is disabled; the name servers do not answer for it', since },
    ]);
    expect(found('domain-disabled', {})).toEqual([]);
  });

  it('slaves without a master', () => {
    expect(found('domain-without-master', { type: 'slave' })).toEqual([
      ['warning', 'example.com is a slave without a master, so its records are read from nowhere'],
    ]);
    expect(found('domain-without-master', { type: 'slave', master_ips: ['192.0.2.1'] })).toEqual([]);
    expect(found('domain-without-master', {})).toEqual([]);
  });

  it('masters without an SOA e-mail', () => {
    expect(found('domain-without-contact', { soa_email: '' })).toEqual([
      ['notice', 'example.com names no SOA e-mail, which a master needs'],
    ]);
    expect(found('domain-without-contact', { soa_email: '', type: 'slave' })).toEqual([]);
    expect(found('domain-without-contact', {})).toEqual([]);
  });

  it('without records, once these are known', () => {
    const empty = (change: object, whole = true, rows: readonly object[] = []) =>
      foundBy('domain-without-records', {
        lists: {
          domains: [{ ...domain, ...change }],
          records: [{ params: { domainId: '3' }, rows: rows as never, whole }],
        },
      }).map(({ says }) => says);
    expect(empty({})).toEqual(['example.com is active and has no records, so nothing in it is found']);
    expect(empty({}, false)).toEqual([]);
    expect(empty({}, true, [{ id: 1, type: 'A' }])).toEqual([]);
    expect(empty({ type: 'slave' })).toEqual([]);
    expect(empty({ status: 'disabled' })).toEqual([]);
  });
});

/** A record, its type, name and target as a zone file has them. */
function record(line: string, more: object = {}) {
  const [type, name, ...target] = line.split(' ');
  return { type, name: name === '@' ? '' : name, target: target.join(' '), updated: domain.updated, ...more };
}

/** The sentences of a rule about the records of example.com that are loaded. */
const saysOf = (rule: string, lines: readonly string[], { whole = true, about = {}, ...more }: Told = {}) =>
  foundBy(rule, {
    ...more,
    lists: {
      domains: [{ ...domain, ...about }],
      records: [
        { params: { domainId: '3' }, rows: lines.map((line, index) => record(line, { id: index + 1 })), whole },
      ],
      ...more.lists,
    },
  }).map(({ says }) => says);

interface Told {
  whole?: boolean;
  about?: object;
  lists?: object;
  deleted?: Readonly<Record<string, readonly { [field: string]: unknown }[]>>;
  partly?: readonly string[];
}

describe('record-leads-to-gone', () => {
  const lists = {
    servers: [{ id: 1, label: 'web-1', ipv4: ['192.0.2.1'], ipv6: '2001:db8::1/128' }],
    nodebalancers: [],
  };
  const deleted = {
    servers: [{ id: 2, label: 'web-2', ipv4: ['192.0.2.2'], ipv6: '2001:db8::2/128' }],
    nodebalancers: [{ id: 3, label: 'lb', ipv4: '203.0.113.1', hostname: 'lb.example.net' }],
  };
  const name = 'record-leads-to-gone';

  it.each([
    ['A www 192.0.2.2', 'The A record of www.example.com leads to 192.0.2.2, which belonged to web-2'],
    ['AAAA @ 2001:DB8::2', 'The AAAA record of example.com leads to 2001:db8::2, which belonged to web-2'],
    ['CNAME www lb.example.net.', 'The CNAME record of www.example.com leads to lb.example.net, which belonged to lb'],
  ])('names %s', (line, begins) => {
    expect(saysOf(name, [line], { lists, deleted })).toEqual([
      `${begins}; the account no longer has it, so it may now be somebody else's`,
    ]);
  });

  it('says nothing of what is there, of what never was, and of what may be there', () => {
    expect(saysOf(name, ['A www 192.0.2.1', 'A other 198.51.100.1', 'TXT www 192.0.2.2'], { lists, deleted })).toEqual(
      [],
    );
    const again = { ...lists, servers: [{ id: 5, label: 'web-5', ipv4: ['192.0.2.2'] }] };
    expect(saysOf(name, ['A www 192.0.2.2'], { lists: again, deleted })).toEqual([]);
    expect(saysOf(name, ['A www 192.0.2.2'], { lists, deleted, partly: ['servers'] })).toEqual([]);
    expect(saysOf(name, ['A www 192.0.2.2'], { lists: { servers: [] }, deleted })).toEqual([]);
  });
});

describe('rules of one record', () => {
  it.each([
    [
      'record-beside-alias',
      ['CNAME www a.example.org', 'A www 192.0.2.1', 'A www 192.0.2.2'],
      'www.example.com has a CNAME beside A; a CNAME must be the only record of its name, so delete it or the others (RFC 1034 §3.6.2)',
    ],
    [
      'record-beside-alias',
      ['CNAME www a.example.org', 'CNAME WWW.example.com b.example.org'],
      'www.example.com has a CNAME beside another CNAME; a CNAME must be the only record of its name, so delete it or the others (RFC 1034 §3.6.2)',
    ],
    [
      'record-alias-of-domain',
      ['CNAME @ a.example.org'],
      'The CNAME record of example.com is at the domain itself, where a CNAME is not allowed; use A and AAAA records (RFC 1912 §2.4)',
    ],
    [
      'record-target-is-address',
      ['MX @ 192.0.2.1'],
      'The MX record of example.com has the address 192.0.2.1 as its target; make an A record for it, and enter the name of that (RFC 1035 §3.3.9)',
    ],
    [
      'record-target-is-address',
      ['CNAME www 2001:db8::1'],
      'The CNAME record of www.example.com has the address 2001:db8::1 as its target; make an AAAA record for it, and enter the name of that (RFC 1035 §3.3.1)',
    ],
    [
      'record-target-is-alias',
      ['MX @ mail.example.com.', 'CNAME mail a.example.org'],
      'The MX record of example.com leads to mail.example.com, which is a CNAME; it must have addresses of its own (RFC 2181 §10.3)',
    ],
    [
      'record-target-without-record',
      ['CNAME www web.example.com', 'A api 192.0.2.1'],
      'The CNAME record of www.example.com leads to web.example.com, for which example.com has no record',
    ],
    [
      'record-target-without-record',
      ['SRV _sip._tcp sip'],
      'The SRV record of _sip._tcp.example.com leads to sip.example.com, for which example.com has no record (RFC 2782)',
    ],
    [
      'record-leads-to-itself',
      ['CNAME www www.example.com.'],
      'The CNAME record of www.example.com leads back to itself (RFC 1034 §3.6.2)',
    ],
    [
      'record-target-without-record',
      ['NS labs labs'],
      'The NS record of labs.example.com leads to labs.example.com, which has no address, so nobody answers for labs.example.com (RFC 1912 §2.8)',
    ],
  ])('%s: %o', (name, lines, says) => {
    expect(saysOf(name, lines)).toEqual([says]);
  });

  it.each([
    ['record-beside-alias', ['CNAME www a.example.org', 'A web 192.0.2.1']],
    ['record-beside-alias', ['A www 192.0.2.1', 'AAAA www 2001:db8::1']],
    ['record-alias-of-domain', ['CNAME www a.example.org', 'A @ 192.0.2.1']],
    ['record-target-is-address', ['A @ 192.0.2.1', 'MX @ mail.example.com', 'MX @ ']],
    ['record-target-is-alias', ['MX @ mail.example.com', 'A mail 192.0.2.1', 'CNAME www mail.example.com']],
    ['record-target-without-record', ['CNAME www web.example.org', 'MX @ ']],
    ['record-target-without-record', ['CNAME www web.example.com', 'A web 192.0.2.1']],
    ['record-target-without-record', ['CNAME www web.example.com', 'A * 192.0.2.1']],
    ['record-target-without-record', ['CNAME www web.labs.example.com', 'NS labs ns1.example.org']],
    ['record-target-without-record', ['CNAME www web.labs.example.com', 'A *.labs 192.0.2.1']],
    ['record-target-without-record', ['CNAME www example.com', 'A @ 192.0.2.1']],
    ['record-leads-to-itself', ['CNAME www web', 'NS labs labs', 'A labs 192.0.2.1', 'MX @ example.com']],
  ])('%s says nothing of %o', (name, lines) => {
    expect(saysOf(name, lines)).toEqual([]);
  });

  it('claims that there is no record only where all are known and answered from here', () => {
    const lines = ['CNAME www web.example.com'];
    const name = 'record-target-without-record';
    expect(saysOf(name, lines)).toHaveLength(1);
    expect(saysOf(name, lines, { whole: false })).toEqual([]);
    expect(saysOf(name, lines, { about: { type: 'slave' } })).toEqual([]);
    expect(saysOf(name, lines, { about: { status: 'disabled' } })).toEqual([]);
  });

  it('tells how bad it is, and since when', () => {
    const caa = (target: string) =>
      foundBy('caa-malformed', {
        lists: {
          domains: [domain],
          records: [
            { params: { domainId: '3' }, rows: [record(`CAA @ ${target}`, { id: 1, tag: 'issue' })], whole: true },
          ],
        },
      });
    expect(caa('https://letsencrypt.org')).toMatchObject([
      {
        severity: 'warning',
        since,
        says: 'The CAA record of example.com has issue "https://letsencrypt.org"; issue and issuewild take a domain without a period at its end, iodef an http or mailto URL (RFC 8659 §4)',
      },
    ]);
    expect(caa('letsencrypt.org')).toEqual([]);
  });
});

describe('SPF records', () => {
  it('must be one', () => {
    expect(saysOf('spf-several', ['TXT @ v=spf1 -all', 'TXT @ "v=SPF1 mx -all"', 'TXT @ v=spf10'])).toEqual([
      'example.com has 2 SPF records; with more than one, receivers ignore them all, so make them one (RFC 7208 §4.5)',
    ]);
    expect(saysOf('spf-several', ['TXT @ v=spf1 -all', 'TXT @ hello', 'TXT mail v=spf1 -all'])).toEqual([]);
  });

  const includes = (count: number) =>
    Array.from({ length: count }, (_, index) => `include:s${index}.example.org`).join(' ');

  it('may need ten lookups, those of other records of the account among them', () => {
    const says = (lookups: number) => [
      `The SPF record of example.com needs at least ${lookups} DNS lookups; receivers reject it above 10 (RFC 7208 §4.6.4)`,
    ];
    expect(saysOf('spf-too-many-lookups', [`TXT @ v=spf1 ${includes(10)} ip4:192.0.2.1 -all`])).toEqual([]);
    expect(saysOf('spf-too-many-lookups', [`TXT @ v=spf1 ${includes(8)} a mx/24 ?exists:x -all`])).toEqual(says(11));
    const behind = [`TXT @ v=spf1 include:mail.example.com ${includes(6)} -all`, `TXT mail v=spf1 ${includes(5)} -all`];
    expect(saysOf('spf-too-many-lookups', behind)).toEqual(says(12));
  });

  it('that include themselves are counted to an end', () => {
    const circle = ['TXT @ v=spf1 include:a.example.com -all', 'TXT a v=spf1 redirect=example.com'];
    expect(saysOf('spf-too-many-lookups', circle)).toEqual([]);
  });

  it.each(['all', '+all', 'mx +ALL'])('lets everybody send with %s', (terms) => {
    expect(saysOf('spf-allows-everybody', [`TXT @ v=spf1 ${terms}`])).toEqual([
      'The SPF record of example.com ends with +all, which lets anybody send mail in its name (RFC 7208 §5.1)',
    ]);
  });

  it('must end somewhere', () => {
    expect(saysOf('spf-without-end', ['TXT @ v=spf1 mx'])).toEqual([
      'The SPF record of example.com has neither all nor redirect, so it says nothing about other senders (RFC 7208 §4.7)',
    ]);
    for (const end of ['-all', '~all', '?all', 'redirect=example.org']) {
      expect(saysOf('spf-without-end', [`TXT @ v=spf1 mx ${end}`])).toEqual([]);
      expect(saysOf('spf-allows-everybody', [`TXT @ v=spf1 mx ${end}`])).toEqual([]);
    }
  });
});

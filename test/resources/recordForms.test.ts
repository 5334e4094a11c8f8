import { describe, expect, test } from 'vitest';
import { draftOf } from '../../src/resources/body.ts';
import { records } from '../../src/resources/networking/records.ts';
import type { Action, Draft, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { blankRecord } from './blankRecord.ts';
import { knowing } from './known.ts';

const create = actionOf(records, 'create');
const edit = actionOf(records, 'edit');
const domain = { id: 1, domain: 'Alpha.example', type: 'master', status: 'active' };
const params = { domainId: '1' };

const zoneOf = (...rows: readonly Row[]) =>
  knowing({ domains: [domain], records: [{ params, rows: rows.map((row, id) => ({ id, ...row })), whole: true }] });

/** The complaints about a new record beside others, as `field: sentence`. */
const made = (draft: Draft, ...others: readonly Row[]) =>
  complaintsOf(records, create, draft, zoneOf(...others), undefined, params).map(
    ({ field, says }) => `${field}: ${says}`,
  );

/** The complaints about an edit of the first of some records. */
function edited(mine: Draft, record: Row, ...others: readonly Row[]) {
  const row = { ...blankRecord, id: 0, ...record };
  const now = draftOf(records, edit as Action, row);
  return complaintsOf(records, edit, { ...now, ...mine }, zoneOf(row, ...others), row, params, now).map(
    ({ field, says }) => `${field}: ${says}`,
  );
}

const cname = { type: 'CNAME', name: 'www', target: 'alpha.example' };
const mail = { type: 'MX', name: '', target: 'mail.alpha.example', priority: 10 };
const spf = { type: 'TXT', name: '', target: 'v=spf1 mx -all' };

describe('a CNAME is alone at its name', () => {
  test.each<Draft>([
    { type: 'A', name: 'www', target: '192.0.2.4' },
    { type: 'AAAA', name: 'WWW', target: '2001:db8::4' },
    { type: 'MX', name: 'www', target: 'mail.example' },
    { type: 'TXT', name: 'www', target: 'text' },
    { type: 'CAA', name: 'www', tag: 'issue', target: 'ca.example' },
    { type: 'NS', name: 'www', target: 'ns1.example' },
  ])('so that nothing else is made there: %j', (draft) => {
    expect(made(draft, cname)).toEqual([
      `name: Name: www.alpha.example has a CNAME beside ${draft.type}; a CNAME must be the only record of its name, so delete it or the others (RFC 1034 §3.6.2).`,
    ]);
    expect(made({ ...draft, name: 'ftp' }, cname)).toEqual([]);
  });

  test('also where the name is that of a service', () => {
    const draft = {
      type: 'SRV',
      service: 'sip',
      protocol: 'tcp',
      target: 'a.b',
      priority: '1',
      weight: '2',
      port: '3',
    };
    expect(made(draft, { ...cname, name: '_sip._tcp' })[0]).toMatch(/^service: /);
    const service = { type: 'SRV', name: '_sip._tcp', service: '_sip.', protocol: '_tcp', target: 'a.b' };
    expect(made({ ...cname, name: '_SIP._tcp' }, service)[0]).toMatch(/^name: .*a CNAME beside SRV/);
  });

  test('also where a name is written in full', () => {
    expect(made({ type: 'A', name: 'www', target: '192.0.2.4' }, { ...cname, name: 'www.alpha.example' })).toHaveLength(
      1,
    );
    expect(made(cname, { type: 'A', name: 'www.ALPHA.example.', target: '192.0.2.4' })).toHaveLength(1);
  });

  test('also where another record is renamed; one that stands there already is edited', () => {
    const a = { type: 'A', name: 'ftp', target: '192.0.2.4' };
    expect(edited({ name: 'www' }, a, cname)[0]).toMatch(/^name: /);
    expect(edited({ target: '192.0.2.5' }, { ...a, name: 'www' }, cname)).toEqual([]);
    expect(edited({ name: 'ftp' }, cname, a)[0]).toMatch(/^name: /);
  });

  test('and does not lead to itself', () => {
    expect(made({ ...cname, target: 'WWW.alpha.example.' })).toEqual([
      'target: Target: the CNAME record of www.alpha.example leads back to itself (RFC 1034 §3.6.2).',
    ]);
    expect(made({ ...cname, target: 'www' })).toHaveLength(1);
    expect(made({ ...cname, target: 'web' })).toEqual([]);
  });
});

describe('mail servers, name servers and services', () => {
  test.each(['MX', 'NS', 'CNAME', 'SRV'])('%s takes a name and no address', (type) => {
    const more = { name: 'ftp', service: 'sip', priority: '1', weight: '1', port: '1' };
    expect(made({ type, ...more, target: '192.0.2.7' })).toEqual([
      expect.stringMatching(
        /^target: Target: the \w+ record of \S+ has the address 192\.0\.2\.7 as its target; make an A record for it, and enter the name of that \(RFC \d+.*\)\.$/,
      ),
    ]);
    expect(made({ type, ...more, target: '192.0.2.7.' })).toHaveLength(1);
    expect(made({ type, ...more, target: '2001:db8::7' })[0]).toContain('make an AAAA record for it');
    expect(made({ type, ...more, target: '192.0.2.7.example' })).toEqual([]);
    expect(made({ type, ...more, target: '@' })[0]).toContain('in place of @');
    for (const target of ['192.0.2.300', '192.0.2', '192.0.2.'])
      expect(made({ type, ...more, target }), target).toEqual([
        'target: Target must be a domain name, e.g. mail.example.com.',
      ]);
    expect(made({ type, ...more, target: '10' })).toHaveLength(type === 'SRV' ? 0 : 1);
  });

  test.each(['MX', 'NS', 'SRV'])('%s leads to no CNAME, whichever is made first', (type) => {
    const more = { name: '', service: 'sip', priority: '1', weight: '1', port: '1' };
    for (const target of ['www.alpha.example', 'WWW.alpha.example.', 'www'])
      expect(made({ type, ...more, target }, cname)[0]).toMatch(
        /^target: .*leads to www\.alpha\.example, which is a CNAME/,
      );
    expect(made({ type, ...more, target: 'www.beta.example' }, cname)).toEqual([]);
    expect(made(cname, { type, name: '', target: 'www.alpha.example' })[0]).toMatch(
      /^name: .*leads to www\.alpha\.example, which is a CNAME/,
    );
    expect(made(cname, { type, name: '', target: 'www.beta.example' })).toEqual([]);
  });
});

describe('a Null MX', () => {
  test('is not made by emptying the target of an MX', () => {
    expect(edited({ target: '' }, mail)).toEqual([
      'target: Target: without it this would be a Null MX, and the domain would accept no mail; if that is meant, delete the MX records and make a new one with the switch Null MX.',
    ]);
    expect(edited({ target: '' }, mail, { ...mail, target: 'b.example' })).toHaveLength(1);
    expect(edited({ target: '.' }, mail)[0]).toContain('switch Null MX');
    expect(made({ type: 'MX', target: '.' })[0]).toContain('switch Null MX');
  });

  test('keeps its empty name and its priority, and can be edited beside them', () => {
    const none = { type: 'MX', name: '', target: '', priority: 0 };
    expect(edited({ ttl_sec: '300' }, none)).toEqual([]);
    expect(edited({ name: 'mail' }, none)).toEqual(['name: Name: a Null MX has none.']);
    expect(edited({ priority: '5' }, none)).toEqual(['priority: Priority: it must be 0 for a Null MX.']);
    expect(edited({ target: 'mail.example', priority: '5' }, none)).toEqual([]);
  });
});

describe('a name has one SPF record', () => {
  test.each(['v=spf1 -all', 'V=SPF1', 'v=spf1 a ~all'])('%s is refused beside another', (target) => {
    expect(made({ type: 'TXT', target }, spf)[0]).toMatch(
      /^target: .*alpha\.example has 2 SPF records; .* so make them one/,
    );
    expect(made({ type: 'TXT', target }, { ...spf, name: 'alpha.example' })).toHaveLength(1);
    expect(made({ type: 'TXT', target, name: 'mail' }, spf)).toEqual([]);
    expect(made({ type: 'TXT', target }, { ...spf, target: 'v=spf10' })).toEqual([]);
  });

  test('also by an edit; one of two that are there is edited', () => {
    const other = { type: 'TXT', name: '', target: 'site-verification=1' };
    expect(edited({ target: 'v=spf1 -all' }, other, spf)[0]).toMatch(/^target: /);
    expect(edited({ name: '' }, { ...spf, name: 'mail' }, spf)).toHaveLength(1);
    expect(edited({ ttl_sec: '300' }, spf, { ...spf, target: 'v=spf1 ~all' })).toEqual([]);
  });
});

describe('a name within its own domain', () => {
  test.each([
    ['www.alpha.example', 'enter www'],
    ['WWW.Alpha.example.', 'enter www'],
    ['a.b.alpha.example', 'enter a.b'],
    ['alpha.example', 'leave it empty for alpha.example itself'],
  ])('is not written in full: %s', (name, way) => {
    const own = name.toLowerCase().replace(/\.$/, '');
    const says = `name: Name: the A record is named ${own}, and alpha.example may be added to it once more; ${way} (RFC 1035 §5.1).`;
    expect(made({ type: 'A', name, target: '192.0.2.1' })).toEqual([says]);
    expect(edited({ name }, { type: 'A', name: 'x', target: '192.0.2.1' })).toEqual([says]);
  });

  test.each([
    ['www.', 'www'],
    ['ftp.beta.example.', 'ftp.beta.example'],
  ])('does not end with a period: %s', (name, way) => {
    const says = `the A record is named ${name}, which the period makes a name outside of alpha.example; enter ${way} (RFC 1035 §5.1)`;
    expect(made({ type: 'A', name, target: '192.0.2.1' })).toEqual([`name: Name: ${says}.`]);
    expect(edited({ name }, { type: 'A', name: 'x', target: '192.0.2.1' })).toEqual([`name: Name: ${says}.`]);
    expect(edited({ ttl_sec: '300' }, { type: 'A', name, target: '192.0.2.1' })).toEqual([]);
  });

  test('is free where it only looks so, and where it is not touched', () => {
    expect(made({ type: 'A', name: 'www.beta.example', target: '192.0.2.1' })).toEqual([]);
    expect(made({ type: 'A', name: 'notalpha.example', target: '192.0.2.1' })).toEqual([]);
    expect(edited({ target: '192.0.2.2' }, { type: 'A', name: 'www.alpha.example', target: '192.0.2.1' })).toEqual([]);
  });
});

test.each([
  [{ type: 'TXT', target: '"v=spf1 -all"' }, 'must be without the quotes'],
  [{ type: 'TXT', name: 'k._domainkey', target: '"v=DKIM1; p=a" "b"' }, 'join what is between them'],
  [{ type: 'CAA', tag: 'issue', target: '"ca.example"' }, 'must be without the quotes'],
])('%j is a text from a zone file', (draft, says) => expect(made(draft)[0]).toContain(says));

test('quotes within a text are part of it', () => {
  for (const target of ['say "hi"', '"a" is a letter', '"', 'a"'])
    expect(made({ type: 'TXT', target }), target).toEqual([]);
});

test('where the other records are not all there, the form says that it could not look at them', () => {
  const partly = knowing({ domains: [domain], records: [{ params, rows: [], whole: false }] });
  for (const action of [create, edit]) {
    expect(saidBy(action, 'note', {}, partly, {}, params)).toContain('not checked against the others');
    expect(saidBy(action, 'note', {}, zoneOf(), {}, params)).toBeUndefined();
  }
});

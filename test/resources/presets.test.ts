import { expect, test } from 'vitest';
import { domains } from '../../src/resources/networking/domains.ts';
import { actionOf } from './actionOf.ts';
import { blankRecord } from './blankRecord.ts';
import { knowing } from './known.ts';

test('a key in the form over a zone of 12,000 records does not look through all of them again for each of its records', () => {
  const params = { domainId: '3' };
  const rows = Array.from({ length: 12_000 }, (_, nth) => {
    const target = `192.0.2.${nth % 250}`;
    return { ...blankRecord, id: nth + 1, type: 'A', name: `host-${nth}`, target };
  });
  const domain = { id: 3, domain: 'example.com', type: 'master', status: 'active', ttl_sec: 0 };
  const view = knowing({ domains: [domain], records: [{ params, rows, whole: true }] });
  const { check, ask } = actionOf(domains, 'add-records');
  if (!ask || typeof ask.note !== 'function') throw new Error('a note is worked out');
  const { note } = ask;
  const typed = (spf: string) => {
    const hosts = ['mx1.example.org', 'mx2.example.org', 'mx3.example.org'];
    const draft = { for: 'mail', hosts, spf, dkim: 'k1._domainkey IN TXT "v=DKIM1; p=abcd"', dmarc: true };
    return [check?.(draft, view, domain, params), note(domain, view, draft, params)];
  };
  expect(typed('m')).toEqual([undefined, expect.stringContaining('has "m"')]);
  const from = process.cpuUsage().user;
  for (const spf of ['mx', 'mx a', 'mx ip4:192.0.2.1']) expect(typed(spf)[0]).toBeUndefined();
  expect(process.cpuUsage().user - from).toBeLessThan(900_000);
});

test('nothing is added where the records of the domain are not read: a second SPF record would end the mail', () => {
  const params = { domainId: '3' };
  const domain = { id: 3, domain: 'example.com', type: 'master', status: 'active', ttl_sec: 0 };
  const { check } = actionOf(domains, 'add-records');
  const draft = { for: 'mail', hosts: ['mx1.example.org'], spf: 'mx' };
  const rows = [{ ...blankRecord, id: 1, type: 'TXT', name: '', target: 'v=spf1 mx -all' }];
  const said = (whole: boolean) =>
    check?.(draft, knowing({ domains: [domain], records: [{ params, rows, whole }] }), domain, params);
  expect(said(false)).toEqual({
    field: 'for',
    says: 'the records of the domain could not be read to their end, so it is not known what is there already',
  });
  expect(said(true)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { changesOf } from '../../src/resources/edits.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { overAll, relationsOf } from '../../src/resources/relations.ts';
import type { CacheView, Row } from '../../src/resources/resource.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { knowing } from './known.ts';

const records = resourceNamed('records');

let last = 0;
const record = (type: string, name: string, target: string): Row => ({ id: ++last, type, name, target, ttl_sec: 0 });

const zone = (id: number, domain: string) => ({ id, domain, type: 'master', status: 'active' });
const listOf = (id: number, rows: readonly Row[], whole = true) => ({ params: { domainId: String(id) }, rows, whole });

const web = { id: 1, label: 'web-1', ipv4: ['192.0.2.1'], ipv6: '2001:db8::1/128' };
const balancer = { id: 2, label: 'web-lb', ipv4: '203.0.113.1', ipv6: null, hostname: '203.0.113.1.lb.example' };

const one = {
  www: record('A', 'www', '192.0.2.1'),
  mail: record('MX', '', 'www.one.example'),
  submission: { ...record('SRV', '', 'www'), service: '_submission', protocol: '_tcp' },
  wild: record('A', '*.dev', '203.0.113.1'),
  away: record('A', 'away', '198.51.100.9'),
  text: record('TXT', '', 'v=spf1 ip4:192.0.2.1 -all'),
  gone: record('CNAME', 'gone', 'nothing.one.example'),
  loop: record('CNAME', 'loop', 'loop.one.example'),
};
const two = {
  alias: record('CNAME', 'www', 'WWW.one.example.'),
  chain: record('CNAME', 'chain', 'www.two.example'),
  dev: record('CNAME', 'dev', 'a.b.dev.one.example'),
  balancer: record('NS', 'lb', '203.0.113.1.lb.example'),
  outside: record('MX', '', 'mx.elsewhere.example'),
  unread: record('CNAME', 'unread', 'www.three.example'),
};

const account = (more: Partial<Record<string, readonly Row[]>> = {}): CacheView =>
  knowing({
    servers: [web],
    nodebalancers: [balancer],
    domains: [zone(1, 'one.example'), zone(2, 'two.example'), zone(3, 'three.example')],
    records: [listOf(1, Object.values(one)), listOf(2, Object.values(two))],
    ...more,
  });

const cellOf = (title: string, view: CacheView) => (row: Row) => {
  const value = records.columns.find((column) => column.title === title)?.value;
  return typeof value === 'function' ? value(row, view) : undefined;
};

test('a record points to the server or NodeBalancer behind its address, or behind its name through the zones', () => {
  const shown = cellOf('Points to', account());
  expect(Object.values(one).map(shown)).toEqual([
    'web-1',
    'web-1',
    'web-1',
    'web-lb',
    'none',
    undefined,
    'none',
    'none',
  ]);
  // Of a zone that is not read it is not known.
  expect(Object.values(two).map(shown)).toEqual(['web-1', 'web-1', 'web-lb', 'web-lb', 'none', undefined]);
  expect(Object.values(two).map(cellOf('Zone', account()))).toEqual(Array(6).fill('two.example'));
});

test('nothing is said to be none before the lists are read that could have it', () => {
  const partly = (name: string) =>
    knowing(
      {
        servers: [web],
        nodebalancers: [balancer],
        domains: [zone(1, 'one.example')],
        records: [listOf(1, [one.away])],
      },
      { partly: [name] },
    );
  for (const name of ['servers', 'nodebalancers', 'domains'])
    expect(cellOf('Points to', partly(name))(one.away), name).toBeUndefined();
});

test('points-to:none finds what leads to nothing of the account, and no text', () => {
  const view = account();
  const found = (filter: string) => {
    const test = parseFilter(filter, overAll(records).columns, view);
    if ('error' in test) throw new Error(test.error);
    return [...Object.values(one), ...Object.values(two)].filter(test.matches);
  };
  expect(found('points-to:none')).toEqual([one.away, one.gone, one.loop, two.outside]);
  expect(found('points-to=none zone:two')).toEqual([two.outside]);
  expect(found('points-to:web-lb')).toEqual([one.wild, two.dev, two.balancer]);
  expect(found('points-to:-')).toEqual([one.text, two.unread, ...found('points-to:none')].sort(byId));
});

const byId = (first: Row, second: Row) => Number(first.id) - Number(second.id);

test('the relation has both ways: a server has the records that lead to it', () => {
  const servers = resourceNamed('servers');
  const { groups } = relationsOf(servers, web, { serverId: '1' }, account());
  const found = groups.find(({ resource }) => resource === records)?.rows.map(({ row }) => row);
  expect(found).toEqual([one.www, one.mail, one.submission, two.alias, two.chain]);
  const back = relationsOf(records, two.chain, { domainId: '2', recordId: String(two.chain.id) }, account());
  expect(back.groups.find(({ resource }) => resource === servers)?.rows.map(({ row }) => row)).toEqual([web]);
});

test('of several records each gets its own kind of address of what was picked', () => {
  const { edit } = records;
  if (!edit) throw new Error('records can be edited');
  const view = account();
  const target = (row: Row, entry: string) =>
    changesOf(records, edit, { opened: {}, mine: { target: entry } }, { target: '' }, { row, view }).target;
  const aaaa = record('AAAA', 'www', '2001:db8::9');
  expect(target(one.away, '192.0.2.1')).toBe('192.0.2.1');
  expect(target(one.away, '2001:db8::1')).toBe('192.0.2.1');
  expect(target(aaaa, '192.0.2.1')).toBe('2001:db8::1');
  expect(target(two.alias, '203.0.113.1')).toBe('203.0.113.1.lb.example');
  // Nobody's address is meant as it is, and refused where it cannot be.
  expect(target(aaaa, '198.51.100.1')).toBe('198.51.100.1');
  expect(target(two.outside, '192.0.2.1')).toBe('192.0.2.1');
});

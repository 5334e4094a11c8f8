import { describe, expect, it } from 'vitest';
import { foldedProblems } from '../../src/resources/rules/index.ts';
import { foundBy } from './foundBy.ts';

const balancer = {
  id: 5,
  label: 'web-lb',
  region: 'us-east',
  ipv4: '203.0.113.1',
  client_conn_throttle: 0,
  created: '2024-04-01T10:00:00',
};
const config = {
  id: 8,
  port: 443,
  protocol: 'https',
  check: 'http',
  check_passive: true,
  cipher_suite: 'recommended',
  ssl_cert: '<REDACTED>',
  ssl_fingerprint: '00:01',
  ssl_commonname: 'www.example.com',
  nodes_status: { up: 2, down: 0 },
};
const node = (label: string, change: object = {}) => ({
  id: label,
  label,
  address: '192.168.128.9:80',
  mode: 'accept',
  status: 'UP',
  ...change,
});
const down = { status: 'DOWN' };

const under = { nodeBalancerId: '5' };
const beneath = { ...under, configId: '8' };

/** The loaded rows: one NodeBalancer with one config and these nodes; none of them where they are not loaded. */
function lists(change: object, nodes?: readonly object[], whole = true) {
  return {
    nodebalancers: [balancer],
    'nodebalancer-configs': [{ params: under, rows: [{ ...config, ...change }], whole: true }],
    ...(nodes && { 'nodebalancer-nodes': [{ params: beneath, rows: nodes as never, whole }] }),
  };
}

const saysOf = (name: string, change: object, nodes?: readonly object[], whole = true) =>
  foundBy(name, { lists: lists(change, nodes, whole) }).map(({ severity, says }) => [severity, says]);

describe('NodeBalancers', () => {
  it('that listen on no port are named once their configs are known', () => {
    const found = (rows: readonly object[], whole: boolean) =>
      foundBy('balancer-without-ports', {
        lists: { nodebalancers: [balancer], 'nodebalancer-configs': [{ params: under, rows: rows as never, whole }] },
      });
    expect(found([], true)).toMatchObject([
      {
        severity: 'notice',
        says: 'web-lb listens on no port and is still charged for',
        since: Date.UTC(2024, 3, 1, 10),
      },
    ]);
    expect(found([], false)).toEqual([]);
    expect(found([config], true)).toEqual([]);
  });

  it.each([
    [1, ['web-lb takes 1 connection a second from one address, fewer than a single browser opens']],
    [3, ['web-lb takes 3 connections a second from one address, fewer than a single browser opens']],
    [4, []],
    [0, []],
  ])('with a throttle of %i', (client_conn_throttle, says) => {
    const found = foundBy('balancer-throttled', { lists: { nodebalancers: [{ ...balancer, client_conn_throttle }] } });
    expect(found.map((problem) => problem.says)).toEqual(says);
  });
});

describe('ports of which nodes are down', () => {
  const some = { nodes_status: { up: 2, down: 1 } };
  const all = { nodes_status: { up: 0, down: 2 } };

  it('are told of with the names of the nodes, as far as these are known', () => {
    expect(saysOf('balancer-nodes-down', some)).toEqual([['warning', 'Port 443 of web-lb has 1 of 3 nodes down']]);
    expect(saysOf('balancer-nodes-down', some, [node('a'), node('b'), node('c', down)])).toEqual([
      ['warning', 'Port 443 of web-lb has 1 of 3 nodes down (c)'],
    ]);
    expect(saysOf('balancer-port-down', all, [node('a', down), node('b', down)])).toEqual([
      ['critical', 'Port 443 of web-lb has no node up: 2 nodes down (a and b)'],
    ]);
  });

  it('are said of together with the NodeBalancer of each', () => {
    const other = { ...balancer, id: 6, label: 'api-lb' };
    const ports = [80, 443].map((port, id) => ({ ...config, ...all, id, port }));
    const listed = {
      nodebalancers: [balancer, other],
      'nodebalancer-configs': [5, 6].map((id) => ({
        params: { nodeBalancerId: String(id) },
        rows: ports,
        whole: true,
      })),
    };
    const [fold, ...others] = foldedProblems(foundBy('balancer-port-down', { lists: listed }));
    expect(others).toEqual([]);
    expect(fold?.label).toBe('port 80 of web-lb, port 443 of web-lb and 2 more');
    expect(fold?.says).toBe('4 ports of NodeBalancers have no node up');
  });

  it('are told of by one rule, and not while all are up', () => {
    expect(saysOf('balancer-nodes-down', {})).toEqual([]);
    expect(saysOf('balancer-nodes-down', all)).toEqual([]);
    expect(saysOf('balancer-port-down', some)).toEqual([]);
    expect(saysOf('balancer-port-down', {})).toEqual([]);
  });

  it.each(['drain', 'reject'])('do not count a node in mode %s, which was taken out on purpose', (mode) => {
    expect(saysOf('balancer-nodes-down', some, [node('a'), node('b'), node('c', { ...down, mode })])).toEqual([]);
  });
});

describe('ports', () => {
  it('without nodes answer nobody', () => {
    expect(saysOf('balancer-port-without-nodes', {}, [])).toEqual([
      ['warning', 'Port 443 of web-lb has no nodes, so it answers no request'],
    ]);
    expect(saysOf('balancer-port-without-nodes', {}, [], false)).toEqual([]);
    expect(saysOf('balancer-port-without-nodes', {}, [node('a')])).toEqual([]);
  });

  it('whose nodes are all taken out take no new connections', () => {
    const drained = node('a', { mode: 'drain' });
    const rejected = node('b', { mode: 'reject' });
    expect(saysOf('balancer-nodes-taken-out', {}, [drained, rejected])).toEqual([
      ['critical', 'Port 443 of web-lb takes no new connections: all its 2 nodes are in mode drain or reject'],
    ]);
    expect(saysOf('balancer-nodes-taken-out', {}, [drained])).toEqual([
      ['critical', 'Port 443 of web-lb takes no new connections: its only node is in mode drain or reject'],
    ]);
    expect(saysOf('balancer-nodes-taken-out', {}, [drained, node('c', { mode: 'backup' })])).toEqual([]);
    expect(saysOf('balancer-nodes-taken-out', {}, [drained], false)).toEqual([]);
    expect(saysOf('balancer-nodes-taken-out', {}, [])).toEqual([]);
  });

  it('that are not checked', () => {
    expect(saysOf('balancer-port-unchecked', { check: 'none' })).toEqual([
      [
        'notice',
        'Port 443 of web-lb has no active health check; a node that fails is noticed only by its 5xx responses',
      ],
    ]);
    expect(saysOf('balancer-port-unchecked', { check: 'none', check_passive: false })).toEqual([
      ['warning', 'Port 443 of web-lb has no health checks; a node that fails keeps receiving traffic'],
    ]);
    expect(saysOf('balancer-port-unchecked', { check: 'connection', check_passive: false })).toEqual([]);
  });

  it('with legacy ciphers, where they have ciphers at all', () => {
    expect(saysOf('balancer-legacy-ciphers', { cipher_suite: 'legacy' })).toEqual([
      ['warning', 'Port 443 of web-lb accepts the legacy ciphers, which are insecure'],
    ]);
    expect(saysOf('balancer-legacy-ciphers', { cipher_suite: 'legacy', protocol: 'http' })).toEqual([]);
    expect(saysOf('balancer-legacy-ciphers', {})).toEqual([]);
  });

  it('that are https without a certificate', () => {
    const bare = { ssl_cert: null, ssl_fingerprint: '' };
    expect(saysOf('balancer-port-without-certificate', bare)).toEqual([
      ['critical', 'Port 443 of web-lb uses https but has no certificate'],
    ]);
    expect(saysOf('balancer-port-without-certificate', { ...bare, protocol: 'tcp' })).toEqual([]);
    expect(saysOf('balancer-port-without-certificate', {})).toEqual([]);
  });
});

describe('balancer-certificate-of-others', () => {
  const domain = { id: 3, domain: 'example.com', type: 'master', status: 'active' };
  const www = { id: 1, type: 'CNAME', name: 'www', target: 'example.com' };
  const found = (
    name: string,
    domains: readonly object[] = [domain],
    records: readonly object[] = [www],
    whole = true,
  ) =>
    foundBy('balancer-certificate-of-others', {
      lists: {
        ...lists({ ssl_commonname: name }),
        domains: domains as never,
        records: [{ params: { domainId: '3' }, rows: records as never, whole }],
      },
    }).map(({ says }) => says);

  it('names a certificate for a domain of others', () => {
    expect(found('shop.example.org')).toEqual([
      'Port 443 of web-lb has a certificate for shop.example.org, which is in no domain of the account',
    ]);
  });

  it('names a certificate for a host without a record', () => {
    expect(found('shop.example.com')).toEqual([
      'Port 443 of web-lb has a certificate for shop.example.com, for which example.com has no record',
    ]);
  });

  it.each(['www.example.com', '*.example.com', '*.shop.example.com', '', 'Internal CA'])('takes %j', (name) => {
    expect(found(name)).toEqual([]);
  });

  it('claims nothing where the domains are elsewhere or the records not known', () => {
    expect(found('shop.example.org', [])).toEqual([]);
    expect(found('shop.example.com', [domain], [www], false)).toEqual([]);
  });
});

describe('balancer-node-of-no-server', () => {
  const server = { id: 9, label: 'web-1', ipv4: ['192.0.2.9', '192.168.128.9'] };
  const found = (change: object, more: object = {}) =>
    foundBy('balancer-node-of-no-server', {
      lists: { ...lists({}, [node('web-1', change)]), servers: [server] },
      ...more,
    }).map(({ says }) => says);

  it('names a node that is down and whose address no server has', () => {
    expect(found({ ...down, address: '192.168.128.8:80' })).toEqual([
      'web-1 behind port 443 of web-lb points at 192.168.128.8; no server of the account has that address',
    ]);
  });

  it('names the server that had the address, also while something still answers there', () => {
    const deleted = { servers: [{ id: 4, label: 'web-old', ipv4: ['192.168.128.8'] }] };
    expect(found({ address: '192.168.128.8:80' }, { deleted })).toEqual([
      'web-1 behind port 443 of web-lb points at 192.168.128.8, which belonged to web-old; no server of the account has that address',
    ]);
  });

  it('says nothing where a server has it, where it answers, and where not all servers are known', () => {
    expect(found(down)).toEqual([]);
    expect(found({ address: '10.0.0.1:80' })).toEqual([]);
    expect(found({ ...down, address: '192.168.128.8:80' }, { partly: ['servers'] })).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { bodyOf, formFields } from '../../src/resources/body.ts';
import { nodebalancerConfigs } from '../../src/resources/networking/balancerConfigs.ts';
import { nodebalancerNodes } from '../../src/resources/networking/balancerNodes.ts';
import { balancerStatisticsOf, nodebalancers } from '../../src/resources/networking/nodebalancers.ts';
import { type BalancerNode, isNodeAddress, nodeFrom, wrongNode } from '../../src/resources/networking/nodeText.ts';
import {
  clashesIn,
  fateOf,
  nodesToSend,
  planComplaint,
  planEntries,
  planIn,
  plannedBack,
  plannedFrom,
  plannedFromDraft,
  planWords,
  replanned,
} from '../../src/resources/networking/rebuild.ts';
import type { CacheView, Draft, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const pem = (kind: string) => `-----BEGIN ${kind}-----\nZGVtbw==\n-----END ${kind}-----`;
const cert = pem('CERTIFICATE');
const key = pem('PRIVATE KEY');

describe('a new config', () => {
  const create = actionOf(nodebalancerConfigs, 'create');
  const shown = (draft: Draft) => formFields(nodebalancerConfigs, create, draft).map(({ name }) => name);
  const wrong = (draft: Draft, view: CacheView = knowing()) =>
    complaintsOf(nodebalancerConfigs, create, draft, view, undefined, { nodeBalancerId: '1' }).map(
      ({ field }) => field,
    );

  test('has a certificate and key only with https, and needs both', () => {
    for (const protocol of ['http', 'tcp']) {
      expect(shown({ protocol })).not.toContain('ssl_cert');
      expect(wrong({ port: '80', protocol })).toEqual([]);
    }
    expect(wrong({ port: '443', protocol: 'https' })).toEqual(['ssl_cert', 'ssl_key']);
    expect(wrong({ port: '443', protocol: 'https', ssl_cert: cert, ssl_key: key })).toEqual([]);
    expect(wrong({ port: '443', protocol: 'https', ssl_cert: 'none', ssl_key: key })).toEqual(['ssl_cert']);
    expect(wrong({ port: '443', protocol: 'https', ssl_cert: '/etc/cert.pem', ssl_key: key })).toEqual(['ssl_cert']);
  });

  test('looks for a text only where it has one, and gives up an attempt before the next', () => {
    const checked = { port: '80', protocol: 'http', check: 'http_body' };
    expect(wrong(checked)).toEqual(['check_body']);
    expect(wrong({ ...checked, check_body: 'ok' })).toEqual([]);
    expect(wrong({ ...checked, check: 'http' })).toEqual([]);
    const timed = (check_timeout: string, check_interval: string) =>
      wrong({ ...checked, check: 'http', check_timeout, check_interval });
    expect(timed('5', '5')).toEqual([]);
    expect(timed('6', '5')).toEqual(['check_timeout']);
    expect(timed('6', '')).toEqual([]);
    const first = { 'configs.0.port': '80', 'configs.0.check': 'connection', 'configs.0.check_interval': '5' };
    const draft = { label: 'new', region: 'a', ...first, 'configs.0.check_timeout': '6' };
    const create = actionOf(nodebalancers, 'create');
    expect(complaintsOf(nodebalancers, create, draft, knowing()).map(({ field }) => field)).toContain(
      'configs.0.check_timeout',
    );
  });

  test('sends nothing of a certificate that its protocol has not', () => {
    const draft = { port: '80', protocol: 'http', ssl_cert: cert, ssl_key: key };
    expect(bodyOf(nodebalancerConfigs, create, draft)).toEqual({ port: 80, protocol: 'http' });
  });

  test('sends line breaks that were written out as line breaks', () => {
    const draft = { protocol: 'https', ssl_cert: cert, ssl_key: key.replaceAll('\n', '\\n') };
    expect(bodyOf(nodebalancerConfigs, create, draft)).toMatchObject({ ssl_cert: cert, ssl_key: key });
  });

  test('sticks by cookie with http and https only', () => {
    expect(wrong({ port: '80', protocol: 'tcp', stickiness: 'http_cookie' })).toEqual(['stickiness']);
    expect(wrong({ port: '80', protocol: 'http', stickiness: 'http_cookie' })).toEqual([]);
  });

  test.each([
    ['none', []],
    ['connection', ['check_interval', 'check_timeout', 'check_attempts']],
    ['http', ['check_path', 'check_interval', 'check_timeout', 'check_attempts']],
    ['http_body', ['check_path', 'check_body', 'check_interval', 'check_timeout', 'check_attempts']],
  ])('with the check %s asks for %j', (check, fields) => {
    const names = shown({ protocol: 'http', check }).filter((name) => /^check_(?!passive)/.test(name));
    expect(names).toEqual(fields);
  });

  test.each([
    [{ port: '0' }, ['port']],
    [{ port: '65535' }, []],
    [{ port: '65536' }, ['port']],
    [{ check: 'http', check_timeout: '31' }, ['check_timeout']],
    [{ check: 'http', check_attempts: '0' }, ['check_attempts']],
    [{ check: 'http', check_path: '/two words' }, ['check_path']],
  ])('with %j is wrong in %j', (draft, fields) => expect(wrong({ port: '80', ...draft })).toEqual(fields));

  test('takes no port that another has', () => {
    const view = knowing({ 'nodebalancer-configs': [{ id: 1, port: 80 }] });
    expect(wrong({ port: '80' }, view)).toEqual(['port']);
    expect(wrong({ port: '81' }, view)).toEqual([]);
    const start = (view: CacheView) => nodebalancerConfigs.create?.start?.(undefined, view, {})?.port;
    expect([start(knowing()), start(view)]).toEqual(['80', undefined]);
  });
});

describe('a config with a certificate', () => {
  const row = { id: 5, port: 443, protocol: 'https', ssl_cert: '<REDACTED>', ssl_key: '<REDACTED>', check: 'none' };
  const edit = actionOf(nodebalancerConfigs, 'edit');
  const replace = actionOf(nodebalancerConfigs, 'certificate');
  const kept = { port: '443', protocol: 'https', ssl_cert: '<REDACTED>', ssl_key: '<REDACTED>', check: 'none' };
  const wrong = (draft: Draft) =>
    complaintsOf(nodebalancerConfigs, edit, draft, knowing(), row).map(({ field }) => field);

  test('keeps it unless both halves are given anew', () => {
    expect(wrong(kept)).toEqual([]);
    expect(bodyOf(nodebalancerConfigs, edit, { ...kept, algorithm: 'source' }, row)).toEqual({ algorithm: 'source' });
    expect(wrong({ ...kept, ssl_cert: cert })).toEqual(['ssl_key']);
    expect(wrong({ ...kept, ssl_key: key })).toEqual(['ssl_cert']);
    expect(bodyOf(nodebalancerConfigs, edit, { ...kept, ssl_cert: cert, ssl_key: key }, row)).toEqual({
      ssl_cert: cert,
      ssl_key: key,
    });
  });

  test('has it replaced by an action of its own, which others refuse', () => {
    expect(formFields(nodebalancerConfigs, replace, {}, row).map(({ name }) => name)).toEqual(['ssl_cert', 'ssl_key']);
    expect(replace.refuse?.(row, knowing())).toBeUndefined();
    expect(replace.refuse?.({ ...row, protocol: 'tcp' }, knowing())).toContain('which has no certificate');
  });
});

describe('a node in one line', () => {
  test.each([
    ['web-1 192.168.128.10:80', { label: 'web-1', address: '192.168.128.10:80' }],
    ['web-1 10.0.0.1:80 backup', { label: 'web-1', address: '10.0.0.1:80', mode: 'backup' }],
    ['web-1 10.0.0.1:80 drain 7', { label: 'web-1', address: '10.0.0.1:80', mode: 'drain', weight: 7 }],
    ['  web-1   10.0.0.1:80 255 ', { label: 'web-1', address: '10.0.0.1:80', weight: 255 }],
  ])('%j is right', (text, node) => {
    expect(wrongNode(text)).toBeUndefined();
    expect(nodeFrom(text)).toEqual(node);
  });

  test.each([
    '',
    'ab 10.0.0.1:80',
    'web-1',
    'web-1 192.0.2.1:80',
    'web-1 10.0.0.1:0',
    'web-1 10.0.0.1:80 sometimes',
    'web-1 10.0.0.1:80 256',
    'web-1 10.0.0.1:80 accept 5 6',
  ])('%j is wrong', (text) => expect(wrongNode(text)).toBeTruthy());

  test.each([
    ['192.168.1.1', true],
    ['192.168.1.1:65535', true],
    ['192.168.1.1:65536', false],
    ['192.168.1.1:80:80', false],
    ['web-1:80', false],
  ])('%s is an address of a node: %s', (text, is) => expect(isNodeAddress(text)).toBe(is));
});

describe('a new NodeBalancer', () => {
  const create = actionOf(nodebalancers, 'create');
  const base = { ...create.start?.(undefined, knowing(), {}), label: 'web-lb', region: 'us-east' };
  const wrong = (draft: Draft) =>
    complaintsOf(nodebalancers, create, { ...base, ...draft }, knowing()).map(({ field }) => field);

  test('is sent without configs when no port is named', () => {
    expect(wrong({})).toEqual([]);
    expect(bodyOf(nodebalancers, create, base)).toEqual({ label: 'web-lb', region: 'us-east' });
  });

  test('is sent with every port that is named, each with its nodes', () => {
    const draft = {
      ...base,
      'configs.0.port': '80',
      'configs.0.nodes': ['web-1 10.0.0.1:80', 'web-2 10.0.0.2:80 backup 5'],
      'configs.1.port': '443',
      'configs.1.protocol': 'https',
      'configs.1.ssl_cert': cert,
      'configs.1.ssl_key': key,
      'configs.1.check': 'none',
      'configs.1.nodes': ['web-1 10.0.0.1:443'],
    };
    expect(wrong(draft)).toEqual([]);
    expect(bodyOf(nodebalancers, create, draft)?.configs).toEqual([
      {
        port: 80,
        protocol: 'http',
        algorithm: 'roundrobin',
        stickiness: 'table',
        check: 'connection',
        nodes: [
          { label: 'web-1', address: '10.0.0.1:80' },
          { label: 'web-2', address: '10.0.0.2:80', mode: 'backup', weight: 5 },
        ],
      },
      {
        port: 443,
        protocol: 'https',
        algorithm: 'roundrobin',
        stickiness: 'table',
        check: 'none',
        ssl_cert: cert,
        ssl_key: key,
        nodes: [{ label: 'web-1', address: '10.0.0.1:443' }],
      },
    ]);
  });

  test.each([
    [{ 'configs.0.port': '80' }, ['configs.0.nodes']],
    [{ 'configs.0.port': '80', 'configs.0.nodes': ['web-1 192.0.2.1:80'] }, ['configs.0.nodes']],
    [
      {
        'configs.0.port': '80',
        'configs.0.nodes': ['web-1 10.0.0.1:80'],
        'configs.1.port': '80',
        'configs.1.nodes': ['web-1 10.0.0.1:80'],
      },
      ['configs.1.port'],
    ],
    [{ label: 'ab' }, ['label']],
    [{ client_conn_throttle: '21' }, ['client_conn_throttle']],
  ])('with %j is wrong in %j', (draft, fields) => expect(wrong(draft)).toEqual(fields));

  test('gets a node with the port beside it, unless its address has one', () => {
    const create = actionOf(nodebalancerNodes, 'create');
    const view = knowing({ 'nodebalancer-configs': [{ id: 2, port: 443 }] });
    const start = create.start?.(undefined, view, { configId: '2' }) ?? {};
    expect(start).toEqual({ port: '443' });
    const shown = (draft: Draft) => formFields(nodebalancerNodes, create, draft).map(({ name }) => name);
    const body = (address: string) => bodyOf(nodebalancerNodes, create, { ...start, label: 'web-1', address });
    expect(shown({ ...start, address: '10.0.0.1' })).toContain('port');
    expect(shown({ ...start, address: '10.0.0.1:8080' })).not.toContain('port');
    expect(body('10.0.0.1')).toEqual({ label: 'web-1', address: '10.0.0.1:443' });
    expect(body('10.0.0.1:8080')).toEqual({ label: 'web-1', address: '10.0.0.1:8080' });
    expect(plannedFromDraft({ ...start, label: 'web-1', address: '10.0.0.1' })).toMatchObject({
      address: '10.0.0.1:443',
    });
  });

  test('picks as nodes the servers of its region that have a private address', () => {
    const field = nodebalancers.fields['configs.0.nodes'];
    const server = { label: 'web-1', region: 'us-east', ipv4: ['192.0.2.1', '192.168.128.10'] };
    const draft = { region: 'us-east', 'configs.0.port': '8080' };
    const offered = (row: Row) => field?.offers?.(row, draft, knowing());
    expect([
      offered(server),
      offered({ ...server, region: 'eu-west' }),
      offered({ ...server, ipv4: ['192.0.2.1'] }),
    ]).toEqual([true, false, false]);
    expect(field?.picks?.(server, draft)).toBe('web-1 192.168.128.10:8080');
  });
});

test('the health of a NodeBalancer is that of all its ports', () => {
  const answer = {
    data: [
      { port: 80, nodes_status: { up: 2, down: 1 } },
      { port: 443, nodes_status: { up: 3, down: 0 } },
    ],
  };
  const shown = (title: string, told?: Row) => {
    const column = nodebalancers.columns.find((one) => one.title === title);
    const view = knowing({}, { answers: told && { 'nodebalancers configs 7': told } });
    return typeof column?.value === 'function' ? column.value({ id: 7 }, view) : false;
  };
  expect(shown('Up/down', answer)).toBe('5 up 1 down');
  expect(shown('Ports', answer)).toEqual(['80', '443']);
  expect(shown('Up/down', {})).toBe('0 up 0 down');
  // Nothing is read yet.
  expect(shown('Up/down')).toBeUndefined();
});

test('a mode is set by one key, unless the node has it', () => {
  const drain = actionOf(nodebalancerNodes, 'drain');
  const node = { id: 1, label: 'web-1', mode: 'accept' };
  expect(drain.ask).toBeTruthy();
  expect(actionOf(nodebalancerNodes, 'accept').ask).toBe(false);
  expect(bodyOf(nodebalancerNodes, drain, {}, node)).toEqual({ mode: 'drain' });
  expect(drain.refuse?.(node, knowing())).toBeUndefined();
  expect(drain.refuse?.({ ...node, mode: 'drain' }, knowing())).toContain('already');
});

describe('the plan of a rebuild', () => {
  const node = (id: number, more: object = {}): BalancerNode => ({
    id,
    label: `web-${id}`,
    address: `10.0.0.${id}:80`,
    mode: 'accept',
    weight: 100,
    ...more,
  });
  const existing = [node(1), node(2), node(3)];
  const plan = existing.map(plannedFrom);
  const [first, second, third] = plan as [(typeof plan)[0], (typeof plan)[0], (typeof plan)[0]];
  const { id: _id, ...fresh } = { ...first, label: 'web-9', address: '10.0.0.9:80' };

  const changed = [first, { ...second, mode: 'drain' }, { ...third, out: true as const }, fresh];

  test('keeps, updates, deletes and creates', () => {
    expect(changed.map((one) => fateOf(one, existing))).toEqual(['keep', 'update', 'delete', 'create']);
    expect(planWords(changed, existing)).toBe(
      'deletes web-3; updates web-2 (mode accept → drain); creates web-9; keeps 1 node.',
    );
    expect(nodesToSend(changed)).toEqual([first, { ...second, mode: 'drain' }, fresh]);
  });

  test('takes a rebuild back by what was there, and leaves what others have done since', () => {
    const had = existing.map(plannedFrom);
    const sent = nodesToSend(changed);
    const back = plannedBack(had, sent);
    const { id: _id, ...again } = third;
    // Since then the new node has its id, and a colleague has made one and weighed another.
    const now = [
      node(1),
      { ...node(2), mode: 'drain', weight: 7 },
      { ...node(9), label: fresh.label, address: fresh.address },
      node(4),
    ];
    expect(replanned(back, now, sent)).toEqual([
      first,
      { ...second, weight: 7 },
      again,
      { ...fresh, id: 9, out: true },
      plannedFrom(node(4)),
    ]);
    const without = now.filter(({ id }) => id !== 9);
    expect(replanned(back, without, sent).some(({ out }) => out)).toBe(false);
  });

  test('survives in a draft', () => expect(planIn({ nodes: planEntries(plan) })).toEqual(plan));

  test('needs a node, and each address once', () => {
    expect(planComplaint(plan)).toBeUndefined();
    expect(planComplaint(plan.map((one) => ({ ...one, out: true as const })))).toContain('at least one node');
    expect(planComplaint([...plan, { ...fresh, address: first.address }])).toContain(first.address);
  });

  test('follows nodes that come and go elsewhere', () => {
    expect(replanned(plan, existing)).toBe(plan);
    const changed = [{ ...first, mode: 'drain' }, second, third, fresh];
    expect(replanned(changed, [node(1), node(3), node(4)])).toEqual([changed[0], third, fresh, plannedFrom(node(4))]);
    // A change elsewhere stays where the plan leaves it alone; what both changed is told.
    const begun = [plannedFrom(node(1))];
    const mine = [{ ...plannedFrom(node(1)), weight: 7 }];
    const there = [{ ...node(1), mode: 'drain' }];
    expect(replanned(mine, there, begun)).toEqual([{ ...plannedFrom(node(1)), weight: 7, mode: 'drain' }]);
    expect(clashesIn(mine, there, begun)).toEqual([]);
    expect(clashesIn(mine, [{ ...node(1), weight: 9 }], begun)).toEqual([`${node(1).label} (weight 9)`]);
  });

  test('is sent whole, and what hides a certificate is not sent', () => {
    const rebuild = actionOf(nodebalancerConfigs, 'rebuild');
    const row = { id: 5, port: 443, protocol: 'https', ssl_cert: '<REDACTED>', ssl_key: '<REDACTED>' };
    const view = knowing({ 'nodebalancer-nodes': existing });
    const draft = rebuild.start?.(row, view, { nodeBalancerId: '1', configId: '5' }) ?? {};
    expect(bodyOf(nodebalancerConfigs, rebuild, draft, row)).toEqual({ port: 443, protocol: 'https', nodes: plan });
    const says = saidBy(rebuild, 'question', row, view, { ...draft, nodes: planEntries([first]) });
    expect(says).toContain('keeps 1 node');
  });
});

test.each([
  { data: { connections: [[1, 2]], traffic: { in: [{ x: 1, y: 3 }], out: [[1, 4]] } } },
  { connections: [[1, 2]], traffic: { in: [[1, 3]], out: [[1, 4]] } },
])('statistics are read flat and wrapped, as pairs and as points', (body) => {
  const [connections, traffic] = balancerStatisticsOf(body);
  expect(connections?.series[0]?.points).toEqual([[1, 2]]);
  expect(traffic?.series.map(({ points }) => points)).toEqual([[[1, 3]], [[1, 4]]]);
});

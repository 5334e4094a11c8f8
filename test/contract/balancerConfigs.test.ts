import { expect, test } from 'vitest';
import { describeArea, type Params } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, type Limit, names, options, range, refuses, required, word, yesOrNo } from './limits.ts';
import { type BalancerConfig, type BalancerNode, balancerConfig } from './networkNouns.ts';
import { certificate, configPath, newBalancer, newNode, newPort, privateAddress } from './networkSubjects.ts';
import { nothing } from './shapes.ts';

const aBalancer = async (cloud: Cloud) => ({ nodeBalancerId: (await newBalancer(cloud)).id });

const aConfig = async (cloud: Cloud) => {
  const { nodeBalancerId } = await aBalancer(cloud);
  return { nodeBalancerId, configId: (await newPort(cloud, nodeBalancerId)).id };
};

const nodesOf = (cloud: Cloud, { nodeBalancerId, configId }: Params) =>
  cloud.all<BalancerNode>(`${configPath(nodeBalancerId, configId)}/nodes`);

const limits: readonly Limit[] = [
  range('port', 1, 65535),
  { ...options('protocol', 'http', 'tcp'), refuses: ['udp', 5] },
  options('algorithm', 'roundrobin', 'leastconn', 'source'),
  options('stickiness', 'none', 'table', 'http_cookie'),
  options('check', 'none', 'connection', 'http', 'http_body'),
  range('check_attempts', 1, 30),
  range('check_timeout', 1, 30),
  { field: 'check_interval', accepts: [1, 5, 3600], refuses: ['often', 1.5, -1] },
  accepts('check_body', '', 'ok'),
  refuses('check_body', 5),
  accepts('check_path', '/', '/health?full=1&of=100%25', '/a-b.c'),
  refuses('check_path', '/two words', 5),
  yesOrNo('check_passive'),
  options('cipher_suite', 'recommended', 'legacy'),
  options('proxy_protocol', 'none', 'v1', 'v2'),
  accepts('ssl_cert', null),
  accepts('ssl_key', null),
  refuses('ssl_cert', certificate.ssl_cert, 5),
  refuses('ssl_key', certificate.ssl_key, 5),
];

describeArea(
  'balancer configs (document 3, 2.4 and 4.2)',
  {
    'GET /v4/nodebalancers/{nodeBalancerId}/configs': { answers: balancerConfig, params: aBalancer },
    'POST /v4/nodebalancers/{nodeBalancerId}/configs': {
      answers: balancerConfig,
      params: aBalancer,
      body: () => ({ port: 8080 }),
      limits,
    },
    'GET /v4/nodebalancers/{nodeBalancerId}/configs/{configId}': { answers: balancerConfig, params: aConfig },
    'PUT /v4/nodebalancers/{nodeBalancerId}/configs/{configId}': {
      answers: balancerConfig,
      params: aConfig,
      body: () => ({ algorithm: 'source' }),
      limits,
    },
    'DELETE /v4/nodebalancers/{nodeBalancerId}/configs/{configId}': { answers: nothing, params: aConfig },
    'POST /v4/nodebalancers/{nodeBalancerId}/configs/{configId}/rebuild': {
      answers: balancerConfig,
      params: aConfig,
      body: () => ({ nodes: [{ label: word(8), address: privateAddress() }] }),
      limits: [
        required('nodes'),
        refuses('nodes', [], 'some', ['one']),
        refuses('nodes.0', [{ label: 'no address' }]),
        refuses('nodes.0.id', [{ id: 987654321, label: word(8), address: '192.168.1.1:80' }]),
        refuses('nodes.0.address', [{ label: word(8), address: '192.0.2.1:80' }]),
        ...limits,
      ],
    },
  },
  (cloud) => {
    const fresh = async (more: object = {}) => {
      const { nodeBalancerId } = await aBalancer(cloud());
      return { nodeBalancerId, config: await newPort(cloud(), nodeBalancerId, more) };
    };

    test('https needs a certificate and its key, the others take neither', async () => {
      const { nodeBalancerId } = await aBalancer(cloud());
      const at = configPath(nodeBalancerId);
      const { ssl_cert, ssl_key } = certificate;
      for (const [body, field] of [
        [{ protocol: 'https' }, 'ssl_cert'],
        [{ protocol: 'https', ssl_key }, 'ssl_cert'],
        [{ protocol: 'https', ssl_cert }, 'ssl_key'],
        [{ protocol: 'https', ...certificate, ssl_cert: 'no certificate' }, 'ssl_cert'],
        [{ protocol: 'http', ...certificate }, 'ssl_cert'],
        [{ protocol: 'tcp', ssl_key }, 'ssl_key'],
      ] as const)
        expect(names(field, await cloud().refused('POST', at, body)), JSON.stringify(body)).toBe(true);
      const made = await cloud().post<BalancerConfig>(at, { protocol: 'https', ...certificate });
      expect(made).toMatchObject({ ssl_cert: '<REDACTED>', ssl_key: '<REDACTED>' });
    });

    test('line breaks of a key may be written out', async () => {
      const ssl_key = certificate.ssl_key.replaceAll('\n', '\\n');
      const { config } = await fresh({ protocol: 'https', ...certificate, ssl_key });
      expect(config).toMatchObject({ protocol: 'https', ssl_key: '<REDACTED>' });
    });

    test('the certificate never leaves again, and stays when nothing is said about it', async () => {
      const { nodeBalancerId, config } = await fresh({ protocol: 'https', ...certificate });
      const at = configPath(nodeBalancerId, config.id);
      expect(JSON.stringify(await cloud().get(at))).not.toContain('BEGIN');
      await cloud().put(at, { algorithm: 'source' });
      expect(await cloud().get(at)).toMatchObject({ protocol: 'https', ssl_cert: '<REDACTED>' });
      await cloud().refused('PUT', at, { ssl_cert: null });
      expect(await cloud().put(at, { protocol: 'http' })).toMatchObject({ ssl_cert: null, ssl_key: null });
      await cloud().refused('PUT', at, { protocol: 'https' });
    });

    test('a cookie is for http and https only', async () => {
      const { nodeBalancerId, config } = await fresh({ stickiness: 'http_cookie' });
      await cloud().refused('PUT', configPath(nodeBalancerId, config.id), { protocol: 'tcp' });
      await cloud().refused('POST', configPath(nodeBalancerId), {
        port: 81,
        protocol: 'tcp',
        stickiness: 'http_cookie',
      });
    });

    test('a port is there once on a NodeBalancer, and again on another', async () => {
      const { nodeBalancerId, config } = await fresh({ port: 443 });
      expect(names('port', await cloud().refused('POST', configPath(nodeBalancerId), { port: 443 }))).toBe(true);
      const other = await newPort(cloud(), nodeBalancerId, { port: 444 });
      await cloud().refused('PUT', configPath(nodeBalancerId, other.id), { port: 443 });
      await cloud().put(configPath(nodeBalancerId, config.id), { port: 443 });
      await fresh({ port: 443 });
    });

    test('what is left out has its default', async () => {
      expect((await fresh()).config).toMatchObject({ proxy_protocol: 'none' });
    });

    test('a rebuild deletes what is left out, updates what has an id, and creates the rest', async () => {
      const { nodeBalancerId, config } = await fresh();
      const params = { nodeBalancerId, configId: config.id };
      const [kept, gone, changed] = [
        await newNode(cloud(), nodeBalancerId, config.id),
        await newNode(cloud(), nodeBalancerId, config.id),
        await newNode(cloud(), nodeBalancerId, config.id),
      ];
      const { status: _status, ...same } = kept;
      const answer = await cloud().post<BalancerConfig>(`${configPath(nodeBalancerId, config.id)}/rebuild`, {
        algorithm: 'leastconn',
        nodes: [same, { id: changed.id, mode: 'drain', weight: 7 }, { label: 'brand-new', address: privateAddress() }],
      });
      expect(answer).toMatchObject({ id: config.id, algorithm: 'leastconn' });
      const after = await nodesOf(cloud(), params);
      expect(after.map(({ id }) => id)).not.toContain(gone.id);
      expect(after.find(({ id }) => id === kept.id)).toMatchObject(same);
      expect(after.find(({ id }) => id === changed.id)).toMatchObject({
        label: changed.label,
        mode: 'drain',
        weight: 7,
      });
      expect(after.map(({ label }) => label)).toContain('brand-new');
      expect(after).toHaveLength(3);
    });

    test('a rebuild that is refused changes nothing', async () => {
      const { nodeBalancerId, config } = await fresh({ algorithm: 'source' });
      const node = await newNode(cloud(), nodeBalancerId, config.id);
      const at = configPath(nodeBalancerId, config.id);
      await cloud().refused('POST', `${at}/rebuild`, { algorithm: 'leastconn', nodes: [{ id: node.id, weight: 256 }] });
      await cloud().refused('POST', `${at}/rebuild`, { port: 0, nodes: [{ id: node.id, weight: 9 }] });
      expect(await cloud().get(at)).toMatchObject({ algorithm: 'source' });
      expect(await nodesOf(cloud(), { nodeBalancerId, configId: config.id })).toMatchObject([{ weight: node.weight }]);
    });

    test('a deleted one is gone with its nodes, and its port is free', async () => {
      const { nodeBalancerId, config } = await fresh({ port: 25 });
      await newNode(cloud(), nodeBalancerId, config.id);
      await cloud().remove(configPath(nodeBalancerId, config.id));
      expect((await cloud().ask('GET', `${configPath(nodeBalancerId, config.id)}/nodes`)).status).toBe(404);
      await newPort(cloud(), nodeBalancerId, { port: 25 });
    });

    test('a config of another NodeBalancer is not found', async () => {
      const { config } = await fresh();
      const { nodeBalancerId } = await aBalancer(cloud());
      expect((await cloud().ask('GET', configPath(nodeBalancerId, config.id))).status).toBe(404);
    });
  },
);

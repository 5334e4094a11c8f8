import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, type Limit, lengths, range, refuses, required, word } from './limits.ts';
import { type BalancerConfig, type BalancerNode, type NodeBalancer, nodebalancer } from './networkNouns.ts';
import { certificate, configPath, newBalancer, newNode, newPort, privateAddress } from './networkSubjects.ts';
import { anything, either, integer, list, nothing, number, object } from './shapes.ts';

const aBalancer = async (cloud: Cloud) => ({ nodeBalancerId: (await newBalancer(cloud)).id });
const path = (id: number) => `/v4/nodebalancers/${id}`;
const aNode = () => ({ label: word(8), address: privateAddress() });
const aPort = (port: number, more: object = {}) => ({ port, nodes: [aNode()], ...more });

const own = (): readonly Limit[] => [
  lengths('label', 3, 32),
  refuses('label', 'two words', 'dotted.name', 5),
  range('client_conn_throttle', 0, 20),
];

/** A point is a time in milliseconds and a reading. */
const point = either(list(number), object({ x: integer, y: number }));

describeArea(
  'NodeBalancers (document 3, 4.2)',
  {
    'GET /v4/nodebalancers': { answers: nodebalancer },
    'POST /v4/nodebalancers': {
      answers: nodebalancer,
      body: () => ({ region: 'us-east', label: word(10) }),
      limits: [
        required('region'),
        refuses('region', 'nowhere', 5),
        ...own(),
        accepts('configs', [], [aPort(80)], [aPort(80), aPort(443, { protocol: 'https', ...certificate })]),
        refuses('configs', 'many', ['one'], [{ port: 80 }], [aPort(80), aPort(80)], [aPort(80, { nodes: [] })]),
        refuses('configs', [aPort(0)], [aPort(65536)], [aPort(80, { protocol: 'https' })]),
        refuses('configs', [aPort(80, { nodes: [{ label: 'public', address: '192.0.2.1:80' }] })]),
      ],
    },
    'GET /v4/nodebalancers/{nodeBalancerId}': { answers: nodebalancer, params: aBalancer },
    'PUT /v4/nodebalancers/{nodeBalancerId}': {
      answers: nodebalancer,
      params: aBalancer,
      body: () => ({ client_conn_throttle: 5 }),
      limits: [...own(), accepts('tags', [], ['web']), refuses('tags', 'web', [5]), accepts('transfer', {})],
    },
    'DELETE /v4/nodebalancers/{nodeBalancerId}': { answers: nothing, params: aBalancer },
    'GET /v4/nodebalancers/{nodeBalancerId}/stats': {
      answers: object({
        title: anything,
        data: object({ connections: list(point), traffic: object({ in: list(point), out: list(point) }) }),
      }),
      params: async (cloud) => ({ nodeBalancerId: (await cloud.all<NodeBalancer>('/v4/nodebalancers'))[0]?.id ?? 0 }),
    },
  },
  (cloud) => {
    test('a label is there once on the account', async () => {
      const { label } = await newBalancer(cloud());
      const other = await newBalancer(cloud());
      await cloud().refused('POST', '/v4/nodebalancers', { region: 'us-east', label });
      await cloud().refused('PUT', path(other.id), { label });
      await cloud().put(path(other.id), { label: other.label });
    });

    test('is made with all its configs and nodes, or not at all', async () => {
      const before = (await cloud().all('/v4/nodebalancers')).length;
      const broken = { region: 'us-east', label: word(9), configs: [aPort(80), aPort(81, { nodes: [] })] };
      const [complaint] = await cloud().refused('POST', '/v4/nodebalancers', broken);
      expect(complaint?.field).toMatch(/^configs.?1/);
      expect((await cloud().all('/v4/nodebalancers')).length).toBe(before);
      const configs = [aPort(80), aPort(8080, { protocol: 'tcp', nodes: [aNode(), aNode()] })];
      const { id } = await cloud().post<NodeBalancer>('/v4/nodebalancers', {
        region: 'us-east',
        label: word(9),
        configs,
      });
      const ports = await cloud().all<BalancerConfig>(configPath(id));
      expect(ports.map(({ port, protocol }) => [port, protocol])).toEqual([
        [80, 'http'],
        [8080, 'tcp'],
      ]);
      const nodes = await Promise.all(
        ports.map((port) => cloud().all<BalancerNode>(`${configPath(id, port.id)}/nodes`)),
      );
      expect(nodes.map(({ length }) => length)).toEqual([1, 2]);
    });

    test('what is edited stays edited, and only that', async () => {
      const before = await newBalancer(cloud(), { client_conn_throttle: 3 });
      await cloud().put(path(before.id), { tags: ['web'] });
      expect(await cloud().get(path(before.id))).toMatchObject({
        label: before.label,
        client_conn_throttle: 3,
        tags: ['web'],
      });
    });

    test('a deleted one is gone with its configs', async () => {
      const { id } = await newBalancer(cloud());
      const port = await newPort(cloud(), id);
      await newNode(cloud(), id, port.id);
      await cloud().remove(path(id));
      for (const at of [path(id), configPath(id), configPath(id, port.id), `${configPath(id, port.id)}/nodes`])
        expect((await cloud().ask('GET', at)).status, at).toBe(404);
    });

    test('there are no statistics of one that was just made', async () => {
      const { id } = await newBalancer(cloud());
      await cloud().refused('GET', `${path(id)}/stats`);
    });
  },
);

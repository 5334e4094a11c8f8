import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, type Limit, lengths, options, range, refuses, required, word } from './limits.ts';
import { type BalancerConfig, type BalancerNode, balancerNode, modes } from './networkNouns.ts';
import { configPath, newBalancer, newNode, newPort, privateAddress } from './networkSubjects.ts';
import { nothing } from './shapes.ts';
import { idleServer } from './subjects.ts';

const aConfig = async (cloud: Cloud) => {
  const nodeBalancerId = (await newBalancer(cloud)).id;
  return { nodeBalancerId, configId: (await newPort(cloud, nodeBalancerId)).id };
};

const aNode = async (cloud: Cloud) => {
  const { nodeBalancerId, configId } = await aConfig(cloud);
  return { nodeBalancerId, configId, nodeId: (await newNode(cloud, nodeBalancerId, configId)).id };
};

const limits: readonly Limit[] = [
  lengths('label', 3, 32),
  accepts('label', 'a-b', 'Web_1.a'),
  refuses('label', 'a b c', 'web/1', 5),
  accepts('address', '192.168.255.254:1', '10.0.0.1:65535', '172.16.0.1:80'),
  refuses('address', '192.0.2.1:80', '172.32.0.1:80', '192.168.1.1:0', '192.168.1.1:65536', 'web-1:80', '::1', 5),
  options('mode', ...modes),
  range('weight', 1, 255),
];

describeArea(
  'balancer nodes (document 3, 2.5 and 4.2)',
  {
    'GET /v4/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes': { answers: balancerNode, params: aConfig },
    'POST /v4/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes': {
      answers: balancerNode,
      params: aConfig,
      body: () => ({ label: word(8), address: privateAddress() }),
      limits: [required('label'), required('address'), ...limits],
    },
    'GET /v4/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes/{nodeId}': {
      answers: balancerNode,
      params: aNode,
    },
    'PUT /v4/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes/{nodeId}': {
      answers: balancerNode,
      params: aNode,
      body: () => ({ weight: 50 }),
      limits,
    },
    'DELETE /v4/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes/{nodeId}': { answers: nothing, params: aNode },
  },
  (cloud) => {
    const nodePath = ({ nodeBalancerId, configId, nodeId }: Awaited<ReturnType<typeof aNode>>) =>
      `${configPath(nodeBalancerId, configId)}/nodes/${nodeId}`;

    test('takes traffic when nothing is said', async () => {
      const { nodeBalancerId, configId } = await aConfig(cloud());
      expect(await newNode(cloud(), nodeBalancerId, configId)).toMatchObject({ mode: 'accept' });
    });

    test('what is edited stays edited, and only that', async () => {
      const params = await aNode(cloud());
      const before = await cloud().get<BalancerNode>(nodePath(params));
      await cloud().put(nodePath(params), { mode: 'drain' });
      const { label, address, weight } = before;
      expect(await cloud().get(nodePath(params))).toMatchObject({ label, address, weight, mode: 'drain' });
    });

    test('a new one is checked after a while: up where a running server has its address, down elsewhere', async () => {
      const { nodeBalancerId, configId } = await aConfig(cloud());
      const server = await idleServer(cloud(), ({ ipv4 }) => ipv4.length > 1);
      const good = await newNode(cloud(), nodeBalancerId, configId, { address: `${server.ipv4[1]}:80` });
      const bad = await newNode(cloud(), nodeBalancerId, configId);
      expect([good.status, bad.status]).toEqual(['unknown', 'unknown']);
      const status = async (id: number) =>
        (await cloud().get<BalancerNode>(nodePath({ nodeBalancerId, configId, nodeId: id }))).status;
      await cloud().until('they are checked', async () => (await status(bad.id)) === 'DOWN');
      await cloud().until('the server runs', async () => (await status(good.id)) === 'UP');
      const config = await cloud().get<BalancerConfig>(configPath(nodeBalancerId, configId));
      expect(config.nodes_status).toEqual({ up: 1, down: 1 });
    });

    test('a deleted one is gone', async () => {
      const params = await aNode(cloud());
      await cloud().remove(nodePath(params));
      expect((await cloud().ask('GET', nodePath(params))).status).toBe(404);
    });

    test('a node of another config is not found', async () => {
      const params = await aNode(cloud());
      const other = await newPort(cloud(), params.nodeBalancerId, { port: 81 });
      expect((await cloud().ask('GET', nodePath({ ...params, configId: other.id }))).status).toBe(404);
    });
  },
);

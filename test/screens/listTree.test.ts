import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Column, Row } from '../../src/resources/resource.ts';
import { createListModel } from '../../src/screens/list/listModel.ts';
import { type Branches, branchId } from '../../src/screens/list/listTree.ts';
import type { Collection } from '../../src/store/cache.ts';
import type { ListView } from '../../src/store/navigation.ts';
import { knowing } from '../resources/known.ts';

const nodes = resourceNamed('nodebalancer-nodes');
const configs = resourceNamed('nodebalancer-configs');
const params = { nodeBalancerId: '7' };
const perConfig = 100;
const rows: readonly Row[] = [80, 443].map((port, index) => ({ id: index + 1, port }));
const nodesOf = new Map(
  rows.map((config) => [
    config,
    Array.from({ length: perConfig }, (_, index) => ({
      id: Number(config.id) * 1000 + index,
      label: `web-${index}`,
      status: index % 2 ? 'UP' : 'DOWN',
      mode: 'accept',
    })),
  ]),
);
const columns: readonly Column[] = [{ title: 'Config', value: ({ port }) => `port ${port}`, keep: 1 }];
const branches: Branches = { resource: configs, params, rows, under: (config) => nodesOf.get(config) ?? [], columns };

function pageOf(view: Partial<ListView> = {}) {
  return createListModel()({
    resource: nodes,
    params,
    branches,
    collection: { resource: configs.name, rows, loading: false, loadedAt: 1 } as unknown as Collection,
    listView: { marks: [], filter: '', ...view },
    isFiltering: false,
    cacheView: knowing(),
    events: [],
    theme: themeNamed('dark', 'unicode', true),
    width: 80,
    height: 300,
  });
}

const textsOf = (page: ReturnType<typeof pageOf>, pending = new Map<string, string>()) =>
  page.lines(pending, undefined).map(({ text }) => stripVTControlCharacters(text).trimEnd());

test('a branch stands above the rows that lie under it, which a filter and an order concern', () => {
  const page = pageOf({ filter: 'web-3 status:DOWN', sort: '-Label' });
  expect(page.rows).toHaveLength(10);
  const texts = textsOf(page);
  expect(texts).toHaveLength(12);
  expect(texts[0]).toBe('❯  port 80');
  expect(texts[1]).toMatch(/^ {5}✗ down +web-38 /);
  expect(texts[6]).toBe('   port 443');
  expect(textsOf(pageOf({ filter: 'web-none' }))).toEqual([]);
});

test('each line has an id, a kind and the parameters of its list', () => {
  const { tree, items } = pageOf({ cursor: branchId(configs, '2') });
  const [config = {}, node = {}] = items;
  expect([config, node].map(tree.id)).toEqual(['nodebalancer-configs 1', '1000']);
  expect(tree.kindOf(config)).toMatchObject({ resource: configs, params });
  expect(tree.kindOf(node)).toEqual({ resource: nodes, params: { ...params, configId: '1' } });
  expect(tree.newAt(config)).toEqual(tree.newAt(node));
  expect(tree.newAt(undefined).resource).toBe(configs);
  expect([tree.branchOf(node), tree.branchOf(config), tree.isBranch(node)]).toEqual([config, config, false]);
});

test('a change under way is seen at each of two hundred rows, and at the branch above them', () => {
  const ids = [...nodesOf.values()].flat().map(({ id }) => String(id));
  const pending = new Map([
    ...ids.map((id) => [id, '○ waiting'] as const),
    [branchId(configs, '1'), '◐ saving'] as const,
  ]);
  const texts = textsOf(pageOf(), pending);
  expect(texts.filter((text) => text.includes('○ waiting'))).toHaveLength(2 * perConfig);
  expect(texts[0]).toContain('◐ saving');
  expect(texts[perConfig + 1]).toBe('   port 443');
});

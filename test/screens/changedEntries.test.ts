import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { changedEntries } from '../../src/screens/journal/JournalScreen.tsx';
import type { Stores } from '../../src/store/stores.ts';
import { knowing } from '../resources/known.ts';

const stores = {
  cache: { getState: () => ({ collections: {} }) },
  view: knowing({
    nodebalancers: [{ id: 7, label: 'web-lb' }],
    'nodebalancer-configs': [{ id: 31, port: 443, nodebalancer_id: 7 }],
  }),
  now: () => 0,
} as unknown as Stores;

test('a list below a row says where its rows lie', () => {
  const theme = themeNamed('mono', 'unicode', false);
  const list = (resource: string, params: Readonly<Record<string, string>>) => ({
    query: { resource, operation: 'list', params },
    resource,
    since: 0,
    came: new Set(['1']),
    changed: new Map(),
    gone: [{ id: 2, label: 'web-old' }],
    isWhole: true,
    isMarked: true,
  });
  const lists = [list('nodebalancer-nodes', { nodeBalancerId: '7', configId: '31' }), list('volumes', {})];
  const heads = changedEntries({ theme, width: 120, now: stores.now() }, stores, lists).flatMap(({ id, lines }) =>
    id ? [] : lines,
  );
  expect(stripVTControlCharacters(heads.join('\n'))).toMatch(
    /^ Nodes at port 443 of NodeBalancer web-lb {2}1 new, 1 gone[\s\S]*\n Volumes {2}1 new/,
  );
});

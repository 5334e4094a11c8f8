import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { detailsOf, treeSummary } from '../../src/screens/custom/BalancerTree.tsx';
import { knowing } from '../resources/known.ts';

const dark = themeNamed('dark', 'unicode', false);
const configs = [80, 443].map((id) => ({ id, port: id, nodes_status: { up: 5, down: 4 } }));

test.each([
  [80, 'n adds a node, Configs adds a port'],
  [43, 'n adds a node'],
  [33, ''],
])('at %i columns the head of a NodeBalancer says what n makes, or nothing, but no half of it', (width, way) => {
  const head = stripVTControlCharacters(treeSummary(dark, configs, width, false));
  expect(head.trim()).toBe(`2 ports  ✗ 10 up 8 down  ${way}`.trim());
});

test('of a port it is told what spreads its traffic and how it is checked, and no stickiness that it does not have', () => {
  const port = { id: 7, algorithm: 'leastconn', check: 'http', check_path: '/health', check_interval: 5 };
  const check = 'check http /health every 5 s';
  expect(detailsOf({ ...port, stickiness: 'none' }, knowing())).toBe(`leastconn, ${check}`);
  expect(detailsOf({ ...port, stickiness: 'table' }, knowing())).toBe(`leastconn, stickiness table, ${check}`);
});

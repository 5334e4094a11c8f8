import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { treeSummary } from '../../src/screens/custom/BalancerTree.tsx';

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

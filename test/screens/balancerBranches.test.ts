import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { branchesOf, treeHeader } from '../../src/screens/custom/balancerBranches.ts';

const dark = themeNamed('dark', 'unicode', false);
const configs = [80, 443].map((id) => ({ id, port: id, nodes_status: { up: 5, down: 4 } }));

test.each([
  [80, 'n adds a node, Configs adds a port'],
  [60, 'n adds a node'],
  [50, ''],
])('at %i columns the head of a NodeBalancer says what n makes, or nothing, but no half of it', (width, way) => {
  const head = stripVTControlCharacters(treeHeader(dark, branchesOf(configs, [], {}), width, false));
  expect(head.trim()).toBe(`Ports and nodes  2 ports  ✗ 10 up 8 down  ${way}`.trim());
});

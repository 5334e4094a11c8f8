import { expect, test } from 'vitest';
import { filterOfFold, isFold, type Problem, sayingOf, unfolded } from '../../src/resources/problems/rule.ts';
import { foldedProblems, rules, saidOfSeveral } from '../../src/resources/rules/index.ts';

const problem = (id: number, rule: string, severity: Problem['severity'] = 'notice'): Problem => ({
  id: `${rule} ${id}`,
  severity,
  rule,
  resource: 'servers',
  params: { serverId: String(id) },
  label: `web-${id}`,
  says: `web-${id} has no backups`,
  since: 1000 - id,
});

const backups = (count: number) => Array.from({ length: count }, (_, id) => problem(id, 'server-backups-off'));

test('three problems of one rule and severity are one in the place of the first, fewer stay as they are', () => {
  expect(foldedProblems(backups(2))).toEqual(backups(2));
  const [first, fold, last, ...others] = foldedProblems([
    problem(9, 'server-down', 'critical'),
    ...backups(16),
    problem(9, 'server-idle'),
  ]);
  expect([first?.rule, last?.rule, others]).toEqual(['server-down', 'server-idle', []]);
  expect(fold).toMatchObject({ id: 'fold notice server-backups-off', severity: 'notice', since: 1000 });
  expect(fold && isFold(fold) && sayingOf(fold)).toBe('16 servers have no backups \u25b8 web-0, web-1 and 14 more');
  expect(fold && unfolded(fold)).toHaveLength(16);
  expect(fold && filterOfFold(fold)).toBe('rule=server-backups-off severity:notice');
});

test('of another severity they are another kind', () => {
  const worse = [1, 2].map((id) => problem(id, 'server-reboot-loop', 'critical'));
  const all = [...worse, ...[3, 4].map((id) => problem(id, 'server-reboot-loop', 'warning'))];
  expect(foldedProblems(all)).toEqual(all);
});

test('the same list is folded once', () => {
  const many = backups(20_000);
  const folded = foldedProblems(many);
  expect(foldedProblems(many)).toBe(folded);
  expect(folded).toHaveLength(1);
});

test('a sentence may be that of the first of them', () => {
  expect(saidOfSeveral('{first}, and {more} more servers', backups(1200))).toBe(
    `${backups(1)[0]?.says}, and 1 199 more servers`,
  );
});

test('each rule of things that there can be many of says one sentence of several', () => {
  const single = new Set(['account', 'object-storage']);
  for (const { name, of, several } of rules) {
    if (single.has(of)) continue;
    expect(several, name).toMatch(/^\{\} .*[^.]$/);
  }
});

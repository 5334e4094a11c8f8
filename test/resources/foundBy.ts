import { problemsBy } from '../../src/resources/problems/problem.ts';
import type { Problem } from '../../src/resources/problems/rule.ts';
import { rules } from '../../src/resources/rules/index.ts';
import { type Further, knowing, type Lists } from './known.ts';

export { present } from './known.ts';

/** Runs the rule of this name. Throws when there is no such rule. */
export function foundBy(name: string, { lists, ...further }: { lists?: Lists } & Further): readonly Problem[] {
  const rule = rules.find((rule) => rule.name === name);
  if (!rule) throw new Error(`no rule is called ${name}`);
  return [...problemsBy(rule, knowing(lists, further))].flat();
}

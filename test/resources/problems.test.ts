import { describe, expect, it } from 'vitest';
import { actionsOf, resourceNamed } from '../../src/resources/index.ts';
import type { Rule } from '../../src/resources/problems/rule.ts';
import { rules } from '../../src/resources/rules/index.ts';

/** Whether the resource of a rule has what the rule says helps. */
function hasRemedy({ of, remedy }: Rule): boolean {
  const resource = resourceNamed(of);
  if (!remedy) return true;
  if ('action' in remedy) return actionsOf(resource).some(({ name }) => name === remedy.action);
  if ('shortcut' in remedy) return (resource.shortcuts ?? []).some(({ name }) => name === remedy.shortcut);
  const titles = ['Overview', 'History', 'JSON', ...(resource.tabs ?? []).map(({ title }) => title)];
  return titles.includes(remedy.tab);
}

describe('the rules', () => {
  it('have names of their own', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('%s names what there is', (name, rule) => {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const other of rule.reads ?? []) expect(resourceNamed(other).list ?? resourceNamed(other).view).toBeDefined();
    for (const asked of [rule.fetches ?? []].flat()) expect(resourceNamed(rule.of).operations?.[asked]).toBeDefined();
    expect(hasRemedy(rule)).toBe(true);
  });
});

import { actionsOf, resourceNamed } from '../index.ts';
import type { Acknowledgement, ProblemRow } from './problems.ts';
import type { Problem, Remedy } from './rule.ts';

/** Names a likely help against a problem, in a few words; undefined where none is known. */
export function remedyWords({ resource: name }: Pick<Problem, 'resource'>, remedy: Remedy | undefined) {
  if (!remedy) return undefined;
  if ('tab' in remedy) return remedy.help ?? `Look at ${remedy.tab}`;
  const of = resourceNamed(name);
  const [among, wanted] = 'shortcut' in remedy ? [of.shortcuts ?? [], remedy.shortcut] : [actionsOf(of), remedy.action];
  return among.find(({ name }) => name === wanted)?.help;
}

/** The row of a problem in their list. */
export function rowOfProblem(problem: Problem, acknowledgement?: Acknowledgement): ProblemRow {
  const { one } = resourceNamed(problem.resource);
  return { ...problem, what: one, helps: remedyWords(problem, problem.remedy), acknowledgement };
}

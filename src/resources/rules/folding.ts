import { grouped } from '../../text/numbers.ts';
import { listed } from '../../text/words.ts';
import { memoize } from '../memoize.ts';
import type { Fold, Problem } from '../problems/rule.ts';
import { ruleNamed } from './index.ts';

/** So many problems of a kind are said by one sentence. */
const minFold = 3;

/** Problems in their order, each kind that has several of them as one in the place of its first. */
export const foldedProblems = memoize((problems: readonly Problem[]): readonly Problem[] => {
  const kinds = Map.groupBy(problems, kindOf);
  return problems.flatMap((problem) => {
    const same = kinds.get(kindOf(problem)) ?? [];
    const several = same.length < minFold ? undefined : ruleNamed(problem.rule)?.several;
    if (several === undefined) return [problem];
    return same[0] === problem ? [foldOf(problem, same, several)] : [];
  });
});

const kindOf = ({ rule, severity }: Problem): string => `${severity} ${rule}`;

/** A sentence about several problems: `{}` is their number, `{first}` what the first of them says, `{more}` how many others there are. */
export const saidOfSeveral = (several: string, of: readonly Problem[]): string =>
  several.replace(/\{(\w*)\}/g, (_, part) =>
    part === 'first' ? (of[0]?.says ?? '') : grouped(of.length - Number(part === 'more')),
  );

const foldOf = (
  { severity, rule, resource, since, remedy }: Problem,
  of: readonly Problem[],
  several: string,
): Fold => ({
  id: `fold ${severity} ${rule}`,
  severity,
  rule,
  resource,
  params: {},
  label: listed(of.map(({ label }) => label)),
  says: saidOfSeveral(several, of),
  since,
  remedy,
  of,
});

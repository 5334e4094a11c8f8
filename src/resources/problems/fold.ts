import type { Problem } from './rule.ts';

/** Several problems of one rule and severity as one, which one sentence says of all of them. */
export interface Fold extends Problem {
  of: readonly Problem[];
}

/** Whether this stands for several problems. */
export const isFold = (problem: Problem): problem is Fold => 'of' in problem;

/** The sentence of a problem; that of a fold says which objects it is about, behind a mark that there is more to open. */
export const sayingOf = (problem: Problem): string =>
  isFold(problem) ? `${problem.says} \u25b8 ${problem.label}` : problem.says;

/** The problem itself, or those that a fold stands for. */
export const unfolded = (problem: Problem): readonly Problem[] => (isFold(problem) ? problem.of : [problem]);

/** The filter of the list of problems that leaves those of a fold. */
export const filterOfFold = ({ rule, severity }: Problem): string => `rule=${rule} severity:${severity}`;

import { memoizeOne } from '../resources/memoize.ts';
import { rowOfProblem } from '../resources/problems/problem.ts';
import { type Acknowledgement, problems as problemList } from '../resources/problems/problems.ts';
import { isFold, type Problem } from '../resources/problems/rule.ts';
import type { Row } from '../resources/resource.ts';
import { foldedProblems } from '../resources/rules/index.ts';
import type { Cache } from './cache.ts';
import type { Acknowledgements, AcknowledgementsState } from './problems/acknowledgements.ts';
import type { Problems } from './problems/problems.ts';

interface LocalParts {
  cache: Cache;
  problems: Problems;
  acknowledgements: Acknowledgements;
}

/** Keeps the list of problems in the cache; returns an unsubscribe function. */
export function keepProblemList({ cache, problems, acknowledgements }: LocalParts): () => void {
  const rowsOfProblems = new WeakMap<Problem, { acknowledgement: Acknowledgement | undefined; row: Row }>();

  function rowOf(problem: Problem, acknowledgement?: Acknowledgement): Row {
    const known = rowsOfProblems.get(problem);
    if (known && known.acknowledgement === acknowledgement) return known.row;
    const row = rowOfProblem(problem, acknowledgement);
    rowsOfProblems.set(problem, { acknowledgement, row });
    return row;
  }

  /** The same list as long as the problems are the same, and so are all acknowledgements. */
  const rowsOf = memoizeOne(
    (
      open: readonly Problem[],
      acknowledged: readonly Problem[],
      _all: AcknowledgementsState['all'],
    ): readonly Row[] => [
      ...withFolds(open).map((problem) => rowOf(problem)),
      ...acknowledged.map((problem) => rowOf(problem, acknowledgements.of(problem))),
    ],
  );

  return problems.subscribe(({ problems: open, acknowledged, examinedAt }) =>
    cache.putLocal(problemList, rowsOf(open, acknowledged, acknowledgements.getState().all), examinedAt),
  );
}

/** Problems with each fold before the first that it stands for. */
function withFolds(problems: readonly Problem[]): readonly Problem[] {
  const folds = new Map(foldedProblems(problems).flatMap((one) => (isFold(one) ? [[one.of[0], one] as const] : [])));
  return problems.flatMap((problem) => {
    const fold = folds.get(problem);
    return fold ? [fold, problem] : [problem];
  });
}

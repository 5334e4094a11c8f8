import { rowOfProblem } from '../resources/problems/problem.ts';
import { type Acknowledgement, problems as problemList } from '../resources/problems/problems.ts';
import { isFold, type Problem } from '../resources/problems/rule.ts';
import type { Row } from '../resources/resource.ts';
import { foldedProblems } from '../resources/rules/index.ts';
import type { Cache } from './cache.ts';
import type { Acknowledgements, AcknowledgementsState } from './problems/acknowledgements.ts';
import type { Problems, ProblemsState } from './problems/problems.ts';

interface LocalParts {
  cache: Cache;
  problems: Problems;
  acknowledgements: Acknowledgements;
}

interface Made {
  open: readonly Problem[];
  acknowledged: readonly Problem[];
  all: AcknowledgementsState['all'];
  rows: readonly Row[];
}

/** Keeps the list of problems in the cache; returns an unsubscribe function. */
export function keepProblemList({ cache, problems, acknowledgements }: LocalParts): () => void {
  const rowsOfProblems = new WeakMap<Problem, { acknowledgement: Acknowledgement | undefined; row: Row }>();
  /** The last list of problems, and its inputs. */
  let made: Made | undefined;

  function rowOf(problem: Problem, acknowledgement?: Acknowledgement): Row {
    const known = rowsOfProblems.get(problem);
    if (known && known.acknowledgement === acknowledgement) return known.row;
    const row = rowOfProblem(problem, acknowledgement);
    rowsOfProblems.set(problem, { acknowledgement, row });
    return row;
  }

  function putProblems({ problems: open, acknowledged, examinedAt }: ProblemsState): void {
    const { all } = acknowledgements.getState();
    if (made?.open !== open || made.acknowledged !== acknowledged || made.all !== all) {
      const rows = [
        ...withFolds(open).map((problem) => rowOf(problem)),
        ...acknowledged.map((problem) => rowOf(problem, acknowledgements.of(problem))),
      ];
      made = { open, acknowledged, all, rows };
    }
    cache.putLocal(problemList, made.rows, examinedAt);
  }

  return problems.subscribe(putProblems);
}

/** Problems with each fold before the first that it stands for. */
function withFolds(problems: readonly Problem[]): readonly Problem[] {
  const folds = new Map(foldedProblems(problems).flatMap((one) => (isFold(one) ? [[one.of[0], one] as const] : [])));
  return problems.flatMap((problem) => {
    const fold = folds.get(problem);
    return fold ? [fold, problem] : [problem];
  });
}

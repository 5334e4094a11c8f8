import type { Call } from '../api/request.ts';
import { requests as requestList } from '../resources/account/requests.ts';
import { memoize } from '../resources/memoize.ts';
import { rowOfProblem } from '../resources/problems/problem.ts';
import { type Acknowledgement, problems as problemList } from '../resources/problems/problems.ts';
import { isFold, type Problem } from '../resources/problems/rule.ts';
import type { Row } from '../resources/resource.ts';
import { foldedProblems } from '../resources/rules/index.ts';
import type { Timestamp } from '../text/times.ts';
import type { Cache } from './cache.ts';
import { allOf } from './listeners.ts';
import type { Acknowledgements, AcknowledgementsState } from './problems/acknowledgements.ts';
import type { Problems, ProblemsState } from './problems/problems.ts';
import type { Session } from './session.ts';

interface LocalParts {
  cache: Cache;
  session: Session;
  problems: Problems;
  acknowledgements: Acknowledgements;
  now: () => Timestamp;
}

interface Made {
  open: readonly Problem[];
  acknowledged: readonly Problem[];
  all: AcknowledgementsState['all'];
  rows: readonly Row[];
}

/** Keeps the lists that the program makes itself (its requests and problems) in the cache; returns an unsubscribe function. */
export function syncLocalLists({ cache, session, problems, acknowledgements, now }: LocalParts): () => void {
  const rowsOfProblems = new WeakMap<Problem, { acknowledgement: Acknowledgement | undefined; row: Row }>();
  /** The last list of problems, and its inputs. */
  let made: Made | undefined;
  let calls = 0;

  const rowOfCall = memoize((call: Call): Row => ({ id: ++calls, ...call }));

  function putRequests(): void {
    const rows = session.getState().calls.map(rowOfCall);
    cache.putLocal(requestList, rows.toReversed(), now());
  }

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

  const leave = allOf([
    problems.subscribe(putProblems),
    session.subscribe((after, before) => {
      if (after.calls !== before.calls) putRequests();
    }),
  ]);
  putRequests();
  return leave;
}

/** Problems with each fold before the first that it stands for. */
function withFolds(problems: readonly Problem[]): readonly Problem[] {
  const folds = new Map(foldedProblems(problems).flatMap((one) => (isFold(one) ? [[one.of[0], one] as const] : [])));
  return problems.flatMap((problem) => {
    const fold = folds.get(problem);
    return fold ? [fold, problem] : [problem];
  });
}

import { problems as problemList, rowOfProblem } from '../resources/problems/problems.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { Problems } from './problems.ts';
import type { Records } from './records.ts';

interface LocalParts {
  records: Records;
  problems: Problems;
  acknowledgements: Acknowledgements;
}

/** Keeps the lists that the program makes itself among the records, until the way back is taken. */
export function keepLocalLists({ records, problems, acknowledgements }: LocalParts): () => void {
  function putProblems(): void {
    const { problems: open, acknowledged, examinedAt } = problems.getState();
    const rows = [
      ...open.map((problem) => rowOfProblem(problem)),
      ...acknowledged.map((problem) => rowOfProblem(problem, acknowledgements.of(problem))),
    ];
    records.putLocal(problemList, rows, examinedAt);
  }

  const unsubscribe = problems.subscribe(putProblems);
  return unsubscribe;
}

import type { Call } from '../api/request.ts';
import { requests as requestList } from '../resources/account/requests.ts';
import { problems as problemList, rowOfProblem } from '../resources/problems/problems.ts';
import type { Row } from '../resources/resource.ts';
import type { Acknowledgements } from './attention/acknowledgements.ts';
import type { Problems } from './problems.ts';
import type { Records } from './records.ts';
import type { Session } from './session.ts';

interface LocalParts {
  records: Records;
  session: Session;
  problems: Problems;
  acknowledgements: Acknowledgements;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Keeps the lists that the program makes itself among the records, until the way back is taken. */
export function keepLocalLists({ records, session, problems, acknowledgements, now }: LocalParts): () => void {
  const rowsOfCalls = new WeakMap<Call, Row>();
  let calls = 0;

  function rowOfCall(call: Call): Row {
    const row = rowsOfCalls.get(call) ?? { id: ++calls, ...call };
    rowsOfCalls.set(call, row);
    return row;
  }

  function putRequests(): void {
    const rows = session.getState().calls.map(rowOfCall);
    records.putLocal(requestList, rows.toReversed(), now());
  }

  function putProblems(): void {
    const { problems: open, acknowledged, examinedAt } = problems.getState();
    const rows = [
      ...open.map((problem) => rowOfProblem(problem)),
      ...acknowledged.map((problem) => rowOfProblem(problem, acknowledgements.of(problem))),
    ];
    records.putLocal(problemList, rows, examinedAt);
  }

  const leave = [
    problems.subscribe(putProblems),
    session.subscribe((after, before) => {
      if (after.calls !== before.calls) putRequests();
    }),
  ];
  putRequests();
  return () => {
    for (const unsubscribe of leave) unsubscribe();
  };
}

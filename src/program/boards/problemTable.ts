import { redacted, redactorOf } from '../../api/redact.ts';
import { byUrgency } from '../../resources/problems/problem.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Params } from '../../resources/resource.ts';
import { unexaminedPart } from '../../screens/problems/unexamined.ts';
import { widthOf } from '../../text/cells.ts';
import { isTime } from '../../text/times.ts';
import { accountColumn, type PrintContext, type PrintedColumn, type Table, tableOf, tableText } from '../print.ts';
import type { Owned, ProblemReport } from '../snapshotReader.ts';

/** A problem for programs. */
export type PrintedProblem = ReturnType<typeof problemRow>;

/** A problem for programs. A secret parameter, like the token of a transfer, is redacted in every text. */
export function problemRow(problem: Owned<Problem>) {
  const { account, id, severity, rule, resource, params, label, says, since } = problem;
  const safe = redactorOf(params);
  return {
    ...(account !== undefined && { account }),
    id: safe(id),
    severity,
    rule,
    resource,
    params: redacted(params) as Params,
    label: safe(label),
    says: safe(says),
    /** A time by ISO 8601; null where it is unknown. */
    since: isTime(since) ? new Date(since).toISOString() : null,
  };
}

const sinceWidth = 10;
const severityWidth = 12;
const minSentenceWidth = 20;

/** The columns of a table of problems, as wide as a terminal leaves them. */
const problemColumns = (width: number | undefined): readonly PrintedColumn<PrintedProblem>[] => [
  { title: 'Severity', value: ({ severity }) => severity, format: 'status', keep: 1 },
  {
    title: 'Problem',
    value: ({ says }) => says,
    keep: 1,
    width: width && Math.max(minSentenceWidth, width - severityWidth - sinceWidth),
  },
  { title: 'Since', value: ({ since }) => since, format: 'age', keep: 2 },
  { title: 'Resource', value: ({ resource }) => resource, keep: 3 },
  { title: 'Label', value: ({ label }) => label, keep: 3 },
  { title: 'Rule', value: ({ rule }) => rule, keep: 3 },
  { title: 'ID', value: ({ id }) => id, keep: 3 },
];

/** The problems with all that programs want of them. */
export const problemTable = ({ problems }: ProblemReport): Table =>
  tableOf(problemColumns(undefined), problems.map(problemRow));

/** The problems under a title, the most urgent first, and the rows that were not examined. */
export function problemSection(
  { problems, unexamined, none = 'There are no problems.' }: ProblemReport,
  context: PrintContext,
): string {
  const accounts = problems.flatMap(({ account }) => account ?? []);
  const gutter = accounts.length > 0 ? Math.max(...[accountColumn.title, ...accounts].map(widthOf)) + 2 : 0;
  // The other columns are for programs.
  const columns = problemColumns(context.width && context.width - gutter).filter(({ keep }) => keep <= 2);
  const table = tableOf(
    gutter > 0 ? [accountColumn, ...columns] : columns,
    problems.toSorted(byUrgency).map(problemRow),
  );
  const parts = [...Map.groupBy(unexamined, ({ account }) => account)].map(
    ([account, parts]) =>
      `Not examined${account === undefined ? '' : ` of ${account}`}: ${parts.map((part) => unexaminedPart(part)).join(', ')}.`,
  );
  return [tableText({ ...table, title: 'Problems', none }, context), ...parts].join('\n');
}

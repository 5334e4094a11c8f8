import { redacted, redaction } from '../api/redact.ts';
import type { Problem } from '../resources/problems/rule.ts';
import type { Params } from '../resources/resource.ts';
import { unexaminedWords } from '../screens/problems/unexamined.ts';
import { type PrintContext, type PrintedColumn, textTable } from './print.ts';
import type { ProblemReport } from './snapshotReader.ts';

/** A problem for machines. */
export interface ProblemRow
  extends Pick<Problem, 'id' | 'severity' | 'rule' | 'resource' | 'params' | 'label' | 'says'> {
  /** A time by ISO 8601; null where it is not known. */
  since: string | null;
}

/** The latest time that there is, in ms since the epoch. */
const latest = 8.64e15;

/** A problem as it stands in a document; a parameter that is a secret, like the token of a transfer, is redacted wherever it is named. */
export function problemRow({ id, severity, rule, resource, params, label, says, since }: Problem): ProblemRow {
  const shown = redacted(params) as Params;
  const secrets = Object.entries(params).flatMap(([name, value]) =>
    shown[name] === value || value === '' ? [] : [value],
  );
  const safe = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, redaction), text);
  return {
    id: safe(id),
    severity,
    rule,
    resource,
    params: shown,
    label: safe(label),
    says: safe(says),
    since: since === undefined || Math.abs(since) > latest ? null : new Date(since).toISOString(),
  };
}

/** Writes the examination as it stands in a document. */
export const documented = ({ problems, unexamined }: ProblemReport) => ({
  problems: problems.map(problemRow),
  unexamined,
});

/** The sentence of a problem names it, so a terminal needs little more. */
const sinceWidth = 10;
const severityWidth = 12;
const narrowest = 20;
const widest = 160;

/** The columns of a table of problems, for a line of so many cells. */
export const problemColumns = ({ width }: Pick<PrintContext, 'width'>): readonly PrintedColumn<ProblemRow>[] => [
  { title: 'Severity', value: ({ severity }) => severity, look: 'status', keep: 1 },
  {
    title: 'Problem',
    value: ({ says }) => says,
    keep: 1,
    width: width === undefined ? widest : Math.max(narrowest, width - severityWidth - sinceWidth),
  },
  { title: 'Since', value: ({ since }) => since, look: 'age', keep: 2 },
  { title: 'Resource', value: ({ resource }) => resource, keep: 3 },
  { title: 'Label', value: ({ label }) => label, keep: 3 },
  { title: 'Rule', value: ({ rule }) => rule, keep: 3 },
  { title: 'ID', value: ({ id }) => id, keep: 3 },
];

/** The problems below a heading, with what was not examined. */
export function problemSection({ problems, unexamined }: ProblemReport, context: PrintContext): string {
  // The rest of the columns is for programs.
  const columns = problemColumns(context).filter(({ keep }) => keep <= 2);
  const body =
    problems.length > 0 ? textTable(columns, problems.map(problemRow), context).trimEnd() : 'There are no problems.';
  const parts = unexamined.map(unexaminedWords);
  return ['Problems', body, ...(parts.length > 0 ? [`Not examined: ${parts.join(', ')}.`] : [])].join('\n');
}

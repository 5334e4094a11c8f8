import { redacted, redaction } from '../api/redact.ts';
import type { Problem } from '../resources/problems/rule.ts';
import type { Params } from '../resources/resource.ts';
import { unexaminedPart } from '../screens/problems/unexamined.ts';
import { visibleJson } from '../text/escapes.ts';
import { type PrintContext, type PrintedColumn, textTable } from './print.ts';
import type { ProblemReport, SnapshotReader } from './snapshotReader.ts';

/** A problem for programs. */
export interface ProblemRow
  extends Pick<Problem, 'id' | 'severity' | 'rule' | 'resource' | 'params' | 'label' | 'says'> {
  /** A time by ISO 8601; null where it is unknown. */
  since: string | null;
}

/** The range of `Date`, in ms since the epoch. */
const maxTime = 8.64e15;

/** A problem for programs. A secret parameter, like the token of a transfer, is redacted in every text. */
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
    since: since === undefined || Math.abs(since) > maxTime ? null : new Date(since).toISOString(),
  };
}

/**
 * A snapshot for programs. Where nothing was examined it has no `problems`.
 * @param rows by default the problems themselves
 */
export function jsonDocument(
  area: string,
  { now, collect }: Pick<PrintContext, 'now' | 'collect'>,
  reader: Pick<SnapshotReader, 'report' | 'missing'>,
  rows?: readonly unknown[],
): string {
  const { problems, unexamined } = reader.report() ?? {};
  const problemRows = problems?.map(problemRow);
  const content = { problems: rows && problemRows, unexamined, rows: rows ?? problemRows, missing: reader.missing() };
  collect?.document(content);
  return `${visibleJson({ area, takenAt: new Date(now).toISOString(), ...content }, 2)}\n`;
}

const sinceWidth = 10;
const severityWidth = 12;
const minSentenceWidth = 20;
const maxSentenceWidth = 160;

/** The columns of a table of problems. */
export const problemColumns = ({ width }: Pick<PrintContext, 'width'>): readonly PrintedColumn<ProblemRow>[] => [
  { title: 'Severity', value: ({ severity }) => severity, format: 'status', keep: 1 },
  {
    title: 'Problem',
    value: ({ says }) => says,
    keep: 1,
    width: width === undefined ? maxSentenceWidth : Math.max(minSentenceWidth, width - severityWidth - sinceWidth),
  },
  { title: 'Since', value: ({ since }) => since, format: 'age', keep: 2 },
  { title: 'Resource', value: ({ resource }) => resource, keep: 3 },
  { title: 'Label', value: ({ label }) => label, keep: 3 },
  { title: 'Rule', value: ({ rule }) => rule, keep: 3 },
  { title: 'ID', value: ({ id }) => id, keep: 3 },
];

/** The problems under a title, and the rows that were not examined. */
export function problemSection({ problems, unexamined }: ProblemReport, context: PrintContext): string {
  // The other columns are for programs.
  const columns = problemColumns(context).filter(({ keep }) => keep <= 2);
  const body =
    problems.length > 0 ? textTable(columns, problems.map(problemRow), context).trimEnd() : 'There are no problems.';
  const parts = unexamined.map((part) => unexaminedPart(part));
  return ['Problems', body, ...(parts.length > 0 ? [`Not examined: ${parts.join(', ')}.`] : [])].join('\n');
}

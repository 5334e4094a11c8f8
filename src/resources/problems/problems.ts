import { dateText } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';
import { type Resource, type Row, resource } from '../resource.ts';
import { type Problem, sayingOf } from './rule.ts';

/** That somebody knows of a problem. */
export interface Acknowledgement {
  /** The id of the problem. */
  problem: string;
  /** Why it may stay for now; may be empty. */
  reason: string;
  /** Since when, in ms since the epoch. */
  at: number;
  /** Until when, in ms since the epoch. */
  until?: number;
  /** It ends when the problem has another severity or beginning than this. */
  as?: Pick<Problem, 'severity' | 'since'>;
}

/** A problem as a row of their list. */
export type ProblemRow = Row &
  Problem & {
    what: string;
    helps?: string;
    acknowledgement?: Acknowledgement;
    /** The problems that this row stands for, where it stands for several. */
    of?: readonly Problem[];
  };

/** The problems of the account, as far as it is examined. */
export const problems: Resource = resource<ProblemRow>()({
  name: 'problems',
  area: 'Account',
  aliases: ['prob', 'wrong'],
  local: true,
  screen: 'problems',
  finds: [{ title: 'Problems of SPF records', aliases: ['spf'], filter: 'spf' }],
  label: ({ label, says }) => textOf(label) || says,
  columns: [
    { title: 'Severity', value: 'severity', format: 'status', words: ['critical', 'warning', 'notice'], keep: 1 },
    { title: 'What', value: 'what', format: 'dim', keep: 3, width: 20 },
    { title: 'Problem', value: (row) => sayingOf(row), keep: 1, width: 110 },
    { title: 'Since', value: 'since', format: 'age', keep: 1 },
    { title: 'Object', value: 'label', format: 'dim', keep: 3, width: 20 },
    { title: 'Remedy', value: 'helps', format: 'dim', keep: 3, width: 30 },
    { title: 'Rule', value: 'rule', format: 'dim', keep: 3, width: 30 },
    { title: 'Reason', value: 'acknowledgement.reason', format: 'text', keep: 2 },
    { title: 'Until', value: ({ acknowledgement }) => untilOf(acknowledgement), keep: 2 },
  ],
  card: [
    { title: 'Began', value: 'since', format: 'date' },
    { title: 'Acknowledged', value: 'acknowledgement.at', format: 'date' },
  ],
  sections: [
    {
      title: 'Open',
      only: ({ acknowledgement, of }) => acknowledgement === undefined && of === undefined,
      columns: ['Severity', 'What', 'Problem', 'Since', 'Object', 'Remedy', 'Rule'],
      empty: 'No problem was found.',
    },
    {
      title: 'Acknowledged',
      only: ({ acknowledgement }) => acknowledgement !== undefined,
      columns: ['Severity', 'Problem', 'Since', 'Reason', 'Until'],
      empty: 'No problem is acknowledged; one that is stays off the list for a while.',
    },
  ],
  copies: { sentence: ({ says }) => says },
});

/** Until when an acknowledgement holds: a time in UTC to the minute, or what ends it. */
function untilOf(acknowledgement: Acknowledgement | undefined): string | undefined {
  if (!acknowledgement) return undefined;
  const { until, as } = acknowledgement;
  if (until !== undefined) return dateText(until);
  return as ? 'it changes' : 'taken back';
}

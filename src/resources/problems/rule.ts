/**
 * The language of the rules that find what is wrong, or soon will be, among what is loaded: pure functions that ask for nothing.
 */

import { spanWords } from '../../text/times.ts';
import { capitalized } from '../../text/words.ts';
import type { ResourceName } from '../names.ts';
import { type CacheView, type Params, type Row, timeAt } from '../row.ts';
import { safeRule } from '../safeDescription.ts';
import { statusOf } from '../wording.ts';

/** `critical` hurts now, `warning` will or may, `notice` is worth knowing. */
export type Severity = 'critical' | 'warning' | 'notice';

export interface Finding {
  /** One sentence that names the object and what is wrong with it; without the name where the rule has one. */
  says: string;
  /** Since when, in ms since the epoch, where that is known. */
  since?: number;
  /** Where it differs from the rule's own. */
  severity?: Severity;
  /** Where one row has several of these: what tells them apart, stable over time. */
  part?: string;
}

/** Nothing, or what is wrong; its sentence alone stands for a finding of the rule's own severity. */
export type RuleAnswer = Finding | readonly Finding[] | string | undefined;

/** Likely to help: an action, creation or shortcut of the resource by its name, or a tab of the row by its title and as a verb phrase. */
export type Remedy = { action: string } | { shortcut: string } | { tab: string; help?: string };

/** One way in which a row of a resource can be in trouble. */
export interface Rule<T = Row> {
  /** Unique; lower-case words with dashes. */
  name: string;
  /** `warning` by default. */
  severity?: Severity;
  /** The resource whose loaded rows are examined. */
  of: string;
  /** Further resources that it looks at; before it says that something is not there, it asks `isRead`. */
  reads?: readonly string[];
  /** The operations of the resource whose answers for each row it looks at. */
  fetches?: string | readonly string[];
  /** A rule of the configuration: what it needs of single rows is read before all else. */
  isUserRule?: true;
  /** The rows about which these are read; all by default. */
  fetchesOf?: (row: T, view: CacheView) => boolean;
  remedy?: Remedy;
  /** Further ones, which its page offers behind that. */
  remedies?: readonly Remedy[];
  /** Said where the API has no operation that mends it: a full sentence. */
  lacks?: string;
  /** One sentence for several of its problems, `{}` in the place of their number, as `saidOfSeveral` fills it: `{} servers have no backups`. */
  several?: string;
  /** Full sentences that show it, besides the row and its events. */
  evidence?: (row: T, view: CacheView, params: Params) => readonly string[];
  /** Resources whose lists below the row `evidence` looks at; they are read while its page is open. */
  shows?: readonly ResourceName[];
  /** The graph that shows it, by its name among those of a server's statistics. */
  graph?: string;
  /** Names the row at the begin of each sentence. */
  names?: (row: T, view: CacheView, params: Params) => string;
  /** `params` name the row, with its parents. */
  find: (row: T, view: CacheView, params: Params) => RuleAnswer;
}

/**
 * Makes rules of a resource, whose rows are `T` inside and plain rows outside.
 * @param reads further resources that all of them look at, or `names` does
 */
export function rule<T = Row>(
  of: ResourceName,
  names?: Rule<T>['names'],
  reads: readonly ResourceName[] = [],
): (rule: Omit<Rule<T>, 'of' | 'names'>) => Rule {
  return (rule) => {
    const { find, ...rest } = rule as unknown as Rule;
    const owner = capitalized(of.replaceAll('-', ' '));
    const all = [...reads, ...(rule.reads ?? [])];
    const named = names && { names: safeRule(owner, names as NonNullable<Rule['names']>, 'It') };
    return { ...rest, ...named, of, ...(all.length > 0 && { reads: all }), find: safeRule(owner, find, undefined) };
  };
}

/**
 * Finds a row that has one of these statuses for longer than `most`, in ms.
 * @param says what is wrong, with the span that it has lasted
 * @param times the fields that may tell since when, the first of them that does
 */
export const lasting =
  (
    statuses: readonly string[],
    most: number,
    says: (span: string, row: Row, view: CacheView, params: Params) => string,
    times: readonly string[] = ['updated', 'created'],
  ): Rule['find'] =>
  (row, view, params) => {
    if (!statuses.includes(statusOf(row))) return undefined;
    const [since] = times.flatMap((field) => timeAt(row, field) ?? []);
    if (since === undefined || view.now - since <= most) return undefined;
    return { says: says(spanWords(view.now - since), row, view, params), since };
  };

/** Something wrong with one object of the account. */
export interface Problem extends Pick<Finding, 'says' | 'since'> {
  /** The same as long as the same thing is wrong with the same object. */
  id: string;
  severity: Severity;
  rule: string;
  /** The object: its resource, the parameters that name it, and what it is called. */
  resource: string;
  params: Params;
  label: string;
  /** The same with what it lies in, where that has a label alone. */
  named?: string;
  remedy?: Remedy;
}

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

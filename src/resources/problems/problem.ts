import { paramsOf } from '../identity.ts';
import { resourceNamed } from '../index.ts';
import type { Params, Row } from '../resource.ts';
import type { Facts, Found, Remedy, Rule, Severity } from './rule.ts';

/** Something wrong with one object of the account. */
export interface Problem {
  /** The same as long as the same thing is wrong with the same object. */
  id: string;
  severity: Severity;
  /** The name of the rule that found it. */
  rule: string;
  /** The object: its resource, the parameters that name it, and what it is called. */
  resource: string;
  params: Params;
  label: string;
  says: string;
  /** In ms since the epoch. */
  since?: number;
  remedy?: Remedy;
}

const weights: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, notice: 2 };

/** Everything that one rule finds among the loaded rows of its resource. */
export function problemsBy(rule: Rule, facts: Facts): readonly Problem[] {
  const resource = resourceNamed(rule.of);
  const problemsOf = (row: Row, parents: Params): readonly Problem[] => {
    const params = paramsOf(resource, row, parents);
    return foundBy(rule, row, facts, params).map(({ part, says, since, severity = rule.severity }) => ({
      id: [rule.name, ...Object.values(params), ...(part === undefined ? [] : [part])].join(' '),
      severity,
      rule: rule.name,
      resource: rule.of,
      params,
      label: resource.label(row),
      says,
      since: Number.isFinite(since) ? since : undefined,
      remedy: rule.remedy,
    }));
  };
  return facts.lists(rule.of).flatMap(({ rows, params }) => rows.flatMap((row) => problemsOf(row, params)));
}

function foundBy(rule: Rule, row: Row, facts: Facts, params: Params): readonly Found[] {
  const found = rule.find(row, facts, params) ?? [];
  return 'says' in found ? [found] : found;
}

/** The worst first; of the same severity what began last. */
export const byUrgency = (one: Problem, other: Problem): number =>
  weights[one.severity] - weights[other.severity] ||
  (other.since ?? 0) - (one.since ?? 0) ||
  one.says.localeCompare(other.says);

import { uncapitalized } from '../../text/words.ts';
import { keptId, paramsOf } from '../identity.ts';
import { actionsOf, isSingle, resourceNamed } from '../index.ts';
import { type CacheView, none, type Params, type Row } from '../resource.ts';
import type { Acknowledgement, ProblemRow } from './problems.ts';
import type { Finding, Problem, Remedy, Rule, Severity } from './rule.ts';

/** The smallest is the worst. */
export const weights: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, notice: 2 };

/** Rows examined in one step; each turn of the event loop takes some steps. */
const rowsPerStep = 25;

/** Everything that one rule finds among the loaded rows of its resource, some rows at a time. */
export function* problemsBy(rule: Rule, view: CacheView): Generator<readonly Problem[]> {
  const resource = resourceNamed(rule.of);
  let found: Problem[] = [];
  let examined = 0;
  for (const { rows, params: parents } of view.lists(rule.of)) {
    for (const row of rows) {
      found.push(...problemsOf(rule, row, view, isSingle(resource) ? {} : paramsOf(resource, row, parents)));
      if (++examined % rowsPerStep > 0) continue;
      yield found;
      found = [];
    }
  }
  yield found;
}

/** The problems that one rule finds in one row, named by its parameters. */
export function problemsOf(rule: Rule, row: Row, view: CacheView, params: Params): readonly Problem[] {
  const found = rule.find(row, view, params);
  if (found === undefined) return none;
  const { label, under } = resourceNamed(rule.of);
  const all = typeof found === 'string' ? [{ says: found }] : 'says' in found ? [found] : found;
  const name = rule.names?.(row, view, params);
  const begin = name === undefined ? '' : `${name} `;
  const more = under && name !== undefined && { named: uncapitalized(name) };
  return all.map((one) => ({ ...problemOf(rule, { ...one, says: begin + one.says }, label(row), params), ...more }));
}

/** Those of these problems that are of the row that parameters name. */
export function problemsAbout(problems: readonly Problem[], resource: string, params: Params): readonly Problem[] {
  const own = JSON.stringify(params);
  return problems.filter((one) => one.resource === resource && JSON.stringify(one.params) === own);
}

function problemOf(rule: Rule, { part, says, since, severity }: Finding, label: string, params: Params): Problem {
  const names = Object.entries(params).map(([id, value]) => keptId({ id }, value));
  return {
    id: [rule.name, ...names, ...(part === undefined ? [] : [part])].join(' '),
    severity: severity ?? rule.severity ?? 'warning',
    rule: rule.name,
    resource: rule.of,
    params,
    label,
    says,
    since: Number.isFinite(since) ? since : undefined,
    remedy: rule.remedy,
  };
}

/** The worst first; of the same severity what began last. */
export const byUrgency = (one: Problem, other: Problem): number =>
  weights[one.severity] - weights[other.severity] ||
  (other.since ?? 0) - (one.since ?? 0) ||
  one.says.localeCompare(other.says);

/** Names a likely help against a problem, in a few words; undefined where none is known. */
export function remedyWords({ resource: name }: Pick<Problem, 'resource'>, remedy: Remedy | undefined) {
  if (!remedy) return undefined;
  if ('tab' in remedy) return remedy.help ?? `Look at ${remedy.tab}`;
  const of = resourceNamed(name);
  const [among, wanted] = 'shortcut' in remedy ? [of.shortcuts ?? [], remedy.shortcut] : [actionsOf(of), remedy.action];
  return among.find(({ name }) => name === wanted)?.help;
}

/** The row of a problem in their list. */
export function rowOfProblem(problem: Problem, acknowledgement?: Acknowledgement): ProblemRow {
  const { one } = resourceNamed(problem.resource);
  return { ...problem, what: one, helps: remedyWords(problem, problem.remedy), acknowledgement };
}

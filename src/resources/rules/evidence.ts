import { idIn, paramsIn } from '../identity.ts';
import { resourceNamed } from '../index.ts';
import { idIndex } from '../problems/rowIndex.ts';
import type { Problem } from '../problems/rule.ts';
import { at, type CacheView, type Params, type Row } from '../resource.ts';
import { safeRule } from '../safeDescription.ts';
import { ruleNamed } from './index.ts';

/** Data that show a problem, besides the row itself. */
export interface ProblemEvidence {
  /** Sentences of its rule. */
  says: readonly string[];
  /** The events about its object or what that lies in, the newest first. */
  events: readonly Row[];
}

/** The row that a problem is about, as far as it is loaded. */
const rowOf = ({ resource, params }: Problem, view: CacheView): Row | undefined =>
  view.row(resource, idIn(resourceNamed(resource), params), params);

/** The evidence of a problem, as far as it is loaded. */
export function evidenceOf(problem: Problem, view: CacheView): ProblemEvidence {
  const row = rowOf(problem, view);
  const evidence = ruleNamed(problem.rule)?.evidence;
  return {
    says: row && evidence ? safeRule(problem.rule, evidence, [])(row, view, problem.params) : [],
    events: problem.resource === 'events' ? (row ? [row] : []) : eventsAbout(problem, view),
  };
}

/** The lists that show the evidence of a problem, by their resource and parameters. */
export const listsOf = ({ rule, params }: Problem): readonly { resource: string; params: Params }[] =>
  (ruleNamed(rule)?.shows ?? []).map((resource) => ({
    resource,
    params: paramsIn(resourceNamed(resource).list?.path, params),
  }));

function eventsAbout({ resource: name, params }: Problem, view: CacheView): readonly Row[] {
  for (let of: string | undefined = name; of; of = resourceNamed(of).under) {
    const resource = resourceNamed(of);
    const id = idIn(resource, params);
    if (resource.entity === undefined || id === undefined) continue;
    return view
      .find('events', idIndex('entity.id'), id)
      .filter((event) => at(event, 'entity.type') === resource.entity);
  }
  return [];
}

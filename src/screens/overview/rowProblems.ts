import { paramsOf } from '../../resources/identity.ts';
import { resources } from '../../resources/index.ts';
import { byUrgency, problemsOf } from '../../resources/problems/problem.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import { allRules } from '../../resources/rules/index.ts';

/** Children beyond these are not examined. */
const maxChildren = 500;

/** The problems that rules find in a row and in its loaded children, the most urgent first; nothing is read for them. */
export function problemsAround(resource: Resource, row: Row, params: Params, view: CacheView): readonly Problem[] {
  const children = resources
    .filter(({ under }) => under === resource.name)
    .flatMap((child) =>
      view
        .rows(child.name, params)
        .slice(0, maxChildren)
        .flatMap((one) => found(child, one, paramsOf(child, one, params), view)),
    );
  return [...found(resource, row, params, view), ...children].sort(byUrgency);
}

const found = ({ name }: Resource, row: Row, params: Params, view: CacheView): readonly Problem[] =>
  allRules()
    .filter(({ of }) => of === name)
    .flatMap((rule) => problemsOf(rule, row, view, params));

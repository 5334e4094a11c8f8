import { askOf } from '../../src/resources/asking.ts';
import { actionsOf } from '../../src/resources/index.ts';
import type { Action, CacheView, Draft, Params, Resource, Row } from '../../src/resources/resource.ts';

/** The action of this name; fails when the description has none. */
export function actionOf(resource: Resource, name: string): Action {
  const found = actionsOf(resource).find((action) => action.name === name);
  if (!found) throw new Error(`${resource.name} has no action ${name}`);
  return found;
}

type Part = 'note' | 'question' | 'warning';

/** One of the sentences of an action about a row, or about what is made; undefined where it says nothing. */
export function saidBy(
  action: Action | undefined,
  part: Part,
  row: Row,
  view: CacheView,
  draft: Draft = {},
  params: Params = {},
): string | undefined {
  const said = action && askOf(action)[part];
  return (typeof said === 'function' ? said(row, view, draft, params) : said) || undefined;
}

/** The sentence of an action about several rows. */
export function saidTogether(
  action: Action,
  rows: readonly Row[],
  view: CacheView,
  draft: Draft = {},
): string | undefined {
  const { together } = askOf(action);
  return typeof together === 'function' ? together(rows, view, draft) : together;
}

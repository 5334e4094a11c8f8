import type { ConfigCheck } from '../../config/parseConfig.ts';
import { quoted } from '../../config/settingRules.ts';
import { resourceCalled, resources } from '../../resources/index.ts';
import { isRowPath, placeholdersIn } from '../../resources/placeholders.ts';
import { emptyView, type Resource } from '../../resources/resource.ts';
import { titled } from '../../store/filter/fields.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { isExaminable } from '../../store/problems/userRules.ts';
import { nearest, orSuggestion } from '../../text/nearest.ts';

/** Finds rules of no area, with a filter that is none, or with placeholders that no row fills in. */
export const checkRules: ConfigCheck = ({ rules }, complain, warn) => {
  for (const [index, { for: area, where, says }] of rules.entries()) {
    const resource = resourceCalled(area);
    const misplaced = areaMistake(area, resource);
    const wrong = (
      misplaced || !resource ? [misplaced] : [whereMistake(where, resource), saysMistake(says, resource)]
    ).filter((one) => one !== undefined);
    const odd = resource && oddWords(where, resource.columns).says;
    for (const { key, says } of wrong) complain(['rules', index, key], says);
    if (wrong.length === 0 && odd !== undefined) warn(['rules', index, 'where'], odd);
  }
};

interface RuleMistake {
  key: 'for' | 'where' | 'says';
  says: string;
}

function areaMistake(area: string, resource: Resource | undefined): RuleMistake | undefined {
  const names = resources.filter(isExaminable).map(({ name }) => name);
  if (!resource) return { key: 'for', says: `is ${quoted(area)}, which is no area${orSuggestion(area, names)}` };
  return isExaminable(resource)
    ? undefined
    : { key: 'for', says: `is ${quoted(resource.name)}, whose rows are not all read, so no rule can examine them` };
}

function whereMistake(where: string, resource: Resource): RuleMistake | undefined {
  if (where.trim() === '') return { key: 'where', says: 'is empty, and every row would be a problem' };
  const filter = parseFilter(where, resource.columns, emptyView);
  if (!('error' in filter)) return undefined;
  const from = where.slice(filter.position, filter.position + 30);
  const spot = from === '' ? 'at its end' : `at character ${filter.position + 1}, ${quoted(from)}`;
  return { key: 'where', says: `is no filter of ${resource.name}: ${filter.error} (${spot})` };
}

/** An API may have fields that no description knows; what is nearly one of these is misspelt. */
function saysMistake(says: string, resource: Resource): RuleMistake | undefined {
  const { id, fields, columns, card = [] } = resource;
  const values = [...columns, ...card].flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const roots = [...Object.keys(fields), ...values].map((path) => path.split('.')[0] ?? path);
  const known = new Set([id, 'label', 'status', ...roots, ...columns.map(titled)]);
  for (const path of placeholdersIn(says)) {
    const [root = '', ...rest] = path.split('.');
    const meant = known.has(root) || root.length < 5 ? undefined : nearest(root, [...known]);
    if (!isRowPath(path))
      return { key: 'says', says: `has {${path}}, which is no path of a row such as {label} or {specs.vcpus}` };
    if (meant) return { key: 'says', says: `has {${path}}; did you mean {${[meant, ...rest].join('.')}}?` };
  }
  return undefined;
}

import type { Complain, ConfigCheck } from '../../config/parseConfig.ts';
import { settingsTables } from '../../config/schema.ts';
import { quoted } from '../../config/settingRules.ts';
import { actionsOf, resourceCalled, resources } from '../../resources/index.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import { emptyView, type Resource } from '../../resources/resource.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { type FilterMistake, termsOf } from '../../store/filter/terms.ts';
import { actionWord, fittingResources, type Guard } from '../../store/guards/concern.ts';
import { guardFilter } from '../../store/guards/guardFilter.ts';
import { orSuggestion } from '../../text/nearest.ts';

/** Finds guards that would guard nothing: of an area, an action or a field that there is not. */
export const checkGuards: ConfigCheck = (config, complain, warn, commandNames) => {
  for (const { path: table, own } of settingsTables(config))
    for (const [index, guard] of own.guards.entries())
      checkGuard(
        guard,
        commandNames,
        (path, says) => complain([...table, 'guards', index, ...path], says),
        (path, says) => warn([...table, 'guards', index, ...path], says),
      );
};

function checkGuard(guard: Guard, commands: readonly string[], complain: Complain, warn: Complain): void {
  const { for: name, where } = guard;
  const area = name === undefined ? undefined : resourceCalled(name);
  if (name !== undefined && !area) {
    const areas = resources.filter(isChanged).map((resource) => resource.name);
    complain(['for'], `is ${quoted(name)}, which is no area${orSuggestion(name, areas)}`);
    return;
  }
  if (area && !isChanged(area)) {
    complain(['for'], `is ${quoted(area.name)}, of which nothing can be changed, so there is nothing to guard`);
    return;
  }
  checkActions(guard, area, commands, complain);
  if (where !== undefined) checkWhere(where, area, complain, warn);
}

/** Whether anything can be done to the rows of a resource, or to what belongs to them. */
export const isChanged = (area: Resource): boolean =>
  resources.some((resource) => [resource, ...ancestorsOf(resource)].includes(area) && actionsOf(resource).length > 0);

function checkActions({ actions }: Guard, area: Resource | undefined, commands: readonly string[], complain: Complain) {
  const of = area ? [area] : resources;
  const known = new Set([...of.flatMap((one) => actionsOf(one).map(({ name }) => name)), ...commands.map(actionWord)]);
  for (const wrong of actions) {
    if (wrong === '*' || known.has(actionWord(wrong))) continue;
    const whose = area ? `action of ${area.name}` : 'action';
    const some = area ? ` They are ${[...known].join(', ')}, or "*" for all` : '';
    complain(['actions'], `has ${quoted(wrong)}, which is no ${whose}${orSuggestion(wrong, [...known])}${some}`);
  }
}

function checkWhere(where: string, area: Resource | undefined, complain: Complain, warn: Complain): void {
  if (where.trim() === '') complain(['where'], 'is empty; leave it out to guard all rows');
  const path = termsOf(where)
    .flatMap(({ alternatives }) => alternatives)
    .find(({ field = '' }) => /[._]/.test(field));
  if (!area && path) {
    complain(['where'], `has the path ${path.field}, which rows of most areas do not have; name the area by for`);
    return;
  }
  const example = area ?? (fittingResources(where).size === 0 ? resourceCalled('servers') : undefined);
  const filter = example && guardFilter(where, example, emptyView);
  if (!filter || !('error' in filter)) {
    const found = (area ? [area] : [...fittingResources(where)].filter(isChanged)).map(({ columns }) =>
      oddWords(where, columns),
    );
    const [odd] = found;
    // A guard that holds for nothing, ever, is a safeguard that somebody relies on in vain.
    if (odd?.isHopeless && found.every(({ isHopeless }) => isHopeless))
      complain(['where'], `can never hold: ${odd.says}`);
    else if (odd?.says !== undefined && found.every(({ says }) => says !== undefined)) warn(['where'], odd.says);
    return;
  }
  complain(['where'], noFilter(where, area ? area.name : 'any area', filter));
}

/** Says why a text is no filter of an area, and where in it, as the end of a sentence. */
export function noFilter(where: string, area: string, { error, position }: FilterMistake): string {
  const from = where.slice(position, position + 30);
  const spot = from === '' ? 'at its end' : `at character ${position + 1}, ${quoted(from)}`;
  return `is no filter of ${area}: ${error} (${spot})`;
}

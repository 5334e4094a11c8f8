import { sharedWords } from '../../api/vocabulary.ts';
import type { Complain, ConfigCheck } from '../../config/parseConfig.ts';
import { settingsTables } from '../../config/schema.ts';
import { isUnencrypted, quoted } from '../../config/settingRules.ts';
import { actionsOf, resourceCalled, resourceNamed, resources } from '../../resources/index.ts';
import { placeholdersIn } from '../../resources/placeholders.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import { emptyView, type Resource } from '../../resources/resource.ts';
import { keymapWith } from '../../screens/keys/userKeys.ts';
import { titled } from '../../store/filter/fields.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { type FilterMistake, termsOf } from '../../store/filter/terms.ts';
import { actionWord, fittingResources, type Guard } from '../../store/guards/concern.ts';
import { guardFilter } from '../../store/guards/guardFilter.ts';
import { isExaminable } from '../../store/problems/userRules.ts';
import { type SshConfig, shellPlaceholders } from '../../store/ssh.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { checkCommands, misplacedArea, placeholderMistakes, rootsOf } from './checkCommands.ts';
import { checkViews } from './checkViews.ts';

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
function noFilter(where: string, area: string, { error, position }: FilterMistake): string {
  const from = where.slice(position, position + 30);
  const spot = from === '' ? 'at its end' : `at character ${position + 1}, ${quoted(from)}`;
  return `is no filter of ${area}: ${error} (${spot})`;
}

/** Finds rules of no area, with a filter that is none, or with placeholders that no row fills in. */
export const checkRules: ConfigCheck = ({ rules }, complain, warn) => {
  for (const [index, { for: area, where, says }] of rules.entries()) {
    const resource = resourceCalled(area);
    if (!resource || !isExaminable(resource)) {
      complain(['rules', index, 'for'], areaMistake(area, resource));
      continue;
    }
    const wrong = {
      where: whereMistake(where, resource, 'every row would be a problem'),
      says: saysMistake(says, resource),
    };
    for (const [key, mistake] of Object.entries(wrong))
      if (mistake !== undefined) complain(['rules', index, key], mistake);
    const odd = oddWords(where, resource.columns).says;
    if (odd !== undefined && (wrong.where ?? wrong.says) === undefined) warn(['rules', index, 'where'], odd);
  }
};

function areaMistake(area: string, resource: Resource | undefined): string {
  if (resource) return `is ${quoted(resource.name)}, whose rows are not all read, so no rule can examine them`;
  const names = resources.filter(isExaminable).map(({ name }) => name);
  return `is ${quoted(area)}, which is no area${orSuggestion(area, names)}`;
}

function whereMistake(where: string, resource: Resource, ifEmpty: string): string | undefined {
  if (where.trim() === '') return `is empty, and ${ifEmpty}`;
  const filter = parseFilter(where, resource.columns, emptyView);
  return 'error' in filter ? noFilter(where, resource.name, filter) : undefined;
}

function saysMistake(text: string, resource: Resource): string | undefined {
  const known = new Set([...rootsOf(resource), 'label', 'status', ...resource.columns.map(titled)]);
  return placeholderMistakes(text, known, '{specs.vcpus}')[0];
}

/** Finds hooks of no area or profile, and filters that are none or need an answer about each row. */
const checkHooks: ConfigCheck = ({ hooks, profiles }, complain, warn) => {
  for (const [index, { for: area, where, profile = [] }] of hooks.entries()) {
    const names = [...Object.keys(profiles), 'demo', 'environment'];
    for (const [nth, name] of profile.entries())
      if (!names.includes(name))
        complain(['hooks', index, 'profile', nth], `is no profile${orSuggestion(name, Object.keys(profiles))}`);
    if (area === undefined) continue;
    const path = ['hooks', index, 'where'];
    const resource = resourceCalled(area);
    const misplaced = misplacedArea(area);
    if (misplaced !== undefined) complain(['hooks', index, 'for'], misplaced);
    if (!resource || misplaced !== undefined || where === undefined) continue;
    const filter = guardFilter(where, resource, emptyView);
    const wrong = whereMistake(where, resource, 'finds every row; leave it out');
    const odd = oddWords(where, resource.columns).says;
    if (wrong !== undefined) complain(path, wrong);
    else if ('error' in filter) complain(path, `is no filter of a hook: ${filter.error.replace('guard', 'hook')}`);
    else if (odd !== undefined) warn(path, odd);
  }
};

/** Finds shells that could never be opened: other placeholders, users like options, filters that do not parse. */
const checkSsh: ConfigCheck = (config, complain, warn) => {
  for (const { path: table, own } of settingsTables(config)) {
    const { ssh } = own;
    const path = [...table, 'ssh'];
    if (!ssh) continue;
    check(ssh, path);
    for (const [index, special] of ssh.when.entries()) {
      const place = [...path, 'when', index];
      check(special, place);
      const { columns } = resourceNamed('servers');
      const filter = parseFilter(special.where, columns, emptyView);
      const odd = oddWords(special.where, columns).says;
      if ('error' in filter)
        complain([...place, 'where'], `is no filter: at character ${filter.position + 1}, ${filter.error}`);
      else if (odd !== undefined) warn([...place, 'where'], odd);
    }
  }

  function check({ run = [] }: Pick<NonNullable<SshConfig>, 'run'>, path: readonly (string | number)[]): void {
    const known: readonly string[] = shellPlaceholders;
    const filledIn = known.map((word) => `{${word}}`).join(', ');
    for (const unknown of new Set(run.flatMap(placeholdersIn).filter((word) => !known.includes(word))))
      complain([...path, 'run'], `has {${unknown}}; what is filled in is ${filledIn}`);
  }
};

/** Finds profiles that nobody can name, addresses that every start refuses, and words that stand for two things. */
const checkProfiles: ConfigCheck = (config, complain) => {
  for (const [name, { base_url, insecure_http }] of Object.entries(config.profiles)) {
    const path = ['profiles', name];
    if (name.trim() === '' || name.includes(','))
      complain(path, 'cannot be named by --profile, where commas stand between names; choose another name');
    if (base_url !== undefined && isUnencrypted(base_url) && !insecure_http)
      complain(
        [...path, 'base_url'],
        'is not encrypted, so anyone on the network could read the token; use https, or set insecure_http = true',
      );
  }
  for (const { path, own } of settingsTables(config)) {
    const { vocabulary = {} } = own;
    for (const [word, standIns] of sharedWords(vocabulary)) {
      const named = standIns.findLast((name) => Object.hasOwn(vocabulary, name)) ?? '';
      const other = standIns.find((name) => name !== named);
      complain([...path, 'vocabulary', named], `must not be the word of ${other} as well; both are ${word}`);
    }
  }
};

/** Finds keys that do not exist, are taken, also by a view, or would never be reached. */
export const checkKeys: ConfigCheck = ({ keys, views }, complain) => {
  const { layers, mistakes } = keymapWith(keys);
  for (const { path, says } of mistakes) complain(['keys', ...path], says);
  for (const [layer, { keys }] of Object.entries(layers))
    for (const [action, { keys: those }] of Object.entries(keys)) {
      const taken = Object.entries(views).find(([, { key }]) => key !== undefined && those.includes(key));
      if (taken) complain(['keys', layer, action], `is "${taken[1].key}", which opens the view ${taken[0]}`);
    }
};

/** The checks of the configuration that need the descriptions, the filter or the keys. */
export const configChecks: readonly ConfigCheck[] = [
  checkCommands,
  checkGuards,
  checkHooks,
  checkKeys,
  checkProfiles,
  checkRules,
  checkSsh,
  checkViews,
];

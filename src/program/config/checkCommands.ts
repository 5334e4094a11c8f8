import { askedIn, questionIn } from '../../config/askedFields.ts';
import { commandName, fieldNamed, isHarmless, keysOf, segmentsOf } from '../../config/commandActions.ts';
import type { Complain, ConfigCheck } from '../../config/parseConfig.ts';
import type { CommandConfig } from '../../config/schema.ts';
import { quoted } from '../../config/settingRules.ts';
import { describedActions, resourceCalled, resources } from '../../resources/index.ts';
import { isRowPath, placeholdersIn } from '../../resources/placeholders.ts';
import type { Resource } from '../../resources/resource.ts';
import { nearest, orSuggestion } from '../../text/nearest.ts';

/** Areas whose rows are of the API. */
const areas = resources.filter(({ local }) => !local);

/** Why an area has no rows of the API, as the end of a sentence. */
export function misplacedArea(area: string): string | undefined {
  const names = areas.map(({ name }) => name);
  const isOne = names.some((name) => name === resourceCalled(area)?.name);
  return isOne ? undefined : `is no area with rows of the API${orSuggestion(area, names)}`;
}

/** Finds commands of no area, names and keys that are taken, and requests and placeholders that cannot be filled in. */
export const checkCommands: ConfigCheck = ({ commands }, complain) => {
  const taken = new Set<string>();
  for (const [index, command] of commands.entries()) {
    const says: Complain = (path, text) => complain(['commands', index, ...path], text);
    const resource = resourceCalled(command.for);
    const misplaced = misplacedArea(command.for);
    if (misplaced !== undefined) says(['for'], misplaced);
    if (!resource || misplaced !== undefined) continue;
    checkNames(command, resource, taken, says);
    checkAsked(command, resource, says);
    const holes = (text: string, path: readonly (string | number)[]) =>
      checkPlaceholders(text, path, resource, command, says);
    if (command.run) checkProgram(command.run, holes, says);
    for (const [nth, name] of (command.form ?? []).entries())
      if (!fieldNamed(resource, name))
        says(['form', nth], `is no field of ${resource.name}${orSuggestion(name, Object.keys(resource.fields))}`);
    if (command.request) checkRequest(command, command.request, holes, says);
    const question = questionIn(command);
    if (typeof question === 'string') holes(question, ['ask']);
  }
};

function checkNames(command: CommandConfig, resource: Resource, taken: Set<string>, says: Complain): void {
  const name = commandName(command);
  const own = [...describedActions(resource), ...(resource.shortcuts ?? [])];
  if (name === '') says(['name'], 'must have a letter or a digit');
  else if (own.some((action) => action.name === name))
    says(['name'], `is that of an action of ${resource.name} already`);
  else if (taken.has(`${resource.name} ${name}`)) says(['name'], `is that of another command for ${resource.name}`);
  taken.add(`${resource.name} ${name}`);
  const { key } = command;
  if (key === undefined) return;
  const letter = `${resource.name} key ${key.toUpperCase()}`;
  const owner = own.find((action) => action.key.toUpperCase() === key.toUpperCase());
  if (owner) {
    const used = keysOf(resource);
    const free = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((one) => !used.includes(one)).join(' ');
    const instead = free === '' ? 'no letter is free, so leave it out' : `free are ${free}`;
    says(['key'], `is that of ${quoted(owner.help)}; ${instead}`);
  } else if (taken.has(letter)) says(['key'], `is that of another command for ${resource.name}`);
  taken.add(letter);
}

/** Finds fields that are asked for in vain, twice, or in the place of what names the row, and rows that no list has. */
function checkAsked(command: CommandConfig, resource: Resource, says: Complain): void {
  const { run = [], request, ask, form = [] } = command;
  const used = new Set([...run, request?.path ?? '', ...textsIn(request?.body)].flatMap(placeholdersIn));
  const taken = new Set(form);
  const parts = rowParameters(resource);
  for (const one of askedIn(command)) {
    const { name } = one;
    const path = ['ask', (ask as readonly unknown[]).indexOf(one)];
    if (taken.has(name)) says([...path, 'name'], 'is asked for already; choose another name');
    else if (parts.includes(name)) says([...path, 'name'], `names the ${resource.one} itself; choose another name`);
    else if (!used.has(name))
      says([...path, 'name'], `is asked for in vain: no part of ${run.length > 0 ? 'run' : 'request'} has {${name}}`);
    taken.add(name);
    if ('min' in one && one.min !== undefined && one.max !== undefined && one.min > one.max)
      says([...path, 'max'], 'must not be below min');
    if (one.kind === 'row') checkArea(one.of, [...path, 'of'], says);
  }
}

/** The parameters and the id by which requests name a row. */
const rowParameters = ({ id, param, params = {}, list, view }: Resource): readonly string[] =>
  [id, param, ...Object.keys(params)].concat(placeholdersIn(`${list?.path} ${view?.path}`));

/** Only rows of a list that needs no other row can be chosen from. */
function checkArea(area: string, path: readonly (string | number)[], says: Complain): void {
  const of = resourceCalled(area);
  const names = areas.filter(isListed).map(({ name }) => name);
  if (!of) says(path, `is no area${orSuggestion(area, names)}`);
  else if (!isListed(of)) says(path, `is ${quoted(of.name)}, which has no list of its own to choose from`);
}

export const isListed = ({ local, list, under }: Resource): boolean =>
  !local && !under && list !== undefined && !list.path.includes('{');

type Holes = (text: string, path: readonly (string | number)[]) => void;

function checkProgram(run: readonly string[], holes: Holes, says: Complain): void {
  const [program = ''] = run;
  if (placeholdersIn(program).length > 0)
    says(['run', 0], 'must name the program itself; what comes from the API may only be an argument');
  for (const [index, word] of run.entries()) if (index > 0) holes(word, ['run', index]);
}

function checkRequest(
  command: CommandConfig,
  { method, path, body }: NonNullable<CommandConfig['request']>,
  holes: Holes,
  says: Complain,
): void {
  const parts = 'parts are letters, digits, - _ . ~ and placeholders in braces';
  for (const wrong of segmentsOf(path).filter((segment) => !isSegment(segment)))
    says(['request', 'path'], `has the part ${quoted(wrong)}; ${parts}`);
  if (method === 'GET' && body) says(['request', 'body'], 'has no place in a GET request');
  if (method === 'GET' && command.changes === true) says(['changes'], 'must be false: a GET request changes nothing');
  if (method !== 'GET' && isHarmless(command) && !command.destroys)
    says(['changes'], `cannot be false with ${method}, which changes something`);
  holes(path, ['request', 'path']);
  for (const text of textsIn(body)) holes(text, ['request', 'body']);
}

const isSegment = (segment: string): boolean =>
  segment !== '' && !/^\.+$/.test(segment) && /^[\w.~-]*$/.test(segment.replace(/\{[^{}]*\}/g, ''));

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

/** Where a command asks for something, what no row is known to have is to be asked for. */
function checkPlaceholders(
  text: string,
  path: readonly (string | number)[],
  resource: Resource,
  command: CommandConfig,
  says: Complain,
): void {
  const asked = askedIn(command).map(({ name }) => name);
  const known = new Set([...rowParameters(resource), ...rootsOf(resource), ...asked]);
  const mistakes = placeholderMistakes(text, known, '{ipv4.0}; {{ is a brace itself');
  for (const mistake of mistakes) says(path, mistake);
  if (mistakes.length > 0 || asked.length === 0) return;
  for (const name of placeholdersIn(text)) {
    const [root = '', ...parts] = name.split('.');
    if (asked.includes(root) && parts.length > 0) says(path, `has {${name}}; what is asked for is {${root}}`);
    else if (!known.has(root))
      says(path, `has {${name}}, which nothing asks for and no ${resource.one} is known to have`);
  }
}

/**
 * Mistakes in placeholders, as ends of sentences. An API may have fields that no description knows; what is nearly one
 * of those that are known is misspelt.
 */
export const placeholderMistakes = (text: string, known: ReadonlySet<string>, example: string): readonly string[] =>
  placeholdersIn(text).flatMap((name) => {
    const [root = '', ...rest] = name.split('.');
    if (!isRowPath(name)) return [`has {${name}}, which is no path of a row such as {label} or ${example}`];
    // Short names and those with digits, such as ipv4 and ipv6, are alike without being meant for each other.
    const meant = known.has(root) || !/^[a-z_]{5,}$/i.test(root) ? undefined : nearest(root, [...known]);
    return meant ? [`has {${name}}; did you mean {${[meant, ...rest].join('.')}}?`] : [];
  });

/** The first parts of all paths of a row that the description knows. */
export function rootsOf({ id, fields, columns, card = [] }: Resource): readonly string[] {
  const values = [...columns, ...card].flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return [id, ...[...Object.keys(fields), ...values].map((one) => one.split('.')[0] ?? one)];
}

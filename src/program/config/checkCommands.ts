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

/** Finds commands of no area, names and keys that are taken, and requests and placeholders that cannot be filled in. */
export const checkCommands: ConfigCheck = ({ commands }, complain) => {
  const taken = new Set<string>();
  for (const [index, command] of commands.entries()) {
    const says: Complain = (path, text) => complain(['commands', index, ...path], text);
    const resource = resourceCalled(command.for);
    if (!resource || resource.local) {
      says(
        ['for'],
        `is no area with rows of the API${orSuggestion(
          command.for,
          areas.map(({ name }) => name),
        )}`,
      );
      continue;
    }
    checkNames(command, resource, taken, says);
    if (command.run) checkProgram(command.run, resource, says);
    for (const [nth, name] of (command.form ?? []).entries())
      if (!fieldNamed(resource, name))
        says(['form', nth], `is no field of ${resource.name}${orSuggestion(name, Object.keys(resource.fields))}`);
    if (command.request) checkRequest(command, command.request, resource, says);
    if (typeof command.ask === 'string') checkPlaceholders(command.ask, ['ask'], resource, says);
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
  if (owner) says(['key'], `is that of ${quoted(owner.help)}; ${freeWords(resource)}`);
  else if (taken.has(letter)) says(['key'], `is that of another command for ${resource.name}`);
  taken.add(letter);
}

function freeWords(resource: Resource): string {
  const free = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => !keysOf(resource).includes(letter));
  return free.length === 0 ? 'no letter is free, so leave it out' : `free are ${free.join(' ')}`;
}

function checkProgram(run: readonly string[], resource: Resource, says: Complain): void {
  const [program = ''] = run;
  if (placeholdersIn(program).length > 0)
    says(['run', 0], 'must name the program itself; what comes from the API may only be an argument');
  for (const [index, word] of run.entries()) if (index > 0) checkPlaceholders(word, ['run', index], resource, says);
}

function checkRequest(
  command: CommandConfig,
  { method, path, body }: NonNullable<CommandConfig['request']>,
  resource: Resource,
  says: Complain,
): void {
  for (const wrong of segmentsOf(path).filter((segment) => !isSegment(segment)))
    says(
      ['request', 'path'],
      `has the part ${quoted(wrong)}; parts are letters, digits, - _ . ~ and placeholders in braces`,
    );
  if (method === 'GET' && body) says(['request', 'body'], 'has no place in a GET request');
  if (method === 'GET' && command.changes === true) says(['changes'], 'must be false: a GET request changes nothing');
  if (method !== 'GET' && isHarmless(command) && !command.destroys)
    says(['changes'], `cannot be false with ${method}, which changes something`);
  checkPlaceholders(path, ['request', 'path'], resource, says);
  for (const text of textsIn(body)) checkPlaceholders(text, ['request', 'body'], resource, says);
}

const isSegment = (segment: string): boolean =>
  segment !== '' && !/^\.+$/.test(segment) && /^[\w.~-]*$/.test(segment.replace(/\{[^{}]*\}/g, ''));

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

function checkPlaceholders(text: string, path: readonly (string | number)[], resource: Resource, says: Complain): void {
  const parameters = [resource.list?.path, resource.view?.path].flatMap((one) => placeholdersIn(one ?? ''));
  const known = new Set([...rootsOf(resource), ...parameters]);
  for (const mistake of placeholderMistakes(text, known, '{ipv4.0}; {{ is a brace itself')) says(path, mistake);
}

/**
 * Mistakes in placeholders, as ends of sentences. An API may have fields that no description knows; what is nearly one
 * of those that are known is misspelt.
 */
export function placeholderMistakes(text: string, known: ReadonlySet<string>, example: string): readonly string[] {
  return placeholdersIn(text).flatMap((name) => {
    const [root = '', ...rest] = name.split('.');
    if (!isRowPath(name)) return [`has {${name}}, which is no path of a row such as {label} or ${example}`];
    // Short names and those with digits, such as ipv4 and ipv6, are alike without being meant for each other.
    const meant = known.has(root) || !/^[a-z_]{5,}$/i.test(root) ? undefined : nearest(root, [...known]);
    return meant ? [`has {${name}}; did you mean {${[meant, ...rest].join('.')}}?`] : [];
  });
}

/** The first parts of all paths of a row that the description knows. */
export function rootsOf({ id, fields, columns, card = [] }: Resource): readonly string[] {
  const values = [...columns, ...card].flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return [id, ...[...Object.keys(fields), ...values].map((one) => one.split('.')[0] ?? one)];
}

import { resourceCalled, userActionsOf } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';
import { commandName, keysOf } from './commandActions.ts';
import type { CommandConfig } from './schema.ts';

/** A request that the documents leave out and other deployments of the API have, as a command of the user's own. */
export interface MissingCommand extends CommandConfig {
  /** A sentence about it, written above its request. */
  note?: string;
}

const server = '/v4/server/instances/{id}';

/** Paths and bodies are those of other deployments, in the words of the documents. */
export const missingCommands: readonly MissingCommand[] = [
  { name: 'Boot', key: 'o', for: 'servers', request: { method: 'POST', path: `${server}/boot` } },
  {
    name: 'Reboot',
    key: 'x',
    for: 'servers',
    ask: '{label} is down until it has booted again. Reboot it?',
    request: { method: 'POST', path: `${server}/reboot` },
  },
  {
    name: 'Rebuild as it was',
    key: 'u',
    for: 'servers',
    ask: 'ALL disks of {label} are deleted, and it is made anew from {image}. Its data is lost. Rebuild it?',
    destroys: true,
    note: 'The password is typed each time, and kept nowhere.',
    form: ['root_pass'],
    request: { method: 'POST', path: `${server}/rebuild`, body: { image: '{image}' } },
  },
  {
    name: 'Clone',
    key: 'k',
    for: 'servers',
    ask: '{label}-copy is a new server, billed like {label}. Make it?',
    request: {
      method: 'POST',
      path: `${server}/clone`,
      body: { label: '{label}-copy', region: '{region}', type: '{type}' },
    },
  },
  {
    name: 'Show the console',
    for: 'servers',
    note: 'A GET request changes nothing; its answer is shown as JSON. Where a deployment calls the console by another word, write that.',
    request: { method: 'GET', path: `${server}/console` },
  },
];

/** Said of what other deployments have, as the end of a sentence. */
export const lackingWords = "not in this API's documents";

/** The file of commands beside the configuration. */
export interface CommandsFile {
  path: string;
  /** Adds a command at its end; it counts once the configuration is read again. Rejects with an Error of one sentence. */
  add(command: MissingCommand): Promise<void>;
}

/** The commands that the documents leave out for these rows, and that the user has not added. */
export function missingOn(resource: Resource): readonly MissingCommand[] {
  const own = userActionsOf(resource);
  const isThere = (command: MissingCommand) =>
    own.some(({ name, method, path }) => {
      const { request } = command;
      const isSame = method === request?.method && path.split('/').at(-1) === request.path.split('/').at(-1);
      return isSame || name === commandName(command);
    });
  return missingCommands.filter((command) => resourceCalled(command.for) === resource && !isThere(command));
}

/** A command as it is added: with its key where the menu has that free. */
export function addedCommand({ key, ...command }: MissingCommand): MissingCommand {
  const resource = resourceCalled(command.for);
  const taken = resource && [...keysOf(resource), ...userActionsOf(resource).map((own) => own.key.toUpperCase())];
  return { ...command, key: key && taken?.includes(key.toUpperCase()) ? undefined : key };
}

/** The text by which a file grows, behind what stands there. */
export const textAdded = (before: string, command: MissingCommand): string =>
  `${before === '' ? '' : /\n$/.test(before) ? '\n' : '\n\n'}${commandText(command)}`;

/** A command as it stands in a configuration. */
export function commandText({ name, key, for: area, ask, destroys, form, request, note }: MissingCommand): string {
  const values = { name, key, for: area, ask, destroys, form };
  return [
    '[[commands]]',
    ...Object.entries(values).flatMap(([word, value]) => (value === undefined ? [] : [`${word} = ${written(value)}`])),
    ...(note ? [`# ${note}`] : []),
    `request = ${written(request)}`,
    '',
  ].join('\n');
}

/** A value in one line of TOML. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([word, inner]) => `${word} = ${written(inner)}`)
    .join(', ')} }`;
}

import { jobActions } from '../resources/account/events.ts';
import { isNameless } from '../resources/identity.ts';
import { describedActions, type OwnActions, operationsOf, resourceCalled, resources } from '../resources/index.ts';
import { filled, filledValue, placeholdersIn } from '../resources/placeholders.ts';
import { argvOf } from '../resources/program.ts';
import type { Action, Field, Params, Resource, Row } from '../resources/resource.ts';
import { shellWord } from '../text/escapes.ts';
import type { CommandConfig } from './schema.ts';

/** Seconds that a program has where nothing is said. */
const defaultTimeout = 60;

/** The name of a command as guards write it: lower-case words with dashes; empty where it has no letters. */
export const commandName = ({ name }: Pick<CommandConfig, 'name'>): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** Whether a command changes something; a GET never does. */
export const isHarmless = ({ changes = true, request }: CommandConfig): boolean =>
  !changes || request?.method === 'GET';

/** The segments of a path. */
export const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);

/** The letters that the menu of a resource has already. */
export const keysOf = (resource: Resource): readonly string[] =>
  [...describedActions(resource), ...(resource.shortcuts ?? [])].map(({ key }) => key.toUpperCase());

/** The actions that the commands of a configuration are, by resource; commands of no area are left out. */
export function actionsOfCommands(commands: readonly CommandConfig[]): OwnActions {
  const made = new Map<string, Action[]>();
  const wanted = commands.flatMap(({ for: area, key }) =>
    key ? [`${resourceCalled(area)?.name} ${key.toUpperCase()}`] : [],
  );
  for (const command of commands) {
    const resource = resourceCalled(command.for);
    if (!resource) continue;
    const own = made.get(resource.name) ?? [];
    made.set(resource.name, own);
    const isFree = (key: string) =>
      ![...keysOf(resource), ...own.map((action) => action.key.toUpperCase())].includes(key) &&
      !wanted.includes(`${resource.name} ${key}`);
    own.push(actionOf(command, resource, command.key ?? freeKey(command.name, isFree)));
  }
  return made;
}

/** A letter of the name that nothing else has, else any; empty where all are taken. */
const freeKey = (name: string, isFree: (key: string) => boolean): string =>
  [...name.toUpperCase().replace(/[^A-Z]/g, ''), ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find(isFree)?.toLowerCase() ?? '';

function actionOf(command: CommandConfig, resource: Resource, key: string): Action {
  const harmless = isHarmless(command);
  const base = { name: commandName(command), key, help: command.name, ...(harmless && { harmless: true as const }) };
  return command.run ? programAction(command, command.run, resource, base) : requestAction(command, resource, base);
}

type Base = Pick<Action, 'name' | 'key' | 'help' | 'harmless'>;

function programAction(command: CommandConfig, argv: readonly string[], resource: Resource, base: Base): Action {
  const program = { argv, show: command.show ?? 'pane', timeoutMs: (command.timeout ?? defaultTimeout) * 1000 };
  const runs = (row: Row) => {
    const found = argvOf(program, row, resource.label(row));
    return 'wrong' in found ? undefined : `Runs ${found.argv.map(shellWord).join(' ')}.`;
  };
  return {
    ...base,
    method: 'POST',
    path: '',
    program,
    refuse: (row) => {
      const found = argvOf(program, row, resource.label(row));
      return 'wrong' in found ? found.wrong : undefined;
    },
    ask: askOf(command, resource, {
      question: runs,
      together: `Runs ${argv[0]} for each of them, one after the other.`,
    }),
  };
}

function requestAction(command: CommandConfig, resource: Resource, base: Base): Action {
  const { method = 'GET', path: written = '', body } = command.request ?? {};
  const { form = [] } = command;
  const path = `/${segmentsOf(written)
    .map((segment) => parameterOf(segment, resource))
    .join('/')}`;
  const fillsOf = (row: Row, given: Params): Params =>
    Object.fromEntries(
      segmentsOf(written).flatMap((segment) => {
        if (!segment.includes('{') || parameterOf(segment, resource) === `{${resource.param}}`) return [];
        const found = filled(segment, { ...given, ...row }, '');
        return 'wrong' in found ? [] : [[parameterOf(segment, resource).slice(1, -1), found.text]];
      }),
    );
  const sends = `${method} ${written}`;
  const isLoss = method === 'DELETE';
  const ask = {
    question: (row: Row) => `Sends ${sends} for ${resource.label(row)}.`,
    together: `Sends ${sends} for each of them.`,
  };
  const last = segmentsOf(written).at(-1) ?? '';
  const isJob = method === 'POST' && jobActions.includes(`${resource.entity}_${last}`);
  return {
    ...base,
    method,
    path,
    ...(isJob && {
      shownBy: { isJob: true as const, ...(Object.hasOwn(reached, last) && { reaches: reached[last] }) },
      ...(Object.hasOwn(reached, last) && { disrupts: true as const }),
    }),
    ...(!isDescribed(method, path) && { undocumented: true as const }),
    fills: fillsOf,
    refuse: (row) => refusalOf(command, resource, row),
    ...(form.length > 0 && {
      body: form.map((name) => `${name}!`),
      // Where a field is shown depends on the form that it is taken from.
      fields: Object.fromEntries(
        form.flatMap((name) => {
          const field = fieldNamed(resource, name);
          return field ? [[name, { ...field, ...always }]] : [];
        }),
      ),
      start: () => ({}),
    }),
    ...((body || form.length > 0) && {
      send: (typed, _, row = {}) => ({
        ...(filledValue(body ?? {}, row, resource.label(row), () => {}) as Row),
        ...typed,
      }),
    }),
    ask: askOf(command, resource, isLoss ? { warning: ask.question, together: ask.together } : ask),
  };
}

const always = { shown: undefined, needed: undefined };

/** A field of a resource, or of its creation alone. */
export const fieldNamed = ({ fields, create }: Resource, name: string): Field | undefined =>
  create?.fields?.[name] ?? fields[name];

/** The status that a row has after jobs of these names, by the last part of their paths. */
const reached: Readonly<Record<string, string>> = {
  boot: 'running',
  reboot: 'running',
  rebuild: 'running',
  shutdown: 'offline',
};

/** Whether a description has this operation, so that an API that refuses it does not lack it. */
const isDescribed = (method: string, path: string): boolean =>
  resources.some((resource) =>
    operationsOf(resource).some(({ operation }) => operation.method === method && operation.path === path),
  );

/** A segment of a path as the client fills it in: the id by the name of its parameter, all else by what is written. */
function parameterOf(segment: string, { id, param, params }: Resource): string {
  if (segment === `{${id}}` && !params) return `{${param}}`;
  return segment.includes('{') && !/^\{[^{}]*\}$/.test(segment) ? `{${segment}}` : segment;
}

/** Why a request cannot be written for a row. */
function refusalOf({ request }: CommandConfig, resource: Resource, row: Row): string | undefined {
  if (isNameless(row)) return 'the API gives it no id, so no command can name it';
  const label = resource.label(row);
  for (const segment of segmentsOf(request?.path ?? '')) {
    const names = placeholdersIn(segment).filter((name) => !isParent(resource, name));
    // The id of a parent is no part of the row; the client refuses a path without it.
    if (names.length < placeholdersIn(segment).length) continue;
    // The ids of images have a slash, and the client knows of these.
    const isId = parameterOf(segment, resource) === `{${resource.param}}`;
    const found = filled(segment, row, label, (value) =>
      value.includes('/') && !isId ? 'has a slash, which no part of a path can have' : dotsRule(value),
    );
    if ('wrong' in found) return found.wrong;
  }
  let wrong: string | undefined;
  filledValue(request?.body, row, label, (why) => {
    wrong ??= why;
  });
  return wrong;
}

const dotsRule = (value: string) => (/^\.\.?$/.test(value) ? 'is no part of a path' : undefined);

/** Whether a placeholder is a parameter of the path of a row, such as the id of the server that a disk belongs to. */
const isParent = ({ list, view, param }: Resource, name: string): boolean =>
  name !== param && [list?.path, view?.path].some((path) => path?.includes(`{${name}}`));

type Question = Exclude<Action['ask'], false | undefined>;

/** The words before a command: those of the user, else its own; none where it changes nothing. */
function askOf(command: CommandConfig, resource: Resource, own: Question): Action['ask'] {
  const { ask = !isHarmless(command) } = command;
  const { question: before, warning = before, ...others } = own;
  const destroying = { ...others, warning, typeLabel: true as const };
  if (ask === true) return command.destroys ? destroying : own;
  if (ask === false) return false;
  const question = (row: Row) => {
    const found = filled(ask, row, resource.label(row));
    return 'wrong' in found ? ask : found.text;
  };
  if (command.destroys) return { warning: question, typeLabel: true };
  return own.warning ? { warning: question } : { question };
}

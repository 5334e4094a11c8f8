import { jobActions } from '../resources/account/events.ts';
import { isNameless } from '../resources/identity.ts';
import { describedActions, operationsOf, resourceCalled, resources, type UserActions } from '../resources/index.ts';
import { argvOf, filled, filledValue, placeholdersIn } from '../resources/placeholders.ts';
import type { Action, CacheView, Draft, Field, Params, Resource, Row, Said } from '../resources/resource.ts';
import { shellWord } from '../text/escapes.ts';
import { type AskedFields, askedOf, pathRule, questionIn } from './askedFields.ts';
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
export function actionsOfCommands(commands: readonly CommandConfig[]): UserActions {
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

/** The form of a command: fields of its area, and what it asks for. */
function formOf({ form = [] }: CommandConfig, resource: Resource, { fields }: AskedFields): Partial<Action> {
  const names = [...form, ...Object.keys(fields)];
  if (names.length === 0) return {};
  const own = form.flatMap((name) => {
    const field = fieldNamed(resource, name);
    // Where a field is shown depends on the form that it is taken from.
    return field ? [[name, { ...field, ...always }]] : [];
  });
  return {
    body: names.map((name) => `${name}!`),
    fields: { ...Object.fromEntries(own), ...fields },
    start: () => ({}),
    ...(Object.keys(fields).length > 0 && { whole: true }),
  };
}

/** A sentence about a row and what was answered. */
type Says = Exclude<Said<Row>, string>;

type Base = Pick<Action, 'name' | 'key' | 'help' | 'harmless'>;

function programAction(command: CommandConfig, argv: readonly string[], resource: Resource, base: Base): Action {
  const asked = askedOf(command);
  const program = { argv, show: command.show ?? 'pane', timeoutMs: (command.timeout ?? defaultTimeout) * 1000 };
  const runs: Says = (row, _, draft) => {
    const found = argvOf(program, { ...row, ...asked.answers(draft) }, resource.label(row));
    return 'wrong' in found ? undefined : `Runs ${found.argv.map(shellWord).join(' ')}.`;
  };
  return {
    ...base,
    ...formOf(command, resource, asked),
    method: 'POST',
    path: '',
    program,
    refuse: (row) => {
      const found = argvOf(program, { ...row, ...asked.standIns }, resource.label(row));
      return 'wrong' in found ? found.wrong : undefined;
    },
    ask: askOf(command, resource, asked, {
      question: runs,
      together: (_, view, draft) => `Runs ${argv[0]} for each of them${asked.words(view, draft)}.`,
    }),
  };
}

function requestAction(command: CommandConfig, resource: Resource, base: Base): Action {
  const asked = askedOf(command);
  const { method = 'GET', path: written = '', body } = command.request ?? {};
  const path = `/${segmentsOf(written)
    .map((segment) => parameterOf(segment, resource))
    .join('/')}`;
  const fillsOf = (row: Row, given: Params, draft?: Draft): Params =>
    Object.fromEntries(
      segmentsOf(written).flatMap((segment) => {
        if (!segment.includes('{') || parameterOf(segment, resource) === `{${resource.param}}`) return [];
        // Before it is answered, nothing of the row stands for what is asked for.
        if (!draft && placeholdersIn(segment).some((name) => Object.hasOwn(asked.fields, name))) return [];
        const found = filled(segment, { ...given, ...row, ...asked.answers(draft) }, '');
        return 'wrong' in found ? [] : [[parameterOf(segment, resource).slice(1, -1), found.text]];
      }),
    );
  const form = formOf(command, resource, asked);
  const sends = `${method} ${written}`;
  const isLoss = method === 'DELETE';
  const ask = {
    question: ((row, view, draft) =>
      `Sends ${sends} for ${resource.label(row)}${asked.words(view, draft)}.`) satisfies Says,
    together: (_: unknown, view: CacheView, draft: Draft) =>
      `Sends ${sends} for each of them${asked.words(view, draft)}.`,
  };
  const last = segmentsOf(written).at(-1) ?? '';
  const isJob = method === 'POST' && jobActions.includes(`${resource.entity}_${last}`);
  const reaches = isJob ? reached.get(last) : undefined;
  return {
    ...base,
    method,
    path,
    ...(isJob && { shownBy: { isJob: true as const, reaches } }),
    ...(reaches !== undefined && { disrupts: last === 'shutdown' ? 'from then on' : ('for a while' as const) }),
    ...(!isDescribed(method, path) && { undocumented: true as const }),
    fills: fillsOf,
    refuse: (row) => refusalOf(command, resource, { ...row, ...asked.standIns }, resource.label(row)),
    ...form,
    ...((body || form.body) && {
      send: (typed, draft, row = {}) => {
        if (!body && !command.form) return undefined;
        const filling = { ...row, ...asked.answers(draft) };
        return { ...(filledValue(body ?? {}, filling, resource.label(row), () => {}) as Row), ...typed };
      },
    }),
    ask: askOf(command, resource, asked, isLoss ? { warning: ask.question, together: ask.together } : ask),
  };
}

const always = { shown: undefined, needed: undefined };

/** A field of a resource, or of its creation alone. */
export const fieldNamed = ({ fields, create }: Resource, name: string): Field | undefined =>
  create?.fields?.[name] ?? fields[name];

/** The status that a row has after jobs of these names, by the last part of their paths. */
const reached: ReadonlyMap<string, string> = new Map([
  ...['boot', 'reboot', 'rebuild'].map((job) => [job, 'running'] as const),
  ['shutdown', 'offline'],
]);

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
function refusalOf({ request }: CommandConfig, resource: Resource, row: Row, label: string): string | undefined {
  if (isNameless(row)) return 'the API gives it no id, so no command can name it';
  for (const segment of segmentsOf(request?.path ?? '')) {
    const names = placeholdersIn(segment).filter((name) => !isParent(resource, name));
    // The id of a parent is no part of the row; the client refuses a path without it.
    if (names.length < placeholdersIn(segment).length) continue;
    // The ids of images have a slash, and the client knows of these.
    const isId = parameterOf(segment, resource) === `{${resource.param}}`;
    const found = filled(segment, row, label, (value) => pathRule(value, isId));
    if ('wrong' in found) return found.wrong;
  }
  let wrong: string | undefined;
  filledValue(request?.body, row, label, (why) => {
    wrong ??= why;
  });
  return wrong;
}

/** Whether a placeholder is a parameter of the path of a row, such as the id of the server that a disk belongs to. */
const isParent = ({ list, view, param }: Resource, name: string): boolean =>
  name !== param && [list?.path, view?.path].some((path) => path?.includes(`{${name}}`));

type Question = Exclude<Action['ask'], false | undefined>;

/** The words before a command: those of the user, else its own; none where it changes nothing. */
function askOf(command: CommandConfig, resource: Resource, asked: AskedFields, own: Question): Action['ask'] {
  const ask = questionIn(command) ?? !isHarmless(command);
  const { question: before, warning = before, ...others } = own;
  const destroying = { ...others, warning, typeLabel: true as const };
  if (ask === true) return command.destroys ? destroying : own;
  if (ask === false) return false;
  const question: Says = (row, _, draft) => {
    const found = filled(ask, { ...row, ...asked.answers(draft) }, resource.label(row));
    return 'wrong' in found ? ask : found.text;
  };
  const together: Question['together'] = (rows, view, draft) => {
    const [first = '', ...others] = [...new Set(rows.map((row) => question(row, view, draft, {})))];
    const rest = rows.length === 2 ? 'other one' : `${rows.length - 1} others`;
    return others.length === 0 ? first : `${first} The same is asked about the ${rest}.`;
  };
  if (command.destroys) return { warning: question, together, typeLabel: true };
  return own.warning ? { warning: question, together } : { question, together };
}

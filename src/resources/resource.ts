import { capitalized } from '../text/words.ts';
import type { Action, Operation, Shortcut } from './action.ts';
import type { Described, DescribedAction, Description, Resource } from './description.ts';
import { type DescribedFields, type Field, labelled, rowless } from './field.ts';
import type { Checked, Mistakes } from './mistakes.ts';
import type { Draft, Row } from './row.ts';
import { type PartMakers, safeDescription } from './safeDescription.ts';

export type { Action, Ask, Complaint, FileTransfer, Method, Operation, Said, Shortcut } from './action.ts';
export type { Column, Described, DescribedAction, ListOperation, Resource, Section, Tab } from './description.ts';
export type { DescribedField, DescribedFields, Field } from './field.ts';
export * from './row.ts';

/**
 * A description whose rows are `T` inside and plain rows, of any shape, outside. One that names a field, an operation,
 * a column or a tab that it does not have is not compiled; the message says which.
 */
export function resource<T>(): <const D extends Description<T>>(description: D) => Checked<Mistakes<T, D>, Resource> {
  return (description) => safeDescription(...completed(description as unknown as Description)) as never;
}

/** The column of a status, whose words are all that it can be. */
export const statusColumn = { title: 'Status', value: 'status', format: 'status', keep: 1 } as const;

const withLabels = <A extends { fields?: DescribedFields }>(action: A) =>
  action.fields ? { ...action, fields: labelled(action.fields) } : action;

/**
 * The description with what follows from its names, and of each operation from its place, from the path and from the scope;
 * what takes a while is made when it is first asked for.
 */
function completed({ path = '', scope, ...description }: Description): [Resource, PartMakers] {
  const { name, id = 'id', fields = {}, create, creates, edit, remove, actions, operations } = description;
  const { local = false, catalogue } = description;
  const { list = !local && { pages: 'numbered', ...(catalogue && { freshFor: 600 }) } } = description;
  const view: Described<Operation> | false = description.view ?? (!local && {});
  const { one = name.replaceAll('-', ' ').replace(/s$/, ''), entity } = description;
  const [, first = '', rest = ''] = /(\w)(\w*)$/.exec(one) ?? [];
  const { param = id === 'id' ? `${first.toLowerCase()}${rest}Id` : id } = description;
  const row = (view ? view.path : undefined) ?? (list ? `${path}/{${param}}` : path);
  const read = { method: 'GET', ...(scope && { scope: `${scope}:read_only` }) };
  const write = { method: 'POST', ...(scope && { scope: `${scope}:read_write` }) };
  const below = (action: DescribedAction) => ({
    ...write,
    path: action.method && action.method !== 'POST' ? row : `${row}/${action.name}`,
    help: action.on?.replace(/ (?:for|of|to|from) \{\}$|\{\} /, ''),
    ...withLabels(action),
  });
  const asked = ([name, operation]: readonly [string, Described<Operation>]) => [
    name,
    { ...read, path: `${row}/${name}`, ...operation },
  ];
  const plain = {
    id,
    one,
    many: capitalized(name.replaceAll('-', ' ')),
    label: (row: Row) => row.label as string,
    ...(entity && { events: [`${entity}_`] }),
    ...description,
    param,
    list: list ? { ...read, path, ...list } : undefined,
    view: view ? { ...read, path: row, ...view } : undefined,
    ...(edit && { edit: { ...write, name: 'edit', key: 'e', help: 'Edit', method: 'PUT', path: row, ...edit } }),
    ...(remove && {
      remove: { ...write, name: 'delete', key: 'd', help: 'Delete', method: 'DELETE', path: row, ...remove },
    }),
  };
  const named = (action: DescribedAction) => ({ ...write, path: `${path}/${action.name}`, ...withLabels(action) });
  const makers = {
    fields: () => labelled(fields),
    ...(create && {
      create: () => ({ ...write, name: 'create', key: 'n', help: `New ${one}`, path, ...withLabels(create) }),
    }),
    ...(creates && { creates: () => creates.map(named) }),
    ...(actions && { actions: () => actions.map(below) }),
    ...(operations && { operations: () => Object.fromEntries(Object.entries(operations).map(asked)) }),
  };
  return [plain as unknown as Resource, makers as PartMakers];
}

/** The names of the fields of an action, in the order of its form. */
export const bodyNames = ({ body = [] }: Pick<Action, 'body'>): readonly string[] =>
  body.map((entry) => entry.replace(/!$/, ''));

/** The description of one field of an action; `name` may end in the `!` of a required one. Throws when there is none, a mistake in a description. */
export function fieldOf({ name: owner, fields }: Resource, action: Pick<Action, 'fields'>, name: string): Field {
  const plain = name.replace(/!$/, '');
  const field = action.fields?.[plain] ?? fields[plain];
  if (!field) throw new Error(`${owner} has no field ${plain}`);
  return field;
}

/** The field that has a dotted path of an action's body; undefined for a member of another field, or any other path. */
export function knownField({ fields }: Resource, action: Pick<Action, 'fields'>, path: string): Field | undefined {
  const own = action.fields ?? {};
  return Object.hasOwn(own, path) ? own[path] : Object.hasOwn(fields, path) ? fields[path] : undefined;
}

/** A dotted path of an action's body as its form calls it. */
export const fieldLabel = (resource: Resource, action: Pick<Action, 'fields'>, path: string): string =>
  knownField(resource, action, path)?.label ?? path;

/** An action as it is done to several rows at once: without the fields that no two of them may share, with all that one of them has. */
export function forSeveral(resource: Resource, action: Action, rows: readonly Row[]): Action {
  const body = action.body?.filter((name) => !fieldOf(resource, action, name).unique);
  const shown = bodyNames({ body }).flatMap((name): [string, Field][] => {
    const { shown: has, each, ...field } = fieldOf(resource, action, name);
    const own = { ...field, ...(each && { each, help: each.help }) };
    const isShown = (draft: Draft, row?: Row) =>
      (row ? has?.(draft, row) : rows.some((one) => has?.(draft, one))) ?? true;
    return has ? [[name, { ...own, shown: isShown }]] : [];
  });
  if (body?.length === action.body?.length && shown.length === 0) return action;
  return { ...action, body, fields: { ...action.fields, ...Object.fromEntries(shown) } };
}

/** The action of a shortcut on several rows. */
export const onEach = (of: Resource, shortcut: Shortcut): Action =>
  (shortcut.next === undefined ? belowEach : insteadOfEach)(of, shortcut);

/** Makes a row in place of each of several, by the entries with which a shortcut starts the form of one. */
function insteadOfEach(of: Resource, { start, each: on, together, ...named }: Shortcut): Action {
  const { method, path, scope, secret } = of.create as Action;
  const { name, key, help, next, refuse } = named;
  return {
    ...{ method, path, scope, secret, name, key, help, on, next, refuse },
    parts: (row, view, _draft, params) => [{ of: of.name, entries: start(row, view, params) }],
    ask: { question: together },
  };
}

/** Makes a row below each of several: by one form, of the creation to which a shortcut leads. */
function belowEach(child: Resource, { name, key, help, each: on, refuse }: Shortcut): Action {
  const { start, ask, reads, ...made } = child.create as Action;
  const { note } = ask || {};
  return {
    ...made,
    ...{ name, key, help, on, below: child.name, refuse },
    // The creation of each checks and sends its own, by rows that are read once it is sent.
    ...{ check: undefined, needs: undefined, send: undefined },
    reads: reads?.filter((one) => one !== child.name),
    fields: Object.fromEntries(bodyNames(made).map((field) => [field, rowless(fieldOf(child, made, field))])),
    start: (_row, view, params) => start?.(undefined, view, params) ?? {},
    ask: { question: typeof note === 'function' ? (_row, ...of) => note({}, ...of) : note },
  };
}

/**
 * The language in which every noun of the API is described: pure data and pure functions,
 * from which lists, details, forms, keys, confirmations, documentation and the demo's routes are derived.
 */

import type { Carriage } from './carriage.ts';
import type { Field } from './field.ts';
import type { Gauge } from './gauge.ts';
import type { Look } from './look.ts';
import type { Relation } from './relation.ts';
import { tolerant } from './tolerant.ts';

export type { Carriage } from './carriage.ts';
export type { Field } from './field.ts';

/** A JSON object as the API answers it, in the documents' own words. */
export type Row = { readonly [field: string]: unknown };

/** Path parameters by name, e.g. `{serverId: '12', configId: '3'}`. */
export type Params = Readonly<Record<string, string>>;

/** What a form holds for one field: what was typed, chosen or ticked. `undefined` is untouched. */
export type Entry = string | boolean | readonly string[] | undefined;

/** What a form holds: entries by field name. A field name is the dotted path of its place in the body. */
export type Draft = Readonly<Record<string, Entry>>;

/** What is loaded at this moment, for rules that need more than one row. Never asks the API. */
export interface Known {
  /** All loaded rows of a resource, none where nothing is loaded; with `under`, only those below these parents. */
  rows(resource: string, under?: Params): readonly Row[];
  /** One loaded row by its id. */
  row(resource: string, id: unknown): Row | undefined;
  /** Rows of a resource that were loaded and are there no more, as they were last; the latest last. */
  gone(resource: string): readonly Row[];
  /** The current time in milliseconds since the epoch. */
  now: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One documented operation. */
export interface Operation {
  method: Method;
  /** Path from `/v4` on, parameters in braces. */
  path: string;
  /** The scopes the operation takes; none where no authentication is needed. */
  scope?: string | readonly string[];
  /** Parameters that go into the query rather than the path, where they are given. */
  query?: readonly string[];
  /** Seconds for which an answer stays fresh; as long as the session says by default. */
  freshFor?: number;
  /** Makes of an answer what is held of it: the same in less memory, which only who looks at it can read. */
  held?: (answer: Row) => Row;
  /** Known from elsewhere than the three documents; its absence must not hurt. */
  beyond?: true;
}

/** What is lost, and how strongly to ask. */
export interface Danger<T> {
  /** What will happen and what is lost, as full sentences. */
  warning: (row: T, known: Known) => string;
  /** Have the label typed before it is sent. */
  typeLabel?: true;
}

/** A complaint of a rule that spans fields, shown at `field`. */
export interface Complaint {
  field: string;
  says: string;
}

/** A change of one row, or the creation of one. */
export interface Action<T = Row> extends Operation {
  /** Unique within the resource; one lower-case word or words with dashes. */
  name: string;
  /** The key in the actions menu; create, edit and remove have `n`, `e` and `d` everywhere. */
  key: string;
  /** What it does, as a verb phrase: "Resize". */
  help: string;
  /** Names of fields in the order of the form; a trailing `!` marks a required one. */
  body?: readonly string[];
  /** Fields that this action alone has, or has by other rules than the resource's field of that name. */
  fields?: Readonly<Record<string, Field>>;
  /** One sentence said in the form or the confirmation: what it costs, what it touches. */
  note?: string | ((row: T, known: Known) => string | undefined);
  /** Why it cannot be done now, as a sentence; undefined when it can. */
  refuse?: (row: T, known: Known) => string | undefined;
  /** Rules across fields; the first complaint is shown. `params` are those of the form's path. */
  check?: (draft: Draft, known: Known, row: T | undefined, params: Params) => Complaint | undefined;
  /** The one of `operations` whose answer the form starts from as well: the row alone does not have it. */
  from?: string;
  /** What the form starts from. */
  start?: (row: T | undefined, known: Known, params: Params) => Draft;
  /** Turns the body derived from the fields into the one that is sent, where they differ in shape. */
  send?: (body: Row, draft: Draft, row: T | undefined) => Row;
  /** Asked before it is sent. The type of `remove` demands it. */
  danger?: Danger<T>;
  /** A question without danger: said before it is sent although nothing is lost. */
  confirm?: (row: T, known: Known, draft: Draft) => string;
  /** A question asked before a form is sent, where what was entered calls for one; full sentences. */
  asks?: (draft: Draft) => string | undefined;
  /** Sent without a question: nothing is lost by it. */
  atOnce?: true;
  /** Only offered on one row, never on marked ones. */
  single?: true;
  /** Resources whose rows its rules look at; they are read before its form or question opens. */
  reads?: readonly string[];
  /** Further resources whose loaded lists are stale after it. */
  touches?: readonly string[];
  /** Opens this dialog of `screens/own` instead of the generic form. */
  own?: string;
  /** The body goes as a multipart form; its `file` fields are read from this machine. */
  multipart?: true;
  /** Takes the row out of an answer that holds more than it, or that is another row than the one it is done to. */
  row?: (answer: Row) => Row;
  /** Sent before it, e.g. the deletion of what it replaces; that there is nothing there (404) is no failure. */
  first?: Operation;
  /** The fields of the answer that are shown once, whole, and never again; the last is the secret itself. */
  secret?: readonly string[];
  /** What is done to a file elsewhere once the API has answered with an address for that. */
  carries?: Carriage;
}

/** A way into another resource's form, with what is known already filled in. */
export interface Lead<T = Row> {
  name: string;
  /** The key in the actions menu, where it stands among the actions. */
  key: string;
  help: string;
  /** The resource and the name of its action whose form opens. */
  to: string;
  action: string;
  /** What is filled in; `rows` are all that were chosen, `row` the first of them. */
  start: (row: T, known: Known, params: Params, rows?: readonly T[]) => Draft;
  /** Also offered on several marked rows. */
  many?: true;
  refuse?: (row: T, known: Known) => string | undefined;
}

/** One column of a list and one line of a card. */
export interface Column<T = Row> {
  title: string;
  /** A dotted path into the row, or the value worked out from it; with `lazy` the path and the function take the answer, and `subject` is the row. */
  value: string | ((row: T, known: Known, subject?: Row) => unknown);
  look?: Look;
  /** 1 stays in the narrowest list, 2 comes at ordinary width, 3 only when there is room. Default 2. */
  keep?: 1 | 2 | 3;
  /** Widest useful width in cells. */
  width?: number;
  /** Filled by a further request for visible rows only: the name of one of `operations`, whose answer `value` then reads instead of the row. */
  lazy?: string;
  /** Summed up over the rows shown, in the title of the list. */
  total?: true;
}

/** One tab of a detail, after the overview and before events and JSON. */
export type Tab<T = Row> =
  /** The rows of another resource that lie under this one; `operation` names the one of `operations` that lists them, where it is not that resource's own; `gauge` tells how much of this one they take. */
  | { title: string; list: string; operation?: string; gauge?: (row: T, known: Known) => Gauge | undefined }
  /** A screen of `screens/own`, given this resource and row. */
  | { title: string; own: string }
  /** The answer of one of `operations`, as it is. */
  | { title: string; answer: string };

/** A collection to read. */
export interface ListOperation extends Operation {
  /** `numbered` has page and page_size, `marker` has next_marker, `whole` answers all at once. */
  pages: 'numbered' | 'marker' | 'whole';
  /** Takes the rows out of a body that is not a paginated collection. */
  rows?: (body: Row) => readonly Row[];
  /** Sent as X-Filter; an API that refuses it is asked without. */
  filter?: Row;
  /** A long list of large rows: each numbered page is read only when somebody looks that far. */
  gradual?: true;
  /** Rows of the list may lack fields that the view has; it is read before a form starts from one. */
  partial?: true;
}

/** One of several views of a list, e.g. the images of the account and the public ones. */
export interface Section<T = Row> {
  title: string;
  /** Which of the rows belong to it. */
  only: (row: T) => boolean;
  /** The titles of the columns it shows, in their order; all by default. */
  columns?: readonly string[];
  /** The one of `operations` that lists it, where that is not `list`. */
  operation?: string;
  /** Said in place of the resource's own words when there is none. */
  empty?: string;
}

/** One noun of the API. */
export interface Resource<T = Row> {
  /** Plural, lower case, as in the URL of a deep link: `volumes`. */
  name: string;
  /** The noun in a sentence: "volume". */
  one: string;
  /** The heading: "Volumes". */
  many: string;
  /** The group in which it is offered. */
  area: 'Compute' | 'Storage' | 'Networking' | 'Account' | 'Managed';
  /** Short words for the palette. */
  aliases?: readonly string[];
  /** The field that identifies a row. */
  id: string;
  /** The path parameter that a row's id fills. */
  param: string;
  /** Where several fields identify a row: what fills each parameter, in the order of the id's parts; `param` is the last. */
  params?: Readonly<Record<string, string | ((row: T) => unknown)>>;
  /** The resource under which it lies; its path parameters come from there. */
  under?: string;
  /** How a row is called in a sentence. */
  label: (row: T) => string;
  fields: Readonly<Record<string, Field>>;
  columns: readonly Column<T>[];
  /** Further lines of the overview card; the columns come first. */
  card?: readonly Column<T>[];
  /** Resources whose rows its columns look at; their lists are read while its own rows are shown. */
  reads?: readonly string[];
  /** What the list is sorted by at first: a column's title, `-` before it for descending. */
  sort?: string;
  /** Said when there is none: what it is for and the way to the first one. */
  empty?: string;
  list?: ListOperation;
  /** The views that the list falls apart into; the first is shown at first. */
  sections?: readonly Section<T>[];
  /** Without a list and without parameters in its path the resource is the only one of its kind and is shown at once. */
  view?: Operation;
  /** What an id looks like of which a row can be opened that is in no list loaded. */
  ids?: RegExp;
  create?: Action<T>;
  /** Other ways to make a row than `create`, offered beside it. */
  creates?: readonly Action<T>[];
  edit?: Action<T>;
  remove?: Action<T> & { danger: Danger<T> };
  actions?: readonly Action<T>[];
  leads?: readonly Lead<T>[];
  tabs?: readonly Tab<T>[];
  /** The title of the tab at which a row opens, where that is not the overview. */
  opensAt?: string;
  /** Operations that screens of `screens/own` and lazy columns use. */
  operations?: Readonly<Record<string, Operation | ListOperation>>;
  /** `entity.type` of the events about a row. */
  entity?: string;
  /** The path in a row to the entity (`{type, id}`) that it is about, for the key that leads there; without a `view` it opens there. */
  about?: string;
  /** The types that the entity has as a rule; any by default. */
  aboutTypes?: readonly string[];
  /** What joins its rows to others beyond the ids in its fields. */
  relations?: readonly Relation<T>[];
  /** Prefixes of event actions that change rows of this resource, e.g. `volume_`. */
  events?: readonly string[];
  /** The value of the busy or healthy state, for counts and progress: a path or function. */
  status?: (row: T) => string | undefined;
  /** What else is worth copying of a row, by name. */
  copies?: Readonly<Record<string, (row: T, known: Known) => string | undefined>>;
  /** Rows are shown to all and belong to nobody: no marks, no events. */
  catalogue?: true;
  /** The program makes the rows itself: nothing is asked for, so there are no operations. */
  local?: true;
  /** The screen of `screens/own` that shows the list in place of the generic one. */
  screen?: string;
}

/** A description whose rows are `T` inside and plain rows, of any shape, outside. */
export function resource<T>(): (description: Resource<T>) => Resource {
  return (description) => tolerant(description as unknown as Resource);
}

/** The description of one field of an action; `name` may end in the `!` of a required one. Throws when there is none, a mistake in a description. */
export function fieldOf({ name: owner, fields }: Resource, action: Action, name: string): Field {
  const plain = name.replace(/!$/, '');
  const field = action.fields?.[plain] ?? fields[plain];
  if (!field) throw new Error(`${owner} has no field ${plain}`);
  return field;
}

/** The value at a dotted path of a row. */
export const at = (row: unknown, path: string): unknown =>
  path.includes('.') ? path.split('.').reduce(part, row) : part(row, path);

const part = (value: unknown, key: string): unknown =>
  value === null || typeof value !== 'object' ? undefined : (value as Record<string, unknown>)[key];

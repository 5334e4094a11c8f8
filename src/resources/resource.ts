/**
 * The language in which every noun of the API is described: pure data and pure functions,
 * from which lists, details, forms, keys, confirmations, documentation and the demo's routes are derived.
 */

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
  /** Known from elsewhere than the three documents; its absence must not hurt. */
  beyond?: true;
}

export type FieldKind =
  /** One line of text; `min` and `max` count characters. */
  | 'text'
  /** Several lines; pasted or written in the editor. */
  | 'paragraph'
  /** One line that is masked while typed and redacted everywhere. */
  | 'secret'
  /** Several lines that are masked and redacted, e.g. a private key. */
  | 'secretParagraph'
  /** A whole number; `min` and `max` bound its value. */
  | 'integer'
  | 'boolean'
  /** One of `options`. */
  | 'choice'
  /** A list of words, typed with commas between; `min` and `max` count them. */
  | 'strings'
  /** The id of a row of `to`. */
  | 'reference'
  /** The ids of several rows of `to`. */
  | 'references'
  /** A disk or a volume, written as `disks/12` or `volumes/7`; sent as `{disk_id, volume_id}`. */
  | 'device'
  /** A JSON object, typed. */
  | 'json'
  /** A file on this machine; its path is typed. */
  | 'file';

/** One writable field; its limits are written here and nowhere else. */
export interface Field {
  label: string;
  kind: FieldKind;
  min?: number;
  max?: number;
  /** Items and entries must match `test`; `says` is the rule as a noun phrase ("letters, digits, - _ ."). */
  pattern?: { test: RegExp; says: string };
  /** Said after the number, e.g. `GB`. */
  unit?: string;
  /** The allowed values of a choice, in the order in which they are offered. */
  options?: readonly string[];
  /** What each option means, said beside it. */
  optionHelp?: Readonly<Record<string, string>>;
  /** The resource or resources that a reference or device points to. */
  to?: string | readonly string[];
  /** Which rows of `to` may be picked; `params` are those of the form's path. */
  offers?: (row: Row, draft: Draft, known: Known, subject?: Row, params?: Params) => boolean;
  /** The parameters below which `to` is listed, where it lies under another resource. */
  under?: (draft: Draft, params: Params) => Params | undefined;
  /** True when the ids of `to` are sent as text rather than as numbers. */
  textId?: true;
  /** What the API takes when the field is left out. */
  fallback?: string | number | boolean;
  /** Required, always or in this draft. */
  needed?: boolean | ((draft: Draft) => boolean);
  /** Offered and sent only when true; always by default. */
  shown?: (draft: Draft, subject?: Row) => boolean;
  /** A rule beyond the above; answers what is wrong, as the end of a sentence that begins with the label. */
  check?: (entry: string, draft: Draft, known: Known, subject?: Row) => string | undefined;
  /** Cleared entries are sent as null. */
  nullable?: true;
  /** Steers the form and is never sent. */
  local?: true;
  /** Said below the field while it has the focus. */
  help?: string;
  /** The heading under which the form groups it. */
  section?: string;
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
  /** Rules across fields; the first complaint is shown. */
  check?: (draft: Draft, known: Known, row: T | undefined) => Complaint | undefined;
  /** What the form starts from. */
  start?: (row: T | undefined, known: Known, params: Params) => Draft;
  /** Turns the body derived from the fields into the one that is sent, where they differ in shape. */
  send?: (body: Row, draft: Draft, row: T | undefined) => Row;
  /** Asked before it is sent. The type of `remove` demands it. */
  danger?: Danger<T>;
  /** A question without danger: said before it is sent although nothing is lost. */
  confirm?: (row: T, known: Known) => string;
  /** Only offered on one row, never on marked ones. */
  single?: true;
  /** Further resources whose loaded lists are stale after it. */
  touches?: readonly string[];
  /** Opens this screen of `screens/own` instead of the generic form. */
  own?: string;
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
  start: (row: T, known: Known, params: Params) => Draft;
  refuse?: (row: T, known: Known) => string | undefined;
}

/** How a value is written and coloured; `components` knows how. */
export type Look =
  | 'text'
  | 'status'
  | 'number'
  | 'bytes'
  | 'megabytes'
  | 'gigabytes'
  | 'money'
  | 'percent'
  /** Points `[ms, value]`, drawn small with the last value beside them. */
  | 'sparkline'
  | 'date'
  | 'age'
  | 'duration'
  | 'boolean'
  /** A dot where true, nothing where not. */
  | 'mark'
  | 'tags'
  | 'list'
  | 'id'
  | 'dim';

/** One column of a list and one line of a card. */
export interface Column<T = Row> {
  title: string;
  /** A dotted path into the row, or the value worked out from it. */
  value: string | ((row: T, known: Known) => unknown);
  look?: Look;
  /** 1 stays in the narrowest list, 2 comes at ordinary width, 3 only when there is room. Default 2. */
  keep?: 1 | 2 | 3;
  /** Widest useful width in cells. */
  width?: number;
  /** Filled by a further request for visible rows only: the name of one of `operations`, whose answer `value` then reads instead of the row. */
  lazy?: string;
}

/** One tab of a detail, after the overview and before events and JSON. */
export type Tab =
  /** The rows of another resource that lie under this one; `operation` names the one of `operations` that lists them, where it is not that resource's own. */
  | { title: string; list: string; operation?: string }
  /** A screen of `screens/own`, given this resource and row. */
  | { title: string; own: string };

/** A collection to read. */
export interface ListOperation extends Operation {
  /** `numbered` has page and page_size, `marker` has next_marker, `whole` answers all at once. */
  pages: 'numbered' | 'marker' | 'whole';
  /** Takes the rows out of a body that is not a paginated collection. */
  rows?: (body: Row) => readonly Row[];
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
  /** The resource under which it lies; its path parameters come from there. */
  under?: string;
  /** How a row is called in a sentence. */
  label: (row: T) => string;
  fields: Readonly<Record<string, Field>>;
  columns: readonly Column<T>[];
  /** Further lines of the overview card; the columns come first. */
  card?: readonly Column<T>[];
  /** What the list is sorted by at first: a column's title, `-` before it for descending. */
  sort?: string;
  /** Said when there is none: what it is for and the way to the first one. */
  empty?: string;
  list?: ListOperation;
  view?: Operation;
  create?: Action<T>;
  edit?: Action<T>;
  remove?: Action<T> & { danger: Danger<T> };
  actions?: readonly Action<T>[];
  leads?: readonly Lead<T>[];
  tabs?: readonly Tab[];
  /** Operations that screens of `screens/own` and lazy columns use. */
  operations?: Readonly<Record<string, Operation | ListOperation>>;
  /** `entity.type` of the events about a row. */
  entity?: string;
  /** The path in a row to the entity (`{type, id}`) that it is about, for the key that leads there. */
  about?: string;
  /** Prefixes of event actions that change rows of this resource, e.g. `volume_`. */
  events?: readonly string[];
  /** The value of the busy or healthy state, for counts and progress: a path or function. */
  status?: (row: T) => string | undefined;
  /** What else is worth copying of a row, by name. */
  copies?: Readonly<Record<string, (row: T, known: Known) => string | undefined>>;
  /** Rows are shown to all and belong to nobody: no marks, no events. */
  catalogue?: true;
}

/** A description whose rows are `T` inside and plain rows outside. */
export function resource<T>(): (description: Resource<T>) => Resource {
  return (description) => description as unknown as Resource;
}

/** The description of one field of an action; `name` may end in the `!` of a required one. Throws when there is none, a mistake in a description. */
export function fieldOf({ name: owner, fields }: Resource, action: Action, name: string): Field {
  const plain = name.replace(/!$/, '');
  const field = action.fields?.[plain] ?? fields[plain];
  if (!field) throw new Error(`${owner} has no field ${plain}`);
  return field;
}

/** The value at a dotted path of a row. */
export function at(row: unknown, path: string): unknown {
  let value = row;
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

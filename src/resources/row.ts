/** The words in which descriptions speak of rows, forms and what is loaded. */

/** A JSON object as the API answers it, in the documents' own words. */
export type Row = { readonly [field: string]: unknown };

/** Path parameters by name, e.g. `{serverId: '12', configId: '3'}`. */
export type Params = Readonly<Record<string, string>>;

/** A form holds this for one field: text, a choice or ticks. `undefined` is untouched. */
export type Entry = string | boolean | readonly string[] | undefined;

/** The entries of a form by field name. A field name is the dotted path of its place in the body. */
export type Draft = Readonly<Record<string, Entry>>;

/** The data loaded at this moment, for rules that need more than one row. Never asks the API. */
export interface CacheView {
  /** All loaded rows of a resource, none where nothing is loaded; with `under`, only those below these parents. */
  rows(resource: string, under?: Params): readonly Row[];
  /** One loaded row by its id. */
  row(resource: string, id: unknown): Row | undefined;
  /** Rows of a resource that were loaded and are there no more, as they were last; the latest last. */
  gone(resource: string): readonly Row[];
  /** Whether a list has been read to its end; with `under`, that below these parents. Left out where nobody can tell. */
  isRead?(resource: string, under?: Params): boolean;
  /** The current time in milliseconds since the epoch. */
  now: number;
}

/** The value at a dotted path of a row. */
export const at = (row: unknown, path: string): unknown =>
  path.includes('.') ? path.split('.').reduce(part, row) : part(row, path);

const part = (value: unknown, key: string): unknown =>
  value === null || typeof value !== 'object' ? undefined : (value as Record<string, unknown>)[key];

/** The items of a list; none where the value is no list. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a value can be read as a row: an object. */
export const isRow = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The objects of a list. */
export const rowsOf = (value: unknown): readonly Row[] => itemsOf(value).filter(isRow);

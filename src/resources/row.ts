/** The words in which descriptions speak of rows, forms and what is loaded. */

import { isNumber } from '../text/numbers.ts';
import { timeOf } from '../text/times.ts';
import { called, textIn } from '../text/words.ts';

/** A JSON object as the API answers it, in the documents' own words. */
export type Row = { readonly [field: string]: unknown };

/** A row with a number and a name, as most have them. */
export type Labelled = Row & { id: number; label: string };

/** A row that tells when it was made and when it was changed last. */
export type Dated = Row & { created: string; updated: string };

/** Path parameters by name, e.g. `{serverId: '12', configId: '3'}`. */
export type Params = Readonly<Record<string, string>>;

/** Always the same, so that what is worked out from them is kept. */
export const none: readonly never[] = [];
export const noParams: Params = {};

/** A form holds this for one field: text, a choice or ticks. `undefined` is untouched. */
export type Entry = string | boolean | readonly string[] | undefined;

/** The entries of a form by field name. A field name is the dotted path of its place in the body. */
export type Draft = Readonly<Record<string, Entry>>;

/** Rows of a resource that were read together, below the same parents. */
export interface LoadedList {
  params: Params;
  rows: readonly Row[];
  /** All there are: what is not among them does not exist. */
  whole: boolean;
}

/** A way to look rows up, since the same rows are asked about for many values. */
export interface RowIndex {
  name: string;
  /** The texts under which a row is found. */
  valuesOf(row: Row): readonly string[];
}

/** Means of a server's statistics over the last two hours, the time over which its alerts are taken (document 2, 4.1). */
export interface Usage {
  /** Percent of one processor, so that a server of four can have 400. */
  cpu?: number;
  /** Blocks a second. */
  io?: number;
  /** Bits a second. */
  networkIn?: number;
  networkOut?: number;
}

/**
 * The read view of the cache: the data loaded at this moment. Never asks the API. Lists are the same objects as long as
 * nothing in them changes. What a rule looked at for a row decides when it is examined again, so a rule looks at as
 * little as it needs: `find` and `row` rather than all rows.
 */
export interface CacheView {
  /** All loaded rows of a resource, none where nothing is loaded; with `under`, only those below these parents. */
  rows(resource: string, under?: Params): readonly Row[];
  /** One loaded row by its id; with `params`, where ids are unique below its parents alone, the one that they name. */
  row(resource: string, id: unknown, params?: Params): Row | undefined;
  /** The loaded rows of a resource, or the newest events, that are found under a text. */
  find(resource: string, index: RowIndex, value: string): readonly Row[];
  /** Rows of a resource that were loaded and are there no more, as they were last; the latest last. */
  deleted(resource: string): readonly Row[];
  /** The loaded lists of a resource, one for each of its parents; what there is only one of is a list of one. */
  lists(resource: string): readonly LoadedList[];
  /** All that is loaded of a resource: rows viewed alone, then lists, which are fresher, also those that are parts of another. */
  loaded(resource: string): readonly LoadedList[];
  /** Whether a list has been read to its end, so that what is not in it is not there; with `under`, that below these parents. */
  isRead(resource: string, under?: Params): boolean;
  /** The last answer of one of the operations of a resource; undefined where it was not read. */
  answer(resource: string, operation: string, params: Params): unknown;
  /** The newest events of the account, the newest first. */
  events: readonly Row[];
  /** The load of a server; undefined where its statistics were not read. */
  usage(serverId: string): Usage | undefined;
  /** The past day of a server; undefined where its statistics were not read within the last hour. */
  day(serverId: string): Day | undefined;
  /** The share of its transfer quota that a server has used, in percent; undefined where it was not read. */
  transferShare(serverId: string): number | undefined;
  /** The servers whose statistics were asked for. */
  measured(): Iterable<string>;
  /** Tells whether a row of a list came or changed since an earlier session; absent where there is no such list. */
  standing?(row: Row): 'new' | 'changed' | undefined;
  /** The current time in milliseconds since the epoch. */
  now: number;
}

/** The view where nothing is loaded. It has every selector, so that all of them are known by their names. */
export const emptyView: CacheView = {
  rows: () => [],
  row: () => undefined,
  find: () => [],
  deleted: () => [],
  lists: () => [],
  loaded: () => [],
  isRead: () => false,
  answer: () => undefined,
  events: [],
  usage: () => undefined,
  day: () => undefined,
  transferShare: () => undefined,
  measured: () => [],
  standing: undefined,
  now: 0,
} satisfies { [Selector in keyof Required<CacheView>]: CacheView[Selector] };

/** The view with some selectors of one's own; the others stay those of the view, also when it gains some. */
export const viewWith = (view: CacheView, own: Partial<CacheView>): CacheView =>
  Object.create(view, Object.getOwnPropertyDescriptors(own));

/** The value at a dotted path of a row. */
export const at = (row: unknown, path: string): unknown =>
  path.includes('.') ? path.split('.').reduce(part, row) : part(row, path);

/** Reads no field that every object inherits, such as its constructor. */
const part = (value: unknown, key: string): unknown =>
  value === null || typeof value !== 'object' || (key in Object.prototype && !Object.hasOwn(value, key))
    ? undefined
    : (value as Record<string, unknown>)[key];

/** The items of a list; none where the value is no list. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The texts of a list. */
export const textsOf = (value: unknown): readonly string[] => itemsOf(value).map(String);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** Whether a value can be read as a row: an object. */
export const isRow = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Whether a value says nothing. */
export const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Whether a value says nothing, or is a list without items. */
export const isEmpty = (value: unknown): boolean => isNothing(value) || (Array.isArray(value) && value.length === 0);

/** The objects of a list. */
export const rowsOf = (value: unknown): readonly Row[] => itemsOf(value).filter(isRow);

/** Counts the rows of a resource that name a row by its id in this field; undefined where not all are read. */
export const countedBy =
  (name: string, field: string) =>
  ({ id }: Row, view: CacheView): number | undefined => {
    const { length } = view.rows(name).filter((row) => row[field] === id);
    return view.isRead(name) ? length : undefined;
  };

/** A statistic of servers that is summed up and compared. */
export type Load = (typeof loads)[number];

/** All of them, in the order in which they are offered. */
export const loads = ['cpu', 'networkIn', 'networkOut', 'io'] as const;

/** The past 24 hours of one load: means of half hours, the oldest first, NaN where there was no reading. */
export interface LoadDay {
  buckets: Float32Array;
  /** Means of five minutes, likewise; kept for the servers that were read last. */
  fine?: Float32Array;
  /** The newest reading, a mean of five minutes; the mean and the largest of all. */
  last?: number;
  mean?: number;
  max?: number;
}

/** The past 24 hours of a server; CPU in percent of one processor, the network in bit/s, I/O in blocks/s. */
export interface Day extends Readonly<Record<Load, LoadDay>> {
  /** The end of the last half hour, in ms since the epoch. */
  until: number;
}

/** The text at a dotted path; undefined where there is none or it is blank. */
export const textAt = (row: unknown, path: string): string | undefined => textIn(at(row, path));

/** The finite number at a dotted path. */
export function numberAt(row: unknown, path: string): number | undefined {
  const value = at(row, path);
  return isNumber(value) ? value : undefined;
}

/** The time at a dotted path, in ms since the epoch. */
export function timeAt(row: unknown, path: string): number | undefined {
  const time = timeOf(at(row, path));
  return Number.isFinite(time) ? time : undefined;
}

/** The id at a dotted path as text. */
export function idAt(row: unknown, path: string): string | undefined {
  const value = at(row, path);
  return isNumber(value) ? String(value) : textAt(row, path);
}

/** Names a row in a sentence: by its label, else by its id. */
export const rowName = (row: unknown, noun: string): string => called(at(row, 'label'), noun, at(row, 'id'));

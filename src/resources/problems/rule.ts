/**
 * The language of the rules that find what is wrong, or soon will be, among what is loaded: pure functions that ask for nothing.
 */

import type { CacheView, Params, Row } from '../resource.ts';
import type { RowIndex } from './rowIndex.ts';

/** `critical` hurts now, `warning` will or may, `notice` is worth knowing. */
export type Severity = 'critical' | 'warning' | 'notice';

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

/** The rows of a resource that are loaded below the same parents. */
export interface LoadedList {
  params: Params;
  rows: readonly Row[];
  /** All there are: what is not among them does not exist. */
  whole: boolean;
}

/**
 * The facts that rules see: all that is loaded at this moment. A row is examined again when something has changed that a rule has
 * looked at for it, so a rule asks for as little as it needs: `find` and `row` rather than all rows.
 */
export interface Facts extends CacheView {
  /** The loaded lists of a resource, one for each of its parents; what there is only one of is a list of one. */
  lists(resource: string): readonly LoadedList[];
  /** Whether a list is loaded whole, so that what is not in it is not there. `under` names its parents. */
  isWhole(resource: string, under: Params): boolean;
  /** The loaded rows of a resource, or the newest events, that are found under a text. */
  find(resource: string, index: RowIndex, value: string): readonly Row[];
  /** The last answer of one of the operations of a resource; undefined where it was not read. */
  answer(resource: string, operation: string, params: Params): unknown;
  /** The newest events of the account, the newest first. */
  events: readonly Row[];
  /** The load of a server; undefined where its statistics were not read. */
  usage(serverId: string): Usage | undefined;
  /** The servers whose statistics were asked for. */
  measured(): Iterable<string>;
}

export interface Found {
  /** One sentence that names the object and what is wrong with it. */
  says: string;
  /** Since when, in ms since the epoch, where that is known. */
  since?: number;
  /** Where it differs from the rule's own. */
  severity?: Severity;
  /** Where one row has several of these: what tells them apart, stable over time. */
  part?: string;
}

/** Likely to help: an action, creation or lead of the resource by its name, or a tab of the row by its title. */
export type Remedy = { action: string } | { lead: string } | { tab: string };

/** One way in which a row of a resource can be in trouble. */
export interface Rule<T = Row> {
  /** Unique; lower-case words with dashes. */
  name: string;
  severity: Severity;
  /** The resource whose loaded rows are examined. */
  of: string;
  /** Further resources that it looks at; before it says that something is not there, it asks `isLoaded`. */
  reads?: readonly string[];
  /** The operation of the resource whose answer for each row it looks at. */
  asks?: string;
  remedy?: Remedy;
  /** `params` name the row, with its parents. */
  find: (row: T, facts: Facts, params: Params) => Found | readonly Found[] | undefined;
}

/** A rule whose rows are `T` inside and plain rows outside. */
export function rule<T>(): (rule: Rule<T>) => Rule {
  return (rule) => rule as unknown as Rule;
}

/** Whether a list is loaded whole, so that what is not in it is not there. `under` names its parents. */
export const isLoaded = (facts: Facts, resource: string, under: Params = {}): boolean => facts.isWhole(resource, under);

/** Whether one of these lists is whole and lies under these parents. */
export const hasWhole = (lists: readonly LoadedList[], under: Params): boolean =>
  lists.some(({ params, whole }) => whole && Object.entries(under).every(([name, value]) => params[name] === value));

/** Something wrong with one object of the account. */
export interface Problem {
  /** The same as long as the same thing is wrong with the same object. */
  id: string;
  severity: Severity;
  /** The name of the rule that found it. */
  rule: string;
  /** The object: its resource, the parameters that name it, and what it is called. */
  resource: string;
  params: Params;
  label: string;
  says: string;
  /** In ms since the epoch. */
  since?: number;
  remedy?: Remedy;
}

/**
 * The language in which every noun of the API is described: pure data and pure functions,
 * from which lists, details, forms, keys, confirmations, documentation and the demo's routes are derived.
 */

import type { CellFormat } from '../text/cellFormat.ts';
import type { Action, Deletion, Operation, Shortcut } from './action.ts';
import type { Statistics } from './compute/statistics.ts';
import type { DescribedFields, Field } from './field.ts';
import type { ListScreenName, ResourceName, ScreenName } from './names.ts';
import type { Overview } from './overview.ts';
import type { CacheView, Params, Row } from './row.ts';

/** One column of a list and one line of a card. */
export interface Column<T = Row> {
  title: string;
  /** A dotted path into the row, or the value worked out from it. */
  value: string | ((row: T, view: CacheView) => unknown);
  format?: CellFormat;
  /** 1 stays in the narrowest list, 2 comes at ordinary width, 3 only when there is room. Default 2. */
  keep?: 1 | 2 | 3;
  /** Widest useful width in cells. */
  width?: number;
  /** Chosen by the user, and so wide in cells; 0 is as wide as its values. A list with such columns shows these alone. */
  exact?: number;
  /** Its name in a filter, where that is shorter than its title. */
  name?: string;
  /** The words that it can have, where the documents list them all: a filter takes each of them whole. By default the options of its field. */
  words?: readonly string[];
  /** The one of `operations` that is read about each row before the view that `value` looks at has it; until then the value is undefined. Such a column can be filtered and sorted by as far as rows are read. */
  fetches?: string;
  /** Percentages of the past day, the oldest first, drawn before the value. */
  curve?: (row: T, view: CacheView) => readonly number[] | undefined;
  /** It says `none` where there is nothing: no value is not known, or cannot be, and no filter for none finds that. */
  saysNone?: true;
  /** The resource whose rows tell the value: where they do not, it is not known rather than absent. */
  toldBy?: ResourceName;
  /** Summed up over the rows shown, in the title of the list; as words, behind the sum: `a month`. */
  total?: true | string;
}

/** One tab of a detail, after the overview and before history and JSON. */
export type Tab<T = Row> =
  /** The rows of a child of this resource; `operation` names the one of `operations` that lists them, where it is not that resource's own; `gauge` tells how much of this one they take. */
  | { title: string; list: ResourceName; operation?: string; gauge?: (row: T, view: CacheView) => Gauge | undefined }
  /**
   * A screen of `screens/custom`, given this resource and row; `uses` as an action has it. One that `tells` less than fills
   * a wide line has the row beside it there, without the columns of these titles.
   */
  | { title: string; screen: ScreenName; uses?: readonly string[]; tells?: readonly string[] }
  /** The answer of one of `operations`, as it is. */
  | { title: string; answer: string };

/** A collection to read. */
export interface ListOperation extends Operation {
  /** `numbered` has page and page_size, `marker` has next_marker, `whole` answers all at once. */
  pages: 'numbered' | 'marker' | 'whole';
  /** Takes the rows out of a body that is not a paginated collection. */
  rows?: (body: Row) => readonly Row[];
  /** Sent as X-Filter, or made of the parameters; an API that refuses it is asked without. */
  filter?: Row | ((params: Params) => Row);
  /** A long list of large rows: each numbered page is read only when somebody looks that far. */
  gradual?: true;
  /** Rows of the list may lack fields that the view has; it is read before a form starts from one. */
  partial?: true;
}

/** One of several views of a list, e.g. the images of the account and the public ones. */
export interface Section<T = Row> {
  title: string;
  /** Short words for the palette, by which it is opened. */
  aliases?: readonly string[];
  /** Which of the rows belong to it. */
  only: (row: T) => boolean;
  /** The titles of the columns it shows, in their order; all by default. */
  columns?: readonly string[];
  /** The one of `operations` that lists it, where that is not `list`. */
  operation?: string;
  /** Said in place of the resource's own words when there is none. */
  empty?: string;
  /** A sentence about its rows. */
  says?: string;
}

/** Rows that the program makes of what is loaded, while their list is shown. */
interface Made<T = Row> {
  rows: (view: CacheView) => readonly T[];
  /** The resources whose lists they are made of, and those of which there is only one. */
  reads: readonly ResourceName[];
  single: readonly ResourceName[];
  /** The operations that are read about each row of one of these, and those whose answers are looked at. */
  about: { of: ResourceName; fetches: readonly string[]; keeps: readonly string[] };
  /** Said below the list. */
  foot: (view: CacheView) => string;
  /** The rows, of this list or another, that are shown in place of a row of their own; undefined for a row that has one. */
  opens: (
    row: T,
  ) => { section?: string; list?: ResourceName; filter: string; sort?: string; says?: string } | undefined;
}

/** The members of an operation that follow from the resource and the place where it is described. */
type Implied = 'name' | 'key' | 'help' | 'method' | 'path' | 'scope';

/** A part of a description, in which these may be left out, and what its own fields are called. */
export type Described<Part> = Omit<Part, Implied | 'fields'> &
  Partial<Pick<Part, Implied & keyof Part>> &
  ('fields' extends keyof Part ? { fields?: DescribedFields } : unknown);

/** One of several actions: a POST goes to the name of the action below the row, all else to the row. */
export type DescribedAction<T = Row> = Described<Action<T>> &
  Pick<Action<T>, 'name' | 'key'> &
  (Pick<Action<T>, 'help'> | Required<Pick<Action<T>, 'on'>>);

/** The members of a description that are said otherwise than those of a resource, or follow from its names. */
interface SaidOf<T> {
  /** The field that identifies a row, `id` by default. */
  id?: string;
  /** The noun in a sentence; by default the name as words, without its `s`. */
  one?: string;
  /** The heading; by default the name as words. */
  many?: string;
  /** The path parameter that a row's id fills; by default the last word of the noun and `Id`, or the field that identifies a row. */
  param?: string;
  /** Names a row in a sentence; by default its `label`, or its id where it has none. */
  label?: (row: T) => string;
  fields?: DescribedFields;
  /** Path of the list; that of a row is `param` below it, or the one of `view`. */
  path?: string;
  /** The scope by its first part: `volumes` is read with `volumes:read_only` and changed with `volumes:read_write`. */
  scope?: string;
  /** By default one of numbered pages, and a view of each row; `false` where the API has none. */
  list?: Described<ListOperation> | false;
  view?: Described<Operation> | false;
  create?: Described<Action<T>>;
  creates?: readonly DescribedAction<T>[];
  edit?: Described<Action<T>>;
  remove?: Described<Deletion<T>>;
  actions?: readonly DescribedAction<T>[];
  operations?: Readonly<Record<string, Described<Operation> | Described<ListOperation>>>;
}

/** One noun of the API as its file describes it. */
export type Description<T = Row> = Omit<Resource<T>, keyof SaidOf<T>> & SaidOf<T>;

/** One noun of the API. */
export interface Resource<T = Row> {
  /** Plural, lower case, as in the URL of a deep link: `volumes`. */
  name: ResourceName;
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
  /** The documents advise against it: where there are no rows of it, it is offered only by its whole name. */
  deprecated?: true;
  /** The path parameter that a row's id fills. */
  param: string;
  /** Where several fields identify a row: what fills each parameter, in the order of the id's parts; `param` is the last. */
  params?: Readonly<Record<string, string | ((row: T) => unknown)>>;
  /** The parent resource, from which its other path parameters come. */
  under?: ResourceName;
  /** Its rows are an area, too, over all rows that they lie under; the title of the column that tells where each lies. */
  across?: string;
  /** Filters of its area that the palette knows by these names. */
  finds?: readonly { title: string; aliases: readonly string[]; filter: string }[];
  /** Where a row lies, with `{}` in the place of its parent's label: `in zone {}`. By default `of`, the parent's noun and that label. */
  within?: string;
  /** The field that tells whether something uses a row, which the platform changes by itself: only a row that is used anew is another one. */
  used?: { by: string; is: (row: T) => boolean };
  /** Names a row in a sentence. */
  label: (row: T) => string;
  fields: Readonly<Record<string, Field>>;
  columns: readonly Column<T>[];
  /** Further lines of the overview card; the columns come first. */
  card?: readonly Column<T>[];
  /** The facts by which one is chosen where a form refers to it, each in a column; its first columns by default. */
  choice?: (row: T) => readonly string[];
  /** Why it is offered there behind all others, as words beside it: "deprecated". */
  offeredLast?: (row: T, view: CacheView) => string | undefined;
  /** The blocks of the overview beside the card. */
  overview?: Overview<T>;
  /** Resources whose rows its columns look at; their lists are read while its own rows are shown. */
  reads?: readonly ResourceName[];
  /** The list is sorted by this column at first: its title, `-` before it for descending. */
  sort?: string;
  /** Said when there is none: what it is for and the way to the first one. */
  empty?: string;
  list?: ListOperation;
  /** The views that the list falls apart into; the first is shown at first. */
  sections?: readonly Section<T>[];
  /** Without a list and without parameters in its path the resource is the only one of its kind and is shown at once. */
  view?: Operation;
  /** Matches ids of which a row can be opened that is in no list loaded. */
  ids?: RegExp;
  create?: Action<T>;
  /** Other ways to make a row than `create`, offered beside it. */
  creates?: readonly Action<T>[];
  edit?: Action<T>;
  remove?: Deletion<T>;
  actions?: readonly Action<T>[];
  shortcuts?: readonly Shortcut<T>[];
  tabs?: readonly Tab<T>[];
  /** The title of the tab at which a row opens, where that is not the overview. */
  opensAt?: string;
  /** Operations that screens of `screens/custom` and columns use. */
  operations?: Readonly<Record<string, Operation | ListOperation>>;
  /** Its statistics, drawn as graphs by the screen of that name; rows of a list can be compared by them. */
  statistics?: Statistics<T>;
  /** `entity.type` of the events about a row. */
  entity?: string;
  /** The path in a row to the entity (`{type, id}`) that it is about, for the key that leads there; without a `view` it opens there. */
  about?: string;
  /** A row names the row that it is about by `resource` and `params`. */
  named?: true;
  /** The types that the entity has as a rule; any by default. */
  aboutTypes?: readonly string[];
  /** Joins its rows to others beyond the ids in its fields. */
  relations?: readonly Relation<T>[];
  /** Prefixes of event actions that change rows of this resource; by default its entity's, e.g. `volume_`. */
  events?: readonly string[];
  /** The price of a row in US dollars a month; undefined where that is not known. */
  monthly?: (row: T, view: CacheView) => number | undefined;
  /** Further texts of a row worth copying, by name; on one line, but for those in `paragraphs`. */
  copies?: Readonly<Record<string, (row: T, view: CacheView) => string | undefined>>;
  /** Names in `copies` of texts that keep their line breaks. */
  paragraphs?: readonly string[];
  /** Rows are shown to all and belong to nobody: no marks, no events; their list stays fresh for ten minutes by default. */
  catalogue?: true;
  /** The program makes the rows itself: nothing is asked for, so there are no operations. */
  local?: true;
  made?: Made<T>;
  /** A row stands for the row that it names by `resource` and `params`: keys act on that. */
  standsFor?: true;
  /** Its rows are changes that were sent from here: what can be of them is taken back. */
  takenBack?: true;
  /** The screen of `screens/custom` that shows the list in place of the generic one. */
  screen?: ListScreenName;
}

/** A share of something that is taken, shown as a bar. */
export interface Gauge {
  used: number;
  of: number;
  /** Both are written so. */
  format: CellFormat;
  /** A participle for the share: "allocated". */
  says: string;
}

/** All loaded rows of a resource, by its name. */
export type Loaded = (resource: string) => readonly Row[];

/** Joins rows to those of another resource where no field holds their ids: both sides have a value in common. */
export interface Relation<T = Row> {
  /** The resource or resources on the other side. */
  to: ResourceName | readonly ResourceName[];
  /** The values of a row. */
  by: (row: T, loaded: Loaded, view: CacheView) => readonly unknown[];
  /** Those of a row on the other side; its id by default. */
  theirs?: (row: Row) => readonly unknown[];
}

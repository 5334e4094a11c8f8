import type { Field } from './field.ts';
import type { DialogName, ResourceName } from './names.ts';
import type { Program } from './placeholders.ts';
import type { CacheView, Draft, Params, Row } from './row.ts';

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
  /** Packs an answer into less memory before it is cached; only the screens that use it can read the result. */
  compact?: (answer: Row) => Row;
  /** The `data` of an answer are rows of this resource, which its lists are brought in line with. */
  rowsOf?: ResourceName;
  /** Known from elsewhere than the three documents; its absence must not hurt. */
  undocumented?: true;
}

/** Full sentences, or nothing to say. The row is empty where one is made. */
export type Said<T> = string | ((row: T, view: CacheView, draft: Draft, params: Params) => string | undefined);

/** All that is said before an action is sent. */
export interface Ask<T = Row> {
  /** Said in the form, and with the question where nothing else is asked: what it touches, what it needs. */
  note?: Said<T>;
  /** Behind `Cost` in its form and its question, for all rows together: no sentence. Nothing where it is free; a price that the API does not tell is said to be so. */
  cost?: string | ((rows: readonly T[], view: CacheView, draft: Draft) => string | undefined);
  /** Asked before it is sent; nothing is asked where it says nothing. */
  question?: Said<T>;
  /** Asked in place of the question where something is lost or stops: the effect and the loss. */
  warning?: Said<T>;
  /** Said of several rows in place of the question or warning of each. */
  together?: string | ((rows: readonly T[], view: CacheView, draft: Draft) => string);
  /** Have the label typed before it is sent. */
  typeLabel?: true;
  /** When a form asks, as the end of a sentence: "it replaces an object". Left out where it always does, or never. */
  when?: string;
}

/** A complaint of a rule that spans fields, shown at `field`. */
export interface Complaint {
  field: string;
  says: string;
}

/** Rows below another one, of which a change needs one. */
export interface Needed {
  list: ResourceName;
  under: Params;
  /** Why it is refused where there is none. */
  none: Complaint;
  /** Sentences for where there are several, and where that cannot be read. */
  several: string;
  unread: string;
}

/** A change that was done, or is about to be. */
export interface Done<T = Row> {
  /** The parameters of the row, or those of the list in which one was made. */
  params: Params;
  body?: Row;
  /** The part of the row that it touched, as it was before: of an edit the fields that it sent, else all. */
  before?: T;
  /** The row that it made, or what is known of it. */
  made?: Row;
}

/** The change that takes another one back. */
export interface Inverse {
  /** The names of its resource and action. */
  resource: string;
  action: string;
  params: Params;
  body?: Row;
  /** The same as a form holds it. */
  entries?: Draft;
  /** Clauses about what is not as before then: "it gets another id". */
  differs?: readonly string[];
  /** The action that is done to the same row before it, the entries that it finds, and a clause about both. */
  first?: { action: string; says: string; made?: Draft };
  /** The entries that the change had left, where they do not follow from its body alone. */
  made?: Draft;
}

/**
 * An inverse as a description says it. Left out are its own resource, the parameters of the row, and all entries that
 * follow from the row as it was.
 */
export type InverseSketch = Pick<Inverse, 'action'> & Partial<Omit<Inverse, 'body'>>;

/** The marks of a change that was done, by which it is recognised where its answer was lost. */
interface Evidence<T = Row> {
  /**
   * The actions of the events that it causes (document 1, 2.5), about its row, the new one, or one that these lie under; that
   * there is none means that it was not done. By default events that end in its name tell that it was done, and nothing else.
   */
  events?: readonly string[];
  /** The answer says that a job has begun, which ends later. */
  isJob?: true;
  /** The status that the row has once that job has ended; by default the one that it had. */
  reaches?: string;
  /** Of a creation: the fields of its body that nobody else would send alike by chance. */
  names?: readonly string[];
  /** The API keeps two rows from having the same names. */
  isUnique?: true;
  /** Of a creation: the field of the new row with the time at which it was made. */
  time?: string;
  /** Of a creation: the field of the new row with the user who made it. */
  author?: string;
  /** The one of `operations` whose answer shows it, in place of the row. */
  answer?: string;
  /** Whether a row is as this leaves it, or on the way there. By default an answer that shows it holds what was sent. */
  state?: (row: T, body: Row, answer: Row) => boolean;
}

/** Whether a line of an output says something good; `warn` where that is not known, `dim` where it is not known yet. */
export type LineTone = 'good' | 'bad' | 'warn' | 'dim' | 'plain';

/** A row that an action makes or edits, by the form of its resource. */
export interface Part {
  of: ResourceName;
  /** The one that is edited; left out where one is made. */
  row?: Row;
  entries: Draft;
}

/** A change of one row, or the creation of one. */
export interface Action<T = Row> extends Operation {
  /** Unique within the resource; one lower-case word or words with dashes. */
  name: string;
  /** Its letter, a capital in the actions menu; create, edit and remove have the keys `n`, `e` and `d` in lists. */
  key: string;
  /** The action as a verb phrase: "Resize"; by default `on` without the rows. */
  help: string;
  /** The same with `{}` in the place of the rows it is done to; by default these follow: "Resize 3 volumes". */
  on?: string;
  /** Names of fields in the order of the form; a trailing `!` marks a required one. */
  body?: readonly string[];
  /** Fields that this action alone has, or has by other rules than the resource's field of that name. */
  fields?: Readonly<Record<string, Field>>;
  /** Said and asked before it is sent; `false` where it is sent at once, because nothing is lost by it. */
  ask?: false | Ask<T>;
  /** Why it cannot be done now, as a sentence; undefined when it can. */
  refuse?: (row: T, view: CacheView) => string | undefined;
  /** The reasons of `refuse` in a few words that fit every row, where its sentences name other things: "attached to a server". */
  staysOut?: string;
  /** Rules across fields; the first complaint is shown. `params` are those of the form's path. */
  check?: (draft: Draft, view: CacheView, row: T | undefined, params: Params) => Complaint | undefined;
  /** The rows that it needs with these entries, which its rules need not have read. */
  needs?: (draft: Draft, view: CacheView) => Needed | undefined;
  /** The lists below the row that it makes of this body that have nothing in them. */
  emptyBelow?: (body: Row) => readonly ResourceName[];
  /** The one of `operations` whose answer the form starts from as well: the row alone does not have it. */
  prefill?: string;
  /** The form starts from these entries; by default from those of the row that it edits, and else from none. */
  start?: (row: T | undefined, view: CacheView, params: Params) => Draft;
  /** Of a creation: further entries for a new row like this one, where they do not follow from its fields of those names. */
  like?: (row: T) => Draft;
  /** Sent in its place, all confirmed and taken back as one: rows below its own that it makes and edits. */
  parts?: (row: T, view: CacheView, draft: Draft, params: Params) => readonly Part[];
  /** Sent in its place: a row of this below each of its rows, by the form of the creation of one. */
  below?: ResourceName;
  /** The action that is asked about its rows once the secrets of what was made in their place were taken. */
  next?: string;
  /** Turns the body derived from the fields into the one that is sent, where they differ in shape. */
  send?: (body: Row, draft: Draft, row: T | undefined) => Row | undefined;
  /** The price of a row after it, in US dollars a month; undefined where that is not known. */
  monthly?: (row: T, view: CacheView, draft: Draft) => number | undefined;
  /**
   * The change that takes it back, or a sentence why there is none. Left out, or undefined, where that follows from its
   * kind: an edit sends what was there before, a creation is followed by a deletion.
   */
  inverse?: string | ((done: Done<T>, view: CacheView) => InverseSketch | string | undefined);
  shownBy?: Evidence<T>;
  /** Its fields are those of a row that it makes, from the one that it is done to: a copy, a snapshot. */
  makes?: true;
  /** The values that it leaves in the row besides those that it sends, by the paths of fields; left out where that is not known. */
  leaves?: Row;
  /** Its row serves less or nothing for a while, or from then on: of several rows it is done to one after the other, unless the user says otherwise. */
  disrupts?: 'for a while' | 'from then on';
  /** Its fields are none of the row, so that all of them are sent whatever the row has. */
  whole?: true;
  /** Only offered on one row, never on marked ones. */
  single?: true;
  /** Its form and question always name the row that its rows lie under. */
  tellsWhere?: 'always';
  /** Resources whose rows its rules look at; they are read before its form or question opens. */
  reads?: readonly ResourceName[];
  /** Further resources whose loaded lists are stale after it. */
  invalidates?: readonly ResourceName[];
  /** Opens this dialog of `screens/custom` instead of the generic form. */
  dialog?: DialogName;
  /** The ones of `operations` that the dialog sends, and of other resources `replies.list`, or `objects` for a list with all that it offers. */
  uses?: readonly string[];
  /** The body goes as a multipart form; its fields are files, which are read from this machine. */
  multipart?: true;
  /** Takes the row out of an answer that holds more than it, or that is another row than the one it is done to. */
  row?: (answer: Row) => Row;
  /** Sent before it, e.g. the deletion of what it replaces; that there is nothing there (404) is no failure. */
  first?: Operation;
  /** The fields of the answer that are shown once, whole, and never again; the last is the secret itself. */
  secret?: readonly string[];
  /** The file that is put, got or deleted elsewhere once the API has answered with its address. */
  fileTransfer?: FileTransfer;
  /** The part of the cloud that it changes besides the row itself, as it is now; kept with how the row was. */
  also?: (view: CacheView, params: Params) => Row;
  /** Further parameters of its path, which the row fills, or what was entered. */
  fills?: (row: T, params: Params, draft?: Draft) => Params;
  /** It changes nothing: a read-only session offers it, no guard is asked, and its answer is only shown. */
  harmless?: true;
  /** It is run instead of a request; the path is empty. */
  program?: Program;
}

interface Warning<T> extends Ask<T> {
  warning: Said<T>;
}

/** An action that ends a row, which always warns of that. */
export interface Deletion<T = Row> extends Action<T> {
  ask: Warning<T>;
  /** Resources whose rows go along with it; they are among those in `reads`. */
  takes?: readonly ResourceName[];
}

/** A way into another resource's form, with what is known already filled in. */
export interface Shortcut<T = Row> extends Pick<Action<T>, 'name' | 'key' | 'help' | 'refuse'> {
  /** The resource and the name of its action whose form opens. */
  to: ResourceName;
  action: string;
  /** The form starts from these entries; `rows` are all that were chosen, `row` the first of them. */
  start: (row: T, view: CacheView, params: Params, rows?: readonly T[]) => Draft;
  /** Also offered on several marked rows. */
  many?: true;
  /** Of several marked rows one is made below each, by one form; or in place of each, where there is a `next`. This is its help with `{}` for them. */
  each?: string;
  /** Said before one is made in place of each, without a form. */
  together?: string;
  /** The action of this resource, without a form, that is asked about the row once the other form was sent. */
  next?: string;
}

/** A file on another host is put, got or deleted, at a signed address that the answer to an action gives; without the token. */
export type FileTransfer =
  | {
      way: 'upload';
      /** The `file` field of the form that holds its path. */
      file: string;
      /** The field of the answer that holds the address. */
      address: string;
      /** The field of the body that was sent which holds its content type. */
      contentType?: string;
      /** Said when the file has arrived, or has not: what becomes of what was made for it. */
      arrived?: string;
      missed?: string;
    }
  | { way: 'download'; file: string; address: string }
  | { way: 'delete'; address: string };

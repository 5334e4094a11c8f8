import { capitalized, wordsOf } from '../text/words.ts';
import type { ResourceName } from './names.ts';
import type { CacheView, Draft, Params, Row } from './row.ts';

type FieldKind =
  /** One line of text; `min` and `max` count characters. */
  | 'text'
  /** Several lines, also pasted or written in the editor. */
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
  /** Several of `options`. */
  | 'choices'
  /** A JSON object, typed. */
  | 'json'
  /** A file on this machine; its path is typed. `max` counts bytes. */
  | 'file';

/** One writable field; its limits are written here and nowhere else. */
export interface Field {
  label: string;
  kind: FieldKind;
  min?: number;
  max?: number;
  /** Items and entries must match `test`; `says` is the rule as a noun phrase: what they are made of ("letters, digits, - _ ."), or with `whole` what they are ("a mailbox, @ and a domain"). */
  pattern?: { test: Pick<RegExp, 'test'>; says: string; whole?: true };
  /** Said after the number, e.g. `GiB`. */
  unit?: string;
  /** The allowed values of a choice, in the order in which they are offered; by default those whose meaning is said. */
  options?: readonly string[];
  /** The options of `choices` where they depend on the rows that are changed. */
  optionsOf?: (rows: readonly Row[]) => readonly string[];
  /** The meaning of each option, said beside it. */
  optionHelp?: Readonly<Record<string, string>>;
  /** The options are whole numbers, of seconds where that is said, and sent as such. */
  numeric?: true | 'seconds';
  /** The API takes this one of the options for any other number. */
  rounds?: (number: number) => number;
  /** The resource or resources that a reference or device points to. */
  to?: ResourceName | readonly ResourceName[];
  /** The field is typed, but rows of `to` may be picked: what a picked row enters, undefined where it is not offered. */
  picks?: (row: Row, draft: Draft, subject?: Row) => string | undefined;
  /** The entry that a row gets where this one was made for several, and what is said of it in their form. */
  each?: { of: (entry: string, row: Row, view: CacheView) => string; help: string };
  /** Whether there can be anything to pick; always by default. */
  picksWhen?: (draft: Draft, subject?: Row) => boolean;
  /** Which rows of `to` may be picked; `params` are those of the form's path. */
  offers?: (row: Row, draft: Draft, view: CacheView, subject?: Row, params?: Params) => boolean;
  /** The parameters below which `to` is listed, where it is the child of another resource. */
  under?: (draft: Draft, params: Params) => Params | undefined;
  /** The file is made, so there must be none yet. */
  isNew?: true;
  /** The first bytes of every file that may be chosen; `says` is what such a file is, as a noun phrase. */
  begins?: { bytes: readonly number[]; says: string };
  /** The parts of a JSON object, by name, where they are known: then these are offered in its place. */
  members?: (draft: Draft, view: CacheView) => Readonly<Record<string, Field>> | undefined;
  /** The API takes this when the field is left out. */
  fallback?: string | number | boolean;
  /** Required, always or in this draft. */
  needed?: boolean | ((draft: Draft) => boolean);
  /** Offered and sent only when true; always by default. */
  shown?: (draft: Draft, subject?: Row) => boolean;
  /** Stands in answers for a value that the API keeps to itself; shown as it is, and whatever is entered takes its place. */
  hidden?: string;
  /** A rule beyond the above; answers what is wrong, as the end of a sentence that begins with the label. */
  check?: (entry: string, draft: Draft, view: CacheView, subject?: Row) => string | undefined;
  /**
   * Sent in place of a value that is taken away from a row; without it that is refused. Lists are sent empty.
   * A text that has a least length must not be sent as ''.
   */
  emptied?: null | '';
  /** Of a list of words: entries are added to and taken from the row as it is now, so that those of others stay. */
  merged?: true;
  /** A list whose entries are only added to that of the row, or only taken from it. */
  part?: 'added' | 'removed';
  /** The platform itself changes it all the time, so that a difference is no conflict. */
  volatile?: true;
  /** Sent, but no part of a row. */
  writeOnly?: true;
  /** Steers the form and is never sent. */
  local?: true;
  /** Must not be the same in two rows, so it is offered for one row at a time. */
  unique?: true;
  /** The field with the certificate to which this private key must belong. */
  certificate?: string;
  /** Said below the field while it has the focus; `params` are those of the form's path. */
  help?: string | ((draft: Draft, subject?: Row, view?: CacheView, params?: Params) => string | undefined);
  /** The heading under which the form groups it. */
  section?: string;
}

/**
 * A field as a description has it: without `label`, it is called by its name; without `kind`, one with options is a choice,
 * one with `to` and without `picks` a reference, and any other a text.
 */
export type DescribedField = Omit<Field, 'label' | 'kind'> &
  Partial<Pick<Field, 'label'>> &
  (Pick<Field, 'kind'> | { kind?: undefined; fallback?: string; unit?: undefined; members?: undefined });

export type DescribedFields = Readonly<Record<string, DescribedField>>;

/** The fields with what they are called, `server_id` is `Server` and `ssh.port` is `Port`, with the options whose meaning is said, and their kind. */
export const labelled = (fields: DescribedFields): Readonly<Record<string, Field>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const label = capitalized(wordsOf(name.replace(/^.*\.|_id$/g, '')));
      const options = field.options ?? (field.optionHelp && Object.keys(field.optionHelp));
      const kind = options ? 'choice' : field.to && !field.picks ? 'reference' : 'text';
      return [name, { label, kind, ...field, ...(options && { options }) }];
    }),
  );

/** A field of a row that is made below each of several: it is told of no other row, and two rows may share it. */
export const rowless = ({ unique, each, shown, check, help, picks, picksWhen, offers, ...field }: Field): Field => ({
  ...field,
  ...(shown && { shown: (draft) => shown(draft) }),
  ...(check && { check: (entry, draft, view) => check(entry, draft, view) }),
  help: typeof help === 'function' ? (draft, _row, view) => help(draft, undefined, view) : help,
  ...(picks && { picks: (row, draft) => picks(row, draft) }),
  ...(picksWhen && { picksWhen: (draft) => picksWhen(draft) }),
  ...(offers && { offers: (row, draft, view) => offers(row, draft, view) }),
});

/** The kinds of fields that are one text, of which characters are counted. */
export const textKinds: readonly FieldKind[] = ['text', 'paragraph', 'secret', 'secretParagraph'];

/** Whether what is typed is not shown. */
export const isSecret = ({ kind }: Pick<Field, 'kind'>): boolean => kind === 'secret' || kind === 'secretParagraph';

/** The resources whose ids are texts; those of all others are numbers. */
const namedByTexts: ReadonlySet<Field['to']> = new Set<ResourceName>([
  'buckets',
  'images',
  'kernels',
  'object-clusters',
  'regions',
  'server-types',
  'tags',
]);

/** Whether the ids that a field refers to are texts. */
export const hasTextIds = ({ to }: Pick<Field, 'to'>): boolean => namedByTexts.has(to);

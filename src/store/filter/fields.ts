import { memoizeText } from '../../resources/memoize.ts';
import { observeView } from '../../resources/observe.ts';
import { at, type CacheView, type Column, isEmpty, type Row } from '../../resources/resource.ts';
import { displayText } from '../../text/words.ts';
import { eventsName } from '../queries.ts';

/** The words of a field as the documents list them, each meant whole, however it is spelled; none where they list none. */
export type KnownWords = readonly string[];

export const yesNo: KnownWords = ['yes', 'no'];
const noWords: KnownWords = [];

/** The words that a column can have where these are a closed set; undefined where any text may stand there. */
const wordsOfColumn = ({ format, words }: Pick<Column, 'format' | 'words'>): KnownWords | undefined =>
  format === 'boolean' || format === 'mark' ? yesNo : (words ?? (format === 'status' ? noWords : undefined));

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'on', 'true', 'enabled'].map((word) => [word, true] as const),
  ...['no', 'off', 'false', 'disabled'].map((word) => [word, false] as const),
]);

/** Whether a word means true or not; undefined where it means neither. */
export const truthOf = (word: string): boolean | undefined => truths.get(word.toLowerCase());

/** A word as it is compared: `shutting_down`, `Shutting down` and `shutting-down 40%` are one. */
export const wordKey = memoizeText((word) =>
  word
    .replace(/\s\d{1,3} ?%$/, '')
    .replace(/(?<=.)[\s_-]+(?=.)/g, '')
    .toLowerCase(),
);

/** A word that stands where there is nothing. */
export const isEmptyWord = (value: unknown): boolean => value === 'off' || value === 'none';

type Reader = (row: Row) => unknown;

/** A field of rows as filters name it. */
export interface FilterField extends Pick<Column, 'format' | 'fetches' | 'saysNone' | 'toldBy'> {
  name: string;
  /** The words that it can have, where these are a closed set. */
  words?: KnownWords;
  read: Reader;
  /** Whether all is known of a row that its value is made of. */
  isKnown: (row: Row) => boolean;
}

/** The name of a column in a filter: its own, or its title with dashes for spaces. */
export const titled = ({ name, title }: Column): string => name ?? title.toLowerCase().replaceAll(' ', '-');

/** Names what is different about a row since an earlier session: `is:changed`. */
export const standingName = 'is';
const standings: KnownWords = ['new', 'changed'];

/** A field by the title of a column (with dashes for spaces, shortened or in the plural) or by its path. */
export function fieldNamed(name: string, columns: readonly Column[], view: CacheView): FilterField | undefined {
  const wanted = name.toLowerCase();
  const { standing } = view;
  if (standing && wanted === standingName)
    return { name: standingName, words: standings, read: standing, isKnown: () => true };
  const singular = (word: string) => word.replace(/s$/, '');
  const column =
    columns.find((column) => titled(column) === wanted || column.value === name) ??
    columns.find((column) => titled(column).startsWith(wanted)) ??
    columns.find((column) => singular(titled(column)) === singular(wanted));
  if (column) {
    const read = readOf(column, view);
    return { ...column, name: titled(column), words: wordsOfColumn(column), read, isKnown: knownOf(column, view) };
  }
  const isPath = name === 'id' || name.includes('.') || name.includes('_');
  return isPath ? { name, read: (row) => at(row, name), isKnown: () => true } : undefined;
}

/** Reads the value of a column; its path is split once for all rows. */
export function readOf({ value }: Column, view: CacheView): Reader {
  if (typeof value !== 'string') return (row) => value(row, view);
  const [first = '', ...rest] = value.split('.');
  const last = rest.join('.');
  return rest.length === 0 ? (row) => row[first] : (row) => at(row[first], last);
}

/** The value that a column shows of a row. */
export const valueIn = (row: Row, { value }: Column, view: CacheView): unknown =>
  typeof value === 'string' ? at(row, value) : value(row, view);

/** A value as filters search it: yes and no as they are shown, the items of a list behind one another. */
export const searched = (value: unknown): string =>
  Array.isArray(value) ? value.map(searched).join(' ') : displayText(value);

/** Whether a row has no value in a field. */
export const isAbsent = (value: unknown): boolean => isEmpty(value) || Number.isNaN(value);

/** Tells whether a column's value of a row is known: what is read for itself was, and the lists were that it is looked up in. */
export function knownOf(column: Column, view: CacheView): (row: Row) => boolean {
  const { value, fetches, toldBy } = column;
  if (fetches !== undefined || toldBy !== undefined) return (row) => !isAbsent(valueIn(row, column, view));
  if (typeof value === 'string') return () => true;
  let isKnown = true;
  const watched = watchedView(view, () => {
    isKnown = false;
  });
  return (row) => {
    isKnown = true;
    value(row, watched);
    return isKnown;
  };
}

/**
 * The view, with a note of each resource that is looked at although it is not read. A selector that is not named here is
 * noted whatever it answers, so that nothing is found by what is not known.
 */
export const watchedView = (view: CacheView, note: Note): CacheView =>
  observeView(view, ([selector, given, value]) => {
    switch (selector) {
      // Events are never complete, and are there from the beginning.
      case 'events':
      case 'now':
        return;
      case 'usage':
      case 'day':
      case 'transferShare':
        if (value === undefined) note('figures');
        return;
      case 'answer':
        if (value === undefined) note(`${given[0]}.${given[1]}`);
        return;
      case 'row':
        if (value === undefined) noteUnread(view, note, given[0]);
        return;
      case 'rows':
        noteUnread(view, note, ...given);
        return;
      case 'find':
      case 'deleted':
      case 'lists':
      case 'loaded':
      case 'isRead':
        noteUnread(view, note, given[0]);
        return;
      default:
        note(selector === 'measured' ? 'figures' : selector);
    }
  });

/** Told a resource, and whether its list as a whole is not read. */
type Note = (resource: string, isWhole?: boolean) => void;

function noteUnread(view: CacheView, note: Note, ...list: Parameters<CacheView['isRead']>): void {
  if (list[0] !== eventsName && !view.isRead(...list)) note(list[0], list[1] === undefined);
}

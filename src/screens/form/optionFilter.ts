import type { Field } from '../../resources/resource.ts';
import type { MenuItem } from '../menus/Menu.tsx';

/** A text in words that are looked for one by one; commas separate them where a blank ticks. */
const wordsOf = (typed: string): readonly string[] =>
  typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** Blanks need not be typed. */
const withoutSpaces = (text: string): string => text.replaceAll(' ', '');

/** Ranks the fit of a text and an item, 0 best; undefined where it does not fit. */
function rankOf({ id, label, detail = '' }: MenuItem, typed: string): number | undefined {
  const [lowId, lowLabel] = [id.toLowerCase(), label.toLowerCase()];
  if (lowId === typed || lowLabel === typed) return 0;
  if (lowLabel.startsWith(typed)) return 1;
  const text = `${lowLabel} ${lowId} ${detail.toLowerCase()}`;
  const has = (word: string) => text.includes(word) || withoutSpaces(text).includes(word);
  return wordsOf(typed).every(has) ? 2 : undefined;
}

/** The items that a typed text fits, the best first and otherwise in their order. */
function matching(items: readonly MenuItem[], typed: string): readonly MenuItem[] {
  const ranked = items.flatMap((item) => {
    const rank = rankOf(item, typed);
    return rank === undefined ? [] : [{ item, rank }];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}

/** Among more items the near ones are not looked for: each beginning goes through all of them. */
const maxSearched = 2000;

/** At most so many are named as near to what is not offered. */
const maxSuggested = 3;

/**
 * The items that a typed text means. Where it means none, these are a line that names what is near to it and cannot be
 * chosen, and then those near.
 * @param meaning the number that was typed, e.g. the 300 seconds of `5m`, where the items are numbers
 */
export function filterOptions(items: readonly MenuItem[], typed: string, meaning?: number): readonly MenuItem[] {
  const text = typed.trim().toLowerCase();
  if (text === '' || items.length === 0) return items;
  const found = meaning === undefined ? matching(items, text) : matchingNumbers(items, text, meaning);
  if (found.length > 0) return found;
  const near = meaning === undefined ? similarTo(items, text) : nearestNumbers(items, meaning);
  const names = near.map(({ label, detail }) => (meaning === undefined || !detail ? label : `${label} (${detail})`));
  const refusal = `is not offered${names.length > 0 ? `; the nearest: ${names.join(', ')}` : ''}`;
  return [{ id: `not offered: ${text}`, label: typed.trim(), refusal, run: () => undefined }, ...near];
}

/** The item that is this number, else those that begin with what was typed so far. */
function matchingNumbers(items: readonly MenuItem[], text: string, meaning: number): readonly MenuItem[] {
  const exact = items.find(({ id }) => id !== '' && Number(id) === meaning);
  const begun = items.filter(({ id }) => id.startsWith(text));
  return [...new Set([...(exact ? [exact] : []), ...begun])];
}

/** The next lower and the next higher number that is offered. */
function nearestNumbers(items: readonly MenuItem[], meaning: number): readonly MenuItem[] {
  const numbers = items.filter(({ id }) => /^\d+$/.test(id)).sort((one, other) => Number(one.id) - Number(other.id));
  const lower = numbers.findLast(({ id }) => Number(id) < meaning);
  const higher = numbers.find(({ id }) => Number(id) > meaning);
  return [lower, higher].filter((item) => item !== undefined);
}

/** Those that the longest beginning of a text fits, of at least two characters. */
function similarTo(items: readonly MenuItem[], text: string): readonly MenuItem[] {
  const looked = items.slice(0, maxSearched);
  for (let length = text.length - 1; length > 1; length--) {
    const found = matching(looked, text.slice(0, length));
    if (found.length > 0) return found.slice(0, maxSuggested);
  }
  return [];
}

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };

/** The number that was typed into a choice of numbers: of seconds it may have a unit, as in `5m`. */
export function typedNumber({ numeric }: Field, typed: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(typed.trim().toLowerCase()) ?? [];
  if (!numeric || digits === undefined) return undefined;
  if (unit === '') return Number(digits);
  const seconds = numeric === 'seconds' ? secondsIn[unit] : undefined;
  return seconds === undefined ? undefined : Number(digits) * seconds;
}

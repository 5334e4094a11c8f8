import { go, type Prepared, prepare, single } from 'fuzzysort';
import type { Resource } from '../../resources/resource.ts';
import type { MenuItem } from '../menus/itemLine.ts';

/** Something that the palette offers: a place, a verb or a command; it is carried out once the palette is closed. */
export interface Thing
  extends Pick<MenuItem, 'id' | 'label' | 'detail' | 'explains' | 'key' | 'isDanger' | 'refusal' | 'run'> {
  /** Other names, which match whole or by their beginning. */
  names?: readonly string[];
  /** The noun of a row, the area of a list. */
  kind: string;
  /** It is found by a whole name alone. */
  isHidden?: boolean;
  /** It is a tab of a row: the area of its name comes first. */
  opens?: true;
  /** Instead of being run it has a row chosen, to which this is done. */
  chooses?: Verb;
  /** Instead of being run it is typed. */
  types?: string;
}

/** A verb of the rows of a resource, by its own name: an action, a shortcut or a view. */
export interface Verb extends Labelled {
  resource: Resource;
  name: string;
  /** Its letter in the actions menu; a view has none. */
  key: string | undefined;
}

/** A thing that was found. */
export interface PaletteMatch {
  thing: Thing;
  match: Match;
  /** Of two that match as well, the one with the lower rank comes first. */
  rank: number;
  /** The part of the detail that matched. */
  matchedDetail?: { from: number; to: number };
}

/** A thing that is searched more than once. */
export interface PreparedThing {
  thing: Thing;
  label: Prepared;
}

/** The ways to match, the best first: a label before an id before an address, whole before begun before scattered. */
export const tiers = {
  exact: 0,
  exactId: 1,
  exactAddress: 2,
  prefix: 3,
  word: 4,
  id: 5,
  address: 6,
  part: 7,
  fuzzy: 8,
  scattered: 9,
} as const;

export type Tier = (typeof tiers)[keyof typeof tiers];

/** A label that matches. */
export interface Match {
  tier: Tier;
  /** The better of two of one tier is higher. */
  score: number;
  /** The indices of the matched letters. */
  at: readonly number[];
}

/** The match of what was found by other than the letters of its label. */
export const matchIn = (tier: Tier, at: readonly number[] = []): Match => ({ tier, score: 0, at });

/** Something with a label that is prepared for many searches. */
interface Labelled {
  label: Prepared;
}

/** Below this, letters are scattered over the label. */
const goodScore = 0.5;

/** The matches of what was typed among labels, the best first, and how many there are in all. */
export function searchLabels<T extends Labelled>(
  typed: string,
  things: readonly T[],
  limit: number,
): { found: readonly { thing: T; match: Match }[]; total: number } {
  const good = go(typed, things, { key: 'label', limit, threshold: goodScore });
  const found = good.flatMap(({ obj, score, indexes, target }) => ({
    thing: obj,
    match: matchOf(typed, target, indexes, score),
  }));
  if (good.total >= limit) return { found, total: good.total };
  const all = go(typed, things, { key: 'label', limit: limit * 5, threshold: 0 });
  const scattered = all.flatMap(({ obj, score, indexes, target }) =>
    score < goodScore && isNear(typed, target) ? [{ thing: obj, match: matchOf(typed, target, indexes, score) }] : [],
  );
  return { found: [...found, ...scattered].slice(0, limit), total: good.total + scattered.length };
}

/** The match of what was typed with one label. */
export function matchLabel(typed: string, label: Prepared): Match | undefined {
  const result = single(typed, label);
  if (!result || (result.score < goodScore && !isNear(typed, result.target))) return undefined;
  return matchOf(typed, result.target, result.indexes, result.score);
}

/** Prepares a label; very long ones are searched from their beginning only. */
export const prepared = (label: string): Prepared => prepare(label.slice(0, maxLength));

const maxLength = 200;

function matchOf(typed: string, label: string, indexes: readonly number[], score: number): Match {
  const at = [...indexes].sort((one, other) => one - other);
  return { tier: tierOf(typed, label, at, score), score, at };
}

function tierOf(typed: string, label: string, at: readonly number[], score: number): Tier {
  const [first = 0] = at;
  const isWhole = (at.at(-1) ?? 0) - first === typed.length - 1;
  if (isWhole && at.length === typed.length) {
    if (first > 0) return startsWord(label, first) ? tiers.word : tiers.part;
    return typed.length === label.length ? tiers.exact : tiers.prefix;
  }
  if (score < goodScore) return tiers.scattered;
  return typed.includes(' ') && at.every((index, nth) => index === (at[nth - 1] ?? -2) + 1 || startsWord(label, index))
    ? tiers.word
    : tiers.fuzzy;
}

const startsWord = (label: string, at: number): boolean =>
  !isLetter(label.charAt(at - 1)) || (isUpper(label.charAt(at)) && !isUpper(label.charAt(at - 1)));

const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
const isUpper = (character: string): boolean => /\p{Lu}/u.test(character);

/** Whether scattered letters are near enough to be meant: each word begins where one of the label does, and is not far apart. */
const isNear = (typed: string, label: string): boolean =>
  typed.split(' ').every((word) => {
    const at = [...(single(word, label)?.indexes ?? [])].sort((one, other) => one - other);
    const [first, last = 0] = [at[0], at.at(-1)];
    if (first === undefined) return false;
    const span = last - first + 1;
    return span === word.length || (startsWord(label, first) && span <= 3 * word.length);
  });

import { go, type Prepared, prepare, single } from 'fuzzysort';
import { memoizeOne } from '../../resources/memoize.ts';
import type { Resource } from '../../resources/resource.ts';
import { nearestOnes } from '../../text/nearest.ts';
import type { MenuItem } from '../menus/itemLine.ts';

/** Something that the palette offers: a place, a verb or a command; it is carried out once the palette is closed. */
export interface Thing
  extends Pick<MenuItem, 'id' | 'label' | 'isName' | 'detail' | 'explains' | 'key' | 'isDanger' | 'refusal' | 'run'> {
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
  !/[\p{L}\p{N}]/u.test(label.charAt(at - 1)) || (isUpper(label.charAt(at)) && !isUpper(label.charAt(at - 1)));

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

/** As many as anybody scrolls through. */
export const maxFound = 200;

/** Things that are searched in one way. */
export interface Group {
  rank: number;
  things: () => readonly PreparedThing[];
  /** They match no better, and no worse. */
  least?: Tier;
  most?: Tier;
  /** Of those that match as well, the first one comes first. */
  isOrdered?: boolean;
  /** They are found by their other names alone. */
  byName?: boolean;
}

/** Whether a thing is called what was typed, or nearly. */
export const isGood = ({ match }: PaletteMatch): boolean => match.tier < tiers.scattered;

/** Prepares things when they are first looked at. */
export const once = (make: () => readonly Thing[]) =>
  memoizeOne(() => make().map((thing): PreparedThing => ({ thing, label: prepared(thing.label) })));

/** A thing that was typed by its name comes before all others. */
export const first = (thing: Thing): PaletteMatch => ({ thing, match: matchIn(tiers.exact), rank: 0 });

/** Things that match by their label or by another name. */
export function search(
  typed: string,
  { things, rank, least = tiers.exact, most = tiers.scattered, isOrdered = false, byName = false }: Group,
): readonly PaletteMatch[] {
  const all = things();
  const order = new Map(isOrdered ? all.map((one, nth) => [one.thing, nth / all.length / 2]) : []);
  const byLabel = byName ? [] : searchLabels(typed, all, isOrdered ? all.length : maxFound).found;
  const found = new Map(
    byLabel
      .filter(({ thing: { thing }, match }) => match.tier <= most && !thing.isHidden)
      .map(({ thing: { thing }, match }) => [thing, matched(thing, { ...match, tier: worse(match.tier, least) })]),
  );
  for (const { thing } of all) {
    const named = nameTier(typed, thing.names);
    if (thing.isHidden && named !== tiers.exact) continue;
    // The beginning of another word is little.
    const tier = named && byName ? tiers.part : named === undefined ? undefined : worse(named, least);
    if (tier !== undefined && tier < (found.get(thing)?.match.tier ?? Number.POSITIVE_INFINITY))
      found.set(thing, matched(thing, matchIn(tier, found.get(thing)?.match.at)));
  }
  return [...found.values()];

  function matched(thing: Thing, match: Match): PaletteMatch {
    return { thing, match: isOrdered ? { ...match, score: 0 } : match, rank: rank + (order.get(thing) ?? 0) };
  }
}

const worse = (one: Tier, other: Tier): Tier => (one > other ? one : other);

function nameTier(typed: string, names: readonly string[] = []) {
  const name = typed.replaceAll(' ', '-');
  const known = names.map((one) => one.toLowerCase());
  if (known.includes(name) || known.includes(typed)) return tiers.exact;
  return known.some((one) => one.startsWith(name)) ? tiers.word : undefined;
}

/** The verb that the first words name; the others are the noun of its rows, else, if nothing is found, the choice of one. */
export function verbAlone(typed: string, groups: readonly Group[], isFound: boolean): readonly PaletteMatch[] {
  const words = typed.split(' ').filter((word) => word !== 'a' && word !== 'the');
  const known = groups.flatMap(({ things }) => things());
  for (const count of [3, 2, 1].filter((count) => count < words.length)) {
    const behind = words.slice(count);
    const types = ({ names = [] }: Thing) => behind.filter((word) => word !== 'of' && !names.includes(word)).join(' ');
    const found = known.filter((one) => isCalled(one, words.slice(0, count).join(' ')));
    const ofNoun = found.filter(
      ({ thing }) => thing.chooses && nameTier(types(thing), [thing.chooses.resource.one, thing.kind]) === tiers.exact,
    );
    if (ofNoun.length > 0) return ofNoun.map(({ thing }) => first(thing));
    if (found.length > 0 && !isFound)
      return found.map(({ thing }) => first(thing.chooses ? { ...thing, types: types(thing) } : thing));
  }
  return [];
}

const isCalled = ({ thing, label }: PreparedThing, word: string): boolean =>
  label.target.toLowerCase() === word || nameTier(word, thing.names) === tiers.exact;

/**
 * Up to three words by which things are known, and that might be meant; each is typed instead.
 * @param isVerb whether words are a verb and the name of its row, be there one or not
 */
export function nearestThings(
  query: string,
  groups: readonly Group[],
  isVerb: (query: string) => boolean,
): readonly PaletteMatch[] {
  const typed = query.trim().toLowerCase();
  const [word = '', ...rest] = typed.split(/\s+/);
  // With a digit or a dot it is a name.
  if (!/^[a-z][a-z-]+$/.test(word)) return [];
  const names = groups.flatMap(({ things }) =>
    things().flatMap(({ thing, label }) => [label.target.toLowerCase(), ...(thing.names ?? [])]),
  );
  const known = [...new Set(names)];
  const whole = nearestOnes(typed, known, maxNearest);
  const heads =
    rest.length === 0 ? [] : nearestOnes(word, known, maxNearest * 2).map((one) => [one, ...rest].join(' '));
  return [...whole, ...heads.filter(isVerb)]
    .filter((one) => one !== typed)
    .slice(0, maxNearest)
    .map((types) => first({ id: `nearest ${types}`, label: types, kind: 'did you mean', types, run: () => {} }));
}

const maxNearest = 3;

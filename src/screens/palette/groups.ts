import { memoizeOne } from '../../resources/memoize.ts';
import { nearestOnes } from '../../text/nearest.ts';
import {
  type Match,
  matchIn,
  type PaletteMatch,
  type PreparedThing,
  prepared,
  searchLabels,
  type Thing,
  type Tier,
  tiers,
} from './match.ts';

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

/** The verb that the first words are; the others are the beginning of the choice of its row. */
export function verbAlone(typed: string, groups: readonly Group[]): readonly PaletteMatch[] {
  const words = typed.split(' ');
  const heads = [3, 2, 1].filter((count) => count < words.length);
  const known = groups.flatMap(({ things }) => things());
  for (const count of heads) {
    const types = words.slice(words[count] === 'of' ? count + 1 : count).join(' ');
    const found = known.filter((one) => isCalled(one, words.slice(0, count).join(' ')));
    if (found.length > 0) return found.map(({ thing }) => first({ ...thing, types }));
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

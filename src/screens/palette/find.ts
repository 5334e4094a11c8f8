import { actionsOf, resources } from '../../resources/index.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { refusalFor } from '../../store/changes/submit.ts';
import { collated } from '../../store/sorting.ts';
import type { Stores } from '../../store/stores.ts';
import type { KeysOfPlace } from '../keys/keyboard.ts';
import { areaThings, creationThings, partThings, tagThings, userViewThings, viewCommandThings } from './areas.ts';
import {
  accountThings,
  commandThings,
  notifyThings,
  planThings,
  recentThings,
  reloadThings,
  themeThings,
  typedThing,
} from './commands.ts';
import { chosenThings, foundRow, importanceOf, joined, namedThings, ofNamedRows, ranks } from './foundRows.ts';
import {
  first,
  type Group,
  isGood,
  matchIn,
  maxFound,
  nearestThings,
  once,
  type PaletteMatch,
  search,
  tiers,
  type Verb,
  verbAlone,
} from './match.ts';
import { createRowIndex, type IndexedRow, paramsOfIndexed } from './rowIndex.ts';
import { synonymThings } from './synonyms.ts';
import { missingThings, questionThings, subjectThings, verbsOf } from './verbs.ts';

/** The things that were found. */
export interface SearchResult {
  found: readonly PaletteMatch[];
  /** The number of all that match, and of all that there are. */
  total: number;
  of: number;
  /** The loaded rows are still to be looked through. */
  isLooking: boolean;
}

/** Prepares the palette for a place; it lasts as long as that is open. */
export function createFinder(stores: Stores, { commands, subjects }: KeysOfPlace, accounts?: Accounts) {
  const index = createRowIndex(stores);
  const recent = recentThings(stores);
  const areas = areaThings(stores);
  const views = userViewThings(stores);
  const ofSubjects = memoizeOne(() => subjects.flatMap((subject) => subjectThings(stores, subject)));
  const verbs = memoizeOne(() =>
    verbsOf(
      stores,
      resources.toSorted((one, other) => importanceOf(one) - importanceOf(other)),
    ),
  );
  const questions: Group = {
    rank: ranks.question,
    isOrdered: true,
    // Letters that are far apart are no verb.
    most: tiers.part,
    things: memoizeOne(() => questionThings(stores, verbs())),
  };
  const missing: Group = { rank: ranks.command, things: once(() => missingThings(stores)) };
  const named: readonly Group[] = [
    missing,
    { rank: ranks.area, things: once(() => areas) },
    { rank: ranks.area, things: once(() => partThings(stores)) },
    {
      rank: ranks.command,
      things: once(() => [
        ...commandThings(commands, subjects),
        ...reloadThings(stores, accounts),
        ...planThings(stores),
        ...accountThings(stores, accounts),
        ...viewCommandThings(stores),
        ...themeThings(stores),
      ]),
    },
    questions,
    { rank: ranks.create, things: once(() => creationThings(stores)) },
  ];
  /** A name comes before another word for something else. */
  const synonyms: Group = {
    rank: ranks.synonym,
    least: tiers.word,
    isOrdered: true,
    byName: true,
    things: once(() => {
      const all = named.flatMap(({ things }) => things());
      return synonymThings(
        (label) => all.find(({ thing }) => thing.label === label)?.thing,
        stores.api.readOnly ? 'is left out while this session is read-only' : 'is not offered in this place',
      );
    }),
  };
  const groups: readonly Group[] = [
    { rank: ranks.verb, things: once(() => ofSubjects().filter(({ opens }) => !opens)) },
    { rank: ranks.view, things: once(() => ofSubjects().filter(({ opens }) => opens)) },
    { rank: ranks.area, things: once(() => views) },
    // A tag is found by its name alone too, but then what has the name is wanted first.
    { rank: ranks.tag, least: tiers.part, things: once(() => tagThings(stores)) },
    ...named,
    synonyms,
  ];

  /** All that is offered before anything is typed: the places last seen, and the other areas. */
  function unasked(): SearchResult {
    const seen = new Set(recent.map(({ id }) => id));
    const things = [...recent, ...[...views, ...areas].filter(({ id, isHidden }) => !isHidden && !seen.has(id))];
    const match = matchIn(tiers.exact);
    return {
      found: things.map((thing, rank) => ({ thing, match, rank })),
      total: things.length,
      of: things.length,
      isLooking: false,
    };
  }

  /** Tells whether a verb is refused to a row, of which each is asked once. */
  const refusalsOf = memoizeOne(({ resource, name }: Verb) => {
    const action = actionsOf(resource).find((one) => one.name === name);
    return memoize((indexed: IndexedRow): boolean => {
      const target = { row: indexed.row, params: paramsOfIndexed(indexed) };
      return action !== undefined && refusalFor(stores, resource, action, target) !== undefined;
    });
  });

  function find(query: string, isWhole = true): SearchResult {
    const typed = query.trim().toLowerCase().replace(/\s+/g, ' ');
    if (typed === '') return unasked();
    const fixed = groups.map((group) => ({ things: group.things(), found: search(typed, group) }));
    const rows = isWhole ? index.search(typed, maxFound) : { found: [], total: 0 };
    const found = [
      ...fixed.flatMap((group) => group.found),
      ...rows.found.map((row) => foundRow(stores, row)),
      ...(isWhole ? joined(stores, index, typed, verbs()) : []),
      ...namedThings(stores, query.trim()),
      // A command with what was typed behind it.
      ...[typedThing(stores, query.trim()) ?? []].flat().map(first),
      ...notifyThings(stores, subjects, index, typed).map(first),
    ].sort(inOrder);
    // Where no row of this name is loaded, its verb has one chosen.
    const alone = isWhole ? verbAlone(typed, [questions, missing, synonyms], found.some(isGood)) : [];
    found.unshift(...alone.flatMap((asking) => ofNamedRows(stores, index, verbs(), asking)));
    const seen = new Set<string>();
    const each = found.filter(({ thing: { id } }) => !seen.has(id) && seen.add(id));
    return {
      found: each.slice(0, maxFound),
      total: each.length + rows.total - rows.found.length,
      of: index.count() + fixed.reduce((sum, { things }) => sum + things.length, 0),
      isLooking: !isWhole,
    };
  }

  return {
    find: (query: string) => find(query),
    /** Finds without waiting for many rows to be prepared. */
    glance: (query: string) => find(query, query.trim() === '' || index.isReady()),
    /** Whether a thing is called that, or nearly. */
    isGood: ({ found }: SearchResult) => found.some(isGood),
    /** Up to three words that are known, and nearest to what was typed. */
    nearest: (query: string) =>
      nearestThings(query, [...named, questions, synonyms], (words) =>
        find(words).found.some((one) => one.thing.chooses && isGood(one)),
      ),
    /** The loaded rows of which one is chosen for a verb. */
    rowsFor: (verb: Verb, query: string) => {
      const { resource, name } = verb;
      const of = index.count((one) => one === resource);
      const isRefused = refusalsOf(verb);
      // Of more than are shown, those that refuse it are searched by themselves, so that they do not take the room of others.
      const searches = (of > maxFound ? [false, true] : [undefined]).map((refused) =>
        index.search(
          query.trim().toLowerCase(),
          maxFound,
          (row) => row.resource === resource && (refused === undefined || isRefused(row) === refused),
        ),
      );
      const found = searches.flatMap((one) => one.found).sort((one, other) => one.match.tier - other.match.tier);
      const things = found.slice(0, maxFound).flatMap((row) =>
        // Rows that refuse it come last.
        chosenThings(stores, row, name).map((one) => ({ ...first(one), match: row.match, rank: one.refusal ? 1 : 0 })),
      );
      const total = searches.reduce((sum, one) => sum + one.total, 0);
      return { found: things.sort(inOrder), total, of, isLooking: false };
    },
    warm: index.warm,
  };
}

/** The API may remove it, as its label says. */
const isDeprecated = ({ thing }: PaletteMatch): boolean => thing.label.includes('(deprecated)');

const inOrder = (one: PaletteMatch, other: PaletteMatch): number =>
  one.match.tier - other.match.tier ||
  Number(isDeprecated(one)) - Number(isDeprecated(other)) ||
  one.rank - other.rank ||
  other.match.score - one.match.score ||
  // Lists of a tag come in the order of the areas: servers first.
  (one.rank === ranks.tag ? 0 : collated(one.thing.label, other.thing.label));

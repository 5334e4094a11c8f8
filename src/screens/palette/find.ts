import { idIn, paramsFrom } from '../../resources/identity.ts';
import { isSingle, resourceCalled, resourceNamed, resources } from '../../resources/index.ts';
import type { Resource } from '../../resources/resource.ts';
import { statusOf } from '../../resources/wording.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import type { Stores } from '../../store/stores.ts';
import { wordsOf } from '../../text/words.ts';
import type { KeysOfPlace } from '../keys/keyboard.ts';
import { placeOfRow } from '../places.ts';
import { accountThings } from './accounts.ts';
import { areaThings, creationThings } from './areas.ts';
import { commandThings, themeThings } from './commands.ts';
import { matchLabel, prepared, searchLabels, type Tier, tiers } from './match.ts';
import { notifyThings } from './notify.ts';
import { planThings, typedPlanThing } from './plan.ts';
import { recentThings } from './recent.ts';
import { reloadThings } from './reload.ts';
import { createRowIndex, type FoundRow, type IndexedRow, paramsOfIndexed, type SearchIndex } from './rowIndex.ts';
import { goToRow } from './searched.ts';
import { tagThings } from './tags.ts';
import type { PaletteMatch, PreparedThing, Thing } from './thing.ts';
import { userCommandThings } from './userCommands.ts';
import { typedSaveThing, userViewThings, viewCommandThings } from './userViews.ts';
import { subjectThings, type Verb, verbsOf, verbThings } from './verbs.ts';

/** The things that were found. */
export interface SearchResult {
  found: readonly PaletteMatch[];
  /** The number of all that match, and of all that there are. */
  total: number;
  of: number;
  /** The loaded rows are still to be looked through. */
  isLooking: boolean;
}

/** The things of a palette, which lasts as long as it is open. */
export interface Finder {
  find(query: string): SearchResult;
  /** Finds without waiting for many rows to be prepared. */
  glance(query: string): SearchResult;
  /** Whether a thing is called that, or nearly. */
  isGood(finding: SearchResult): boolean;
  warm: SearchIndex['warm'];
}

/** As many as anybody scrolls through. */
const maxFound = 200;

/** Rows that a verb is joined with. */
const maxJoined = 40;

/** Of things that match as well, these come first. */
const ranks = { verb: 0, area: 1, command: 2, row: 3, tag: 4, joined: 5, create: 6, typed: 7 } as const;

/** Rows that match as well come in the order of the areas: a server before a record that leads to it. */
const places = new Map(resources.map((resource, nth) => [resource, nth / resources.length]));

/** Prepares the palette for a place. */
export function createFinder(stores: Stores, { commands, subjects }: KeysOfPlace, accounts?: Accounts): Finder {
  const index = createRowIndex(stores);
  const recent = recentThings(stores);
  const areas = areaThings(stores);
  const views = userViewThings(stores);
  const groups: readonly { rank: number; least?: Tier; things: () => readonly PreparedThing[] }[] = [
    { rank: ranks.verb, things: once(() => subjects.flatMap((subject) => subjectThings(stores, subject))) },
    { rank: ranks.area, things: once(() => areas) },
    { rank: ranks.area, things: once(() => views) },
    {
      rank: ranks.command,
      things: once(() => [
        ...commandThings(stores, commands),
        ...reloadThings(stores, accounts),
        ...planThings(stores),
        ...accountThings(stores, accounts),
        ...viewCommandThings(stores),
        ...userCommandThings(stores, subjects),
        ...themeThings(stores),
      ]),
    },
    // A tag is found by its name alone too, but then what has the name is wanted first.
    { rank: ranks.tag, least: tiers.part, things: once(() => tagThings(stores)) },
    { rank: ranks.create, things: once(() => creationThings(stores)) },
  ];
  const verbs = memoized(() => verbsOf(stores, resources));

  /** All that is offered before anything is typed: the places last seen, and the other areas. */
  function unasked(): SearchResult {
    const seen = new Set(recent.map(({ id }) => id));
    const things = [...recent, ...[...views, ...areas].filter(({ id }) => !seen.has(id))];
    const match = { tier: tiers.exact, score: 0, at: [] };
    return {
      found: things.map((thing, rank) => ({ thing, match, rank })),
      total: things.length,
      of: things.length,
      isLooking: false,
    };
  }

  function find(query: string, isWhole = true): SearchResult {
    const typed = query.trim().toLowerCase().replace(/\s+/g, ' ');
    if (typed === '') return unasked();
    const fixed = groups.map(({ rank, things, least }) => ({
      things: things(),
      found: search(typed, things(), rank, least),
    }));
    const rows = isWhole ? index.search(typed, maxFound) : noRows;
    const found = [
      ...fixed.flatMap((group) => group.found),
      ...rows.found.map((row) => foundRow(stores, row)),
      ...(isWhole ? joined(stores, index, typed, verbs()) : []),
      ...namedThings(stores, query.trim()),
      ...typedThings(stores, query.trim()),
      ...notifyThings(stores, subjects, index, typed).map(first),
    ].sort(inOrder);
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
    find: (query) => find(query),
    glance: (query) => find(query, index.isReady()),
    isGood: ({ found }) => found.some(({ match }) => match.tier < tiers.scattered),
    warm: index.warm,
  };
}

const noRows = { found: [], total: 0 };

/** Prepares things when they are first looked at. */
const once = (make: () => readonly Thing[]) =>
  memoized(() => make().map((thing): PreparedThing => ({ thing, label: prepared(thing.label) })));

function memoized<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const inOrder = (one: PaletteMatch, other: PaletteMatch): number =>
  one.match.tier - other.match.tier ||
  one.rank - other.rank ||
  other.match.score - one.match.score ||
  // Lists of a tag come in the order of the areas: servers first.
  (one.rank === ranks.tag ? 0 : one.thing.label < other.thing.label ? -1 : 1);

/** Things that match by their label or by another name. */
function search(
  typed: string,
  things: readonly PreparedThing[],
  rank: number,
  least: Tier = tiers.exact,
): readonly PaletteMatch[] {
  const byLabel = searchLabels(typed, things, maxFound).found;
  const found = new Map(
    byLabel.map(({ thing: { thing }, match }) => {
      const tier = match.tier < least ? least : match.tier;
      return [thing, { thing, match: { ...match, tier }, rank }];
    }),
  );
  for (const { thing } of things) {
    const tier = nameTier(typed, thing.names);
    if (tier !== undefined && tier < (found.get(thing)?.match.tier ?? Number.POSITIVE_INFINITY))
      found.set(thing, { thing, match: { tier, score: 0, at: found.get(thing)?.match.at ?? [] }, rank });
  }
  return [...found.values()];
}

function nameTier(typed: string, names: readonly string[] = []) {
  const name = typed.replaceAll(' ', '-');
  const known = names.map((one) => one.toLowerCase());
  if (known.includes(name) || known.includes(typed)) return tiers.exact;
  return known.some((one) => one.startsWith(name)) ? tiers.prefix : undefined;
}

function foundRow(stores: Stores, { thing: indexed, match, fact }: FoundRow): PaletteMatch {
  const { resource, row, label } = indexed;
  const params = paramsOfIndexed(indexed);
  const [id = '', address] = indexed.facts.split('\n');
  const text = fact?.text ?? address ?? (resource.under ? undefined : id);
  const status = wordsOf(statusOf(row));
  return {
    thing: {
      id: `row ${resource.name} ${JSON.stringify(params)}`,
      label: label.target,
      kind: resource.one,
      detail: [text, status, parentOf(stores, indexed)].filter(Boolean).join('  '),
      run: () => goToRow(stores, resource, row, indexed.params),
    },
    match,
    rank: ranks.row + (places.get(resource) ?? 0),
    matchedDetail: fact && { from: fact.from, to: fact.to },
  };
}

/** Names the row that this one lies under: `of shop.example`. */
function parentOf({ view }: Stores, { resource, params }: IndexedRow): string {
  if (!resource.under) return '';
  const parent = resourceNamed(resource.under);
  const row = view.row(parent.name, idIn(parent, params));
  return row ? `of ${parent.label(row)}` : '';
}

/** The verbs named by some of the words, on the loaded rows named by the others: `resz web3`. */
function joined(stores: Stores, index: SearchIndex, typed: string, verbs: readonly Verb[]): readonly PaletteMatch[] {
  const words = typed.split(' ');
  if (words.length < 2) return [];
  const splits = [1, 2, 3]
    .filter((count) => count < words.length)
    .map((count) => [words.slice(0, count), words.slice(count)]);
  return [...splits, [words.slice(-1), words.slice(0, -1)]].flatMap(([verb = [], rest = []]) => {
    const named = searchLabels(verb.join(' '), verbs, maxFound).found.filter(({ match }) => match.tier !== tiers.part);
    const wanted = Map.groupBy(named, ({ thing }) => thing.resource.name);
    if (wanted.size === 0) return [];
    const rows = index.search(rest.join(' '), maxJoined, ({ name }) => wanted.has(name)).found;
    return rows.slice(0, maxJoined).flatMap((found) => {
      const names = new Map(wanted.get(found.thing.resource.name)?.map(({ thing, match }) => [thing.name, match]));
      return joinedThings(stores, found, (name) => names.has(name)).flatMap((thing): readonly PaletteMatch[] => {
        const match = matchLabel(typed, prepared(thing.label)) ?? matchLabel(rest.join(' '), prepared(thing.label));
        return match ? [{ thing, match, rank: ranks.joined }] : [];
      });
    });
  });
}

/** Verbs of a loaded row, which are begun in its place. */
function joinedThings(stores: Stores, { thing }: FoundRow, isWanted: (name: string) => boolean): readonly Thing[] {
  const { resource, row } = thing;
  const params = paramsOfIndexed(thing);
  const enter = () => goToRow(stores, resource, row, thing.params);
  return verbThings(stores, { resource, targets: [{ row, params }], params }, enter, isWanted);
}

/** The row that `servers/123` names, as on the command line; last, rows that an id of this form may name. */
function namedThings(stores: Stores, typed: string): readonly PaletteMatch[] {
  const [, word = '', id = ''] = /^([^/]+)\/(\S+)$/.exec(typed) ?? [];
  const resource = resourceCalled(word);
  if (resource?.view && !resource.under && !isSingle(resource)) return [namedThing(stores, resource, id, tiers.exact)];
  return resources
    .filter((one) => one.ids?.test(typed) && !stores.view.row(one.name, typed))
    .map((one) => namedThing(stores, one, typed, tiers.scattered));
}

/** A thing that was typed by its name comes before all others. */
const first = (thing: Thing): PaletteMatch => ({
  thing,
  match: { tier: tiers.exact, score: 0, at: [] },
  rank: ranks.verb,
});

/** A command with what was typed behind it. */
function typedThings(stores: Stores, typed: string): readonly PaletteMatch[] {
  const thing = typedSaveThing(stores, typed) ?? typedPlanThing(stores, typed);
  return thing ? [first(thing)] : [];
}

function namedThing({ navigation, view }: Stores, resource: Resource, id: string, tier: Tier): PaletteMatch {
  const row = view.row(resource.name, id);
  const params = paramsFrom(resource, id);
  const thing = {
    id: `row ${resource.name} ${JSON.stringify(params)}`,
    label: row ? resource.label(row) : `Open ${resource.one} ${id}`,
    kind: row ? resource.one : '',
    detail: row && id,
    run: () => navigation.go(placeOfRow(resource, params)),
  };
  return { thing, match: { tier, score: 0, at: [] }, rank: ranks.typed };
}

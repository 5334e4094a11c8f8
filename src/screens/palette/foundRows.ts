import { idOf, paramsFrom } from '../../resources/identity.ts';
import { isSingle, resourceCalled, resources } from '../../resources/index.ts';
import { namesAbove } from '../../resources/relations.ts';
import type { Resource } from '../../resources/resource.ts';
import { statusOf } from '../../resources/wording.ts';
import type { Stores } from '../../store/stores.ts';
import { textOf, wordsOf } from '../../text/words.ts';
import { rowProgress, statusNow } from '../list/rowLines.ts';
import { placeOfRow } from '../places.ts';
import {
  first,
  matchIn,
  matchLabel,
  maxFound,
  type PaletteMatch,
  prepared,
  searchLabels,
  type Thing,
  type Tier,
  tiers,
  type Verb,
} from './match.ts';
import { type FoundRow, type IndexedRow, paramsOfIndexed, type SearchIndex, writtenFacts } from './rowIndex.ts';
import { goToRow } from './searched.ts';
import { verbThings } from './verbs.ts';

/** Rows that a verb is joined with. */
const maxJoined = 40;

/** Of things that match as well, these come first. */
export const ranks = {
  verb: 0,
  synonym: 0.4,
  area: 1,
  view: 1.5,
  command: 2,
  row: 3,
  tag: 4,
  joined: 5,
  create: 6,
  question: 7,
  typed: 8,
} as const;

/** The more important kind comes first: what runs before what it is made of, and what is only listed last. */
const byImportance = [
  'servers',
  'nodebalancers',
  'domains',
  'volumes',
  'buckets',
  ...resources.map(({ name }) => name),
];

/** Of rows that match as well, that of the more important kind comes first; one below another row comes after all that are not. */
const importance = new Map(
  resources.map((resource) => [
    resource,
    (byImportance.indexOf(resource.name) + (resource.under ? byImportance.length : 0)) / (3 * byImportance.length),
  ]),
);

/** The place of a kind, from 0 to 1. */
export const importanceOf = (resource: Resource): number => importance.get(resource) ?? 0;

/** A loaded row, to be gone to. */
export function foundRow(stores: Stores, { thing: indexed, match, fact }: FoundRow): PaletteMatch {
  const { resource, row, label } = indexed;
  const params = paramsOfIndexed(indexed);
  const written = writtenFacts(idOf(resource, row), row).split('\n');
  const [id = '', address] = written;
  const job = rowProgress(row, { resource, events: stores.events.getState().events });
  const state = wordsOf(textOf(statusNow(statusOf(row), job)));
  const text = fact ? written[fact.nth] : (address ?? (resource.under ? undefined : id));
  return {
    thing: {
      id: `row ${resource.name} ${JSON.stringify(params)}`,
      label: label.target,
      isName: true,
      kind: resource.one,
      detail: [text, state, parentOf(stores, indexed)].filter(Boolean).join('  '),
      run: () => goToRow(stores, resource, row, indexed.params),
    },
    match,
    rank: ranks.row + importanceOf(resource),
    matchedDetail: fact && { from: fact.from, to: fact.to },
  };
}

/** Names the rows that this one lies under: `of port 443 of web-lb`. */
const parentOf = ({ view }: Stores, { resource, params }: IndexedRow): string =>
  namesAbove(view, resource, params)
    .map((name) => `of ${name}`)
    .join(' ');

/** The verbs named by some of the words, on the loaded rows named by the others: `resz web3`. */
export function joined(
  stores: Stores,
  index: SearchIndex,
  typed: string,
  verbs: readonly Verb[],
): readonly PaletteMatch[] {
  const words = typed.split(' ');
  if (words.length < 2) return [];
  const splits = [1, 2, 3]
    .filter((count) => count < words.length)
    .map((count) => [words.slice(0, count), words.slice(count)]);
  return [...splits, [words.slice(-1), words.slice(0, -1)]].flatMap(([verb = [], rest = []]) => {
    const named = searchLabels(verb.join(' '), verbs, maxFound).found.filter(({ match }) => match.tier !== tiers.part);
    const wanted = Map.groupBy(named, ({ thing }) => thing.resource.name);
    if (wanted.size === 0) return [];
    const rows = index.search(rest.join(' '), maxJoined, ({ resource }) => wanted.has(resource.name)).found;
    return rows.slice(0, maxJoined).flatMap((found) => {
      const names = new Map(wanted.get(found.thing.resource.name)?.map(({ thing, match }) => [thing.name, match]));
      return joinedThings(stores, found, (name) => names.has(name)).flatMap((thing): readonly PaletteMatch[] => {
        const match = matchLabel(typed, prepared(thing.label)) ?? matchLabel(rest.join(' '), prepared(thing.label));
        if (!match) return [];
        // Its verb and its row are found by themselves, however far apart the letters are in both together.
        const tier = match.tier === tiers.scattered ? tiers.fuzzy : match.tier;
        return [{ thing, match: { ...match, tier }, rank: ranks.joined + importanceOf(found.thing.resource) }];
      });
    });
  });
}

/** Verbs of a loaded row, which are begun in its place. */
function joinedThings(stores: Stores, { thing }: FoundRow, isWanted: (name: string) => boolean): readonly Thing[] {
  const { resource, row } = thing;
  const params = paramsOfIndexed(thing);
  const enter = () => goToRow(stores, resource, row, thing.params);
  const things = verbThings(stores, { resource, targets: [{ row, params }], params }, enter, isWanted);
  return things.map((one) => ({ ...one, label: `${one.label} ${parentOf(stores, thing)}`.trim() }));
}

/** A row for which a verb was chosen before: called by its name, and by that of its parent. */
export const chosenThings = (stores: Stores, { thing, ...found }: FoundRow, verb: string): readonly Thing[] =>
  joinedThings(stores, { thing, ...found }, (name) => name === verb).map((one) => ({
    ...one,
    label: thing.label.target,
    isName: true,
    kind: parentOf(stores, thing),
  }));

/** Another word for a verb, with the name of a loaded row behind it, does that to the row: `upgrade web-3` resizes it. */
export function ofNamedRows(stores: Stores, index: SearchIndex, verbs: readonly Verb[], asking: PaletteMatch) {
  const { chooses, types } = asking.thing;
  if (!chooses || !types) return [asking];
  const able = new Set(verbs.flatMap(({ resource, name }) => (name === chooses.name ? [resource] : [])));
  const rows = index.search(types, maxJoined, ({ resource }) => able.has(resource)).found;
  const meant = rows.filter(({ match }) => match.tier <= tiers.prefix);
  return [...meant.flatMap((row) => joinedThings(stores, row, (name) => name === chooses.name).map(first)), asking];
}

/** The row that `servers/123` names, as on the command line; last, rows that an id of this form may name. */
export function namedThings(stores: Stores, typed: string): readonly PaletteMatch[] {
  const [, word = '', id = ''] = /^([^/]+)\/(\S+)$/.exec(typed) ?? [];
  const resource = resourceCalled(word);
  if (resource?.view && !resource.under && !isSingle(resource)) return [namedThing(stores, resource, id, tiers.exact)];
  return resources
    .filter((one) => one.ids?.test(typed) && !stores.view.row(one.name, typed))
    .map((one) => namedThing(stores, one, typed, tiers.scattered));
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
  return { thing, match: matchIn(tier), rank: ranks.typed };
}

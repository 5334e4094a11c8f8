import type { Prepared } from 'fuzzysort';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { canonicalAddress, isIpv6 } from '../../resources/ipAddress.ts';
import { noParams, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { collated } from '../../store/sorting.ts';
import type { Stores } from '../../store/stores.ts';
import { clean } from '../../text/cells.ts';
import { type Match, matchIn, prepared, searchLabels, type Tier, tiers } from './match.ts';
import { searched } from './searched.ts';

/** A loaded row, prepared for searching. */
export interface IndexedRow {
  resource: Resource;
  row: Row;
  /** The parameters of its list. */
  params: Params;
  label: Prepared;
  /** The id and the addresses, a line each, in small letters. */
  facts: string;
}

/** A row that was found: by its label, or by its id or an address. */
export interface FoundRow {
  thing: IndexedRow;
  match: Match;
  /** The place among its facts of the id or address that matched, and from where to where. */
  fact?: { nth: number; from: number; to: number };
}

/** The loaded rows as they are searched; a row is prepared once, when it is first needed. */
export type SearchIndex = ReturnType<typeof createRowIndex>;

/** Fewer rows are prepared by the first key in no time. */
const fewRows = 2000;

/** A key waits as long for rows to be prepared; once they were, only changed ones are left. */
const maxWaitMs = 4;

/** Rows prepared in one turn of the event loop; about 2 ms. */
const rowsPerTurn = 1000;

interface Source {
  resource: Resource;
  params: Params;
  rows: readonly Row[];
}

const partsOf = (rows: readonly Row[]): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerTurn) }, (_, nth) =>
    rows.slice(nth * rowsPerTurn, (nth + 1) * rowsPerTurn),
  );

/** Prepared rows stay so until they are replaced, so that only the first palette of a session waits for all of them. */
const known = new WeakMap<Row, IndexedRow>();

export function createRowIndex({ cache, view }: Pick<Stores, 'cache' | 'view'>) {
  let of: unknown;
  let sources: readonly Source[] = [];
  let isWarm = false;
  let whole: { of: readonly Source[]; rows: readonly IndexedRow[] } | undefined;

  /** The lists that are searched; rows below others come with the parameters of their list. */
  function current(): readonly Source[] {
    const { collections } = cache.getState();
    if (of === collections) return sources;
    of = collections;
    const under = Map.groupBy(Object.values(collections), ({ resource }) => resource);
    sources = searched.flatMap((resource): readonly Source[] =>
      resource.under
        ? (under.get(resource.name) ?? []).map(({ query, rows }) => ({ resource, params: query.params, rows }))
        : [{ resource, params: noParams, rows: view.rows(resource.name) }],
    );
    return sources;
  }

  function indexed(row: Row, { resource, params }: Source): IndexedRow {
    const before = known.get(row);
    if (before?.resource === resource && before.params === params) return before;
    const label = prepared(clean(resource.label(row)));
    const facts = factsOf(idOf(resource, row), row);
    const one = { resource, row, params, label, facts };
    known.set(row, one);
    return one;
  }

  function all(): readonly IndexedRow[] {
    const now = current();
    const isSame = whole?.of.length === now.length && whole.of.every(({ rows }, nth) => rows === now[nth]?.rows);
    if (whole && isSame) return whole.rows;
    whole = { of: now, rows: now.flatMap((source) => source.rows.map((row) => indexed(row, source))) };
    return whole.rows;
  }

  /** The number of rows, of these resources. */
  const count = (isWanted: (resource: Resource) => boolean = () => true) =>
    current().reduce((sum, { resource, rows }) => sum + (isWanted(resource) ? rows.length : 0), 0);

  /** The rows of all lists, some at a time. */
  const parts = () => current().flatMap((source) => partsOf(source.rows).map((rows) => ({ rows, source })));

  return {
    /** Whether all rows can be searched at once; for a short time it prepares those that are left. */
    isReady: () => {
      if (isWarm || count() < fewRows) return true;
      const until = performance.now() + maxWaitMs;
      isWarm = parts().every(({ rows, source }) => {
        for (const row of rows) indexed(row, source);
        return performance.now() < until;
      });
      return isWarm;
    },
    /**
     * Prepares rows in short turns, so that no key waits for all of them.
     * @param onReady called when all of them are, where there are many
     * @returns a function that ends it
     */
    warm: (onReady?: () => void) => {
      let turn: NodeJS.Immediate | undefined;
      if (count() < fewRows) return () => {};
      const left = parts();
      const prepareSome = () => {
        const part = left.shift();
        for (const row of part?.rows ?? []) if (part) indexed(row, part.source);
        turn = left.length > 0 ? setImmediate(prepareSome) : undefined;
        if (turn) return;
        isWarm = true;
        all();
        onReady?.();
      };
      turn = setImmediate(prepareSome);
      return () => clearImmediate(turn);
    },
    count,
    /** The rows that match; with nothing typed all of them, by their labels. */
    search: (typed: string, limit: number, isWanted?: (row: IndexedRow) => boolean) => {
      const rows = isWanted ? all().filter(isWanted) : all();
      if (typed === '') return { found: byName(rows).slice(0, limit), total: rows.length };
      const byLabel = searchLabels(typed, rows, limit);
      const found = new Map<IndexedRow, FoundRow>(byLabel.found.map((one) => [one.thing, one]));
      const words = typed.split(' ').map((word) => ({ word, forms: addressForms(word) }));
      for (const thing of rows) {
        const other = factsMatch(thing, words);
        if (other && other.match.tier < (found.get(thing)?.match.tier ?? Number.POSITIVE_INFINITY))
          found.set(thing, other);
      }
      const best = [...found.values()].sort((one, other) => one.match.tier - other.match.tier).slice(0, limit);
      return { found: best, total: found.size + byLabel.total - byLabel.found.length };
    },
  };
}

const byName = (rows: readonly IndexedRow[]): readonly FoundRow[] =>
  rows
    .map((thing) => ({ thing, match: matchIn(tiers.exact) }))
    .sort((one, other) => collated(one.thing.label.target, other.thing.label.target));

type Word = { word: string; forms: readonly string[] };

/** The row where each word is in its label, its noun, its id or an address; a single one in the latter two. */
function factsMatch(thing: IndexedRow, words: readonly Word[]): FoundRow | undefined {
  let best: ReturnType<typeof factOf>;
  const at: number[] = [];
  for (const { word, forms } of words) {
    const fact = factOf(thing.facts, forms);
    if (fact) {
      if (!best || fact.tier < best.tier) best = fact;
      continue;
    }
    if (words.length === 1) return undefined;
    const index = thing.label.target.toLowerCase().indexOf(word);
    if (index >= 0) for (let nth = 0; nth < word.length; nth++) at.push(index + nth);
    else if (!thing.resource.one.toLowerCase().startsWith(word)) return undefined;
  }
  const tier = words.length > 1 ? tiers.part : best?.tier;
  return tier === undefined ? undefined : { thing, match: matchIn(tier, at), fact: best };
}

/** The first of the facts in which one of these forms stands as an id or address would be typed. */
function factOf(facts: string, forms: readonly string[]) {
  for (const form of forms) {
    if (form === '') continue;
    for (let at = facts.indexOf(form); at >= 0; at = facts.indexOf(form, at + 1)) {
      const start = facts.lastIndexOf('\n', at - 1) + 1;
      const tier = factTier(facts, form, at, at === 0 ? 0 : start);
      if (tier === undefined) continue;
      const from = at - (at === 0 ? 0 : start);
      return { tier, nth: facts.slice(0, at).split('\n').length - 1, from, to: from + form.length };
    }
  }
  return undefined;
}

function factTier(facts: string, form: string, at: number, start: number): Tier | undefined {
  const next = facts.charAt(at + form.length);
  const ends = next === '' || next === '\n';
  const isId = start === 0;
  if (at === start && ends) return isId ? tiers.exactId : tiers.exactAddress;
  if (at === start && (!isId || form.length > 2))
    return isId ? tiers.id : isPart(form, next) ? tiers.address : undefined;
  if (isId) return undefined;
  return isPart(form, next) && /[.:\n]/.test(facts.charAt(at - 1)) ? tiers.part : undefined;
}

/** Whether a text is as long as parts of an address are: a few letters of a number are found in nearly all. */
const isPart = (form: string, next: string): boolean => /[.:]/.test(form) || next === '' || /[.:\n]/.test(next);

/** The parameters of a row that was found. */
export const paramsOfIndexed = ({ resource, row, params }: IndexedRow): Params => paramsOf(resource, row, params);

/** Fields with the addresses, host names and targets of rows. */
const fields = ['ipv4', 'ipv6', 'address', 'hostname', 'target'];

/** The id of a row and its addresses as they are searched, each in one notation and in small letters. */
export const factsOf = (id: string, row: Row): string => writtenFacts(id, row).toLowerCase();

/** The same as they are shown, a line each: what is no address stays as it is written. */
export const writtenFacts = (id: string, row: Row): string => {
  const texts = fields.flatMap((field) => row[field] as string | readonly string[] | null | undefined);
  return [id, ...texts.flatMap((one) => (typeof one === 'string' ? inOneWay(one) : []))].join('\n');
};

/** Most addresses are in the one notation already, which is many times faster to see than to make. */
function inOneWay(text: string): string {
  const address = text.includes('/') ? text.replace(/(?<=^[\da-f.:]+)\/\d+$/i, '') : text;
  return address.includes(':') && !isShort.test(address) && isIpv6(address) ? canonicalAddress(address) : address;
}

const isShort = /^(?:[1-9a-f][\da-f]{0,3}:|0:(?!0))+:(?:[1-9a-f][\da-f]{0,3}(?::|$))+$/;

/** The forms in which a typed address, or the beginning or a part of one, may stand in the one notation. */
export function addressForms(typed: string): readonly string[] {
  const word = typed.toLowerCase().replace(/(?<=[.:].*)\/\d{0,3}$/, '');
  if (isIpv6(word)) return [canonicalAddress(word)];
  if (!/^[\da-f:]*:[\da-f:]*$/.test(word)) return [word];
  const plain = word.replace(/(^|:)0+(?=[\da-f])/g, '$1');
  if (plain.includes('::')) return [plain];
  const short = plain.replace(/(^|:)0(?::0)+(?=:|$):?/, '$1:').replace(/:0:?$/, '::');
  return [...new Set([plain, short])];
}

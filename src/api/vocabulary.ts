/**
 * The documents write stand-ins where the platform has words of its own (document 1, naming rule). This table
 * translates them at the wire, both ways, by whole words in known places; all else is the user's or the platform's
 * prose and comes through untouched.
 */

/** The platform's word for each stand-in; one that is left out stays as the documents write it. */
export interface VocabularyMap {
  server?: string;
  /** The plural of `server`; its word with an `s` when left out. */
  servers?: string;
  monitor?: string;
  kube?: string;
  watchdog?: string;
  console?: string;
  avatar?: string;
}

/** One direction of translation. */
export interface Wording {
  /** A path from its first slash on, filled in. */
  path: (path: string) => string;
  /** The name of a field, dotted where it is nested. */
  field: (name: string) => string;
  /** A JSON value: a body or a filter. */
  value: (value: unknown) => unknown;
  /** A list of scopes, whatever separates them. */
  scopes: (list: string) => string;
}

/** Both directions. */
export interface Vocabulary {
  toWire: Wording;
  fromWire: Wording;
}

type Words = Required<VocabularyMap>;

const standIns: Words = {
  server: 'server',
  servers: 'servers',
  monitor: 'monitor',
  kube: 'kube',
  watchdog: 'watchdog',
  console: 'console',
  avatar: 'avatar',
};

/** Every whole word that differs between vocabularies, by the place where it stands. The same order for all words. */
const places = (words: Words) => ({
  /** Names of fields in bodies, queries, filters and errors. */
  fields: [
    `${words.server}_id`,
    `${words.server}_label`,
    `from_${words.server}`,
    words.servers,
    `${words.kube}cluster_id`,
    `${words.monitor}client_id`,
    `${words.avatar}_id`,
    `user_${words.avatar}_id`,
  ],
  /** The first segment of a path after the version. */
  segments: [words.server, words.kube, words.monitor],
  /** The segment after `managed`. */
  managed: [`${words.server}-settings`],
  /** Public images and kernels begin with it, before the slash. */
  prefixes: [words.server],
  /** The first word of an event action, an entity type, a service type. */
  heads: [words.server, words.kube, words.monitor, `${words.monitor}client`],
  /** Event actions that are whole words of the table. */
  actions: [`${words.watchdog}_reboot`, `${words.console}_boot`],
  /** These stand before the colon of a scope. */
  scopes: [words.servers, words.kube, words.monitor],
  /** Capabilities of regions and accounts. */
  capabilities: [words.servers.charAt(0).toUpperCase() + words.servers.slice(1)],
});

/** `ids` are the prefixes in values. Ids are shown and sent back as the platform writes them, so only ours are translated. */
type Table = Record<keyof ReturnType<typeof places> | 'ids', ReadonlyMap<string, string>>;

/** Translates the text of one field. */
type Rule = (text: string, table: Table) => string;

const inTable = (map: ReadonlyMap<string, string>, word: string) => map.get(word) ?? word;

const prefixed: Rule = (id, { ids }) => {
  const slash = id.indexOf('/');
  return slash < 0 ? id : inTable(ids, id.slice(0, slash)) + id.slice(slash);
};

const headed: Rule = (text, { heads }) => {
  const [head = '', ...rest] = text.split('_');
  return [inTable(heads, head), ...rest].join('_');
};

const action: Rule = (text, table) => table.actions.get(text) ?? headed(text, table);

const capability: Rule = (text, { capabilities }) => inTable(capabilities, text);

const filterKey: Rule = (text, table) => fieldIn(table, text);

const path: Rule = (text, { segments, managed, prefixes }) => {
  const parts = text.split('/');
  const [, , area, below] = parts;
  const replace = (index: number, map: ReadonlyMap<string, string>) => {
    const part = parts[index];
    if (part !== undefined) parts[index] = inTable(map, part);
  };
  replace(2, segments);
  if (area === 'managed') replace(3, managed);
  if (area === 'images' && parts.length === 5) replace(3, prefixes);
  if (prefixes.has(area ?? '') && below === 'kernels' && parts.length === 6) replace(4, prefixes);
  return parts.join('/');
};

/** The fields whose text is translated, by name; in an entity, by `entity.` and name, which is also how filters write it. */
const rules: ReadonlyMap<string, Rule> = new Map([
  ['id', prefixed],
  ['image', prefixed],
  ['images', prefixed],
  ['kernel', prefixed],
  ['action', action],
  ['service_type', headed],
  ['capabilities', capability],
  ['entity.id', prefixed],
  ['entity.type', headed],
  ['entity.url', path],
  ['+order_by', filterKey],
]);

/** These hold the user's own, keys included. */
const ownersOwn = 'stackscript_data';

function ruleFor(key: string, holder: string, siblings: object): Rule | undefined {
  if (holder === 'entity' || holder === 'secondary_entity') return rules.get(`entity.${key}`);
  // An object that carries a tag: its type beside its data (document 1, 2.9).
  if (key === 'type' && 'data' in siblings) return headed;
  return rules.get(key);
}

function fieldIn({ fields }: Table, name: string): string {
  if (!name.includes('.')) return inTable(fields, name);
  const parts = name.split('.');
  const end = parts.indexOf(ownersOwn);
  return parts.map((part, index) => (end >= 0 && index > end ? part : inTable(fields, part))).join('.');
}

function translate(value: unknown, table: Table, holder: string, rule: Rule | undefined): unknown {
  if (typeof value === 'string') return rule ? rule(value, table) : value;
  if (Array.isArray(value)) return value.map((item) => translate(item, table, holder, rule));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (key === ownersOwn) return [key, child];
      // An operator of a filter says how to compare, not what: the rule of the field holds on.
      const inner = ruleFor(key, holder, value) ?? (key.startsWith('+') ? rule : undefined);
      return [fieldIn(table, key), translate(child, table, key, inner)];
    }),
  );
}

function wording(from: Words, to: Words, way: 'out' | 'in'): Wording {
  const [source, target] = [places(from), places(to)];
  const zip = (place: keyof ReturnType<typeof places>) =>
    new Map(source[place].map((word, index) => [word, target[place][index] ?? word]));
  const table: Table = {
    fields: zip('fields'),
    segments: zip('segments'),
    managed: zip('managed'),
    prefixes: zip('prefixes'),
    ids: way === 'out' ? zip('prefixes') : new Map(),
    heads: zip('heads'),
    actions: zip('actions'),
    scopes: zip('scopes'),
    capabilities: zip('capabilities'),
  };
  return {
    path: (text) => path(text, table),
    field: (name) => fieldIn(table, name),
    value: (value) => translate(value, table, '', undefined),
    scopes: (list) => list.replace(/\w+(?=:)/g, (scope) => inTable(table.scopes, scope)),
  };
}

const same = <T>(value: T): T => value;
const untouched: Wording = { path: same, field: same, value: same, scopes: same };

/**
 * The translation between the documents' words and the platform's; nothing is done at all when the map is empty.
 * Throws an Error, one sentence, when a word is unknown, is no lower-case word, or stands for two things.
 */
export function vocabularyOf(map: VocabularyMap = {}): Vocabulary {
  const words = wordsOf(map);
  const differs = Object.entries(standIns).some(([standIn, word]) => words[standIn as keyof Words] !== word);
  if (!differs) return { toWire: untouched, fromWire: untouched };
  return { toWire: wording(standIns, words, 'out'), fromWire: wording(words, standIns, 'in') };
}

function wordsOf(map: VocabularyMap): Words {
  const offered = Object.keys(standIns).join(', ');
  const given = Object.entries(map).filter(([, word]) => word !== undefined);
  for (const [standIn, word] of given) {
    if (!Object.hasOwn(standIns, standIn)) throw new Error(`The vocabulary has no "${standIn}"; it has ${offered}.`);
    if (!/^[a-z][a-z0-9]*$/.test(word)) {
      throw new Error(`The vocabulary's word for "${standIn}" must be lower-case letters and digits, not "${word}".`);
    }
  }
  const words: Words = {
    ...standIns,
    ...(map.server ? { servers: `${map.server}s` } : {}),
    ...Object.fromEntries(given),
  };
  const seen = new Map<string, string>();
  for (const [standIn, word] of Object.entries(words)) {
    const other = seen.get(word);
    if (other)
      throw new Error(`The vocabulary uses "${word}" for both ${other} and ${standIn}; each needs its own word.`);
    seen.set(word, standIn);
  }
  return words;
}

/**
 * The documents write stand-ins where the platform has words of its own (document 1, naming rule). Requests and
 * responses are translated by whole words in known places; all other text is the user's or the platform's and stays.
 */

/** One direction of translation. */
export interface Translation {
  /** A path with its parameters filled in, without the origin. */
  path: (path: string) => string;
  /** The name of a field; a nested one is dotted. */
  field: (name: string) => string;
  /** A JSON value: a body or a filter. */
  value: (value: unknown) => unknown;
  /** A list of scopes with any separator. */
  scopes: (list: string) => string;
}

/** The stand-ins of the documents; the plural of `server` is by default its word with an `s`. */
const replaceable = ['server', 'servers', 'monitor', 'kube', 'watchdog', 'console', 'avatar'] as const;

type Words = Record<(typeof replaceable)[number], string>;

/** Each as it is. */
const standIns = Object.fromEntries(replaceable.map((word) => [word, word])) as Words;

/** The platform's word for each stand-in; without one the stand-in itself is sent. */
export type VocabularyMap = Partial<Words>;

/** Every whole word that differs between vocabularies, by place. All vocabularies give the same order. */
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
  /** The part of the id of a public image or kernel before the slash. */
  prefixes: [words.server],
  /** The first word of an event action, entity type or service type. */
  heads: [words.server, words.kube, words.monitor, `${words.monitor}client`],
  /** Event actions that are translated as a whole. */
  actions: [`${words.watchdog}_reboot`, `${words.console}_boot`],
  /** The part of a scope before the colon. */
  scopes: [words.servers, words.kube, words.monitor],
  /** Capabilities of regions and accounts. */
  capabilities: [words.servers.charAt(0).toUpperCase() + words.servers.slice(1)],
});

/** `ids` are the prefixes in values. Only outgoing ids are translated: those of the platform are shown and sent back as they are. */
type Table = Record<keyof ReturnType<typeof places> | 'ids', ReadonlyMap<string, string>>;

type Translate = (text: string, table: Table) => string;

const lookUp = (map: ReadonlyMap<string, string>, word: string) => map.get(word) ?? word;

const translateId: Translate = (id, { ids }) => {
  const slash = id.indexOf('/');
  return slash < 0 ? id : lookUp(ids, id.slice(0, slash)) + id.slice(slash);
};

const translateHead: Translate = (text, { heads }) => {
  const [head = '', ...rest] = text.split('_');
  return [lookUp(heads, head), ...rest].join('_');
};

const translatePath: Translate = (text, { segments, managed, prefixes }) => {
  const parts = text.split('/');
  const [, , area, below] = parts;
  const replace = (index: number, map: ReadonlyMap<string, string>) => {
    const part = parts[index];
    if (part !== undefined) parts[index] = lookUp(map, part);
  };
  replace(2, segments);
  if (area === 'managed') replace(3, managed);
  if (area === 'images' && parts.length === 5) replace(3, prefixes);
  if (prefixes.has(area ?? '') && below === 'kernels' && parts.length === 6) replace(4, prefixes);
  return parts.join('/');
};

/** The fields whose text is translated, by name; fields of an entity as `entity.name`, the way filters write them. */
const fieldTranslations: ReadonlyMap<string, Translate> = new Map([
  ['id', translateId],
  ['image', translateId],
  ['images', translateId],
  ['kernel', translateId],
  ['action', (text, table) => table.actions.get(text) ?? translateHead(text, table)],
  ['service_type', translateHead],
  ['capabilities', (text, { capabilities }) => lookUp(capabilities, text)],
  ['entity.id', translateId],
  ['entity.type', translateHead],
  ['entity.url', translatePath],
  ['+order_by', (text, table) => translateField(table, text)],
]);

/** A field that holds the user's own data, keys included. */
const userData = 'stackscript_data';

function translationOf(key: string, holder: string, siblings: object): Translate | undefined {
  if (holder === 'entity' || holder === 'secondary_entity') return fieldTranslations.get(`entity.${key}`);
  // An object that carries a tag has a type beside its data (document 1, 2.9).
  return key === 'type' && 'data' in siblings ? translateHead : fieldTranslations.get(key);
}

function translateField({ fields }: Table, name: string): string {
  if (!name.includes('.')) return lookUp(fields, name);
  const parts = name.split('.');
  const end = parts.indexOf(userData);
  return parts.map((part, index) => (end >= 0 && index > end ? part : lookUp(fields, part))).join('.');
}

function translateValue(value: unknown, table: Table, holder: string, rule: Translate | undefined): unknown {
  if (typeof value === 'string') return rule ? rule(value, table) : value;
  if (Array.isArray(value)) return value.map((item) => translateValue(item, table, holder, rule));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (key === userData) return [key, child];
      // An operator of a filter compares a field: the translation of that field applies within it.
      const inner = translationOf(key, holder, value) ?? (key.startsWith('+') ? rule : undefined);
      return [translateField(table, key), translateValue(child, table, key, inner)];
    }),
  );
}

function translation(from: Words, to: Words, direction: 'out' | 'in'): Translation {
  const target = places(to);
  const zip = ([place, words]: [string, readonly string[]]) => [
    place,
    new Map(words.map((word, index) => [word, target[place as keyof typeof target][index] ?? word])),
  ];
  const own: Omit<Table, 'ids'> = Object.fromEntries(Object.entries(places(from)).map(zip));
  const table: Table = { ...own, ids: direction === 'out' ? own.prefixes : new Map() };
  return {
    path: (text) => translatePath(text, table),
    field: (name) => translateField(table, name),
    value: (value) => translateValue(value, table, '', undefined),
    scopes: (list) => list.replace(/\w+(?=:)/g, (scope) => lookUp(table.scopes, scope)),
  };
}

const unchanged = <T>(value: T): T => value;
const identity: Translation = { path: unchanged, field: unchanged, value: unchanged, scopes: unchanged };

/**
 * Creates the translation between the documents' words and the platform's; an empty map translates nothing.
 * Throws an Error of one sentence when a word is unknown, not in lower case, or used twice.
 */
export function vocabularyOf(map: VocabularyMap = {}) {
  const words = wordsOf(map);
  const differs = Object.entries(standIns).some(([standIn, word]) => words[standIn as keyof Words] !== word);
  if (!differs) return { toWire: identity, fromWire: identity };
  return { toWire: translation(standIns, words, 'out'), fromWire: translation(words, standIns, 'in') };
}

function wordsOf(map: VocabularyMap): Words {
  const known = Object.keys(standIns).join(', ');
  for (const [standIn, word] of Object.entries(map)) {
    if (!Object.hasOwn(standIns, standIn)) throw new Error(`The vocabulary has no "${standIn}"; it has ${known}.`);
    if (word !== undefined && !/^[a-z][a-z0-9]*$/.test(word))
      throw new Error(`The vocabulary's word for "${standIn}" must be lower-case letters and digits, not "${word}".`);
  }
  const [[word, those] = []] = sharedWords(map);
  if (!those) return wholeMap(map);
  throw new Error(`The vocabulary uses "${word}" for both ${those.join(' and ')}; each needs its own word.`);
}

const wholeMap = ({ server, ...map }: VocabularyMap): Words => ({
  ...standIns,
  ...(server !== undefined && { server, servers: `${server}s` }),
  ...Object.fromEntries(Object.entries(map).filter(([, word]) => word !== undefined)),
});

/** The words that stand for several things, with these; one without a word of its own keeps that of the documents. */
export const sharedWords = (map: VocabularyMap): readonly (readonly [word: string, standIns: readonly string[]])[] =>
  [...Map.groupBy(Object.entries(wholeMap(map)), ([, word]) => word)].flatMap(([word, those]) =>
    those.length > 1 ? [[word, those.map(([standIn]) => standIn)] as const] : [],
  );

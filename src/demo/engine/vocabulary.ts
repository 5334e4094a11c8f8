import type { Row } from '../../resources/resource.ts';
import type { Filter } from './filter.ts';

/** The words of a deployment by the documents' stand-ins: `server`, `servers`, `monitor`, `kube`, `watchdog`, … */
export type Vocabulary = Readonly<Record<string, string>>;

/** The documents' own words. */
const plain = {
  pathIn: (path: string) => path,
  bodyIn: (body: Row) => body,
  filterIn: (filter: Filter | undefined) => filter,
  bodyOut: (body: unknown) => body,
  scopes: (scopes: string) => scopes,
};

/** Translates what comes in to the documents' words and what goes out to the deployment's. */
export type Translator = typeof plain;

/** Every identifier that holds a stand-in, with the stand-in at its place; all else is the users' own. */
const keys = ['{server}_id', '{server}_label', 'from_{server}', '{servers}', '{kube}cluster_id', '{monitor}client_id'];
const avatars = ['{avatar}_id', 'user_{avatar}_id'];
const scopeNames = ['{servers}', '{kube}', '{monitor}'];
/** Types of entities, and of what a promotion is for. */
const typeNames = ['{server}', '{server}_config', '{server}_disk', '{server}_memory', '{monitor}'];
const serverActions =
  'addip boot clone create delete update deleteip migrate migrate_datacenter migrate_datacenter_create mutate mutate_create reboot rebuild resize resize_create shutdown snapshot config_create config_delete config_update';
const actions = [
  ...serverActions.split(' ').map((rest) => `{server}_${rest}`),
  '{watchdog}_reboot',
  '{console}_boot',
  '{kube}_node_create',
  ...['create', 'delete', 'update'].map((rest) => `{monitor}client_${rest}`),
];

/** Keys whose values are ids that may begin with the platform's name. */
const idKeys = new Set(['id', 'image', 'kernel', 'images']);
/** Keys below which everything belongs to the user. */
const userKeys = new Set(['stackscript_data', 'tags']);

/** The translation of a vocabulary. @throws when it holds a word that nothing stands for */
export function translatorFor(vocabulary: Vocabulary = {}): Translator {
  if (Object.keys(vocabulary).length === 0) return plain;
  const { server } = vocabulary;
  const own = { ...standIns, ...(server && { servers: `${server}s` }), ...vocabulary };
  const unknown = Object.keys(vocabulary).find((word) => !(word in standIns));
  if (unknown) throw new Error(`The vocabulary has no word ${unknown}; it has ${Object.keys(standIns).join(', ')}.`);
  const table = (names: readonly string[]) =>
    new Map(names.map((name) => [filled(name, standIns), filled(name, own)] as const));
  const outer = {
    keys: table([...keys, ...avatars]),
    actions: table(actions),
    types: table(typeNames),
    server: own.server,
    servers: own.servers,
  };
  const inner = { keys: turned(outer.keys), actions: turned(outer.actions), types: turned(outer.types) };
  const scopes = table(scopeNames);
  return {
    pathIn: (path) => pathFrom(path, own.server),
    bodyIn: (body) => translated(body, inner, [own.server, 'server']) as Row,
    filterIn: (filter) => filter && (filterFrom(filter, inner) as Filter),
    bodyOut: (body) => translated(body, outer, ['server', own.server]),
    scopes: (text) => text.replace(/\b\w+(?=:)/g, (name) => scopes.get(name) ?? name),
  };
}

const words = ['server', 'servers', 'monitor', 'kube', 'watchdog', 'console', 'avatar'] as const;
const standIns = Object.fromEntries(words.map((word) => [word, word])) as Record<(typeof words)[number], string>;

const filled = (name: string, words: Vocabulary) => name.replace(/\{(\w+)\}/, (_, word: string) => words[word] ?? word);

const turned = (table: ReadonlyMap<string, string>) => new Map([...table].map(([from, to]) => [to, from]));

interface Tables {
  keys: ReadonlyMap<string, string>;
  actions: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, string>;
  /** The platform's name and its plural, where values of the platform are translated too. */
  server?: string;
  servers?: string;
}

/** Only these segments of a path are the platform's; a tag of the same name is not. */
function pathFrom(path: string, server: string): string {
  const segments = path.split('/');
  const [, , area, next = ''] = segments;
  const translate = (place: number) => {
    const segment = segments[place];
    if (segment !== undefined) segments[place] = segmentFrom(segment, server);
  };
  if (area === server || area === 'server') translate(2);
  if (area === server && next === 'kernels') translate(4);
  if (area === 'images' || area === 'managed') translate(3);
  return segments.join('/');
}

/** The platform's name at the beginning of a segment, which may be an id whose slash is encoded; its stand-in is no name. */
function segmentFrom(segment: string, server: string): string {
  const [, name, rest = ''] = /^([^%-]+)(.*)$/.exec(segment) ?? [];
  if (name === server) return `server${rest}`;
  return name === 'server' ? `no-server${rest}` : segment;
}

function translated(value: unknown, tables: Tables, prefix: readonly [string, string], within = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => translated(one, tables, prefix, within));
  if (typeof value === 'string') return translatedText(value, within, tables, prefix);
  if (value === null || typeof value !== 'object') return value;
  const row = value as Row;
  const entity = within === 'entity' || within === 'secondary_entity' || ('type' in row && 'data' in row);
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(row)) {
    const name = tables.keys.get(key) ?? key;
    if (userKeys.has(key)) result[name] = member;
    else if (entity && key === 'type') result[name] = tables.types.get(String(member)) ?? member;
    else result[name] = translated(member, tables, prefix, key === 'created_by' && row.is_public ? 'platform' : key);
  }
  return result;
}

function translatedText(text: string, key: string, tables: Tables, [from, to]: readonly [string, string]): string {
  if (idKeys.has(key)) return text.startsWith(`${from}/`) ? to + text.slice(from.length) : text;
  if (key === 'action') return tables.actions.get(text) ?? text;
  if (key === 'service_type') return tables.types.get(text) ?? text;
  if (key === 'platform') return text === from ? to : text;
  if (!tables.server) return text;
  const name = tables.server.charAt(0).toUpperCase() + tables.server.slice(1);
  if (key === 'url') return text.replace(/^(\/v\d\/)server(?=\/)/, `$1${to}`);
  if (key === 'capabilities' && text === 'Servers')
    return `${tables.servers}`.replace(/^./, (first) => first.toUpperCase());
  if (key === 'filesystem_path') return text.replace(/(scsi-0)Server(?=_Volume_)/, `$1${name}`);
  if (key === 'field')
    return text
      .split('.')
      .map((part) => tables.keys.get(part) ?? part)
      .join('.');
  if (key === 'reason') return text.replace(/\w+/g, (word) => tables.keys.get(word) ?? word);
  return text;
}

/** The keys of a filter are fields; what they are compared with is translated where it names an action or a type. */
function filterFrom(filter: unknown, tables: Tables, within = ''): unknown {
  if (Array.isArray(filter)) return filter.map((one) => filterFrom(one, tables, within));
  if (typeof filter === 'string') {
    if (within === 'action' || within === '+order_by')
      return tables.actions.get(filter) ?? tables.keys.get(filter) ?? filter;
    return within === 'entity.type' ? (tables.types.get(filter) ?? filter) : filter;
  }
  if (filter === null || typeof filter !== 'object') return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) => {
      const operator = key.startsWith('+') && key !== '+order_by';
      return [tables.keys.get(key) ?? key, filterFrom(value, tables, operator ? within : key)];
    }),
  );
}

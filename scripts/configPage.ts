import { code, pageHead, table } from './markdown.ts';

/** The part of JSON Schema in which the configuration is described. */
export interface ConfigSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  description?: string;
  properties?: Readonly<Record<string, ConfigSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | ConfigSchema;
  items?: ConfigSchema;
  anyOf?: readonly ConfigSchema[];
  oneOf?: readonly ConfigSchema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

/** A table of the configuration with its header in the file. */
interface Part {
  header: string;
  about: string;
  schema: ConfigSchema;
}

/** The page of the configuration: every part with its keys. */
export function configPage(schema: ConfigSchema, sample: string): string {
  const head = pageHead(
    'Configuration',
    'Every key of `config.toml`. `skydeck config path` prints where the file is, `skydeck config check` every mistake in it. An editor that knows JSON Schema checks it while you type: `skydeck config schema > config.schema.json`, and `#:schema ./config.schema.json` as the first line of the file. `:reload` reads it again while the dashboard runs.',
  );
  // A table without meanings is said whole where it is named.
  const hasMeanings = ({ schema: { properties = {} } }: Part) =>
    Object.values(properties).some(({ description }) => description !== undefined);
  const sections = partsOf('', schema).slice(1).filter(hasMeanings).map(section);
  return [head, `A beginning:\n\n\`\`\`toml\n${sample.trim()}\n\`\`\``, ...sections, ''].join('\n\n');
}

const isTable = ({ properties, additionalProperties }: ConfigSchema): boolean =>
  properties !== undefined ||
  (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0);

/** All tables below one, itself first. */
function partsOf(path: string, schema: ConfigSchema, isList = false): readonly Part[] {
  const { properties = {}, additionalProperties, description = '' } = schema;
  const below = Object.entries(properties).flatMap(([key, inner]) => {
    const inside = path === '' ? key : `${path}.${key}`;
    if (inner.items && isTable(inner.items)) {
      return partsOf(inside, { ...inner.items, description: inner.description }, true);
    }
    const kinds = kindsIn(inner);
    if (kinds.length > 0) return partsOf(inside, { ...merged(kinds), description: tablesWithin(inside) }, true);
    return isTable(inner) ? partsOf(inside, inner) : [];
  });
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const named = rest && isTable(rest) ? partsOf(`${path}.${nameIn(path)}`, { ...rest, description }) : [];
  const header = isList ? `[[${path}]]` : `[${path}]`;
  return [{ header, about: description, schema }, ...below, ...named];
}

/** The tables of several kinds that a list may have, beside what else it may be. */
const kindsIn = ({ anyOf = [] }: ConfigSchema): readonly ConfigSchema[] =>
  anyOf.flatMap(({ items }) => items?.anyOf ?? []).flatMap(({ oneOf = [] }) => oneOf);

const tablesWithin = (path: string): string =>
  `The tables in the list \`${path.split('.').at(-1)}\`, by their \`kind\`.`;

/** One table with the keys of all kinds; those are required that each kind has. */
function merged(kinds: readonly ConfigSchema[]): ConfigSchema {
  const properties: Record<string, ConfigSchema> = Object.assign({}, ...kinds.map((one) => one.properties));
  const words = kinds.map((one) => one.properties?.kind?.const);
  const required = Object.keys(properties).filter((key) => kinds.every((one) => one.required?.includes(key)));
  return { properties: { ...properties, kind: { ...properties.kind, const: undefined, enum: words } }, required };
}

/** The name that a person gives to a table. */
const nameIn = (path: string): string => (path === 'keys' ? 'LAYER' : 'NAME');

function section({ header, about, schema }: Part): string {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([key, inner]) => [
    code(key) + (required.includes(key) ? '\\*' : ''),
    kindOf(inner, key),
    inner.description?.replaceAll('|', '\\|') ?? '',
  ]);
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  if (rest)
    rows.push([
      '`[keys.LAYER]`',
      `a table of actions; each ${kindOf(rest.additionalProperties as ConfigSchema)}`,
      'The keys of each action, in place of its own.',
    ]);
  return `## ${code(header)}\n\n${about}\n\n${table(['Key', 'What it may be', 'Meaning'], rows)}`;
}

/** The values of a key in words. */
function kindOf(schema: ConfigSchema, key = ''): string {
  if (schema.anyOf && !schema.properties) return schema.anyOf.map((one) => kindOf(one, key)).join(', or ');
  if (schema.oneOf && !schema.properties) return 'a table';
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((word) => code(JSON.stringify(word))).join(', ');
  if (schema.type === 'boolean') return '`true` or `false`';
  if (schema.type === 'integer' || schema.type === 'number')
    return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${schema.minimum === undefined ? '' : ` from ${schema.minimum} to ${schema.maximum}`}`;
  if (schema.type === 'array') {
    if (schema.items && isTable(schema.items)) return `tables, \`[[…${key}]]\``;
    const item = kindOf(schema.items ?? {});
    return item === 'a text' ? 'a list of texts' : `a list; each ${item}`;
  }
  if (schema.type === 'object')
    return schema.properties ? `a table: ${Object.keys(schema.properties).map(code).join(', ')}` : 'a table';
  return 'a text';
}

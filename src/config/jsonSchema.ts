import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { resources } from '../resources/index.ts';
import { planSchema } from './planSchema.ts';
import { configSchema } from './schema.ts';

/** The part of a JSON Schema that is refined here. */
interface Node {
  properties?: Record<string, Node>;
  additionalProperties?: Node | false;
  items?: Node;
  [rule: string]: unknown;
}

/** The actions of each layer of keys, and how keys are written, as the source of a regular expression. */
interface KeyNames {
  actions: Readonly<Record<string, readonly string[]>>;
  pattern: string;
}

/**
 * The JSON Schema (2020-12) of the configuration, for editors. Rules that it cannot say are only checked by the program.
 * @param keys names of keys and areas are part of it with these
 */
export const configJsonSchema = (keys?: KeyNames): string =>
  schemaText(configSchema, 'Configuration of Skydeck', (schema) => {
    if (!keys) return;
    const { properties: parts = {} } = schema;
    const profile = parts.profiles?.additionalProperties || {};
    const view = parts.views?.additionalProperties || {};
    const tables = [profile.properties?.guards, parts.commands, parts.rules];
    for (const area of [view.properties?.area, ...tables.map((table) => table?.items?.properties?.for)])
      if (area) area.$ref = '#/$defs/area';
    if (parts.keys) Object.assign(parts.keys, keysNode(parts.keys, keys));
    schema.$defs = { area: areaNode, key: keyNode(keys) };
  });

/** The JSON Schema (2020-12) of plan files; names of resources, actions and fields are only checked by the program. */
export const planJsonSchema = (): string => schemaText(planSchema, 'Plan of Skydeck');

function schemaText(of: GenericSchema, title: string, refine: (schema: Node) => void = () => {}): string {
  const made = toJsonSchema(of, { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' });
  const { $schema, ...rest } = structuredClone(made) as Node;
  refine(rest);
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

/** A key, or several; an empty one takes them away. */
const keyNode = ({ pattern }: KeyNames): Node => ({
  anyOf: [
    { type: 'string', pattern: `^$|${pattern}` },
    { type: 'array', items: { type: 'string', pattern } },
  ],
});

/** The layers with their actions. */
function keysNode({ properties }: Node, { actions }: KeyNames): Node {
  const layers = Object.entries(actions).map(([layer, names]): [string, Node] => [
    layer,
    tableOf(Object.fromEntries(names.map((name): [string, Node] => [name, { $ref: '#/$defs/key' }]))),
  ]);
  return tableOf({ ...properties, ...Object.fromEntries(layers) });
}

const tableOf = (properties: Record<string, Node>): Node => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

/** An area: the names for an editor to offer; other words for one are known too, in any case. */
const areaNode: Node = {
  anyOf: [
    { enum: resources.map(({ name }) => name) },
    { pattern: `[A-Z]|^(${resources.flatMap(({ one, aliases = [] }) => [one, ...aliases]).join('|')})$` },
  ],
};

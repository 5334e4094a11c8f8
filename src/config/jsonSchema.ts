import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Resource } from '../resources/resource.ts';
import { planSchema } from './planSchema.ts';
import { configSchema } from './schema.ts';

/** The part of a JSON Schema that is refined here. */
interface Node {
  properties?: Record<string, Node>;
  additionalProperties?: Node | false;
  items?: Node;
  anyOf?: readonly Node[];
  oneOf?: readonly Node[];
  [rule: string]: unknown;
}

/** Names that the parts of the configuration may have. */
interface SchemaNames {
  /** The actions of each layer of keys. */
  actions: Readonly<Record<string, readonly string[]>>;
  /** Matches keys as they are written: the source of a regular expression. */
  pattern: string;
  /** The areas that each part can be about. */
  areas: Readonly<Record<'views' | 'guards' | 'commands' | 'rules' | 'ask', readonly Resource[]>>;
}

/**
 * The JSON Schema (2020-12) of the configuration, for editors. Rules that it cannot say are only checked by the program.
 * @param names those of keys and areas, which are left out without them
 */
export const configJsonSchema = (names?: SchemaNames): string =>
  schemaText(configSchema, 'Configuration of Skydeck', (schema) => {
    if (!names) return;
    const { properties: parts = {} } = schema;
    const profile = parts.profiles?.additionalProperties || {};
    const view = parts.views?.additionalProperties || {};
    const ofTable = (table?: Node) => table?.items?.properties?.for;
    const asked = parts.commands?.items?.properties?.ask?.anyOf?.flatMap(({ items }) => items?.anyOf ?? []) ?? [];
    const nodes: Readonly<Record<keyof SchemaNames['areas'], readonly (Node | undefined)[]>> = {
      views: [view.properties?.area],
      guards: [profile.properties?.guards, parts.defaults?.properties?.guards].map(ofTable),
      commands: [parts.commands, parts.hooks].map(ofTable),
      rules: [ofTable(parts.rules)],
      ask: asked.flatMap(({ oneOf = [] }) => oneOf.map(({ properties }) => properties?.of)),
    };
    for (const [part, those] of Object.entries(nodes))
      for (const node of those) if (node) node.$ref = `#/$defs/area-of-${part}`;
    if (parts.keys) Object.assign(parts.keys, keysNode(parts.keys, names));
    const areas = Object.entries(names.areas).map(([part, those]) => [`area-of-${part}`, areaNode(those)]);
    schema.$defs = { ...Object.fromEntries(areas), key: keyNode(names) };
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
const keyNode = ({ pattern }: SchemaNames): Node => ({
  anyOf: [
    { type: 'string', pattern: `^$|${pattern}` },
    { type: 'array', items: { type: 'string', pattern } },
  ],
});

function keysNode({ properties }: Node, { actions }: SchemaNames): Node {
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
const areaNode = (areas: readonly Resource[]): Node => ({
  anyOf: [
    { enum: areas.map(({ name }) => name) },
    { pattern: `[A-Z]|^(${areas.flatMap(({ one, aliases = [] }) => [one, ...aliases]).join('|')})$` },
  ],
});

import { toJsonSchema } from '@valibot/to-json-schema';
import { configSchema } from './schema.ts';

/** The JSON Schema (2020-12) of the configuration, for editors. Rules that it cannot say are only checked by the program. */
export const configJsonSchema = (): string => {
  const schema = toJsonSchema(configSchema, { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' });
  const { $schema, ...rest } = schema;
  return `${JSON.stringify({ $schema, title: 'Configuration of Skydeck', ...rest }, null, 2)}\n`;
};

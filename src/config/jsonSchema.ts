import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { planSchema } from './planSchema.ts';
import { configSchema } from './schema.ts';

/** The JSON Schema (2020-12) of the configuration, for editors. Rules that it cannot say are only checked by the program. */
export const configJsonSchema = (): string => schemaText(configSchema, 'Configuration of Skydeck');

/** The JSON Schema (2020-12) of plan files; names of resources, actions and fields are only checked by the program. */
export const planJsonSchema = (): string => schemaText(planSchema, 'Plan of Skydeck');

function schemaText(of: GenericSchema, title: string): string {
  const { $schema, ...rest } = toJsonSchema(of, { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

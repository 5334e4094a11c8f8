/** Node's part of "JSON.parse source text access", which TypeScript does not describe yet. */
interface JSON {
  /** @param reviver told, for a primitive value, also how it is written */
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  /** A value that is written as this JSON text, which must be that of a primitive value. */
  rawJSON(text: string): object;
}

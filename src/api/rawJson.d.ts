/** The "JSON.parse source text access" proposal as Node has it; TypeScript does not declare it yet. */
interface JSON {
  /** @param reviver gets the source text of primitive values in its context */
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  /** A value that JSON.stringify writes as this text, which must be a primitive JSON value. */
  rawJSON(text: string): object;
}

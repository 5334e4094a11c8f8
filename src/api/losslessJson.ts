import { parseJson } from './responseText.ts';

const isIdName = (name: string) => name === 'id' || name.endsWith('_id');
const mayListIds = (name: string) => name !== 'tags';

/**
 * JSON whose integers beyond 2^53, such as ids, survive: they are parsed to the text of their digits, and written as
 * numbers again where an id or a list of ids holds that text.
 */
export class LosslessJson {
  readonly #texts = new Set<string>();

  /** The value of a JSON text; undefined when it is not JSON. */
  parse(text: string): unknown {
    return parseJson(text, this.#revive);
  }

  /** A body as JSON. */
  stringify(body: unknown, space?: number): string {
    return JSON.stringify(body, this.#texts.size > 0 ? this.#replace : undefined, space);
  }

  readonly #revive = (_name: string, value: unknown, { source = '' }: { source?: string }): unknown => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
    this.#texts.add(source);
    return source;
  };

  readonly #replace = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return mayListIds(name) ? value.map((item) => this.#number(item)) : value;
    return isIdName(name) ? this.#number(value) : value;
  };

  #number(value: unknown): unknown {
    return typeof value === 'string' && this.#texts.has(value) ? JSON.rawJSON(value) : value;
  }
}

import { parsed } from './answerText.ts';

/** A name under which ids stand: of one, or of a list. */
const isIdName = (name: string) => name === 'id' || name.endsWith('_id');
const isListName = (name: string) => name !== 'tags';

/**
 * Whole numbers that JavaScript's numbers do not hold exactly, such as ids above 2^53. They are read as the text of
 * their digits, and go back as the numbers that they were.
 */
export class ExactNumbers {
  readonly #texts = new Set<string>();

  /** The value of a JSON text; undefined when it is none. */
  parse(text: string): unknown {
    return parsed(text, this.#exact);
  }

  /** A body as JSON. */
  stringify(body: unknown, space?: number): string {
    return JSON.stringify(body, this.#texts.size > 0 ? this.#raw : undefined, space);
  }

  readonly #exact = (_name: string, value: unknown, { source = '' }: { source?: string }): unknown => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
    this.#texts.add(source);
    return source;
  };

  readonly #raw = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return isListName(name) ? value.map((item) => this.#number(item)) : value;
    return isIdName(name) ? this.#number(value) : value;
  };

  #number(value: unknown): unknown {
    return typeof value === 'string' && this.#texts.has(value) ? JSON.rawJSON(value) : value;
  }
}

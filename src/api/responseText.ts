import { attempt } from '../text/errno.ts';

/** Deeper than any response of the API; the functions that read one recurse for each level. */
const maxDepth = 64;

/** Takes the place of values below the deepest level. */
const depthMark = '(nested too deep)';

/** Every object inherits these: an own field of the name would shadow them, e.g. when the object is written as text. */
const inherited = ['toString', '__proto__'] as const;

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Parses a JSON text. Drops fields that shadow inherited ones and values that are nested too deep.
 * Returns undefined when the text is not JSON.
 * @param exact a reviver for JSON.parse; used only when the text holds integers beyond the safe range, for it is slow
 */
export function parseJson(text: string, exact?: Reviver): unknown {
  // Some servers begin their responses with a byte order mark.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  return attempt(() => {
    const value: unknown = JSON.parse(json);
    return sanitize(value, maxDepth) && exact ? parseExactly(json, exact, value) : value;
  });
}

function parseExactly(json: string, exact: Reviver, value: unknown): unknown {
  try {
    const whole = JSON.parse(json, exact);
    sanitize(whole, maxDepth);
    return whole;
  } catch (error) {
    // A reviver recurses for each level, which may overflow the stack.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/**
 * Cuts a value off below `levels` and deletes fields that shadow inherited ones.
 * @returns whether it holds a number outside of the safe integers
 */
function sanitize(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (value === null || typeof value !== 'object') return false;
  let found = false;
  if (Array.isArray(value)) {
    // Statistics are thousands of small lists of numbers.
    for (let index = 0; index < value.length; index++) if (sanitizeEntry(value as never, index, levels)) found = true;
    return found;
  }
  for (const name of inherited) if (Object.hasOwn(value, name)) Reflect.deleteProperty(value, name);
  for (const name of Object.keys(value)) if (sanitizeEntry(value as never, name, levels)) found = true;
  return found;
}

function sanitizeEntry(parent: Record<string | number, unknown>, key: string | number, levels: number): boolean {
  const child = parent[key];
  if (levels > 0 || child === null || typeof child !== 'object') return sanitize(child, levels - 1);
  parent[key] = depthMark;
  return false;
}

/** Describes a text that is not JSON; undefined when it begins as JSON does. */
export function describeNonJson(text: string): string | undefined {
  const start = text.replace(/^[\ufeff\s]+/, '');
  if (/^<(!doctype|html|\?xml|head|body)/i.test(start)) return 'a web page instead of JSON';
  return /^[[{]/.test(start) ? undefined : 'something that is not JSON';
}

/** The number in a header; undefined when there is none. */
export function headerNumber(header: string | string[] | undefined): number | undefined {
  const number = Number(header ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** JSON whose large integers survive. */
export type LosslessJson = ReturnType<typeof createLosslessJson>;

/**
 * JSON whose integers beyond 2^53, such as ids, survive: they are parsed to the text of their digits, and written as
 * numbers again where an id or a list of ids holds that text.
 */
export function createLosslessJson() {
  const texts = new Set<string>();
  const revive: Reviver = (_name, value, { source = '' }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
    texts.add(source);
    return source;
  };
  const numberOf = (value: unknown) => (typeof value === 'string' && texts.has(value) ? JSON.rawJSON(value) : value);
  const replace = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return name === 'tags' ? value : value.map(numberOf);
    return name === 'id' || name.endsWith('_id') ? numberOf(value) : value;
  };
  return {
    /** The value of a JSON text; undefined when it is not JSON. */
    parse: (text: string) => parseJson(text, revive),
    stringify: (body: unknown, space?: number): string =>
      JSON.stringify(body, texts.size > 0 ? replace : undefined, space),
  };
}

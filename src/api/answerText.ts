/** Deeper than any answer of the API; what reads it calls itself for each level. */
const deepest = 64;

/** Stands for what lies deeper. */
const tooDeep = '(nested too deep)';

/** Every object has these already: a field so named would stand in its way, e.g. when it is written as text. */
const inherited = ['toString', '__proto__'] as const;

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

/**
 * The value of a JSON text, without fields that hide what every object has and without what is nested too deep;
 * undefined when it is none.
 * @param exact as the reviver of JSON.parse, used only where there are whole numbers that no number holds exactly
 */
export function parsed(text: string, exact?: Reviver): unknown {
  // Some servers begin their answers with a byte order mark.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    const value: unknown = JSON.parse(json);
    return tidied(value, deepest) && exact ? revived(json, exact, value) : value;
  } catch {
    return undefined;
  }
}

function revived(json: string, exact: Reviver, value: unknown): unknown {
  try {
    const whole = JSON.parse(json, exact);
    tidied(whole, deepest);
    return whole;
  } catch (error) {
    // A reviver calls itself for each level, of which there may be too many.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/**
 * Leaves so many levels below a value, and takes out fields that hide what every object has.
 * @returns whether there is a whole number that may be written with other digits
 */
function tidied(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return isInexact(value);
  let found = false;
  if (Array.isArray(value)) {
    // Statistics are thousands of small lists of numbers.
    for (let index = 0; index < value.length; index++) if (tidiedPart(value as never, index, levels)) found = true;
    return found;
  }
  for (const name of inherited) if (Object.hasOwn(value, name)) Reflect.deleteProperty(value, name);
  for (const name of Object.keys(value)) if (tidiedPart(value as never, name, levels)) found = true;
  return found;
}

function tidiedPart(parts: Record<string | number, unknown>, key: string | number, levels: number): boolean {
  const part = parts[key];
  if (levels > 0 || part === null || typeof part !== 'object') return tidied(part, levels - 1);
  parts[key] = tooDeep;
  return false;
}

const isInexact = (value: unknown): boolean =>
  typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER);

/** Describes an answer that is no JSON; undefined where it begins as JSON does. */
export function whatIs(text: string): string | undefined {
  const start = text.replace(/^[\ufeff\s]+/, '');
  if (/^<(!doctype|html|\?xml|head|body)/i.test(start)) return 'a web page instead of JSON';
  return /^[[{]/.test(start) ? undefined : 'something that is not JSON';
}

/** The origin of a Location header; undefined when there is none. */
export const originOf = (location: string | undefined) => (location && URL.parse(location)?.origin) || undefined;

/** The number that a header holds; undefined where there is none. */
export function numberIn(header: string | string[] | undefined): number | undefined {
  const number = Number(header ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

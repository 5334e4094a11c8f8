/** Deeper than any answer of the API; what reads it calls itself for each level. */
const deepest = 64;

/** What every object has already: a field of this name would stand in its way, e.g. when it is written as text. */
const inherited = ['toString', '__proto__'] as const;

/** The value of a JSON text, without fields that hide what every object has; undefined when it is none or nested too deep. */
export function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value, deepest) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether no more than so many levels lie below a value; takes out fields that hide what every object has. */
function isShallow(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (levels === 0) return false;
  if (!Array.isArray(value)) {
    for (const name of inherited) if (Object.hasOwn(value, name)) Reflect.deleteProperty(value, name);
  }
  // Statistics are thousands of small lists of numbers.
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (!isShallow(child, levels - 1)) return false;
  }
  return true;
}

/** What an answer that is no JSON looks like; undefined where it begins as JSON does. */
export function whatIs(text: string): string | undefined {
  const start = text.trimStart();
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

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an answer that is no JSON looks like. */
export function whatIs(text: string): string {
  const start = text.trimStart();
  if (/^<(!doctype|html|\?xml|head|body)/i.test(start)) return 'a web page instead of JSON';
  if (/^[[{]/.test(start)) return 'JSON that is cut off or broken';
  return 'something that is not JSON';
}

/** The origin of a Location header; undefined when there is none. */
export const originOf = (location: string | undefined) => (location && URL.parse(location)?.origin) || undefined;

/** A header that holds a number. */
export const numberIn = (header: string | string[] | undefined) => (header === undefined ? undefined : Number(header));

import type { Entry } from '../../resources/resource.ts';

/** An entry as the text that is typed. */
export const typedText = (entry: Entry): string =>
  Array.isArray(entry) ? entry.join(', ') : entry === undefined ? '' : String(entry);

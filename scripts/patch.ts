/** A change of a dependency as it is bundled: the file, by the end of its path, and its new text. */
export interface Patch {
  file: RegExp;
  apply(source: string): string;
}

/** Puts another text in the place of one that must be there; throws where a new version of the dependency lacks it. */
export function replaced(source: string, text: string, by: string): string {
  if (!source.includes(text)) throw new Error(`the text to be patched is not there: ${text}`);
  return source.replace(text, () => by);
}

/** Puts several other texts in their places, one after the other. */
export const allReplaced = (source: string, changes: readonly (readonly [text: string, by: string])[]): string =>
  changes.reduce((changed, [text, by]) => replaced(changed, text, by), source);

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceNamed } from './privateFile.ts';
import { UsageError } from './rules.ts';

/**
 * Writes a file that the command line names, whole or not at all: a new one for its owner alone, in the place of an empty
 * one or one of Skydeck's own with the mode of that, also through links. Throws a UsageError.
 */
export const writeOut = (file: string, text: string): void =>
  replaceNamed(file, text, (before) => {
    // A folder that is misspelt is not made.
    if (!before) return void statSync(dirname(file));
    if (before.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (before.isFile() && isOwnText(readFileSync(file, 'utf8'), text)) return;
    throw new UsageError(`${file} was not made by Skydeck, so it is not replaced; name another file, or move it away.`);
  });

/**
 * Whether an export has made a text. Most say so, the targets of Prometheus at the first of them; JSON tells its area and
 * time, and CSV begins with the names of the same columns as the text that comes in its place.
 */
function isOwnText(before: string, text: string): boolean {
  const [header = ''] = text.split('\n', 1);
  return (
    ['', '[]'].includes(before.trim()) ||
    /^[#;] Made by Skydeck at |^\[[\s\S]*"__meta_made": "Made by Skydeck at |^\{\s*"area": "[^"]*",\s*"takenAt": /.test(
      before,
    ) ||
    (/\w/.test(header) && before.startsWith(`${header}\n`))
  );
}

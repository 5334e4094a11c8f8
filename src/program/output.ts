import { fstatSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../text/errno.ts';
import { printable } from '../text/escapes.ts';
import { replaceNamed } from './replaceFile.ts';
import { UsageError } from './rules.ts';

/** Standard output could not be written. */
export class OutputError extends Error {
  /** Whether the reader has closed the pipe, like `head`. */
  readonly isBrokenPipe: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`Standard output cannot be written: ${reasonOf(cause)}.`, { cause });
    this.isBrokenPipe = cause.code === 'EPIPE';
  }
}

/** Prints the whole text, in which nothing steers a terminal. Rejects with an OutputError, with a sentence for the user. */
export async function print(stdout: NodeJS.WriteStream & { fd: number }, given: string): Promise<void> {
  const text = printable(given);
  try {
    if (fstatSync(stdout.fd).isFile()) return writeAll(stdout.fd, Buffer.from(text));
    await new Promise<void>((resolve, reject) => {
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw error instanceof Error && 'errno' in error ? new OutputError(error as NodeJS.ErrnoException) : error;
  }
}

/** On a disk that is nearly full, a write takes what fits, and a stream would not notice. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

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
    const why = 'it was not made by Skydeck, or with other columns';
    throw new UsageError(`${file} is not replaced: ${why}; name another file, or move it away.`);
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

import { fstatSync, writeSync } from 'node:fs';
import { reasonOf } from '../text/errno.ts';
import { printable } from '../text/escapes.ts';

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
    throw isSystemError(error) ? new OutputError(error) : error;
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error;

/** On a disk that is nearly full, a write takes what fits, and a stream would not notice. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

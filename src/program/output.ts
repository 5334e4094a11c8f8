import { fstatSync, writeSync } from 'node:fs';
import { reasonOf } from '../text/errno.ts';

/** Something that was to be printed did not arrive. */
export class OutputError extends Error {
  /** Whether the reader has gone, like `head`, which has seen enough. */
  readonly isBrokenPipe: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`Standard output cannot be written: ${reasonOf(cause)}.`, { cause });
    this.isBrokenPipe = cause.code === 'EPIPE';
  }
}

/** Prints a text whole. Rejects with an OutputError, with a sentence for the user, where it does not arrive. */
export async function print(stdout: NodeJS.WriteStream & { fd: number }, text: string): Promise<void> {
  try {
    if (fstatSync(stdout.fd).isFile()) return writeAll(stdout.fd, Buffer.from(text));
    await new Promise<void>((resolve, reject) => {
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw isOfSystem(error) ? new OutputError(error) : error;
  }
}

const isOfSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error;

/** On a disk that is nearly full, a write takes what fits, which the stream of a file takes for all. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

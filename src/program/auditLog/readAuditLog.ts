import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isRow, type Row } from '../../resources/row.ts';
import { attempt, reasonOf } from '../../text/errno.ts';
import { openPrivate, UnsafeFileError } from '../privateFile.ts';
import { auditFile, olderFiles, trustedAudit } from './auditLog.ts';

/** The bounds of what is read. */
export interface ReadLimits {
  /** Bytes of all files together. */
  bytes: number;
  changes: number;
}

const usualLimits: ReadLimits = { bytes: 32 * 2 ** 20, changes: 20_000 };
/** Read at once: it is parsed in a few milliseconds. */
const chunkBytes = 128 * 1024;
/** A longer line is not read, as it would hold up a key. */
const maxLineBytes = 2 ** 20;
/** Screens recurse for each level; no body of the API is half as deep. */
const maxLevels = 64;

interface OpenFile {
  path: string;
  descriptor: number;
  size: number;
}

/**
 * Reads the audit log backwards, from its current file into the older ones; all are opened before anything is awaited, so that
 * it is read as it is at this moment.
 * @param take is given portions of lines, the newest first; in place of one that cannot be read, why, as `damaged`. By false
 *   it ends the reading
 * Resolves with sentences about what is left out; undefined where nothing is.
 */
export async function readAuditLog(
  directory: string,
  take: (lines: readonly Row[]) => unknown,
  limits: ReadLimits = usualLimits,
): Promise<string | undefined> {
  const says: string[] = [];
  const files = openFiles(directory, says);
  let { bytes, changes } = limits;
  let unreadable = 0;
  let isCut = false;
  try {
    for (const file of files) {
      for await (const { texts, bytes: read } of linesBackwards(file)) {
        if (bytes <= 0 || changes <= 0) {
          isCut = true;
          break;
        }
        const lines = texts.map(lineOf);
        bytes -= read;
        // All lines but the outcomes of changes begin a row.
        changes -= lines.filter(({ outcome }) => outcome === undefined || outcome === 'pending').length;
        unreadable += lines.filter(({ damaged }) => damaged !== undefined).length;
        if (take(lines) === false) return undefined;
      }
      if (isCut) break;
    }
  } finally {
    for (const { descriptor } of files) closeSync(descriptor);
  }
  if (isCut) says.push(`The audit log has more than the changes that are listed; the older ones are in ${directory}.`);
  if (unreadable > 0)
    says.push(
      unreadable === 1
        ? 'A line of the audit log cannot be read.'
        : `${unreadable} lines of the audit log cannot be read.`,
    );
  return says.length > 0 ? says.join(' ') : undefined;
}

/** Opens the files that only their owner can read, the newest first; `says` is told of the others. */
function openFiles(directory: string, says: string[]): readonly OpenFile[] {
  const paths = [auditFile(directory), ...olderFiles(directory).map((name) => join(directory, name))];
  return paths.flatMap((path) => {
    try {
      const descriptor = openPrivate(path, trustedAudit);
      return { path, descriptor, size: fstatSync(descriptor).size };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = error instanceof UnsafeFileError ? `it ${error.why}` : reasonOf(error);
      if (code !== 'ENOENT') says.push(`The audit log ${path} is left out: ${why}.`);
    }
    return [];
  });
}

/** Lines of a file, and the bytes that were read for them. */
interface Portion {
  /** Undefined for a line that is too long. */
  texts: readonly (string | undefined)[];
  bytes: number;
}

/** The lines of a file in portions, from its end to its begin. */
async function* linesBackwards({ descriptor, size }: OpenFile): AsyncGenerator<Portion> {
  /** The end of a line whose begin is not read yet, the last part first. */
  let parts: Buffer[] = [];
  let partBytes = 0;
  const finished = (first: Buffer): string | undefined => {
    const isWhole = partBytes + first.length <= maxLineBytes;
    const text = isWhole ? Buffer.concat([first, ...parts.reverse()]).toString() : undefined;
    parts = [];
    partBytes = 0;
    return text;
  };
  for (let end = size; end > 0; ) {
    const begin = Math.max(0, end - chunkBytes);
    const buffer = Buffer.alloc(end - begin);
    const bytesRead = readSync(descriptor, buffer, 0, end - begin, begin);
    // It was made shorter meanwhile.
    if (bytesRead < end - begin) return;
    const texts: (string | undefined)[] = [];
    let last = buffer.length;
    for (let newline = buffer.lastIndexOf(10); newline >= 0; newline = buffer.subarray(0, newline).lastIndexOf(10)) {
      texts.push(finished(buffer.subarray(newline + 1, last)));
      last = newline;
    }
    const rest = buffer.subarray(0, last);
    partBytes += rest.length;
    if (partBytes <= maxLineBytes) parts.push(rest);
    end = begin;
    if (begin === 0) texts.push(finished(Buffer.alloc(0)));
    yield { texts: texts.filter((text) => text !== ''), bytes: bytesRead };
    // Keys are handled before the next portion.
    if (begin > 0) await new Promise(setImmediate);
  }
}

/** The object of a line; why it cannot be read, where it is none. */
function lineOf(text: string | undefined): Row {
  if (text === undefined) return { damaged: `It is longer than ${maxLineBytes / 2 ** 20} MiB.` };
  const value: unknown = attempt(() => JSON.parse(text));
  if (!isRow(value)) return { damaged: `It is no JSON object: ${text.slice(0, 60)}` };
  return isWithin(value, maxLevels) ? value : { damaged: `It is nested more than ${maxLevels} levels deep.` };
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((part) => isWithin(part, levels - 1)));

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { isRow } from '../../resources/row.ts';
import type { KeptList } from '../../store/kept/keptSource.ts';
import { queryKey } from '../../store/queries.ts';
import { reasonOf } from '../../text/errno.ts';
import { dateText, day, minute, type Timestamp } from '../../text/times.ts';
import { modeText } from '../rules.ts';

/**
 * A file of kept lists: these words, the length and the checksum of its index, the index, and the segments of the lists,
 * each of which can be read by itself. Any other version of it is thrown away.
 */
const magic = Buffer.from('skydeck kept lists 1\n');
const headBytes = magic.length + 8;
const maxIndexBytes = 2 ** 20;

/** The largest file, with all lists of an account. */
const maxFileBytes = 8 * 2 ** 20;
/** The largest list, as it is in memory. */
export const maxListBytes = 64 * 2 ** 20;
/** Older lists say too little. */
const maxAge = 30 * day;
/** A clock may be set back by so much. */
const clockSlack = minute;

/** The account that lists are kept of. */
export interface KeptOf {
  profile: string;
  baseUrl: string;
  /** Of address and token. */
  fingerprint: string;
  /** The account's own id, as far as the API has said it. */
  euuid?: string;
}

/** A list in the file. */
export interface Segment extends Omit<KeptList, 'rows'> {
  rows: number;
  /** From the end of the index. */
  offset: number;
  bytes: number;
  checksum: number;
}

/** The first part of the file. */
export interface KeptIndex extends KeptOf {
  writtenAt: Timestamp;
  lists: readonly Segment[];
}

/** A file that is open. */
export interface OpenKept {
  index: KeptIndex;
  /** The compressed rows of a list. Throws an UnfitError where they are damaged. */
  segment(list: Segment): Buffer;
  close(): void;
}

/** Thrown where a file cannot be used; its message is the end of a sentence. */
export class UnfitError extends Error {}

/**
 * Opens a file of kept lists; undefined where there is none. Nothing is believed that somebody else could have written.
 * Throws an UnfitError.
 */
export function openKeptFile(file: string, owner: number | undefined, now: Timestamp): OpenKept | undefined {
  const descriptor = openPrivate(file, owner);
  if (descriptor === undefined) return undefined;
  try {
    const { size } = fstatSync(descriptor);
    const { index, end } = readIndex(descriptor, size);
    if (index.writtenAt > now + clockSlack)
      throw new UnfitError(`it is of the future, ${dateText(index.writtenAt)}, so a clock is or was wrong`);
    const isSound = ({ offset, bytes }: Segment) => end + offset + bytes <= size;
    if (!index.lists.every(isSound)) throw new UnfitError('the file is damaged');
    return {
      index: { ...index, lists: index.lists.filter(({ keptAt }) => now - keptAt < maxAge) },
      segment: ({ offset, bytes, checksum }) => {
        const data = bytesAt(descriptor, end + offset, bytes);
        if (crc32(data) !== checksum) throw new UnfitError('the file is damaged');
        return data;
      },
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error instanceof UnfitError ? error : new UnfitError(`it cannot be read: ${reasonOf(error)}`);
  }
}

/** Opens a file that nobody else can have read or written. */
function openPrivate(file: string, owner: number | undefined): number | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UnfitError(`it cannot be read: ${reasonOf(error)}`);
  }
  const directory = lstatSync(dirname(file));
  const stat = fstatSync(descriptor);
  const why =
    (stat.isFile() ? undefined : 'it is not a regular file') ??
    (directory.isDirectory() ? undefined : 'its directory is a symbolic link') ??
    whyOpen('the file', stat, owner) ??
    whyOpen('its directory', directory, owner) ??
    (stat.size > maxFileBytes * 2 ? 'the file is too large' : undefined);
  if (why === undefined) return descriptor;
  closeSync(descriptor);
  throw new UnfitError(why);
}

function whyOpen(what: string, { uid, mode }: { uid: number; mode: number }, owner?: number): string | undefined {
  if (owner === undefined) return undefined;
  if (uid !== owner) return `${what} belongs to somebody else`;
  return mode & 0o077 ? `${what} was open to others (mode ${modeText(mode)})` : undefined;
}

function readIndex(descriptor: number, size: number): { index: KeptIndex; end: number } {
  if (size < headBytes) throw new UnfitError('the file is damaged');
  const head = bytesAt(descriptor, 0, headBytes);
  if (!head.subarray(0, magic.length).equals(magic)) throw new UnfitError('it was written by another version');
  const length = head.readUInt32LE(magic.length);
  if (length > maxIndexBytes || headBytes + length > size) throw new UnfitError('the file is damaged');
  const text = bytesAt(descriptor, headBytes, length);
  const index = crc32(text) === head.readUInt32LE(magic.length + 4) ? parsed(text.toString()) : undefined;
  if (!isIndex(index)) throw new UnfitError('the file is damaged');
  return { index, end: headBytes + length };
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  if (readSync(descriptor, data, 0, length, position) !== length) throw new UnfitError('the file is damaged');
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isOptional = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);

const isIndex = (value: unknown): value is KeptIndex =>
  isRow(value) &&
  [value.profile, value.baseUrl, value.fingerprint].every(isText) &&
  isOptional(value.euuid, isText) &&
  isCount(value.writtenAt) &&
  Array.isArray(value.lists) &&
  value.lists.every(isSegment);

const isSegment = (value: unknown): value is Segment =>
  isRow(value) &&
  isQuery(value.query) &&
  isOptional(value.results, isCount) &&
  [value.keptAt, value.rows, value.offset, value.bytes, value.checksum].every(isCount);

const isQuery = (value: unknown): boolean =>
  isRow(value) &&
  isText(value.resource) &&
  isText(value.operation) &&
  isRow(value.params) &&
  Object.values(value.params).every(isText);

/** Lists with their compressed rows. */
export type Written = readonly (readonly [Omit<Segment, 'offset'>, Buffer])[];

/** The content of a file. The newest lists are kept where there is no room for all, and those that lie under nothing first. */
export function keptFileOf(of: KeptOf, writtenAt: Timestamp, written: Written): readonly Buffer[] {
  const isBelow = ({ query }: Omit<Segment, 'offset'>) => (Object.keys(query.params).length > 0 ? 1 : 0);
  const ordered = written.toSorted(
    ([one], [other]) => isBelow(one) - isBelow(other) || other.keptAt - one.keptAt || compare(one, other),
  );
  const segments: Buffer[] = [];
  const lists: Segment[] = [];
  let offset = 0;
  for (const [list, data] of ordered) {
    if (offset + data.length > maxFileBytes || lists.length >= maxLists) continue;
    lists.push({ ...list, offset });
    segments.push(data);
    offset += data.length;
  }
  const index = Buffer.from(JSON.stringify({ ...of, writtenAt, lists } satisfies KeptIndex));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(index.length);
  head.writeUInt32LE(crc32(index), 4);
  return [magic, head, index, ...segments];
}

/** So many lists have an index within its limit. */
const maxLists = 2000;

const compare = (one: Pick<Segment, 'query'>, other: Pick<Segment, 'query'>) =>
  queryKey(one.query) < queryKey(other.query) ? -1 : 1;

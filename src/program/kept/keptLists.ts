import { rmSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, crc32, createZstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { isNameless } from '../../resources/identity.ts';
import type { Row } from '../../resources/resource.ts';
import { isKeepableQuery } from '../../store/kept/keepableQuery.ts';
import type { KeptList, KeptSource } from '../../store/kept/keptSource.ts';
import { queryKey } from '../../store/queries.ts';
import { writeKept } from './keptDirectory.ts';
import {
  type KeptOf,
  keptFileOf,
  maxListBytes,
  type OpenKept,
  openKeptFile,
  type Segment,
  UnfitError,
} from './keptFile.ts';
import type { KeptName } from './keptName.ts';
import { blockText, rowsOfBlock, rowsPerBlock } from './rowBlocks.ts';

/** The lists of an account that are kept in a file. */
export interface KeptLists extends KeptSource {
  /** The API has said the account's own id; lists of another one are thrown away. */
  confirm(euuid: string): void;
  /** Whether a session before has kept any, and they were not thrown away. */
  hasLists(): boolean;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

/** Longer lists are read again anyway before anybody has looked at them all. */
const maxRows = 50_000;
/** Of a list below a row. */
const maxRowsBelow = 1_000;

/** Half the time and memory of the default, for files that are 3 % larger. */
const frugal = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 18 };
const decompress = promisify(zstdDecompress);

/**
 * The lists that are kept in a file. Nothing is opened before something is asked for.
 * @param owner the only user who may have written it
 */
export function openKeptLists(named: KeptName, owner: number | undefined, now: () => number): KeptLists {
  let euuid: string | undefined;
  /** Undefined before it was opened and where there is none. */
  let opened: OpenKept | undefined;
  let isTried = false;
  /** The account that the file was of. */
  let before: string | undefined;
  /** The lists that were not read yet, by query. */
  const left = new Map<string, Segment>();
  /** The lists as they are in the file. */
  let written = new Map<string, { rows: readonly Row[]; checksum: number }>();
  let tell: ((says: string) => void) | undefined;
  const told: string[] = [];
  let saving: Promise<void> = Promise.resolve();

  const of = (): KeptOf => ({ ...named.of, euuid });

  function discard(why: string): void {
    const says = `The kept lists of ${named.of.profile} are thrown away: ${why}.`;
    close();
    left.clear();
    written = new Map();
    try {
      rmSync(named.file, { force: true });
    } catch {
      // It may be another user's, and is not read either.
    }
    if (tell) tell(says);
    else told.push(says);
  }

  function close(): void {
    opened?.close();
    opened = undefined;
  }

  /** The result of an attempt; where the file does not fit, it is thrown away. */
  function unlessUnfit<T>(attempt: () => T): T | undefined {
    try {
      return attempt();
    } catch (error) {
      discard(error instanceof UnfitError ? error.message : 'the file is damaged');
      return undefined;
    }
  }

  function open(): OpenKept | undefined {
    if (isTried) return opened;
    isTried = true;
    if (named.isNone?.()) return undefined;
    opened = unlessUnfit(() => openKeptFile(named.file, owner, now()));
    const why = opened && whyOther(opened.index, of());
    if (why !== undefined) discard(why);
    before = opened?.index.euuid;
    for (const segment of opened?.index.lists ?? []) left.set(queryKey(segment.query), segment);
    return opened;
  }

  function listOf({ query, results, keptAt, checksum }: Segment, rows: readonly Row[]): KeptList {
    written.set(queryKey(query), { rows, checksum });
    return { query, results, keptAt, rows };
  }

  async function write(lists: readonly KeptList[]): Promise<void> {
    const fresh = new Map<string, readonly [Omit<Segment, 'offset'>, Buffer]>();
    const others = othersIn(named.file, owner, now(), of());
    for (const list of lists) {
      const key = queryKey(list.query);
      if (!isKeepable(list)) continue;
      const last = written.get(key);
      const same = others.get(key);
      const { query, results, keptAt, rows } = list;
      const data = last && last.rows === rows && same?.[0].checksum === last.checksum ? same[1] : await packed(rows);
      const checksum = crc32(data);
      fresh.set(key, [{ query, results, keptAt, rows: rows.length, bytes: data.length, checksum }, data]);
      written.set(key, { rows, checksum });
    }
    for (const [key, entry] of others) {
      const own = fresh.get(key);
      if (!own || own[0].keptAt < entry[0].keptAt) fresh.set(key, entry);
    }
    const listed = new Set(lists.map(({ query }) => queryKey(query)));
    for (const key of written.keys()) if (!listed.has(key)) written.delete(key);
    await writeKept(named.file, owner, keptFileOf(of(), now(), [...fresh.values()]));
  }

  return {
    read(query) {
      open();
      const key = queryKey(query);
      const segment = left.get(key);
      if (!segment || !isKeepableQuery(query)) return undefined;
      left.delete(key);
      return unlessUnfit(() => {
        const data = opened?.segment(segment);
        return data && listOf(segment, rowsOfSegment(data));
      });
    },
    async *rest() {
      open();
      for (const [key, segment] of left) {
        left.delete(key);
        if (!isKeepableQuery(segment.query)) continue;
        const data = unlessUnfit(() => opened?.segment(segment));
        if (!data) return;
        const rows = await unpacked(data).catch(() => undefined);
        if (!opened) return;
        if (!rows) return discard('the file is damaged');
        yield listOf(segment, rows);
      }
      close();
    },
    save(lists) {
      // Without it the next start only takes longer.
      saving = saving.then(() => write(lists)).catch(() => {});
      return saving;
    },
    onDiscard(listener) {
      tell = listener;
      for (const says of told.splice(0)) listener(says);
    },
    confirm(confirmed) {
      open();
      euuid = confirmed;
      const isOther = before !== undefined && before !== euuid;
      before = euuid;
      if (isOther) discard('the token is of another account now');
    },
    hasLists() {
      open();
      return left.size > 0 || written.size > 0;
    },
    close: () => saving,
  };
}

/** Why kept lists are of another account; undefined where they are not. */
function whyOther(kept: KeptOf, of: KeptOf): string | undefined {
  if (kept.profile !== of.profile) return `they are of the profile ${kept.profile}`;
  if (kept.baseUrl !== of.baseUrl) return `they are of another API, ${kept.baseUrl}`;
  if (kept.fingerprint !== of.fingerprint) return 'they were read with another token';
  return kept.euuid !== undefined && of.euuid !== undefined && kept.euuid !== of.euuid
    ? 'they are of another account'
    : undefined;
}

/** Rows without an id are known by their place only, which another reading may give to others. */
const isKeepable = ({ query, rows }: KeptList): boolean =>
  rows.length <= (Object.keys(query.params).length > 0 ? maxRowsBelow : maxRows) && !rows.some(isNameless);

/** The lists that are in the file by now, which another session may have written. */
function othersIn(
  file: string,
  owner: number | undefined,
  now: number,
  of: KeptOf,
): Map<string, readonly [Omit<Segment, 'offset'>, Buffer]> {
  const found = new Map<string, readonly [Omit<Segment, 'offset'>, Buffer]>();
  try {
    const opened = openKeptFile(file, owner, now);
    if (!opened) return found;
    try {
      if (whyOther(opened.index, of) === undefined)
        for (const segment of opened.index.lists)
          found.set(queryKey(segment.query), [segment, opened.segment(segment)]);
    } finally {
      opened.close();
    }
  } catch {
    // A file that does not fit is written anew.
  }
  return found;
}

/** Lets keys be answered between two blocks. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The compressed rows of a list, piece by piece: a long list as one text would leave its memory behind. */
async function packed(rows: readonly Row[]): Promise<Buffer> {
  const compressing = createZstdCompress({ params: frugal });
  const [data] = await Promise.all([buffer(compressing), pipeline(blocksOf(rows), compressing)]);
  return data;
}

async function* blocksOf(rows: readonly Row[]): AsyncGenerator<string> {
  // An empty list has a block, too.
  for (let from = 0; from === 0 || from < rows.length; from += rowsPerBlock) {
    yield `${from > 0 ? '\n' : ''}${blockText(rows.slice(from, from + rowsPerBlock))}`;
    await turn();
  }
}

/** The rows of a list, at once. Throws where they are damaged. */
export const rowsOfSegment = (data: Buffer): readonly Row[] =>
  zstdDecompressSync(data, { maxOutputLength: maxListBytes }).toString().split('\n').flatMap(rowsOfBlock);

async function unpacked(data: Buffer): Promise<readonly Row[]> {
  const text = (await decompress(data, { maxOutputLength: maxListBytes })).toString();
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    rows.push(...rowsOfBlock(line));
    await turn();
  }
  return rows;
}

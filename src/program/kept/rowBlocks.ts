import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { redacted } from '../../api/redact.ts';
import { parseJson } from '../../api/responseText.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import { isRow, type Row } from '../../resources/row.ts';
import type { KeptList, ListTop } from '../../store/kept/keptRows.ts';

/** Rows field by field, each different value once: most of a long list are the same sizes, images and limits. */
interface Block {
  count: number;
  fields: readonly Field[];
}

interface Field {
  name: string;
  /** The different values; of objects that differ much, as a block of their own. */
  values: readonly unknown[] | Block;
  /** The place in `values` for each row, -1 where the row has no such field; absent where row n has value n. */
  at?: readonly number[];
}

/** Rows in one block: writing or reading them takes a few milliseconds, which no key waits for. */
const rowsPerBlock = 250;

/** Objects with fewer different values are written as they are. */
const minNested = 16;

/** Half the time and memory of the default, for lists that are 3% larger. */
const frugal = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 18 };

/** The depth to which objects are taken apart. */
const maxDepth = 3;

/** The values that a list may have: 250 rows have some 20,000. */
const maxCells = 10_000_000;

/** Rows as a line of JSON, without secrets. */
const blockText = (rows: readonly Row[]): string => JSON.stringify(blockOf(rows, 1));

/**
 * The rows of such lines, block by block; values that are nested too deep are left out, as in answers. Throws where there
 * are none, or more than `most`.
 */
function* blocksIn(text: string, most: number): Generator<Row[]> {
  const blocks = Math.max(1, Math.ceil(most / rowsPerBlock));
  const lines = text.split('\n', blocks + 1);
  if (lines.length > blocks) throw new Error('too many rows');
  const left = { cells: maxCells };
  for (const line of lines) yield rowsIn(parseJson(line), left);
}

/** All rows at once. Throws as `blocksIn` does. */
export const rowsOfBlocks = (text: string, most: number): readonly Row[] => [...blocksIn(text, most)].flat();

/** The same, letting keys be answered between two blocks. */
export async function rowsInTurns(text: string, most: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const block of blocksIn(text, most)) {
    rows.push(...block);
    await turn();
  }
  return rows;
}

/** The compressed rows of a list, piece by piece: a long list as one text would leave its memory behind. */
export async function packed({ rows, top }: Pick<KeptList, 'rows' | 'top'>): Promise<Uint8Array> {
  const compressing = createZstdCompress({ params: frugal });
  const [data] = await Promise.all([buffer(compressing), pipeline(blocksOf(rows), compressing)]);
  const first = top?.();
  return first ? withTop(data, first) : data;
}

async function* blocksOf(rows: readonly Row[]): AsyncGenerator<string> {
  // An empty list has a block, too.
  for (let from = 0; from === 0 || from < rows.length; from += rowsPerBlock) {
    yield `${from > 0 ? '\n' : ''}${blockText(rows.slice(from, from + rowsPerBlock))}`;
    await turn();
  }
}

/** Begins a frame of zstd that is passed over where frames are read. */
const passedOver = 0x184d2a50;

/** The last so many bytes of a list are looked through for its top. */
export const maxTopBytes = 64 * 1024;

/** Compressed rows, and behind them those at the top of their list: Node reads no further than the rows. */
function withTop(data: Uint8Array, { sort = '', rows }: ListTop): Uint8Array {
  const top = zstdCompressSync(`${sort}\n${blockText(rows)}`);
  const [head, length] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32LE(passedOver);
  head.writeUInt32LE(top.length + length.length, 4);
  length.writeUInt32LE(top.length);
  return Buffer.concat([data, head, top, length]);
}

/** The top of a list in this order, by the end of its data; undefined where there is none. Throws where it is damaged. */
export function topIn(end: Uint8Array = Buffer.of(), order = ''): readonly Row[] | undefined {
  const bytes = Buffer.from(end);
  const length = bytes.length < 12 ? 0 : bytes.readUInt32LE(bytes.length - 4);
  const from = bytes.length - 4 - length;
  if (from < 8 || bytes.readUInt32LE(from - 8) !== passedOver || bytes.readUInt32LE(from - 4) !== length + 4)
    return undefined;
  const text = zstdDecompressSync(bytes.subarray(from, -4), { maxOutputLength: 2 ** 20 }).toString();
  const [sort = '', block = ''] = text.split('\n', 2);
  return sort === order ? rowsOfBlocks(block, rowsPerBlock) : undefined;
}

interface Column {
  values: unknown[];
  /** The places of values by themselves, and of objects by their JSON. */
  places: Map<unknown, number>;
  texts: Map<string, number>;
  at: number[];
}

function blockOf(rows: readonly Row[], depth: number): Block {
  const columns = new Map<string, Column>();
  for (const [nth, row] of rows.entries()) {
    for (const name of Object.keys(row)) {
      const value = row[name];
      if (value === undefined || name === '__proto__') continue;
      const column = foundOrMade(columns, name, () => ({ values: [], places: new Map(), texts: new Map(), at: [] }));
      while (column.at.length < nth) column.at.push(-1);
      column.at.push(placeOf(column, value));
    }
  }
  return {
    count: rows.length,
    fields: [...columns].map(([name, column]) => fieldOf(name, column, rows.length, depth)),
  };
}

function placeOf({ values, places, texts }: Column, value: unknown): number {
  const known = places.get(value);
  if (known !== undefined) return known;
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined;
  const place = (text === undefined ? undefined : texts.get(text)) ?? values.length;
  if (place === values.length) values.push(value);
  if (text !== undefined) texts.set(text, place);
  places.set(value, place);
  return place;
}

function fieldOf(name: string, { values, at }: Column, count: number, depth: number): Field {
  const open = withoutSecrets(name, values);
  const isNested = depth < maxDepth && values.length >= minNested && open.every(isRow);
  const written = isNested ? blockOf(open as Row[], depth + 1) : open;
  return values.length === count ? { name, values: written } : { name, values: written, at };
}

/** Values of a field, of which the name alone can say that they are secret. */
function withoutSecrets(name: string, values: readonly unknown[]): readonly unknown[] {
  const open = redacted({ [name]: values }) as Row;
  return Array.isArray(open[name]) ? open[name] : values.map((value) => (redacted({ [name]: value }) as Row)[name]);
}

function rowsIn(block: unknown, left: { cells: number }): Row[] {
  if (!isBlock(block)) throw new Error('no rows');
  const { count } = block;
  const rows = Array.from({ length: count }, (): Record<string, unknown> => ({}));
  for (const { name, values: written, at } of block.fields) {
    if (name === '__proto__') continue;
    left.cells -= count;
    if (left.cells < 0) throw new Error('too many values');
    const values = Array.isArray(written) ? written : rowsIn(written, left);
    let nth = 0;
    for (const row of rows) {
      const place = at ? at[nth] : nth;
      const value = typeof place === 'number' ? values[place] : undefined;
      if (value !== undefined) row[name] = value;
      nth++;
    }
  }
  return rows;
}

const isBlock = (value: unknown): value is Block =>
  isRow(value) &&
  Number.isSafeInteger(value.count) &&
  Number(value.count) >= 0 &&
  Number(value.count) <= rowsPerBlock &&
  Array.isArray(value.fields) &&
  value.fields.every(
    (field) => isRow(field) && typeof field.name === 'string' && (field.at === undefined || Array.isArray(field.at)),
  );

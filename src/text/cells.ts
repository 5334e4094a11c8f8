import stringWidth from 'string-width';

const ellipsis = '…';

/**
 * Letters and drawings of one code unit and one cell each that neither join nor hide nor control anything, also all
 * that Skydeck draws. Of the dingbats those are left out that are emoji by themselves.
 */
export const singleCell =
  /[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25fc\u26bf\u2700-\u2704\u2706-\u2709\u270c-\u2727\u2729-\u274b\u274d\u274f-\u2752\u2756\u2758-\u2794\u2798-\u27af\u27c0-\u28ff]/;
const single = new RegExp(`^${singleCell.source}*$`);

/** Whether every code unit of a text takes one cell by itself. */
export const isSingleCells = (text: string): boolean => single.test(text);

/** A sequence that a terminal would obey, whole or cut off. */
export const escapeSequence =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]?/g;
const lineBreaks = /\r\n|[\t\n\v\f\r\x85\u2028\u2029]/g;
const controls = /[\x00-\x1f\x7f-\x9f]/g;
const surplusMarks = /(\p{M}{4})\p{M}+/gu;
// A combining mark without a base character would combine with the cell left of the text.
const leadingMark = /^\p{M}/u;
/** Characters that take no cell by themselves. */
export const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const joinable = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}]$/u;
const variation = /[\ufe00-\ufe0f]/;
// A black flag followed by tag letters is the flag of England, Scotland or Wales.
const regionalFlag = /^\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}/u;

const invisibleNames: Readonly<Record<string, string>> = {
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200c': 'ZWNJ',
  '\u200d': 'ZWJ',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

/** An invisible character where it is part of the writing, e.g. within an emoji; a mark where it only hides or reorders. */
export function markInvisible(character: string, offset: number, whole: string): string {
  if (variation.test(character) || insideFlag(whole, offset)) return character;
  const joins = character === '\u200c' || character === '\u200d';
  if (joins && joinable.test(whole.slice(Math.max(0, offset - 2), offset))) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `⟨${invisibleNames[character] ?? `U+${code}`}⟩`;
}

function insideFlag(whole: string, offset: number): boolean {
  // No further back than a flag reaches, or a text of many such characters would be searched from each of them.
  const from = Math.max(0, offset - 16);
  const found = whole.slice(from, offset).lastIndexOf('\u{1f3f4}');
  if (found < 0) return false;
  const start = from + found;
  const flag = regionalFlag.exec(whole.slice(start, start + 18));
  return flag !== null && offset < start + flag[0].length;
}

/** The first `limit` UTF-16 units, never ending within a surrogate pair. */
export function head(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/**
 * Turns any string into one line that is safe for a terminal: no escape sequences and no control characters,
 * line breaks and tabs as spaces, characters that hide or reorder text as visible marks such as `⟨RLO⟩`,
 * lone surrogates as U+FFFD.
 * @param limit the maximum of UTF-16 units that are read; the rest is cut off
 */
export function clean(text: string, limit = 4096): string {
  const start = head(text, limit);
  if (single.test(start)) return start;
  return start
    .toWellFormed()
    .replace(escapeSequence, '')
    .replace(lineBreaks, ' ')
    .replace(controls, '')
    .replace(leadingMark, '◌$&')
    .replace(surplusMarks, '$1')
    .replace(invisible, markInvisible);
}

/** Tabs as the spaces up to the next stop, of which there is one after so many letters; wide and unseen ones count as one. */
export const withTabStops = (text: string, every: number): string =>
  text.split('\t').reduce((line, part) => line + ' '.repeat(every - (line.length % every)) + part);

/** Clean text with single spaces only, without those around it. */
export const oneLine = (text: string, limit?: number): string => clean(text, limit).replace(/\s+/g, ' ').trim();

let segmenter: Intl.Segmenter | undefined;

/** The graphemes of a text, one after the other. */
export function* graphemes(text: string): Generator<string> {
  if (single.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

const knownWidths = new Map<string, number>();

/** The width of a grapheme in cells, cached because measuring one costs microseconds. */
export function graphemeWidth(grapheme: string): number {
  const known = knownWidths.get(grapheme);
  if (known !== undefined) return known;
  const width = stringWidth(grapheme);
  if (knownWidths.size >= 4096) knownWidths.clear();
  if (grapheme.length <= 16) knownWidths.set(grapheme, width);
  return width;
}

/** The width of clean text in terminal cells. */
export function widthOf(text: string): number {
  if (single.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** The clean text, cut with `…` between graphemes where it is wider than `width` cells. */
export function cut(text: string, width: number): string {
  if (width <= 0) return '';
  const line = clean(text);
  if (!single.test(line)) return cutWide(line, width);
  return line.length <= width ? line : line.slice(0, width - 1) + ellipsis;
}

/** Fits a text into a width by leaving out whole parts at its end, which `gap` separates, so that no number is cut. */
export function wholeParts(text: string, width: number, gap = '  '): string {
  if (widthOf(text) <= width) return text;
  const parts = text.split(gap);
  while (parts.length > 1 && widthOf(parts.join(gap)) > width - 2) parts.pop();
  const taken = parts.join(gap);
  return widthOf(taken) > width - 2 ? cut(text, width) : `${taken} …`;
}

/** The clean text, cut in its middle where it is wider than `width` cells: the ends of names are what tells them apart. */
export function cutMiddle(text: string, width: number): string {
  const line = clean(text);
  if (widthOf(line) <= width) return line;
  if (width < 3) return cut(line, width);
  const parts = [...graphemes(line)];
  const start = fitting(parts, Math.ceil((width - 1) / 2)).join('');
  const end = fitting(parts.toReversed(), width - 1 - widthOf(start)).toReversed();
  return `${start}${ellipsis}${end.join('')}`;
}

/** The first of these graphemes, as many as fit into so many cells. */
function fitting(parts: Iterable<string>, room: number): readonly string[] {
  const taken: string[] = [];
  let used = 0;
  for (const grapheme of parts) {
    used += graphemeWidth(grapheme);
    if (used > room) break;
    taken.push(grapheme);
  }
  return taken;
}

function cutWide(line: string, width: number): string {
  const start = fitting(graphemes(line), width);
  return start.join('') === line ? line : fitting(start, width - 1).join('') + ellipsis;
}

/** The text cleaned, cut with `…` and padded to exactly `width` terminal cells. */
export function cell(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  if (width <= 0) return '';
  const fitted = cut(text, width);
  const missing = width - widthOf(fitted);
  if (align === 'right') return ' '.repeat(Math.max(0, missing)) + fitted;
  const padded = fitted + ' '.repeat(Math.max(0, missing));
  // A few letters of Indic scripts take the space after them into their own cell.
  return single.test(fitted) ? padded : padded + ' '.repeat(Math.max(0, width - widthOf(padded)));
}

/**
 * Breaks one clean line into lines of at most `width` cells, after a space where there is one.
 * @param indent spaces before every line but the first
 */
export function wrapCells(line: string, width: number, indent = 0): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest !== '' || lines.length === 0) {
    const lead = lines.length === 0 ? 0 : Math.min(indent, width - 1);
    const taken = takeCells(rest, Math.max(1, width - lead));
    lines.push(' '.repeat(Math.max(0, lead)) + taken);
    rest = rest.slice(taken.length);
  }
  return lines;
}

function takeCells(text: string, room: number): string {
  const start = text.slice(0, room + 1);
  const taken = single.test(start) ? start.slice(0, room) : takeWide(head(text, room * 40), room);
  if (taken.length === text.length) return taken;
  const space = taken.lastIndexOf(' ') + 1;
  return space > taken.length / 2 ? taken.slice(0, space) : taken;
}

/** At least a part of the first grapheme, so that there is an end. */
function takeWide(text: string, room: number): string {
  const [first = ''] = graphemes(text);
  return fitting(graphemes(text), room).join('') || takePoints(first, room);
}

/** The first code points of a grapheme that is wider than the room, such as kana with a tone mark; at least one. */
function takePoints(grapheme: string, room: number): string {
  let taken = '';
  for (const point of grapheme) {
    if (taken !== '' && stringWidth(taken + point) > room) break;
    taken += point;
  }
  return taken;
}

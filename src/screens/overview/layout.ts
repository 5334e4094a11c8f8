import type { PlacedTile } from '../home/drawTiles.ts';
import { type Block, countOfLines, headingLine, type TileLine, visibleLines } from '../home/tile.ts';

/** A block of the overview; it has `usual` lines before any has more. */
export interface OverviewBlock extends Block {
  usual: number;
}

/** The parts of an overview. */
export interface OverviewParts {
  /** Over the whole width. */
  top: readonly TileLine[];
  /** Above the facts, or beside them. */
  before: readonly OverviewBlock[];
  /** Shown whole. */
  facts: readonly TileLine[];
  /** Below the facts, or beside them. */
  after: readonly OverviewBlock[];
}

/** From this size on there is room for what is read besides the row; 80×24 cells have it above a notice of four lines too. */
export const roomFrom = { width: 56, height: 16 };

/** The cells between two columns. */
const gap = 2;

/** @param isFacts the facts are most of the page, so they have most of the room and stand first */
export function columnWidths(width: number, isFacts: boolean) {
  if (width < 100) return { blocks: width, facts: width, columns: 0 };
  if (isFacts) {
    const blocks = Math.floor((width - gap) * 0.48);
    return { blocks, facts: width - gap - blocks, columns: 1 };
  }
  // 55 cells of facts have room for most IPv6 addresses, 60 of blocks for most related rows.
  const facts = Math.min(60, Math.floor((width - gap) * 0.47));
  if (width < 184) return { blocks: width - gap - facts, facts, columns: 1 };
  const blocks = Math.floor((width - 2 * gap - facts) / 2);
  return {
    blocks,
    facts: width - 2 * gap - 2 * blocks,
    /** The number of columns of blocks beside the facts. */
    columns: 2,
  };
}

/** Places the parts of an overview; where they are higher than the screen, the whole scrolls. */
export function placeParts(
  { top, before, facts, after }: OverviewParts,
  width: number,
  height: number,
  isFacts: boolean,
): readonly PlacedTile[] {
  const widths = columnWidths(width, isFacts);
  const from = top.length === 0 ? 0 : top.length + (height >= roomFrom.height ? 1 : 0);
  const room = height - from;
  const isAlone = before.length + after.length === 0;
  const known = isAlone ? facts : [headingLine({ name: 'facts', title: 'Facts' }), ...facts];
  const placed: PlacedTile[] = [{ region: { left: 0, top: 0, width, height: top.length }, lines: top }];
  let left = 0;
  const addColumn = (column: readonly (readonly TileLine[])[], cells: number) => {
    let at = from;
    for (const lines of column) {
      placed.push({ region: { left, top: at, width: cells, height: lines.length }, lines });
      at += lines.length + 1;
    }
    left += cells + gap;
  };
  if (widths.columns === 0 || isAlone) {
    addColumn([...fitted(before, after.length > 0 ? 0 : room - known.length - 1), known, ...fitted(after, 0)], width);
    return placed;
  }
  if (isFacts) addColumn([known], widths.facts);
  for (const blocks of split([...before, ...after], widths.columns)) addColumn(fitted(blocks, room), widths.blocks);
  if (!isFacts) addColumn([known], widths.facts);
  return placed;
}

/** The lines that placed parts take. */
export const heightOf = (placed: readonly PlacedTile[]): number =>
  Math.max(0, ...placed.map(({ region }) => region.top + region.height));

const usualHeight = (block: OverviewBlock): number => 1 + Math.min(block.usual, countOfLines(block));

/** Blocks in columns of about the same height, in their order. */
function split(blocks: readonly OverviewBlock[], count: number): readonly (readonly OverviewBlock[])[] {
  const total = blocks.reduce((sum, block) => sum + usualHeight(block) + 1, 0);
  const columns: OverviewBlock[][] = Array.from({ length: count }, () => []);
  let used = 0;
  for (const block of blocks) {
    const middle = used + (usualHeight(block) + 1) / 2;
    columns[Math.min(count - 1, Math.floor((middle / Math.max(1, total)) * count))]?.push(block);
    used += usualHeight(block) + 1;
  }
  return columns;
}

/** The lines of blocks one below the other, with a blank line between: usual ones, and more in the room that is left. */
export function fitted(blocks: readonly OverviewBlock[], room: number): readonly (readonly TileLine[])[] {
  let left = room - blocks.reduce((sum, block) => sum + usualHeight(block) + 1, -1);
  return blocks.map((block) => {
    const usual = Math.min(block.usual, countOfLines(block));
    const more = Math.min(Math.max(0, left), countOfLines(block) - usual);
    left -= more;
    return [headingLine(block), ...visibleLines(block, usual + more)];
  });
}

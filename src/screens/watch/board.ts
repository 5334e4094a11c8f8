import type { CacheView } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import { drawTiles, type PlacedTile } from '../home/drawTiles.ts';
import { type DrawContext, type HomeData, headingLine, type Tile, visibleLines } from '../home/tile.ts';
import type { BoardName } from './boardNames.ts';

export interface BoardContext extends DrawContext {
  /** Lines. */
  height: number;
}

/** Lines of exactly the width of the board, at most as many as its height. */
export interface BoardContent {
  lines: readonly string[];
  /** Queries about single rows that are visible. */
  queries?: readonly Query[];
}

/** One screen of the wall monitor. */
export interface Board {
  name: BoardName;
  title: string;
  isEmpty: (view: CacheView) => boolean;
  draw: (data: HomeData, context: BoardContext) => BoardContent;
}

/** Draws tiles below each other; each height includes the heading. */
export function drawStacked(
  tiles: readonly { tile: Tile; height: number }[],
  context: BoardContext,
): readonly string[] {
  const placed: PlacedTile[] = [];
  let top = 0;
  for (const { tile, height } of tiles) {
    const region = { tile: tile.name, left: 0, top, width: context.width, height };
    if (height > 0) placed.push({ region, lines: [headingLine(tile), ...visibleLines(tile, height - 1)] });
    top += Math.max(0, height);
  }
  return drawTiles(placed, { ...context, height: Math.min(top, context.height) })();
}

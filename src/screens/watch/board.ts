import type { Theme } from '../../components/theme.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import { drawTiles, type PlacedTile } from '../home/drawTiles.ts';
import { type HomeData, headingLine, type Tile, visibleLines } from '../home/tile.ts';
import type { BoardName } from './boardNames.ts';

/** A board is drawn with these. */
export interface BoardContext {
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Cells. */
  width: number;
  height: number;
}

/** The lines of a board, exactly as wide as the pen, no more of them than it is high. */
export interface BoardContent {
  lines: readonly string[];
  /** Questions about the single rows that are seen. */
  queries?: readonly Query[];
}

/** One screen of the wall monitor. */
export interface Board {
  name: BoardName;
  title: string;
  /** Whether there is nothing that it could show. */
  isEmpty: (view: CacheView) => boolean;
  draw: (data: HomeData, pen: BoardContext) => BoardContent;
}

/** Tiles below each other, each with its heading and so many lines in all. */
export function drawStacked(tiles: readonly { tile: Tile; height: number }[], pen: BoardContext): readonly string[] {
  const placed: PlacedTile[] = [];
  let top = 0;
  for (const { tile, height } of tiles) {
    const region = { tile: tile.name, left: 0, top, width: pen.width, height };
    if (height > 0) placed.push({ region, lines: [headingLine(tile), ...visibleLines(tile, height - 1)] });
    top += Math.max(0, height);
  }
  return drawTiles(placed, { ...pen, height: Math.min(top, pen.height) })();
}

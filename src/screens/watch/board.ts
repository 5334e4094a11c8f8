import type { Theme } from '../../components/theme.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import { drawTiles, type PlacedTile } from '../home/page.ts';
import { type HomeData, headingOf, linesIn, type Tile } from '../home/tile.ts';
import type { BoardName } from './names.ts';

/** A board is drawn with these. */
export interface BoardPen {
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Cells. */
  width: number;
  height: number;
}

/** The lines of a board, exactly as wide as the pen, no more of them than it is high. */
export interface Shown {
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
  draw: (data: HomeData, pen: BoardPen) => Shown;
}

/** Tiles below each other, each with its heading and so many lines in all. */
export function stacked(tiles: readonly { tile: Tile; height: number }[], pen: BoardPen): readonly string[] {
  const placed: PlacedTile[] = [];
  let top = 0;
  for (const { tile, height } of tiles) {
    const region = { tile: tile.name, left: 0, top, width: pen.width, height };
    if (height > 0) placed.push({ region, lines: [headingOf(tile), ...linesIn(tile, height - 1)] });
    top += Math.max(0, height);
  }
  return drawTiles(placed, { ...pen, height: Math.min(top, pen.height) })();
}

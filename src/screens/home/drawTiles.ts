import { fitted, painted } from '../../components/spans.ts';
import type { Theme } from '../../components/theme.ts';
import { homeLayout, type Region } from './layout.ts';
import { countOfLines, headingLine, summaryLine, type Tile, type TileLine, visibleLines } from './tile.ts';

/** The lines that one tile has in its region, the heading first. */
export interface PlacedTile {
  region: Region;
  lines: readonly TileLine[];
}

/** The tiles in their regions on a screen of so many cells, in the order in which the cursor goes through them. */
export function placeTiles(tiles: readonly Tile[], width: number, height: number): readonly PlacedTile[] {
  const byName = new Map(tiles.map((tile) => [tile.name, tile]));
  const counts = Object.fromEntries(tiles.map((tile) => [tile.name, countOfLines(tile)]));
  return homeLayout(width, height, counts).flatMap((region) => {
    const tile = byName.get(region.tile);
    if (!tile || region.height < 1) return [];
    const room = region.height - 1;
    // One without lines says in its heading all there is to say.
    return [{ region, lines: room === 0 ? [summaryLine(tile)] : [headingLine(tile), ...visibleLines(tile, room)] }];
  });
}

interface DrawOptions {
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  width: number;
  height: number;
  /** Lines that were drawn before, which are kept here. */
  drawn?: LineCache;
}

/** Lines as they were drawn last, without the cursor. */
export type LineCache = WeakMap<TileLine, CachedLine>;

interface CachedLine {
  theme: Theme;
  cells: number;
  text: string;
  /** Until when it tells the ages in it as they are, in ms since the epoch. */
  until: number;
}

/** Ages are left as they are for so long, in milliseconds: those in seconds or minutes, and longer ones. */
const agesLast = { short: 5_000, long: 60_000 } as const;
const shortAge = /\d (s|min)\b/;

/** A line of a tile where it stands. */
interface PlacedLine {
  left: number;
  width: number;
  line: TileLine;
  text: string;
}

/**
 * Home as so many lines, each exactly so wide, with the theme's colours in them. Everything is drawn once; what is
 * answered draws again only the line that the cursor stands on.
 */
export function drawTiles(
  placed: readonly PlacedTile[],
  { theme, now, width, height, drawn = new WeakMap() }: DrawOptions,
): (current?: TileLine) => readonly string[] {
  const text = (line: TileLine, cells: number, isCurrent: boolean) =>
    painted(theme, fitted(line.draw({ theme, now, width: cells }, isCurrent), cells));
  const plainText = (line: TileLine, cells: number): string => {
    const last = drawn.get(line);
    if (last && last.theme === theme && last.cells === cells && now < last.until) return last.text;
    let until = Number.POSITIVE_INFINITY;
    const pen = {
      theme,
      width: cells,
      get now() {
        until = now + agesLast.long;
        return now;
      },
    };
    const written = painted(theme, fitted(line.draw(pen, false), cells));
    if (until < Number.POSITIVE_INFINITY && shortAge.test(written)) until = now + agesLast.short;
    drawn.set(line, { theme, cells, text: written, until });
    return written;
  };
  const rows: PlacedLine[][] = Array.from({ length: height }, () => []);
  for (const { region, lines } of placed) {
    for (const [index, line] of lines.entries()) {
      const segment = { left: region.left, width: region.width, line, text: plainText(line, region.width) };
      rows[region.top + index]?.push(segment);
    }
  }
  for (const row of rows) row.sort((one, other) => one.left - other.left);
  const plain = rows.map((row) => joined(row, width));
  return (current) =>
    plain.map((line, index) => {
      const row = rows[index] ?? [];
      if (!row.some((segment) => segment.line === current)) return line;
      const marked = row.map((segment) =>
        segment.line === current ? { ...segment, text: text(segment.line, segment.width, true) } : segment,
      );
      return joined(marked, width);
    });
}

/** Segments beside each other, with blanks between and after them. */
function joined(row: readonly PlacedLine[], width: number): string {
  let line = '';
  let at = 0;
  for (const segment of row) {
    line += ' '.repeat(Math.max(0, segment.left - at)) + segment.text;
    at = segment.left + segment.width;
  }
  return line + ' '.repeat(Math.max(0, width - at));
}

import { fitSpans, painted } from '../../components/spans.ts';
import { rowTinted, type Theme } from '../../components/theme.ts';
import { placeKey } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { ageLifetimeMs } from '../../text/times.ts';
import type { Size } from '../useStores.ts';
import { homeLayout, type LineCounts, type Rectangle } from './layout.ts';
import {
  countOfLines,
  type DrawContext,
  headingLine,
  lineSpans,
  summaryLine,
  type Tile,
  type TileLine,
  type TileLink,
  visibleLines,
} from './tile.ts';

/** The lines of a tile in its region, the heading first. */
export interface PlacedTile {
  region: Rectangle;
  lines: readonly TileLine[];
}

/** The lines that each tile has. */
export const lineCounts = (tiles: readonly Tile[]): LineCounts =>
  Object.fromEntries(tiles.map((tile) => [tile.name, countOfLines(tile)]));

/** Tiles in their regions on a screen of this size, in the order of the cursor. */
export function placeTiles(
  tiles: readonly Tile[],
  width: number,
  height: number,
  reserved: LineCounts = lineCounts(tiles),
): readonly PlacedTile[] {
  const byName = new Map(tiles.map((tile) => [tile.name, tile]));
  return homeLayout(width, height, reserved).flatMap((region) => {
    const tile = byName.get(region.tile);
    if (!tile || region.height < 1) return [];
    const room = region.height - 1;
    return [{ region, lines: room === 0 ? [summaryLine(tile)] : [headingLine(tile), ...visibleLines(tile, room)] }];
  });
}

/** The line of a tile at a cell of what was placed. */
export function lineAt(placed: readonly PlacedTile[], row: number, column: number): TileLine | undefined {
  const tile = placed.find(
    ({ region: { top, left, width }, lines }) =>
      row >= top && row < top + lines.length && column >= left && column < left + width,
  );
  return tile?.lines[row - tile.region.top];
}

interface DrawOptions extends Size, DrawContext {
  /** Keeps lines from one drawing to the next. */
  cache?: LineCache;
}

/** Lines as last drawn, without the cursor. */
export type LineCache = WeakMap<TileLine, CachedLine>;

interface CachedLine {
  theme: Theme;
  cells: number;
  text: string;
  /** When the ages in it are out of date, in ms since the epoch. */
  validUntil: number;
}

interface PlacedLine {
  left: number;
  width: number;
  line: TileLine;
  text: string;
}

/**
 * Draws tiles as exactly `height` coloured lines of exactly `width` cells. Everything is drawn once; the returned
 * function draws only the line under the cursor again.
 */
export function drawTiles(
  placed: readonly PlacedTile[],
  { theme, now, width, height, cache = new WeakMap() }: DrawOptions,
): (current?: TileLine) => readonly string[] {
  const plainText = (line: TileLine, cells: number): string => {
    if (line.text !== undefined) return line.text;
    const last = cache.get(line);
    if (last && last.theme === theme && last.cells === cells && now < last.validUntil) return last.text;
    let isClockRead = false;
    const context = {
      theme,
      width: cells,
      get now() {
        isClockRead = true;
        return now;
      },
    };
    const written = painted(theme, fitSpans(lineSpans(line, context, false), cells));
    const validUntil = isClockRead ? now + ageLifetimeMs(written) : Number.POSITIVE_INFINITY;
    cache.set(line, { theme, cells, text: written, validUntil });
    return written;
  };
  const rows: PlacedLine[][] = Array.from({ length: height }, () => []);
  for (const { region, lines } of placed) {
    for (const [index, line] of lines.entries()) {
      const { left, width: cells } = region;
      rows[region.top + index]?.push({ left, width: cells, line, text: plainText(line, cells) });
    }
  }
  for (const row of rows) row.sort((one, other) => one.left - other.left);
  const plain = rows.map((row) => joined(row, width));
  return (current) =>
    plain.map((line, index) => {
      const row = rows[index] ?? [];
      const part = row.find((one) => one.line === current);
      if (!part) return line;
      const { line: one, width: cells } = part;
      const own = () => painted(theme, fitSpans(lineSpans(one, { theme, now, width: cells }, true), cells));
      const text = one.current?.() ?? rowTinted(theme, { isCurrent: true, isMarked: false }, own(), cells);
      return joined(row.with(row.indexOf(part), { ...part, text }), width);
    });
}

/** One row of the screen, blank between and after its lines. */
function joined(row: readonly PlacedLine[], width: number): string {
  let line = '';
  let at = 0;
  for (const part of row) {
    line += ' '.repeat(Math.max(0, part.left - at)) + part.text;
    at = part.left + part.width;
  }
  return line + ' '.repeat(Math.max(0, width - at));
}

/** Goes where a link leads and sets the filter of the list there, or opens its overlay. */
export function followLink({ navigation }: Stores, { place, filter, viewKey, overlay }: TileLink): void {
  if (filter !== undefined) navigation.setListView(viewKey ?? placeKey(place), { filter });
  if (overlay) navigation.open(overlay);
  else navigation.go(place);
}

import { type PlacedTile, placeTiles } from './drawTiles.ts';
import { reservedLines } from './layout.ts';
import type { Tile, TileLine } from './tile.ts';

/**
 * Places tiles so that nothing moves while the first lists are still to come: tiles have their usual room, and lines
 * the rows on which they stood. What comes later takes free rows; once all is there, everything takes its own place.
 */
export function createSteadyPlaces() {
  let isSettled = false;
  let before: ReadonlyMap<string, readonly TileLine[]> = new Map();
  return (tiles: readonly Tile[], width: number, height: number, isLoading: boolean): readonly PlacedTile[] => {
    isSettled ||= !isLoading;
    if (isSettled) return placeTiles(tiles, width, height);
    const placed = placeTiles(tiles, width, height, reservedLines).map(({ region, lines }) => ({
      region,
      lines: inPlace(lines, before.get(lines[0]?.id ?? '') ?? []),
    }));
    before = new Map(placed.map(({ lines }) => [lines[0]?.id ?? '', lines]));
    return placed;
  };
}

/** Lines on the rows on which they stood before, the others in order on the rows between and below. */
function inPlace(lines: readonly TileLine[], before: readonly TileLine[]): readonly TileLine[] {
  const isBefore = new Set(before.map(({ id }) => id));
  const others = lines.filter(({ id }) => !isBefore.has(id));
  const kept = before.map((line) => lines.find(({ id }) => id === line.id) ?? others.shift());
  return [...kept, ...others].filter((line) => line !== undefined);
}

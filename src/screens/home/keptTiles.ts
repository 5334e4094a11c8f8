import { momentWords } from '../../text/times.ts';
import type { HomeData, Tile } from './tile.ts';
import { tileResources } from './tiles.ts';

/** The tiles, each with the age of its list where an earlier session has read that. */
export function withAges(tiles: readonly Tile[], { queryState, view }: HomeData): readonly Tile[] {
  return tiles.map((tile) => {
    const { place } = tile.link;
    const isOfList = place.screen === 'list' && tileResources.includes(place.resource);
    const keptAt = isOfList ? queryState(place.resource)?.keptAt : undefined;
    if (keptAt === undefined) return tile;
    const age = { text: `kept ${momentWords(keptAt, view.now)}`, role: 'dim' } as const;
    return { ...tile, figures: [...tile.figures, age], summary: [...(tile.summary ?? tile.figures), age] };
  });
}

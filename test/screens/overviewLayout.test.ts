import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { TileLine } from '../../src/screens/home/tile.ts';
import { columnWidths, heightOf, type OverviewBlock, placeParts } from '../../src/screens/overview/layout.ts';
import { walk } from '../../src/screens/overview/Overview.tsx';
import { eventsBlock } from '../../src/screens/overview/smallBlocks.ts';
import { eventOf } from '../store/openStores.ts';

const linesOf = (name: string, count: number): readonly TileLine[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}:${index}`, draw: () => [{ text: name }] }));

const block = (name: string, count: number, usual = 5): OverviewBlock => ({
  name,
  title: name,
  figures: [],
  lines: linesOf(name, count),
  usual,
});

const parts = fc.record({
  top: fc.nat(3).map((count) => linesOf('top', count)),
  before: fc
    .array(fc.tuple(fc.nat(30), fc.nat(6)), { maxLength: 6 })
    .map((counts) => counts.map(([count, usual], index) => block(`before${index}`, count, usual))),
  facts: fc.nat(40).map((count) => linesOf('fact', count)),
  after: fc
    .array(fc.nat(30), { maxLength: 3 })
    .map((counts) => counts.map((count, index) => block(`after${index}`, count))),
});

describe('the parts of an overview', () => {
  test('never overlap nor leave the page, and every fact is on it, at any size', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 20, max: 260 }), fc.integer({ min: 8, max: 80 }), fc.boolean(), (...of) => {
        const [given, width, height, isFacts] = of;
        const placed = placeParts(given, width, height, isFacts);
        const taken = new Set<string>();
        for (const { region, lines } of placed) {
          expect(lines).toHaveLength(region.height);
          expect(region.left + region.width).toBeLessThanOrEqual(width);
          for (let row = region.top; row < region.top + region.height; row++) {
            for (const cell of [region.left, region.left + region.width - 1]) {
              if (region.width === 1 && taken.has(`${row} ${cell}`)) continue;
              expect(taken.has(`${row} ${cell}`)).toBe(false);
            }
            for (let cell = region.left; cell < region.left + region.width; cell++) taken.add(`${row} ${cell}`);
          }
        }
        const shown = new Set(placed.flatMap(({ lines }) => lines.map(({ id }) => id)));
        for (const { id } of [...given.top, ...given.facts]) expect(shown.has(id)).toBe(true);
        expect(heightOf(placed)).toBeGreaterThanOrEqual(given.facts.length);
      }),
    );
  });

  test('show no less where there is more height', () => {
    fc.assert(
      fc.property(
        parts,
        fc.integer({ min: 20, max: 260 }),
        fc.integer({ min: 20, max: 70 }),
        (given, width, height) => {
          const shownAt = (rows: number) =>
            new Set(
              placeParts(given, width, rows, false).flatMap(({ lines }) =>
                lines.map(({ id }) => id).filter((id) => !id.endsWith(':more')),
              ),
            );
          const more = shownAt(height + 10);
          for (const id of shownAt(height)) expect(more.has(id)).toBe(true);
        },
      ),
    );
  });

  test('are in one, two and three columns; where facts are most of it, they come first and are wider', () => {
    expect(columnWidths(80, false)).toEqual({ blocks: 80, facts: 80, columns: 0 });
    expect(columnWidths(120, false)).toEqual({ blocks: 63, facts: 55, columns: 1 });
    expect(columnWidths(160, false)).toEqual({ blocks: 98, facts: 60, columns: 1 });
    expect(columnWidths(200, false)).toEqual({ blocks: 68, facts: 60, columns: 2 });
    for (let width = 120; width < 260; width++) {
      const { blocks, facts } = columnWidths(width, false);
      expect(Math.min(facts - 54, blocks - 59), `at ${width}`).toBeGreaterThan(0);
    }
    const { blocks, facts } = columnWidths(200, true);
    expect(facts).toBeGreaterThan(blocks);
    const one = { top: linesOf('top', 1), before: [block('events', 3)], facts: linesOf('fact', 4), after: [] };
    const placed = placeParts(one, 200, 50, true);
    expect(placed[1]?.lines[1]?.id).toBe('fact:0');
    expect(placed[1]?.region.left).toBe(0);
  });

  test('without blocks are the facts alone, over the whole width and without a heading', () => {
    const placed = placeParts({ top: [], before: [], facts: linesOf('fact', 4), after: [] }, 200, 50, true);
    expect(placed.flatMap(({ lines }) => lines.map(({ id }) => id))).toEqual(['fact:0', 'fact:1', 'fact:2', 'fact:3']);
    expect(placed.at(-1)?.region.width).toBe(200);
  });
});

describe('the cursor', () => {
  const stops = [2, 4, 9].map((at) => ({ id: `at ${at}`, at }));
  const page = { stops, top: 0, shown: 5, total: 20 };

  test('appears with the first step down, goes from link to link, and then the page scrolls to its end', () => {
    let state: Parameters<typeof walk>[0] = page;
    const seen: string[] = [];
    for (let step = 0; step < 14; step++) {
      state = { ...state, ...walk(state, 'down') };
      seen.push(`${state.cursor} ${state.top}`);
    }
    expect(seen.slice(0, 5)).toEqual(['at 2 0', 'at 4 0', 'at 9 5', 'at 9 6', 'at 9 7']);
    expect(seen.at(-1)).toBe('at 9 15');
  });

  test('goes back the same way, and disappears above the first link', () => {
    let state: Parameters<typeof walk>[0] = { ...page, cursor: 'at 9', top: 15 };
    const seen: string[] = [];
    for (let step = 0; step < 10; step++) {
      state = { ...state, ...walk(state, 'up') };
      seen.push(`${state.cursor} ${state.top}`);
    }
    expect(seen.slice(0, 2)).toEqual(['at 9 14', 'at 9 13']);
    expect(seen.slice(-4)).toEqual(['at 4 4', 'at 2 2', 'at 2 1', 'at 2 0']);
    expect(walk(state, 'up')).toEqual({ cursor: undefined, top: 0 });
  });

  test('pages and ends scroll, and take it along only where it stays on the page', () => {
    expect(walk({ ...page, cursor: 'at 2' }, 'pageDown')).toEqual({ cursor: undefined, top: 5 });
    expect(walk({ ...page, cursor: 'at 9', top: 5 }, 'pageUp')).toEqual({ cursor: undefined, top: 0 });
    expect(walk(page, 'last')).toEqual({ cursor: undefined, top: 15 });
    expect(walk({ ...page, cursor: 'at 9', top: 9 }, 'first')).toEqual({ cursor: undefined, top: 0 });
  });

  test('without links the page scrolls by lines', () => {
    expect(walk({ ...page, stops: [] }, 'down')).toEqual({ cursor: undefined, top: 1 });
    expect(walk({ ...page, stops: [], top: 3 }, 'up')).toEqual({ cursor: undefined, top: 2 });
  });
});

test('a row whose first event is under way is not said to have none', () => {
  const servers = resourceNamed('servers');
  const context = { theme: themeNamed('mono', 'unicode', false), now: 0, width: 60 };
  const saidOf = (...own: readonly ReturnType<typeof eventOf>[]) =>
    eventsBlock(own, servers, { serverId: '7' }, 'None in the last 90 days.', 60).lines.map((line) =>
      line
        .draw(context, false)
        .map(({ text }) => text)
        .join(''),
    );
  const making = eventOf(9, 'server_create', 'started', { type: 'server', id: 7 }, { percent_complete: 48 });
  expect(saidOf()).toEqual(['None in the last 90 days.']);
  expect(saidOf(making)).toEqual(['None has ended yet.']);
});

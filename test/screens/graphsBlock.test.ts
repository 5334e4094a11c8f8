import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import type { DayGraph } from '../../src/resources/overview.ts';
import { graphsBlock } from '../../src/screens/overview/graphsBlock.ts';
import { knowing } from '../resources/known.ts';

const context = { view: knowing({}), theme: themeNamed('dark', 'unicode', true), width: 60, isCurrent: false };

test('the bars of an answer are worked out once, whatever their height and however often the page is drawn', () => {
  let looked = 0;
  const points = Array.from({ length: 100 }, (_, index) =>
    Object.defineProperty([index * 60_000, 0], 1, { get: () => ++looked && (index % 7) + 1 }),
  ) as unknown as DayGraph['points'];
  const graphs: readonly DayGraph[] = [{ name: 'CPU', unit: '%', points }];
  const draw = () =>
    graphsBlock({ graphs, rows: 6 }).lines.map((line) =>
      line
        .draw(context as never, false)
        .map(({ text }) => text)
        .join(''),
    );
  const first = draw();
  expect(first).toHaveLength(6);
  // The figures stand above the bars, which have the whole width.
  expect(first[0]).toMatch(/^CPU .* 2% {2}p95 7%$/);
  expect(first[0]).toHaveLength(context.width - 2);
  expect(first.at(-1)).toMatch(/^[▁-█ ]{58}$/);
  expect(looked).toBeGreaterThan(0);
  looked = 0;
  expect(draw()).toEqual(first);
  expect(looked).toBe(0);
});

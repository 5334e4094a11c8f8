import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

const rowsInSight = 12;
const pages = 6;

test('the graphs of rows that only pass by are not asked for', async () => {
  const skydeck = await openSkydeck({
    columns: 140,
    rows: rowsInSight + 4,
    place: { area: 'servers' },
    demo: { servers: 200 },
  });
  const allDrawn = (text: string) => (text.match(/[█▇▆▅▄▃▂▁]{9} +\d+ %/g) ?? []).length === rowsInSight;
  const labelsIn = (text: string): readonly string[] => text.match(/[a-z]+-[a-z0-9-]+(?= +192\.)/g) ?? [];
  await skydeck.waitFor(allDrawn);
  const first = labelsIn(skydeck.text());
  await skydeck.pressAtOnce(...Array.from({ length: pages }, () => 'pageDown'));
  await skydeck.waitFor((text) => allDrawn(text) && !labelsIn(text).some((label) => first.includes(label)));
  expect(skydeck.requests.filter(({ path }) => path.endsWith('/stats'))).toHaveLength(2 * rowsInSight);
});

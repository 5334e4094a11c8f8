import { expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { openSkydeck } from './skydeck.ts';

/** The areas whose lists the palette leads to. */
const areas = resources.filter(({ list, under, deprecated }) => list && !under && !deprecated);

test('each list shows at 120 columns all that it shows at 80, and at 200 all that it shows at 120', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24 });
  /** The titles of the columns, without the list's preview beside them. */
  const titles = () =>
    (
      skydeck
        .text()
        .split('\n')
        .find((line) => /^ {3}[A-Z][A-Z0-9 ]/.test(line)) ?? ''
    )
      .split('│')[0]
      ?.trim()
      .split(/ {2,}/)
      .map((title) => title.replace(/[↑↓]/, '')) ?? [];
  let compared = 0;
  for (const { many } of areas) {
    await skydeck.goTo(many);
    const shown: (readonly string[])[] = [];
    for (const columns of [80, 120, 200]) {
      skydeck.resize(columns, 24);
      await skydeck.waitFor(() => (skydeck.text().split('\n')[0]?.length ?? 0) > columns - 3);
      shown.push(titles());
    }
    const [narrow = [], middle = [], wide = []] = shown;
    expect(middle, many).toEqual(expect.arrayContaining([...narrow]));
    expect(wide, many).toEqual(expect.arrayContaining([...middle]));
    if (narrow.length > 1) compared++;
    skydeck.resize(80, 24);
  }
  expect(compared).toBeGreaterThan(10);
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { openSkydeck } from './skydeck.ts';

afterEach(() => void vi.useRealTimers());

const rowsInSight = 12;
const pages = 6;
/** Less than a cursor must rest before what is under it is asked about, in ms of a clock that the test moves. */
const heldKeyMs = 140;

test('the graphs of rows that only pass by are not asked for', async () => {
  const skydeck = await openSkydeck({
    columns: 140,
    rows: rowsInSight + 4,
    place: { area: 'servers' },
    demo: { servers: 200 },
  });
  const allDrawn = (text: string) => (text.match(/[█▇▆▅▄▃▂▁]{9,} +[\d.]+%/g) ?? []).length === rowsInSight;
  const labelsIn = (text: string): readonly string[] => text.match(/[a-z]+-[a-z0-9-]+(?= +192\.)/g) ?? [];
  const asked = () => skydeck.requests.filter(({ path }) => path.endsWith('/stats')).length;
  await skydeck.waitFor(allDrawn);
  const first = labelsIn(skydeck.text());
  expect(asked()).toBe(rowsInSight);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let page = 0; page < pages; page++) {
    let isShown = false;
    const shown = skydeck.press('pageDown').then(() => {
      isShown = true;
    });
    // The terminal of the test needs time too.
    let passed = 0;
    for (; !isShown; passed++) {
      await nextTurn();
      await vi.advanceTimersByTimeAsync(1);
    }
    await shown;
    expect(passed).toBeLessThan(heldKeyMs);
    await vi.advanceTimersByTimeAsync(heldKeyMs - passed);
  }
  expect(labelsIn(skydeck.text()).some((label) => first.includes(label))).toBe(false);
  expect(asked()).toBe(rowsInSight);
  await vi.waitFor(() => expect(allDrawn(skydeck.text())).toBe(true), { timeout: 30_000 });
  expect(asked()).toBe(2 * rowsInSight);
});

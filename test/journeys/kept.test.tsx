import { expect, test } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { startHeldDemo } from './heldDemo.ts';
import { keptLists, listsOf } from './keptLists.ts';
import { openSkydeck } from './skydeck.ts';

/** A Wednesday, some minutes past seven in the evening in St John's. */
const now = Date.parse('2026-05-13T21:40:00Z');
const yesterday = Date.parse('2026-05-12T20:34:00Z');

/** The lists of a demo as they were a day ago, with the servers as they then were. */
async function keptOf(
  demo: Parameters<typeof listsOf>[0],
  before: (rows: readonly Row[]) => readonly Row[] = (rows) => rows,
) {
  const lists = await listsOf(demo, yesterday, 'servers', 'volumes', 'nodebalancers', 'domains');
  return lists.map((list) => (list.query.resource === 'servers' ? { ...list, rows: before(list.rows) } : list));
}

test('a list is there before the API has answered, and what changed since is marked, counted and told', async () => {
  let isHeld = false;
  const demo = await startHeldDemo(() => isHeld);
  const lists = await keptOf(demo, (rows) => [
    ...rows
      .slice(1)
      .map((row) =>
        row.label === 'api-1'
          ? {
              ...row,
              status: 'rebooting',
              updated: '2020-01-01T00:00:00',
              tags: ['once', 'tag-before'.padEnd(50, '-')],
            }
          : row,
      ),
    { ...rows[0], id: 999, label: 'old-1' },
  ]);
  isHeld = true;
  const skydeck = await openSkydeck({
    columns: 100,
    rows: 40,
    place: { area: 'servers' },
    demo,
    kept: keptLists(lists),
    now: () => now,
  });
  await skydeck.waitFor(/Servers {2}40 {3}kept yesterday 18:04/);
  expect(skydeck.requests).toEqual([]);
  expect(skydeck.text().split('\n')[0]).toContain('kept yesterday 18:04');
  await skydeck.pointAt('api-2');
  isHeld = false;
  demo.release();
  await skydeck.waitFor('1 new, 1 gone, 1 changed since yesterday 18:04');
  expect(skydeck.cursorLine()).toContain('api-2');
  expect(skydeck.text()).toMatch(/Δ ● running +api-1 /);
  expect(skydeck.text().split('\n')[0]).not.toContain('kept');
  await skydeck.press('/');
  await skydeck.type('is:changed');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  1 of 40');
  expect(skydeck.text()).toContain('api-1');
  await skydeck.goTo('changed');
  await skydeck.waitFor(/Changed meanwhile [1-9]/);
  expect(skydeck.text()).toMatch(/Δ api-1 +status .*rebooting → .*running/);
  expect(skydeck.text()).toMatch(/− old-1 +gone/);
  expect(skydeck.text()).toMatch(/Tags [\s\S]*−tag-before-{40}/);
  expect(skydeck.text()).not.toContain('updated');
  await skydeck.press('esc', 'esc', 'enter');
});

test('with the API away all that is local works on kept rows, and a change says why it is not begun', async () => {
  let isAway = false;
  const demo = await startHeldDemo(() => isAway);
  const lists = await keptOf(demo);
  isAway = true;
  const skydeck = await openSkydeck({
    columns: 60,
    rows: 16,
    theme: 'mono',
    ascii: true,
    place: { area: 'servers' },
    demo,
    kept: keptLists(lists),
    now: () => now,
    timeoutMs: 300,
  });
  await skydeck.waitFor('kept yesterday 18:04');
  await skydeck.press('/');
  await skydeck.type('web label:web-1');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers {2}\d+ of 40 {3}kept yesterday 18:04/);
  await skydeck.pointAt('web-1 ');
  await skydeck.press('e');
  await skydeck.waitFor(/web-1 was last read yesterday 18:04 and cannot be read/);
  expect(skydeck.text()).not.toContain('Edit web-1');
  await skydeck.press('x');
  await skydeck.waitFor('Related to web-1');
  await skydeck.press('esc', ':');
  await skydeck.type('changed');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /Nothing has changed in the lists opened so far; others\s+are\s+compared once they are opened\./,
  );
  await skydeck.press('esc', ':');
  await skydeck.type('mail');
  await skydeck.waitFor('mail-store');
  expect(skydeck.changes).toEqual([]);
});

test('rows that an earlier session has read are written as of then, not as of now', async () => {
  let isHeld = false;
  const demo = await startHeldDemo(() => isHeld);
  const lists = await keptOf(demo);
  isHeld = true;
  const kept = keptLists(lists);
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place: { area: 'servers' }, demo, kept, now: () => now });
  await skydeck.waitFor('kept yesterday 18:04');
  await skydeck.press('w');
  await skydeck.waitFor('── Write 40 servers as of yesterday 18:04');
  await skydeck.press('down', 'down', 'down', 'enter');
  await expect.poll(() => skydeck.copied.length).toBe(1);
  expect(JSON.parse(skydeck.copied[0] ?? '')).toMatchObject({ takenAt: new Date(yesterday).toISOString() });
});

test('the cursor that nobody has moved stays on the row that it has shown as another comes above it', async () => {
  let isHeld = false;
  const demo = await startHeldDemo(() => isHeld);
  const lists = await keptOf(demo, (rows) => rows.filter(({ label }) => label !== 'api-1'));
  isHeld = true;
  const place = { area: 'servers' };
  const skydeck = await openSkydeck({ rows: 40, place, demo, kept: keptLists(lists), now: () => now });
  await skydeck.waitFor(() => skydeck.cursorLine().includes('api-2'));
  isHeld = false;
  demo.release();
  await skydeck.waitFor('1 new since');
  expect(skydeck.text()).toMatch(/api-1 [\s\S]*api-2 /);
  expect(skydeck.cursorLine()).toContain('api-2');
  await skydeck.press('d');
  await skydeck.waitFor('Type api-2 to confirm');
});

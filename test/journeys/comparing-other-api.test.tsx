import { expect, test } from 'vitest';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

const now = () => Date.UTC(2026, 4, 13, 12);
const hour = 3_600_000;
const day = 24 * hour;

/** Readings of one value at regular times. */
const level = (from: number, to: number, step: number, value: number) =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, index) => [from + (index + 1) * step, value]);

const withCpu = (cpu: unknown) => JSON.stringify({ data: { cpu } });

/** Servers that are older than all their statistics and have one CPU, so that its readings stand as they are. */
const old = (text: string) =>
  JSON.stringify(JSON.parse(text), (key, value) =>
    key === 'created' ? '2020-01-01T00:00:00' : key === 'vcpus' ? 1 : value,
  );

/** An API of which the current month begins with its first day, with gaps, an empty series and months that are not there. */
const startSparseApi = (monthStep: number) => {
  let first = '';
  return startOtherApi(({ path, text }) => {
    if (path === '/server/instances')
      first = String(JSON.parse(text).data.find(({ label }: { label: string }) => label === 'web-1').id);
    if (/\/server\/instances(\/\d+)?$/.test(path)) return old(text);
    const [, id, month] = /instances\/(\d+)\/stats(?:\/2026\/(\d+))?$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    if (id !== first) return withCpu([]);
    if (month === undefined) return withCpu(level(now() - day, now(), hour, 42));
    if (month === '5') return withCpu(level(Date.UTC(2026, 4, 1), now(), monthStep, 31));
    if (month === '4') {
      const parts = [level(Date.UTC(2026, 3, 1), Date.UTC(2026, 3, 8), monthStep, 7)];
      return withCpu([...parts, level(Date.UTC(2026, 3, 15), Date.UTC(2026, 4, 1), monthStep, 8)].flat());
    }
    return refusal(400, 'Stats are unavailable at this time.');
  });
};

test('days before the current month are read from the month before, and what is not there is said', async () => {
  const demo = await startSparseApi(2 * hour);
  const skydeck = await openSkydeck({ columns: 100, rows: 30, demo, now, place: { area: 'servers' } });
  await skydeck.waitFor(/❯ {2}● running/);
  await skydeck.press('space', 'space', 'v');
  // A series without readings keeps its line in the table.
  await skydeck.waitFor(/Last 24 hours[\s\S]*● \S+ +42% [\s\S]*■ \S+ +– +–/);
  await skydeck.press('<');
  await skydeck.waitFor(/Last 30 days[\s\S]*● \S+ +31% +8% [\s\S]*UTC|Last 30 days[\s\S]*UTC[\s\S]*● \S+ +31% +8%/);
  const read = () => demo.seen.flatMap(({ path }) => /stats\/2026\/(\d+)/.exec(path)?.[1] ?? []).sort();
  await expect.poll(read).toEqual(['4', '4', '5', '5']);
  await skydeck.press('<');
  await skydeck.waitFor(/April 2026[\s\S]*● \S+ +8% +7%/);
  await skydeck.press('<');
  await skydeck.waitFor('These 2 servers have no statistics for this period: March 2026.');
  // April is known, and is not read again.
  await skydeck.press('>');
  await skydeck.waitFor(/April 2026[\s\S]*● \S+ +8% +7%/);
  await expect.poll(read).toEqual(['3', '3', '4', '4', '5', '5']);
  await skydeck.press('b');
  await skydeck.waitFor('April 2026, no statistics of March 2026');
});

test('few readings of a period are told with their distance', async () => {
  const demo = await startSparseApi(2 * day);
  const skydeck = await openSkydeck({ columns: 100, rows: 30, demo, now, place: { area: 'servers' } });
  await skydeck.waitFor(/❯ {2}● running +web-1/);
  await skydeck.press('v', '-');
  await skydeck.waitFor(/Last 7 days, one reading every 2 d/);
  await skydeck.press('+', '+');
  await skydeck.waitFor(/Last 6 hours, one reading every 1 h/);
});

import { expect, test } from 'vitest';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

const now = () => Date.UTC(2026, 4, 13, 12);

/** The percentages of the rows on the screen, from top to bottom. */
const loadsIn = (text: string) => [...text.matchAll(/ ([\d.]+)%/g)].map(([, percent]) => Number(percent));

test('servers are sorted and filtered by load, the unread ones come in, and the smallest screen shows it', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'servers' }, demo: { now }, now });
  await skydeck.waitFor(/api-1 .* [▁▂▃▄▅▆▇█]{5,} +[\d.]+%/);
  await skydeck.press('s');
  await skydeck.type('cpu');
  await skydeck.press('enter');
  await skydeck.waitFor(/sort: CPU ↓/);
  await skydeck.waitFor((text) => /Servers {2}40 {3}sort: CPU ↓/.test(text));
  const loads = loadsIn(skydeck.text());
  expect(loads).toHaveLength(20);
  expect(loads).toEqual([...loads].sort((one, other) => other - one));
  await skydeck.press('/');
  await skydeck.type('status:running cpu>20');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers {2}\d+ of 40 /);
  const busy = loadsIn(skydeck.text());
  expect(busy).toEqual(loads.filter((load) => load > 20).slice(0, 19));
  await skydeck.press('s');
  await skydeck.type('net out');
  await skydeck.press('enter');
  await skydeck.waitFor(/NET OUT↓[\s\S]*Mbit\/s/);
  expect(skydeck.requests.filter(({ path }) => path.endsWith('/stats'))).toHaveLength(40);
});

test('NodeBalancers are filtered and sorted by what is read of each', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 24, place: { area: 'nodebalancers' }, demo: { now }, now });
  await skydeck.waitFor(/db-read +. \d+ up \d+ down +\d/);
  await skydeck.press('/');
  await skydeck.type('ports:443');
  await skydeck.press('enter');
  await skydeck.waitFor(/NodeBalancers {2}\d+ of \d+/);
  expect(skydeck.text()).toMatch(/web-lb +. \d+ up \d+ down +.*443/);
  expect(skydeck.text()).not.toContain('db-read');
  await skydeck.press('/', 'ctrl-u', 'enter', 's');
  await skydeck.type('ports');
  await skydeck.press('enter');
  await skydeck.waitFor(/sort: Ports ↓/);
  const asked = skydeck.requests.filter(({ path }) => /nodebalancers\/\d+\/configs$/.test(path));
  expect(new Set(asked.map(({ path }) => path)).size).toBe(asked.length);
});

test('a server without readings, and one whose statistics are refused, are told', async () => {
  const api = await startOtherApi(({ path }) => {
    if (!path.endsWith('/stats')) return undefined;
    return refusal(403, 'Unauthorized');
  });
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' }, demo: api });
  await skydeck.press('/');
  await skydeck.type('cpu>80');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  0 of 3   CPU of 0 of 3 read, 3 failed');
});

test('of very many servers the title says how many are read, and the pace of the others', async () => {
  const skydeck = await openSkydeck({
    columns: 80,
    rows: 24,
    place: { area: 'servers' },
    demo: { now, servers: 300 },
    now,
  });
  await skydeck.waitFor('Servers  300');
  await skydeck.press('/');
  await skydeck.type('tag:web cpu>1');
  await skydeck.press('enter');
  await skydeck.waitFor('CPU of 60 of 64 read');
  const asked = () => skydeck.requests.filter(({ path }) => path.endsWith('/stats')).length;
  expect(asked()).toBeLessThanOrEqual(90);
  await skydeck.press('/', 'ctrl-u');
  await skydeck.type('cpu>1');
  await skydeck.press('enter');
  await skydeck.waitFor(/CPU of \d+ of 300 read, 60 a minute/);
  expect(asked()).toBeLessThanOrEqual(90);
});

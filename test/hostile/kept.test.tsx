import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { putAt } from '../../src/resources/body.ts';
import { drawing, seed } from '../draw.ts';
import { openSkydeck, startQuietDemo } from '../journeys/skydeck.ts';
import { memoryState } from '../store/keptState.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 4 });
});
afterAll(() => demo.close());

/** Values of types that stand nowhere in what is kept, or not there. */
const odd: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  '\u001b]0;x\u0007\u202e',
  '__proto__',
  [],
  [null],
  [[{}]],
  {},
  { $step: 1 },
  { $step: 'x', field: {} },
  { constructor: { a: [] }, toFixed: 1 },
  { '__proto__.polluted': 1 },
];

const record = { resource: 'servers', action: 'edit', label: 'api-1', params: { serverId: '1' }, before: {} };
/** A step with one odd part. */
const steps = odd.flatMap((value) => [
  { record: { ...record, body: value } },
  { record: { ...record, changes: value } },
  { record: { ...record, changes: { set: value } } },
  { record: { ...record, changes: { add: value, remove: value } } },
  { record: { ...record, changes: { add: { tags: value }, remove: { tags: value }, set: { label: value } } } },
  { record: { ...record, before: value } },
  { record: { ...record, params: { serverId: value } } },
  { record: { ...record, params: value } },
  { record: { ...record, resource: value } },
  { record: { ...record, action: value } },
  { record: { ...record, label: value } },
  { record, entries: value },
  { record, entries: { label: value, tags: value } },
  { record: value },
]);
const results = odd.flatMap((value) => [
  { state: value, at: 1 },
  { state: 'done', at: value },
  { state: 'failed', at: 1, says: value },
  { state: 'done', at: 1, made: value },
  { state: 'done', at: 1, made: { serverId: value } },
  { state: 'sent', at: 1, since: value },
  { state: 'unknown', at: 1, since: { at: 1, ids: value, whole: value, sent: value, event: value } },
]);
const places = odd.flatMap((value) => [
  value,
  { screen: value },
  { screen: 'list', resource: 'servers', params: value },
  { screen: 'list', resource: 'servers', params: {}, view: value },
  { screen: 'detail', resource: 'servers', params: { serverId: value }, tab: 'disks' },
  { screen: 'detail', resource: 'servers', params: { serverId: '1' }, tab: value },
]);

const byKey = (values: readonly unknown[]) => Object.fromEntries(values.map((value, nth) => [`k${nth}`, value]));

test('no path of a file changes what all objects inherit, or falls over a value on its way', () => {
  const body: Record<string, unknown> = { label: 'x' };
  for (const path of ['__proto__.polluted', 'constructor.prototype.polluted', 'toString.polluted', 'label.y', 'a.0.b'])
    putAt(body, path.split('.'), 1);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.hasOwn(Object.prototype.toString, 'polluted')).toBe(false);
  expect(body).toMatchObject({ label: { y: 1 }, a: [{ b: 1 }] });
});

test('any plan that is kept is shown, looked through, and examined', { timeout: 120_000 }, async () => {
  const all = steps.map((step, nth) => ({ place: nth, id: nth + 1, ...step }));
  const kept = memoryState({ plan: byKey(all), progress: byKey(results.map((result) => ({ result, as: 'x' }))) });
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session() });
  const openPlan = async () => {
    await skydeck.press(':');
    await skydeck.type('plan');
    await skydeck.waitFor('❯ Plan');
    await skydeck.press('enter');
    await skydeck.waitFor(/── Plan +\d+ (?:of \d+ )?steps/);
  };
  await skydeck.waitFor(/\d+ steps of the kept plan cannot be read; they are left out\./);
  await openPlan();
  const count = Number(/── Plan +(\d+) (?:of \d+ )?steps/.exec(skydeck.text())?.[1]);
  expect(count).toBeGreaterThan(30);
  for (let nth = 0; nth < count; nth++) {
    await skydeck.press('enter');
    await skydeck.press('esc');
    if (!/── Plan +\d+ (?:of \d+ )?steps/.test(skydeck.text())) await openPlan();
    await skydeck.press('j');
  }
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Carry out|would be refused|cannot|Step \d+/);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(skydeck.changes).toEqual([]);
  expect(kept.of('plan').read().size).toBeLessThan(count + 10);
});

const random = drawing('kept places');

test(`any place, view of a list and acknowledgement that is kept is come back to, or left out (seed ${seed})`, async () => {
  for (const place of places.filter(() => random() < 1 / 3)) {
    const lists = odd.flatMap((value) => [
      ['list servers:list:{}', value],
      ['columns servers', value],
      ['columns servers', [{ value: 'label', width: value, title: value }]],
      ['list servers:list:{}', { filter: 'a', sort: value, section: value }],
    ]);
    const nth = places.indexOf(place);
    const list = lists[nth % lists.length] as [string, unknown];
    const acknowledged = byKey(odd.map((value) => ({ problem: value, reason: value, at: value, until: value })));
    const kept = memoryState({ view: Object.fromEntries([['place', place], list]), acknowledged });
    const skydeck = await openSkydeck({ demo, state: kept.session() });
    await skydeck.waitFor(/skydeck/);
    await skydeck.press('J', 'tab', 'tab');
    await skydeck.press('esc');
    await skydeck.close();
  }
});

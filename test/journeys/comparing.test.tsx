import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

const now = () => Date.UTC(2026, 4, 13, 12);

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ now });
});
afterAll(() => demo.close());

const open = (options: SkydeckOptions = {}) => openSkydeck({ columns: 100, rows: 30, demo, now, ...options });
const months = (skydeck: Skydeck) =>
  skydeck.requests.flatMap(({ path }) =>
    /\/stats\/\d+\/\d+$/.test(path) ? [path.split('/').slice(-4).join('/')] : [],
  );

test('the palette names what was compared', async () => {
  const skydeck = await open({ place: { area: 'servers' } });
  for (const [keys, title] of [
    [['space', 'space', 'v'], 'api-1 and api-2'],
    [['esc', 'space', 'v'], 'api-1, api-2 and api-3'],
  ] as const) {
    await skydeck.waitFor(/❯.*api-1|api-3/);
    await skydeck.press(...keys);
    await skydeck.waitFor(`Last 24 hours  ${title}`);
  }
  await skydeck.press(':');
  await skydeck.waitFor(/Go to ─[\s\S]* Compare api-1 and api-2 /);
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('Servers  40');
  await skydeck.press(':');
  await skydeck.waitFor(/Go to ─[\s\S]* Compare api-1, api-2 and api-3 [\s\S]* Compare api-1 and api-2 /);
});

test('the CPU of three servers last month takes six keys and three requests', async () => {
  const skydeck = await open({ place: { area: 'servers' } });
  await skydeck.waitFor(/❯ {2}● running +api-1/);
  const keys = ['space', 'space', 'space', 'v', '<', '<'];
  await skydeck.press(...keys);
  expect(keys.length).toBeLessThanOrEqual(6);
  await skydeck.waitFor(
    /Servers › Compare[\s\S]*April 2026 {2}api-1, api-2 and api-3\n CPU {2}%[\s\S]*● api-1 +[\d.]+%[\s\S]*■ api-2 +[\d.]+%[\s\S]*▲ api-3 +[\d.]+%/,
  );
  expect(months(skydeck).filter((path) => path.endsWith('2026/4'))).toHaveLength(3);

  // The month before stands beside each, and is read once.
  await skydeck.press('b');
  await skydeck.waitFor(/April 2026, the month before dashed[\s\S]*api-3, month before +[\d.]+%/);
  expect(months(skydeck).filter((path) => path.endsWith('2026/3'))).toHaveLength(3);
  await skydeck.press('b', 'm');
  await skydeck.type('2026-02');
  await skydeck.press('enter');
  await skydeck.waitFor('February 2026  api-1');
  await skydeck.press('t');
  await skydeck.waitFor('Last 24 hours  api-1');
  await skydeck.press('esc');
  await skydeck.waitFor('marked 3');
});

test('periods grow and shrink, and what cannot be is said', async () => {
  const skydeck = await open({ place: { area: 'servers' } });
  await skydeck.waitFor(/❯ {2}● running +api-1/);
  await skydeck.press('v');
  await skydeck.waitFor(/Last 24 hours {2}api-1\n/);
  await skydeck.press('>');
  await skydeck.waitFor('Nothing is later: this period ends now.');
  await skydeck.press('b');
  await skydeck.waitFor('b compares days with the month before');
  await skydeck.press('+', '+');
  await skydeck.waitFor(/Last hour {2}api-1\n[\s\S]* 11:30 /);
  await skydeck.press('+');
  await skydeck.waitFor('The last hour is the shortest period.');
  await skydeck.press('-', '-', '-');
  await skydeck.waitFor(/Last 7 days {2}api-1\n[\s\S]* 10 May /);
  await skydeck.press('-');
  await skydeck.waitFor(/Last 30 days {2}api-1\n/);
  await skydeck.press('-');
  await skydeck.waitFor('< goes to earlier months.');
  expect(months(skydeck)).toEqual([expect.stringMatching(/2026\/5$/)]);
});

describe('v', () => {
  test('compares what rows of other lists lead to', async () => {
    const skydeck = await open({ place: { area: 'volumes' } });
    await skydeck.pointAt('db-primary-data');
    await skydeck.press('v');
    await skydeck.waitFor(/Servers › Compare[\s\S]*Last 24 hours {2}db-primary\n/);
  });

  test('compares NodeBalancers by their last 24 hours, and says that there are no months', async () => {
    const skydeck = await open({ place: { area: 'nodebalancers' } });
    await skydeck.waitFor(/❯ {2}\S/);
    await skydeck.press('space', 'space', 'v');
    await skydeck.waitFor(/NodeBalancers › Compare[\s\S]*Connections {2}connections\/s/);
    await skydeck.press('<');
    await skydeck.waitFor('The API has only the last 24 hours of NodeBalancers.');
    await skydeck.press('+');
    await skydeck.waitFor('Last 6 hours');
  });

  test('says so where there is nothing to compare', async () => {
    const skydeck = await open({ place: { area: 'managed-contacts' } });
    await skydeck.waitFor(/❯ {2}\S/);
    await skydeck.press('v');
    await skydeck.waitFor(/Nothing loaded to compare: this managed contact leads to no server or NodeBalancer/);
    await skydeck.press('esc', 'esc');
    await skydeck.waitFor('Home');
    await skydeck.press('v');
    await skydeck.waitFor('v compares the servers or NodeBalancers that are marked in a list');
  });
});

test('six servers have a small graph each, with one scale, page by page where they do not fit', async () => {
  const skydeck = await open({ place: { area: 'servers' }, columns: 120, rows: 40 });
  await skydeck.waitFor(/❯ {2}● running +api-1/);
  await skydeck.press('space', 'space', 'space', 'space', 'space', 'space', 'v');
  await skydeck.waitFor(
    /Last 24 hours {2}CPU {2}api-1[\s\S]*api-1 {2}% {2}last[\s\S]*api-6 {2}%[^\n]* last [\d.]+% {2}max [\d.]+%/,
  );
  const tops = skydeck.text().match(/(?<=^|\s)\d+% (?=┤)/g) ?? [];
  expect(new Set(tops.filter((top) => top === tops[0])).size).toBe(1);
  expect(tops.filter((top) => top === tops[0])).toHaveLength(6);
  await skydeck.press('down');
  await skydeck.waitFor(/Network in {2}api-1[\s\S]*api-1 {2}bit\/s/);
  await skydeck.resize(60, 16);
  await skydeck.waitFor(/1–1 of 6/);
  await skydeck.press('pageDown');
  await skydeck.waitFor(/Network in {2}2–2 of 6[\s\S]*\n api-2 {2}bit\/s/);
});

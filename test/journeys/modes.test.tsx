import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { colourInk } from '../screen.ts';
import { openSkydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 3 });
});
afterAll(() => demo.close());

/** The style of both ends of each of these words in the header; undefined where one is not there. */
async function header(look: 'fg' | 'bold', words: readonly string[], options: SkydeckOptions) {
  const skydeck = await openSkydeck({ demo, place: { area: 'regions' }, ...options });
  await skydeck.waitFor('us-east');
  const line = skydeck.line(0);
  const looks = words.map((word) => {
    const column = line.indexOf(word);
    if (column < 0) return undefined;
    const ends = [column, column + word.length - 1].map((at) => skydeck.styleAt(0, at));
    return ends.map((style) => style[look]);
  });
  await skydeck.close();
  return looks;
}

const words = ['skydeck', 'CRITICAL', 'read-only'];
const [red, yellow, cyan] = [
  [1, 1],
  [3, 3],
  [6, 6],
];

test('the header of a critical account is red, at every width, and that of no other one', async () => {
  for (const columns of [60, 120]) {
    expect(await header('fg', words, { columns, critical: true })).toEqual([red, red, undefined]);
    expect(await header('fg', words, { columns, critical: true, readOnly: true })).toEqual([red, red, red]);
    expect(await header('fg', words, { columns, readOnly: true })).toEqual([cyan, undefined, yellow]);
    expect(await header('fg', words, { columns })).toEqual([cyan, undefined, undefined]);
  }
  expect(await header('bold', ['CRITICAL'], { theme: 'mono', critical: true })).toEqual([[true, true]]);
});

test('the frame of a question about a loss has the colour of its theme, and none where that has none', async () => {
  await colourInk(1);
  for (const [theme, color] of [
    ['dark', 1],
    ['mono', 'default'],
  ] as const) {
    const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, theme, place: { area: 'servers' } });
    await skydeck.waitFor(/^❯ .*running/m);
    await skydeck.press('d');
    await skydeck.waitFor(/┌── Delete\?/);
    const row = skydeck
      .text()
      .split('\n')
      .findIndex((line) => line.includes('┌── Delete?'));
    const { fg, dim } = skydeck.styleAt(row + 1, skydeck.line(row + 1).lastIndexOf('│'));
    expect({ fg, dim }, theme).toEqual({ fg: color, dim: color === 'default' });
    await skydeck.close();
  }
});

test('what may be typed is dim as all else is, and has no colour in a theme without', async () => {
  await colourInk(1);
  for (const [theme, fg] of [
    ['dark', 8],
    ['mono', 'default'],
    ['high-contrast', 'default'],
  ] as const) {
    const skydeck = await openSkydeck({ demo, theme, place: { area: 'regions' } });
    await skydeck.waitFor('us-east');
    await skydeck.press('?');
    await skydeck.waitFor('type to search keys');
    const row = skydeck
      .text()
      .split('\n')
      .findIndex((line) => line.includes('type to search keys'));
    const at = skydeck.line(row).indexOf('search');
    expect(skydeck.styleAt(row, at), theme).toMatchObject({ char: 's', fg, dim: fg === 'default' });
    await skydeck.close();
  }
});

/** The parameters of each sequence that sets how texts look. */
const looks = (bytes: string) => [...bytes.matchAll(/\x1b\[([\d;]*)m/g)].map(([, codes = '']) => codes);

test('a theme without colours sends none on any of these pages', async () => {
  await colourInk(3);
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, theme: 'mono' });
  await skydeck.waitFor(/✗ \d+ critical/);
  const pages: readonly (readonly [keys: readonly string[], seen: string | RegExp])[] = [
    [[':'], 'Go to ─'],
    [['esc', '?'], 'type to search keys'],
    [['esc', 'F'], /% of its CPUs/],
    [['space', 'a'], 'Actions on'],
    [['esc', 'd'], '── Delete?'],
    [['esc', 'v'], /Last 24 hours/],
    [['esc', 'J'], 'Sent from here'],
    [['esc', '/'], 'filter:'],
    [['esc', 'n', 'ctrl-s'], 'Region is required'],
  ];
  for (const [keys, seen] of pages) {
    await skydeck.press(...keys);
    await skydeck.waitFor(seen);
  }
  const sent = looks(skydeck.bytes);
  expect(sent).toContain('7');
  expect(
    sent.filter((codes) =>
      codes.split(';').some((code) => /^(?:[34]\d|9\d|10\d)$/.test(code) && !/^[34]9$/.test(code)),
    ),
  ).toEqual([]);
  await skydeck.close();
});

test('without a profile the header names the host', async () => {
  const skydeck = await openSkydeck({
    demo,
    profile: 'environment',
    host: 'api.example.com',
    place: { area: 'regions' },
  });
  await skydeck.waitFor('us-east');
  expect(skydeck.line(0)).toMatch(/^ skydeck {2}api\.example\.com › Regions /);
});

test('and the company, where the place has room besides', async () => {
  for (const [columns, named] of [
    [120, 'api.example.com · Example Trading › Account ›'],
    [60, 'api.example.com › Account ›'],
  ] as const) {
    const options = { demo, profile: 'environment', host: 'api.example.com', columns, place: { area: 'account' } };
    const skydeck = await openSkydeck(options);
    await skydeck.waitFor((text) => text.split('\n')[0]?.includes(` skydeck  ${named} `) ?? false);
  }
});

test('in a narrow terminal the row is named before the latency', async () => {
  const skydeck = await openSkydeck({ demo, columns: 60, place: { area: 'managed-credentials' } });
  await skydeck.waitFor(/ ms {2}\d\d:\d\d *\n/);
  await skydeck.pointAt('mail relay');
  await skydeck.press('enter');
  await skydeck.waitFor(/^ skydeck {2}demo › Managed credentials › mail relay +\d\d:\d\d *\n/);
});

test('so does the wall', async () => {
  const wall = await openSkydeck({
    demo,
    profile: 'environment',
    host: 'api.example.com',
    watch: { boards: ['servers'], everyMs: 3_600_000, onCritical: () => {} },
  });
  await wall.waitFor(/^ skydeck {2}api\.example\.com › Servers /);
});

test('the name is underlined, and no blank beside it, also on the wall', async () => {
  await colourInk(1);
  const watch = { everyMs: 3_600_000, onCritical: () => {} };
  for (const options of [{}, { watch }]) {
    const skydeck = await openSkydeck({ demo, theme: 'high-contrast', ...options });
    await skydeck.waitFor('skydeck');
    const looks = [...Array(9).keys()].map((at) => skydeck.styleAt(0, at).underline);
    expect(looks).toEqual([false, ...Array(7).fill(true), false]);
    await skydeck.close();
  }
});

test('a read-only session is told of every line of the menu that it only goes into the plan', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, readOnly: true, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on api-1');
  const lines = skydeck.text().match(/│[ ❯] [A-Z+-] {2}\w.*?│/g) ?? [];
  expect(lines.map((line) => line[3])).toEqual(expect.arrayContaining(['E', 'D', 'I', 'V', 'T', 'N']));
  expect(lines.filter((line) => !/ into the plan *│$/.test(line))).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { resources } from '../../src/resources/index.ts';
import { placeOfArea } from '../../src/screens/places.ts';
import { seed, someOf } from '../draw.ts';
import { memoryState } from '../store/keptState.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

/** The help of a narrow window, which has one column: the keys under these headings that do something now. */
function keysThatAct(help: string, headings: readonly string[]): readonly string[] {
  let heading = '';
  const entries: string[] = [];
  for (const line of help.split('\n')) {
    if (/^ \w/.test(line)) heading = line.trim();
    else if (/^ {3}\S/.test(line) && headings.includes(heading)) entries.push(line);
    else if (/^ {20}\S/.test(line) && headings.includes(heading)) entries.push(`${entries.pop()}${line}`);
  }
  return entries.filter((entry) => !entry.includes(' — '));
}

test.each(['servers', 'volumes', 'domains', 'nodebalancers'])(
  'the list of %s has at most 30 keys, moves included',
  async (area) => {
    const skydeck = await openSkydeck({ demo, columns: 75, rows: 100 });
    await skydeck.goTo(area);
    await skydeck.waitFor(/^❯ /m);
    // Both ways lead somewhere.
    await skydeck.press('F', '[');
    await skydeck.waitFor(/^❯ /m);
    await skydeck.press('?', 'tab');
    await skydeck.waitFor(/^ Lists with several views$/m);
    const keys = keysThatAct(skydeck.text(), ['Here', 'Everywhere', 'Move']);
    const counted = keys.filter((key) => !/^ +ctrl-/.test(key));
    expect(keys.length).toBeGreaterThan(25);
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(30);
  },
);

/** The help of this place is whole. */
async function isOnePage(skydeck: Skydeck): Promise<void> {
  await skydeck.press('?');
  await skydeck.waitFor(/── Keys .*preset /);
  const [title = ''] = skydeck.text().match(/^── Keys.*$/m) ?? [];
  expect(title, skydeck.text()).not.toMatch(/[↑↓]/);
  expect(skydeck.text()).toContain('Wall monitor');
  await skydeck.press('esc');
}

describe('the help is one page at 120×40', () => {
  const areas = resources.filter((one) => (one.list && !one.under) || one.local);
  test(`in every area (seed ${seed})`, async () => {
    const skydeck = await openSkydeck({ demo, columns: 120, rows: 40 });
    for (const { name } of someOf('areas with help', areas, 3)) {
      await skydeck.press(':');
      await skydeck.waitFor('── Go to');
      await skydeck.type(name);
      await skydeck.press('enter');
      await skydeck.waitFor((text) => !text.includes('── Go to'));
      await isOnePage(skydeck);
    }
    expect(areas.map(placeOfArea).length).toBeGreaterThan(20);
  });

  test.each([
    ['servers', 'api-1', 9],
    ['nodebalancers', 'web-lb', 6],
    ['domains', 'shop.example', 5],
    ['problems', 'critical', 1],
  ])('in every tab of a row of %s', async (area, row, tabs) => {
    const skydeck = await openSkydeck({ demo, place: { area }, columns: 120, rows: 40 });
    await skydeck.waitFor(row);
    await skydeck.press('enter');
    await skydeck.waitFor((text) => !/^❯ .*\n.*\n❯/m.test(text) && text.includes('›'));
    for (let tab = 1; tab <= tabs; tab++) {
      if (tabs > 1) await skydeck.press(String(tab));
      await isOnePage(skydeck);
    }
  });

  test('of graphs, alone, large and compared', async () => {
    const skydeck = await openSkydeck({ demo, place: { area: 'servers' }, columns: 120, rows: 40 });
    await skydeck.waitFor('api-1');
    await skydeck.press('v');
    await skydeck.waitFor(/api-1[\s\S]*CPU/);
    await isOnePage(skydeck);
    await skydeck.press('z');
    await isOnePage(skydeck);
    await skydeck.press('[');
    await skydeck.waitFor('Servers  40');
    await skydeck.press('space', 'space', 'v');
    await skydeck.waitFor(/api-1 and api-2[\s\S]*LAST/);
    await isOnePage(skydeck);
  });

  test('in every tab of the journal', async () => {
    const skydeck = await openSkydeck({ demo, columns: 120, rows: 40 });
    await skydeck.waitFor('› Home');
    await skydeck.press('J');
    for (const _ of ['sent', 'running', 'messages', 'changed']) {
      await skydeck.waitFor('Changed meanwhile');
      await isOnePage(skydeck);
      await skydeck.press('tab');
    }
  });

  test('and of the wall one line', async () => {
    const skydeck = await openSkydeck({
      demo,
      watch: { everyMs: 3_600_000, onCritical: () => {} },
      columns: 120,
      rows: 40,
    });
    await skydeck.waitFor('FRESH');
    await skydeck.press('?');
    await skydeck.waitFor(/Keys: space pause or resume, n next board, .*1 board by number, q quit\./);
  });

  test.each(['home', 'fleet', 'accounts'])('on %s', async (area) => {
    const skydeck = await openSkydeck({ demo, place: { area }, columns: 120, rows: 40 });
    await skydeck.waitFor('›');
    await isOnePage(skydeck);
  });
});

test('the preset is chosen in the help, and comes back with the next session', async () => {
  const memory = memoryState();
  const skydeck = await openSkydeck({
    demo,
    state: memory.session(),
    place: { area: 'servers' },
    columns: 120,
    rows: 40,
  });
  await skydeck.waitFor('api-1');
  await skydeck.press('?', 'right');
  await skydeck.waitFor('[vim]');
  await skydeck.waitFor(/i e +edit/);
  await skydeck.press('esc', 'y');
  await skydeck.waitFor('── Copy');
  await skydeck.close();
  const next = await openSkydeck({ demo, state: memory.session(), place: { area: 'servers' }, columns: 120, rows: 40 });
  await next.waitFor(/o new {2}i edit/);
  await next.press('?', 'left');
  await next.waitFor('[default]');
});

test('a preset of the configuration wins, and the help says so', async () => {
  const memory = memoryState();
  const configuration = { keys: { preset: 'k9s' } as never };
  const skydeck = await openSkydeck({ demo, state: memory.session(), configuration, columns: 120, rows: 40 });
  await skydeck.waitFor('› Home');
  await skydeck.press('?', 'right');
  await skydeck.waitFor('The configuration says preset = "k9s"; it is changed there.');
  await skydeck.waitFor('[k9s]');
});

test('what has no key is in the palette and in the menus', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'servers' }, columns: 120, rows: 40 });
  await skydeck.waitFor('api-1');
  for (const key of ['y', 'M', 'p', 'C', 'r']) {
    await skydeck.press(key);
    await skydeck.waitFor(`"${key}" does nothing here`);
  }
  await skydeck.press('s', 'C');
  await skydeck.waitFor('── Columns');
  await skydeck.press('esc', 'a', 'T');
  await skydeck.waitFor('── New ticket');
  await skydeck.press('esc', ':');
  await skydeck.type('json');
  await skydeck.press('enter');
  await skydeck.waitFor('"label": "api-1"');
});

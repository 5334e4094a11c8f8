import { expect, test } from 'vitest';
import { openSkydeck, type Skydeck } from './skydeck.ts';

const wheel = (skydeck: Skydeck, code: 64 | 65) => skydeck.pressAtOnce('esc', ...`[<${code};20;10M`);

test('a list, its tabs, menus and forms by the mouse', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' }, mouse: true });
  await skydeck.waitFor(/❯ .*api-1/);
  await skydeck.click('api-3');
  await skydeck.waitFor(/❯ .*api-3/);
  await wheel(skydeck, 65);
  await skydeck.waitFor(/❯ .*api-6/);
  await wheel(skydeck, 64);
  await skydeck.waitFor(/❯ .*api-3/);
  // The title of a column sorts by it, and again the other way round.
  await skydeck.click('REGION');
  await skydeck.waitFor('sort: Region ↑');
  await skydeck.click('REGION');
  await skydeck.waitFor('sort: Region ↓');
  // A list behind a menu takes no clicks.
  await skydeck.press('a');
  await skydeck.waitFor('Shut down');
  const before = skydeck.cursorLine();
  await skydeck.click('api-1');
  expect(skydeck.cursorLine()).toBe(before);
  await skydeck.click('Shut down');
  await skydeck.waitFor('── Shut down?');
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── Shut down?'));
  await skydeck.pointAt('api-3');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-3');
  await skydeck.click('Watchdog');
  await skydeck.waitFor(/❯ Watchdog/);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── Edit'));
  // The second click opens.
  await skydeck.click('api-3');
  await skydeck.waitFor('Servers › api-3');
  await skydeck.click('JSON');
  await skydeck.waitFor('"label": "api-3"');
  await skydeck.click('Graphs');
  // The crosshair follows the button to the cell that it is over.
  await skydeck.waitFor('UTC');
  await skydeck.click('┤', 30);
  await skydeck.waitFor(/AT \d\d:\d\d/);
  expect(skydeck.changes).toEqual([]);
});

test('Home by the mouse', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, mouse: true });
  await skydeck.waitFor(/Volumes/);
  await skydeck.click('Volumes');
  await skydeck.click('Volumes');
  await skydeck.waitFor('› Volumes');
});

test('the second click opens whichever key opens', async () => {
  const own = ['O'];
  const keys = { list: { open: own }, home: { open: own }, columns: { toggle: own }, plan: { request: own } };
  const configuration = { keys: keys as never };
  const skydeck = await openSkydeck({ columns: 120, rows: 40, mouse: true, configuration });
  await skydeck.waitFor(/Volumes/);
  await skydeck.click('Volumes');
  await skydeck.click('Volumes');
  await skydeck.waitFor('› Volumes');
  await skydeck.waitFor(/❯ .*api-1-uploads/);
  await skydeck.click('api-1-uploads');
  await skydeck.waitFor('Volumes › api-1-uploads');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1-uploads');
  await skydeck.fill('Label', 'api-archive');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('plan 1');
  await skydeck.goTo('plan');
  await skydeck.waitFor('── Plan ');
  await skydeck.click('Edit api-1-uploads');
  await skydeck.waitFor('"label": "api-archive"');
  await skydeck.press('esc', 'esc', 'esc');
  await skydeck.waitFor(/› Volumes[^›]*$/m);
  await skydeck.press('s', 'C');
  await skydeck.waitFor(/❯ +✓ Status/);
  await skydeck.click('✓ Status');
  await skydeck.waitFor(/❯ +Status/);
});

test('the time of the heat map and of small graphs by the mouse', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'fleet' }, mouse: true });
  await skydeck.waitFor(/40 of 40 known[\s\S]*❯/);
  // Any row but the first, on which the cursor is: which one has most to do depends on the time of day.
  const [, label = ''] = /❯.*\n.*\n {3}(\S+) /.exec(skydeck.text()) ?? [];
  // Beside the day the second click opens; on the day it goes to a time.
  await skydeck.click(`   ${label} `, 30);
  await skydeck.waitFor(new RegExp(`❯ {2}${label} `));
  await skydeck.waitFor(new RegExp(`\\d\\d:\\d\\d–\\d\\d:\\d\\d UTC {2}${label} [\\d.]+%\\n.*▾`));
  await skydeck.click(`❯  ${label} `);
  await skydeck.waitFor(new RegExp(`Servers › ${label}[\\s\\S]*AT \\d\\d:\\d\\d`));
  await skydeck.press('esc', 'esc', 'esc');
  await skydeck.waitFor(new RegExp(`❯ {2}${label} `));
  await skydeck.press('g', 'space', 'space', 'space', 'space', 'space', 'v');
  await skydeck.waitFor(/› Compare[\s\S]*┤/);
  await skydeck.click('┤', 30);
  await skydeck.waitFor(/% {2}at [\d.]+%/);
});

test('breadcrumbs, the keys of the footer and the rows of a tree by the mouse', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' }, mouse: true });
  await skydeck.waitFor(/❯ .*api-1/);
  await skydeck.click('? keys');
  await skydeck.waitFor('esc close');
  await skydeck.click('esc close');
  await skydeck.waitFor('? keys');
  await skydeck.click('demo');
  await skydeck.waitFor('› Home');
  await skydeck.goTo('nodebalancers');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter');
  await skydeck.waitFor('NodeBalancers › web-lb');
  await skydeck.click('Nodes');
  await skydeck.waitFor(/❯[^\n]*web-old/);
  await skydeck.click('web-4');
  await skydeck.waitFor(/❯[^\n]*web-4/);
  await skydeck.click('web-4');
  await skydeck.waitFor(/web-lb › NodeBalancer configs › port 80[\s\S]*Label +web-4/);
  await skydeck.click('NodeBalancer configs');
  await skydeck.waitFor(/ › NodeBalancers › web-lb {2}[\s\S]*PORT/);
  await skydeck.click('NodeBalancers');
  await skydeck.waitFor(/ › NodeBalancers {2}/);
});

test('without --mouse nothing is a click', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor(/❯ .*api-1/);
  await skydeck.click('api-3');
  await skydeck.press('down');
  await skydeck.waitFor(/❯ .*api-2/);
});

import { expect, test } from 'vitest';
import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

const loose = ['archive-2023', 'db-before-upgrade', 'photos-old', 'scratch'];

async function openPlan(skydeck: Skydeck): Promise<void> {
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor('── Plan ');
}

/** Plans to delete volumes that are attached to nothing, and opens the plan. */
async function planDeletions(options: SkydeckOptions = {}, labels: readonly string[] = loose): Promise<Skydeck> {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'volumes' }, ...options });
  await skydeck.waitFor(/Volumes {2}24/);
  for (const [index, label] of labels.entries()) {
    await skydeck.pointAt(label);
    await skydeck.press('d');
    await skydeck.waitFor(`Deletes ${label}`);
    await skydeck.press('ctrl-a');
    await skydeck.waitFor(`plan ${index + 1}`);
    await skydeck.waitFor((text) => !text.includes(`Deletes ${label}`));
  }
  await openPlan(skydeck);
  return skydeck;
}

test('a plan that deletes has its number of steps typed', async () => {
  const skydeck = await planDeletions();
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 4 steps');
  await skydeck.press('end');
  await skydeck.waitFor('Type 4 steps');
  await skydeck.press('enter');
  await skydeck.waitFor('Type 4 steps first');
  await skydeck.type('3 steps');
  await skydeck.press('enter');
  await skydeck.waitFor('"3 steps" does not match');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-u');
  await skydeck.type('4 steps');
  await skydeck.press('enter');
  await skydeck.waitFor('Every step is done');
  expect(skydeck.changes.map(({ method }) => method)).toEqual(Array(4).fill('DELETE'));
});

test('a plan that is longer than the window has been seen to its end before it is carried out', async () => {
  const skydeck = await planDeletions({ columns: 80, rows: 16 });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 4 steps');
  await skydeck.type('4 steps');
  await skydeck.press('enter');
  await skydeck.waitFor(/The lines below have not been shown yet/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('end');
  await skydeck.waitFor((text) => !text.includes('more below'));
  await skydeck.press('enter');
  await skydeck.waitFor(/1 of 4 done|done, \d+ left|Every step is done/);
  await skydeck.waitFor('Every step is done');
  expect(skydeck.changes).toHaveLength(4);
});

test('in a profile for what is critical the number of steps is typed, whatever they do', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'volumes' }, critical: true });
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('plan 1');
  await openPlan(skydeck);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type 1 step');
  await skydeck.press('enter');
  await skydeck.waitFor('Type 1 step first');
  expect(skydeck.changes).toEqual([]);
});

test('a guard on how many go at once holds for a plan, and nothing of it is sent', async () => {
  const guards = [{ for: 'volumes', actions: ['delete'], at_most: 2, reason: 'Two at a time.' }];
  const skydeck = await planDeletions({ configuration: { guards } as SkydeckOptions['configuration'] });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 4 steps');
  await skydeck.press('end');
  await skydeck.waitFor(/Two at a time\./);
  await skydeck.type('4 steps');
  await skydeck.press('enter');
  await skydeck.waitFor((text) => text.includes('✗') && text.replace(/\s+/g, ' ').includes('a guard allows 2'));
  expect(skydeck.changes).toEqual([]);
});

test('a question tells the steps as the plan does', async () => {
  const skydeck = await planDeletions({ columns: 120, rows: 45 });
  const told = () => {
    const lines = skydeck.text().split('\n');
    const first = lines.findIndex((line) => / 1 {2}. Delete archive-2023/.test(line));
    return lines.slice(first, first + 8).map((line) => line.replace(/^\W+/, '').trimEnd());
  };
  const plan = told();
  expect(plan[7]).toMatch(/^Deletes scratch and its/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 4 steps');
  expect(told()).toEqual(plan);
});

test('a server that the plan has shut down is waited for as it was left, and a step that was sent tells what it changed', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.pointAt('staging-web');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('Shuts staging-web down');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('plan 1');
  await skydeck.press('a', 'Z');
  await skydeck.waitFor('── Resize staging-web');
  await skydeck.fill('Type', 'g6-standard-2');
  await skydeck.press('enter');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('plan 2');
  await openPlan(skydeck);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('How ❯one by one');
  expect(skydeck.text()).toContain('until its job has ended and it is offline.');
  await skydeck.press('enter');
  await skydeck.waitFor(/2 +\S+ Resize staging-web[\s\S]*It has begun/);
  expect(skydeck.text()).toMatch(/Resize staging-web +\$12\.00 → \$24\.00 a month/);
  expect(skydeck.text()).toContain('Resizes staging-web from Standard 2 GB (g6-standard-1) to Standard 4 GB');
  await skydeck.waitFor('Every step is done');
});

test('what the token may not do is refused before it is asked, and nothing of the plan is sent', async () => {
  const skydeck = await planDeletions({ columns: 120, rows: 40, token: 'readOnly' }, loose.slice(0, 2));
  await skydeck.waitFor(/── Plan [^\n]*2 would be refused/);
  expect(skydeck.text()).toContain('The token has no permission for this; it needs the scope volumes:read_write.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Step 1 cannot be sent: the token has no permission[\s\S]*:plan save FILE/);
  expect(skydeck.text()).not.toContain('Carry out');
  expect(skydeck.changes).toEqual([]);
});

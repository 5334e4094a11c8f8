import { describe, expect, test } from 'vitest';
import { type HeldDemo, startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type Skydeck } from './skydeck.ts';

const isHeld = (demo: HeldDemo, count: number) => expect.poll(() => demo.held).toBe(count);

/** The places whose rows are servers. */
const places = { servers: /Servers {2}40/, fleet: /40 of 40 known/ } as const;

describe.each(['servers', 'fleet'] as const)('in %s', (area) => {
  test('a change under way is seen at its row, and gone when it is done', async () => {
    const demo = await startHeldDemo();
    const skydeck = await openSkydeck({ columns: 118, rows: 50, demo, place: { area } });
    await skydeck.waitFor(places[area]);
    await skydeck.pointAt('web-4 ');
    await skydeck.press('e');
    await skydeck.waitFor('── Edit web-4');
    await skydeck.fill('Label', 'web-four');
    await skydeck.press('ctrl-s');
    await isHeld(demo, 1);
    await skydeck.press('esc');
    await skydeck.waitFor(/❯ .*web-4 .*◐ saving|❯ .*◐ saving.*web-4 /);
    demo.release();
    // The row may be read before the answer comes.
    await skydeck.waitFor((text) => /❯ .*web-four /.test(text) && !text.includes('◐ saving'));
  });

  test('of two hundred rows each tells whether it is being changed or waits', async () => {
    const demo = await startHeldDemo(undefined, { servers: 200 });
    const skydeck = await openSkydeck({ columns: 118, rows: 50, demo, place: { area } });
    await skydeck.waitFor(area === 'servers' ? /Servers {2}200/ : /of 200 known/);
    await skydeck.press('*');
    await skydeck.waitFor('marked 200');
    await tagMarked(skydeck, 200);
    await skydeck.waitFor(/^ ◐ Add tags to 200 servers/m);
    await skydeck.waitFor((frame) => (frame.match(/◐ changing|○ waiting/g)?.length ?? 0) > 40);
    expect(skydeck.text()).toMatch(/○ waiting/);
    await skydeck.press('X');
    await skydeck.waitFor('stopping');
  });
});

test('among costs a change under way is seen at what it is about', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ columns: 118, rows: 50, demo, place: { area: 'costs' } });
  await skydeck.waitFor(/By row \d+/);
  await skydeck.press('tab', 'tab');
  await skydeck.waitFor('web-4 ');
  await skydeck.pointAt('web-4 ');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit web-4');
  await skydeck.fill('Label', 'web-four');
  await skydeck.press('ctrl-s');
  await isHeld(demo, 1);
  await skydeck.press('esc');
  await skydeck.waitFor(/❯ .*◐ saving.*web-4 /);
  demo.release();
  await skydeck.waitFor((text) => /❯ .*web-four /.test(text) && !text.includes('◐ saving'));
});

async function tagMarked(skydeck: Skydeck, count: number): Promise<void> {
  await skydeck.press('a');
  await skydeck.waitFor(`Actions on ${count} servers`);
  await skydeck.press('+');
  await skydeck.waitFor(`── Add tags to ${count} servers`);
  await skydeck.fill('Tags to add', 'moved');
  await skydeck.sendToAll();
  await skydeck.waitFor('Sending');
  await skydeck.press('esc');
}

/** Opens the tree of a NodeBalancer at the first node that is down. */
async function openTree(demo: HeldDemo): Promise<Skydeck> {
  const skydeck = await openSkydeck({ columns: 118, rows: 40, demo, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/❯ +✗ down +web-\S+/);
  return skydeck;
}

test('in the tree of a NodeBalancer a change under way is seen at its node', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openTree(demo);
  await skydeck.pointAt('web-old');
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Drain');
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ +◐ \S+ +web-old/);
  await isHeld(demo, 1);
  demo.release();
  await skydeck.waitFor(/❯ +✗ down +web-old .* drain/);
});

test('in the tree of a NodeBalancer each of many nodes tells whether it is being changed or waits, and a port too', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openTree(demo);
  await skydeck.press('*');
  await skydeck.waitFor('marked 15');
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Drain');
  await skydeck.press(...Array(5).fill('ctrl-o'));
  await skydeck.waitFor('❯all at once');
  await skydeck.press('enter');
  await skydeck.waitFor((frame) => frame.match(/◐ draining|○ waiting/g)?.length === 15);
  expect(skydeck.text()).toMatch(/port 80 http +✗/);
  await isHeld(demo, 2);
  await skydeck.press('X');
  await skydeck.waitFor((frame) => {
    demo.release();
    return !frame.includes('◐ draining');
  });
});

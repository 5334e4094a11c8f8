import { expect, test } from 'vitest';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck } from './skydeck.ts';

test('a change under way is seen at its row in the tree of a NodeBalancer', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ columns: 118, rows: 40, demo, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/❯ +✗ down +web-old/);
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Drain');
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ +◐ \S+ +web-old/);
  await expect.poll(() => demo.held).toBe(1);
  demo.release();
  await skydeck.waitFor(/❯ +✗ down +web-old .* drain/);
});

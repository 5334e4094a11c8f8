import { expect, it } from 'vitest';
import { openSkydeck } from './skydeck.ts';

it('an API with words of its own is told of in these words', async () => {
  const vocabulary = { server: 'acme', servers: 'acmes', kube: 'ake', monitor: 'view' };
  const place = { area: 'servers', id: '48200125' };
  const skydeck = await openSkydeck({ columns: 120, rows: 60, demo: { servers: 40, vocabulary }, place });
  await skydeck.waitFor(/Servers › api-1[\s\S]*● running {2}api-1/);
  await skydeck.press('3');
  await skydeck.waitFor(/❯ .*Disk Profile/);
  await skydeck.press('n');
  await skydeck.waitFor(/Kernel +acme\/latest-64bit/);
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── New config'));
  await skydeck.press(':');
  await skydeck.type('requests');
  await skydeck.waitFor(/❯ Requests/);
  await skydeck.press('enter');
  await skydeck.waitFor(/ok +GET +\S*\/acme\/instances/);
  expect(skydeck.text()).not.toContain('/server/');
});

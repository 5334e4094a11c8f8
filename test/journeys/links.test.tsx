import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('the hostname of a bucket leads to it', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor(/❯ /);
  expect(skydeck.bytes).not.toContain('\x1b]8');
  await skydeck.press('enter');
  await skydeck.press('1');
  await skydeck.waitFor(/Hostname +\S/);
  const [, address = '', text = ''] =
    /\x1b\]8;;(https:[^\x1b]+)\x1b\\(?:\x1b\[[\d;]*m)*([^\x1b]+)/.exec(skydeck.bytes) ?? [];
  expect(address).toBe(`https://${text.trim()}/`);
  expect(text).toContain('.');
});

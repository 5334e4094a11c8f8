import { expect, test } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { takeSnapshot } from '../main/takeSnapshot.ts';

const now = Date.UTC(2026, 4, 13, 12);

test('the problems of the demo, printed into a pipe', async () => {
  const demo = await startQuietDemo({ now: () => now });
  const api = connect({ baseUrl: demo.url, token: demo.tokens.full, readOnly: true });
  const { text, missing } = await takeSnapshot(api, { area: 'problems' }, 'text', { now, glyphs: 'unicode' });
  await api.close();
  await demo.close();
  expect(missing).toEqual([]);
  // `vitest -u` writes it anew.
  await expect(text).toMatchFileSnapshot('golden/snapshot-problems.txt');
});

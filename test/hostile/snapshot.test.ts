import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/api/client.ts';
import type { Demo } from '../../src/demo/server.ts';
import { areas } from '../../src/program/areas.ts';
import { snapshotBoards } from '../../src/program/commandLine/commands.ts';
import { drawing, drawn, seed } from '../draw.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { takeSnapshot } from '../main/takeSnapshot.ts';
import { foreignIn } from './glass.ts';
import { type Mischief, startHostileApi } from './server.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 6 });
});
afterAll(() => demo.close());

const mischiefs: readonly Mischief[] = [
  { seed: 11, share: 0.6, mode: 'readable', huge: 0.05 },
  { seed: 12, share: 0.4, mode: 'anything', refusals: 0.2 },
];

const formats = ['text', 'json', 'csv'] as const;

test.each(mischiefs)(`everything is printed in any format: $mode (seed ${seed})`, async (mischief) => {
  const random = drawing(`a format of ${mischief.mode}`);
  const hostile = await startHostileApi(demo, mischief);
  const api = connect({ baseUrl: hostile.url, token: demo.tokens.full, readOnly: true });
  try {
    for (const area of [...snapshotBoards, ...areas.map(({ name }) => name)]) {
      const format = drawn(random, formats);
      const context = { now: Date.now(), glyphs: 'unicode', width: 100 } as const;
      const { text, missing } = await takeSnapshot(api, { area }, format, context);
      expect(foreignIn(text), `${area} as ${format}`).toBeUndefined();
      expect(text, `${area} as ${format}`).not.toMatch(/[\b\x1b]/);
      expect(foreignIn(missing.join('\n'))).toBeUndefined();
      if (format === 'json' && text !== '') JSON.parse(text);
    }
  } finally {
    await api.close();
    await hostile.close();
  }
});

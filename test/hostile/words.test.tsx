import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { processorMs } from '../processorTime.ts';
import { hugeText } from './corpus.ts';
import { openTour } from './tour.tsx';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 5 });
});
afterAll(() => demo.close());

/** Pasted or typed by somebody who copied them from elsewhere: commands to the terminal, and characters that hide or reorder. */
const pastes = [
  '\u001b[31mred\u001b[0m \u009b2J \u001b]0;x\u0007',
  '\u202egnp.exe\u2066 \u200b\ufeff\u00ad',
  'status:/(((/ !! :::: "open',
  `z${'\u0301'.repeat(60)} 👩‍👩‍👧🫠 日本 ${'w'.repeat(300)}`,
];

/** Where text is typed: how one gets there from the list of servers. */
const inputs: readonly [string, readonly string[]][] = [
  ['the palette', [':']],
  ['the filter', ['/']],
  ['the search in JSON', ['y', '/']],
  ['a form', ['n', 'down', 'down']],
  ['the search of rows to refer to', ['n', 'ctrl-o']],
  ['a confirmation', ['d']],
  ['a menu', ['a']],
];

test.each(inputs)('%s takes any text that is pasted', async (_where, keys) => {
  const tour = await openTour(demo, 80, 24);
  try {
    for (const paste of pastes) {
      tour.stores.navigation.go({ screen: 'list', resource: 'servers', params: {} });
      await tour.look('servers');
      await tour.press(...keys);
      await tour.screen.paste(paste);
      await tour.look(JSON.stringify(paste).slice(0, 40));
      await tour.press('enter');
      tour.stores.navigation.setListView('servers:list:{}', { filter: '' });
    }
    expect(tour.wrongs).toEqual([]);
  } finally {
    await tour.close();
  }
});

test('a text that is longer than its field covers nothing, and a megabyte of it is shown at once', async () => {
  const tour = await openTour(demo, 70, 20);
  const { navigation } = tour.stores;
  try {
    navigation.go({ screen: 'list', resource: 'volumes', params: {} });
    await tour.look('volumes');
    const begun = processorMs();
    for (const label of [`${'日'.repeat(300)}END`, `${'x'.repeat(400)}END`, hugeText]) {
      navigation.open({
        kind: 'form',
        resource: 'volumes',
        action: 'create',
        targets: [],
        params: {},
        start: { label },
      });
      await tour.screen.waitFor('required, 1–32 characters');
      await tour.press('left', 'right', 'end');
      const [shown = '', below = ''] = tour.screen.text().split(/ +required, 1–32 characters/);
      expect(shown).toMatch(label === hugeText ? /Label \* +huge ⟨ESC⟩\[7m日/ : /[日x]END/);
      expect(below).not.toMatch(/日|xx/);
      navigation.close();
    }
    expect(processorMs() - begun).toBeLessThan(5000);
    expect(tour.wrongs).toEqual([]);
  } finally {
    await tour.close();
  }
});

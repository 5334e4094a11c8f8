import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { actionsOf, creationsOf, resources } from '../../src/resources/index.ts';
import type { Params, Resource } from '../../src/resources/resource.ts';
import { begin, subjectsOf } from '../../src/screens/actions.ts';
import { placeOfArea } from '../../src/screens/places.ts';
import { tabsOf } from '../../src/screens/tabs.ts';
import { paramsOf } from '../../src/store/records.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { type Mischief, startHostileApi } from './server.ts';
import { openTour, type Tour } from './tour.tsx';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 12 });
});
afterAll(() => demo.close());

const sizes = [
  [60, 16],
  [80, 24],
  [160, 50],
] as const;

/** Goes through every list, and through every tab of the first rows in it, as deep as rows lie under rows. */
async function seeEverything(tour: Tour, resource: Resource, params: Params, rowsEach: number): Promise<void> {
  const { deck } = tour;
  const { name } = resource;
  const list = { screen: 'list', resource: name, params } as const;
  if (resource.list) {
    deck.navigation.go(list);
    await tour.look(`${name} list`);
    for (const key of ['a', 'c', 'y', 's', '?', 'x', 'n']) {
      await tour.press(key);
      closeAll(tour);
    }
  }
  const rows = resource.list ? deck.known.rows(name, params).slice(0, rowsEach) : [undefined];
  for (const row of rows) {
    const own = row ? paramsOf(resource, row, params) : params;
    for (const tab of tabsOf(resource)) {
      deck.navigation.go({ screen: 'detail', resource: name, params: own, tab: tab.name });
      await tour.look(`${name} ${Object.values(own).join('/')} ${tab.title}`);
      await tour.press('j', 'G', 'enter');
      closeAll(tour);
    }
    for (const below of resources.filter(({ under }) => under === name)) {
      await seeEverything(tour, below, own, rowsEach);
    }
  }
}

function closeAll({ deck }: Tour): void {
  while (deck.navigation.getState().overlays.length > 0) deck.navigation.close();
}

/** Opens every form and question of the first rows, previews what would be sent, and sends it, which is refused. */
async function tryEverything(tour: Tour, resource: Resource): Promise<void> {
  const { deck } = tour;
  deck.navigation.go(placeOfArea(resource));
  await tour.look(resource.name);
  const rows = deck.known.rows(resource.name).slice(0, 1);
  const creations = creationsOf(resource);
  for (const action of actionsOf(resource)) {
    if (rows.length === 0 && !creations.includes(action)) continue;
    begin(deck, resource, action, creations.includes(action) ? [] : subjectsOf(resource, rows, {}), {});
    await tour.look(`${resource.name} ${action.name}`);
    await tour.press('down', 'ctrl-p');
    await tour.press('esc', 'ctrl-s');
    await tour.press('enter');
    closeAll(tour);
  }
}

const tops = resources.filter(({ under }) => !under);

const mischiefs: readonly Mischief[] = [
  { seed: 1, share: 0.4, mode: 'readable', huge: 0.1 },
  { seed: 2, share: 0.9, mode: 'readable' },
  { seed: 3, share: 0.3, mode: 'anything', refusals: 0.1 },
];

test.each(mischiefs.flatMap((mischief, index) => [{ mischief, size: sizes[index] ?? sizes[0] }]))(
  '%o',
  { timeout: 300_000 },
  async ({ mischief, size: [columns, rows] }) => {
    const api = await startHostileApi(demo, mischief);
    const tour = await openTour(api, columns, rows);
    try {
      await tour.look('home');
      for (const resource of tops) await seeEverything(tour, resource, {}, 1);
      for (const resource of tops) await tryEverything(tour, resource);
      expect(tour.wrongs).toEqual([]);
    } finally {
      await tour.close();
      await api.close();
    }
  },
);

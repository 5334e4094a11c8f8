import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { paramsOf } from '../../src/resources/identity.ts';
import { actionsOf, creationsOf, resources } from '../../src/resources/index.ts';
import type { Params, Resource } from '../../src/resources/resource.ts';
import { startAction } from '../../src/screens/actions.ts';
import { placeOfArea, tabsOf } from '../../src/screens/places.ts';
import { drawing, drawn, seed } from '../draw.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { type Mischief, startHostileApi } from './server.ts';
import { openTour, type Tour, targetsOf } from './tour.tsx';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 12 });
});
afterAll(() => demo.close());

/** A way through the whole program: what becomes of the answers, and in which size it is shown. */
interface Way extends Mischief {
  columns: number;
  rows: number;
}

const ways: readonly Way[] = [
  { seed: 1, share: 0.4, mode: 'readable', huge: 0.1, columns: 60, rows: 16 },
  { seed: 2, share: 0.9, mode: 'readable', columns: 80, rows: 24 },
  { seed: 3, share: 0.3, mode: 'anything', refusals: 0.1, columns: 160, rows: 50 },
];

/** Keys that open something over a list, and keys in that. */
const listKeys = ['a', 'c', 'y', 's', '?', 'x', 'n', ':', '!'];

/** Goes through every list, and through every tab of its first row, as deep as rows lie under rows. */
async function seeEverything(tour: Tour, resource: Resource, params: Params): Promise<void> {
  const { stores } = tour;
  const { name } = resource;
  if (resource.list) {
    stores.navigation.go({ screen: 'list', resource: name, params });
    await tour.look(`${name} list`);
    for (const key of listKeys.filter((_key, index) => (index + resources.indexOf(resource)) % 3 === third)) {
      await tour.press(key);
      closeAll(tour);
    }
  }
  const [row] = resource.list ? stores.view.rows(name, params) : [];
  if (resource.list && !row) return;
  const own = row ? paramsOf(resource, row, params) : params;
  for (const tab of tabsOf(resource)) {
    stores.navigation.go({ screen: 'detail', resource: name, params: own, tab: tab.name });
    await tour.look(`${name} ${Object.values(own).join('/')} ${tab.title}`);
  }
  await tour.press('G', 'c');
  closeAll(tour);
  for (const below of resources.filter(({ under }) => under === name)) await seeEverything(tour, below, own);
}

function closeAll({ stores }: Tour): void {
  while (stores.navigation.getState().overlays.length > 0) stores.navigation.close();
}

/** Opens forms and questions about the first row of a list, previews what would be sent, and sends it, which is refused. */
async function tryEverything(tour: Tour, resource: Resource): Promise<void> {
  const { stores } = tour;
  stores.navigation.go(placeOfArea(resource));
  await tour.look(resource.name);
  const targets = targetsOf(resource, stores.view.rows(resource.name).slice(0, 1), {});
  for (const [index, action] of actionsOf(resource).entries()) {
    const isCreation = creationsOf(resource).includes(action);
    if (index % 3 !== third || (targets.length === 0 && !isCreation)) continue;
    startAction(stores, { resource, action, targets: isCreation ? [] : targets, params: {} });
    await tour.look(`${resource.name} ${action.name}`);
    await tour.press('down', 'ctrl-p');
    await tour.press('ctrl-s', 'enter');
    closeAll(tour);
  }
}

const tops = resources.filter(({ under }) => !under);
const random = drawing('a way through every place');
/** The third of the keys and of the actions that is tried. */
const third = drawn(random, [0, 1, 2]);

test.each([drawn(random, ways)])(
  `every place and every form survives any answer: $mode, $columns×$rows (seed ${seed})`,
  { timeout: 240_000 },
  async (way) => {
    const api = await startHostileApi(demo, way);
    const tour = await openTour(api, way.columns, way.rows);
    try {
      await tour.look('home');
      for (const resource of tops) await seeEverything(tour, resource, {});
      for (const resource of tops) await tryEverything(tour, resource);
      expect(tour.wrongs).toEqual([]);
    } finally {
      await tour.close();
      await api.close();
    }
  },
);

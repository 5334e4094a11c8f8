import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { actionsOf, creationsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import type { Action, Resource } from '../../src/resources/resource.ts';
import { actionOn } from '../../src/resources/wording.ts';
import { startAction } from '../../src/screens/actions.ts';
import { goToList, placeOfArea } from '../../src/screens/places.ts';
import { drawing, drawn, seed } from '../draw.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { type Mischief, startHostileApi } from './server.ts';
import { goToRows, openTour, type Tour, targetsOf } from './tour.tsx';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 6 });
});
afterAll(() => demo.close());

/** A way through the actions of everything, however deep it lies: what becomes of the answers, and in which size. */
interface Way extends Mischief {
  columns: number;
  rows: number;
}

const ways: readonly Way[] = [
  { seed: 21, share: 0.3, mode: 'readable', accepted: 0.5, columns: 60, rows: 16 },
  { seed: 22, share: 0.5, mode: 'readable', accepted: 0.5, huge: 0.05, columns: 125, rows: 30 },
];

/** The number of each that was gone through. */
interface Count {
  forms: number;
  pickers: number;
  questions: number;
  dialogs: number;
}

/** Said in the title of a form that is in front. */
const position = / {2}(\d+)\/(\d+) ─/;

/** Goes from field to field, enters something or takes the next choice, and goes through the lists that fields offer. */
async function fillIn(tour: Tour, count: Count, isNew: boolean): Promise<void> {
  const { screen } = tour;
  const isInFront = () => position.test(screen.text());
  for (let field = 0; field < 40; field++) {
    const [, at, last] = position.exec(screen.text()) ?? [];
    if (at === undefined) return;
    if (isNew) await screen.paste('777');
    await tour.press('ctrl-o', 'right');
    if (isInFront()) await tour.press('enter');
    if (!isInFront()) {
      count.pickers++;
      await tour.press('e', 'down', 'space', 'ctrl-u', 'down');
      await tour.press('enter');
      if (!isInFront()) await tour.press('esc');
    }
    if (at === last) return;
    if (position.exec(screen.text())?.[1] === at) await tour.press('down');
  }
}

/** Answers the question whether it is meant as it asks to; nobody agrees by accident. */
async function agree(tour: Tour, where: string, count: Count): Promise<void> {
  const { screen } = tour;
  await screen.waitFor((text) => !text.includes('Reading what it depends on'));
  // A question that is longer than the terminal is agreed to only where its end was seen.
  for (let page = 0; page < 20 && screen.text().includes('pagedown the rest first'); page++)
    await tour.press('pageDown');
  const isAsked = () => screen.text().includes(' to confirm');
  const [, phrase] = /Type (.*) to confirm/.exec(screen.text()) ?? [];
  if (phrase === undefined && !/ enter .* esc cancel/.test(screen.text())) {
    if (tour.stores.navigation.getState().overlays.at(-1)?.kind === 'confirm')
      tour.wrongs.push(`${where}: nobody sees how to agree:\n${screen.text()}`);
    return;
  }
  count.questions++;
  await tour.press('ctrl-p');
  await tour.press('ctrl-p', 'enter');
  if (phrase === undefined) return;
  if (!isAsked()) tour.wrongs.push(`${where} is agreed to although nothing was typed`);
  // All of it must have been on the screen.
  await tour.press('end');
  await screen.paste(phrase);
  await tour.press('enter');
  // One change at a time goes one by one; another one can go all at once.
  if (screen.text().includes('The plan is being carried out')) {
    for (let way = 0; way < 6 && !screen.text().includes('❯all at once'); way++) await tour.press('ctrl-o');
    await tour.press('enter');
  }
  if (isAsked()) tour.wrongs.push(`${where} asks for what cannot be typed: ${phrase}\n${screen.text()}`);
}

/** Does what a user does with what an action opens, sends it, and sees what comes after. */
async function carryOut(tour: Tour, { name }: Resource, action: Action, count: Count, isNew: boolean) {
  const { name: what, help } = action;
  const [start = ''] = actionOn(action, '\n').split('\n');
  const where = `${name} ${what}`;
  const { navigation } = tour.stores;
  const { kind } = navigation.getState().overlays.at(-1) ?? {};
  if (kind) await tour.screen.waitFor((text) => text.includes(`─ ${help}`) || text.includes(`─ ${start}`));
  await tour.look(where);
  if (kind === 'form') {
    count.forms++;
    await fillIn(tour, count, isNew);
    await tour.press('ctrl-p');
    await tour.press('pageDown', 'ctrl-p');
  }
  if (kind === 'dialog') {
    count.dialogs++;
    await tour.press('m', 'down', 'd', 'n');
    await fillIn(tour, count, true);
    await tour.press('ctrl-s', 'esc', 'c');
    await fillIn(tour, count, false);
    await tour.press('ctrl-s', 'esc', 'ctrl-p');
  }
  if (kind === 'form' || kind === 'dialog') await tour.press('ctrl-s');
  await agree(tour, where, count);
  await tour.look(`${where} was sent`);
  while (navigation.getState().overlays.length > 0) navigation.close();
}

/** Goes through what the program itself says of it all: problems, which are acknowledged, requests, notices and files carried. */
async function seeOwnLists(tour: Tour): Promise<void> {
  const { navigation, view } = tour.stores;
  for (const name of ['problems', 'requests']) {
    navigation.go(placeOfArea(resourceNamed(name)));
    await tour.look(name);
    expect(view.rows(name).length, name).toBeGreaterThan(0);
    await tour.press('G', 'c', 'down');
    navigation.close();
  }
  navigation.go(placeOfArea(resourceNamed('problems')));
  await tour.press('space', 'down', 'm');
  await tour.screen.paste('known \u001b[2J\u202e');
  await tour.press('enter');
  expect(tour.stores.problems.getState().acknowledged.length).toBeGreaterThan(0);
  await tour.press('f');
  for (const { title } of resourceNamed('audit').sections ?? []) {
    goToList(tour.stores, resourceNamed('audit'), { section: title });
    await tour.look(title);
    await tour.press('down', 'down', 'enter');
  }
}

const random = drawing('a way through every form');
/** The half of the actions that is carried out; those with a dialog of their own always are. */
const half = drawn(random, [0, 1]);

test.each([drawn(random, ways)])(
  `every form, picker, dialog and question survives any answer: $columns×$rows (seed ${seed})`,
  { timeout: 240_000 },
  async (way) => {
    const api = await startHostileApi(demo, way);
    const tour = await openTour(api, way.columns, way.rows);
    const { stores } = tour;
    const count: Count = { forms: 0, pickers: 0, questions: 0, dialogs: 0 };
    let turn = 0;
    try {
      for (const resource of resources.filter((resource) => actionsOf(resource).length > 0)) {
        const params = await goToRows(tour, resource);
        for (const action of actionsOf(resource)) {
          const isNew = creationsOf(resource).includes(action);
          const able = stores.view.rows(resource.name, params).filter((row) => !action.refuse?.(row, stores.view));
          const isOurs = turn++ % 2 === half || action.dialog !== undefined;
          if (!isOurs || (!isNew && able.length === 0)) continue;
          const rows = isNew ? [] : able.slice(0, action.single ? 1 : 2);
          startAction(stores, { resource, action, targets: targetsOf(resource, rows, params), params });
          await carryOut(tour, resource, action, count, isNew);
        }
      }
      await seeOwnLists(tour);
      expect(tour.wrongs).toEqual([]);
      // Most could be carried out although so much of what they are about is not as it should be.
      expect(count.forms).toBeGreaterThan(20);
      expect(count.pickers).toBeGreaterThan(20);
      expect(count.questions).toBeGreaterThan(8);
      expect(count.dialogs).toBe(2);
      expect(api.changes.length).toBeGreaterThan(20);
    } finally {
      await tour.close();
      await api.close();
    }
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { actionsOf, creationsOf, resources } from '../../src/resources/index.ts';
import { type Field, fieldOf } from '../../src/resources/resource.ts';
import { startAction } from '../../src/screens/actions.ts';
import { unseenIn } from '../../src/text/unseen.ts';
import { handsOn, pointer } from '../journeys/hands.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { startHostileApi } from './server.ts';
import { goToRows, openTour, type Tour, targetsOf } from './tour.tsx';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 6 });
});
afterAll(() => demo.close());

/** Copied from a coloured terminal, a chat and a table: sequences, C0, C1, marks of direction, nothing wide, a tab. */
const copied =
  '-ab\u001b[31mc\u001b[0m\u001b]0;evil\u0007\u0000\u0008\t\u007f\u009b1m\u0085d\u200b\u2060\ufeff\u202e\u2066e';

/** Said in the title of a form that is in front. */
const position = / {2}(\d+)\/(\d+) ─/;

/** Whether a field takes nearly any text, so that its form can be sent with what was pasted into it. */
const takesAll = ({ kind, pattern, check, hidden }: Field) =>
  ['text', 'paragraph', 'strings', 'secret'].includes(kind) && !pattern && !check && !hidden;

/** Pastes behind what is in each field that takes it. */
async function fillIn({ screen }: Tour, labels: ReadonlySet<string>): Promise<void> {
  const { cursorLine } = handsOn(screen);
  for (let field = 0; field < 40; field++) {
    const [, at, last] = position.exec(screen.text()) ?? [];
    const [label = ''] = cursorLine()
      .replace(pointer, '')
      .trimStart()
      .split(/ {2}| \*/, 1);
    if (labels.has(label)) await screen.paste(copied);
    if (at === last) return;
    await screen.press('tab');
    await screen.waitFor((text) => position.exec(text)?.[1] !== at);
  }
}

/** The texts of a body, however deep they lie. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(textsIn)
      : [];

test('what nobody sees leaves from no field of any form, however it was pasted', async () => {
  const api = await startHostileApi(demo, { seed: 1, share: 0, mode: 'readable' });
  const tour = await openTour(api, 100, 40);
  const { stores, screen } = tour;
  let forms = 0;
  try {
    for (const resource of resources.filter((resource) => actionsOf(resource).length > 0)) {
      const params = await goToRows(tour, resource);
      for (const action of actionsOf(resource)) {
        const isNew = creationsOf(resource).includes(action);
        const able = stores.view.rows(resource.name, params).filter((row) => !action.refuse?.(row, stores.view));
        const texts = (action.body ?? []).map((name) => fieldOf(resource, action, name)).filter(takesAll);
        if (action.dialog || texts.length === 0 || (!isNew && able.length === 0)) continue;
        startAction(stores, {
          resource,
          action,
          targets: targetsOf(resource, isNew ? [] : able.slice(0, 1), params),
          params,
        });
        await tour.look(`${resource.name} ${action.name}`);
        await fillIn(tour, new Set(texts.map(({ label }) => label)));
        forms++;
        await tour.press('ctrl-s');
        if (screen.text().includes('enter')) await tour.press('enter');
        while (stores.navigation.getState().overlays.length > 0) stores.navigation.close();
      }
    }
    const bodies = api.bodies.map(String);
    expect(forms).toBeGreaterThan(20);
    // Those of the texts that were left as they should be did go out.
    expect(bodies.filter((body) => body.includes('-abc')).length).toBeGreaterThan(10);
    for (const body of bodies) {
      expect(body).not.toMatch(/\p{Cc}|\p{Cf}/u);
      if (body.startsWith('{'))
        for (const text of textsIn(JSON.parse(body))) expect(unseenIn(text), body).toBeUndefined();
    }
    expect(tour.wrongs).toEqual([]);
  } finally {
    await tour.close();
    await api.close();
  }
});

import { actionsOf, creationsOf, resourceNamed } from '../../../src/resources/index.ts';
import { takeBackLast } from '../../../src/store/changes/takeBack.ts';
import { whyNotBack } from '../../../src/store/changes/whyNotBack.ts';
import type { ConfirmOverlay, FormOverlay } from '../../../src/store/overlay.ts';
import type { Desk } from '../desk.ts';
import { inverseOf } from '../inverses.ts';
import type { Wish } from '../wishes.ts';
import { type Doing, tell, thinking } from './doing.ts';
import { answer } from './hands.ts';

/** Presses `u`, and agrees to what it asks. */
export async function takeBack(doing: Doing, desk: Desk): Promise<void> {
  const { world, deed } = doing;
  const { stores, said } = desk;
  const { name } = desk.process;
  const why = whyNotBack(stores);
  if (why !== undefined) return world.say(name, `cannot take back: ${why}`);
  const promised = stores.changes.getState().last?.undos ?? [];
  const before = said.length;
  await takeBackLast(stores);
  const first = stores.navigation.getState().overlays.at(-1);
  if (first?.kind !== 'form' && first?.kind !== 'confirm') {
    const says = said.slice(before).at(-1) ?? '';
    world.notBack.push({
      at: world.clock.now,
      deed: deed.number,
      process: name,
      inverses: promised.map(({ inverse }) => inverse),
      says,
    });
    return world.say(name, `takes nothing back: ${says}`);
  }
  for (let shown = 0; shown < 10; shown++) {
    const overlay = stores.navigation.getState().overlays.at(-1);
    if (overlay?.kind !== 'form' && overlay?.kind !== 'confirm') return;
    const going: Wish[] = [];
    const ended = await answer({ stores, think: thinking(doing, desk) }, overlay, (included) => {
      const rows = included.length > 0 ? included : [undefined];
      for (const row of rows) {
        const back = backFor(doing, name, overlay, row?.params);
        if (back) world.wishes.push(back);
        if (back) going.push(back);
      }
      world.say(name, `takes back ${going.map((wish) => `${wish.takesBack?.name} ${wish.label}`).join(', ')}`);
    });
    stores.navigation.dismiss(overlay, overlay.next);
    if ('left' in ended) world.say(name, `leaves taking back: ${ended.left}`);
    if ('results' in ended)
      for (const [index, { state, says }] of ended.results.entries()) {
        const wish = going[index];
        if (wish) tell(doing, name, wish, state, says);
      }
  }
}

/** The wish that a form or question means for a row: it takes back the latest that was done to it, and was not taken back. */
function backFor(
  { world, deed, seat }: Doing,
  name: string,
  { resource: named, action: of }: FormOverlay | ConfirmOverlay,
  params: Readonly<Record<string, string>> | undefined,
): Wish | undefined {
  const resource = resourceNamed(named);
  const action = actionsOf(resource).find((one) => one.name === of);
  const isNew = action !== undefined && creationsOf(resource).includes(action);
  const id = params?.[resource.param];
  const isMeant = ({ path, method }: Wish) =>
    method === action?.method && (isNew ? path.split('/').length % 2 === 1 : path.split('/').includes(String(id)));
  const taken = new Set(world.wishes.map(({ takesBack }) => takesBack));
  for (const { wish, state, process } of world.told.toReversed()) {
    const isOwn = wish.host === seat.login.host && wish.account === seat.login.account.name;
    if (state !== 'done' || process !== name || !isOwn || taken.has(wish)) continue;
    const back = inverseOf(world, wish, { deed: deed.number, by: name });
    if (back && isMeant(back)) return back;
  }
  return undefined;
}

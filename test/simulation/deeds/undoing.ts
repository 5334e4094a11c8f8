import { resourceNamed } from '../../../src/resources/index.ts';
import { takeBackLast } from '../../../src/store/changes/takeBack.ts';
import { whyNotBack } from '../../../src/store/changes/whyNotBack.ts';
import type { Desk } from '../desk.ts';
import { inverseOf } from '../inverses.ts';
import type { Wish } from '../wishes.ts';
import { type Doing, tell, thinking } from './doing.ts';
import { answer } from './hands.ts';

/** Presses `u`, and agrees to what it asks. */
export async function takeBack(doing: Doing, desk: Desk): Promise<void> {
  const { world } = doing;
  const { stores } = desk;
  const { name } = desk.process;
  const why = whyNotBack(stores);
  if (why !== undefined) return world.say(name, `cannot take back: ${why}`);
  const { last } = desk;
  await takeBackLast(stores);
  for (let shown = 0; shown < 10; shown++) {
    const overlay = stores.navigation.getState().overlays.at(-1);
    if (overlay?.kind !== 'form' && overlay?.kind !== 'confirm') return;
    const going: Wish[] = [];
    const ended = await answer({ stores, think: thinking(doing, desk) }, overlay, (included) => {
      for (const wish of last) {
        const back = inverseOf(world, wish, { deed: doing.deed.number, by: name });
        if (back && isMeant(back, overlay, included)) {
          world.wishes.push(back);
          going.push(back);
        }
      }
      world.say(name, `takes back ${going.map((wish) => `${wish.takesBack?.name} ${wish.label}`).join(', ')}`);
    });
    stores.navigation.dismiss(overlay, overlay.next);
    if ('left' in ended) world.say(name, `leaves taking back: ${ended.left}`);
    if ('results' in ended) {
      for (const { state, says, label } of ended.results) {
        const wish = going.length === 1 ? going[0] : going.find((one) => one.label === label);
        if (wish) tell(doing, name, wish, state, says);
      }
      desk.last = [];
    }
  }
}

/** Whether a form or question is about what takes a wish back. */
function isMeant(
  { path, method }: Wish,
  { resource: named, action: of }: { resource: string; action: string },
  included: readonly { params: Readonly<Record<string, string>> }[],
): boolean {
  const resource = resourceNamed(named);
  const ids = included.map(({ params }) => params[resource.param]);
  const words = path.split('/');
  const isNew = included.length === 0;
  return method === 'POST' && isNew ? of === 'create' : ids.some((id) => id !== undefined && words.includes(id));
}

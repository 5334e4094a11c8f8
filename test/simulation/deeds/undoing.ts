import { actionsOf, creationsOf, resourceNamed } from '../../../src/resources/index.ts';
import { takeBackLast } from '../../../src/store/changes/takeBack.ts';
import type { Undo } from '../../../src/store/changes/undoable.ts';
import { whyNotBack } from '../../../src/store/changes/whyNotBack.ts';
import type { Overlay } from '../../../src/store/navigation.ts';
import type { ConfirmOverlay, FormOverlay } from '../../../src/store/overlay.ts';
import { backRows, takeAllBack } from '../../../src/store/plans/takingBack.ts';
import type { Desk } from '../desk.ts';
import { inverseOf } from '../inverses.ts';
import { leaves, type Wish } from '../wishes.ts';
import { type Doing, tell, thinking } from './doing.ts';
import { answer } from './hands.ts';

/** Presses `u`, and agrees to what it asks. */
export async function takeBack(doing: Doing, desk: Desk): Promise<void> {
  const { world, deed } = doing;
  const { stores, said } = desk;
  const { name } = desk.process;
  const why = whyNotBack(stores);
  if (why !== undefined) return world.say(name, `cannot take back: ${why}`);
  const before = said.length;
  await takeBackLast(stores);
  const first = stores.navigation.getState().overlays.at(-1);
  if (first?.kind === 'takeBack') return takeSeveralBack(doing, desk, first);
  if (first?.kind !== 'form' && first?.kind !== 'confirm') {
    const says = said.slice(before).at(-1) ?? '';
    world.notBack.push({ at: world.clock.now, deed: deed.number, process: name, says });
    return world.say(name, `takes nothing back: ${says}`);
  }
  for (let shown = 0; shown < 10; shown++) {
    const overlay = stores.navigation.getState().overlays.at(-1);
    if (overlay?.kind !== 'form' && overlay?.kind !== 'confirm') return;
    const going: (Wish | undefined)[] = [];
    const ended = await answer({ stores, think: thinking(doing, desk) }, overlay, (included) => {
      const rows = included.length > 0 ? included : [undefined];
      const { resource, action, takesBack } = overlay;
      const entries = takesBack?.own[0]?.mine;
      const back = { resource, action, entries: rows.length === 1 ? entries : undefined };
      going.push(...rows.map((row) => wishToTakeBack(doing, name, back, row?.params)));
      world.say(name, `takes back ${going.map(titleOf).join(', ')}`);
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

/** Answers the one question about several changes; sometimes leaves one of them out. */
async function takeSeveralBack(
  doing: Doing,
  desk: Desk,
  overlay: Extract<Overlay, { kind: 'takeBack' }>,
): Promise<void> {
  const { world, random } = doing;
  const { stores } = desk;
  const { name } = desk.process;
  const { title, undos } = overlay;
  await thinking(doing, desk)();
  const able = backRows(stores, undos).filter(({ why }) => why === undefined);
  const rows = able.length > 1 && random() < 0.2 ? able.slice(1) : able;
  stores.navigation.dismiss(overlay);
  if (rows.length === 0) return world.say(name, `leaves taking back ${title}: nothing of it can be`);
  const wishes = new Map<Undo, Wish>();
  for (const { undo } of rows) {
    const wish = wishToTakeBack(doing, name, undo.inverse, undo.inverse.params);
    if (wish) wishes.set(undo, wish);
  }
  world.say(name, `takes back ${[...wishes.values()].map(titleOf).join(', ')}`);
  await takeAllBack(stores, title, undos, rows, true);
  const left = new Map(stores.changes.getState().last?.undos.map(({ inverse, says }) => [inverse, says]));
  for (const [{ inverse }, wish] of wishes)
    tell(doing, name, wish, left.has(inverse) ? 'left' : 'done', left.get(inverse));
}

/** A change back, as a form, a question or a part of one says it. */
interface Backwards extends Pick<FormOverlay | ConfirmOverlay, 'resource' | 'action'> {
  /** The entries that go back, by field. */
  entries?: Readonly<Record<string, unknown>> | undefined;
}

const titleOf = (wish: Wish | undefined): string => `${wish?.takesBack?.name} ${wish?.label}`;

/** Notes the wish that a form, a question or a part of one means for a row. */
function wishToTakeBack(
  doing: Doing,
  name: string,
  of: Backwards,
  params: Readonly<Record<string, string>> | undefined,
): Wish | undefined {
  const wish = backFor(doing, name, of, params);
  if (wish) doing.world.wishes.push(wish);
  return wish;
}

/** The wish that takes back the latest that was done to a row, and was not taken back. */
function backFor(
  { world, deed, seat }: Doing,
  name: string,
  { resource: named, action: of, entries }: Backwards,
  params: Readonly<Record<string, string>> | undefined,
): Wish | undefined {
  const resource = resourceNamed(named);
  const action = actionsOf(resource).find((one) => one.name === of);
  const isNew = action !== undefined && creationsOf(resource).includes(action);
  const id = params?.[resource.param];
  const isSo = (back: Wish) =>
    entries === undefined || (isNew ? isMadeOf(back, entries) : back.method !== 'PUT' || touches(back, entries));
  const isMeant = (back: Wish) =>
    back.method === action?.method &&
    (isNew ? !/\/\d+$/.test(back.path) : back.path.split('/').includes(String(id))) &&
    isSo(back);
  const taken = new Set(world.wishes.map(({ takesBack }) => takesBack));
  for (const { wish, state, process } of world.told.toReversed()) {
    const isOwn = wish.host === seat.login.host && wish.account === seat.login.account.name;
    if (state !== 'done' || process !== name || !isOwn || taken.has(wish)) continue;
    const back = inverseOf(world, wish, { deed: deed.number, by: name });
    if (back && isMeant(back)) return back;
  }
  return undefined;
}

type Entries = NonNullable<Backwards['entries']>;

/** Whether an edit is about one of these fields. */
function touches({ set, add = [], remove = [] }: Wish, entries: Entries): boolean {
  const paths = [...leaves(set).map(([at]) => at), ...(add.length + remove.length > 0 ? ['tags'] : [])];
  return Object.keys(entries).some((name) => paths.some((at) => at === name || at.startsWith(`${name}.`)));
}

/** Whether a new row is made of these entries. */
const isMadeOf = ({ set }: Wish, entries: Entries): boolean =>
  leaves(set).every(([at, value]) => entries[at] === undefined || String(entries[at]) === String(value));

import { actionsOf, creationsOf, resourceNamed } from '../../../src/resources/index.ts';
import { isRow, type Row } from '../../../src/resources/row.ts';
import { nextBack } from '../../../src/store/changes/nextBack.ts';
import type { Undo } from '../../../src/store/changes/undoable.ts';
import type { Overlay } from '../../../src/store/navigation.ts';
import type { ConfirmOverlay, FormOverlay } from '../../../src/store/overlay.ts';
import { backRows, takeAllBack } from '../../../src/store/plans/takingBack.ts';
import { latest } from '../cloud/items.ts';
import type { Desk } from '../desk.ts';
import { inverseOf } from '../inverses.ts';
import { isAlike, leaves, type Wish } from '../wishes.ts';
import { type Doing, tell, thinking } from './doing.ts';
import { answer } from './hands.ts';

/** Of these nothing was promised. */
const unpromised =
  /^(?:No change from here|Nothing that was taken back|A change is being sent|Read-only)|\bthe plan that has sent it\b/;

/** The values of a row but those that are nothing: an empty slot of a config may be left out. */
const filledIn = (row: Row = {}) => leaves(row).filter(([, value]) => value !== null);

/** Presses `u` or `U`, and agrees to what it asks. */
export async function takeBack(doing: Doing, desk: Desk, way: 'undo' | 'redo' = 'undo'): Promise<void> {
  const { world, deed, seat } = doing;
  const { stores, said } = desk;
  const { name } = desk.process;
  const before = said.length;
  const { passed } = stores.changes;
  const level = stores.changes.getState()[way].findLast(({ key }) => !passed.has(key));
  await nextBack(stores, way);
  const isDoubted = said.slice(before).some((one) => one.includes('look whether that was done'));
  const first = stores.navigation.getState().overlays.at(-1);
  if (first?.kind === 'takeBack') return takeSeveralBack(doing, desk, first);
  if (first?.kind !== 'form' && first?.kind !== 'confirm') {
    const says = said.slice(before).at(-1) ?? '';
    // A change before others, or of another session, may have become otherwise since it was sent.
    const isLast =
      way === 'undo' &&
      level === stores.changes.getState().undo.at(-1) &&
      !world.told.some((one) => one.process === name && one.wish.takesBack);
    const ids = level?.undos.map(({ inverse }) => inverse.params[resourceNamed(inverse.resource).param]) ?? [];
    const rows = world.cloudOf(seat).items.all.filter(({ id }) => ids.includes(String(id)));
    const isSo =
      (/\b(?:is gone|was deleted after it)\b/.test(says) && rows.every((one) => latest(one) === undefined)) ||
      (/\bis not attached to a server\b/.test(says) && rows.every((one) => latest(one)?.server_id === null)) ||
      // A volume that is detached leaves the config that another change put it into.
      (/\bas it was before already\b/.test(says) &&
        rows.every((one) =>
          one.versions.slice(0, -1).some(({ row }) => isAlike(filledIn(row), filledIn(latest(one)))),
        ));
    if (level && level.why === undefined && !unpromised.test(says))
      world.notBack.push({ at: world.clock.now, deed: deed.number, process: name, says, isLast, isSo });
    return world.say(name, `takes nothing back: ${says}`);
  }
  for (let shown = 0; shown < 10; shown++) {
    const overlay = stores.navigation.getState().overlays.at(-1);
    if (overlay?.kind !== 'form' && overlay?.kind !== 'confirm') return;
    const going: (Wish | undefined)[] = [];
    const ended = await answer({ stores, think: thinking(doing, desk) }, overlay, (included) => {
      const rows = included.length > 0 ? included : [undefined];
      const { resource, action, takesBack } = overlay;
      const [own] = rows.length === 1 ? (takesBack?.own ?? []) : [];
      const back = { resource, action, entries: own?.mine, made: own?.opened };
      const wishOf = (params: RowParams) =>
        wishToTakeBack(doing, name, back, params) ?? (isDoubted ? wishedAgain(doing, back, params) : undefined);
      going.push(...rows.map((row) => wishOf(row?.params ?? overlay.params)));
      if (takesBack?.changed.length) for (const wish of going) if (wish) world.knowing.add(wish);
      world.say(name, `takes back ${going.map(titleOf).join(', ')}`);
    });
    stores.navigation.dismiss(overlay);
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
  const { title, undos, isRedo } = overlay;
  await thinking(doing, desk)();
  const able = backRows(stores, undos).filter(({ why }) => why === undefined);
  const rows = able.length > 1 && random() < 0.2 ? able.slice(0, -1) : able;
  stores.navigation.dismiss(overlay);
  if (rows.length === 0) return world.say(name, `leaves taking back ${title}: nothing of it can be`);
  const wishes = new Map<Undo, Wish>();
  for (const { undo } of rows) {
    const { inverse } = undo;
    const wish =
      wishToTakeBack(doing, name, { ...inverse, made: undo.made }, inverse.params) ??
      detachedFirst(doing, name, inverse);
    if (wish) wishes.set(undo, wish);
  }
  world.say(name, `takes back ${[...wishes.values()].map(titleOf).join(', ')}`);
  const left = await takeAllBack(stores, { title, isRedo }, rows, true);
  for (const [undo, wish] of wishes) tell(doing, name, wish, left.has(undo) ? 'left' : 'done', left.get(undo));
}

/** A change back, as a form, a question or a part of one says it. */
interface Backwards extends Pick<FormOverlay | ConfirmOverlay, 'resource' | 'action'> {
  /** The entries that go back, by field. */
  entries?: Readonly<Record<string, unknown>> | undefined;
  /** The entries that are there now, or were after the change that goes back. */
  made?: Readonly<Record<string, unknown>> | undefined;
}

/** The parameters of a row. */
type RowParams = Readonly<Record<string, string>> | undefined;

const titleOf = (wish: Wish | undefined): string => `${wish?.takesBack?.name} ${wish?.label}`;

/** Notes the wish that a form, a question or a part of one means for a row. */
function wishToTakeBack(doing: Doing, name: string, of: Backwards, params: RowParams): Wish | undefined {
  const { told, wishes } = doing.world;
  const own = told.filter((one) => one.process === name);
  const since = own.findLastIndex(({ state, wish }) => state === 'done' && !wish.takesBack);
  const left = own.slice(since + 1).filter((one) => one.state !== 'done' && one.wish.takesBack);
  const meant = meaning(of, params);
  // One that was tried in vain is tried again; of several of a row that with these values.
  const open = left.filter(({ wish }) => meant(wish) && told.findLast((one) => one.wish === wish)?.state !== 'done');
  const { entries = {} } = of;
  const wish = backFor(doing, name, { isMeant: meant, entries }, params?.[resourceNamed(of.resource).param]);
  const isExact = wish !== undefined && of.entries !== undefined && isMadeOf(wish, entries);
  const before = open.findLast((one) => isMadeOf(one.wish, entries)) ?? (isExact ? undefined : open.at(-1));
  if (before && /once more (?:makes another|does it once more)/.test(before.says))
    before.wish.again.push(doing.world.clock.now);
  // One of which nothing is there so far is tried again; a colleague may have deleted it.
  before?.wish.resent.push(doing.world.clock.now);
  if (before) return before.wish;
  if (wish) wishes.push(wish);
  return wish;
}

/** The wish whose answer was lost in another session, which is sent once more by whoever was told that and does not look. */
function wishedAgain({ world }: Doing, of: Backwards, params: RowParams): Wish | undefined {
  const meant = meaning(of, params);
  const wish = world.wishes.findLast((one) => one.takesBack && meant(one));
  wish?.again.push(world.clock.now);
  return wish;
}

/** The wish that a volume that was made attached is detached, so that it can be deleted. */
function detachedFirst(
  { world, deed, seat }: Doing,
  name: string,
  { resource, action, params }: Undo['inverse'],
): Wish | undefined {
  if (resource !== 'volumes' || action !== 'detach') return undefined;
  const account = seat.login.account.name;
  const target = world
    .cloudOf(seat)
    .items.all.find((one) => String(one.id) === params.volumeId && one.account === account);
  const made = world.wishes.findLast((one) => one.name === 'volumes create' && one.account === account);
  if (!target || !made) return undefined;
  const [number, at, label] = [world.wishes.length, world.clock.now, String(target.versions.at(-1)?.row?.label)];
  const what = {
    name: 'volumes detach',
    path: `volumes/${target.id}/detach`,
    target,
    label,
    set: {},
    isPlanned: false,
  };
  const wish: Wish = { ...made, ...what, number, at, deed: deed.number, by: name, again: [], resent: [], done: [] };
  world.wishes.push(wish);
  return wish;
}

/** Tells whether a wish is what a form or question means. */
function meaning(
  { resource: named, action: of, entries, made }: Backwards,
  params: RowParams,
): (back: Wish) => boolean {
  const resource = resourceNamed(named);
  const action = actionsOf(resource).find((one) => one.name === of);
  const isNew = action !== undefined && creationsOf(resource).includes(action);
  const { [resource.param]: id, ...above } = params ?? {};
  const isSo = (back: Wish) =>
    entries === undefined || (isNew ? isMadeOf(back, entries) : back.method !== 'PUT' || touches(back, entries, made));
  return (back) =>
    back.method === action?.method &&
    // Attaching and detaching are both a POST about a row.
    (action?.method !== 'POST' || back.name === `${named} ${of}`) &&
    (isNew || back.name.startsWith(`${named} `)) &&
    (isNew ? Object.values(above) : [String(id)]).every((one) => back.path.split('/').includes(one)) &&
    isSo(back);
}

/** The wish that takes back the latest that was done to a row, and was not taken back; rather one with the values that are shown. */
function backFor(
  { world, deed, seat }: Doing,
  name: string,
  { isMeant, entries }: { isMeant: (back: Wish) => boolean; entries: Entries },
  id: string | undefined,
): Wish | undefined {
  const isTold = (wish: Wish, state: string) => world.told.some((one) => one.wish === wish && one.state === state);
  // Another session may be asked about the same before it is told that it is done.
  const isVain = (wish: Wish) => isTold(wish, 'failed') || (isTold(wish, 'left') && wish.done.length === 0);
  const isOver = (wish: Wish) => isTold(wish, 'done') || (wish.by === name && !isVain(wish));
  // One that is sent once more after that, as by another session with the same plan, can be taken back once more.
  const isSentAfter = ({ path, method, set }: Wish, time: number) =>
    leaves(set).length > 0 &&
    world.network.exchanges.some(
      (one) => one.at > time && one.method === method && one.path === path && isRow(one.body) && hasSet(one.body, set),
    );
  const isSince = ({ takesBack, at }: Wish) =>
    !takesBack || (at >= (takesBack.again.at(-1) ?? 0) && !(takesBack.method === 'PUT' && isSentAfter(takesBack, at)));
  const taken = world.wishes.filter((wish) => wish.takesBack && isOver(wish) && isSince(wish));
  // A plan tells again what it has told of its steps before.
  const told = world.told.toSorted((one, other) => one.at - other.at).toReversed();
  const sent = told.filter(({ state, says }) => state === 'done' && !says.includes('so nothing was sent'));
  // Changes of other sessions come after those of this one; they may not be told yet, or told by whoever has found them done.
  let likely: Wish | undefined;
  for (const { wish, process } of [
    ...sent.filter((one) => one.process === name),
    ...sent.filter((one) => one.process !== name),
    ...world.wishes
      .toReversed()
      .flatMap((wish) => world.machine.processes.map(({ name: process }) => ({ wish, process }))),
  ]) {
    const isOwn = wish.host === seat.login.host && wish.account === seat.login.account.name;
    if (!isOwn) continue;
    const back = inverseOf(world, wish, { deed: deed.number, by: process }, id);
    if (!back || !isMeant(back)) continue;
    // A wish that was asked for twice has made two rows, and each goes by a path of its own.
    if (taken.some(({ takesBack, path }) => takesBack === wish && path === back.path)) continue;
    if (isMadeOf(back, entries)) return { ...back, by: name };
    likely ??= { ...back, by: name };
  }
  return likely;
}

type Entries = NonNullable<Backwards['entries']>;

/** Whether a body has the values that a wish sets. */
function hasSet(body: Row, set: Row): boolean {
  const sent = new Map(leaves(body));
  return leaves(set).every(([at, value]) => isAlike(sent.get(at), value));
}

/** Whether an edit is about one of these fields, and of tags about those that go back. */
function touches({ set, add = [], remove = [] }: Wish, entries: Entries, made: Backwards['made']): boolean {
  if (add.length + remove.length === 0) {
    const paths = leaves(set).map(([at]) => at);
    return Object.keys(entries).some((name) => paths.some((at) => at === name || at.startsWith(`${name}.`)));
  }
  const [then, now] = [tagsIn(entries), tagsIn(made ?? {})];
  const isIn = (tags: readonly string[], some: readonly unknown[], others: readonly unknown[]) =>
    tags.every((tag) => some.includes(tag) && !others.includes(tag));
  return 'tags' in entries && isIn(add, then, now) && isIn(remove, now, then);
}

const tagsIn = ({ tags }: Entries): readonly unknown[] => (Array.isArray(tags) ? tags : []);

/** Whether a new row is made of these entries. */
const isMadeOf = ({ set }: Wish, entries: Entries): boolean =>
  leaves(set)
    .map(inForm)
    .every(([at, text]) => entries[at] === undefined || String(entries[at]) === text);

/** A value under the name of its field; a volume in a slot is `volumes/12` there. */
function inForm([at, value]: readonly [path: string, value: unknown]): readonly [name: string, text: string] {
  const [, slot] = /^(devices\.\w+)\.volume_id$/.exec(at) ?? [];
  return slot && value ? [slot, `volumes/${value}`] : [slot ?? at, String(value ?? '')];
}

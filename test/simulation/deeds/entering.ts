import { pathOf } from '../../../src/api/address.ts';
import { idOf, paramsOf } from '../../../src/resources/identity.ts';
import { creationsOf, resourceNamed } from '../../../src/resources/index.ts';
import type { Action, Params, Resource, Row } from '../../../src/resources/resource.ts';
import type { Target } from '../../../src/store/changes/change.ts';
import type { PlanStep } from '../../../src/store/plans/plan.ts';
import { drawing } from '../../draw.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { weighted } from '../chance.ts';
import type { Desk } from '../desk.ts';
import { Made, type Wish } from '../wishes.ts';
import { type Doing, remember, tell, thinking, wishOf } from './doing.ts';
import { type Ended, type Entered, fill, readList } from './hands.ts';
import { type Idea, ideas, type Thought } from './ideas.ts';

export type Way = 'send' | 'plan';

/** Chooses what to do and to what, by what is on the screen, and does it. */
export async function enterOne(doing: Doing, desk: Desk, way: Way): Promise<void> {
  // Not every idea fits the rows that there are.
  for (let attempt = 0; attempt < 4; attempt++) {
    const chosen = await choose(doing, desk, way);
    if (chosen) return enterChosen(doing, desk, chosen, way);
  }
}

/** Does what was chosen; a user who reads that it was not done sends it again, as the form stays open for those rows. */
export async function enterChosen(doing: Doing, desk: Desk, chosen: Chosen, way: Way): Promise<void> {
  let ended = await enter(doing, desk, chosen, way);
  for (let again = 0; again < 3 && leftOf(ended).length > 0 && doing.random() < 0.6; again++) {
    const targets = chosen.targets.length > 0 ? leftOf(ended) : [];
    ended = await enter(doing, desk, { ...chosen, targets }, way, true);
  }
}

/** The rows on which it was not done. */
const leftOf = (ended: Ended): readonly Params[] =>
  'results' in ended ? ended.results.filter(({ state }) => state !== 'done').map(({ params }) => params) : [];

/** A change that somebody is about to make. */
export interface Chosen {
  resource: Resource;
  action: Action;
  targets: readonly Params[];
  params: Params;
  thought: Thought;
  form: NonNullable<Entered['form']>;
  /** By the parameters of the row, from the first sending on. */
  wishes: Map<string, Wish>;
}

/** Whether it leaves its row there, so that it can be taken back as far as the API allows. */
const isChange = ({ action }: Idea): boolean => !['create', 'delete', 'close', 'shutdown'].includes(action);

/** Whether its end comes later, and is told by an event. */
const isJob = ({ resource, action }: Idea): boolean =>
  ['shutdown', 'resize', 'attach', 'detach'].includes(action) || (resource === 'servers' && action === 'create');

/** The ideas of a deed: where anything is sent or planned some of all, the same in a story, so that they meet more often. */
function ideasOf({ world, deed }: Doing): readonly (readonly [Idea, number])[] {
  const random = drawing('ideas', world.story.seed);
  if (deed.what === 'change')
    return ideas
      .filter(isChange)
      .map((idea) => [idea, /^(?:attach|detach|resize)$/.test(idea.action) ? 24 : idea.weight]);
  if (deed.what.endsWith(' job')) return ideas.filter(isJob).map((idea) => [idea, 1]);
  const some = ideas.filter((idea) => (/\bmake$/.test(deed.what) ? idea.action === 'create' : random() < 0.3));
  return (some.length > 0 ? some : ideas).map((idea) => [idea, idea.weight]);
}

/** An idea with the rows for it; undefined where there are none. */
async function choose(doing: Doing, desk: Desk, way: Way): Promise<Chosen | undefined> {
  const { random, deed } = doing;
  const { stores } = desk;
  const idea = weighted(random, ideasOf(doing));
  const resource = resourceNamed(idea.resource);
  const action = actionOf(resource, idea.action);
  const params = await parentOf(doing, desk, resource);
  if (!params) return undefined;
  const isNew = creationsOf(resource).includes(action);
  await readList(stores, resource.name, params);
  for (const name of idea.looksAt ?? []) await readList(stores, name, {});
  const rows = isNew ? [] : inOrder(stores.view.rows(resource.name, params));
  const first = rows[Math.floor(random() ** 2 * rows.length)];
  if (!isNew && !first) return undefined;
  const count = idea.many && random() < 0.35 ? 2 + Math.floor(random() * 2) : 1;
  const others = rows.filter((one) => one !== first).slice(0, count - 1);
  const thought = idea.think({
    random,
    mark: `deed${deed.number}`,
    row: first ?? {},
    pick: (name, where = () => true) => {
      const found = inOrder(stores.view.rows(name)).filter(where);
      return found[Math.floor(random() ** 2 * found.length)];
    },
    planned: (name) => (way === 'plan' ? plannedRow(doing, desk, name) : undefined),
  });
  const targets = first ? [first, ...others].map((row) => paramsOf(resource, row, params)) : [];
  return thought && { resource, action, targets, params, thought, form: {}, wishes: new Map() };
}

/** Rows in an order that is the same in every run; those that are chosen often come first. */
export const inOrder = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => Number(one.id) - Number(other.id));

/** The row that a list lies under, as far as one is needed. */
async function parentOf(doing: Doing, desk: Desk, { under, list }: Resource): Promise<Params | undefined> {
  if (under === undefined || !list) return {};
  const parent = resourceNamed(under);
  const above = await parentOf(doing, desk, parent);
  if (!above) return undefined;
  await readList(desk.stores, under, above);
  const rows = inOrder(desk.stores.view.rows(under, above));
  const row = rows[Math.floor(doing.random() ** 2 * rows.length)];
  return row && paramsOf(parent, row, above);
}

/** A row that the plan makes, as a field offers it. */
function plannedRow(doing: Doing, { stores }: Desk, name: string): Made | undefined {
  const isMaking = ({ record, result }: PlanStep) =>
    record.resource === name && record.action === 'create' && result?.state !== 'done';
  const step = stores.plans.getState().steps.findLast(isMaking);
  const wish = step && wishOf(doing, step);
  return wish && new Made(wish, `{step ${step.id}}`);
}

/** Fills the form or answers the question, and notes what was wished and what was told. */
async function enter(doing: Doing, desk: Desk, chosen: Chosen, way: Way, isAgain = false): Promise<Ended> {
  const { world } = doing;
  const { stores } = desk;
  const { name } = desk.process;
  const { resource, action, targets, params, thought, wishes } = chosen;
  const before = new Set(stores.plans.getState().steps.map(({ uid }) => uid));
  const going: Wish[] = [];
  const agreed = (included: readonly Target[]) => {
    for (const target of included.length > 0 ? included : [undefined]) {
      const key = JSON.stringify(target?.params ?? {});
      const wish = wishes.get(key) ?? wishFor(doing, desk, chosen, target, way);
      if (!wishes.has(key)) world.wishes.push(wish);
      wishes.set(key, wish);
      going.push(wish);
      if (isAgain) wish.resent.push(world.clock.now);
    }
    const what = going.map((wish) => `${wish.name} ${wish.label}`).join(', ');
    const entries = Object.keys(thought.entries).length > 0 ? ` ${JSON.stringify(thought.entries)}` : '';
    world.say(name, `${isAgain ? 'sends again' : way === 'send' ? 'sends' : 'plans'} ${what}${entries}`);
  };
  const mine = thought.entries;
  const ended = await fill(
    { stores, think: thinking(doing, desk) },
    { resource, action, targets, params, mine, form: chosen.form },
    way,
    agreed,
    (included, changes) => {
      for (const [nth, { uid = '' }] of changes.entries()) {
        const wish = wishes.get(JSON.stringify(included[nth]?.params ?? {}));
        if (wish) remember(doing, { uid }, wish);
      }
    },
  );
  if ('left' in ended) world.say(name, `leaves ${resource.name} ${action.name}: ${ended.left}`);
  if ('planned' in ended) {
    // Another session may have added some of its own meanwhile.
    const added = stores.plans
      .getState()
      .steps.filter(({ uid }) => !before.has(uid))
      .slice(-going.length);
    for (const [index, step] of added.entries()) remember(doing, step, going[index] as Wish);
  }
  if ('results' in ended) {
    const wishFor = (of: Params) => wishes.get(JSON.stringify(targets.length > 0 ? of : {}));
    for (const { state, says, params: of } of ended.results) {
      const wish = wishFor(of);
      if (!wish) continue;
      tell(doing, name, wish, state, says);
      // A user who does it once more after this sentence wants another one.
      if (/once more (?:makes another|does it once more)/.test(says ?? '')) wish.again.push(world.clock.now);
    }
  }
  return ended;
}

export function wishFor(
  doing: Doing,
  desk: Desk,
  chosen: Pick<Chosen, 'resource' | 'action' | 'params' | 'thought'>,
  target: Target | undefined,
  way: Way,
): Wish {
  const { world, seat, deed } = doing;
  const { resource, action, params, thought } = chosen;
  const own = { ...params, ...(target && paramsOf(resource, target.row, target.params)) };
  const { add, remove, set = {} } = thought;
  const id = target && idOf(resource, target.row);
  return {
    number: world.wishes.length,
    at: world.clock.now,
    deed: deed.number,
    by: desk.process.name,
    host: seat.login.host,
    account: seat.login.account.name,
    name: `${resource.name} ${action.name}`,
    method: action.method,
    path: pathOf(action, own).split('/').slice(2).join('/'),
    target: id === undefined ? undefined : world.cloudOf(seat).items.all.find((one) => String(one.id) === id),
    seen: target?.row,
    label: target ? resource.label(target.row) : `new ${resource.one}`,
    add,
    remove,
    set,
    isPlanned: way === 'plan',
    again: [],
    resent: [],
    done: [],
  };
}

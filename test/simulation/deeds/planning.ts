import { resourceNamed } from '../../../src/resources/index.ts';
import type { Draft } from '../../../src/resources/resource.ts';
import { editStep } from '../../../src/screens/plans/planStep.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import { savePlan } from '../../../src/store/plans/planFile.ts';
import { drawing, drawn } from '../../draw.ts';
import type { Desk } from '../desk.ts';
import type { Wish } from '../wishes.ts';
import { type Doing, noteWaits, remember, tell, thinking, wishOf } from './doing.ts';
import { fill, formKey } from './hands.ts';

/** Carries the plan out on the screen. */
export async function carryOut(doing: Doing, desk: Desk): Promise<void> {
  const { world } = doing;
  const { plans } = desk.stores;
  const { name } = desk.process;
  const isDone = ({ result }: { result?: { state: string } }) => result?.state === 'done';
  plans.refresh();
  const { steps } = plans.getState();
  if (steps.every(isDone)) return;
  await thinking(doing, desk)();
  setWaits(doing, desk);
  world.say(name, `carries out the plan of ${steps.length} steps`);
  const why = await plans.run((plan, signal, keep) => carryOutPlan(desk.stores, plan, { isTyped: true, signal, keep }));
  if (why !== undefined) world.say(name, `is told: ${why}`);
  for (const step of plans.getState().steps) {
    const wish = wishOf(doing, step);
    const { at = 0, state, says } = step.result ?? {};
    // It was so when that was noted; a run that waits goes on for long after it.
    if (wish && state) tell(doing, name, wish, state, says, at - world.clock.skewMs);
  }
}

/** Has some steps of the plan wait for their ends, and notes which do. */
function setWaits({ world, deed, ...doing }: Doing, { stores: { plans } }: Desk): void {
  const random = drawing(`waits ${deed.number}`, world.story.seed);
  const steps = plans.getState().steps.filter(({ result }) => result?.state !== 'done' && result?.state !== 'begun');
  if (random() < 0.5)
    plans.setWaits(new Map(steps.map(({ id }) => [id, random() < 0.7 ? { within: '3m' } : undefined])));
  noteWaits({ ...doing, world, deed }, plans.getState().steps);
}

/** Saves the plan to a new file. */
export async function save({ world, deed }: Doing, { stores, process }: Desk): Promise<void> {
  const path = `plan-${deed.number}.json`;
  await savePlan(stores, path, '0.0.0');
  if (world.machine.saved.has(path)) world.say(process.name, `saves the plan as ${path}`);
}

/** Moves a step by one place. */
export async function order({ random, world }: Doing, { stores: { plans }, process }: Desk): Promise<void> {
  const { steps } = plans.getState();
  if (steps.length < 2) return;
  const { id } = drawn(random, steps);
  world.say(process.name, `moves step ${id}: ${plans.move(id, random() < 0.5 ? 1 : -1) ?? 'moved'}`);
}

/** Deletes a step from the plan. */
export async function drop({ random, world }: Doing, { stores: { plans }, process }: Desk): Promise<void> {
  const { steps } = plans.getState();
  if (steps.length === 0) return;
  const { id } = drawn(random, steps);
  world.say(process.name, `drops step ${id}: ${plans.remove(id) ?? 'dropped'}`);
}

/** Opens the form of a step that lacks its secret, types that behind whatever stands there, and puts the step back. */
export async function editOne(doing: Doing, desk: Desk): Promise<void> {
  const { world, random, deed } = doing;
  const { stores, process } = desk;
  stores.plans.refresh();
  const { steps } = stores.plans.getState();
  const secretive = steps.filter((step) => wishOf(doing, step)?.set.root_pass !== undefined);
  const step = secretive.length > 0 ? drawn(random, secretive) : undefined;
  const before = step && wishOf(doing, step);
  if (!step || !before) return;
  const why = editStep(stores, step);
  const overlay = stores.navigation.getState().overlays.at(-1);
  if (why !== undefined || overlay?.kind !== 'form')
    return world.say(process.name, `cannot edit step ${step.id}: ${why}`);
  const { mine } = stores.navigation.getState().drafts[formKey(overlay)] ?? { mine: {} as Draft };
  const typed = `Correct-Horse-deed${deed.number}`;
  const there = String(mine.root_pass ?? '');
  // A user who sees that a secret stands there types another one in its place.
  const root_pass = there === before.set.root_pass ? typed : there + typed;
  const resource = resourceNamed(overlay.resource);
  const wish: Wish = {
    ...before,
    number: world.wishes.length,
    at: world.clock.now,
    set: { ...before.set, root_pass: typed },
    again: [],
    resent: [],
    done: [],
  };
  const { targets, params } = overlay;
  const entered = {
    resource,
    action: resource.create as never,
    targets,
    params,
    mine: { ...mine, root_pass },
    step: step.id,
  };
  const ended = await fill({ stores, think: thinking(doing, desk) }, entered, 'plan', () => {
    world.wishes.push(wish);
    world.say(process.name, `types the secret of step ${step.id} again`);
  });
  stores.navigation.dismiss(overlay);
  if ('left' in ended) return world.say(process.name, `leaves step ${step.id}: ${ended.left}`);
  const now = stores.plans.getState().steps.find(({ id }) => id === step.id);
  before.instead = wish;
  if (now) remember(doing, now, wish);
}

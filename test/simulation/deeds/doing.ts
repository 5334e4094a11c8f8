import type { PlanStep } from '../../../src/store/plans/plan.ts';
import { within } from '../clock.ts';
import type { Desk } from '../desk.ts';
import type { Wish } from '../wishes.ts';
import type { Seat, World } from '../world.ts';
import type { Deed } from './story.ts';

/** Everything that a deed has at hand. */
export interface Doing {
  readonly world: World;
  readonly seat: Seat;
  readonly deed: Deed;
  readonly random: () => number;
}

/** Runs within a process until it has ended, or the process has. */
export async function inProcess(
  { world, deed }: Doing,
  { process, died }: ReturnType<World['start']>,
  run: () => Promise<unknown>,
): Promise<void> {
  const ended = within({ process, deed: deed.number }, run).catch((error: unknown) => {
    if (process.isAlive) world.crashes.push({ process: process.name, error });
  });
  await Promise.race([ended, died]);
}

/** Lets a person's time pass. */
export const thinking =
  ({ world, random, deed }: Doing, { process }: Desk) =>
  (): Promise<void> =>
    new Promise((resolve) => {
      world.clock.after(300 + random() * 4000, resolve, { process, deed: deed.number });
    });

/** Notes what a program says of a wish. */
export function tell(
  { world, deed }: Doing,
  process: string,
  wish: Wish,
  state: string,
  says = '',
  at = world.clock.now,
): void {
  world.told.push({ at, deed: deed.number, process, wish, state, says });
  world.say(process, `is told: ${wish.name} ${wish.label}: ${state}${says === '' ? '' : `. ${says}`}`);
}

/** Notes which wish a step of a plan holds. */
export const remember = ({ world }: Doing, { uid }: Pick<PlanStep, 'uid'>, wish: Wish): void =>
  void world.planned.set(uid, wish);

/** Notes the steps of a run of a plan, and for which it waits. */
export function noteWaits(doing: Doing, steps: readonly Pick<PlanStep, 'uid' | 'wait'>[]): void {
  const known = steps.flatMap((step) => {
    const wish = wishOf(doing, step);
    return wish ? [[wish, step.wait !== undefined] as const] : [];
  });
  doing.world.waiting.set(doing.deed.number, new Map(known));
}

/** The wish that a step of a plan holds; undefined where nobody has planned it. */
export const wishOf = ({ world }: Doing, { uid }: Pick<PlanStep, 'uid'>): Wish | undefined => world.planned.get(uid);

import { rowAt } from '../cloud/items.ts';
import type { Told, Wish } from '../wishes.ts';
import type { World } from '../world.ts';
import { disagreement } from './agreement.ts';
import type { Finding } from './finding.ts';

/** States that say that nothing was done. */
const denials: ReadonlySet<string> = new Set(['failed', 'refused', 'not sent']);

/** Judges what was told of each wish by what the cloud had done by then. */
export function judgeTold(world: World): readonly Finding[] {
  return world.told.flatMap((told) => judge(world, told));
}

function judge(world: World, { at, process, wish, state, says }: Told): readonly Finding[] {
  const alike = world.wishes.filter((one) => isAlike(one, wish));
  const done = alike.flatMap((one) => one.done).filter((write) => write.at <= at);
  const saying = `${process} said ${state} of ${wish.name} ${wish.label}${says === '' ? '' : ` (${says})`}`;
  if (state === 'done' && done.length === 0 && !holds(wish, at))
    return [{ rule: 'done that was not', at, says: `${saying}, and nothing was done.` }];
  if (denials.has(state) && wish.done.some((write) => write.at <= at) && alike.length === 1)
    return [{ rule: 'denied that was done', at, says: `${saying}, and it was done.` }];
  return [];
}

/** Whether two wishes cannot be told apart by what they ask for. */
const isAlike = (one: Wish, other: Wish): boolean =>
  one === other ||
  (one.host === other.host &&
    one.account === other.account &&
    one.method === other.method &&
    one.path === other.path &&
    JSON.stringify([one.set, one.add, one.remove]) === JSON.stringify([other.set, other.add, other.remove]));

/** Whether the row is as it was wished to be, whoever did that. */
export function holds(wish: Wish, at: number): boolean {
  const { target, method } = wish;
  if (!target) return false;
  const row = rowAt(target, at);
  if (method === 'DELETE') return row === undefined;
  return method === 'PUT' && disagreement(wish, {}, [row]) === undefined;
}

import { isAlike, leaves, valueAt, type Wish } from '../wishes.ts';
import type { World } from '../world.ts';
import { isMeant } from './agreement.ts';
import type { Finding } from './finding.ts';
import { statesFor } from './writes.ts';

/**
 * Judges whether what is taken back, or done again, was still as it had been left: a value that somebody has changed since is
 * nobody's to take back, where whoever did it had read it. Asked when the wishes have their writes.
 */
export const judgeOverwritten = (world: World): readonly Finding[] =>
  world.wishes.flatMap((wish) => wish.done.flatMap((write) => lostIn(world, wish, write)));

function lostIn(world: World, wish: Wish, write: Wish['done'][number]): readonly Finding[] {
  const { takesBack } = wish;
  const sent = world.network.exchanges.find((one) => one.write === write);
  const left = takesBack?.done.findLast(({ number }) => number < write.number);
  if (!takesBack || !sent || !left || wish.method === 'DELETE' || world.knowing.has(wish)) return [];
  if (wish.target === undefined) return [];
  const made = wish.target.versions.findLast(({ by }) => by === left.number)?.row;
  const bases = statesFor(world, wish.target, sent);
  const paths = wish.name === 'volumes detach' ? ['server_id'] : leaves(wish.set).map(([path]) => path);
  const [wanted, then] = [wish, takesBack].map(({ set }) => new Map(leaves(set))) as [
    Map<string, unknown>,
    Map<string, unknown>,
  ];
  // Of several that leave a row the same way, the last one goes back, of whichever session it is.
  const lastOf = (one: Wish) => one.done.findLast(({ number }) => number < write.number)?.number ?? -1;
  const last = world.wishes
    .filter((one) => one !== wish && one.target === wish.target && one.name === takesBack.name && lastOf(one) >= 0)
    .reduce((one, other) => (lastOf(other) > lastOf(one) ? other : one), takesBack);
  const setLast = new Map(leaves(last.set));
  const isLost = (path: string) =>
    !bases.some((base) => {
      const value = valueAt(base, path);
      return (
        isAlike(value, valueAt(made, path)) ||
        isMeant(value, then.get(path)) ||
        isMeant(value, setLast.get(path)) ||
        isMeant(value, wanted.get(path) ?? null) ||
        isNothing(value)
      );
    });
  return paths
    .filter(isLost)
    .map((path) => ({
      rule: 'overwritten',
      at: write.at,
      says: `${write.by} took ${takesBack.name} ${wish.label} back, which had left ${path} ${JSON.stringify(valueAt(made, path))}, where it was ${JSON.stringify(valueAt(bases.at(-1), path))} by then.`,
    }));
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

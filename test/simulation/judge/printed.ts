import type { PlanFile } from '../../../src/config/planSchema.ts';
import type { World } from '../world.ts';
import type { Finding } from './finding.ts';
import { isDone } from './told.ts';

/** Judges what was said of several wishes at once, or of what was not sent. */
export const judgePrinted = (world: World): readonly Finding[] => [...codes(world), ...unsent(world)];

/** A run that ends with 0 has carried everything out, now or before. */
function codes(world: World): readonly Finding[] {
  return world.applied.flatMap(({ code, words, text, process, at }) => {
    if (code !== 0 || words.includes('--dry-run')) return [];
    const { steps }: PlanFile = JSON.parse(text);
    const wishes = steps.flatMap(({ uid }) => world.planned.get(String(uid)) ?? []);
    const left = wishes.filter((wish) => wish.method !== 'PUT' && !isDone(world, wish, at));
    return left.map(({ name, label }) => ({
      rule: 'code',
      at,
      says: `${process} ended with 0, and ${name} ${label} was never done.`,
    }));
  });
}

/** A sentence that nothing was sent is said where nothing was. */
function unsent(world: World): readonly Finding[] {
  return world.told.flatMap(({ at, deed, process, wish, says }) => {
    if (!/\bothing was sent\b/.test(says)) return [];
    const sent = world.network.exchanges.filter(
      (one) =>
        one.process.name === process &&
        one.deed === deed &&
        one.method === wish.method &&
        one.path === wish.path &&
        one.at <= at,
    );
    // Another row may be made by the same path.
    if (sent.length === 0 || wish.method === 'POST') return [];
    return [
      {
        rule: 'nothing was sent',
        at,
        says: `${process} said that of ${wish.name} ${wish.label}, and had sent it: ${says}`,
      },
    ];
  });
}

import type { PlanFile } from '../../../src/config/planSchema.ts';
import { rowAt } from '../cloud/items.ts';
import type { World } from '../world.ts';
import type { Finding } from './finding.ts';

/** Judges whether what `plan apply` has changed was called in its file as the cloud calls it. */
export function judgeLabels(world: World): readonly Finding[] {
  return world.applied.flatMap(({ process, text, at }) => {
    const { steps }: PlanFile = JSON.parse(text);
    return steps.flatMap(({ uid, record }) => {
      const wish = world.planned.get(String(uid));
      const { target, done = [], seen } = wish ?? {};
      const write = done.find(({ by }) => by === process);
      if (!wish || !target || !write || !seen) return [];
      const { label, domain } = rowAt(target, write.at - 1) ?? {};
      const own = world.wishes.filter((one) => one.target === target).map(({ set }) => set.label ?? set.domain);
      const called = [wish.label, label ?? domain, ...own].map(String);
      const says = `${process} did ${wish.name} to ${label ?? domain ?? wish.label}, which its file calls ${record.label}.`;
      return called.includes(record.label) ? [] : [{ rule: 'label', at, says }];
    });
  });
}

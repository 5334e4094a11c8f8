import type { Deed, Story } from './deeds/story.ts';
import { type Run, run } from './run.ts';

/** So many shorter stories are tried at most. */
const maxTries = 400;

/**
 * Looks for a shorter story that ends in the same kind of finding: without some of the deeds, without faults, in plainer
 * circumstances.
 */
export async function shrink(given: Run): Promise<Run> {
  const rule = given.findings[0]?.rule;
  let shortest = given;
  let tries = 0;

  /** Takes a story in place of the one so far where it ends alike. */
  async function isTaken(story: Story): Promise<boolean> {
    if (tries++ >= maxTries) return false;
    const tried = await run(story);
    if (!tried.findings.some((one) => one.rule === rule)) return false;
    shortest = tried;
    return true;
  }

  const withDeeds = (deeds: readonly Deed[]): Story => ({ ...shortest.story, deeds });
  for (let size = Math.ceil(given.story.deeds.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.story.deeds.length; ) {
      const { deeds } = shortest.story;
      // The others stay at their times.
      const left = deeds.toSpliced(from, size);
      const next = left[from];
      const gap = deeds.slice(from, from + size).reduce((sum, { after }) => sum + after, 0);
      const late = next ? left.with(from, { ...next, after: next.after + gap }) : left;
      if (!(await isTaken(withDeeds(late))) && !(await isTaken(withDeeds(left)))) from += size;
    }
  }
  for (const { number } of shortest.story.deeds) {
    const without = shortest.story.deeds.map((deed) => (deed.number === number ? { ...deed, faults: [] } : deed));
    const deed = shortest.story.deeds.find((one) => one.number === number);
    if (!deed || deed.faults.length === 0 || (await isTaken(withDeeds(without)))) continue;
    for (const fault of deed.faults) {
      const fewer = shortest.story.deeds.map((one) =>
        one.number === number ? { ...one, faults: one.faults.filter((other) => other !== fault) } : one,
      );
      await isTaken(withDeeds(fewer));
    }
  }
  const plainer = [{ skewMs: 0 }, { hasGuards: false }, { other: { host: 'another', profile: 'another' } as const }];
  for (const part of plainer) await isTaken({ ...shortest.story, setting: { ...shortest.story.setting, ...part } });
  return shortest;
}

import { perform } from './deeds/perform.ts';
import type { Story } from './deeds/story.ts';
import type { Finding } from './judge/finding.ts';
import { judge } from './judge/judge.ts';
import { World } from './world.ts';

/** A session that has nothing more to do is at rest by then, in milliseconds. */
const longest = 15 * 60_000;

/** A story that was run to its end. */
export interface Run {
  readonly story: Story;
  readonly world: World;
  readonly findings: readonly Finding[];
}

/** Runs a story to its end, and judges it. */
export async function run(story: Story): Promise<Run> {
  const world = new World(story);
  const { clock } = world;
  const reject = (error: unknown) => void world.crashes.push({ process: 'a process', error });
  process.on('unhandledRejection', reject);
  try {
    for (const deed of story.deeds) {
      await clock.pass(clock.now + deed.after);
      perform(world, deed);
    }
    await clock.pass(clock.now + longest, () => world.isIdle);
    for (const seat of world.seats.values()) {
      const { desk } = seat;
      if (desk) world.enqueue(seat, () => desk.quit());
    }
    await clock.pass(clock.now + 120_000);
    return { story, world, findings: judge(world) };
  } finally {
    process.off('unhandledRejection', reject);
    world.stop();
  }
}

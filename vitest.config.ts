import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins with the stories of the simulation: one file that takes a minute, for which all others would have been waited. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/simulation/');
    return (await super.sort(files)).toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // React as it is shipped: in development it costs as much again.
    // No time of the API has a zone; where one is taken for a local time, it shows half hours away from Greenwich.
    // Temporary files lie where their paths are short, as sentences with a path in them wrap by its length.
    // One seed draws in all files; the names of the tests tell it.
    // Of a screen that does not tell its rows, Ink would ask two programs at each frame.
    env: {
      NODE_ENV: 'production',
      TZ: 'America/St_Johns',
      COLUMNS: '100',
      LINES: '24',
      TMPDIR: existsSync('/tmp') ? '/tmp' : tmpdir(),
      SKYDECK_SEED: process.env.SKYDECK_SEED ?? String(randomInt(2 ** 31)),
    },
    // No module is mocked; `test/modules.ts` reads what Node cannot.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker for each file would load, and V8 compile, the whole program two hundred times.
    isolate: false,
    // Many tests wait for a real program most of the time: a third worker on two cores takes a fifth off the whole run.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // A young generation that is seldom collected takes 5 to 10 % less processor time. Without the second compiler the
    // journeys, which run much code seldom, take 15 % less, and the simulation 10 % more.
    execArgv: ['--import', import.meta.resolve('./test/modules.ts'), '--max-semi-space-size=64', '--no-turbofan'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // As long as for a frame; `test/eachFile.ts` has the other ways to wait.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: 'test/build.ts',
    setupFiles: ['test/eachFile.ts'],
    reporters: ['default', './test/counts.ts'],
  },
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';

interface DemoAndHome {
  readonly demo: Demo;
  /** The home directory of the present test. */
  readonly home: string;
}

/** A quiet demo API for all tests of a file, and an empty home directory for each, removed after whatever the test ends. */
export function demoAndHome(): DemoAndHome {
  let demo: Demo;
  let home: string;
  beforeAll(async () => {
    demo = await startDemo({ pace: 50, colleagues: false });
  });
  afterAll(() => demo.close());
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'skydeck-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return {
    get demo() {
      return demo;
    },
    get home() {
      return home;
    },
  };
}

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

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
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  return {
    get demo() {
      return demo;
    },
    get home() {
      return home;
    },
  };
}

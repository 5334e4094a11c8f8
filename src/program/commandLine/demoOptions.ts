import type { OptionDescription } from './optionGroups.ts';
import { faultList, wholeNumber } from './values.ts';

/** The options of the demo API. */
export const demoOptions = {
  servers: {
    group: 'demo',
    value: wholeNumber('N', 0, 20_000),
    brief: 'how many servers',
    meaning: 'how many servers there are, up to 20 000; 40 by default',
  },
  latency: {
    group: 'demo',
    value: wholeNumber('MS', 0, 60_000, 'a whole number of milliseconds'),
    brief: 'slow answers',
    meaning: 'each answer takes so long',
  },
  faults: {
    group: 'demo',
    value: faultList,
    brief: 'what goes wrong',
    meaning:
      'what goes wrong, each with its share of the requests (0.2 by default), e.g. `errors:0.2,drops:0.05`: `errors` (500, 502, 504), `unavailable` (503), `limits` (429), `busy` ("Server busy." to reads), `drops`, `hangs`, `pages` (a web page instead of JSON), `truncated`, `redirects`, `revoked` (from then on the token is refused), `skew` (a wrong clock), `colleague` (somebody changes the label and tags of what you edit)',
  },
  seed: { group: 'demo', value: wholeNumber('N', 0, 4_294_967_295), brief: 'another cloud', meaning: 'another cloud' },
} as const satisfies Record<string, OptionDescription>;

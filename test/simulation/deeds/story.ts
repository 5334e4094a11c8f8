import { drawing, drawn } from '../../draw.ts';
import { weighted } from '../chance.ts';
import { drawFaults, type Planned } from './faults.ts';

/** Somebody who does something: two sessions of one profile, one of another account, the command line, a colleague. */
export type Who = (typeof people)[number];
export const people = ['first', 'second', 'other', 'apply', 'colleague'] as const;

/** One thing that somebody does. What it is in detail follows from the seed and its number, so that others can be left out. */
export interface Deed {
  readonly number: number;
  /** Milliseconds after the one before. */
  readonly after: number;
  readonly who: Who;
  readonly what: string;
  readonly faults: readonly Planned[];
}

/** The circumstances of a story. */
export interface Setting {
  /** So far our clock is ahead of the cloud's, in milliseconds. */
  readonly skewMs: number;
  /** Whether the other account is at the same address, and whether its profile has the same name. */
  readonly other: { readonly host: 'same' | 'another'; readonly profile: 'same' | 'another' };
  readonly hasGuards: boolean;
}

/** All that happens in one run; the same story always ends in the same way. */
export interface Story {
  readonly seed: number;
  readonly setting: Setting;
  readonly deeds: readonly Deed[];
}

type Chances = readonly (readonly [what: string, weight: number])[];

const atDesk: Chances = [
  ...([
    ['send', 20],
    ['plan', 24],
    ['carry out', 12],
    ['save', 5],
    ['take back', 8],
  ] as const),
  ...([
    ['order', 2],
    ['drop', 2],
    ['edit step', 3],
    ['send again', 5],
    ['quit', 2],
    ['kill', 3],
  ] as const),
];
const chances: Readonly<Record<Who, Chances>> = {
  first: atDesk,
  second: atDesk,
  other: atDesk,
  apply: [
    ['apply', 12],
    ['apply edited', 3],
    ['dry run', 1],
    ['from', 1],
    ['kill', 1],
  ],
  colleague: [
    ['edit', 6],
    ['rename', 3],
    ['make alike', 6],
    ['delete', 3],
    ['grow', 4],
    ['tag', 3],
  ],
};

/** Who does the next thing: mostly the first session. */
const turns: readonly (readonly [Who, number])[] = [
  ...([
    ['first', 46],
    ['second', 12],
    ['other', 8],
    ['apply', 18],
    ['colleague', 22],
  ] as const),
];

/** Makes a story up. */
export function storyOf(seed: number): Story {
  const random = drawing('story', seed);
  const minute = 60_000;
  const setting: Setting = {
    skewMs: random() < 0.6 ? 0 : drawn(random, [-60 * minute, -3 * minute, 3 * minute, 60 * minute]),
    other: { host: drawn(random, ['same', 'another']), profile: drawn(random, ['same', 'another']) },
    hasGuards: random() < 0.3,
  };
  const deeds = Array.from({ length: 5 + Math.floor(random() * 11) }, (_, number): Deed => {
    const who = number === 0 ? 'first' : weighted(random, turns);
    const what = weighted(random, chances[who]);
    const after = random() < 0.15 ? 15_000 + random() * 60_000 : random() * 6000;
    return { number, after: Math.round(after), who, what, faults: who === 'colleague' ? [] : drawFaults(random) };
  });
  return { seed, setting, deeds };
}

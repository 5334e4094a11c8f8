import { drawing, drawn } from '../../draw.ts';
import { weighted } from '../chance.ts';
import { drawFaults, type Fault, type Planned } from './faults.ts';

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

/** Weights, by which each is more or less likely than the others. */
type Chances<T extends string = string> = Readonly<Partial<Record<T, number>>>;

/** A part of a story. */
interface Phase {
  /** Who does the next thing. */
  readonly who: Chances<Who>;
  /** The deeds of whoever sits at a dashboard. */
  readonly desk: Chances;
}

const collecting: Phase = {
  who: { first: 60, second: 18, other: 4, colleague: 18 },
  desk: { plan: 80, send: 6, order: 3, drop: 2, 'edit step': 2, 'carry out': 3, quit: 1, kill: 1 },
};
const carryingOut: Phase = {
  who: { first: 36, second: 12, other: 3, apply: 34, colleague: 15 },
  desk: {
    'carry out': 40,
    save: 22,
    plan: 12,
    'take back': 8,
    redo: 3,
    send: 6,
    'edit step': 8,
    drop: 2,
    quit: 3,
    kill: 5,
    look: 2,
  },
};
const changing: Phase = {
  who: { first: 50, second: 12, other: 12, colleague: 26 },
  desk: { send: 56, 'take back': 34, redo: 14, look: 8, quit: 3, kill: 4, plan: 1 },
};
const anything: Phase = {
  who: { first: 40, second: 15, other: 15, apply: 12, colleague: 18 },
  desk: {
    send: 24,
    plan: 24,
    'carry out': 14,
    save: 8,
    'take back': 10,
    redo: 5,
    drop: 1,
    'edit step': 2,
    quit: 3,
    kill: 3,
    look: 6,
  },
};
const courses: readonly (readonly [readonly Phase[], number])[] = [
  [[collecting, carryingOut], 45],
  [[collecting, carryingOut, collecting, carryingOut], 15],
  [[changing], 25],
  [[anything], 15],
];

const elsewhere = {
  apply: { apply: 12, 'apply edited': 4, 'dry run': 1, from: 2, kill: 1 },
  colleague: { edit: 6, rename: 3, 'make alike': 7, delete: 3, grow: 4, tag: 3 },
} as const;

const drawOf = <T extends string>(random: () => number, chances: Chances<T>): T =>
  weighted(random, Object.entries<number | undefined>(chances) as [string, number][] as [T, number][]);

/** Makes a story up. */
export function storyOf(seed: number): Story {
  const random = drawing('story', seed);
  const minute = 60_000;
  const setting: Setting = {
    skewMs: random() < 0.6 ? 0 : drawn(random, [-60 * minute, -3 * minute, 3 * minute, 60 * minute]),
    other: { host: drawn(random, ['same', 'another']), profile: drawn(random, ['same', 'another']) },
    hasGuards: random() < 0.3,
  };
  const phases = weighted(random, courses);
  const length = 8 + Math.floor(random() * 14);
  const trouble = random() < 0.2 ? 0 : random() * 0.6;
  const deeds = Array.from({ length }, (_, number): Deed => {
    const phase = phases[Math.floor((number / length) * phases.length)] as Phase;
    const who = number === 0 ? 'first' : drawOf(random, phase.who);
    const what = drawOf(random, who === 'apply' || who === 'colleague' ? elsewhere[who] : phase.desk);
    const after = random() < 0.1 ? 15_000 + random() * 60_000 : random() * 5000;
    return {
      number,
      after: Math.round(after),
      who,
      what,
      faults: who === 'colleague' ? [] : drawFaults(random, trouble),
    };
  });
  const all = [...deeds, ...endingOf(seed, deeds.length)];
  const parts = [withZones, withCrowd, withRedo, withJobs, withMarks, withCosts, withStore];
  return { seed, setting, deeds: parts.reduce<readonly Deed[]>((so, part) => part(seed, so), all) };
}

/**
 * Some stories end so: a session that was just started, so that nothing tells the name of its user, sends a creation that never
 * arrives, and before it is sent again a colleague makes the same.
 */
function endingOf(seed: number, length: number): readonly Deed[] {
  const random = drawing('ending', seed);
  if (random() >= 0.06) return [];
  const faults = [{ of: 'write', nth: 0, how: 'dropped' }] as const;
  const deeds: readonly Omit<Deed, 'number'>[] = [
    { after: 2000, who: 'second', what: 'quit', faults: [] },
    { after: 2000, who: 'second', what: 'make', faults },
    { after: Math.round(500 + random() * 8000), who: 'colleague', what: 'make alike', faults: [] },
  ];
  return deeds.map((deed, index) => ({ ...deed, number: length + index }));
}

/** The deeds at a dashboard that are about the records of several zones, and those that follow from them. */
const zoneDeeds: Chances = {
  ...{ 'edit zone': 5, replace: 4, 'change across': 6, 'carry out': 7, save: 2, 'take back': 5, redo: 2 },
};

/** Some stories are about zones as text and records of several zones as well, in between of all else. */
function withZones(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('zones', seed);
  if (random() >= 0.12) return deeds;
  const all = [...deeds];
  let next = all.length;
  const trouble = random() < 0.4 ? 0 : random() * 0.5;
  const deedOf = (who: Who, what: string): Deed => {
    const faults = who === 'colleague' ? [] : drawFaults(random, trouble);
    return { number: next++, after: Math.round(random() * 6000), who, what, faults };
  };
  for (let count = 2 + Math.floor(random() * 5); count > 0; count--) {
    const who = drawOf(random, { first: 5, second: 2 });
    const deeds = [deedOf(who, drawOf(random, zoneDeeds))];
    // A step of a plan meets a record that a colleague has changed since.
    if (random() < 0.4) deeds.push(deedOf('colleague', 'edit record'), deedOf(who, 'carry out'));
    all.splice(1 + Math.floor(random() * all.length), 0, ...deeds);
  }
  return all;
}

/**
 * In some stories the account is a busy one from some time on, be it between a run of a plan that was killed and the next, which
 * then knows only what came last.
 */
function withCrowd(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('crowd', seed);
  if (random() >= 0.06) return deeds;
  const deedOf = (who: Who, what: string, how?: Fault): Deed => {
    const faults: readonly Planned[] = how ? [{ of: 'write', nth: 0, how }] : [];
    return { number: next++, after: Math.round(random() * 3000), who, what, faults };
  };
  let next = deeds.length;
  const crowd = deedOf('colleague', 'crowd');
  if (random() < 0.5) return deeds.toSpliced(1 + Math.floor(random() * deeds.length), 0, crowd);
  const alike = random() < 0.6 ? [{ ...deedOf('colleague', 'make alike'), after: 9000 }] : [];
  const lost = deedOf('apply', 'apply', drawn(random, ['killed before', 'killed after']));
  const planned = [deedOf('second', 'plan to make'), { ...deedOf('second', 'save'), after: 6000 }];
  return [...deeds, ...planned, { ...lost, after: 6000 }, ...alike, crowd, deedOf('apply', 'apply')];
}

/** Some stories end so: what was sent is taken back and done again, and in between a colleague changes the same once more. */
function withRedo(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('redo', seed);
  if (random() >= 0.08) return deeds;
  const who = drawOf(random, { first: 6, second: 2, other: 1 });
  const [again, redo] = ['change again', random() < 0.7 ? 'redo' : 'take back'];
  const between = (chance: number) => (random() < chance ? [['colleague', again] as const] : []);
  const ours = (what: string) => [who, what] as const;
  const all = [
    ...[
      ours(random() < 0.3 ? 'change records' : 'change'),
      ...between(0.3),
      ours('take back'),
      ...between(0.7),
      ours(redo),
    ],
    ...[...between(0.4), ours(random() < 0.5 ? 'redo' : 'take back')],
  ];
  const trouble = random() < 0.7 ? 0 : 0.3;
  return [
    ...deeds,
    ...all.map(([who, what], index): Deed => {
      const faults = who === 'colleague' ? [] : drawFaults(random, trouble);
      return { number: deeds.length + index, after: Math.round(5000 + random() * 4000), who, what, faults };
    }),
  ];
}

/** Some stories end with jobs, the events of which come late. */
function withJobs(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('jobs', seed);
  if (random() >= 0.08) return deeds;
  const trouble = random() < 0.3 ? 0 : 0.5;
  const begin = () => `${drawOf(random, { send: 3, plan: 4 })} job`;
  const desk = () => drawOf(random, { [begin()]: 6, 'carry out': 4, save: 1, 'take back': 1, kill: 1 });
  const others = () => (random() < 0.7 ? 'begin job' : 'edit');
  const deedOf = (number: number): Deed => {
    const who = drawOf<Who>(random, { first: 8, second: 2, apply: 2, colleague: 3 });
    const what = who === 'apply' ? 'apply' : who === 'colleague' ? others() : desk();
    const after = Math.round(random() * 9000);
    return { number, after, who, what, faults: who === 'colleague' ? [] : drawFaults(random, trouble) };
  };
  const late: Deed = { number: deeds.length, after: 0, who: 'colleague', what: 'late events', faults: [] };
  const length = 3 + Math.floor(random() * 5);
  return [...deeds, late, ...Array.from({ length }, (_, index) => deedOf(deeds.length + 1 + index))];
}

/** Some stories end with rows that are marked while others change the list. */
function withMarks(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('marks', seed);
  if (random() >= 0.06) return deeds;
  const who = drawOf<Who>(random, { first: 3, second: 1 });
  const deedOf = (number: number): Deed => {
    const isOurs = number % 3 === deeds.length % 3;
    const what = isOurs ? 'mark' : drawOf(random, { tag: 6, rename: 2, delete: 2, edit: 1, 'make alike': 1 });
    const after = Math.round(isOurs ? 5000 : 200 + random() * 2000);
    return { number, after, who: isOurs ? who : 'colleague', what, faults: isOurs ? drawFaults(random, 0.1) : [] };
  };
  return [
    ...deeds,
    ...Array.from({ length: 6 + Math.floor(random() * 4) }, (_, index) => deedOf(deeds.length + index)),
  ];
}

/** Some stories end with a look at the costs, in a session that may have read little. */
function withCosts(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('costs', seed);
  if (random() >= 0.06) return deeds;
  const who = drawOf<Who>(random, { first: 3, second: 3, other: 2 });
  const deedOf = (number: number): Deed => {
    const isOurs = random() < 0.6;
    const what = isOurs ? 'count costs' : drawOf(random, { 'change costs': 6, tag: 2, delete: 1 });
    const faults = isOurs ? drawFaults(random, 0.3) : [];
    return { number, after: Math.round(1000 + random() * 5000), who: isOurs ? who : 'colleague', what, faults };
  };
  const left: Deed = { number: deeds.length, after: 5000, who, what: 'quit', faults: [] };
  return [...deeds, left, ...Array.from({ length: 4 }, (_, index) => deedOf(deeds.length + 1 + index))];
}

/** Some stories end behind a proxy that answers reads from a store, where answers to changes are lost. */
function withStore(seed: number, deeds: readonly Deed[]): readonly Deed[] {
  const random = drawing('store', seed);
  if (random() >= 0.06) return deeds;
  const who = drawOf<Who>(random, { first: 3, second: 1 });
  const store: Deed = { number: deeds.length, after: 0, who: 'colleague', what: 'store answers', faults: [] };
  const lost = (): Deed['faults'] => [{ of: 'write', nth: 0, how: drawn(random, ['lost', 'mute', 'dropped', 'cut']) }];
  const deedOf = (number: number): Deed => {
    const what = random() < 0.8 ? 'send' : 'take back';
    return { number, after: Math.round(1000 + random() * 6000), who, what, faults: random() < 0.5 ? lost() : [] };
  };
  return [...deeds, store, ...Array.from({ length: 4 }, (_, index) => deedOf(deeds.length + 1 + index))];
}

/** Whether a story is about the records of several zones. */
export const hasZones = ({ deeds }: Story): boolean =>
  deeds.some(({ what }) => ['edit zone', 'replace', 'change across'].includes(what));

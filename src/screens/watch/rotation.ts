import { createStore } from 'zustand/vanilla';
import { resourceNamed } from '../../resources/index.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { newlyCritical } from '../../store/problems/transitions.ts';
import { listQuery, listsBelow, type Query } from '../../store/queries.ts';
import { isSame } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { minute, timerDelay } from '../../text/times.ts';
import { type Freshness, freshnessOf, nextAgeAt } from '../freshness.ts';
import type { Board } from './board.ts';
import { boardResources, problemsBoard } from './boards.ts';
import { haveTurns, type Interruption, interruptionMs, newProblemsText, type Wall } from './wall.ts';

export interface RotationState {
  /** The index of the board whose turn it is. */
  at: number;
  /** The page of that board, from 0 on. */
  page: number;
  paused: boolean;
  interruption?: Interruption;
  freshness: Freshness;
  /** The start of this minute in ms since the epoch, for the clock. */
  minuteAt: number;
}

/** Shows one board after the other, stops at new critical problems, and knows the age of the data. */
export type Rotation = ReturnType<typeof createRotation>;

export interface WatchOptions {
  /** The chosen boards and views of the user's own, in their order; by default all boards that are not empty. */
  boards?: readonly string[];
  /** The time of each board. */
  everyMs: number;
  /** Called with a sentence about new critical problems. */
  onCritical: (says: string) => void;
}

interface RotationParts extends Omit<WatchOptions, 'boards'> {
  stores: Stores;
  wall: Wall;
  boards: readonly Board[];
  skipsEmpty: boolean;
}

/** The time to read a page, or half of a short turn; pages for which a turn has no time come in the next one. */
const minPageMs = 5_000;

const ageOf = (stores: Stores) => ({
  freshness: freshnessOf(stores, stores.now()),
  minuteAt: stores.now() - (stores.now() % minute),
});

const listsOf = (boards: readonly Board[]): readonly Query[] =>
  [...new Set([...boardResources, ...boards.flatMap(({ reads = [] }) => reads)])]
    .map(resourceNamed)
    .filter(({ list, under }) => list && !under)
    .map((resource) => listQuery(resource));

/** The lists below rows that boards are made of, as far as those rows are read. */
const listsBelowOf = (boards: readonly Board[], view: Stores['view']): readonly Query[] =>
  boards
    .flatMap(({ reads = [] }) => reads.map(resourceNamed))
    .filter(({ across }) => across !== undefined)
    .flatMap((resource) => {
      const parent = resourceNamed(resource.under ?? '');
      return listsBelow(resource, parent, view.rows(parent.name));
    });

/** The page after this one: after the first one that which the board has not shown for the longest time. */
function pageAfter(page: number, pages: number, unseen: number | undefined): number {
  const next = page === 0 ? unseen || 1 : page + 1;
  return next < pages ? next : page === 0 ? 1 : 0;
}

/** The board that is on the screen. */
export const currentBoard = ({ at, interruption }: RotationState, boards: readonly Board[]): Board =>
  interruption ? problemsBoard : (boards[at] ?? problemsBoard);

export function createRotation({ stores, wall, boards, skipsEmpty, everyMs, onCritical }: RotationParts) {
  const { now, view, settings } = stores;
  const { profile } = settings;
  const hasTurns = haveTurns(wall, boards);
  /** Whether a board is shown in the turn of another account. */
  const isElsewhere = (board: Board) => hasTurns && board.showsAll && !wall.leads(profile);
  const first = boards.findIndex((board) => !isElsewhere(board));
  const store = createStore<RotationState>(() => ({
    at: Math.max(0, first),
    page: 0,
    paused: false,
    interruption: wall.interruption(profile),
    ...ageOf(stores),
  }));
  /** By board: the page that its next turn shows after the first one, which has the worst. */
  const unseen = new Map<number, number>();
  let pages = 1;
  /** By the monotonic clock, as that of the machine may be set. */
  let shownAt = performance.now();
  let pageAt = shownAt;
  let timer: NodeJS.Timeout | undefined;
  let running = false;

  const isShown = (board: Board | undefined) =>
    board && !isElsewhere(board) && !(skipsEmpty && wall.isEmpty(board, view));

  /** The index of the next or previous board that is not left out; the same one where there is no other. */
  function indexAfter(at: number, by: 1 | -1): number {
    const others = boards.map((_, steps) => (at + (by + boards.length) * (steps + 1)) % boards.length);
    return others.find((index) => isShown(boards[index])) ?? at;
  }

  function turnTo(change: Partial<RotationState>): void {
    shownAt = performance.now();
    pageAt = shownAt;
    store.setState({ interruption: undefined, page: 0, ...change });
    schedule();
  }

  function turn(by: 1 | -1): void {
    const { at } = store.getState();
    const next = indexAfter(at, by);
    turnTo({ at: next });
    if (hasTurns && by === 1 && next <= at) wall.next();
  }

  function showPage(page: number): void {
    pageAt = performance.now();
    store.setState({ page });
    schedule();
  }

  /** When the next page is due; never where the board has only one or stands still. */
  function pageDueAt(): number {
    const { paused, interruption } = store.getState();
    if (pages === 1 || (paused && !interruption)) return Number.POSITIVE_INFINITY;
    return pageAt + Math.max(Math.min(minPageMs, everyMs / 2), everyMs / pages);
  }

  /** When the board turns; never while it is paused. */
  const turnsAt = ({ paused, interruption } = store.getState()) =>
    shownAt + (interruption ? interruptionMs : paused ? Number.POSITIVE_INFINITY : everyMs);

  function schedule(): void {
    clearTimeout(timer);
    const dueIn = Math.min(turnsAt(), pageDueAt()) - performance.now();
    const ageIn = nextAgeAt(store.getState().freshness, now()) - now();
    // This timer keeps the program alive where no keys are read.
    if (running) timer = setTimeout(tick, timerDelay(Math.min(dueIn, ageIn, minute - (now() % minute))));
  }

  function tick(): void {
    const { at, page, interruption } = store.getState();
    const nextPage = pageAfter(page, pages, unseen.get(at));
    const isOver = performance.now() >= turnsAt();
    if (isOver && interruption) turnTo({});
    else if (isOver) {
      unseen.set(at, nextPage);
      turn(1);
    } else if (performance.now() >= pageDueAt()) showPage(nextPage);
    updateAge();
  }

  /** Updates the age of the data, and when that is due next. */
  function updateAge(): void {
    const { freshness, minuteAt } = store.getState();
    const age = ageOf(stores);
    if (!isSame(age, { freshness, minuteAt })) store.setState(age);
    schedule();
  }

  /** Those of the interruption that are still there. */
  function left(): readonly Problem[] {
    const present = new Set(stores.problems.getState().problems.map(({ id }) => id));
    return store.getState().interruption?.problems.filter(({ id }) => present.has(id)) ?? [];
  }

  function interrupt(added: readonly Problem[]): void {
    if (added.length === 0) return;
    const since = store.getState().interruption?.since ?? now();
    turnTo({ interruption: { problems: [...added, ...left()], since, until: now() + interruptionMs } });
    onCritical(`${wall.isShared ? `${profile}: ` : ''}${newProblemsText(added)}`);
  }

  return {
    ...store,
    /** Subscribes to the data and begins to turn; returns a function that stops it. */
    start: () => {
      running = true;
      shownAt = performance.now();
      const unsubscribes = [
        stores.problems.watch(),
        stores.scheduler.subscribe(listsOf(boards)),
        stores.scheduler.subscribe(() => listsBelowOf(boards, view), 'next'),
        stores.problems.subscribe(() => {
          // None of the new problems is left.
          if (store.getState().interruption && left().length === 0) turnTo({});
        }),
        stores.transitions.subscribe((all) => interrupt(newlyCritical(all))),
        ...[stores.events, stores.session, stores.cache].map((store) => store.subscribe(updateAge)),
      ];
      updateAge();
      return () => {
        running = false;
        clearTimeout(timer);
        for (const unsubscribe of unsubscribes) unsubscribe();
      };
    },
    /** Goes to the next or the previous board; ends an interruption. */
    step: turn,
    /** Goes to the board of this index, if there is one. */
    show: (index: number) => {
      if (boards[index]) turnTo({ at: index });
    },
    /** Pauses or resumes; ends an interruption and nothing else where there is one. */
    pause: () => {
      const { interruption, paused, page } = store.getState();
      turnTo(interruption ? {} : { paused: !paused, page });
    },
    /** Tells how many pages the board on the screen has. */
    setPages: (count: number) => {
      if (count === pages) return;
      pages = count;
      schedule();
    },
    /** Goes to the next or the previous page of the board. */
    turnPage: (by: 1 | -1) => showPage((store.getState().page + by + pages) % pages),
  };
}

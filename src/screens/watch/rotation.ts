import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../resources/problems/rule.ts';
import { isSame } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { timerDelay } from '../../text/times.ts';
import type { Board } from './board.ts';
import { boardResources, problemsBoard } from './boards.ts';
import { createCriticalProblems } from './criticalProblems.ts';
import { type Freshness, freshnessOf, nextAgeAt } from './freshness.ts';

/** Why the rotation stands still at the problems. */
export interface Interruption {
  /** The new critical problems, the most urgent first. */
  problems: readonly Problem[];
  /** In ms since the epoch. */
  since: number;
  until: number;
}

export interface RotationState {
  /** The board whose turn it is, by its place among all. */
  at: number;
  paused: boolean;
  interruption?: Interruption;
  freshness: Freshness;
}

/** Shows one board after the other, stops where something new is critical, and knows how old everything is. */
export interface Rotation extends StoreApi<RotationState> {
  /** Has everything read and turns from now on, until the way back is taken. */
  start(): () => void;
  /** To the next board, or the one before; a hold ends with it. */
  step(by: 1 | -1): void;
  /** To the board of this place; nothing where there is none. */
  show(place: number): void;
  /** Stays at a board, or goes on; a hold ends with it. */
  pause(): void;
}

interface RotationParts {
  stores: Stores;
  boards: readonly Board[];
  /** Leaves out boards that would be empty. */
  skipsEmpty: boolean;
  everyMs: number;
  /** Told a sentence when something new is critical. */
  onCritical: (says: string) => void;
}

/** The rotation stands still for something new for so many milliseconds. */
const holdsFor = 300_000;

/** The board that is on the screen. */
export const currentBoard = ({ at, interruption }: RotationState, boards: readonly Board[]): Board =>
  interruption ? problemsBoard : (boards[at] ?? problemsBoard);

/** Names the most urgent of the new problems, and counts the others. */
export const newProblemsText = ([first, ...others]: readonly Problem[]): string =>
  `${first?.says ?? ''}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;

export function createRotation({ stores, boards, skipsEmpty, everyMs, onCritical }: RotationParts): Rotation {
  const { now } = stores;
  const store = createStore<RotationState>(() => ({ at: 0, paused: false, freshness: freshnessOf(stores, now()) }));
  const alarms = createCriticalProblems(now());
  let shownAt = now();
  let timer: NodeJS.Timeout | undefined;
  let running = false;

  const isShown = (board: Board | undefined) => board && !(skipsEmpty && board.isEmpty(stores.view));

  /** The place so many boards on, those left out not counted; the same one where all others are left out. */
  function placeAfter(at: number, by: 1 | -1): number {
    for (let steps = 1; steps <= boards.length; steps++) {
      const place = (at + by * steps + boards.length * steps) % boards.length;
      if (isShown(boards[place])) return place;
    }
    return at;
  }

  function turnTo(change: Partial<RotationState>): void {
    shownAt = now();
    store.setState({ interruption: undefined, ...change });
    schedule();
  }

  /** The time of the next change, in ms since the epoch: another board, or another age. */
  function dueAt(): number {
    const { paused, interruption, freshness } = store.getState();
    const turnsAt = interruption?.until ?? (paused ? Number.POSITIVE_INFINITY : shownAt + everyMs);
    return Math.min(turnsAt, nextAgeAt(freshness, now()));
  }

  function schedule(): void {
    clearTimeout(timer);
    // It keeps the program alive where no keys are read.
    if (running) timer = setTimeout(goOn, timerDelay(dueAt() - now()));
  }

  function goOn(): void {
    const { at, paused, interruption } = store.getState();
    if (interruption && now() >= interruption.until) turnTo({});
    else if (!interruption && !paused && now() >= shownAt + everyMs) turnTo({ at: placeAfter(at, 1) });
    age();
    schedule();
  }

  function age(): void {
    const freshness = freshnessOf(stores, now());
    if (!isSame(freshness, store.getState().freshness)) store.setState({ freshness });
  }

  function ageAnew(): void {
    age();
    schedule();
  }

  /** Stands still for what is new; goes on where nothing of what it stands still for is left. */
  function examine(): void {
    const { problems, examinedAt } = stores.problems.getState();
    if (examinedAt === undefined) return;
    const { interruption } = store.getState();
    const there = new Set(problems.map(({ id }) => id));
    const left = interruption?.problems.filter(({ id }) => there.has(id)) ?? [];
    const news = alarms.newAmong(problems, now());
    if (news.length > 0) {
      turnTo({
        interruption: { problems: [...news, ...left], since: interruption?.since ?? now(), until: now() + holdsFor },
      });
      onCritical(newProblemsText(news));
    } else if (interruption && left.length === 0) turnTo({});
  }

  return {
    ...store,
    start: () => {
      running = true;
      shownAt = now();
      const away = [
        stores.problems.want(),
        stores.scheduler.subscribe(boardResources.map((resource) => ({ resource, operation: 'list', params: {} }))),
        stores.problems.subscribe(examine),
        ...[stores.events, stores.session, stores.cache].map((store) => store.subscribe(ageAnew)),
      ];
      ageAnew();
      return () => {
        running = false;
        clearTimeout(timer);
        for (const leave of away) leave();
      };
    },
    step: (by) => turnTo({ at: placeAfter(store.getState().at, by) }),
    show: (place) => {
      if (boards[place]) turnTo({ at: place });
    },
    pause: () => {
      const { interruption, paused } = store.getState();
      turnTo({ paused: interruption ? paused : !paused });
    },
  };
}

import { createStore } from 'zustand/vanilla';
import type { TimeSpan } from '../../api/apiClock.ts';
import { refusesAll } from '../../api/retryPolicy.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import { actionOn, plural } from '../../resources/wording.ts';
import type { Timestamp } from '../../text/times.ts';
import { listed } from '../../text/words.ts';
import type { Event } from '../events.ts';
import { until } from '../listeners.ts';
import { type Change, madeBy, type Result, type ResultState, resultOf, type Tempo } from './change.ts';
import { namesOf, titleOfSome, type UndoLevel } from './undoable.ts';

/** An action on one row or many, in progress or over. */
export interface PendingChange extends ResourceAction {
  id: number;
  /** The action and its rows: `Delete (data-1)`, `Add tags to 24 volumes`. */
  title: string;
  startedAt: Timestamp;
  /** In the order of the rows. */
  results: readonly Result[];
  /** No further change is sent. */
  isStopping: boolean;
  /** No further one is begun for now. */
  isPaused?: boolean;
  /** One was refused as all others would be, so these were not sent. */
  isRefused?: true;
  isOver: boolean;
}

export interface PendingChangesState {
  /** The newest last. */
  changes: readonly PendingChange[];
  /** Those that are over and what takes them back, the newest last; those that took others back are in `redo`. */
  undo: readonly UndoLevel[];
  redo: readonly UndoLevel[];
}

/** The rows of the lists that a creation adds to, before it was sent. */
export interface RowsBefore {
  /** The ids of the rows that were there, as they are kept, as far as known; empty where no row is made. */
  ids: readonly string[];
  /** The operations whose lists were read to their end: a row that was in none of these and now is in one is new. */
  whole: readonly string[];
  /** A row as it is to be made was there before. */
  hasSame?: true;
}

/** The known state just before a change was sent, to recognize what is new later; files keep it with steps of plans. */
export interface Baseline extends RowsBefore {
  at: Timestamp;
  /** Between which times of the API's clock; undefined where that is not known. */
  sent?: TimeSpan;
  /** The id of the newest event; undefined where none was known. */
  event?: Event['id'];
  /** The name under which it is sent. */
  uid?: string | undefined;
  /** The name of the user who has sent it, where that was known then. */
  user?: string;
  /** A row as it was to be made was there when that was looked for, and nothing told whether it was of this request. */
  wasThere?: true;
}

/** A change whose event may tell who has sent it. */
interface AnsweredChange {
  change: Change;
  before: Baseline;
  /** So many polls of the events had begun when its answer came. */
  polls: number;
  /** The latest that it was then by the API's clock. */
  until: Timestamp | undefined;
}

/** One's own doing as far as it is known, to tell it from that of others. */
export interface OwnRows {
  /** The rows that were made, `volumes 12`, each with its entity in events, `volume 12`, where an answer has told that it was made. */
  rows: Map<string, string | undefined>;
  /** Changes that were answered, with the state before them, as long as no event of theirs has told who the user is. */
  answered: readonly AnsweredChange[];
  /** The name of the user of the token, once an event has told it. */
  user?: string;
}

/** A change that is being sent, of several that go together. */
export interface UnderWay {
  /** Aborted when they are stopped; only what can end before its answer looks at it. */
  signal: AbortSignal;
  /** Shows how far it is. */
  show: (part: Pick<Result, 'output'>) => void;
}

/** Notes of changes while they are sent, for the case that the session does not see their end. */
export interface Going {
  /** Told before one is sent; a sentence says why it is not. */
  sent(change: Change, before: Baseline): string | undefined;
  ended(change: Change, result: Result): void;
  /** Told of those that are never sent, as somebody has stopped them. */
  stopped(left: Iterable<Change>): void;
  over(): void;
}

const maxInflight = 4;

const maxRemembered = 50;

/** Outputs of programs take more memory than results. */
const maxOutputs = 5;

/** Counts the rows of a change in a state. */
export const countOf = ({ results }: PendingChange, state: ResultState): number =>
  results.reduce((count, result) => count + (result.state === state ? 1 : 0), 0);

/** Whether something runs that is no request, or rows of a change wait to be sent, so that stopping it makes a difference. */
export const isStoppable = (change: PendingChange): boolean =>
  !change.isOver &&
  !change.isStopping &&
  (change.action.path === '' || change.results.some(({ state }) => state === 'waiting'));

/** Whether a program goes from row to row, so that it can be held between two. */
export const isPausable = ({ action, isOver, isStopping, results }: PendingChange): boolean =>
  action.program !== undefined && !isOver && !isStopping && results.some(({ state }) => state === 'waiting');

/** Each of so many programs has a process of its own. */
export const maxPrograms = 16;

/** The changes of this session, with their results. */
export function createPendingChanges(now: () => Timestamp) {
  const store = createStore<PendingChangesState>(() => ({ changes: [], undo: [], redo: [] }));
  const running = new Map<number, AbortController>();
  let last = 0;

  const update = (id: number, change: (before: PendingChange) => Partial<PendingChange>) =>
    store.setState(({ changes }) => ({
      changes: changes.map((one) => (one.id === id ? { ...one, ...change(one) } : one)),
    }));

  const setResult = (id: number, index: number, result: Partial<Result>) =>
    update(id, ({ results }) => {
      const before = results[index];
      return before ? { results: results.with(index, { ...before, ...result }) } : {};
    });

  function remember(begun: PendingChange): void {
    store.setState(({ changes }) => {
      const surplus = changes.filter(({ isOver }) => isOver).slice(0, Math.max(0, changes.length + 1 - maxRemembered));
      const staying = changes.filter((one) => !surplus.includes(one));
      const outputs = staying.filter(({ isOver, results }) => isOver && results.some(({ output }) => output));
      const old = new Set(outputs.slice(0, Math.max(0, outputs.length + 1 - maxOutputs)));
      const withoutOutputs = staying.map((one) =>
        old.has(one) ? { ...one, results: one.results.map(({ output: _, ...result }) => result) } : one,
      );
      return { changes: [...withoutOutputs, begun] };
    });
  }

  const endWaiting = (id: number, why: Pick<Partial<PendingChange>, 'isStopping' | 'isRefused'>) =>
    update(id, ({ results }) => ({
      ...why,
      results: results.map((result) => (result.state === 'waiting' ? { ...result, state: 'not sent' } : result)),
    }));
  /** Sends no further row; those in flight end by themselves. */
  const stop = (id: number) => {
    endWaiting(id, { isStopping: true });
    running.get(id)?.abort();
  };
  const find = (id: number) => store.getState().changes.find((one) => one.id === id);

  /** Resolves once it is not paused any more. */
  const resumed = (id: number) => until(store, () => !find(id)?.isPaused || find(id)?.isStopping === true);

  return {
    ...store,
    /** The keys of changes that are being sent or verified; the same change is not sent twice at a time. */
    inflight: new Set<string>(),
    /** Changes whose answers were lost and whose results are unknown, by key; they are verified before they are sent again. */
    lostAnswers: new Map<string, Baseline>(),
    own: { rows: new Map(), answered: [] } as OwnRows,
    /** The keys of what this session has sent. */
    keys: new Set<string>(),
    /** The keys of what cannot be taken back, of which that was said: what was sent before it comes next. */
    passed: new Set<string>(),
    /**
     * Keeps how changes are taken back that come next, and forgets other ways.
     * @param forgotten the names of the changes of these
     * @param isNew they take nothing back, so that nothing is done again after them
     */
    keep(level: UndoLevel, forgotten: ReadonlySet<string>, isNew = false) {
      const left = (levels: readonly UndoLevel[]) =>
        levels.flatMap((one) => {
          const undos = one.undos.filter(({ of }) => !forgotten.has(of));
          return undos.length === one.undos.length
            ? [one]
            : undos.length > 0
              ? [{ ...one, title: titleOfSome(one.title, namesOf(one.undos).size, namesOf(undos).size), undos }]
              : [];
        });
      const isDone = level.undos.length + level.lost.length > 0;
      // A step that took nothing back is none.
      const added = isNew || isDone ? [level] : [];
      store.setState(({ undo, redo }) => ({
        undo: [...left(undo), ...(level.isBack ? [] : added)].slice(-maxRemembered),
        redo: isNew && isDone ? [] : [...left(redo), ...(level.isBack ? added : [])].slice(-maxRemembered),
      }));
    },
    /**
     * Sends changes a few at a time, programs at their tempo, each once, visibly and stoppably; resolves with the results in
     * their order when all are over. At a tempo, nothing more is begun once one has failed.
     * @param onBegun told the id of what has begun
     */
    async run(
      { resource, action, tempo }: ResourceAction & { tempo?: Tempo | undefined },
      changes: readonly Change[],
      send: (change: Change, underWay: UnderWay) => Promise<Result>,
      onBegun?: (id: number) => void,
    ): Promise<{ id: number; results: readonly Result[] }> {
      const id = ++last;
      const abort = new AbortController();
      running.set(id, abort);
      const [first, ...others] = changes;
      const results = changes.map((change) => resultOf({ ...change, resource }, 'waiting'));
      const title =
        first && (others.length === 0 || (action.parts && action.next === undefined))
          ? `${action.help} (${listed(changes.map(({ label }) => label))})`
          : actionOn(action, `${changes.length} ${plural(resource)}`);
      const begun = { id, resource, action, title, startedAt: now(), results: [...results] };
      remember({ ...begun, isStopping: false, isOver: false });
      onBegun?.(id);
      const waiting = changes.entries();
      const worker = async () => {
        for (;;) {
          if (find(id)?.isPaused) await resumed(id);
          const { value: [index, change] = [] } = waiting.next();
          if (!change || index === undefined || find(id)?.results[index]?.state !== 'waiting') return;
          setResult(id, index, { state: 'running' });
          const show: UnderWay['show'] = (part) => setResult(id, index, part);
          const result = await send(change, { signal: abort.signal, show });
          results[index] = result;
          const { state, says, output, error } = result;
          setResult(id, index, { state, says, ...(output && { output }), ...madeBy(change, result.row) });
          const isRefused = state !== 'unknown' && error && refusesAll(error) && others.length > 0;
          if (isRefused) endWaiting(id, { isRefused });
          else if (state !== 'done' && tempo?.atATime !== undefined) endWaiting(id, {});
        }
      };
      try {
        // Of those that go one by one it is known which has lost its answer, and a secret with it.
        const requests = action.secret ? 1 : maxInflight;
        const atOnce = action.program ? (tempo ? (tempo.atATime ?? maxPrograms) : 1) : requests;
        await Promise.all(Array.from({ length: atOnce }, worker));
      } finally {
        running.delete(id);
        update(id, () => ({ isOver: true }));
      }
      return { id, results: results.map((one) => (one.state === 'waiting' ? { ...one, state: 'not sent' } : one)) };
    },
    stop,
    /** Has no further row begun for now, or goes on. */
    pause: (id: number) => update(id, ({ isPaused }) => ({ isPaused: !isPaused })),
    stopAll() {
      for (const { id, isOver } of store.getState().changes) if (!isOver) stop(id);
    },
  };
}

/** The progress of a change: `3 of 13 done, 4 under way, 6 waiting`; of a single row why it failed. */
export function changeFacts(change: PendingChange): string {
  const [first, ...others] = change.results;
  if (!first || others.length > 0) return changeCounts(change);
  const underWay = change.action.program ? 'runs' : 'sent, no answer yet';
  return first.says ?? (first.state === 'running' ? underWay : first.state);
}

/**
 * Counts the rows of a change that are done, and the others by their state.
 * @param leftOut chosen rows on which the action was not possible
 */
export function changeCounts(change: PendingChange, leftOut = 0): string {
  const total = change.results.length + leftOut;
  const done = countOf(change, 'done');
  const states = ['unknown', 'failed', 'running', 'waiting', 'not sent'] as const;
  const said = (count: number, words: string) => (count > 0 ? [`${count} ${words}`] : []);
  const others = states.flatMap((state) => said(countOf(change, state), state === 'running' ? 'under way' : state));
  const first = done === total ? `all ${total} done` : `${done} of ${total} done`;
  return [first, ...others, ...said(leftOut, 'left out')].join(', ');
}

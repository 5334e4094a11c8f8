import { createStore, type StoreApi } from 'zustand/vanilla';
import { idIn } from '../../resources/identity.ts';
import type { Action, Params, Resource } from '../../resources/resource.ts';
import { actionOn, plural } from '../../resources/wording.ts';
import { progressive } from '../../text/words.ts';

/** - `waiting`: not sent so far; `not sent`: it was stopped before its turn */
export type ResultState = 'waiting' | 'running' | 'done' | 'failed' | 'not sent';

/** The result of a change on one row so far. */
export interface Result {
  params: Params;
  /** The id of the row; undefined where one is made. */
  rowId: string | undefined;
  label: string;
  state: ResultState;
  /** Why it failed, or what is to be known although it is done; a sentence. */
  says?: string;
}

/** An action that is carried out, or was, on one row or many. */
export interface PendingChange {
  id: number;
  /** The name of the resource. */
  resource: string;
  /** The action and its rows: `Delete (data-1)`, `Add tags to 24 volumes`. */
  title: string;
  /** The action: `Delete`. */
  help: string;
  /** The action under way, as a word or two: `deleting`. */
  doing: string;
  /** In ms since the epoch. */
  startedAt: number;
  /** In the order of the rows. */
  results: readonly Result[];
  /** A file goes along, so that it is shown among the transfers. */
  hasFile: boolean;
  /** No further row is sent. */
  isStopping: boolean;
  isOver: boolean;
}

export interface PendingChangesState {
  /** The newest last. */
  changes: readonly PendingChange[];
}

/** The course of one change. */
export interface ChangeRun {
  id: number;
  /** The index of the next row, which is running from now on; undefined where no further one is to be sent. */
  next(): number | undefined;
  settle(index: number, state: 'done' | 'failed', says?: string): void;
  end(): void;
}

/** The changes of this session: what is done to which rows now, and what became of the earlier ones. */
export interface PendingChanges extends StoreApi<PendingChangesState> {
  begin(resource: Resource, action: Action, targets: readonly { params: Params; label: string }[]): ChangeRun;
  /** Sends no further row of the change; those that are sent are waited for. */
  stop(id: number): void;
  /** Stops all of them. */
  stopAll(): void;
}

/** So many are remembered. */
const maxRemembered = 50;

/** Counts the rows of a change in a state. */
export const countOf = ({ results }: PendingChange, state: ResultState): number =>
  results.reduce((count, result) => count + (result.state === state ? 1 : 0), 0);

/** Whether rows of a change wait to be sent, so that stopping it makes a difference. */
export const isStoppable = (change: PendingChange): boolean =>
  !change.isOver && !change.isStopping && change.results.some(({ state }) => state === 'waiting');

export function createPendingChanges(now: () => number): PendingChanges {
  const store = createStore<PendingChangesState>(() => ({ changes: [] }));
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
      return { changes: [...changes.filter((one) => !surplus.includes(one)), begun] };
    });
  }

  const stop = (id: number) =>
    update(id, ({ results }) => ({
      isStopping: true,
      results: results.map((result) => (result.state === 'waiting' ? { ...result, state: 'not sent' } : result)),
    }));

  return {
    ...store,
    begin(resource, action, targets) {
      const id = ++last;
      const results = targets.map(
        ({ params, label }): Result => ({ params, rowId: idIn(resource, params), label, state: 'waiting' }),
      );
      const { help } = action;
      const [first, ...others] = targets;
      remember({
        id,
        resource: resource.name,
        title:
          first && others.length === 0
            ? `${help} (${first.label})`
            : actionOn(action, `${targets.length} ${plural(resource)}`),
        help,
        doing: progressive(help),
        startedAt: now(),
        results,
        hasFile: action.multipart === true,
        isStopping: false,
        isOver: false,
      });
      let sent = 0;
      return {
        id,
        next() {
          const isStopping = store.getState().changes.find((one) => one.id === id)?.isStopping ?? true;
          if (isStopping || sent === targets.length) return undefined;
          setResult(id, sent, { state: 'running' });
          return sent++;
        },
        settle: (index, state, says) => setResult(id, index, { state, says }),
        end: () => update(id, () => ({ isOver: true })),
      };
    },
    stop,
    stopAll() {
      for (const { id, isOver } of store.getState().changes) if (!isOver) stop(id);
    },
  };
}

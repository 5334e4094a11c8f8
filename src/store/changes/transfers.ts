import { createStore } from 'zustand/vanilla';
import { ApiError } from '../../api/error.ts';
import type { TransferOptions } from '../../api/fileTransfer.ts';
import type { Timestamp } from '../../text/times.ts';

/** An upload or download. */
export interface Transfer {
  id: number;
  /** A few words: `Upload backup.tar`. */
  what: string;
  bytes: number;
  /** Undefined where it is unknown. */
  total: number | undefined;
  /** Bytes a second over the last seconds; undefined before the first bytes. */
  rate: number | undefined;
  /** When it began. */
  startedAt: Timestamp;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Why it failed, as a sentence. */
  error?: string;
}

export interface TransfersState {
  /** The newest last. */
  transfers: readonly Transfer[];
}

/** Transfers a file; rejects with an ApiError. */
type Move = (options: Required<Pick<TransferOptions, 'signal' | 'onProgress'>>) => Promise<void>;

const progressIntervalMs = 200;
const rateWindowMs = 5_000;
const maxRemembered = 50;

/** The seconds that a transfer still takes; undefined when that is not known. */
export const secondsLeftOf = ({ state, bytes, total, rate }: Transfer): number | undefined =>
  state === 'running' && total !== undefined && rate ? Math.max(0, total - bytes) / rate : undefined;

/** Transfers in the background. */
export function createTransfers(now: () => Timestamp) {
  const store = createStore<TransfersState>(() => ({ transfers: [] }));
  const running = new Map<number, AbortController>();
  let last = 0;

  const change = (id: number, changed: Partial<Transfer>) =>
    store.setState(({ transfers }) => ({
      transfers: transfers.map((one) => (one.id === id ? { ...one, ...changed } : one)),
    }));

  /** Starts one; resolves with its end, also whether it may be done after all. Rejects only for faults of the program. */
  async function start(what: string, move: Move): Promise<Pick<Transfer, 'state' | 'error'> & { isOpen?: boolean }> {
    const id = ++last;
    const controller = new AbortController();
    running.set(id, controller);
    let latest: Pick<Transfer, 'bytes' | 'total'> = { bytes: 0, total: undefined };
    const begun: Transfer = { id, what, ...latest, rate: undefined, startedAt: now(), state: 'running' };
    store.setState(({ transfers }) => ({ transfers: [...transfers, begun].slice(-maxRemembered) }));
    const speed = speedometer(now);
    let shownAt = 0;
    const onProgress = (bytes: number, total: number | undefined) => {
      latest = { bytes, total };
      if (now() - shownAt < progressIntervalMs) return;
      shownAt = now();
      change(id, { ...latest, rate: speed(bytes) });
    };
    try {
      await move({ signal: controller.signal, onProgress });
      change(id, { ...latest, state: 'done' });
      return { state: 'done' };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const state = error.kind === 'aborted' ? 'cancelled' : 'failed';
      change(id, { ...latest, state, error: error.message });
      const isOpen = error.maybeSent && latest.bytes >= (latest.total ?? 0);
      return { state, error: error.message, ...(isOpen && { isOpen }) };
    } finally {
      running.delete(id);
    }
  }

  return {
    ...store,
    start,
    cancel: (id: number) => running.get(id)?.abort(),
    /** Cancels all that are running. */
    stop: () => {
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** Computes bytes a second from successive counts. */
function speedometer(now: () => Timestamp): (bytes: number) => number | undefined {
  let marks: readonly { at: number; bytes: number }[] = [{ at: now(), bytes: 0 }];
  return (bytes) => {
    const at = now();
    const recent = marks.filter((mark) => at - mark.at <= rateWindowMs);
    marks = [...(recent.length > 0 ? recent : marks.slice(-1)), { at, bytes }];
    const [first] = marks;
    return first && at > first.at ? ((bytes - first.bytes) / (at - first.at)) * 1000 : undefined;
  };
}

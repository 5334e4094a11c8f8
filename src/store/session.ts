import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Call } from '../api/request.ts';

/** Settled at the start. */
export interface Settings {
  profile: string;
  readOnly: boolean;
  /** One more question before changes, and a red header. */
  critical: boolean;
  /** Seconds between two readings of what is on screen. */
  refreshSeconds: number;
  theme: string;
  ascii: boolean;
  color: boolean;
  /** Why somebody on the way to the API could read the token, in two words; usually nothing. */
  tlsWarning?: string;
  demo: boolean;
}

export interface SessionState {
  /** The newest last. */
  calls: readonly Call[];
  /** Milliseconds of the newest successful call. */
  latency?: number;
  /** When anything was last answered, in ms since the epoch. */
  answeredAt?: number;
  /** Why the API cannot be used now. */
  trouble?: { text: string; since: number };
  /** Scopes the token lacks, learnt from refusals, by operation. */
  refused: Readonly<Record<string, string>>;
}

export interface Session extends StoreApi<SessionState> {
  /** Told of every call that ended. */
  noteCall(call: Call): void;
  /** Remembers that the token may not do this, and the sentence that says why. */
  noteRefusal(operation: string, says: string): void;
}

const most = 500;

export function createSession(now: () => number): Session {
  const store = createStore<SessionState>(() => ({ calls: [], refused: {} }));
  return {
    ...store,
    noteCall: (call) =>
      store.setState(({ calls, trouble, latency, answeredAt }) => {
        const text = troubleText(call);
        const isAnswered = call.status !== undefined;
        const troubleOf = (says: string | undefined) =>
          says === undefined ? undefined : { text: says, since: trouble?.since ?? now() };
        return {
          calls: [...calls, call].slice(-most),
          latency: isAnswered && !text ? call.ms : latency,
          answeredAt: isAnswered ? now() : answeredAt,
          // A call that was broken off says nothing about the API.
          trouble: call.kind === 'aborted' ? trouble : troubleOf(text),
        };
      }),
    noteRefusal: (operation, says) => store.setState(({ refused }) => ({ refused: { ...refused, [operation]: says } })),
  };
}

/** Says from a call that the API is in trouble; undefined when it does as it should, also where it refuses. */
function troubleText({ kind, status = 0 }: Call): string | undefined {
  if (kind === 'unreachable') return 'The API cannot be reached';
  if (kind === 'timeout') return 'The API does not answer in time';
  if (kind === 'malformed') return 'What answers does not speak as the API does';
  if (status === 401) return 'The token is not accepted; make another one and start again';
  if (status === 429) return 'The API asks for fewer requests';
  if (status >= 500) return `The API answers ${status}`;
  return status >= 300 && status < 400 ? 'What answers leads elsewhere, which is not followed' : undefined;
}

/** Counts the calls of the last minute. */
export const callsPerMinute = ({ calls }: SessionState, now: number): number =>
  calls.filter(({ at }) => now - at < 60_000).length;

/** Until when the API asks to wait, in ms since the epoch; lies in the past most of the time. */
export function waitUntil({ calls }: SessionState): number {
  let until = 0;
  for (const { at, ms, retryAfterMs } of calls) {
    if (retryAfterMs !== undefined) until = Math.max(until, at + ms + retryAfterMs);
  }
  return until;
}

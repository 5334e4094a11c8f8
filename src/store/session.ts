import { createStore } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import type { Call } from '../api/request.ts';
import type { RequestRow } from '../resources/account/requests.ts';
import type { Operation } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';

/** Set at the start. */
export interface Settings {
  /** The name of the profile; `demo`, or `environment` where no profile is used. */
  profile: string;
  /** The host of the API, where no profile names it. */
  host?: string;
  readOnly: boolean;
  /** Asks once more before changes, and shows a red header. */
  critical: boolean;
  /** Seconds between two readings of the data on screen. */
  refreshSeconds: number;
  theme: string;
  /** Nobody has chosen a theme, so it follows the background of the terminal; true by default. */
  followsBackground?: boolean;
  ascii: boolean;
  color: boolean;
  /** Bits of colour: 8 are 256 colours, 24 all; 16 colours where there are less or none is given. */
  colorDepth?: number;
  /** Nothing changes on the screen without need. */
  screenReader?: boolean;
  /** Why the connection is not secure, in two words. */
  tlsWarning?: string;
  /** The variables that stand for the profile's address or token, in a few words. */
  accountOf?: string;
  demo: boolean;
}

export interface SessionState {
  /** The newest last. */
  calls: readonly RequestRow[];
  /** Milliseconds of the newest successful call. */
  latency?: number;
  /** When anything was last answered. */
  answeredAt?: Timestamp;
  /** Why the API cannot be used now. */
  trouble?: { text: string; since: number };
  /** The sentences of refusals for want of a scope, by method and path. */
  refused: Readonly<Record<string, string>>;
  /** The theme chosen meanwhile; that of the settings by default. */
  theme?: string;
}

export type Session = ReturnType<typeof createSession>;

const maxCalls = 500;

export function createSession(now: () => Timestamp) {
  const store = createStore<SessionState>(() => ({ calls: [], refused: {} }));
  return {
    ...store,
    noteCall: (call: Call) =>
      store.setState(({ calls, trouble, latency, answeredAt }) => {
        const text = troubleText(call);
        const isAnswered = call.status !== undefined;
        const troubleOf = (says: string | undefined) =>
          says === undefined ? undefined : { text: says, since: trouble?.since ?? now() };
        return {
          calls: [...calls, { id: (calls.at(-1)?.id ?? 0) + 1, ...call }].slice(-maxCalls),
          latency: isAnswered && !text ? call.ms : latency,
          answeredAt: isAnswered ? now() : answeredAt,
          // An aborted call says nothing about the API.
          trouble: call.kind === 'aborted' ? trouble : troubleOf(text),
        };
      }),
    /** Records that the token may not do this, with the sentence that says why. */
    noteRefusal: (operation: Operation, says: string) =>
      store.setState(({ refused }) => ({ refused: { ...refused, [nameOf(operation)]: says } })),
  };
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Why the token may not send an operation by its scopes, as a sentence. */
export function whyOutOfScope({ scopes }: Pick<Api, 'scopes'>, operation: Operation): string | undefined {
  const lacked = scopes.lacked(operation);
  return lacked && `The token has no permission for this; it needs the scope ${lacked}.`;
}

/**
 * Why the token may not send an operation, as a sentence: by its scopes, else by a refusal of this session; undefined
 * where nothing is known to forbid it.
 */
export const whyForbidden = (
  { api, session }: { api: Pick<Api, 'scopes'>; session: Pick<Session, 'getState'> },
  operation: Operation,
): string | undefined => whyOutOfScope(api, operation) ?? session.getState().refused[nameOf(operation)];

/** Whether a session changes nothing, for itself or by its token. */
export const changesNothing = ({ readOnly, scopes }: Pick<Api, 'readOnly' | 'scopes'>): boolean =>
  readOnly || scopes.isReadOnly;

/** Why a session does not change everything, in two words; empty where nothing is known to keep it from that. */
export function modeOf({ api, session }: { api: Pick<Api, 'readOnly' | 'scopes'>; session: Session }): string {
  if (api.readOnly) return 'read-only';
  if (api.scopes.isReadOnly) return 'read-only token';
  return Object.keys(session.getState().refused).length > 0 ? 'limited token' : '';
}

/** Names the trouble of the API that a call shows; undefined where it works or refuses, or this machine does, without a status. */
export function troubleText({ kind, status = 0 }: Pick<Call, 'kind' | 'status'>): string | undefined {
  if (kind === 'unreachable') return 'The API cannot be reached';
  if (kind === 'timeout') return 'The API does not answer in time';
  if (kind === 'malformed' && status > 0) return 'The server at this address does not answer like the API';
  if (status === 401) return 'The token was rejected; create another one and start again';
  if (status === 429) return 'The API limits the rate of requests';
  if (status >= 500) return `The API answers ${status}`;
  return status >= 300 && status < 400 ? 'The API redirects; redirects are not followed' : undefined;
}

/** Whether the API has answered with success, so that the token is right. */
export const isAccepted = (session: Session | undefined): boolean =>
  session?.getState().calls.some(({ status = 0, error }) => status > 0 && status < 400 && error === undefined) ?? false;

/** The end of the last `Retry-After` of the API; 0 where there was none. */
export function waitUntil({ calls }: SessionState): Timestamp {
  const ends = calls.map(({ at, ms, retryAfterMs }) => (retryAfterMs === undefined ? 0 : at + ms + retryAfterMs));
  return Math.max(0, ...ends);
}

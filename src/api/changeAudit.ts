import type { RequestFacts } from '../resources/account/requests.ts';
import type { SentRecord } from '../resources/changeRecord.ts';
import { isRow } from '../resources/row.ts';
import { ApiError, asApiError, notSent, type RequestLine } from './error.ts';

/** A request other than a GET that is about to leave the process. */
export interface OutgoingChange
  extends Partial<Omit<SentRecord, 'body' | 'before'>>,
    Pick<RequestFacts, 'method' | 'path'> {
  /** Counts from 1, for each client. */
  number: number;
  /** In the platform's words, without secrets. */
  body?: unknown;
  /** The touched fields as they were before, or the whole row; in the platform's words, without secrets. */
  before?: unknown;
}

/**
 * - `done`: the API confirmed it
 * - `failed`: the API refused it
 * - `answer lost`: it was sent and may have been done: no answer came, or one of a server that failed itself
 * - `aborted`: it was cancelled after it was sent, and may have been done
 * - `not sent`: it was cancelled before
 */
export type ChangeOutcome = 'done' | 'failed' | 'answer lost' | 'aborted' | 'not sent';

/** A change with its outcome. */
export interface EndedChange extends OutgoingChange, Pick<RequestFacts, 'status' | 'error'> {
  outcome: ChangeOutcome;
  /** The id in the answer to a POST: of the row that it made, where its action makes one. */
  made?: string;
}

export interface ChangeHooks {
  /** Called before every change is sent. When it rejects, with one sentence, nothing is sent. */
  beforeChange?: (change: OutgoingChange) => Promise<void>;
  /** Called with the outcome of every change that `beforeChange` let through. */
  onChange?: (change: EndedChange) => void;
}

/** Reports every change before and after it is sent; one that cannot be recorded is not sent. */
export type ChangeAudit = ReturnType<typeof createChangeAudit>;

/**
 * Returns what reports a change, sends it, and reports its outcome. It rejects with an ApiError; `recorded` is its body and
 * what it is, in the platform's words, without secrets.
 */
export function createChangeAudit({ beforeChange, onChange }: ChangeHooks) {
  let lastNumber = 0;
  return async <T extends { status: number; body?: unknown }>(
    line: RequestLine,
    recorded: Omit<OutgoingChange, 'number' | 'method' | 'path'>,
    send: () => Promise<T>,
  ): Promise<T> => {
    const { method, path, wirePath = path } = line;
    const change: OutgoingChange = { number: ++lastNumber, method, path: wirePath, ...recorded };
    try {
      await beforeChange?.(change);
    } catch (error) {
      throw notSent(line, 'unrecorded', (error as Error).message);
    }
    const response = await send().catch(asApiError);
    if (!(response instanceof ApiError)) {
      const made = method === 'POST' ? idIn(response.body) : undefined;
      onChange?.({ ...change, outcome: 'done', status: response.status, ...(made && { made }) });
      return response;
    }
    const { status, message } = response;
    onChange?.({ ...change, outcome: outcomeOf(response), status, error: message });
    throw response;
  };
}

function idIn(answer: unknown): string | undefined {
  const id = isRow(answer) ? answer.id : undefined;
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

function outcomeOf({ kind, maybeSent, status }: ApiError): ChangeOutcome {
  if (kind === 'answer') return maybeSent ? 'answer lost' : 'failed';
  if (!maybeSent && status === undefined) return 'not sent';
  return kind === 'aborted' ? 'aborted' : 'answer lost';
}

import { ApiError, asApiError, type Subject } from './error.ts';

/** A request other than a GET that is about to leave the process. */
export interface OutgoingChange {
  /** Counts from 1, for each client. */
  number: number;
  method: string;
  /** In the platform's words, without query. */
  path: string;
  /** In the platform's words, without secrets. */
  body?: unknown;
}

/**
 * - `done`: the API says so
 * - `failed`: the API answered that it is not
 * - `answer lost`: it was sent and may have been done
 * - `aborted`: it was broken off after it was sent, and may have been done
 * - `not sent`: it was broken off before
 */
export type ChangeOutcome = 'done' | 'failed' | 'answer lost' | 'aborted' | 'not sent';

/** A change that was to leave, with its outcome. */
export interface EndedChange extends OutgoingChange {
  outcome: ChangeOutcome;
  status?: number;
  /** One sentence, unless it is done. */
  error?: string;
}

export interface ChangeHooks {
  /** Told of every change before it leaves; where it rejects, with why as one sentence, nothing is sent. */
  beforeChange?: (change: OutgoingChange) => Promise<void>;
  /** Told what became of every change of which it was told before. */
  onChange?: (change: EndedChange) => void;
}

/** Has every change written down before it leaves: one that cannot be is not sent. */
export class ChangeRecord {
  readonly #hooks: ChangeHooks;
  #last = 0;

  constructor(hooks: ChangeHooks) {
    this.#hooks = hooks;
  }

  /**
   * Tells of a change, sends it, and tells what became of it. Rejects with an ApiError.
   * @param body in the platform's words, without secrets
   */
  async keep<T extends { status: number }>(subject: Subject, body: unknown, send: () => Promise<T>): Promise<T> {
    const { method, path, wirePath = path } = subject;
    const change: OutgoingChange = { number: ++this.#last, method, path: wirePath, body };
    try {
      await this.#hooks.beforeChange?.(change);
    } catch (error) {
      throw new ApiError({ kind: 'unrecorded', method, path, message: (error as Error).message });
    }
    const answer = await send().catch(asApiError);
    if (!(answer instanceof ApiError)) {
      this.#hooks.onChange?.({ ...change, outcome: 'done', status: answer.status });
      return answer;
    }
    const { status, message } = answer;
    this.#hooks.onChange?.({ ...change, outcome: outcomeOf(answer), status, error: message });
    throw answer;
  }
}

function outcomeOf({ kind, maybeSent, status }: ApiError): ChangeOutcome {
  if (kind === 'answer') return 'failed';
  if (!maybeSent && status === undefined) return 'not sent';
  return kind === 'aborted' ? 'aborted' : 'answer lost';
}

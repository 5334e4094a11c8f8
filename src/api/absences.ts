import type { Operation } from '../resources/resource.ts';
import { ApiError, absentError, type Subject } from './error.ts';

/** Statuses that say of an operation that there is no such thing. */
const saysAbsent = (status: number | undefined) => status === 404 || status === 405 || status === 501;

const keyOf = ({ method, path }: Operation) => `${method} ${path}`;

/** Whether a path ends in a parameter: then a 404 speaks of the row that this names. */
const namesRow = ({ path }: Operation) => path.endsWith('}');

/**
 * Operations that the documents do not have and this API does not either, as it said once: they are asked no more.
 * A 404 says so only as long as the operation has not been answered, for later it is the row that has gone.
 */
export class Absences {
  readonly #absent = new Set<string>();
  readonly #answered = new Set<string>();

  /** Sends a request, unless there is no such operation. Rejects with an ApiError of kind `absent` then. */
  async send<T>(operation: Operation, subject: Subject, send: () => Promise<T>): Promise<T> {
    if (!operation.undocumented) return send();
    const key = keyOf(operation);
    if (this.#absent.has(key)) throw absentError(subject);
    try {
      const answer = await send();
      this.#answered.add(key);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'answer' || !saysAbsent(error.status)) throw error;
      if (error.status === 404 && (namesRow(operation) || this.#answered.has(key))) throw error;
      this.#absent.add(key);
      throw absentError(subject);
    }
  }
}

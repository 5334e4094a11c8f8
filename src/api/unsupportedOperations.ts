import type { Operation } from '../resources/resource.ts';
import { ApiError, type RequestLine, unsupportedError } from './error.ts';

/** Statuses with which an API refuses an operation that it does not have. */
const meansUnsupported = (status: number | undefined) => status === 404 || status === 405 || status === 501;

const operationKey = ({ method, path }: Operation) => `${method} ${path}`;

/** A 404 for a path that ends in a parameter may mean the row instead of the operation. */
const endsInParameter = ({ path }: Operation) => path.endsWith('}');

/**
 * Remembers which of the operations beyond the documents this API refused as unknown, and does not send them again.
 * Once an operation has succeeded, a 404 means that its row was deleted.
 */
export class UnsupportedOperations {
  readonly #unsupported = new Set<string>();
  readonly #succeeded = new Set<string>();

  /** Sends a request unless its operation is known to be unsupported. Rejects with an ApiError of kind `unsupported` then. */
  async send<T>(operation: Operation, line: RequestLine, send: () => Promise<T>): Promise<T> {
    if (!operation.undocumented) return send();
    const key = operationKey(operation);
    if (this.#unsupported.has(key)) throw unsupportedError(line);
    try {
      const response = await send();
      this.#succeeded.add(key);
      return response;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'answer' || !meansUnsupported(error.status)) throw error;
      if (error.status === 404 && (endsInParameter(operation) || this.#succeeded.has(key))) throw error;
      this.#unsupported.add(key);
      throw unsupportedError(line);
    }
  }
}

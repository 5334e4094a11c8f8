/** One error of an error body (document 1, 2.1); `field` is left out where no single element is at fault. */
export interface FieldError {
  field?: string;
  reason: string;
}

/** An operation that fails, with the HTTP status and the errors of its body. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[];

  constructor(status: number, errors: readonly FieldError[]) {
    super(errors.map(({ reason }) => reason).join(' '));
    this.status = status;
    this.errors = errors;
  }
}

/** 400 about one field of the request. */
export const invalid = (field: string, reason: string) => new HttpError(400, [{ field, reason }]);

/** 400 about the state of the thing rather than the request. */
export const badRequest = (reason: string) => new HttpError(400, [{ reason }]);

/** 403: the user may not do this, whatever the token's scopes. */
export const forbidden = (reason = 'Unauthorized') => new HttpError(403, [{ reason }]);

/** 404: there is no such thing, or none that belongs to its parent. */
export const notFound = () => new HttpError(404, [{ reason: 'Not found' }]);

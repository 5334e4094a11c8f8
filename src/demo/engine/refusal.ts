/** One complaint of an error body (document 1, 2.1); `field` is left out where no single element is at fault. */
export interface Complaint {
  field?: string;
  reason: string;
}

/** An operation that fails, with the HTTP status and the complaints of its error body. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly Complaint[];

  constructor(status: number, errors: readonly Complaint[]) {
    super(errors.map(({ reason }) => reason).join(' '));
    this.status = status;
    this.errors = errors;
  }
}

/** 400 about one field of the request. */
export const invalid = (field: string, reason: string) => new Refusal(400, [{ field, reason }]);

/** 400 about the state of the thing rather than the request. */
export const refused = (reason: string) => new Refusal(400, [{ reason }]);

/** 400: another job is running on the server. */
export const serverBusy = () => refused('Server busy.');

/** 403: the user may not do this, whatever the token's scopes. */
export const forbidden = (reason = 'Unauthorized') => new Refusal(403, [{ reason }]);

/** 404: there is no such thing, or none that belongs to its parent. */
export const notFound = () => new Refusal(404, [{ reason: 'Not found' }]);

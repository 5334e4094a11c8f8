/** Looks at a value of an answer; what is wrong with it, each with its path. */
export type Shape = (value: unknown, path?: string) => readonly string[];

const seen = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value)?.slice(0, 80));

const that =
  (what: string, holds: (value: unknown) => boolean): Shape =>
  (value, path = 'body') =>
    holds(value) ? [] : [`${path}: ${seen(value)} is not ${what}`];

export const integer = that('an integer', Number.isInteger);
export const number = that('a number', Number.isFinite);
export const text = that('a text', (value) => typeof value === 'string');
export const boolean = that('a boolean', (value) => typeof value === 'boolean');
export const date = that('a date-time', (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(String(value)));
/** The documents leave it open. */
export const anything: Shape = () => [];

export const matching = (pattern: RegExp) => that(`like ${pattern}`, (value) => pattern.test(String(value)));
export const oneOf = (...options: readonly unknown[]) =>
  that(`one of ${options.join(', ')}`, (v) => options.includes(v));

export const nullable =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path);

/** May be missing or null. */
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined || value === null ? [] : shape(value, path);

export const list =
  (shape: Shape): Shape =>
  (value, path = 'body') =>
    Array.isArray(value) ? value.flatMap((item, n) => shape(item, `${path}.${n}`)) : [`${path}: not a list`];

/** An object with at least these fields; others pass. */
export const object =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, path = 'body') =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(fields).flatMap(([name, shape]) =>
          shape((value as Record<string, unknown>)[name], `${path}.${name}`),
        )
      : [`${path}: ${seen(value)} is not an object`];

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) => {
    const complaints = shapes.map((shape) => shape(value, path));
    return complaints.some((wrong) => wrong.length === 0) ? [] : complaints.flat();
  };

/** The answer of an operation that only acts (document 1, 2.1). */
export const nothing: Shape = (value, path = 'body') =>
  object({})(value, path).length === 0 && Object.keys(value as object).length === 0
    ? []
    : [`${path}: ${seen(value)} is not {}`];

/** A paginated collection (document 1, 2.1). */
export const pageOf = (shape: Shape) => object({ data: list(shape), page: integer, pages: integer, results: integer });

/** An error body (document 1, 2.1 and 7). */
export const errorBody: Shape = (value, path) => {
  const wrong = object({ errors: list(object({ field: optional(text), reason: matching(/\S/) })) })(value, path);
  const none = wrong.length === 0 && (value as { errors: unknown[] }).errors.length === 0;
  return none ? ['errors: empty'] : wrong;
};

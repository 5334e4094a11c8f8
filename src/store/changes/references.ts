import { isRow, type Row } from '../../resources/row.ts';

/** The place of a value of the row that an earlier step makes: its id, or another of its fields. */
export interface StepReference {
  /** The id of the step. */
  $step: number;
  /** A path in that row, such as `ipv4.0`; its id by default. */
  field?: string;
}

/** Whether a value stands for one of a row yet to be made. */
export const isReference = (value: unknown): value is StepReference & Row =>
  isRow(value) && typeof value.$step === 'number';

/** The references in a value, each with its place. */
export function referencesIn(
  value: unknown,
  path: readonly string[] = [],
): readonly (StepReference & { path: readonly string[] })[] {
  if (isReference(value)) return [{ ...value, path }];
  const parts = Array.isArray(value) || isRow(value) ? Object.entries(value) : [];
  return parts.flatMap(([name, part]) => referencesIn(part, [...path, name]));
}

/** A value with others in the places of its parts; a part for which there is none stays. */
function replaced(value: unknown, other: (part: unknown) => unknown): unknown {
  const found = other(value);
  if (found !== undefined) return found;
  if (Array.isArray(value)) return value.map((one) => replaced(one, other));
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, other)]));
}

/** A value with what stands in the places of its references. */
export const withReferences = <T>(value: T, filled: (reference: StepReference) => unknown): T =>
  replaced(value, (part) => (isReference(part) ? filled(part) : undefined)) as T;

/** A reference as it is entered in a field: `{step 2}`, `{step 2: ipv4.0}`. */
const token = /\{step (\d+)(?:: ([\w.-]+))?\}/;
const wholeToken = new RegExp(`^${token.source}$`);

/** The entry that stands for the row of a step, or for a field of it. */
export const tokenOf = ({ $step, field }: StepReference): string =>
  `{step ${$step}${field === undefined ? '' : `: ${field}`}}`;

/** Whether something is so of a value, or of anything in it. */
export const isAnywhere = (value: unknown, is: (part: unknown) => boolean): boolean =>
  is(value) || ((Array.isArray(value) || isRow(value)) && Object.values(value).some((one) => isAnywhere(one, is)));

/** Whether an entry, or anything in a body, stands for the row of a step. */
export const hasToken = (value: unknown): boolean =>
  isAnywhere(value, (part) => typeof part === 'string' && token.test(part));

/** A value with references in the place of tokens. */
export const withTokens = <T>(value: T): T =>
  replaced(value, (part) => {
    const [, id, field] = typeof part === 'string' ? (wholeToken.exec(part) ?? []) : [];
    return id === undefined ? undefined : { $step: Number(id), ...(field !== undefined && { field }) };
  }) as T;

import { isRow, type Row } from '../../resources/row.ts';
import { isReference, type StepReference } from './plan.ts';

/** A reference as it is entered in a field: `{step 2}`, `{step 2: ipv4.0}`. */
const token = /\{step (\d+)(?:: ([\w.-]+))?\}/;
const wholeToken = new RegExp(`^${token.source}$`);

/** The entry that stands for the row of a step, or for a field of it. */
export const tokenOf = ({ $step, field }: StepReference): string =>
  `{step ${$step}${field === undefined ? '' : `: ${field}`}}`;

/** A value with tokens in the place of its references, as forms have them. */
export const withoutReferences = (value: Row): Row =>
  Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isReference(one) ? tokenOf(one) : isRow(one) ? withoutReferences(one) : one,
    ]),
  );

/** Whether an entry, or anything in a body, stands for the row of a step. */
export function hasToken(value: unknown): boolean {
  if (typeof value === 'string') return token.test(value);
  if (Array.isArray(value)) return value.some(hasToken);
  return isRow(value) && Object.values(value).some(hasToken);
}

/** A value with references in the place of tokens. */
export function withTokens(value: unknown): unknown {
  if (typeof value === 'string') {
    const [, id, field] = wholeToken.exec(value) ?? [];
    return id === undefined ? value : { $step: Number(id), ...(field !== undefined && { field }) };
  }
  if (Array.isArray(value)) return value.map(withTokens);
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTokens(one)]));
}

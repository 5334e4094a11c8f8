/** Keeps the rules of descriptions from failing on rows that are not as the documents say. */

import type { Resource } from './description.ts';
import { isNameless } from './identity.ts';
import { type CacheView, isRow, type Row } from './row.ts';

type Rule = (...given: readonly unknown[]) => unknown;

const notUnderstood = 'the API describes it in a way that Skydeck does not understand';
const nameless = 'the API gives it no id, so nothing can be done to it';
const unknownLoss =
  'What this does cannot be told, because the API describes it in a way that Skydeck does not understand.';

/** Stands in for a rule that fails, by its name; undefined for all others. */
const standIns: Readonly<Record<string, unknown>> = {
  refuse: notUnderstood,
  warning: unknownLoss,
  question: unknownLoss,
  together: unknownLoss,
  start: {},
  by: [],
  theirs: [],
};

/** A row has another shape than the rule takes it to have; other errors are no matter of rows. */
const isAboutShape = (error: unknown) => [TypeError, RangeError, URIError].some((kind) => error instanceof kind);

function tolerantRule(name: string, rule: Rule): Rule {
  return (...given) => {
    try {
      return rule(...given);
    } catch (error) {
      if (!isAboutShape(error)) throw error;
      return standIns[name];
    }
  };
}

function tolerantPart(name: string, part: unknown): unknown {
  if (typeof part === 'function') return tolerantRule(name, part as Rule);
  if (Array.isArray(part)) {
    const safe = part.map((item) => tolerantPart(name, item));
    return safe.some((item, index) => item !== part[index]) ? safe : part;
  }
  if (part === null || typeof part !== 'object' || Object.getPrototypeOf(part) !== Object.prototype) return part;
  // Most parts hold no rules; all descriptions are read at every start.
  let safe: Record<string, unknown> | undefined;
  for (const key in part) {
    const value = (part as Row)[key];
    const own = tolerantPart(key, value);
    if (own === value) continue;
    safe ??= { ...part };
    safe[key] = own;
  }
  return safe ?? part;
}

type Refusing = { refuse?: (row: Row, known: CacheView) => string | undefined };

/** The same, refused for rows that no request can name. */
const needingId = <T extends Refusing>(action: T): T => ({
  ...action,
  refuse: (row, known) => (isRow(row) && isNameless(row) ? nameless : action.refuse?.(row, known)),
});

/** The actions on rows of a resource. */
const rowActions = ({ edit, remove, actions, shortcuts }: Resource): Partial<Resource> => ({
  ...(edit && { edit: needingId(edit) }),
  ...(remove && { remove: needingId(remove) }),
  ...(actions && { actions: actions.map(needingId) }),
  ...(shortcuts && { shortcuts: shortcuts.map(needingId) }),
});

/**
 * The description with rules that take rows as they come: where one stumbles over a shape, it says nothing, or that
 * nothing can be said, and an action is refused. A label is always a text, by which a row can be called.
 */
export function tolerant(description: Resource): Resource {
  const { status, ...safe } = tolerantPart('', description) as Resource;
  const label = (row: Row) => {
    const called: unknown = safe.label(row);
    return typeof called === 'string' ? called : String(called ?? row[safe.id]);
  };
  const word = (row: Row) => {
    const told: unknown = status?.(row);
    return typeof told === 'string' ? told : undefined;
  };
  return { ...safe, ...rowActions(safe), label, ...(status && { status: word }) };
}

/** Keeps a rule that fails on a row from taking the screen with it, and has it told. */

import { clean } from '../text/cells.ts';
import type { Column, Resource } from './description.ts';
import { isNameless } from './identity.ts';
import { type CacheView, isRow, type Row } from './row.ts';

type AnyFunction = (...given: readonly unknown[]) => unknown;

const notUnderstood = 'Skydeck does not understand how the API describes it';
const nameless = 'the API gives it no id, so no action can name it';
const unknownLoss = 'Skydeck cannot tell what this does, because it does not understand how the API describes it.';

const unknownCost = 'Skydeck cannot tell it, because it does not understand how the API describes it';

/** Stands in for a rule that fails, by its name; undefined for all others. */
const standIns: Readonly<Record<string, unknown>> = {
  refuse: notUnderstood,
  warning: unknownLoss,
  question: unknownLoss,
  together: unknownLoss,
  cost: unknownCost,
  inverse: `${notUnderstood}.`,
  start: {},
  by: [],
  theirs: [],
  graphs: [],
  loads: [],
};

/** Told of rules that fail; while nobody is, a failure is thrown, so that no test passes over one. */
let told: ((sentence: string) => void) | undefined;
/** The resources whose failure has been told. */
const failed = new Set<string>();

/** Has rules that fail told, one of each resource, in place of thrown. Returns an unsubscribe function. */
export function onFailedRule(tell: (sentence: string) => void): () => void {
  told = tell;
  failed.clear();
  return () => {
    told = undefined;
  };
}

/** The rule of a resource with something to answer in its place where it fails on a row. */
export const safeRule =
  <Given extends readonly unknown[], Answer>(
    owner: string,
    rule: (...given: Given) => Answer,
    standIn: Answer,
  ): ((...given: Given) => Answer) =>
  (...given) => {
    try {
      return rule(...given);
    } catch (error) {
      // Those of the language itself: a rule may hear of others from what it asks, which are not its own.
      if (!told || ![TypeError, RangeError, URIError].some((kind) => error instanceof kind)) throw error;
      if (!failed.has(owner)) told(`${owner}: a rule failed: ${clean(String(error))}`);
      failed.add(owner);
      return standIn;
    }
  };

function safePart(owner: string, name: string, part: unknown): unknown {
  if (typeof part === 'function') return safeRule(owner, part as AnyFunction, standIns[name]);
  if (Array.isArray(part)) {
    const safe = part.map((item) => safePart(owner, name, item));
    return safe.some((item, index) => item !== part[index]) ? safe : part;
  }
  if (part === null || typeof part !== 'object' || Object.getPrototypeOf(part) !== Object.prototype) return part;
  // Most parts hold no rules; all descriptions are read at every start.
  let safe: Record<string, unknown> | undefined;
  for (const key in part) {
    const value = (part as Row)[key];
    const own = safePart(owner, key, value);
    if (own === value) continue;
    safe ??= { ...part };
    safe[key] = own;
  }
  return safe ?? part;
}

type Refusing = { refuse?: (row: Row, view: CacheView) => string | undefined };

/** The same, refused for rows that no request can name. */
const needingId = <T extends Refusing>(action: T): T => ({
  ...action,
  refuse: (row, view) => (isRow(row) && isNameless(row) ? nameless : action.refuse?.(row, view)),
});

/** Finishes a part whose rules are safe already, by its name. */
const finished: { readonly [Name in keyof Resource]?: (part: NonNullable<Resource[Name]>, safe: Resource) => unknown } =
  {
    edit: needingId,
    remove: needingId,
    actions: (actions) => actions.map(needingId),
    shortcuts: (shortcuts) => shortcuts.map(needingId),
    columns: (columns, safe) => columns.map((column) => withOptions(column, safe)),
    label: (label, safe) => (row: Row) => {
      const called: unknown = label(row);
      return typeof called === 'string' ? called : String(called ?? row[safe.id]);
    },
  };

/** Makes parts of a description, by their names. */
export type PartMakers = { readonly [Name in keyof Resource]?: () => Resource[Name] };

/**
 * The description with rules that fail on no row: one that does says nothing, or that nothing can be said, and an action
 * is refused. A label is always a text, by which a row can be called. Each part is made when it is first asked for: a
 * start needs few of them.
 */
export function safeDescription(description: Resource, makers: PartMakers = {}): Resource {
  const safe = {} as Resource;
  for (const name of Object.keys({ ...description, ...makers }) as (keyof Resource)[]) {
    const make = makers[name];
    const part = make ?? description[name];
    const isPlain = part === null || (typeof part !== 'object' && typeof part !== 'function');
    const get = () => {
      const own = safePart(description.many, name, make ? make() : part);
      const value = finished[name]?.(own as never, safe) ?? own;
      Object.defineProperty(safe, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(
      safe,
      name,
      isPlain ? { value: part, enumerable: true } : { get, enumerable: true, configurable: true },
    );
  }
  return safe;
}

/** A column of a choice has the options of its field as its words. */
function withOptions(column: Column, { fields }: Resource): Column {
  const { kind, options, numeric } = (typeof column.value === 'string' && fields[column.value]) || {};
  return kind === 'choice' && options && !numeric && !column.words ? { ...column, words: options } : column;
}

import { ApiError } from '../../api/error.ts';
import { idIn } from '../../resources/identity.ts';
import { knownResource } from '../../resources/index.ts';
import { ancestorsOf, rowParamNames } from '../../resources/relations.ts';
import type { CacheView, Draft, Resource, Row } from '../../resources/resource.ts';
import { type Change, cachedRow } from '../changes/change.ts';
import { rowNow } from '../changes/readAgain.ts';
import { isReference } from '../changes/references.ts';
import type { Stores } from '../stores.ts';
import { ownBefore, withoutOwn } from './own.ts';
import { type PlannedRecord, type PlanStep, type Steps, stepNumber } from './plan.ts';
import { type NamedRow, namedRow, referredRows, type Told } from './stepFields.ts';

/** The key of a row in the names of a step: `nodebalancer-configs/7/12`. */
export const keyOf = ({ resource, params }: NamedRow): string => [resource.name, ...Object.values(params)].join('/');

/** The row of a key; undefined where it names none. */
function rowOfKey(key: string): NamedRow | undefined {
  const [name = '', ...parts] = key.split('/');
  const resource = knownResource(name);
  if (!resource) return undefined;
  const names = rowParamNames(resource);
  const last = names.length - 1;
  const given = names.map((param, at) => [param, (at < last ? parts[at] : parts.slice(at).join('/')) ?? '']);
  return namedRow(resource, Object.fromEntries(given));
}

/** The rows that a change names besides its own: those that it lies in, and those that its values refer to. */
export const namedBy = (change: Change, entries?: Draft): readonly NamedRow[] => [
  ...ancestorsOf(change.resource).flatMap((one) => namedRow(one, change.params) ?? []),
  ...referredRows(change, entries),
];

/** The names of the rows that a change names, as far as they are loaded. */
export function namesFor(change: Change, entries: Draft, view: CacheView): PlannedRecord['names'] {
  const found = namedBy(change, entries).flatMap((one) => {
    const row = one.resource.catalogue ? undefined : cachedRow(view, one.resource, one.params);
    return row ? [[keyOf(one), one.resource.label(row)] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

type Named = Pick<PlannedRecord, 'params' | 'names'>;

/** The name of a row as it is loaded, else as the step knows it. */
export function nameOf(one: NamedRow, view: CacheView, { names = {} }: Pick<Named, 'names'>): string | undefined {
  const row = cachedRow(view, one.resource, one.params);
  const name = row ? one.resource.label(row) : names[keyOf(one)];
  return name === '' ? undefined : name;
}

/** Where the row of a step lies: `in zone alpha.example`, `at port 443 of NodeBalancer web-lb`; empty where it lies in nothing. */
export function whereWords(record: Named, resource: Resource, around: Told): string {
  let below = resource;
  const words: string[] = [];
  for (const parent of ancestorsOf(resource)) {
    const said = parentName(parent, record, around);
    if (said !== undefined) words.push((below.within ?? `of ${parent.one} {}`).replace('{}', () => said));
    below = parent;
  }
  return words.join(' ');
}

function parentName(parent: Resource, record: Named, around: Told): string | undefined {
  const given = record.params[parent.param];
  if (isReference(given)) {
    const made = around.steps.find(({ id }) => id === given.$step);
    return `${made?.record.label ?? ''} (step ${stepNumber(around, given.$step)})`.trim();
  }
  const params = Object.fromEntries(
    Object.entries(record.params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const one = namedRow(parent, params);
  return (one && nameOf(one, around.view, record)) ?? idIn(parent, params);
}

/**
 * Why a step is refused because a row that it names has another name, or is gone, as a sentence. Rejects with an ApiError.
 */
export async function otherNames(stores: Stores, plan: Steps, step: PlanStep): Promise<string | undefined> {
  for (const [key, name] of Object.entries(step.record.names ?? {})) {
    const one = rowOfKey(key);
    if (!one) return `The plan calls ${key} ${name}, and that is no row.`;
    const row = cachedRow(stores.view, one.resource, one.params) ?? (await rowIfAllowed(stores, one));
    const why = row === 'hidden' ? undefined : otherName(plan, step, one, name, row);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The same by what is loaded alone. */
export function loadedOtherName(view: CacheView, plan: Steps, step: PlanStep): string | undefined {
  const named = Object.entries(step.record.names ?? {}).map(([key, name]) => {
    const one = rowOfKey(key);
    const row = one && cachedRow(view, one.resource, one.params);
    return row && otherName(plan, step, one, name, row);
  });
  return named.find((why) => why !== undefined);
}

/** A row as the API has it now; that a token may not see it is no reason to refuse what the token may do. Rejects with an ApiError. */
async function rowIfAllowed(stores: Stores, one: NamedRow): Promise<Row | 'hidden' | undefined> {
  try {
    return await rowNow(stores, one);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return 'hidden';
    throw error;
  }
}

/** Why a step is refused that names a row otherwise than it is called, unless a step before it has renamed it. */
function otherName(plan: Steps, step: PlanStep, one: NamedRow, name: string, row: Row | undefined): string | undefined {
  const { resource, params } = one;
  if (!row) return `The ${resource.one} ${name}, which it needs, is gone; nothing was sent.`;
  const own = ownBefore(plan, { ...step, record: { ...step.record, resource: resource.name, params } });
  const now = resource.label(withoutOwn(row, own));
  return now === name ? undefined : renamedText(resource, name, now);
}

/** Why a step is refused that calls a row otherwise than the API, as a sentence. */
export const renamedText = ({ one }: Pick<Resource, 'one'>, name: string, now: string): string =>
  `The plan calls this ${one} ${name}, and it is ${now}: look at which of them is meant, then edit the step, or delete it; nothing was sent.`;

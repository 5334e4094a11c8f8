import { redacted } from '../../api/redact.ts';
import { entryOf, formFields } from '../../resources/body.ts';
import { isId, paramsFrom } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { entriesIn } from '../../resources/inverse.ts';
import { type ResourceAction, rowParams } from '../../resources/relations.ts';
import { type Field, knownField, type Resource } from '../../resources/resource.ts';
import { at, type CacheView, type Draft, isRow, type Params, type Row } from '../../resources/row.ts';
import { verdictOf } from '../../resources/verdict.ts';
import type { Change } from '../changes/change.ts';
import { isReference } from '../changes/references.ts';
import type { Steps } from './plan.ts';
import { isRedacted } from './stepChange.ts';

/** The surroundings of a step. */
export interface Around extends Steps {
  /** All that is loaded; absent where no account is asked, so that only the step tells. */
  view?: CacheView;
  glyphs?: 'unicode' | 'ascii';
}

/** The same, with a view that may know nothing. */
export type Told = Around & { view: CacheView };

/** The field at a dotted path of a body; those of a list are alike at every place. */
export const fieldAt = ({ resource, action }: ResourceAction, path: string): Field | undefined =>
  knownField(resource, action, path) ?? knownField(resource, action, path.replace(/\.\d+\./, '.0.'));

/** Whether a list holds objects whose parts are fields. */
const isListOfParts = ({ resource, action }: ResourceAction, path: string): boolean =>
  Object.keys({ ...resource.fields, ...action.fields }).some((name) => name.startsWith(`${path}.0.`));

/** The values that a step sends by their dotted paths, without secrets; what is one field is one value. */
export const leavesOfStep = (change: Change): readonly (readonly [path: string, value: unknown])[] =>
  isRow(change.body) ? leavesIn(change, redacted(change.body) as Row) : [];

function leavesIn(of: ResourceAction, part: object, prefix = ''): readonly (readonly [path: string, value: unknown])[] {
  return Object.entries(part).flatMap(([key, value]) => {
    const path = prefix + key;
    const isWhole = knownField(of.resource, of.action, path) !== undefined || isReference(value);
    const isOpen = Array.isArray(value) ? isListOfParts(of, path) : isRow(value);
    return !isWhole && isOpen && Object.keys(value as object).length > 0
      ? leavesIn(of, value as object, `${path}.`)
      : [[path, value] as const];
  });
}

/** A row that a step names besides its own. */
export interface NamedRow {
  resource: Resource;
  /** Those that name it and its parents. */
  params: Params;
}

/** The row that a resource and parameters name; undefined where one is missing, or not known yet. */
export function namedRow(resource: Resource, given: Params): NamedRow | undefined {
  const params = rowParams(resource, given);
  const isKnown = params && Object.values(params).every((value) => value !== '' && !value.startsWith('{'));
  return isKnown ? { resource, params } : undefined;
}

/** The entries of a step's form that tell below which rows others lie. */
export const draftOfStep = (change: Change, entries: Draft = {}): Draft => ({
  ...Object.fromEntries(leavesOfStep(change).flatMap(([path, value]) => (isId(value) ? [[path, String(value)]] : []))),
  ...entries,
});

/** The rows that the values of a step refer to, before and after. */
export function referredRows(change: Change, entries: Draft = {}): readonly NamedRow[] {
  const leaves = leavesOfStep(change);
  const draft = draftOfStep(change, entries);
  const left = Object.entries(change.action.leaves ?? {});
  return [...leaves, ...left].flatMap(([path, value]) => {
    const field = fieldAt(change, path);
    return field ? [value, at(change.before, path)].flatMap((one) => rowsIn(field, one, change.params, draft)) : [];
  });
}

/** The rows that a value of a field names. */
export function rowsIn(field: Field, value: unknown, params: Params, draft: Draft = {}): readonly NamedRow[] {
  return idsIn(field, value).flatMap(([name, id]) => {
    const resource = resourceNamed(name);
    return namedRow(resource, { ...params, ...field.under?.(draft, params), ...paramsFrom(resource, id) }) ?? [];
  });
}

/** The ids in a value of a field, each with the resource that it is of. */
function idsIn(
  { kind, to }: Field,
  value: unknown,
): readonly (readonly [resource: Parameters<typeof resourceNamed>[0], id: string])[] {
  if (kind === 'device') {
    const [disk, volume] = [at(value, 'disk_id'), at(value, 'volume_id')];
    return isId(disk) ? [['disks', String(disk)]] : isId(volume) ? [['volumes', String(volume)]] : [];
  }
  if (typeof to !== 'string' || (kind !== 'reference' && kind !== 'references')) return [];
  const ids = [value].flat().filter((one) => typeof one === 'string' || typeof one === 'number');
  return ids.map((id) => [to, String(id)] as const);
}

/**
 * Why a value that a step sends breaks the rule of its field, or one that it needs is missing, as a sentence; undefined where
 * all may be sent, as far as that can be told before its turn.
 */
export function wrongValueOf(change: Change, view: CacheView): string | undefined {
  const { resource, action, changes, body, before } = change;
  const draft = entriesIn(resource, action, isRow(body) ? body : {});
  // A rule that looks at other fields needs them all, as they stand in the form.
  const isForm = !changes && !action.send;
  const sent = changes ? Object.entries({ ...changes.set, ...changes.add }) : leavesOfStep(change);
  for (const [path, value] of sent) {
    const field = knownField(resource, action, path);
    if (!field || isRedacted(value) || [value].flat().some(isRow)) continue;
    const own = isForm ? field : { ...field, check: undefined };
    const says = verdictOf(own, false, entryOf(field, value), draft, view, before);
    if (says !== undefined) return says;
  }
  const needed = isForm ? formFields(resource, action, draft, before, view) : [];
  const missing = needed.find(({ name, field, required }) => required && !field.local && draft[name] === undefined);
  return missing && `${missing.field.label} is required.`;
}

import { aNoun, sentence } from '../text/words.ts';
import type { Action, Done, Inverse, InverseSketch } from './action.ts';
import { bodyOf, deviceBody, draftOf, emptiedValue, entryOf, isBlank, isPatch } from './body.ts';
import { isSameEntry } from './edits.ts';
import { type Field, isSecret } from './field.ts';
import { paramsIn, paramsOf } from './identity.ts';
import { actionNamed, creationsOf, resourceNamed } from './index.ts';
import { bodyNames, knownField, type Resource } from './resource.ts';
import { at, type CacheView, type Draft, type Entry, emptyView, isEmpty, isRow, type Row } from './row.ts';

/** Why a change cannot be taken back, as a sentence. */
export interface Irreversible {
  why: string;
}

/**
 * The change that takes back one that was done, or why there is none.
 * @param view where what the row does not tell is looked up, as it was before the change
 */
export function inverseOf(
  resource: Resource,
  action: Action,
  done: Done,
  view: CacheView = emptyView,
): Inverse | Irreversible {
  const { inverse } = action;
  if (typeof inverse === 'string') return { why: inverse };
  const sketch = inverse?.(done, view);
  if (typeof sketch === 'string') return { why: sketch };
  if (sketch) return completed(resource, sketch, done, view);
  if (isPatch(action)) return editBack(resource, action, done);
  if (creationsOf(resource).includes(action)) return deletionOf(resource, done);
  return { why: 'The API has no action that does it.' };
}

/** The change that a sketch means: an edit of what was touched, the deletion of what was made, or any by its entries. */
function completed(own: Resource, sketch: InverseSketch, done: Done, view: CacheView): Inverse | Irreversible {
  const { action: named, entries, differs, first, made } = sketch;
  const resource = sketch.resource === undefined ? own : resourceNamed(sketch.resource);
  const action = actionNamed(resource, named);
  const also = (inverse: Inverse | Irreversible) =>
    'why' in inverse || !differs ? inverse : { ...inverse, differs: [...differs, ...(inverse.differs ?? [])] };
  if (isPatch(action) && !entries) return also(editBack(resource, action, done));
  if (action === resource.remove && !sketch.params) {
    const deletion = also(deletionOf(resource, done));
    return 'why' in deletion || !first ? deletion : { ...deletion, first };
  }
  const { before } = done;
  const isMade = creationsOf(resource).includes(action);
  if (isMade && !before) return { why: `It is not known how this ${own.one} was.` };
  const filled = isMade && before ? { ...filledEntries(draftOf(resource, action, before)), ...entries } : entries;
  const params = sketch.params ?? (isMade ? paramsIn(action.path, done.params) : done.params);
  const body = bodyOf(resource, action, filled ?? {}, isMade ? undefined : before, view);
  return {
    resource: resource.name,
    action: action.name,
    params,
    ...(body && { body }),
    ...(filled && { entries: filled }),
    ...(differs && { differs }),
    ...(made && { made }),
  };
}

const filledEntries = (draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([, one]) => !isBlank(one)));

/** The same edit with the values that were there. */
function editBack(resource: Resource, action: Action, { params, body, before }: Done): Inverse | Irreversible {
  if (!body || !before) return { why: `It is not known how this ${resource.one} was.` };
  const { body: former, lost } = formerBody(resource, action, body, before);
  const [why] = lost;
  if (why && Object.keys(former).length === 0) return { why: sentence(`${why.label}: ${why.says}`) };
  return {
    resource: resource.name,
    action: action.name,
    params,
    body: former,
    entries: changedEntries(entriesIn(resource, action, former), entriesIn(resource, action, body)),
    ...(lost.length > 0 && { differs: lost.map(({ label, says }) => `${label} stays, as ${says}`) }),
  };
}

/** The entries that an edit has changed: where a whole goes at once, it has parts that the edit left as they were. */
function changedEntries(former: Draft, sent: Draft): Draft {
  const changed = Object.entries(former).filter(([name, entry]) => !isSameEntry(entry, sent[name]));
  return changed.length > 0 ? Object.fromEntries(changed) : former;
}

/** The entries of a form for what a body has values for; what is taken away is blank. */
export const entriesIn = (resource: Resource, action: Action, body: Row): Draft =>
  Object.fromEntries(
    bodyNames(action).flatMap((name): readonly (readonly [string, Entry])[] => {
      const value = at(body, name);
      const field = knownField(resource, action, name);
      return value === undefined || !field ? [] : [[name, value === null ? '' : (entryOf(field, value) ?? '')]];
    }),
  );

/** A value that cannot be there again, and why, as a clause. */
interface Lost {
  label: string;
  says: string;
}

/** The values of a row in the places of a body, but for those that cannot be there again. */
function formerBody(
  resource: Resource,
  action: Action,
  body: Row,
  before: Row,
  path = '',
): { body: Row; lost: readonly Lost[] } {
  const former: Record<string, unknown> = {};
  const lost: Lost[] = [];
  for (const [name, sent] of Object.entries(body)) {
    const place = `${path}${name}`;
    const field = knownField(resource, action, place);
    if (!field && isRow(sent)) {
      const inner = formerBody(resource, action, sent, before, `${place}.`);
      lost.push(...inner.lost);
      if (inner.lost.length === 0 || Object.keys(inner.body).length > 0) former[name] = inner.body;
      continue;
    }
    const value = at(before, place);
    if (field && (field.hidden !== undefined || isSecret(field))) {
      if (!isEmpty(value)) lost.push({ label: field.label, says: 'what was there cannot be read back' });
      continue;
    }
    const was = field && isEmpty(value) ? emptyAs(field) : (value ?? null);
    if (was !== undefined) former[name] = was;
    if (was !== undefined || isEmpty(sent)) continue;
    const says =
      value === undefined ? 'what was there is not known' : 'there was nothing, and the API does not take it away';
    lost.push({ label: field?.label ?? name, says });
  }
  return { body: former, lost };
}

/** The value that is sent where there was none; undefined where that cannot be. */
const emptyAs = (field: Field): unknown => (field.kind === 'device' ? deviceBody(undefined) : emptiedValue(field));

function deletionOf(resource: Resource, { params, made }: Done): Inverse | Irreversible {
  const { name, one, remove } = resource;
  if (!remove) return { why: `No operation deletes ${aNoun(one)}.` };
  if (!made) return { why: `It is not known which ${one} was made.` };
  const time = timeNamed(resource);
  const marks = made[time] !== undefined && { made: { [time]: made[time] as Entry } };
  return { resource: name, action: remove.name, params: paramsOf(resource, made, params), ...marks };
}

/** Whether whoever makes a row chooses its id, so that another one can have it later. */
export const isNamedByUsers = (resource: Resource): boolean =>
  creationsOf(resource).some((creation) => bodyNames(creation).includes(resource.id));

/** Whether a row that users name was made at another time than one of its name before. */
export function isMadeAnew(resource: Resource, before: Row | undefined, now: Row | undefined): boolean {
  const [then, since] = [before, now].map((row) => row?.[timeNamed(resource)]);
  return then !== undefined && since !== undefined && then !== since;
}

/** The field with the time at which a row was made, which tells it from others of its name; blank where none can have that. */
const timeNamed = (resource: Resource): string => (isNamedByUsers(resource) && resource.create?.shownBy?.time) || '';

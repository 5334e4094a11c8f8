import type { Action, Done, Inverse, InverseSketch } from './action.ts';
import { emptiedValue, isPatch } from './body.ts';
import type { Resource } from './description.ts';
import type { Field } from './field.ts';
import { paramsIn, paramsOf } from './identity.ts';
import { actionsOf, creationsOf, resourceNamed } from './index.ts';
import { at, isRow, type Row } from './row.ts';

/** Why a change cannot be taken back, as a sentence. */
export interface Irreversible {
  why: string;
}

/** The change that takes back one that was done, or why there is none. */
export function inverseOf(resource: Resource, action: Action, done: Done): Inverse | Irreversible {
  const { inverse } = action;
  if (typeof inverse === 'string') return { why: inverse };
  if (inverse) {
    const found = inverse(done);
    return typeof found === 'string' ? { why: found } : completed(resource, found, done);
  }
  if (isPatch(action)) return editBack(resource, action, done);
  if (creationsOf(resource).includes(action)) return deletionOf(resource, done);
  return { why: `Nothing is known that takes this back.` };
}

/** The same edit with the values that were there. */
function editBack(resource: Resource, action: Action, { params, body, before }: Done): Inverse | Irreversible {
  if (!body || !before) return { why: `It is not known how this ${resource.one} was before.` };
  const { body: sent, missing } = formerBody(resource, action, body, before);
  if (missing.length > 0) {
    const labels = missing.map(({ label }) => label).join(', ');
    return { why: `${labels}: there was no value before, and the API does not take one away.` };
  }
  return { resource: resource.name, action: action.name, params, body: sent };
}

/** The values of a row in the places of a body; `missing` are the fields that cannot be empty again. */
function formerBody(
  resource: Resource,
  action: Action,
  body: Row,
  before: Row,
  path = '',
): { body: Row; missing: readonly Field[] } {
  const missing: Field[] = [];
  const former = Object.entries(body).map(([name, sent]) => {
    const place = `${path}${name}`;
    const value = at(before, place);
    const field = action.fields?.[place] ?? resource.fields[place];
    if (isRow(sent) && !field) {
      const inner = formerBody(resource, action, sent, before, `${place}.`);
      missing.push(...inner.missing);
      return [name, inner.body];
    }
    if (!field || !isEmpty(value)) return [name, value ?? null];
    const emptied = emptiedValue(field);
    if (emptied === undefined && !isEmpty(sent)) missing.push(field);
    return [name, emptied];
  });
  return { body: Object.fromEntries(former), missing };
}

/** Whether a row has no value there. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The deletion of a row that was made. */
function deletionOf(resource: Resource, { params, made }: Done): Inverse | Irreversible {
  const { name, one, remove } = resource;
  if (!remove) return { why: `A ${one} cannot be deleted.` };
  if (!made) return { why: `It is not known which ${one} was made.` };
  return { resource: name, action: remove.name, params: paramsOf(resource, made, params) };
}

/** A sketch with what follows from the row: of an action that makes rows the body and the parameters of its path. */
function completed(own: Resource, sketch: InverseSketch, { params, before }: Done): Inverse | Irreversible {
  const resource = sketch.resource === undefined ? own : resourceNamed(sketch.resource);
  const action = actionsOf(resource).find(({ name }) => name === sketch.action);
  if (!action) throw new Error(`${resource.name} has no action ${sketch.action}`);
  const isMade = creationsOf(resource).includes(action);
  if (isMade && !sketch.body && !before) return { why: `It is not known how this ${own.one} was.` };
  return {
    ...sketch,
    resource: resource.name,
    params: sketch.params ?? (isMade ? paramsIn(action.path, params) : params),
    ...(isMade && before && { body: sketch.body ?? bodyFrom(resource, action, before) }),
  };
}

/** The body that makes a row like this one: the fields of the action that the row has values for. */
function bodyFrom({ fields }: Resource, action: Action, row: Row): Row {
  const names = (action.body ?? []).map((name) => name.replace(/!$/, ''));
  const own = names.filter((name) => !(action.fields?.[name] ?? fields[name])?.local && !isEmpty(at(row, name)));
  return Object.fromEntries(own.map((name) => [name, at(row, name)]));
}

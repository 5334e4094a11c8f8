import { paramsIn } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Operation, Params, Resource } from '../resources/resource.ts';

/** An operation of a resource, by its name there, with its parameters. */
export interface Question {
  resource: string;
  operation: string;
  params: Params;
}

/** The key of a question: the same question has the same key. */
export function keyOf({ resource, operation, params }: Question): string {
  const names = Object.keys(params).sort();
  return `${resource}.${operation}?${names.map((name) => `${name}=${encodeURIComponent((params[name] ?? '').toWellFormed())}`).join('&')}`;
}

/** Makes the keys of questions that are asked for again and again, once each. */
export function createKeys(): (question: Question) => string {
  const keys = new WeakMap<Question, string>();
  return (question) => {
    const known = keys.get(question);
    if (known !== undefined) return known;
    const key = keyOf(question);
    keys.set(question, key);
    return key;
  };
}

/** Whether the answer is made by the program itself, so that nothing is to be asked. */
export const isLocal = ({ resource }: Question): boolean => resourceNamed(resource).local === true;

/** The question for one row alone: of these parameters it has those that its path takes. */
export const viewOf = ({ name, view }: Resource, params: Params): Question => ({
  resource: name,
  operation: 'view',
  params: paramsIn(view?.path, params),
});

/** The operation of this name, whatever it is there. Throws when the description has none. */
export function operationNamed(resource: Resource, name: string): Operation {
  const found = name === 'list' ? resource.list : name === 'view' ? resource.view : resource.operations?.[name];
  if (!found) throw new Error(`${resource.name} has no operation ${name}`);
  return found;
}

/** The operation that a question asks. */
export const operationOf = ({ resource, operation }: Question): Operation =>
  operationNamed(resourceNamed(resource), operation);

/** The resource whose rows a question lists: its own, or the one of the tab that names the operation. */
export function rowsOf({ resource, operation }: Question): Resource {
  const owner = resourceNamed(resource);
  const tab = owner.tabs?.find((tab) => 'list' in tab && tab.operation === operation);
  return tab && 'list' in tab ? resourceNamed(tab.list) : owner;
}

/** Whether a row with these parameters lies under those of a collection. */
export const liesUnder = (params: Params, parents: Params): boolean =>
  Object.entries(parents).every(([name, value]) => params[name] === value);

/** Whether a row with these parameters may be in a collection with those: none of them says otherwise. */
export const mayBeIn = (params: Params, parents: Params): boolean =>
  Object.entries(parents).every(([name, value]) => (params[name] ?? value) === value);

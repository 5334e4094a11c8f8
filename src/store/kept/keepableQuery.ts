import { operationsOf, resources } from '../../resources/index.ts';
import type { Query } from '../queries.ts';

/** Whether a query is one of a list of the API, with the parameters of its path: another version may have had others. */
export function isKeepableQuery({ resource, operation, params }: Query): boolean {
  const description = resources.find(({ name }) => name === resource);
  if (!description || description.local) return false;
  const found = operationsOf(description).find(({ name }) => name === operation)?.operation;
  if (!found || !('pages' in found)) return false;
  const taken = [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return taken.length === Object.keys(params).length && taken.every((name) => Object.hasOwn(params, name));
}

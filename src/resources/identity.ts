import type { Resource } from './description.ts';
import { at, type Params, type Row } from './row.ts';

/** Longer than any id, in UTF-16 units; the rest of a longer value is cut off. */
const maxIdLength = 2048;

/** The placeholder for the id of a row without one begins with this; no id does. */
const placeholderPrefix = '\0no id ';

/** Holds the position in its list of a row without an id. */
const listPosition: unique symbol = Symbol('place');

/** A value as a part of an id; undefined where it is none. */
function partOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, maxIdLength).toWellFormed() : undefined;
}

/** The placeholder for the id of a row: its position in the list that it was read from. */
const placeholderId = (row: Row): string => placeholderPrefix + String(Reflect.get(row, listPosition) ?? '');

/** Whether this is the placeholder for an id that the API does not give. */
export const isPlaceholderId = (id: string): boolean => id.startsWith(placeholderPrefix);

/** Whether a row of a list has no id to be named by. */
export const isNameless = (row: object): boolean => listPosition in row;

/** A row without an id, which its position in the list identifies. */
export const withListPosition = (row: Row, at: string): Row => ({ ...row, [listPosition]: at }) as Row;

/** Whether a value is an id that is a number: the digits of one that no number holds are a text. */
export const isId = (value: unknown): value is number | string =>
  Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));

/** Whether a word in the place of an id, which is a number here, can only be a label. */
export const isLabel = ({ id, columns }: Resource, word = ''): boolean =>
  word !== '' && !isId(word) && columns.some(({ value, format }) => value === id && format === 'id');

/** Orders ids by their numbers; what is no such id is like any other. */
export function compareIds(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return isId(one) && isId(other) ? Number(BigInt(one) - BigInt(other)) : 0;
}

/** An id as it is in a body: a number, or the text of its digits where no number holds them. */
export function idValue(id: unknown): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : String(id);
}

/** The id of a row as text; where it has several parts, slashes stand between them. */
export function idOf(resource: Resource, row: Row): string {
  if (!resource.params) return partOf(row[resource.id]) ?? placeholderId(row);
  const parts = Object.values(ownParams(resource, row));
  return parts.some(isPlaceholderId) ? placeholderId(row) : parts.join('/');
}

/** The path parameters of a row whose parents are `params`. */
export const paramsOf = (resource: Resource, row: Row, params: Params = {}): Params => ({
  ...params,
  ...ownParams(resource, row),
});

function ownParams({ params, param, id }: Resource, row: Row): Params {
  if (!params) return { [param]: partOf(at(row, id)) ?? placeholderId(row) };
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      partOf(typeof value === 'function' ? value(row) : at(row, value)) ?? placeholderId(row),
    ]),
  );
}

/** The parameters that name a row below its parents, in the order of its id's parts. */
export const paramNames = ({ params, param }: Resource): readonly string[] => (params ? Object.keys(params) : [param]);

/** The id that parameters name; undefined when they name no row of this resource. */
export function idIn(resource: Resource, given: Params): string | undefined {
  const parts = paramNames(resource).map((name) => given[name]);
  return parts.includes(undefined) ? undefined : parts.join('/');
}

/** An id as it is kept on the disk: 32 bits stand for the token of a transfer, by which anybody may accept it. */
export const keptId = ({ id: name }: Pick<Resource, 'id'>, id: string): string =>
  name === 'token'
    ? [...id].reduce((sum, letter) => (Math.imul(sum, 31) + Number(letter.codePointAt(0))) >>> 0, 7).toString(36)
    : id;

/** Of these parameters those that a path takes. */
export const paramsIn = (path: string | undefined, params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([param]) => path?.includes(`{${param}}`)));

/** The parameters that an id stands for; the last takes what is left of it. */
export function paramsFrom(resource: Resource, id: string): Params {
  const names = paramNames(resource);
  const parts = id.split('/');
  return Object.fromEntries(
    names.map((name, index) => [name, index < names.length - 1 ? (parts[index] ?? '') : parts.slice(index).join('/')]),
  );
}

/** Whether a row with these parameters lies under those of a collection. */
export const liesUnder = (params: Params, parents: Params): boolean =>
  Object.entries(parents).every(([name, value]) => params[name] === value);

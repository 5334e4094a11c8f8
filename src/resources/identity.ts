import { at, type Params, type Resource, type Row } from './resource.ts';

/** Longer than any id, in UTF-16 units: what follows would only be carried along wherever a row is named. */
const longest = 2048;

/** A value as a part of an id. */
const partOf = (value: unknown): string => String(value).slice(0, longest).toWellFormed();

/** The id of a row as text; where it has several parts, slashes stand between them. */
export const idOf = (resource: Resource, row: Row): string =>
  resource.params ? Object.values(ownParams(resource, row)).join('/') : partOf(row[resource.id]);

/** The path parameters of a row that lies under `params`. */
export const paramsOf = (resource: Resource, row: Row, params: Params = {}): Params => ({
  ...params,
  ...ownParams(resource, row),
});

function ownParams({ params, param, id }: Resource, row: Row): Params {
  if (!params) return { [param]: partOf(at(row, id)) };
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      partOf(typeof value === 'function' ? value(row) : at(row, value)),
    ]),
  );
}

/** The id that parameters name; undefined when they name no row of this resource. */
export function idIn({ params, param }: Resource, given: Params): string | undefined {
  const parts = Object.keys(params ?? { [param]: '' }).map((name) => given[name]);
  return parts.includes(undefined) ? undefined : parts.join('/');
}

/** The parameters that an id stands for; the last takes what is left of it. */
export function paramsFrom({ params, param }: Resource, id: string): Params {
  const names = Object.keys(params ?? { [param]: '' });
  const parts = id.split('/');
  return Object.fromEntries(
    names.map((name, index) => [name, index < names.length - 1 ? (parts[index] ?? '') : parts.slice(index).join('/')]),
  );
}

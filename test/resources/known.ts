import type { CacheView, Params, Row } from '../../src/resources/resource.ts';

/** Loaded rows for rules that need them, by resource; `under` is ignored unless a row says where it lies in `_under`. */
export function knowing(
  loaded: Readonly<Record<string, readonly Row[]>> = {},
  now = Date.UTC(2024, 4, 1),
  gone: Readonly<Record<string, readonly Row[]>> = {},
): CacheView {
  const below = (row: Row, under: Params = {}) =>
    Object.entries(under).every(([name, id]) => row._under === undefined || (row._under as Params)[name] === id);
  const rows = (resource: string, under?: Params) => (loaded[resource] ?? []).filter((row) => below(row, under));
  return {
    now,
    rows,
    row: (resource, id) => rows(resource).find((row) => String(row.id) === String(id)),
    isRead: (resource) => resource in loaded,
    gone: (resource) => gone[resource] ?? [],
  };
}

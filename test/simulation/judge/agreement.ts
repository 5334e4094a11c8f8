import type { Row, Write } from '../cloud/items.ts';
import { isAlike, leaves, Made, valueAt, type Wish } from '../wishes.ts';

const tagsOf = (row: Row | undefined): readonly string[] => (row?.tags as readonly string[] | undefined) ?? [];

const isSameSet = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  isAlike([...one].sort(), [...other].sort());

/** Whether a value is the one that is meant; in place of what a wish makes, only what it has made will do. */
export const isMeant = (value: unknown, wanted: unknown): boolean =>
  wanted instanceof Made ? writesOf(wanted.wish).some(({ made }) => made?.id === value) : isAlike(value, wanted);

/** The writes that carried out a wish, or the one in its place. */
const writesOf = ({ done, instead }: Wish): readonly Write[] => [...done, ...(instead ? writesOf(instead) : [])];

const told = (value: unknown): string => (value instanceof Made ? value.token : JSON.stringify(value ?? null));

/**
 * Why a body does not say what is wished, and no more than that; undefined where it does.
 * @param bases all that the row can have been as far as whoever sent it could know
 */
export function disagreement(wish: Wish, body: Row, bases: readonly (Row | undefined)[]): string | undefined {
  return wish.method === 'PUT' ? inEdit(wish, body, bases) : inPost(wish, body);
}

function inPost({ set, may = [] }: Wish, body: Row): string | undefined {
  const wanted = new Map(leaves(set));
  for (const [path, value] of leaves(body)) {
    if (may.includes(path)) continue;
    if (!wanted.has(path)) return `${path} is ${told(value)}, and nobody has said so`;
    if (!isMeant(value, wanted.get(path))) return `${path} is ${told(value)} in place of ${told(wanted.get(path))}`;
  }
  const missing = [...wanted.keys()].find((path) => valueAt(body, path) === undefined);
  return missing === undefined ? undefined : `${missing} is missing`;
}

function inEdit(
  { set, add = [], remove = [] }: Wish,
  body: Row,
  bases: readonly (Row | undefined)[],
): string | undefined {
  const wanted = new Map(leaves(set));
  const isThere = (path: string, value: unknown) => bases.some((base) => isAlike(valueAt(base, path), value));
  for (const [path, value] of leaves(body)) {
    if (path === 'tags' && !wanted.has(path)) {
      const meant = (base: Row | undefined) => [
        ...new Set([...tagsOf(base).filter((tag) => !remove.includes(tag)), ...add]),
      ];
      if (bases.some((base) => isSameSet(value as readonly string[], meant(base)))) continue;
      return `tags are ${told(value)}, and were ${told(tagsOf(bases.at(-1)))}`;
    }
    if (wanted.has(path) ? !isMeant(value, wanted.get(path)) : !isThere(path, value))
      return `${path} is ${told(value)}, and ${wanted.has(path) ? `${told(wanted.get(path))} is wished` : `was ${told(valueAt(bases.at(-1), path))}`}`;
  }
  for (const [path, value] of wanted)
    if (valueAt(body, path) === undefined && !isThere(path, value) && !(value === null && isThere(path, '')))
      return `${path} is missing`;
  const lost = lostDevice(body, wanted, bases);
  if (lost !== undefined) return lost;
  if (
    body.tags === undefined &&
    !bases.some(
      (base) => add.every((tag) => tagsOf(base).includes(tag)) && !remove.some((tag) => tagsOf(base).includes(tag)),
    )
  )
    return 'tags are missing';
  return undefined;
}

/** Devices are set as a whole, so those that stay are sent as well. */
function lostDevice(
  body: Row,
  wanted: ReadonlyMap<string, unknown>,
  bases: readonly (Row | undefined)[],
): string | undefined {
  if (body.devices === undefined) return undefined;
  const lostOf = (base: Row | undefined) =>
    leaves({ devices: base?.devices ?? {} }).find(
      ([path, value]) => value !== null && !wanted.has(path) && !isAlike(valueAt(body, path), value),
    );
  const all = bases.map(lostOf);
  return all.every(Boolean) ? `${all.at(-1)?.[0]} is lost` : undefined;
}

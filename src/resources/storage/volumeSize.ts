import { untoldPrice } from '../../text/money.ts';
import { grouped } from '../../text/numbers.ts';
import type { Draft } from '../resource.ts';

/** A volume, or all that is asked of one here: its size in GiB. */
interface Sized {
  readonly size: number;
}

/** In GiB; unknown where the API leaves it out. */
export const sizeOf = ({ size }: Sized) => (typeof size === 'number' ? size : 'unknown');

/** The documents say that volumes are billed by their size; none of their operations reports a price. */
export const sizeCost = (size: string): string => `${size}; ${untoldPrice}`;

/** The size of all together in GiB. */
export const totalOf = (volumes: readonly Sized[]) => volumes.reduce((sum, { size }) => sum + Number(size ?? 0), 0);

/** The cost of making volumes larger, with what they have now. */
export function resizeCost(volumes: readonly Sized[], _view: unknown, { size }: Draft): string {
  const [before, after] = [totalOf(volumes), volumes.length * Number(size || Number.NaN)];
  if (!(after > before)) return sizeCost(`${grouped(before)} GiB now`);
  return sizeCost(`${grouped(before)} → ${grouped(after)} GiB (+${grouped(after - before)} GiB)`);
}

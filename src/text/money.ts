/** Amounts in US dollars, as they are told and said. */

import { grouped } from './numbers.ts';

/** The amount that a row tells as a number or a decimal string; undefined where it tells none. */
export function amountIn(value: unknown): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  const amount = isText || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(amount) ? amount : undefined;
}

/** An amount as it is said: `$24.00`, `-$25.50`; that it is unknown where it is not told. */
export function dollars(value: unknown): string {
  const amount = amountIn(value);
  if (amount === undefined) return 'an unknown amount';
  return `${amount < 0 ? '-' : ''}$${grouped(Math.abs(amount).toFixed(2))}`;
}

/** Said in place of a price. */
export const untoldPrice = 'the API does not tell the price';

/** A price as it is said: `$24.00 a month`; that the API does not tell it where that is so. */
export const monthlyWords = (price: number | undefined): string =>
  price === undefined ? untoldPrice : `${dollars(price)} a month`;

/** Several prices together: `$48.00 a month`, `at least $24.00 a month` where one is not known; undefined where none is. */
export function sumWords(prices: readonly (number | undefined)[]): string | undefined {
  const known = prices.filter((price) => price !== undefined);
  if (known.length === 0) return undefined;
  const sum = monthlyWords(known.reduce((all, price) => all + price, 0));
  return known.length < prices.length ? `at least ${sum}` : sum;
}

/** The prices before and after a change: `$24.00 → $48.00 a month (+$24.00)`; one that is not known is said to be so. */
export function priceChangeWords(before: number | undefined, after: number | undefined): string {
  if (before === undefined && after === undefined) return untoldPrice;
  const said = (price: number | undefined) => (price === undefined ? 'unknown' : dollars(price));
  const change = before === undefined || after === undefined ? undefined : after - before;
  const by =
    change === undefined ? '' : change === 0 ? ' (no change)' : ` (${change > 0 ? '+' : ''}${dollars(change)})`;
  return `${said(before)} → ${said(after)} a month${by}`;
}

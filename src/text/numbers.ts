/** Whether a value is a number that can be counted with. */
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A number with at most so many decimals, and none that are zero. */
export const rounded = (number: number, decimals: number): string => String(Number(number.toFixed(decimals)));

/** A measured number with so many decimals, zeros too, so that those below each other are alike; a whole one has none. */
const measured = (number: number, decimals: number): string =>
  Number.isInteger(number) ? String(number) : number.toFixed(decimals);

/**
 * Digits in groups of three; numbers are rounded to two decimals.
 * @param from the least digits of a number that has groups: what may be a port or a year has none of four
 */
export function grouped(number: number | string, from = 4): string {
  const [whole = '', decimals] = (typeof number === 'number' ? rounded(number, 2) : number).split('.');
  const groups =
    /^-?\d+$/.test(whole) && whole.replace('-', '').length >= from ? whole.replace(/\B(?=(\d{3})+$)/g, ' ') : whole;
  return decimals === undefined ? groups : `${groups}.${decimals}`;
}

/** A value above a limit, with as few digits after the point as show that it is above. */
export function aboveWords(value: number, limit: number): string {
  const digits = [0, 1, 2, 3].find((digits) => Number(value.toFixed(digits)) > limit);
  if (digits === undefined) return String(value);
  return digits === 0 ? grouped(Math.round(value)) : value.toFixed(digits);
}

/** The value by nearest rank below which a share, 0 to 1, of ascending values lies; undefined where there are none. */
export const nearestRank = (ascending: readonly number[], share: number): number | undefined =>
  ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)];

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** An amount of storage, in steps of 1024; `step` is the unit it is counted in: 0 bytes, 2 megabytes, 3 gigabytes. */
export function sizeText(amount: number, step = 0): string {
  let [size, unit] = [Math.abs(amount), step];
  while (size !== 0 && size < 1 && unit > 0) [size, unit] = [size * 1024, unit - 1];
  while (Number(rounded(size, 1)) >= 1024 && unit < sizeUnits.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${amount < 0 ? '-' : ''}${grouped(rounded(size, size < 100 && unit > 0 ? 1 : 0))} ${sizeUnits[unit]}`;
}

/** The amount in US dollars that a row tells as a number or a decimal string; undefined where it tells none. */
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

/** The SI prefixes of a thousand times more each. */
export const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Writes a unit as it follows its number: `%` without a blank, `Mbit/s` with the prefix, `k blocks/s` apart from it; none as it is. */
export function unitText(unit = '', prefix = ''): string {
  if (unit.startsWith('%')) return unit;
  if (/^(bit|B|byte|Hz)\b/.test(unit)) return ` ${prefix}${unit}`;
  return `${prefix === '' ? '' : ` ${prefix}`}${unit === '' ? '' : ` ${unit}`}`;
}

/** Which prefix a number takes; a percentage takes none. */
export const prefixOf = (size: number, unit: string) =>
  size < 1000 || unit === '%' ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(size * 1.0005) / 3));

/** A rate of the platform to three digits, `273.07 MB/s` as `273 MB/s`; any other text as it is. */
export function rateText(rate: string): string {
  const [, number, prefix = '', unit = ''] = /^(\d{1,9}(?:\.\d+)?) ?([kMGT]?)(B\/s|bit\/s)$/.exec(rate) ?? [];
  return number === undefined ? rate : quantity(Number(number) * 1000 ** prefixes.indexOf(prefix), unit);
}

/** A number to three digits with its SI prefix and unit: `1.24 Mbit/s`; a percentage with one decimal: `42.5%`. */
export function quantity(value: number, unit: string): string {
  if (unit === '%') return grouped(measured(value, Math.abs(value) < 99.95 ? 1 : 0)) + unit;
  const size = Math.abs(value);
  const index = prefixOf(size, unit);
  const scaled = value / 1000 ** index;
  const wide = Math.abs(scaled);
  const digits = wide >= 1e6 ? scaled.toExponential(1) : measured(scaled, wide >= 99.95 ? 0 : wide >= 9.995 ? 1 : 2);
  return digits + unitText(unit, prefixes[index] ?? '');
}

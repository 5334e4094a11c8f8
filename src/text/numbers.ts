/** Whether a value is a number that can be counted with. */
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A number with at most so many decimals, and none that are zero. */
export const rounded = (number: number, decimals: number): string => String(Number(number.toFixed(decimals)));

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

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** An amount of storage, in steps of 1024; `step` is the unit it is counted in: 0 bytes, 2 megabytes, 3 gigabytes. */
export function sizeText(amount: number, step = 0): string {
  let [size, unit] = [Math.abs(amount), step];
  while (size !== 0 && size < 1 && unit > 0) [size, unit] = [size * 1024, unit - 1];
  while (Number(rounded(size, 1)) >= 1024 && unit < sizeUnits.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${amount < 0 ? '-' : ''}${rounded(size, size < 100 && unit > 0 ? 1 : 0)} ${sizeUnits[unit]}`;
}

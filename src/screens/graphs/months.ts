/** A calendar month in UTC; `month` counts from 1. */
export interface Month {
  year: number;
  month: number;
}

/** The years that an operation accepts, inclusive. */
export interface YearRange {
  min: number;
  max: number;
}

/** The month of a time in milliseconds since the epoch. */
export function monthOf(time: number): Month {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

const indexOf = ({ year, month }: Month) => year * 12 + month - 1;

/** The month that is `by` months later, or earlier where it is negative. */
export function stepMonth(from: Month, by: number): Month {
  const index = indexOf(from) + by;
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
}

/** Compares months for sorting, the earlier first; the difference is in months. */
export const compareMonths = (one: Month, other: Month): number => indexOf(one) - indexOf(other);

/** Every month from the newest back to the oldest. */
export const monthsBack = (newest: Month, oldest: Month): readonly Month[] =>
  Array.from({ length: Math.max(0, compareMonths(newest, oldest) + 1) }, (_, index) => stepMonth(newest, -index));

/** The start of a month, in milliseconds since the epoch. */
export const monthStart = ({ year, month }: Month): number => Date.UTC(year, month - 1);

/** A month as it is typed: `2026-03`. */
export const monthText = ({ year, month }: Month): string => `${year}-${String(month).padStart(2, '0')}`;

const names = 'January February March April May June July August September October November December'.split(' ');

/** A month in words: `March 2026`. */
export const monthName = ({ year, month }: Month): string => `${names[month - 1]} ${year}`;

/**
 * The month that was typed, or a sentence about the mistake in it.
 * @param newest the current month, the last that is accepted
 * @param years the years that are accepted; any of four digits by default
 */
export function typedMonth(text: string, newest: Month, years?: YearRange): { month: Month } | { error: string } {
  const [, year, month] = /^\s*([1-9]\d{3})\s*[-/. ]\s*(\d{1,2})\s*$/.exec(text) ?? [];
  if (year === undefined || month === undefined) {
    return { error: `Year and month must be typed as in ${monthText(newest)}.` };
  }
  const typed = { year: Number(year), month: Number(month) };
  if (typed.month < 1 || typed.month > 12) return { error: `Month must be 1–12; it is ${typed.month}.` };
  if (years && (typed.year < years.min || typed.year > years.max)) {
    return { error: `Year must be ${years.min}–${years.max}; it is ${typed.year}.` };
  }
  if (compareMonths(typed, newest) > 0) {
    return { error: `Month must not be in the future; the newest is ${monthText(newest)}.` };
  }
  return { month: typed };
}

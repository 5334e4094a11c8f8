import type { CellFormat } from '../../text/cellFormat.ts';
import { day, hour, minute, second } from '../../text/times.ts';

/** The units in which a field is compared. */
export interface Measure {
  /** A unit in that of the field; undefined where it is no unit of it. */
  unit(name: string): number | undefined;
  /** The values that may be typed, said after "takes". */
  takes: string;
}

const ages: Readonly<Record<string, number>> = { s: second, min: minute, h: hour, d: day, w: 7 * day, y: 365.25 * day };

/** An age and its unit in milliseconds. */
export interface Age {
  size: number;
  unit: number;
}

/** An age such as `90min` or `7d`. */
export function ageIn(text: string): Age | undefined {
  const [, number, name = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/i.exec(text) ?? [];
  const unit = ages[name.toLowerCase()];
  return unit === undefined ? undefined : { size: Number(number) * unit, unit };
}

const prefixes = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/** Sizes in steps of 1024, as they are shown, however the unit is spelled; `step` is the unit of the field. */
const sizes = (step: number, alone: string): Measure => ({
  unit: (name) => {
    const [, prefix, bytes] = /^([kmgtpe]?)(?:i?(b)|)$/i.exec(name) ?? [];
    if (prefix === undefined || (prefix === '' && bytes === undefined)) return undefined;
    return 1024 ** (prefixes.indexOf(prefix.toLowerCase()) - step);
  },
  takes: `a size such as 8GiB (B, KiB, MiB, GiB, TiB); a number alone counts ${alone}`,
});

const steps: Readonly<Partial<Record<CellFormat, number>>> = { bytes: 0, megabytes: 2, gigabytes: 3 };

/** The unit in which a field counts sizes, as `sizeText` takes it; undefined for any other field. */
export const sizeStep = (format: CellFormat | undefined): number | undefined => format && steps[format];

const none: Measure = { unit: () => undefined, takes: 'a number without a unit' };

const percentage: Measure = { unit: (name) => (name === '%' ? 1 : undefined), takes: 'a percentage such as 80 or 80%' };

const measures: Readonly<Partial<Record<CellFormat, Measure>>> = {
  number: none,
  id: none,
  bytes: sizes(0, 'bytes'),
  megabytes: sizes(2, 'MB'),
  gigabytes: sizes(3, 'GB'),
  bitrate: {
    unit: (name) => {
      const [, prefix] = /^([kmgt]?)(?:bit(?:\/s)?|bps)$/i.exec(name) ?? [];
      return prefix === undefined ? undefined : 1000 ** prefixes.indexOf(prefix.toLowerCase());
    },
    takes: 'a rate such as 10Mbit/s (bit/s, kbit/s, Mbit/s, Gbit/s); a number alone counts bit/s',
  },
  blockrate: none,
  money: { unit: (name) => (name === '$' ? 1 : undefined), takes: 'an amount such as 20 or $20' },
  percent: percentage,
  load: percentage,
  duration: {
    unit: (name) => {
      const size = ages[name.toLowerCase()];
      return size === undefined ? undefined : size / second;
    },
    takes: 'a duration such as 90min (s, min, h, d, w, y); a number alone counts seconds',
  },
};

/** The measure of a field with numbers of one kind; undefined for any other field. */
export const measureOf = (format: CellFormat | undefined): Measure | undefined =>
  format && (measures[format] ?? (format.startsWith('limit ') ? none : undefined));

/** A number with or without a unit, in the unit of the field. */
export function amountIn(text: string, measure: Measure): number | undefined {
  const plain = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(plain)) return plain;
  const [, before, number, after] = /^(\$?)(-?\d+(?:\.\d+)?) ?(\D*)$/.exec(text) ?? [];
  const unit = number === undefined ? undefined : measure.unit(`${before}${after}`);
  return unit === undefined ? undefined : Number(number) * unit;
}

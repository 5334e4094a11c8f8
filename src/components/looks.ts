import { clean, head } from './cells.ts';
import type { Role } from './theme.ts';

/** Ways to write and colour a value. */
export type Look =
  | 'text'
  | 'status'
  | 'number'
  | 'bytes'
  | 'megabytes'
  | 'gigabytes'
  | 'money'
  | 'percent'
  | 'date'
  | 'age'
  | 'expiry'
  | 'duration'
  | 'health'
  | 'boolean'
  | 'mark'
  | 'tags'
  | 'list'
  | 'paragraph'
  | 'id'
  | 'dim';

/** A value as it is written: one clean line, its colour, and the side it is aligned to (left by default). */
export interface Looked {
  text: string;
  role?: Role;
  align?: 'left' | 'right';
}

export type Glyphs = 'unicode' | 'ascii';

export interface LookContext {
  /** Milliseconds since the epoch; looked at only for what tells an age. */
  now: number;
  glyphs: Glyphs;
  /** The progress of a busy status, 0 to 100. */
  percent?: number | null;
}

/**
 * Writes a value of a row. Takes anything: a value of the wrong type is shown as it is,
 * and one that is absent or not a number as `–`.
 */
export function look(value: unknown, as: Look | undefined, context: LookContext): Looked {
  const { glyphs, now } = context;
  if (isAbsent(value)) return as && aligned.has(as) ? { ...absent(glyphs), align: 'right' } : absent(glyphs);
  switch (as) {
    case 'status':
      return statusLook(String(primitive(value)), context);
    case 'number':
      return numeric(value, glyphs, grouped);
    case 'bytes':
      return numeric(value, glyphs, (bytes) => sizeText(bytes, 0));
    case 'megabytes':
      return numeric(value, glyphs, (megabytes) => sizeText(megabytes, 2));
    case 'gigabytes':
      return numeric(value, glyphs, (gigabytes) => sizeText(gigabytes, 3));
    case 'money':
      return numeric(value, glyphs, (dollars) => `${dollars < 0 ? '-' : ''}$${grouped(Math.abs(dollars).toFixed(2))}`);
    case 'percent':
      return numeric(value, glyphs, (percent) => `${rounded(percent, Math.abs(percent) < 10 ? 1 : 0)} %`);
    case 'duration':
      // A span that ends before it begins lasts for no time that could be told.
      return numeric(typeof value === 'number' && value < 0 ? Number.NaN : value, glyphs, durationText);
    case 'date':
      return timed(value, glyphs, (time) => dateText(time, isDateOnly(value)));
    case 'age':
      return timed(value, glyphs, (time) => ageText(now - time));
    case 'expiry':
      return timed(value, glyphs, (time) => ageText(now - time) + (time <= now ? ' ago' : ''));
    case 'health':
      return healthLook(plainText(value), glyphs);
    case 'boolean':
      return typeof value === 'boolean' ? booleanLook(value) : { text: plainText(value) };
    case 'mark':
      return { text: value === true ? (glyphs === 'ascii' ? '*' : '●') : '', role: 'accent' };
    case 'tags':
      return { text: listText(value, ' '), role: 'accent' };
    case 'list':
      return { text: listText(value, ', ') };
    case 'id':
      return { text: plainText(value), align: typeof value === 'number' ? 'right' : 'left' };
    case 'dim':
      return { text: plainText(value), role: 'dim' };
    default:
      return { text: plainText(value) };
  }
}

/** The looks of numbers, which stand at the right even where there is none. */
const aligned: ReadonlySet<Look> = new Set<Look>([
  'number',
  'bytes',
  'megabytes',
  'gigabytes',
  'money',
  'percent',
  'duration',
]);

const isAbsent = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const absent = (glyphs: Glyphs): Looked => ({ text: glyphs === 'ascii' ? '-' : '–', role: 'dim' });

type Condition = 'good' | 'busy' | 'off' | 'bad' | 'warn' | 'unknown';

const words: Readonly<Record<Exclude<Condition, 'unknown'>, readonly string[]>> = {
  good: 'running active available ok ready finished completed successful up enabled'.split(' '),
  busy: [
    ...'booting rebooting shutting_down provisioning deleting migrating rebuilding cloning restoring resizing'.split(
      ' ',
    ),
    ...'creating attaching detaching uploading pending pending_upload accepted scheduled started new open needsPostProcessing'.split(
      ' ',
    ),
    'not ready',
  ],
  off: 'offline disabled closed cancelled stale paused notification notice'.split(' '),
  bad: 'failed outage problem down unavailable critical'.split(' '),
  warn: 'stopped userAborted warning refused limited'.split(' '),
};

const conditions: ReadonlyMap<string, Condition> = new Map(
  Object.entries(words).flatMap(([condition, list]) =>
    list.map((word): [string, Condition] => [spaced(word), condition as Condition]),
  ),
);

const statusGlyphs: Readonly<Record<Condition, { unicode: string; ascii: string; role: Role }>> = {
  good: { unicode: '●', ascii: '*', role: 'good' },
  busy: { unicode: '◐', ascii: '~', role: 'busy' },
  off: { unicode: '○', ascii: 'o', role: 'dim' },
  bad: { unicode: '✗', ascii: 'x', role: 'bad' },
  warn: { unicode: '!', ascii: '!', role: 'warn' },
  unknown: { unicode: '?', ascii: '?', role: 'plain' },
};

/** `shutting_down` and `needsPostProcessing` as words. */
function spaced(word: string): string {
  if (/^[a-z]*$/.test(word)) return word;
  return word
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** The role of a status word of any resource; `plain` where the word is not known. */
export const statusRole = (status: string): Role => statusGlyphs[conditions.get(spaced(status)) ?? 'unknown'].role;

function statusLook(value: string, { glyphs, percent }: LookContext): Looked {
  const status = clean(value, 64);
  const [, word = status, written] = /^(.*\S) (\d{1,3}) ?%$/.exec(status) ?? [];
  const words = spaced(word);
  const condition = conditions.get(words) ?? 'unknown';
  const done = written === undefined ? percent : Number(written);
  const { role, ...marks } = statusGlyphs[condition];
  const progress = condition === 'busy' && Number.isFinite(done) ? ` ${Math.round(Number(done))}%` : '';
  return { text: `${marks[glyphs]} ${condition === 'unknown' ? status : words + progress}`, role };
}

function numeric(value: unknown, glyphs: Glyphs, write: (number: number) => string): Looked {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return { text: write(number), align: 'right' };
  if (typeof value === 'number') return { ...absent(glyphs), align: 'right' };
  return { text: plainText(value), align: 'right' };
}

/** A number with at most so many decimals, and none that are zero. */
export const rounded = (number: number, decimals: number): string => String(Number(number.toFixed(decimals)));

/** Digits in groups of three from 10 000 on; numbers are rounded to two decimals. */
export function grouped(number: number | string): string {
  const [whole = '', decimals] = (typeof number === 'number' ? rounded(number, 2) : number).split('.');
  const groups = /^-?\d{5,}$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ' ') : whole;
  return decimals === undefined ? groups : `${groups}.${decimals}`;
}

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** An amount of storage, in steps of 1024; `step` is the unit it is counted in: 0 bytes, 2 megabytes, 3 gigabytes. */
export function sizeText(amount: number, step = 0): string {
  let [size, unit] = [Math.abs(amount), step];
  while (size !== 0 && size < 1 && unit > 0) [size, unit] = [size * 1024, unit - 1];
  while (Number(rounded(size, 1)) >= 1024 && unit < sizeUnits.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${amount < 0 ? '-' : ''}${rounded(size, size < 100 && unit > 0 ? 1 : 0)} ${sizeUnits[unit]}`;
}

const timestamp = /^\d{4}-\d\d-\d\d(?:([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A timestamp of the API in milliseconds since the epoch; undefined where it is none.
 * Those without a zone are UTC. A number is taken as milliseconds.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? value : undefined;
  const parts = typeof value === 'string' && value.length < 40 ? timestamp.exec(value) : null;
  if (!parts) return undefined;
  const [text, clock, zone] = parts;
  const time = Date.parse(clock && !zone ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

const isDateOnly = (value: unknown) => typeof value === 'string' && value.length === 10;

/** A time in UTC, to the minute, `2026-05-13 14:05`, or only its date. */
export const dateText = (time: number, dateOnly = false): string =>
  new Date(time)
    .toISOString()
    .slice(0, dateOnly ? -14 : -8)
    .replace('T', ' ');

function timed(value: unknown, glyphs: Glyphs, write: (time: number) => string): Looked {
  const time = timeOf(value);
  if (time !== undefined) return { text: write(time) };
  return typeof value === 'number' ? absent(glyphs) : { text: plainText(value) };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Writes milliseconds that have passed in one unit: `3 s`, `5 min`, `2 h`, `4 d`, `3 y`; `in 3 h` where it lies ahead. */
export function ageText(milliseconds: number): string {
  const span = Math.abs(milliseconds);
  const [size, unit] =
    span < minute
      ? [second, 's']
      : span < hour
        ? [minute, 'min']
        : span < 2 * day
          ? [hour, 'h']
          : span < 730 * day
            ? [day, 'd']
            : [365.25 * day, 'y'];
  const text = `${Math.floor(span / Number(size))} ${unit}`;
  return milliseconds <= -second ? `in ${text}` : text;
}

/** A duration in its two largest units: `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. Takes seconds. */
export function durationText(seconds: number): string {
  if (seconds < 0) return `-${durationText(-seconds)}`;
  if (seconds < 60) return `${seconds < 10 ? rounded(seconds, 1) : Math.floor(seconds)} s`;
  const steps: readonly [number, string, number, string][] = [
    [86400, 'd', 3600, 'h'],
    [3600, 'h', 60, 'min'],
    [60, 'min', 1, 's'],
  ];
  const [large, largeUnit, small, smallUnit] = steps.find(([size]) => seconds >= size) ?? [60, 'min', 1, 's'];
  const rest = Math.floor((seconds % large) / small);
  return `${grouped(Math.floor(seconds / large))} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`;
}

/** Counts of what works and what does not, `2 up 1 down`; one that is down makes the whole bad. */
function healthLook(text: string, glyphs: Glyphs): Looked {
  const condition = /[1-9]\d* down/.test(text) ? 'bad' : /[1-9]\d* up/.test(text) ? 'good' : 'off';
  const { role, ...marks } = statusGlyphs[condition];
  return { text: `${marks[glyphs]} ${text}`, role };
}

const booleanLook = (value: boolean): Looked => (value ? { text: 'yes' } : { text: 'no', role: 'dim' });

function listText(value: unknown, separator: string): string {
  if (!Array.isArray(value)) return plainText(value);
  const shown = head(value.slice(0, 50).map(wordText).join(separator), longest);
  return value.length > 50 ? `${shown} +${value.length - 50}` : shown;
}

const plainText = (value: unknown): string => (Array.isArray(value) ? listText(value, ', ') : wordText(value));

/** More than fits on any line, in UTF-16 units: no more of a value is worked on, whatever it holds. */
const longest = 4096;

const wordText = (value: unknown): string =>
  typeof value === 'boolean' ? booleanLook(value).text : clean(String(primitive(value)), longest);

/** Objects as JSON; those too deep for it as an empty text. */
function primitive(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

import type { CellFormat } from '../text/cellFormat.ts';
import { clean, head } from '../text/cells.ts';
import { attempt } from '../text/errno.ts';
import { webAddress } from '../text/escapes.ts';
import { dollars, grouped, isNumber, quantity, sizeText, unitText } from '../text/numbers.ts';
import { ageText, dateText, dayText, durationText, type Timestamp, timeOf } from '../text/times.ts';
import { displayText, textOf, wordsOf } from '../text/words.ts';
import { loadRole } from './heat.ts';
import type { Role } from './theme.ts';

/** A value as it is written: one clean line, its colour, and the side it is aligned to (left by default). */
export interface Formatted {
  text: string;
  role?: Role;
  align?: 'left' | 'right';
  /** The address that it leads to. */
  link?: string;
}

export type Glyphs = 'unicode' | 'ascii';

export interface FormatContext {
  /** Used by ages only, which are none without it. */
  now?: Timestamp;
  glyphs: Glyphs;
  /** The progress of a busy status, 0 to 100. */
  percent?: number | null;
}

/**
 * Writes a value of a row. Takes anything: a value of the wrong type is shown as it is,
 * and one that is absent or not a number as `–`.
 */
export function formatValue(value: unknown, as: CellFormat | undefined, context: FormatContext): Formatted {
  const { glyphs, now = 0 } = context;
  const write = as && (numbers[as] ?? limitFormat(as));
  if (isAbsent(value)) return write ? { ...absent(glyphs), align: 'right' } : absent(glyphs);
  if (write) return numeric(value, glyphs, write, as === 'load' && isNumber(value) ? loadRole(value) : undefined);
  switch (as) {
    case 'any':
      if (typeof value === 'number') return numeric(value, glyphs, (number) => grouped(number, 5));
      return formatValue(value, formatOf(value), context);
    case 'status':
      return statusFormat(String(primitive(value)), context);
    case 'date':
      return timed(value, glyphs, (time) => (textOf(value).length === 10 ? dayText(time) : dateText(time)));
    case 'age':
      return timed(value, glyphs, (time) => ageText(now - time));
    case 'expiry':
      return timed(value, glyphs, (time) => ageText(now - time) + (time <= now ? ' ago' : ''));
    case 'health':
      return healthFormat(plainText(value), glyphs);
    case 'boolean':
      return { text: plainText(value), role: value === false ? 'dim' : undefined };
    case 'mark':
      return { text: value === true ? (glyphs === 'ascii' ? '*' : '●') : '', role: 'accent' };
    case 'tags':
      return { text: listText(value, ' '), role: 'accent' };
    case 'list':
      return { text: listText(value, ', ') };
    case 'id':
      return { text: plainText(value), align: typeof value === 'number' ? 'right' : 'left' };
    case 'address':
      return { text: plainText(value), link: webAddress(plainText(value)) };
    case 'dim':
      return { text: plainText(value), role: 'dim' };
    default:
      return { text: plainText(value) };
  }
}

/** A day or a time of ISO 8601. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** The way to write a value of which nothing else is known. */
function formatOf(value: unknown): CellFormat | undefined {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' && isoTime.test(value) ? 'date' : undefined;
}

const percentText = (percent: number) => quantity(percent, '%');

/** The formats of numbers, which stand at the right even where there is none; undefined for one that is not shown. */
const numbers: Readonly<Partial<Record<CellFormat, (number: number) => string | undefined>>> = {
  number: (number) => grouped(number),
  bytes: (bytes) => sizeText(bytes),
  megabytes: (megabytes) => sizeText(megabytes, 2),
  gigabytes: (gigabytes) => sizeText(gigabytes, 3),
  money: dollars,
  percent: percentText,
  load: (load) => (load > 0 && load < 99.95 ? `${load.toFixed(1)}%` : percentText(load)),
  bitrate: (bits) => quantity(bits, 'bit/s'),
  blockrate: (blocks) => quantity(blocks, 'blocks/s'),
  // It would end before it begins.
  duration: (seconds) => (seconds < 0 ? undefined : durationText(seconds)),
};

/** Asked about each cell of a list that is filtered. */
const limitFormat = (as: CellFormat) =>
  as.startsWith(limitPrefix)
    ? (limit: number) => (limit === 0 ? 'off' : grouped(limit) + unitText(as.slice(limitPrefix.length)))
    : undefined;

const limitPrefix = 'limit ';

const isAbsent = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const absent = (glyphs: Glyphs): Formatted => ({ text: glyphs === 'ascii' ? '-' : '–', role: 'dim' });

type Condition = 'good' | 'busy' | 'off' | 'bad' | 'warn' | 'unknown';

const words: Readonly<Record<Exclude<Condition, 'unknown'>, readonly string[]>> = {
  good: 'running active available ok ready finished completed successful up enabled done in_use'.split(' '),
  busy: [
    ...'booting rebooting shutting_down provisioning deleting migrating rebuilding cloning restoring resizing'.split(
      ' ',
    ),
    ...'creating attaching detaching uploading pending pending_upload accepted scheduled started new open snapshot imaging disk_change needsPostProcessing'.split(
      ' ',
    ),
    'not ready',
    'under way',
  ],
  off: 'offline disabled closed cancelled stale paused notification notice begun not_sent off taken_back'.split(' '),
  bad: 'failed outage problem down unavailable critical'.split(' '),
  warn: 'stopped userAborted warning refused limited aborted answer_lost answer_unknown idle unattached no_ports empty'.split(
    ' ',
  ),
};

const conditions: ReadonlyMap<string, Condition> = new Map(
  Object.entries(words).flatMap(([condition, list]) =>
    list.map((word): [string, Condition] => [wordsOf(word), condition as Condition]),
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

/** The role of a status word of any resource; `plain` where the word is not known. */
export const statusRole = (status: string): Role => statusGlyphs[conditions.get(wordsOf(status)) ?? 'unknown'].role;

function statusFormat(value: string, { glyphs, percent }: FormatContext): Formatted {
  const status = clean(value, 64);
  const [, word = status, written] = /^(.*\S) (\d{1,3}) ?%$/.exec(status) ?? [];
  const words = wordsOf(word);
  const condition = conditions.get(words) ?? 'unknown';
  const done = written === undefined ? percent : Number(written);
  const { role, ...marks } = statusGlyphs[condition];
  const progress = condition === 'busy' && Number.isFinite(done) ? ` ${Math.round(Number(done))}%` : '';
  return { text: `${marks[glyphs]} ${condition === 'unknown' ? status : words + progress}`, role };
}

/** The mark alone of a status as `formatValue` writes it. */
export const glyphOf = (status: string): string => status.split(' ', 1)[0] ?? '';

function numeric(
  value: unknown,
  glyphs: Glyphs,
  write: (number: number) => string | undefined,
  role?: Role,
): Formatted {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const text = isNumber(number) ? write(number) : undefined;
  if (text !== undefined) return { text, role, align: 'right' };
  if (typeof value === 'number') return { ...absent(glyphs), align: 'right' };
  return { text: plainText(value), align: 'right' };
}

function timed(value: unknown, glyphs: Glyphs, write: (time: number) => string): Formatted {
  const time = timeOf(value);
  if (!Number.isNaN(time)) return { text: write(time) };
  return typeof value === 'number' ? absent(glyphs) : { text: plainText(value) };
}

/** Counts of what works and what does not, `2 up 1 down`; one that is down makes the whole bad. */
function healthFormat(text: string, glyphs: Glyphs): Formatted {
  const condition = /[1-9]\d* down/.test(text) ? 'bad' : /[1-9]\d* up/.test(text) ? 'good' : 'off';
  const { role, ...marks } = statusGlyphs[condition];
  return { text: `${marks[glyphs]} ${text}`, role };
}

function listText(value: unknown, separator: string): string {
  if (!Array.isArray(value)) return plainText(value);
  const shown = head(value.slice(0, 50).map(wordText).join(separator), maxUnits);
  return value.length > 50 ? `${shown} +${value.length - 50}` : shown;
}

const plainText = (value: unknown): string => (Array.isArray(value) ? listText(value, ', ') : wordText(value));

/** More than fits on any line, in UTF-16 units: no more of a value is worked on, whatever it holds. */
const maxUnits = 4096;

const wordText = (value: unknown): string => clean(displayText(primitive(value)), maxUnits);

/** Objects as JSON; those too deep for it as an empty text. */
function primitive(value: unknown): unknown {
  return value === null || typeof value !== 'object' ? value : (attempt(() => JSON.stringify(value)) ?? '');
}

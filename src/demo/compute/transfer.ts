import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { type FieldError, HttpError, invalid } from '../engine/errors.ts';
import type { Call } from '../engine/handler.ts';
import { noise } from '../engine/random.ts';
import { day, parseTimestamp } from '../engine/time.ts';
import { roleOf } from './roles.seed.ts';
import type { Server } from './servers.seed.ts';

/** A month and when it starts and ends, in milliseconds since the epoch. */
export interface Month {
  year: number;
  month: number;
  starts: number;
  ends: number;
}

/**
 * The month that a path names.
 * @param years the first and last year allowed, where there are bounds
 * @throws 400 about year or month, also for a month to come
 */
export function monthAsked(
  { params }: Call,
  cloud: Cloud,
  [first, last]: readonly [number, number] = [0, 9999],
): Month {
  const errors: FieldError[] = [];
  const year = wholeNumber(params.year);
  const month = wholeNumber(params.month);
  if (!(year >= first && year <= last)) errors.push({ field: 'year', reason: `Must be between ${first} and ${last}` });
  if (!(month >= 1 && month <= 12)) errors.push({ field: 'month', reason: 'Must be between 1 and 12' });
  if (errors.length > 0) throw new HttpError(400, errors);
  const starts = Date.UTC(year, month - 1);
  if (starts > cloud.time) throw invalid('month', 'Must not be in the future');
  return { year, month, starts, ends: Date.UTC(year, month) };
}

const wholeNumber = (text = '') => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN);

/** The transfer of the current month (document 2, 2.5): used in bytes, quota and billable in GB. */
export function transferNow(cloud: Cloud, server: Server): Row {
  const now = new Date(cloud.time);
  const { sent, received } = trafficOf(cloud, server, Date.UTC(now.getUTCFullYear(), now.getUTCMonth()), cloud.time);
  const used = sent + received;
  const quota = server.specs.transfer;
  return { used, quota, billable: Math.max(0, Math.ceil(used / 2 ** 30) - quota) };
}

/** The public transfer of a month, in bytes. */
export function transferOfMonth(cloud: Cloud, server: Server, { starts, ends }: Month): Row {
  const { sent, received } = trafficOf(cloud, server, starts, Math.min(ends, cloud.time));
  return { bytes_in: received, bytes_out: sent, bytes_total: sent + received };
}

/** Adds up the days between two times, the first and last by their part, none before the server was made. */
function trafficOf(cloud: Cloud, server: Server, from: number, to: number): { sent: number; received: number } {
  const { traffic } = roleOf(server.label);
  const begins = Math.max(from, parseTimestamp(server.created));
  let sent = 0;
  for (let today = Math.floor(begins / day); today * day < to; today += 1) {
    const part = Math.min(to, (today + 1) * day) - Math.max(begins, today * day);
    sent += ((traffic * 1e6) / 8) * (0.35 + 0.3 * noise(cloud.options.seed, server.id, today)) * (part / 1000);
  }
  return { sent: Math.round(Math.max(0, sent)), received: Math.round(Math.max(0, sent) * 0.11) };
}

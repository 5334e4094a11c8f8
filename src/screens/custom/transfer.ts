import { progressBar } from '../../components/chart.ts';
import { formatValue } from '../../components/format.ts';
import { pointerOf, type Role, type Theme } from '../../components/theme.ts';
import { at } from '../../resources/resource.ts';
import type { Answer } from '../../store/cache.ts';
import { cell, cut } from '../../text/cells.ts';
import { compareMonths, type Month, monthName, monthText, stepMonth, type YearRange } from './months.ts';

/** The years for which transfer is answered (document 2, 4.1). */
export const transferYears: YearRange = { min: 2000, max: 2037 };

const bytesInGigabyte = 2 ** 30;
const numberAt = (body: unknown, field: string) => {
  const value = at(body, field);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** The transfer of the current month: used in bytes, the others in GiB; what the API left out is undefined. */
export interface QuotaUsage {
  used: number | undefined;
  quota: number | undefined;
  billable: number | undefined;
  /** Percent of the quota that is used. */
  share: number | undefined;
}

/** Reads the transfer of the current month (document 2, 2.5). */
export function quotaUsage(body: unknown): QuotaUsage {
  const [used, quota, billable] = ['used', 'quota', 'billable'].map((field) => numberAt(body, field));
  const share = used !== undefined && quota ? (used / (quota * bytesInGigabyte)) * 100 : undefined;
  return { used, quota, billable, share };
}

/** The transfer of the current month as one row of a table. */
export function quotaRow({ used, quota, billable }: QuotaUsage, theme: Theme): Readonly<Record<string, string>> {
  const context = { now: 0, glyphs: theme.glyphs };
  const left = used !== undefined && quota !== undefined ? Math.max(0, quota * bytesInGigabyte - used) : undefined;
  return {
    Used: formatValue(used, 'bytes', context).text,
    Quota: formatValue(quota, 'gigabytes', context).text,
    Left: formatValue(left, 'bytes', context).text,
    'Past the quota, charged for': formatValue(billable, 'gigabytes', context).text,
  };
}

/**
 * The share of the quota that is used as a bar and in words.
 * @param alertAt percent of the quota from which the platform raises an alert; 0 for none
 */
export function quotaLine(theme: Theme, { share }: QuotaUsage, alertAt: unknown, width: number): string {
  if (share === undefined) return theme.paint('dim', 'The API names no quota.');
  const limit = typeof alertAt === 'number' && alertAt > 0 ? alertAt : undefined;
  const role: Role = share >= 100 ? 'bad' : limit !== undefined && share >= limit ? 'warn' : 'good';
  const alert = limit === undefined ? 'no alert is set' : `${share >= limit ? 'above the' : 'the'} alert at ${limit} %`;
  const says = cut(
    `  ${formatValue(share, 'percent', { now: 0, glyphs: theme.glyphs }).text} of the quota, ${alert}`,
    width - 10,
  );
  const bar = progressBar(share, Math.min(60, width - says.length), theme.glyphs);
  return `${theme.paint(role, bar)}${says}`;
}

/** The transfer of one month, as far as it is there. */
export interface MonthTransfer {
  month: Month;
  answer: Answer | undefined;
}

const nameWidth = 16;
const amountWidth = 12;
const changeWidth = 8;

/** The cells for the change of a month, which a narrow line leaves out. */
const changeRoom = (width: number) => (width < 2 + nameWidth + 3 * amountWidth + changeWidth ? 0 : changeWidth);

/** The titles of `monthLine`. */
export const monthHeader = (theme: Theme, width: number): string =>
  theme.paint(
    'dim',
    `  ${cell('MONTH', nameWidth)}${['IN', 'OUT', 'TOTAL'].map((title) => cell(title, amountWidth, 'right')).join('')}${cell('CHANGE', changeRoom(width), 'right')}`,
  );

/** The most bytes that any of these months has in all. */
export const maxBytes = (months: readonly MonthTransfer[]): number =>
  months.reduce((most, { answer }) => Math.max(most, numberAt(answer?.body, 'bytes_total') ?? 0), 0);

/** The change of the traffic from the month before, in percent: `+12 %`; empty where one of both is not known or not over. */
export function trafficChange(one: MonthTransfer, before: MonthTransfer | undefined, current: Month): string {
  if (!before || compareMonths(one.month, current) >= 0 || compareMonths(stepMonth(one.month, -1), before.month) !== 0)
    return '';
  const [bytes, bytesBefore] = [one, before].map(({ answer }) => numberAt(answer?.body, 'bytes_total'));
  if (bytes === undefined || !bytesBefore) return '';
  const percent = Math.round((bytes / bytesBefore - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

/**
 * One month as a line: bytes in, out and in all, how much that is against the month before, and those as a bar.
 * @param most bytes for which the bar is full
 * @param change as `trafficChange` writes it
 */
export function monthLine(
  theme: Theme,
  { month, answer }: MonthTransfer,
  isChosen: boolean,
  most: number,
  width: number,
  change = '',
) {
  const pointer = pointerOf(theme, isChosen);
  const name = theme.paint(isChosen ? 'title' : 'plain', cell(monthName(month), nameWidth));
  const room = Math.max(0, width - nameWidth - 2);
  if (answer?.body === undefined) {
    const says = answer?.error ? answer.error.message : `Reading ${monthText(month)} …`;
    return `${pointer} ${name}${theme.paint(answer?.error ? 'warn' : 'dim', cut(`  ${says}`, room))}`;
  }
  const amounts = ['bytes_in', 'bytes_out', 'bytes_total'].map((field) =>
    cell(
      formatValue(numberAt(answer.body, field), 'bytes', { now: 0, glyphs: theme.glyphs }).text,
      amountWidth,
      'right',
    ),
  );
  const share = most > 0 ? ((numberAt(answer.body, 'bytes_total') ?? 0) / most) * 100 : 0;
  const bar = progressBar(share, Math.min(60, room - 3 * amountWidth - changeRoom(width) - 2), theme.glyphs);
  return `${pointer} ${name}${amounts.join('')}${cell(change, changeRoom(width), 'right')}${bar && `  ${theme.paint('series1', bar)}`}`;
}

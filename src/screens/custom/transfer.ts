import { progressBar } from '../../components/chart.ts';
import { formatValue } from '../../components/format.ts';
import { pointerOf, type Role, type Theme } from '../../components/theme.ts';
import { numberAt } from '../../resources/problems/reading.ts';
import type { Answer } from '../../store/cache.ts';
import { cell, cut } from '../../text/cells.ts';
import { compareMonths, type Month, monthName, monthText, stepMonth, type YearRange } from '../graphs/months.ts';

/** The years for which the API has transfer (document 2, 4.1). */
export const transferYears: YearRange = { min: 2000, max: 2037 };

const bytesInGigabyte = 2 ** 30;

/** The transfer of the current month: used in bytes, the others in GiB; a missing value is undefined. */
type QuotaUsage = ReturnType<typeof quotaUsage>;

/** Reads the transfer of the current month (document 2, 2.5). */
export function quotaUsage(body: unknown) {
  const [used, quota, billable] = ['used', 'quota', 'billable'].map((field) => numberAt(body, field));
  /** Percent of the quota that is used. */
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
    'Over quota, billed': formatValue(billable, 'gigabytes', context).text,
  };
}

/**
 * The share of the quota that is used as a bar and in words.
 * @param alertAt percent of the quota from which the platform raises an alert; 0 for none
 */
export function quotaLine(theme: Theme, { share }: QuotaUsage, alertAt: unknown, width: number): string {
  if (share === undefined) return theme.paint('dim', 'The API reports no quota.');
  const limit = typeof alertAt === 'number' && alertAt > 0 ? alertAt : undefined;
  const role: Role = share >= 100 ? 'bad' : limit !== undefined && share >= limit ? 'warn' : 'good';
  const alert = limit === undefined ? 'no alert is set' : `${share >= limit ? 'above the' : 'the'} alert at ${limit} %`;
  const text = cut(
    `  ${formatValue(share, 'percent', { now: 0, glyphs: theme.glyphs }).text} of the quota, ${alert}`,
    width - 10,
  );
  const bar = progressBar(share, Math.min(60, width - text.length), theme.glyphs);
  return `${theme.paint(role, bar)}${text}`;
}

/** The transfer of one month; its answer is undefined until read. */
export interface MonthTransfer {
  month: Month;
  answer: Answer | undefined;
}

const nameWidth = 16;
const amountWidth = 12;
const changeWidth = 8;

/** Cells of the change column, which a narrow line leaves out. */
const changeColumn = (width: number) => (width < 2 + nameWidth + 3 * amountWidth + changeWidth ? 0 : changeWidth);

/** The column titles of `monthLine`. */
export const monthHeader = (theme: Theme, width: number): string =>
  theme.paint(
    'dim',
    `  ${cell('MONTH', nameWidth)}${['IN', 'OUT', 'TOTAL'].map((title) => cell(title, amountWidth, 'right')).join('')}${cell('CHANGE', changeColumn(width), 'right')}`,
  );

/** The largest total of these months. */
export const maxBytes = (months: readonly MonthTransfer[]): number =>
  months.reduce((max, { answer }) => Math.max(max, numberAt(answer?.body, 'bytes_total') ?? 0), 0);

/** The change of the total from the previous month: `+12 %`; empty unless both are read and have ended. */
export function trafficChange(one: MonthTransfer, before: MonthTransfer | undefined, current: Month): string {
  if (!before || compareMonths(one.month, current) >= 0 || compareMonths(stepMonth(one.month, -1), before.month) !== 0)
    return '';
  const [bytes, bytesBefore] = [one, before].map(({ answer }) => numberAt(answer?.body, 'bytes_total'));
  if (bytes === undefined || !bytesBefore) return '';
  const percent = Math.round((bytes / bytesBefore - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

/**
 * One month as a line: bytes in, out and in total, the change from the previous month, and a bar of the total.
 * @param barMax bytes of a full bar
 * @param change as `trafficChange` writes it
 */
export function monthLine(
  theme: Theme,
  { month, answer }: MonthTransfer,
  isChosen: boolean,
  barMax: number,
  width: number,
  change = '',
) {
  const pointer = pointerOf(theme, isChosen);
  const name = theme.paint(isChosen ? 'title' : 'plain', cell(monthName(month), nameWidth));
  const room = Math.max(0, width - nameWidth - 2);
  if (answer?.body === undefined) {
    const text = answer?.error ? answer.error.message : `Reading ${monthText(month)} …`;
    return `${pointer} ${name}${theme.paint(answer?.error ? 'warn' : 'dim', cut(`  ${text}`, room))}`;
  }
  const amounts = ['bytes_in', 'bytes_out', 'bytes_total'].map((field) =>
    cell(
      formatValue(numberAt(answer.body, field), 'bytes', { now: 0, glyphs: theme.glyphs }).text,
      amountWidth,
      'right',
    ),
  );
  const share = barMax > 0 ? ((numberAt(answer.body, 'bytes_total') ?? 0) / barMax) * 100 : 0;
  const bar = progressBar(share, Math.min(60, room - 3 * amountWidth - changeColumn(width) - 2), theme.glyphs);
  return `${pointer} ${name}${amounts.join('')}${cell(change, changeColumn(width), 'right')}${bar && `  ${theme.paint('series1', bar)}`}`;
}

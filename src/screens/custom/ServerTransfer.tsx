import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { progressBar } from '../../components/chart.ts';
import { formatValue } from '../../components/format.ts';
import { Line } from '../../components/Line.tsx';
import { SmallTable } from '../../components/SmallTable.tsx';
import { barColumn, type CellColumn, cellTable, type TableCell } from '../../components/tableLayout.ts';
import { type Role, type Theme, useTheme } from '../../components/theme.ts';
import { transferShare } from '../../resources/compute/load.ts';
import { at, numberAt, type Params, type Resource } from '../../resources/resource.ts';
import { type Answer, type Query, queryKey } from '../../store/cache.ts';
import { cut } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { failureText } from '../freshness.ts';
import {
  compareMonths,
  type Month,
  monthName,
  monthOf,
  monthsBack,
  monthText,
  stepMonth,
  type YearRange,
} from '../graphs/periods.ts';
import { useMonthInput } from '../graphs/usePeriod.tsx';
import { useReadings } from '../graphs/useStatistics.ts';
import { Page } from '../page/Page.tsx';
import { type CustomProps, useAnswer, useStores } from '../useStores.ts';

/** The network transfer of a server: this month's share of its quota, and any month since 2000. */
export function ServerTransfer({ resource, params, row, width, height }: CustomProps) {
  const current = monthOf(useStores().now());
  const [chosen, setChosen] = useState(current);
  const [compared, setCompared] = useState<Month>();
  const typed = useMonthInput(setChosen, transferYears);
  const months = useMonths(resource, params, current, chosen, compared);

  const isFirst = compareMonths(chosen, firstMonth) <= 0;
  const isLast = compareMonths(chosen, current) >= 0;
  const keys = {
    earlier: isFirst ? 'No month before this one is known.' : () => setChosen(stepMonth(chosen, -1)),
    later: isLast ? 'This is the current month.' : () => setChosen(stepMonth(chosen, 1)),
    beside:
      isFirst || isLast
        ? `${keyLabel('months.beside', 'b')} compares a month with the one before${isLast ? `; ${keyLabel('months.earlier', '<')} goes to the last one` : ''}.`
        : () => setCompared(stepMonth(chosen, -1)),
    month: typed.open,
  };
  const theme = useTheme();
  const { head, line } = monthTable(theme, months, current, width - 2);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <CurrentMonth {...{ resource, params, row, width }} />
      {typed.lineOr('', width)}
      <Page
        layer="months"
        head={[` ${head}`]}
        lines={months.map((one, index) => ({
          id: monthText(one.month),
          text: (isCurrent) => ` ${line(index, isCurrent)}`,
        }))}
        cursor={monthText(chosen)}
        setCursor={(cursor) => {
          const { month = chosen } = months.find(({ month }) => monthText(month) === cursor) ?? {};
          setChosen(month);
        }}
        keys={keys}
        width={width}
        height={height - currentHeight - 1}
      />
    </Box>
  );
}

/** Lines that the current month takes: title, gauge and a table of one row. */
const currentHeight = 4;

function CurrentMonth({ resource, params, row, width }: Omit<CustomProps, 'height'>) {
  const theme = useTheme();
  const answer = useAnswer({ resource: resource.name, operation: 'transfer', params });
  const usage = quotaUsage(answer?.body);
  const stale = answer?.error && answer.body !== undefined ? '  stale: the last reading failed' : '';
  const text = answer?.error ? failureText(answer.error) : 'Reading the transfer of this month …';
  return (
    <Box flexDirection="column" height={currentHeight} flexShrink={0}>
      <Line text={` ${theme.paint('title', 'This month')}${theme.paint('warn', stale)}`} />
      {answer?.body === undefined ? (
        <Line text={` ${theme.paint('dim', cut(text, width - 2))}`} />
      ) : (
        <>
          <Line text={` ${quotaLine(theme, usage, at(row, 'alerts.transfer_quota'), width - 2)}`} />
          <Box paddingLeft={1}>
            <SmallTable rows={[quotaRow(usage, theme)]} />
          </Box>
        </>
      )}
    </Box>
  );
}

/** The loaded months, the newest first; reads the chosen month and the one it is compared with. */
function useMonths(
  resource: Resource,
  params: Params,
  current: Month,
  chosen: Month,
  compared: Month | undefined,
): readonly MonthTransfer[] {
  const { cache } = useStores();
  const queryOf = ({ year, month }: Month): Query => ({
    resource: resource.name,
    operation: 'transferMonth',
    params: { ...params, year: String(year), month: String(month) },
  });
  const read = compared ? [chosen, compared] : [chosen];
  useReadings(
    read.map((one) => ({ query: queryOf(one), isFinal: compareMonths(one, current) < 0 })),
    'screen',
  );
  const { year, month } = current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of the shown server never change
  const keys = useMemo(
    () => new Map(monthsBack({ year, month }, firstMonth).map((one) => [queryKey(queryOf(one)), one])),
    [year, month],
  );
  const loaded = useStore(
    cache,
    useShallow(({ answers }) => [...keys.keys()].map((key) => answers[key])),
  );
  return [...keys.values()].flatMap((one, index): readonly MonthTransfer[] => {
    const answer = loaded[index];
    return compareMonths(one, chosen) === 0 || answer?.body !== undefined ? [{ month: one, answer }] : [];
  });
}

/** The years for which the API has transfer (document 2, 4.1). */
const transferYears: YearRange = { min: 2000, max: 2037 };
const firstMonth: Month = { year: transferYears.min, month: 1 };

/** The transfer of the current month: used in bytes, the others in GiB; a missing value is undefined. */
type QuotaUsage = ReturnType<typeof quotaUsage>;

/** Reads the transfer of the current month (document 2, 2.5). */
export function quotaUsage(body: unknown) {
  const [used, quota, billable] = ['used', 'quota', 'billable'].map((field) => numberAt(body, field));
  return { used, quota, billable, share: transferShare({ used, quota }) };
}

/** The transfer of the current month as one row of a table. */
export function quotaRow({ used, quota, billable }: QuotaUsage, theme: Theme): Readonly<Record<string, string>> {
  const left = used !== undefined && quota !== undefined ? Math.max(0, quota * 2 ** 30 - used) : undefined;
  return {
    Used: formatValue(used, 'bytes', theme).text,
    Quota: formatValue(quota, 'gigabytes', theme).text,
    Left: formatValue(left, 'bytes', theme).text,
    'Over quota, billed': formatValue(billable, 'gigabytes', theme).text,
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
  const alert = limit === undefined ? 'no alert is set' : `${share >= limit ? 'above the' : 'the'} alert at ${limit}%`;
  const text = cut(`  ${formatValue(share, 'percent', theme).text} of the quota, ${alert}`, width - 10);
  const bar = progressBar(share, Math.min(60, width - text.length), theme.glyphs);
  return `${theme.paint(role, bar)}${text}`;
}

/** The transfer of one month; its answer is undefined until read. */
interface MonthTransfer {
  month: Month;
  answer: Answer | undefined;
}

const nameWidth = 16;

/** The columns of the months: bytes in, out and in total, the change from the month before, and a bar of the total. */
const monthColumns: readonly CellColumn[] = [
  { title: 'MONTH', content: nameWidth },
  ...['IN', 'OUT', 'TOTAL'].map((title): CellColumn => ({ title, content: 10, align: 'right' })),
  { title: 'CHANGE', keep: 2, content: 6, align: 'right' },
  barColumn,
];

/** The change of the total from the previous month: `+12%`; empty unless both are read and have ended. */
export function trafficChange(one: MonthTransfer, before: MonthTransfer | undefined, current: Month): string {
  if (!before || compareMonths(one.month, current) >= 0 || compareMonths(stepMonth(one.month, -1), before.month) !== 0)
    return '';
  const [bytes, bytesBefore] = [one, before].map(({ answer }) => numberAt(answer?.body, 'bytes_total'));
  if (bytes === undefined || !bytesBefore) return '';
  const percent = Math.round((bytes / bytesBefore - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent}%`;
}

/** The months as a table; in place of the figures of one that is not read it says why. */
export function monthTable(theme: Theme, months: readonly MonthTransfer[], current: Month, width: number) {
  const most = Math.max(...months.map(({ answer }) => numberAt(answer?.body, 'bytes_total') ?? 0));
  const cells = months.map((one, nth): readonly TableCell[] => {
    const { month, answer } = one;
    const name = { text: monthName(month) };
    if (answer?.body === undefined) {
      const text = answer?.error ? failureText(answer.error) : `Reading ${monthText(month)} …`;
      const says = theme.paint(answer?.error ? 'warn' : 'dim', cut(text, width - nameWidth - 4));
      return [name, { text: '', draw: () => says }];
    }
    const bytes = ['bytes_in', 'bytes_out', 'bytes_total'].map((field) => numberAt(answer.body, field));
    const share = most > 0 ? ((bytes[2] ?? 0) / most) * 100 : 0;
    return [
      name,
      ...bytes.map((value) => formatValue(value, 'bytes', theme)),
      { text: trafficChange(one, months[nth + 1], current) },
      { text: '', draw: (room) => theme.paint('series1', progressBar(share, room, theme.glyphs)) },
    ];
  });
  return cellTable(theme, monthColumns, cells, width);
}

import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { Line } from '../../components/Line.tsx';
import { SmallTable } from '../../components/SmallTable.tsx';
import { useTheme } from '../../components/theme.ts';
import { at, type Params, type Resource } from '../../resources/resource.ts';
import { type Query, queryKey } from '../../store/cache.ts';
import { cut } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useMonthInput } from '../graphs/MonthInput.tsx';
import { compareMonths, type Month, monthOf, monthText, stepMonth } from '../graphs/months.ts';
import { Page } from '../page/Page.tsx';
import type { CustomProps } from '../props.ts';
import { useAnswer, useStores } from '../useStores.ts';
import {
  type MonthTransfer,
  maxBytes,
  monthHeader,
  monthLine,
  quotaLine,
  quotaRow,
  quotaUsage,
  trafficChange,
  transferYears,
} from './transfer.ts';

/** The network transfer of a server: this month's share of its quota, and any month since 2000. */
export function ServerTransfer({ resource, params, row, width, height }: CustomProps) {
  const current = monthOf(useStores().now());
  const [chosen, setChosen] = useState(current);
  const [compared, setCompared] = useState<Month>();
  const typed = useMonthInput(setChosen, transferYears);
  const months = useMonths(resource, params, current, chosen, compared);

  const isFirst = compareMonths(chosen, { year: transferYears.min, month: 1 }) <= 0;
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
  const barMax = maxBytes(months);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <CurrentMonth resource={resource} params={params} alertAt={at(row, 'alerts.transfer_quota')} width={width} />
      {typed.lineOr('', width)}
      <Page
        layer="months"
        head={[` ${monthHeader(theme, width - 2)}`]}
        lines={months.map((one, index) => ({
          id: monthText(one.month),
          text: (isCurrent) =>
            ` ${monthLine(theme, one, isCurrent, barMax, width - 2, trafficChange(one, months[index + 1], current))}`,
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

interface CurrentMonthProps {
  resource: Resource;
  params: Params;
  /** Percent of the quota from which an alert is sent. */
  alertAt: unknown;
  width: number;
}

function CurrentMonth({ resource, params, alertAt, width }: CurrentMonthProps) {
  const theme = useTheme();
  const answer = useAnswer({ resource: resource.name, operation: 'transfer', params });
  const usage = quotaUsage(answer?.body);
  const stale = answer?.error && answer.body !== undefined ? '  stale: the last reading failed' : '';
  const text = answer?.error ? `${answer.error.message} r tries again.` : 'Reading the transfer of this month …';
  return (
    <Box flexDirection="column" height={currentHeight} flexShrink={0}>
      <Line text={` ${theme.paint('title', 'This month')}${theme.paint('warn', stale)}`} />
      {answer?.body === undefined ? (
        <Line text={` ${theme.paint('dim', cut(text, width - 2))}`} />
      ) : (
        <>
          <Line text={` ${quotaLine(theme, usage, alertAt, width - 2)}`} />
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
  useFinalAnswer(queryOf(chosen), compareMonths(chosen, current) < 0);
  useFinalAnswer(compared && queryOf(compared), true);
  const { year, month } = current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of the shown server never change
  const keys = useMemo(
    () => new Map(monthsUntil({ year, month }).map((one) => [queryKey(queryOf(one)), one])),
    [year, month],
  );
  const loaded = useStore(
    cache,
    useShallow(({ answers }) => [...keys.keys()].map((key) => answers[key])),
  );
  return [...keys.values()].flatMap((one, index): readonly MonthTransfer[] => {
    const answer = loaded[index];
    const isChosen = compareMonths(one, chosen) === 0;
    return isChosen || answer?.body !== undefined ? [{ month: one, answer }] : [];
  });
}

/**
 * Keeps an answer fresh while the component is mounted.
 * @param isFinal it no longer changes, so it is read once only
 */
function useFinalAnswer(query: Query | undefined, isFinal: boolean): void {
  const answer = useStore(useStores().cache, ({ answers }) => (query ? answers[queryKey(query)] : undefined));
  useAnswer(isFinal && answer?.body !== undefined ? undefined : query);
}

/** Every month that the API accepts, the newest first. */
function monthsUntil(current: Month): readonly Month[] {
  const count = compareMonths(current, { year: transferYears.min, month: 1 }) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => stepMonth(current, -index));
}

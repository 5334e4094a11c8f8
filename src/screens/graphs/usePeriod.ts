import { useState } from 'react';
import { hasMonths } from '../../resources/compute/statistics.ts';
import type { Resource } from '../../resources/resource.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useStores } from '../useStores.ts';
import { useMonthInput } from './MonthInput.tsx';
import { earlierPeriod, isWithinDay, laterPeriod, monthOf, type Period, periodOf, spanBeside } from './periods.ts';

/** The period of graphs, whether the month before stands beside it, and the keys that change both. */
export function usePeriod(resource: Resource, changed: () => void) {
  const { now } = useStores();
  const current = monthOf(now());
  const [period, setPeriod] = useState<Period>('24h');
  const [isBeside, setBeside] = useState(false);
  const turn = (next: Period) => () => {
    setPeriod(next);
    changed();
  };
  const months = hasMonths(resource);
  const noMonths = `The API has only the last 24 hours of ${resource.many}.`;
  const step = (by: 1 | -1, none: string) => {
    const next = spanBeside(period, by);
    if (next === undefined) return none;
    return months || isWithinDay(next) ? turn(next) : noMonths;
  };
  const later = laterPeriod(period, current);
  const typed = useMonthInput((month) => turn(periodOf(month, current))());
  return {
    period,
    isBeside: isBeside && !isWithinDay(period),
    lineOr: typed.lineOr,
    keys: {
      earlier: months ? turn(earlierPeriod(period, current)) : noMonths,
      later: later ? turn(later) : 'Nothing is later: this period ends now.',
      shorter: step(-1, 'The last hour is the shortest period.'),
      longer: step(1, 'The last 30 days are the longest period; < goes to earlier months.'),
      day: period === '24h' ? 'These are the last 24 hours.' : turn('24h'),
      month: months ? typed.open : noMonths,
      beside: isWithinDay(period)
        ? months
          ? `${keyLabel('graphs.beside', 'b')} compares days with the month before; ${keyLabel('graphs.earlier', '<')} goes to the last 30 days.`
          : noMonths
        : () => setBeside(!isBeside),
    },
  };
}

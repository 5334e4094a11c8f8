import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { hasMonths } from '../../resources/compute/statistics.ts';
import type { Resource } from '../../resources/resource.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Prompt } from '../page/Prompt.tsx';
import { useStores } from '../useStores.ts';
import {
  earlierPeriod,
  isWithinDay,
  laterPeriod,
  type Month,
  monthOf,
  monthText,
  type Period,
  periodOf,
  spanBeside,
  typedMonth,
  type YearRange,
} from './periods.ts';

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

const label = ' month: ';
const inputWidth = 12;

/** Year and month that are typed in a line of the screen, with the years that are accepted; after enter the mistake in them stands beside it. */
export function useMonthInput(accept: (month: Month) => void, years?: YearRange) {
  const theme = useTheme();
  const newest = monthOf(useStores().now());
  const [isOpen, setOpen] = useState(false);
  /** It stays where the line is left, so that a mistake can be corrected later. */
  const [text, setText] = useState('');
  const [checked, setChecked] = useState(false);
  const typed = typedMonth(text, newest, years);
  const isWrong = checked && 'error' in typed;
  const show = (open: boolean) => {
    setOpen(open);
    setChecked(false);
  };
  const enter = () => {
    if ('error' in typed) return setChecked(true);
    setText('');
    accept(typed.month);
    show(false);
  };
  const hint = isWrong ? typed.error : `year and month, e.g. ${monthText(newest)}`;
  return {
    open: () => show(true),
    /** The line while a month is typed, else this text. */
    lineOr: (otherwise: string, width: number) =>
      isOpen ? (
        <Prompt
          label={label}
          value={text}
          change={(next) => setText(next.slice(0, inputWidth - 2))}
          width={width}
          hint={{
            text: theme.paint(isWrong ? 'bad' : 'dim', cut(hint, width - widthOf(label) - inputWidth)),
            inputWidth,
          }}
          accept={enter}
          cancel={() => show(false)}
        />
      ) : (
        <Line text={otherwise} />
      ),
  };
}

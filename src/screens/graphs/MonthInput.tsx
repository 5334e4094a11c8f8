import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { Prompt } from '../page/Prompt.tsx';
import { useStores } from '../useStores.ts';
import { type Month, monthOf, monthText, typedMonth, type YearRange } from './periods.ts';

/** A month that is typed in a line of the screen, with the years that are accepted. */
export function useMonthInput(accept: (month: Month) => void, years?: YearRange) {
  const newest = monthOf(useStores().now());
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const close = () => setOpen(false);
  return {
    open: () => setOpen(true),
    /** The line while a month is typed, else this text. */
    lineOr: (otherwise: string, width: number) =>
      isOpen ? <MonthInput {...{ text, setText, newest, years, width, accept, close }} /> : <Line text={otherwise} />,
  };
}

interface MonthInputProps {
  /** The typed text; its owner keeps it, so that a mistake can be corrected later. */
  text: string;
  setText: (text: string) => void;
  newest: Month;
  years: YearRange | undefined;
  width: number;
  accept: (month: Month) => void;
  close: () => void;
}

const label = ' month: ';
const inputWidth = 12;

/** Year and month on one line; after enter the mistake in them stands beside it. */
function MonthInput({ text, setText, newest, years, width, accept, close }: MonthInputProps) {
  const theme = useTheme();
  const [checked, setChecked] = useState(false);
  const typed = typedMonth(text, newest, years);
  const isWrong = checked && 'error' in typed;
  const hint = cut(
    isWrong ? typed.error : `year and month, e.g. ${monthText(newest)}`,
    width - widthOf(label) - inputWidth,
  );
  return (
    <Prompt
      label={label}
      value={text}
      change={(next) => setText(next.slice(0, inputWidth - 2))}
      width={width}
      hint={{ text: theme.paint(isWrong ? 'bad' : 'dim', hint), inputWidth }}
      accept={() => {
        setChecked(true);
        if ('error' in typed) return;
        setText('');
        accept(typed.month);
        close();
      }}
      cancel={close}
    />
  );
}

import { Box } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useTheme } from '../../components/theme.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { type Month, monthHint, typedMonth, type YearRange } from './months.ts';

interface MonthInputProps {
  /** The typed text; its owner keeps it, so that a mistake can be corrected later. */
  text: string;
  setText: (text: string) => void;
  newest: Month;
  years?: YearRange;
  width: number;
  accept: (month: Month) => void;
  close: () => void;
}

const label = ' month: ';
const inputWidth = 12;

/** Year and month on one line; after enter the mistake in them stands beside it. */
export function MonthInput({ text, setText, newest, years, width, accept, close }: MonthInputProps) {
  const theme = useTheme();
  const guard = useTextGuard();
  const [checked, setChecked] = useState(false);
  const typed = typedMonth(text, newest, years);
  const change = (next: string) => setText(next.slice(0, inputWidth - 2));
  useKeys(
    'line',
    {
      accept: () => {
        setChecked(true);
        if ('error' in typed) return;
        setText('');
        accept(typed.month);
        close();
      },
      cancel: close,
      clear: () => setText(''),
    },
    { typing: true, onPaste: (pasted) => change(text + pasted.trim()) },
  );
  const isWrong = checked && 'error' in typed;
  const hint = cut(isWrong ? typed.error : monthHint(newest), width - widthOf(label) - inputWidth);
  return (
    <Box width={width} height={1}>
      <Box width={widthOf(label)} flexShrink={0}>
        <Line text={theme.paint('accent', label)} />
      </Box>
      <TextField value={text} onChange={guard(change)} focus width={inputWidth} />
      <Line text={theme.paint(isWrong ? 'bad' : 'dim', hint)} />
    </Box>
  );
}

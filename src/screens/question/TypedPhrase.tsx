import { Box, Text } from 'ink';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useTextGuard } from '../keyboard.tsx';

interface TypedPhraseProps {
  /** The text that confirms. */
  phrase: string;
  /** Behind the phrase: `, its id,`; empty if it explains itself. */
  explains?: string;
  typed: string;
  change: (text: string) => void;
  /** Painted before each line, one cell wide. */
  bar: string;
  width: number;
}

/** Asks for a phrase to be typed before something dangerous is sent; two lines. */
export function TypedPhrase({ phrase, explains = '', typed, change, bar, width }: TypedPhraseProps) {
  const theme = useTheme();
  const guard = useTextGuard();
  return (
    <>
      <Line
        text={`${bar} Type ${theme.paint('title', phrase)}${explains} to confirm; ${keyLabel('confirm.cancel', 'esc')} cancels.`}
      />
      <Box height={1}>
        <Text>{`${bar} ${theme.paint(typed === phrase ? 'good' : 'accent', marksOf(theme).pointer)} `}</Text>
        <TextField value={typed} onChange={guard(change)} focus width={width - 6} />
      </Box>
    </>
  );
}

import { Box, Transform } from 'ink';
import TextInput from 'ink-text-input';
import { useRef, useState } from 'react';
import { useCaretBox } from '../../components/boxes.ts';
import { Line } from '../../components/Line.tsx';
import { type Role, useTheme } from '../../components/theme.ts';
import { widthOf } from '../../text/cells.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { cellsOf } from './Pane.tsx';

interface PromptLineProps {
  /** Before what is typed. */
  label: string;
  /** Of the label. */
  tone?: Role;
  /** Painted, before the label. */
  lead?: string;
  value: string;
  /** Gets the typed text; answers false where it is not wanted. */
  change: (text: string) => unknown;
  placeholder?: string;
  /** Whether it is the one of several that is typed into. */
  isFocused?: boolean;
  /** In the place of each character of a secret. */
  mask?: string | undefined;
  /** Cells of the line. */
  width: number;
  /** Behind the input, which has so many cells then. */
  hint?: { text: string; inputWidth: number };
}

/** One line in which text is typed, of a longer one its end; its keys are those of whoever draws it. */
export function PromptLine({ label, tone = 'accent', lead = '', width, ...input }: PromptLineProps) {
  const { change, isFocused = true, hint } = input;
  const theme = useTheme();
  const guard = useTextGuard();
  const before = cellsOf(lead) + widthOf(label);
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden" alignItems="flex-end">
      <Box width={before} flexShrink={0}>
        <Line text={lead + theme.paint(tone, label)} />
      </Box>
      <TextField {...input} onChange={guard(change)} focus={isFocused} width={hint?.inputWidth ?? width - before} />
      {hint ? <Line text={hint.text} /> : null}
    </Box>
  );
}

/** Asks for one line of text; nothing else gets keys meanwhile. */
export function Prompt({ accept, cancel, ...line }: PromptLineProps & { accept: () => void; cancel: () => void }) {
  const { value, change } = line;
  useKeys(
    'line',
    { accept, cancel, clear: () => void change('') },
    { typing: true, onPaste: (text) => void change(value + text.trim()) },
  );
  return <PromptLine {...line} />;
}

interface TextFieldProps extends Pick<PromptLineProps, 'value' | 'mask' | 'placeholder' | 'width'> {
  /** Answers false where the change is not wanted. */
  onChange: (text: string) => boolean;
  focus: boolean;
}

/** The placeholder of the input, which knows no theme; faint where that has no colour for it. */
const grey = /\x1b\[90m([^\x1b]*)\x1b\[39m/;

/** One line of input; text longer than its width goes on below. */
export function TextField({ width, onChange, value, ...input }: TextFieldProps) {
  // The input keeps its cursor where it was, also for a change that was not wanted and for a text that was
  // not typed into it but pasted or completed; a new input has it at the end of the text.
  const [unwanted, setUnwanted] = useState(0);
  const last = useRef({ typed: value, shown: value, replaced: 0 });
  const { typed, shown, replaced } = last.current;
  if (value !== shown) last.current = { typed: value, shown: value, replaced: replaced + (value === typed ? 0 : 1) };
  const caretBox = useCaretBox(input.focus);
  const theme = useTheme();
  const faint = (text: string) => theme.paint('dim', text).replace(/^[^\x1b]+/, '\x1b[2m$&\x1b[22m');
  const change = (text: string) => {
    last.current.typed = text;
    if (!onChange(text)) setUnwanted(unwanted + 1);
  };
  return (
    <Box ref={caretBox} width={width} flexShrink={0}>
      <Transform transform={(line) => line.replace(grey, (_, text) => faint(text))}>
        <TextInput
          key={`${unwanted} ${last.current.replaced}`}
          {...input}
          value={value}
          onChange={change}
          showCursor={input.focus}
        />
      </Transform>
    </Box>
  );
}

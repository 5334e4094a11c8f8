import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { useRef, useState } from 'react';
import { useCaretBox } from './boxes.ts';

export interface TextFieldProps {
  value: string;
  /** Answers false where the change is not wanted. */
  onChange: (text: string) => boolean;
  focus: boolean;
  /** Shown in place of each character of a secret. */
  mask?: string;
  placeholder?: string;
  width: number;
}

/** One line of input; text longer than its width goes on below. */
export function TextField({ width, onChange, value, ...input }: TextFieldProps) {
  // The input keeps its cursor where it was, also for a change that was not wanted and for a text that was
  // not typed into it but pasted or completed; a new input has it at the end of the text.
  const [unwanted, setUnwanted] = useState(0);
  const last = useRef({ typed: value, shown: value, replaced: 0 });
  const { typed, shown, replaced } = last.current;
  if (value !== shown) last.current = { typed: value, shown: value, replaced: replaced + (value === typed ? 0 : 1) };
  const caretBox = useCaretBox(input.focus);
  const change = (text: string) => {
    last.current.typed = text;
    if (!onChange(text)) setUnwanted(unwanted + 1);
  };
  return (
    <Box ref={caretBox} width={width} flexShrink={0}>
      <TextInput
        key={`${unwanted} ${last.current.replaced}`}
        {...input}
        value={value}
        onChange={change}
        showCursor={input.focus}
      />
    </Box>
  );
}

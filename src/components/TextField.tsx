import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { useState } from 'react';

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
export function TextField({ width, onChange, ...input }: TextFieldProps) {
  // The input has moved its cursor for a change that was not wanted; a new one has it at the end of the text.
  const [unwanted, setUnwanted] = useState(0);
  const change = (text: string) => {
    if (!onChange(text)) setUnwanted(unwanted + 1);
  };
  return (
    <Box width={width} flexShrink={0}>
      <TextInput key={unwanted} {...input} onChange={change} showCursor={input.focus} />
    </Box>
  );
}

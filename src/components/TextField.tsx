import { Box } from 'ink';
import TextInput from 'ink-text-input';

export interface TextFieldProps {
  value: string;
  onChange: (text: string) => void;
  focus: boolean;
  /** Shown in place of each character of a secret. */
  mask?: string;
  placeholder?: string;
  width: number;
}

/** One line of input; text longer than its width goes on below. */
export function TextField({ width, ...input }: TextFieldProps) {
  return (
    <Box width={width} flexShrink={0}>
      <TextInput {...input} showCursor={input.focus} />
    </Box>
  );
}

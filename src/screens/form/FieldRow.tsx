import { Box, Text } from 'ink';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { FormField } from '../../resources/body.ts';
import { isBlank } from '../../resources/body.ts';
import { useTextGuard } from '../keyboard.tsx';
import { useDeck } from '../useDeck.ts';
import {
  entryFrom,
  entryText,
  type FieldBlock,
  inputHeight,
  isPath,
  isSecret,
  isTyped,
  labelText,
  labelWidth,
  typedText,
} from './fieldLines.ts';
import type { Form } from './useForm.ts';

interface FieldRowProps {
  form: Form;
  formField: FormField;
  index: number;
  block: FieldBlock;
  width: number;
}

/** One field of a form with what stands around it. */
export function FieldRow({ form, formField, index, block, width }: FieldRowProps) {
  const theme = useTheme();
  const { known } = useDeck();
  const guard = useTextGuard();
  const { name, field } = formField;
  const focused = form.focus === index;
  const entry = form.errand.draft[name];
  const room = width - labelWidth - 6;
  const text = typedText(entry);
  const typing = focused && isTyped(field) && !text.includes('\n');
  const verdict = form.complaints.has(name)
    ? theme.paint('bad', marksOf(theme).bad)
    : form.touched.has(name) && !isBlank(entry)
      ? theme.paint('good', marksOf(theme).good)
      : ' ';
  return (
    <Box flexDirection="column" flexShrink={0}>
      {block.heading ? <Line text={block.heading} /> : null}
      {typing ? (
        <Box height={inputHeight(entry, room)}>
          <Text>{`${labelText(theme, formField, true)} ${verdict} `}</Text>
          <TextField
            value={text}
            onChange={guard((typed) => form.set(name, entryFrom(field, typed)))}
            focus
            mask={isSecret(field) && !isPath(field, text) ? marksOf(theme).secret : undefined}
            width={room}
          />
        </Box>
      ) : (
        <Line
          text={`${labelText(theme, formField, focused)} ${verdict} ${entryText(theme, formField, entry, known, room)}`}
        />
      )}
      {block.below.map((line, at) => (
        <Line key={at} text={line} />
      ))}
    </Box>
  );
}

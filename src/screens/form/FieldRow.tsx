import { Box, Text } from 'ink';
import { useState } from 'react';
import { Line, Lines } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { FormField } from '../../resources/body.ts';
import { isSecret } from '../../resources/field.ts';
import type { Entry } from '../../resources/resource.ts';
import { plannedLabel } from '../../store/plans/plannedRows.ts';
import { useTextGuard } from '../keyboard.tsx';
import { useRegion } from '../terminal/mouse.tsx';
import { useStores } from '../useStores.ts';
import { AreaField } from './AreaField.tsx';
import { entryText, type FieldBlock, isLegible, labelText, labelWidth, sharedText } from './fieldLines.ts';
import { entryFrom, isEditableArea, isEditableLine, isMultiline, isTyped, typedText } from './typedText.ts';
import type { Form } from './useForm.ts';

interface FieldRowProps {
  form: Form;
  formField: FormField;
  index: number;
  block: FieldBlock;
  width: number;
}

/** One field of a form with its heading, complaint and help. */
export function FieldRow({ form, formField, index, block, width }: FieldRowProps) {
  const theme = useTheme();
  const stores = useStores();
  const guard = useTextGuard();
  const { name, field } = formField;
  const focused = form.focus === index;
  const entry = form.submission.draft[name];
  const room = width - labelWidth - 6;
  // The text as typed while it parses to the entry, so that a list is not reformatted during typing.
  const [typed, setTyped] = useState('');
  const isList = field.kind === 'strings';
  const text = isList && isSame(entryFrom(field, typed), entry) ? typed : typedText(entry);
  const writing = focused && isEditableArea(field, entry);
  const typing = focused && isTyped(field) && !isMultiline(field) && isEditableLine(text);
  const region = useRegion('form', { onClick: () => form.setFocus(index) });
  const verdict = form.complaints.has(name)
    ? theme.paint('bad', marksOf(theme).bad)
    : form.isGood(formField)
      ? theme.paint('good', marksOf(theme).good)
      : ' ';
  const planned = (id: string) => plannedLabel(stores, id);
  const shared = form.shared(name);
  return (
    <Box ref={region} flexDirection="column" width={width} flexShrink={0}>
      {block.heading ? <Line text={block.heading} /> : null}
      {writing ? (
        <AreaField
          form={form}
          formField={formField}
          label={`${labelText(theme, formField, true)} ${verdict} `}
          paneWidth={width}
          height={block.inputLines}
        />
      ) : typing ? (
        <Box height={block.inputLines} overflow="hidden">
          <Text>{`${labelText(theme, formField, true)} ${verdict} `}</Text>
          {/* If a text does not fit, its last lines are shown, where the caret is. */}
          <Box alignItems="flex-end">
            <TextField
              value={text}
              onChange={guard((changed) => {
                setTyped(changed);
                form.set(name, entryFrom(field, changed));
              })}
              focus={!form.isBusy}
              mask={isSecret(field) && !isLegible(field, text) ? marksOf(theme).secret : undefined}
              width={room}
              placeholder={shared && sharedText(theme, formField, shared, stores.view, room)}
            />
          </Box>
        </Box>
      ) : (
        <Line
          text={`${labelText(theme, formField, focused)} ${verdict} ${entryText(theme, formField, entry, stores.view, room, planned, shared)}`}
        />
      )}
      <Lines of={block.below} />
    </Box>
  );
}

const isSame = (one: Entry, other: Entry) => JSON.stringify(one) === JSON.stringify(other);

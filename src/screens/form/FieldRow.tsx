import { Box, Text } from 'ink';
import { useRef, useState } from 'react';
import { useCaretBox } from '../../components/boxes.ts';
import { Line, Lines } from '../../components/Line.tsx';
import {
  applyEdit,
  type EditCommand,
  type EditorState,
  editCommands,
  insertText,
  rowIndexAt,
  rowText,
  wrapRows,
} from '../../components/textArea.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { FormField } from '../../resources/body.ts';
import { isSecret } from '../../resources/field.ts';
import { plannedLabel } from '../../store/plans/plannedRows.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { withLineFeeds } from '../../text/unseen.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { scrollTop } from '../page/listWindow.ts';
import { cellsOf } from '../page/Pane.tsx';
import { TextField } from '../page/Prompt.tsx';
import { useRegion } from '../terminal/mouse.tsx';
import { useStores } from '../useStores.ts';
import { areaPlace, entryText, type FieldBlock, isLegible, labelText, labelWidth, sharedText } from './fieldLines.ts';
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
  const text = isList && JSON.stringify(entryFrom(field, typed)) === JSON.stringify(entry) ? typed : typedText(entry);
  const writing = focused && isEditableArea(field, entry);
  const typing = focused && isTyped(field) && !isMultiline(field) && isEditableLine(text);
  const region = useRegion('form', { onClick: () => form.setFocus(index) });
  const verdict = form.complaints.has(name)
    ? theme.paint('bad', marksOf(theme).bad)
    : form.isGood(formField)
      ? theme.paint('good', marksOf(theme).good)
      : ' ';
  const label = `${labelText(theme, formField, focused)} ${verdict} `;
  const planned = (id: string) => plannedLabel(stores, id);
  const shared = form.shared(name);
  const said = typing ? text : entryText(theme, formField, entry, stores.view, room, planned, shared);
  const blank = room - cellsOf(said) - widthOf(block.heading);
  const heading = block.heading && blank > 1 ? theme.paint('accent', block.heading) : '';
  return (
    <Box ref={region} flexDirection="column" width={width} flexShrink={0}>
      {writing ? (
        <AreaField form={form} formField={formField} label={label} paneWidth={width} height={block.inputLines} />
      ) : typing ? (
        <Box height={block.inputLines} overflow="hidden">
          <Text>{label}</Text>
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
              width={room - widthOf(heading && block.heading)}
              placeholder={shared && sharedText(theme, formField, shared, stores.view, room)}
            />
          </Box>
          <Text>{heading}</Text>
        </Box>
      ) : (
        <Line text={`${label}${said}${heading && ' '.repeat(blank) + heading}`} />
      )}
      <Lines of={block.below} />
    </Box>
  );
}

interface AreaFieldProps {
  form: Form;
  formField: FormField;
  label: string;
  paneWidth: number;
  height: number;
}

function AreaField({ form, formField: { name, field }, label, paneWidth, height }: AreaFieldProps) {
  const theme = useTheme();
  const { indent, width, isBelow } = areaPlace(paneWidth);
  const page = isBelow ? height - 1 : height;
  const [, draw] = useState(0);
  const text = withLineFeeds(typedText(form.submission.draft[name]));
  // Several keys may arrive before the next render, so the latest text is kept here.
  const latest = useRef<EditorState>({ text, caret: text.length });
  // For a text from elsewhere, e.g. the editor, the caret goes to the end.
  if (latest.current.text !== text) latest.current = { text, caret: text.length };
  const writing = latest.current;

  function update(next: EditorState): void {
    const before = latest.current;
    latest.current = next;
    if (next.text === before.text) draw((count) => count + 1);
    else form.set(name, entryFrom(field, next.text));
  }

  const onEdit = (edit: EditCommand) => () => {
    const next = applyEdit(latest.current, edit, width, page);
    const isAtEnd = next.caret === latest.current.caret && (edit === 'up' || edit === 'down');
    // Up and down leave the text for the neighbouring field.
    if (isAtEnd) form.setFocus((form.focus + (edit === 'up' ? -1 : 1) + form.fields.length) % form.fields.length);
    else update(next);
  };
  const onText = (added: string) => update(insertText(latest.current, added));
  const onPaste = (added: string) => onText(form.seen(field, added));
  useKeys(
    'area',
    form.isBusy
      ? {}
      : { newLine: () => onText('\n'), ...Object.fromEntries(editCommands.map((edit) => [edit, onEdit(edit)])) },
    form.isBusy ? {} : { onText, onPaste },
  );

  const caretBox = useCaretBox(!form.isBusy);
  const rows = wrapRows(text, width);
  const lastTop = useRef(0);
  const cursor = rowIndexAt(rows, writing.caret);
  lastTop.current = scrollTop(lastTop.current, rows.length, cursor, page);
  const top = lastTop.current;
  const mask = isSecret(field) && !isLegible(field, text) ? marksOf(theme).secret : undefined;
  const lineOf = (part: string) => part.split('\n').length;
  const place = rows.length > page ? `line ${lineOf(text.slice(0, writing.caret))}/${lineOf(text)}` : '';
  const lines = Array.from({ length: page }, (_, index) => {
    const row = rows[top + index];
    return row ? rowText(theme, writing, row, top + index === cursor, mask) : '';
  });
  const blank = ' '.repeat(indent);
  const placeBeside = `  ${theme.paint('dim', cell(place, indent - 2))}`;
  const drawn = isBelow
    ? [label + theme.paint('dim', place), ...lines.map((line) => blank + line)]
    : lines.map((line, index) => ([label, placeBeside][index] ?? blank) + line);
  return (
    <Box ref={caretBox} flexDirection="column" width={paneWidth}>
      <Lines of={drawn} />
    </Box>
  );
}

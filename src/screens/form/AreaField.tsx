import { Box } from 'ink';
import { useRef, useState } from 'react';
import { useCaretBox } from '../../components/caretBox.ts';
import { Lines } from '../../components/Line.tsx';
import {
  applyEdit,
  type EditCommand,
  type EditorState,
  insertText,
  rowIndexAt,
  rowText,
  wrapRows,
} from '../../components/textArea.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { FormField } from '../../resources/body.ts';
import { isSecret } from '../../resources/field.ts';
import { cell } from '../../text/cells.ts';
import { withLineFeeds } from '../../text/unseen.ts';
import { useKeys } from '../keyboard.tsx';
import { scrollTop } from '../page/scroll.ts';
import { areaPlace, isLegible } from './fieldLines.ts';
import { entryFrom, typedText } from './typedText.ts';
import type { Form } from './useForm.ts';

interface AreaFieldProps {
  form: Form;
  formField: FormField;
  label: string;
  paneWidth: number;
  height: number;
}

const edits: readonly EditCommand[] = [
  'left',
  'right',
  'up',
  'down',
  'home',
  'end',
  'pageUp',
  'pageDown',
  'backspace',
  'delete',
];

/** The text area of a field of several lines. */
export function AreaField({ form, formField: { name, field }, label, paneWidth, height }: AreaFieldProps) {
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
      : { newLine: () => onText('\n'), ...Object.fromEntries(edits.map((edit) => [edit, onEdit(edit)])) },
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

import { Box, Text } from 'ink';
import { useState } from 'react';
import { clean, wrapCells } from '../../components/cells.ts';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { Known, Resource } from '../../resources/resource.ts';
import type { Subject } from '../actions.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { useDeck } from '../useDeck.ts';
import { previewLines } from './preview.ts';
import type { Errand } from './submit.ts';

interface ConfirmPaneProps {
  errand: Errand;
  width: number;
  height: number;
  agree: () => void;
  cancel: () => void;
}

/** The question before something is sent: what will happen, to what, and what is lost. */
export function ConfirmPane({ errand, width, height, agree, cancel }: ConfirmPaneProps) {
  const deck = useDeck();
  const theme = useTheme();
  const guard = useTextGuard();
  const { resource, action, subjects } = errand;
  const [typed, setTyped] = useState('');
  const [preview, setPreview] = useState(false);
  const wanted = action.danger?.typeLabel || deck.settings.critical ? phraseOf(resource, subjects) : undefined;
  const isMeant = wanted === undefined || typed === wanted;
  useKeys(
    'confirm',
    {
      agree: isMeant ? agree : undefined,
      cancel,
      preview: () => setPreview(!preview),
      clear: wanted === undefined ? undefined : () => setTyped(''),
    },
    { typing: wanted !== undefined, onPaste: (text) => setTyped(text.trim()) },
  );
  const says = sayings(errand, deck.known).flatMap((line) => wrapCells(clean(line), width - 4));
  const room = Math.max(1, height - 3 - (wanted === undefined ? 0 : 2));
  const body = preview ? previewLines(deck, errand, width - 4) : says;
  const left = body.length - room;
  return (
    <Pane title={`${action.help}?`} width={width} height={height}>
      {body.slice(0, left > 0 ? room - 1 : room).map((line, index) => (
        <Line key={index} text={`  ${index === 0 && action.danger && !preview ? theme.paint('bad', line) : line}`} />
      ))}
      {left > 0 ? <Line text={theme.paint('dim', `  … and ${left + 1} more`)} /> : null}
      <Line text="" />
      {wanted === undefined ? (
        <Line
          text={`  ${theme.paint('key', 'enter')} ${action.help.toLowerCase()}   ${theme.paint('key', 'esc')} leave it`}
        />
      ) : (
        <>
          <Line text={`  Type ${theme.paint('title', clean(wanted))} to go on; esc leaves it.`} />
          <Box height={1}>
            <Text>{theme.paint(isMeant ? 'good' : 'accent', `  ${marksOf(theme).pointer} `)}</Text>
            <TextField value={typed} onChange={guard(setTyped)} focus width={width - 6} />
          </Box>
        </>
      )}
    </Pane>
  );
}

/** What has to be typed: the label of one, the count of several. */
const phraseOf = (resource: Resource, subjects: readonly Subject[]): string => {
  const [first] = subjects;
  if (subjects.length === 1 && first) return clean(resource.label(first.row));
  return subjects.length === 0 ? resource.one : `${subjects.length} ${resource.many.toLowerCase()}`;
};

/** What is said before an action, a sentence or more for each row. */
function sayings({ resource, action, subjects, draft }: Errand, known: Known): readonly string[] {
  const { danger, confirm, asks, note } = action;
  const each = subjects.map(({ row }) => {
    const refusal = action.refuse?.(row, known);
    if (refusal) return `Left out: ${refusal}.`;
    return danger?.warning(row, known) ?? confirm?.(row, known, draft) ?? `${action.help}: ${resource.label(row)}.`;
  });
  const [first] = subjects;
  const noted = typeof note === 'function' ? first && note(first.row, known) : note;
  return [asks?.(draft), ...each, noted].filter((line) => line !== undefined && line !== '') as readonly string[];
}

import { Box, Text } from 'ink';
import { useState } from 'react';
import { clean, widthOf, wrapCells } from '../../components/cells.ts';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import { idOf } from '../../resources/identity.ts';
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
  const wanted = action.danger?.typeLabel || deck.settings.critical ? phraseOf(resource, subjects, width) : undefined;
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
          <Line text={`  Type ${theme.paint('title', wanted)} to go on; esc leaves it.`} />
          <Box height={1}>
            <Text>{theme.paint(isMeant ? 'good' : 'accent', `  ${marksOf(theme).pointer} `)}</Text>
            <TextField value={typed} onChange={guard(setTyped)} focus width={width - 6} />
          </Box>
        </>
      )}
    </Pane>
  );
}

/**
 * What has to be typed: the label of one, else its id where nobody could read or type that; the count of several.
 * @param width the cells of the line that asks for it
 */
export function phraseOf(resource: Resource, subjects: readonly Subject[], width: number): string {
  const [first, ...others] = subjects;
  if (others.length > 0) return `${subjects.length} ${resource.many.toLowerCase()}`;
  const names = first ? [resource.label(first.row), idOf(resource, first.row)] : [];
  return names.find((name) => isTypable(name, width - asking.length)) ?? resource.one;
}

/** What stands around the phrase and must be read with it. */
const asking = '  Type  to go on';

/** Whether a text is all there when it is shown on a line of so many cells, and nothing else when it is typed. */
const isTypable = (text: string, room: number): boolean =>
  text !== '' && text.trim() === text && clean(text) === text && widthOf(text) <= room;

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

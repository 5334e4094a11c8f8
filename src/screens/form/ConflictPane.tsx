import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { marksOf, pointerOf, useTheme } from '../../components/theme.ts';
import type { Conflict, ConflictSide } from '../../resources/edits.ts';
import type { Entry } from '../../resources/resource.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { moveHandlers, useScroll } from '../useScroll.ts';
import { useStores } from '../useStores.ts';
import { entryText } from './fieldLines.ts';
import type { Form } from './useForm.ts';

interface ConflictPaneProps {
  form: Form;
  width: number;
  height: number;
}

/** Lines of one conflict: its field, theirs and mine. */
const linesEach = 3;

/** Cells before a value. */
const indentCells = 15;
/** Cells beside the label and the value that was there. */
const besideLabel = 10;

/** Asks which value to keep for each field that was changed here and elsewhere. */
export function ConflictPane({ form, width, height }: ConflictPaneProps) {
  const theme = useTheme();
  const { view } = useStores();
  const { conflicts } = form;
  const [cursor, setCursor] = useState(0);
  // A choice is about the value shown: if that changes, it is asked again.
  const [chosen, setChosen] = useState<ReadonlyMap<string, ConflictSide>>(new Map());
  const conflictKey = ({ name, theirs }: Conflict) => `${name} ${JSON.stringify(theirs)}`;
  const at = Math.min(cursor, conflicts.length - 1);
  const sideOf = (conflict: Conflict) => chosen.get(conflictKey(conflict));
  const left = conflicts.filter((conflict) => !sideOf(conflict)).length;

  const choose = (side: ConflictSide) => () => {
    const conflict = conflicts[at];
    if (!conflict) return;
    const next = new Map([...chosen, [conflictKey(conflict), side]]);
    setChosen(next);
    const open = conflicts.findIndex((one) => !next.has(conflictKey(one)));
    if (open >= 0) setCursor(open);
  };
  const goOn = () => form.resolve(new Map(conflicts.map((conflict) => [conflict.name, sideOf(conflict) ?? 'theirs'])));
  const since = form.takesBack ? 'Changed again since' : 'Changed elsewhere too since this form was opened';
  const intro = wrapCells(`${since}. Which value do you keep?`, width - 2);
  const body = Math.max(linesEach, height - 1 - intro.length - 1);
  const shown = Math.max(1, Math.floor(body / linesEach));
  const top = useScroll(conflicts.length, at, shown);
  useKeys('conflicts', {
    mine: choose('mine'),
    theirs: choose('theirs'),
    agree: left === 0 ? goOn : 'Each field needs a choice: m keeps mine, t takes theirs.',
    cancel: () => form.resolve(undefined),
    ...moveHandlers(at, conflicts.length, shown, setCursor),
  });

  const keyOf = { mine: keyLabel('conflicts.mine', 'm'), theirs: keyLabel('conflicts.theirs', 't') };
  const lines = conflicts.slice(top, top + shown).flatMap((conflict) => {
    const { name, field, opened, mine, theirs } = conflict;
    const text = (entry: Entry, other: Entry, room = width - indentCells) =>
      entryText(theme, { name, field, required: false }, fromDifference(entry, other), view, room);
    const side = (which: ConflictSide, entry: Entry, other: Entry) => {
      const mark = sideOf(conflict) === which ? theme.paint('good', marksOf(theme).good) : ' ';
      return `   ${mark} ${theme.paint('key', keyOf[which])} ${cell(which, 7)} ${text(entry, other)}`;
    };
    const isAt = conflicts[at] === conflict;
    const called = clean(field.label);
    const label = isAt ? theme.paint('title', called) : called;
    const was = text(opened, theirs, width - widthOf(called) - besideLabel);
    return [
      ` ${pointerOf(theme, isAt)} ${label}  ${theme.paint('dim', `was ${was}`)}`,
      side('theirs', theirs, mine),
      side('mine', mine, theirs),
    ];
  });
  const hidden = conflicts.length - shown;
  const foot =
    left > 0
      ? `${left} of ${conflicts.length} to choose${hidden > 0 ? '; ↓ shows the others' : ''}`
      : `${keyLabel('conflicts.agree', 'enter')} goes on with what is chosen`;
  return (
    <Pane title={form.title} width={width} height={height}>
      {intro.map((line) => (
        <Line key={line} text={` ${theme.paint('warn', line)}`} />
      ))}
      {lines.map((line, index) => (
        <Line key={index} text={line} />
      ))}
      <Line text={theme.paint('dim', ` ${foot}`)} />
    </Pane>
  );
}

/** Cuts the common beginning of long texts, so that their difference is visible. */
function fromDifference(entry: Entry, other: Entry): Entry {
  if (typeof entry !== 'string' || typeof other !== 'string') return entry;
  const same = [...entry].findIndex((character, index) => character !== other[index]);
  const start = (same < 0 ? entry.length : same) - 10;
  return start > 20 ? `… ${entry.slice(start)}` : entry;
}

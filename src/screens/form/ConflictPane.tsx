import { useState } from 'react';
import { saidLines } from '../../components/spans.ts';
import { marksOf, pointerOf, useTheme } from '../../components/theme.ts';
import type { Conflict, ConflictSide } from '../../resources/edits.ts';
import type { Entry } from '../../resources/resource.ts';
import { cell, clean, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Page } from '../page/Page.tsx';
import type { PageLine } from '../page/usePage.ts';
import { type Size, useStores } from '../useStores.ts';
import { entryText } from './fieldLines.ts';
import type { Form } from './useForm.ts';

const indentCells = 15;
/** Cells beside the label and the value that was there. */
const besideLabel = 10;

/** Asks which value to keep for each field that was changed here and elsewhere. */
export function ConflictPane({ form, ...size }: Size & { form: Form }) {
  const theme = useTheme();
  const { view } = useStores();
  const { conflicts } = form;
  const [cursor, setCursor] = useState<string>();
  // A choice is about the value shown: if that changes, it is asked again.
  const [chosen, setChosen] = useState<ReadonlyMap<string, ConflictSide>>(new Map());
  const conflictKey = ({ name, theirs }: Conflict) => `${name} ${JSON.stringify(theirs)}`;
  const sideOf = (conflict: Conflict) => chosen.get(conflictKey(conflict));
  const left = conflicts.filter((conflict) => !sideOf(conflict)).length;
  const choose = (current: string | undefined, side: ConflictSide) => {
    const conflict = conflicts.find(({ name }) => name === current);
    if (!conflict) return;
    const next = new Map([...chosen, [conflictKey(conflict), side]]);
    setChosen(next);
    setCursor((conflicts.find((one) => !next.has(conflictKey(one))) ?? conflict).name);
  };
  const since = form.takesBack ? 'Changed again since' : 'Changed elsewhere too since this form was opened';
  const keyOf = { mine: keyLabel('conflicts.mine', 'm'), theirs: keyLabel('conflicts.theirs', 't') };
  const lines = conflicts.flatMap((conflict): readonly PageLine[] => {
    const { name, field, opened, mine, theirs } = conflict;
    const text = (entry: Entry, other: Entry, room = size.width - indentCells) =>
      entryText(theme, { name, field, required: false }, fromDifference(entry, other), view, room);
    const side = (which: ConflictSide, entry: Entry, other: Entry) => {
      const mark = sideOf(conflict) === which ? theme.paint('good', marksOf(theme).good) : ' ';
      return `   ${mark} ${theme.paint('key', keyOf[which])} ${cell(which, 7)} ${text(entry, other)}`;
    };
    const called = clean(field.label);
    const was = theme.paint('dim', `was ${text(opened, theirs, size.width - widthOf(called) - besideLabel)}`);
    const head = (isAt: boolean) =>
      ` ${pointerOf(theme, isAt)} ${isAt ? theme.paint('title', called) : called}  ${was}`;
    return [{ id: name, text: head }, side('theirs', theirs, mine), side('mine', mine, theirs)];
  });
  const foot =
    left > 0
      ? `${left} of ${conflicts.length} to choose`
      : `${keyLabel('conflicts.agree', 'enter')} goes on with what is chosen`;
  const agree = () => form.resolve(new Map(conflicts.map((conflict) => [conflict.name, sideOf(conflict) ?? 'theirs'])));
  return (
    <Page
      {...size}
      layer="conflicts"
      title={form.title}
      head={saidLines(theme, `${since}. Which value do you keep?`, size.width - 2, 'warn')}
      lines={lines}
      foot={[theme.paint('dim', ` ${foot}`)]}
      cursor={cursor}
      setCursor={setCursor}
      keys={(current) => ({
        mine: () => choose(current, 'mine'),
        theirs: () => choose(current, 'theirs'),
        agree:
          left === 0 ? agree : `Each field needs a choice: ${keyOf.mine} keeps mine, ${keyOf.theirs} takes theirs.`,
        cancel: form.back,
      })}
    />
  );
}

/** Cuts the common beginning of long texts, so that their difference is visible. */
function fromDifference(entry: Entry, other: Entry): Entry {
  if (typeof entry !== 'string' || typeof other !== 'string') return entry;
  const same = [...entry].findIndex((character, index) => character !== other[index]);
  const start = (same < 0 ? entry.length : same) - 10;
  return start > 20 ? `… ${entry.slice(start)}` : entry;
}

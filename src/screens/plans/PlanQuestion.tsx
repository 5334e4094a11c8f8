import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { askOf } from '../../resources/asking.ts';
import { openSteps } from '../../store/plans/plans.ts';
import { costsOf, costText } from '../../store/plans/stepCost.ts';
import { headingOf, toldLines } from '../../store/plans/stepWords.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted, sentence } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { phraseObjection, unseenObjection } from '../question/objections.ts';
import { TypedPhrase } from '../question/TypedPhrase.tsx';
import { moveHandlers } from '../useScroll.ts';
import { useStores } from '../useStores.ts';
import { limitsOf } from './limits.ts';
import { hueOf } from './planLines.ts';
import { type ShownStep, shownStep } from './planStep.ts';

interface PlanQuestionProps {
  /** Told whether the number of steps was typed. */
  agree: (isTyped: boolean) => void;
  cancel: () => void;
  width: number;
  height: number;
}

/** Asks once before a plan is carried out: each step with all that is lost by it, seen whole. */
export function PlanQuestion({ agree, cancel, width, height }: PlanQuestionProps) {
  const stores = useStores();
  const theme = useTheme();
  const state = useStore(stores.plans);
  const [typed, setTyped] = useState('');
  const [wantedTop, setTop] = useState(0);
  const [complaint, setComplaint] = useState('');
  const room = width - 4;
  const asked = useMemo(() => questionOf(stores, theme, state.steps, room), [stores, theme, state.steps, room]);
  const phrase = asked.isTyped ? counted(asked.count, 'step') : undefined;
  const { lines } = asked;
  const said = complaint === '' ? [] : wrapCells(clean(complaint), room);
  const foot = 1 + (asked.total === '' ? 0 : 1) + (phrase === undefined ? 0 : 1) + said.length;
  const whole = Math.max(1, height - 1 - foot);
  const body = lines.length > whole ? Math.max(1, whole - 1) : whole;
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wantedTop, lowest);
  const below = lowest - top;
  const seen = useRef(false);
  if (below === 0) seen.current = true;

  /** Why it cannot be carried out yet, as a sentence; empty if it can. */
  function objection(): string {
    return phraseObjection(phrase, typed) || (seen.current ? '' : unseenObjection(below));
  }

  useKeys(
    'confirm',
    {
      agree: () => {
        const why = objection();
        if (why === '') agree(phrase !== undefined);
        else setComplaint(why);
      },
      cancel,
      clear: phrase === undefined ? undefined : () => setTyped(''),
      ...moveHandlers(top, lowest + 1, body, (line) => {
        setTop(line);
        setComplaint('');
      }),
      other: () =>
        setComplaint(
          phrase === undefined
            ? `Press ${keyLabel('confirm.agree', 'enter')} to carry the plan out, or ${keyLabel('confirm.cancel', 'esc')} to go back to it.`
            : `Type ${phrase} and press ${keyLabel('confirm.agree', 'enter')}, or press ${keyLabel('confirm.cancel', 'esc')} to cancel.`,
        ),
    },
    { typing: phrase !== undefined, onPaste: (text) => phrase !== undefined && setTyped(text.trim()) },
  );
  const bar = asked.isDanger ? theme.paint('bad', marksOf(theme).bar) : ' ';
  const change = (text: string) => {
    setTyped(text);
    setComplaint('');
  };
  const { up, down } = marksOf(theme);
  const more = [below > 0 ? `${down} ${below} more below: pagedown, end` : '', top > 0 ? `${up} ${top} above` : ''];
  return (
    <Pane
      title={`Carry out ${counted(asked.count, 'step')}${asked.count > 1 ? ', one after the other' : ''}?`}
      width={width}
      height={height}
      isDanger={asked.isDanger}
    >
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={`${bar} ${line}`} />
      ))}
      {lines.length < whole ? <Line text={bar} /> : null}
      {lowest > 0 ? <Line text={`${bar} ${theme.paint('dim', cut(more.filter(Boolean).join('   '), room))}`} /> : null}
      {asked.total === '' ? null : <Line text={`${bar} ${theme.paint('title', cut(asked.total, room))}`} />}
      {said.map((line, index) => (
        <Line key={`said ${index}`} text={`${bar} ${theme.paint('warn', line)}`} />
      ))}
      {phrase === undefined ? (
        <Line
          text={`${bar} ${theme.paint('key', keyLabel('confirm.agree', 'enter'))} carry out   ${theme.paint('key', keyLabel('confirm.cancel', 'esc'))} cancel`}
        />
      ) : (
        <TypedPhrase phrase={phrase} typed={typed} change={change} bar={bar} width={width} />
      )}
    </Pane>
  );
}

const againText = 'It is looked for once more, and sent again where that shows nothing else.';

interface Question {
  lines: readonly string[];
  count: number;
  total: string;
  isDanger: boolean;
  /** The number of steps is typed. */
  isTyped: boolean;
}

/** All that is said about the steps that are not done. */
function questionOf(
  stores: Stores,
  theme: Theme,
  all: Parameters<typeof openSteps>[0]['steps'],
  room: number,
): Question {
  const shown = openSteps({ steps: all }).map((step) => shownStep(stores, step, theme.glyphs));
  const known = shown.flatMap((one): readonly ShownStep[] => ('why' in one ? [] : [one]));
  const costs = costsOf({ steps: shown.map(({ step }) => step), view: stores.view, glyphs: theme.glyphs });
  const wrapped = (text: string, indent: number, hue?: 'bad' | 'warn' | 'dim' | 'title') =>
    wrapCells(clean(text, Number.POSITIVE_INFINITY), room, indent).map((line) => (hue ? theme.paint(hue, line) : line));
  const lines = shown.flatMap((one) => {
    const number = `${String(one.number).padStart(2)}  `;
    if ('why' in one) return wrapped(number + one.why, 4, 'bad');
    const { refusals, asks, change, step, words } = one;
    const cost = costs.of(step.id);
    const isAgain = step.result?.state === 'unknown';
    return [
      ...wrapped(number + headingOf(words), 4, 'title'),
      ...(isAgain ? wrapped(`    ${step.result?.says ?? ''} ${againText}`, 4, 'warn') : []),
      ...(cost ? wrapped(`    ${costText(cost, theme.glyphs)}`, 6) : []),
      ...toldLines(words).flatMap((line) =>
        wrapped(`    ${line.text}`, 6, line.kind === 'field' ? undefined : hueOf(line)),
      ),
      ...refusals.flatMap((why) => wrapped(`    ${sentence(why, change.label)}`, 4, 'warn')),
      ...asks.flatMap((why) => wrapped(`    ${why}`, 4, 'warn')),
    ];
  });
  const limits = limitsOf(stores, known);
  return {
    lines: [...lines, ...limits.flatMap((why) => wrapped(sentence(why), 0, 'warn'))],
    count: shown.length,
    total: costs.total(shown.map(({ step }) => step.id)),
    isDanger: known.some(({ words }) => words.losses.length > 0),
    isTyped:
      stores.settings.critical ||
      known.some(({ change, asks }) => asks.length > 0 || askOf(change.action).typeLabel === true),
  };
}

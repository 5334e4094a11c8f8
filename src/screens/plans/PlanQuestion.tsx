import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type Theme, useTheme } from '../../components/theme.ts';
import { askOf } from '../../resources/asking.ts';
import type { Tempo } from '../../store/changes/change.ts';
import { limitsOf } from '../../store/guards/subjects.ts';
import { hasBegun, openSteps, partOf, wasAnswered } from '../../store/plans/plan.ts';
import { costsOf, costText } from '../../store/plans/stepCost.ts';
import { headingOf, sharedWait, toldLines } from '../../store/plans/stepWords.ts';
import { waitAt } from '../../store/plans/tempo.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { counted, sentence } from '../../text/words.ts';
import { answerText, QuestionPane } from '../question/QuestionPane.tsx';
import { useTempo } from '../question/useTempo.ts';
import { type Size, useStores } from '../useStores.ts';
import { hueOf, unseen } from './planLines.ts';
import { type ShownStep, shownStep } from './planStep.ts';

interface PlanQuestionProps extends Size {
  /** The action at a tempo whose steps alone are carried out; without it all others are. */
  rolling: string | undefined;
  /** Told whether the number of steps was typed. */
  agree: (isTyped: boolean) => void;
  cancel: () => void;
}

/** Asks once before a plan is carried out: each step with all that is lost by it, seen whole. */
export function PlanQuestion({ rolling, agree, ...size }: PlanQuestionProps) {
  const stores = useStores();
  const theme = useTheme();
  const state = useStore(stores.plans);
  const room = size.width - 4;
  const steps = useMemo(() => partOf(state.steps, rolling), [state.steps, rolling]);
  const cache = useStore(stores.cache);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked follows from the plan and the loaded rows
  const asked = useMemo(() => questionOf(stores, theme, steps, room), [stores, theme, steps, room, cache]);
  const left = useMemo(() => asked.known.filter(({ step }) => !wasAnswered(step)), [asked]);
  const waits = (tempo: Tempo) =>
    left.map(
      ({ step, change, submission }, index) =>
        [step.id, waitAt(tempo, change, submission.targets[0]?.row, index, left.length)] as const,
    );
  const how = useTempo({
    count: left.length,
    isCareful: left.some(({ change }) => change.action.disrupts),
    isPlanned: steps.some(({ wait }) => wait),
    of: { one: 'step', many: 'Steps' },
    waitsAt: (tempo) => waits(tempo).flatMap(([, wait]) => wait ?? []),
    atOnce: 'without waiting',
    room,
  });
  const { lines, count, total, isDanger } = asked;
  const part = steps[0]?.rolling;
  const phrase = asked.isTyped ? counted(count, 'step') : undefined;
  const run = (isTyped: boolean) => {
    const why = how.tempo && stores.plans.setWaits(new Map(waits(how.tempo)));
    if (why === undefined) agree(isTyped);
    return why;
  };
  return (
    <QuestionPane
      {...size}
      title={`Carry out ${counted(count, 'step')}${part ? ` of: ${part.title}` : count > 1 ? ', one after the other' : ''}?`}
      isDanger={isDanger}
      lines={[...how.lines, ...lines]}
      keys={how.keys}
      about={how.about + steps.map(({ id }) => id).join(' ')}
      totals={[...how.head, ...(total === '' ? [] : [theme.paint('title', cut(total, room))])]}
      phrase={phrase}
      agree={{ word: 'carry out', run }}
      wayOut={answerText(phrase, 'carry the plan out', phrase === undefined ? 'go back to it' : 'cancel')}
    />
  );
}

const begunText = 'It has begun: its end is waited for, and it is not sent again.';
const againText = 'It is looked for once more, and sent again where that shows nothing else.';

/** All that is said about the steps that are not done. */
function questionOf(stores: Stores, theme: Theme, all: Parameters<typeof openSteps>[0]['steps'], room: number) {
  const shown = openSteps({ steps: all }).map((step) => shownStep(stores, step, theme.glyphs));
  const known = shown.flatMap((one): readonly ShownStep[] => ('why' in one ? [] : [one]));
  const costs = costsOf({ steps: shown.map(({ step }) => step), view: stores.view, glyphs: theme.glyphs });
  const wrapped = (text: string, indent: number, hue?: 'bad' | 'warn' | 'dim' | 'title') =>
    wrapCells(clean(text, Number.POSITIVE_INFINITY), room, indent).map((line) => theme.paint(hue, line));
  const each = sharedWait(known.map(({ words }) => words));
  const lines = shown.flatMap((one) => {
    const number = `${String(one.number).padStart(2)}  `;
    if ('why' in one) return wrapped(number + one.why, 4, 'bad');
    const { refusals, asks, change, step, words } = one;
    const cost = costs.of(step.id);
    const isAgain = step.result?.state === 'unknown';
    const begun = hasBegun(step) ? [step.result?.says, begunText].filter(Boolean).join(' ') : '';
    const isUnseen = step.result?.state === 'sent' && !step.result.says;
    return [
      ...wrapped(number + headingOf(words), 4, 'title'),
      ...(isAgain ? wrapped(`    ${step.result?.says ?? ''} ${againText}`, 4, 'warn') : []),
      ...(begun === '' ? [] : wrapped(`    ${begun}`, 4, 'warn')),
      ...(isUnseen ? wrapped(`    ${unseen}`, 4, 'warn') : []),
      ...(cost ? wrapped(`    ${costText(cost, theme.glyphs)}`, 6) : []),
      ...toldLines(words, each).flatMap((line) =>
        wrapped(`    ${line.text}`, 6, line.kind === 'field' ? undefined : hueOf(line)),
      ),
      ...refusals.flatMap((why) => wrapped(`    ${sentence(why, change.label)}`, 4, 'warn')),
      ...asks.flatMap((why) => wrapped(`    ${why}`, 4, 'warn')),
    ];
  });
  return {
    lines: [
      ...(each ? wrapped(each, 0) : []),
      ...lines,
      ...[...limitsOf(stores, known).values()].flatMap((why) => wrapped(sentence(why), 0, 'warn')),
    ],
    known,
    count: shown.length,
    total: costs.total(shown.map(({ step }) => step.id)),
    isDanger: known.some(({ words }) => words.losses.length > 0),
    /** The number of steps is typed. */
    isTyped:
      stores.settings.critical ||
      known.some(({ change, asks }) => asks.length > 0 || askOf(change.action).typeLabel === true),
  };
}

import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Theme, useTheme } from '../../components/theme.ts';
import { askOf } from '../../resources/asking.ts';
import { limitsOf } from '../../store/guards/subjects.ts';
import { openSteps, type Plan, type PlanStep, partOf, wasAnswered } from '../../store/plans/plan.ts';
import { waitsAt } from '../../store/plans/tempo.ts';
import type { Stores } from '../../store/stores.ts';
import { cut, wrapCells } from '../../text/cells.ts';
import { counted, sentence } from '../../text/words.ts';
import { answerText, QuestionPane } from '../question/QuestionPane.tsx';
import { useTempo } from '../question/useTempo.ts';
import { type Size, useStores } from '../useStores.ts';
import { shownPlan } from './planLines.ts';

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
  const changes = () => left.map(({ change, submission: { targets } }) => ({ change, row: targets[0]?.row }));
  const how = useTempo({
    count: left.length,
    acted: left.map(({ change }) => change),
    isPlanned: steps.some(({ wait }) => wait),
    of: { one: 'step', many: 'Steps' },
    changes,
    atOnce: 'without waiting',
    room,
  });
  const { lines, total, isDanger } = asked;
  const count = counted(asked.steps.length, 'step');
  const part = steps[0]?.rolling;
  const phrase = asked.isTyped ? count : undefined;
  /** All that would be sent. */
  const textOf = (plan: Pick<Plan, 'steps'>) =>
    JSON.stringify(openSteps({ steps: partOf(plan.steps, rolling) }).map(({ record }) => record));
  const about = textOf(state);
  const [read, setRead] = useState(about);
  const run = (isTyped: boolean) => {
    stores.plans.refresh();
    const now = textOf(stores.plans.getState());
    setRead(now);
    if (now !== read) return 'Another session has changed the plan meanwhile: read it again.';
    const waits = waitsAt(how.tempo, changes());
    const why = how.tempo && stores.plans.setWaits(new Map(left.map(({ step }, place) => [step.id, waits[place]])));
    if (why === undefined) agree(isTyped);
    return why;
  };
  return (
    <QuestionPane
      {...size}
      title={`Carry out ${count}${part ? ` of: ${part.title}` : asked.steps.length > 1 ? ', one after the other' : ''}?`}
      isDanger={isDanger}
      lines={[...how.lines, ...lines]}
      keys={how.keys}
      about={how.about + about}
      totals={[...how.head, ...(total === '' ? [] : [theme.paint('title', cut(total, room))])]}
      phrase={phrase}
      agree={{ word: 'carry out', run }}
      wayOut={answerText(phrase, 'carry the plan out', phrase === undefined ? 'go back to it' : 'cancel')}
    />
  );
}

/** All that is said about the steps that are not done. */
function questionOf(stores: Stores, theme: Theme, all: readonly PlanStep[], room: number) {
  const shown = shownPlan(stores, theme, room, openSteps({ steps: all }));
  const { steps, known, each } = shown;
  const limits = [...limitsOf(stores, known).values()].flatMap((why) => wrapCells(sentence(why), room));
  return {
    ...shown,
    lines: [
      ...(each ? wrapCells(each, room) : []),
      ...steps.flatMap(({ lines }) => lines),
      ...limits.map((line) => theme.paint('warn', line)),
    ],
    isDanger: known.some(({ words }) => words.losses.length > 0),
    /** The number of steps is typed, also where the first may be done twice by it. */
    isTyped:
      stores.settings.critical ||
      openSteps({ steps: all })[0]?.result?.state === 'unknown' ||
      known.some(({ change, asks }) => asks.length > 0 || askOf(change.action).typeLabel === true),
  };
}

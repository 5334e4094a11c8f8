import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { useTheme } from '../../components/theme.ts';
import { idIn } from '../../resources/identity.ts';
import { knownResource, resourceNamed } from '../../resources/index.ts';
import type { Params } from '../../resources/resource.ts';
import { deedOn } from '../../resources/wording.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { readRules, rowQueries } from '../../store/changes/readAgain.ts';
import { isReference, withReferences } from '../../store/changes/references.ts';
import type { CacheState } from '../../store/entries.ts';
import { namedBy } from '../../store/plans/names.ts';
import { hasBegun, isInDoubt, numberIn, openSteps, type PlanStep, partOf } from '../../store/plans/plan.ts';
import { othersText } from '../../store/plans/planKeeper.ts';
import { busy } from '../../store/plans/plans.ts';
import { lookAtEnds, runPlan } from '../../store/plans/running.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import { whyForbidden } from '../../store/session.ts';
import { cut, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted, uncapitalized } from '../../text/words.ts';
import { RequestPane, writtenChange } from '../form/preview.tsx';
import { Page } from '../page/Page.tsx';
import { itemLines } from '../page/usePage.ts';
import { useStopKey } from '../transfers/useProgress.ts';
import { type Size, useQueries, useStores } from '../useStores.ts';
import { PlanQuestion } from './PlanQuestion.tsx';
import { shownPlan } from './planLines.ts';
import { editStep } from './planStep.ts';

/** In place of the steps: the request of the one under the cursor, or the question about a part, see `partOf`. */
type Shown = 'request' | { rolling: string | undefined };

/** The changes that were collected: their order, what each changes, costs and is held back by, and their results. */
export function PlanPane(size: Size) {
  const stores = useStores();
  const { cursor, steps } = useStore(stores.plans);
  const [pane, setPane] = useState<Shown>();
  const close = () => setPane(undefined);
  const step = steps.find(({ id }) => id === cursor);
  useStepRows();
  if (pane === 'request' && step) return <PlanRequest step={step} close={close} {...size} />;
  if (typeof pane !== 'object') return <PlanTable show={setPane} {...size} />;
  // Another session has carried out what was asked about.
  if (openSteps({ steps: partOf(steps, pane.rolling) }).length === 0) close();
  const agree = (isTyped: boolean) => {
    close();
    void runPlan(stores, isTyped, pane.rolling);
  };
  return <PlanQuestion rolling={pane.rolling} agree={agree} cancel={close} {...size} />;
}

function PlanTable({ show, width, height }: Size & { show: (pane: Shown) => void }) {
  const stores = useStores();
  const theme = useTheme();
  const { plans, navigation, api } = stores;
  const state = useStore(plans);
  const { cursor, run } = state;
  const setCursor = (id: number | undefined) => plans.setState({ cursor: id });
  const loaded = useStore(stores.cache, useShallow(knownIn));
  const events = useStore(stores.events, (known) => known.events);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown follows from the plan and the loaded rows
  const { steps, known, each, total, facts } = useMemo(
    () => shownPlan(stores, theme, width - 2),
    [state.steps, state.others, run, loaded, events, stores, theme, width],
  );
  const open = openSteps(state).length;
  const isDone = open === 0 && state.steps.length > 0;

  function whyNotNow(next: PlanStep | undefined): string | undefined {
    if (run) return busy;
    if (state.others) return othersText(state.others);
    if (open === 0) return isDone ? 'Every step is done.' : 'The plan is empty.';
    if (api.readOnly) return 'Read-only: :plan save FILE writes it down for a session that may change things.';
    // One that may be done is looked for first.
    const left = known.filter(({ step }) => step.rolling?.id === next?.rolling?.id && !step.result?.since);
    const first = left.find(({ change }) => whyForbidden(stores, change.action));
    const why = first && uncapitalized(whyForbidden(stores, first.change.action) ?? '');
    return why && `Step ${first.number} cannot be sent: ${why} :plan save FILE writes the plan down for one that may.`;
  }

  useStopKey();

  function keysOf(at: number) {
    const step = state.steps[at];
    const next = nextAt(state.steps, step);
    const held = run ? busy : undefined;
    /** Does something with the step under the cursor. */
    const own = (act: (step: PlanStep) => unknown) =>
      step
        ? () => {
            setCursor(step.id);
            return act(step);
          }
        : 'The plan is empty.';
    return {
      carryOut: whyNotNow(next) ?? own(() => void show({ rolling: next?.rolling?.id })),
      request: own(() => void show('request')),
      edit: held ?? own((one) => editStep(stores, one)),
      remove:
        held ??
        own(({ id }) => {
          const why = plans.remove(id);
          if (why === undefined) setCursor(steps[at + 1]?.id ?? steps[at - 1]?.id);
          return why ?? `Step ${at + 1} is deleted; ${keyLabel('plan.restore', 'u')} brings it back.`;
        }),
      restore: held ?? (() => plans.undo()),
      removeDone: held ?? (open < state.steps.length ? () => plans.removeDone() : 'No step is done yet.'),
      earlier: held ?? own(({ id }) => plans.move(id, -1)),
      later: held ?? own(({ id }) => plans.move(id, 1)),
      palette: () => navigation.open({ kind: 'palette' }),
      help: () => navigation.open({ kind: 'help' }),
      close: () => navigation.close(),
    };
  }

  const lines = steps.flatMap(({ id, lines: own }) => itemLines(theme, String(id), own));
  const all = counted(state.steps.length, 'step');
  const count = isDone ? `${all} done` : open < state.steps.length ? `${open} of ${all} left` : all;
  const titled = (...parts: readonly string[]) => [`Plan  ${count}`, ...parts].filter(Boolean).join('   ');
  const isNarrow = total !== '' && widthOf(titled(total, facts)) > width - 6;
  const title = isNarrow ? titled(facts) : titled(total, facts);
  const above = [each ?? [], isNarrow ? `Altogether ${total}` : []].flat();
  const altogether = above.flatMap((text) => wrapCells(` ${text}`, width, 1));
  return (
    <Page
      layer="plan"
      title={title}
      head={(current) => [cut(` ${stateText(current)}`, width), ...altogether].map((line) => theme.paint('dim', line))}
      lines={lines}
      none="The plan is empty: ctrl-a in a form or a question puts its change here instead of sending it."
      cursor={cursor === undefined ? undefined : String(cursor)}
      setCursor={(id) => setCursor(Number(id))}
      again={keyLabel('plan.request', 'enter')}
      keys={(current) => keysOf(steps.findIndex(({ id }) => String(id) === current))}
      width={width}
      height={height}
    />
  );

  function stateText(current: string | undefined): string {
    if (run === 'stopping') return 'Stopping: no further step is begun.';
    const stop = `${keyLabel('everywhere.stopSending', 'X')} stops after this step`;
    const pause = keyLabel('everywhere.pause', 'Z');
    if (run === 'paused') return `Paused: ${pause} goes on, ${stop}.`;
    if (run) return `Being carried out; ${pause} pauses, ${stop}.`;
    if (steps.length === 0) return '';
    if (isDone) return `Every step is done; ${keyLabel('plan.removeDone', 'c')} clears them.`;
    const at = state.steps.find(({ id }) => String(id) === current);
    const next = nextAt(state.steps, at);
    const why = whyNotNow(next);
    if (why !== undefined) return why;
    const key = keyLabel('plan.carryOut', 'ctrl-s');
    const number = next && numberIn(state.steps, next.id);
    if (next?.result?.state === 'unknown')
      return `It is unknown whether step ${number} was done: look at it; ${key} asks whether to send it again, ${keyLabel('plan.remove', 'd')} deletes it.`;
    const begun = partOf(state.steps, next?.rolling?.id).find(hasBegun);
    if (begun?.result?.says)
      return `${key} waits for step ${numberIn(state.steps, begun.id)} once more, ${keyLabel('plan.remove', 'd')} deletes it, so that the rest goes on without it.`;
    if (begun) return `${key} waits for the end of step ${numberIn(state.steps, begun.id)}, and then goes on.`;
    if (next && isInDoubt(next)) return `${key} looks first whether the steps with ? were done, and then goes on.`;
    if (next && state.steps.some(({ result }) => result)) return `Step ${number} is next; ${key} goes on with it.`;
    return `Nothing is sent yet; ${key} carries it out step by step.`;
  }
}

/** Steps are told by all that is loaded, not by its being read, nor by the lists that the program makes itself. */
const knownIn = ({ collections, answers }: CacheState): readonly unknown[] => [
  ...Object.values(collections).flatMap(({ resource, rows, loadedAt, keptAt }) =>
    resourceNamed(resource).local || (rows.length === 0 && !loadedAt) ? [] : [rows, loadedAt, keptAt],
  ),
  ...Object.values(answers).flatMap(({ body, loadedAt }) => (body ? [body, loadedAt] : [])),
];

/** The next step of the part that is carried out with the cursor on a step: its own, unless all of that is done. */
function nextAt(steps: readonly PlanStep[], at: PlanStep | undefined): PlanStep | undefined {
  const open = openSteps({ steps });
  return (at && partOf(open, at.rolling?.id)[0]) ?? open[0];
}

/** The rows of so many steps are read. */
const maxRead = 20;

/** Reads the rows of the steps that are left and keeps them fresh, as others change them, too; those that steps name are read once. */
function useStepRows(): void {
  const stores = useStores();
  const steps = useStore(stores.plans, (state) => state.steps);
  const queries = useMemo(() => {
    const rows = openSteps({ steps }).flatMap(({ record }) => {
      const [resource, params] = [knownResource(record.resource), record.params as Params];
      const isThere = resource && !Object.values(params).some(isReference) && idIn(resource, params) !== undefined;
      return isThere ? [{ resource, params }] : [];
    });
    const byResource = Map.groupBy(rows.slice(0, maxRead), ({ resource }) => resource);
    return [...byResource].flatMap(([resource, of]) => rowQueries(resource, of));
  }, [steps]);
  useQueries(queries, 'account');
  useEffect(() => {
    const leave = stores.plans.follow();
    void lookAtEnds(stores);
    if (stores.plans.plan().euuid === undefined) void stores.cache.readRow(resourceNamed('account'), {});
    for (const step of openSteps(stores.plans.getState()).slice(0, maxRead)) {
      const change = sketchOf(step);
      if ('why' in change) continue;
      for (const one of namedBy(change, step.entries))
        if (one.resource.view && !cachedRow(stores.view, one.resource, one.params))
          void stores.cache.readRow(one.resource, one.params);
      // The rows that go along with it are told.
      if (change.action === change.resource.remove) void readRules(stores, change);
    }
    return leave;
  }, [stores]);
}

/** The exact request of a step; references stand for what is not known yet. */
function PlanRequest({ step, ...pane }: Size & { step: PlanStep; close: () => void }) {
  const stores = useStores();
  const { steps } = stores.plans.getState();
  const change = sketchOf(numbered(step, steps));
  const isUnknown = 'why' in change;
  const title = isUnknown ? step.record.label : deedOn(change.resource, change.action, change.label);
  return (
    <RequestPane
      {...pane}
      title={`Step ${numberIn(steps, step.id)}: ${title}: the request`}
      write={() => (isUnknown ? { lines: [change.why] } : writtenChange(stores, change))}
      noCurl="There is no curl command."
      send={`Nothing is sent from here; ${keyLabel('request.close', 'esc')} goes back to the plan, which is carried out as a whole.`}
    />
  );
}

/** A step whose references are numbered as people know the steps. */
const numbered = (step: PlanStep, steps: readonly PlanStep[]): PlanStep => ({
  ...step,
  record: withReferences(step.record, (one) => ({ ...one, $step: numberIn(steps, one.$step) })),
});

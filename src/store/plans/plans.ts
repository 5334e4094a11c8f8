import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChangeRecord } from '../../resources/changeRecord.ts';
import type { Draft } from '../../resources/resource.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { needsOf, type Plan, type PlanStep, randomUid, referencesIn } from './plan.ts';
import { createPlanKeeper, type PlanStateFile } from './planKeeper.ts';
import { withTokens } from './tokens.ts';

export interface PlansState {
  steps: readonly PlanStep[];
  /** It is being carried out; `stopping`: no further step is begun. */
  run?: 'running' | 'stopping';
  /** The id of the step under the cursor. */
  cursor?: number;
}

/** The plan of an account: changes that are collected, seen together, and carried out one after the other. */
export interface Plans extends StoreApi<PlansState> {
  /** The plan with the account that it is for. */
  plan(): Plan;
  /**
   * Adds changes behind the others; where all others are done, these go.
   * @param entries what was entered in the form
   * @returns why nothing was added, as a sentence
   */
  add(records: readonly ChangeRecord[], entries?: Draft): string | undefined;
  /** Puts another change in the place of a step, or says why not. */
  change(id: number, record: ChangeRecord, entries?: Draft): string | undefined;
  /** Deletes a step, or says why not. */
  remove(id: number): string | undefined;
  /** Deletes the steps that are done, or says why not. */
  removeDone(): string | undefined;
  /** Brings back what was deleted last, or says why not. */
  undo(): string | undefined;
  /** Moves a step by one place, or says why not. */
  move(id: number, by: 1 | -1): string | undefined;
  /** Takes the steps of another plan. */
  replace(plan: Pick<Plan, 'steps'>): void;
  /** Takes over what another session has done to the plan since; returns whether there was anything. */
  refresh(): boolean;
  /** Gives up the steps that were kept for another account, once that is known. */
  check(): void;
  /**
   * Carries the plan out, unless that is under way; its results are kept as they come.
   * @returns why nothing was sent, as a sentence
   */
  run(
    carryOut: (plan: Plan, signal: AbortSignal, keep: (now: Plan) => void) => Promise<unknown>,
  ): Promise<string | undefined>;
  /** Said of so many steps when the program ends. */
  farewell(steps: string): string;
  /** Begins no further step. */
  stop(): void;
}

interface PlansOptions {
  /** The account, as far as it is known now. */
  account: () => Pick<Plan, 'host' | 'euuid' | 'profile'>;
  /** The file in which it is kept; without it, it lasts for the session. */
  file: PlanStateFile | undefined;
  /** Called with one sentence that says why it is not kept. */
  onTrouble: (says: string) => void;
  /** Makes the identity of a step that is planned. */
  newUid?: () => string;
}

const isDone = ({ result }: PlanStep): boolean => result?.state === 'done';

/** The steps that are not done. */
export const openSteps = ({ steps }: Pick<PlansState, 'steps'>): readonly PlanStep[] =>
  steps.filter((step) => !isDone(step));

const busy = 'The plan is being carried out; wait for it, or stop it.';

export function createPlans({ account, file, onTrouble, newUid = randomUid }: PlansOptions): Plans {
  const keeper = createPlanKeeper({ account, file, onTrouble });
  const kept = keeper.news([]) ?? [];
  const store = createStore<PlansState>(() => ({ steps: kept }));
  const { getState, setState } = store;
  /** Steps from before the last deletions, the newest last. */
  const former: (readonly PlanStep[])[] = [];
  let abort: AbortController | undefined;

  function set(steps: readonly PlanStep[]): void {
    setState({ steps });
    keeper.save(steps);
  }

  /** Takes over what another session has done to the plan since; returns whether there was anything. */
  function refresh(): boolean {
    const steps = keeper.news(getState().steps);
    if (steps) setState({ steps });
    return steps !== undefined;
  }

  const indexOf = (id: number) => getState().steps.findIndex((step) => step.id === id);

  /** Why a step cannot stand at an index. */
  function misplaced(record: PlanStep['record'], steps: readonly PlanStep[], index: number): string | undefined {
    const missing = referencesIn([record.params, record.body]).find(
      (id) => !steps.slice(0, index).some((step) => step.id === id),
    );
    return missing === undefined
      ? undefined
      : steps.some(({ id }) => id === missing)
        ? `It needs the row of step ${missing}, which comes after it.`
        : `It needs the row of step ${missing}, which is not in the plan.`;
  }

  const planned = (record: ChangeRecord): PlanStep['record'] => ({
    ...record,
    ...(record.body !== undefined && { body: withTokens(record.body) }),
  });

  /** Keeps the results of steps that are carried out; those that another session has deleted meanwhile come back. */
  function keep(now: Plan): void {
    refresh();
    const { steps } = getState();
    const carried = new Map(now.steps.map((step) => [step.id, step]));
    const ids = new Set(steps.map(({ id }) => id));
    const gone = now.steps.filter(({ id, result }) => result && !ids.has(id));
    set([...gone, ...steps.map((step) => carried.get(step.id) ?? step)]);
  }

  return {
    ...store,
    plan: () => ({ ...account(), steps: getState().steps }),
    add(records, entries) {
      refresh();
      const { steps, run } = getState();
      const others = run || openSteps({ steps }).length > 0 ? steps : [];
      const last = Math.max(0, ...others.map(({ id }) => id));
      const added = records.map(
        (record, index): PlanStep => ({
          id: last + index + 1,
          uid: newUid(),
          record: planned(record),
          ...(entries && { entries }),
        }),
      );
      const all = [...others, ...added];
      const why = added.map(({ record }) => misplaced(record, all, others.length)).find(Boolean);
      if (why === undefined) set(all);
      return why;
    },
    change(id, record, entries) {
      refresh();
      const { steps, run } = getState();
      if (run) return busy;
      const index = indexOf(id);
      const before = steps[index];
      if (!before) return 'This step is no longer in the plan.';
      const step = { id, uid: before.uid, record: planned(record), ...(entries && { entries }) };
      const why = misplaced(step.record, steps, index);
      if (why === undefined) set(steps.with(index, step));
      return why;
    },
    remove(id) {
      refresh();
      const { steps, run } = getState();
      if (run) return busy;
      const user = openSteps({ steps }).find((step) => step.id !== id && needsOf(step).includes(id));
      if (user) return `Step ${user.id} needs the row of step ${id}; delete or edit that first.`;
      former.push(steps);
      set(steps.filter((step) => step.id !== id));
      return undefined;
    },
    removeDone() {
      refresh();
      const { steps, run } = getState();
      if (run) return busy;
      const needed = new Set(openSteps({ steps }).flatMap(needsOf));
      const left = steps.filter((step) => !isDone(step) || needed.has(step.id));
      if (left.length === steps.length)
        return steps.some(isDone) ? 'Other steps need the rows of those that are done.' : 'No step is done yet.';
      former.push(steps);
      set(left);
      return undefined;
    },
    undo() {
      refresh();
      if (getState().run) return busy;
      const before = former.pop();
      if (!before) return 'Nothing was deleted from the plan.';
      const ids = new Set(before.map(({ id }) => id));
      const now = new Map(getState().steps.map((step) => [step.id, step]));
      set([...before.map((step) => now.get(step.id) ?? step), ...getState().steps.filter(({ id }) => !ids.has(id))]);
      return undefined;
    },
    move(id, by) {
      refresh();
      const { steps, run } = getState();
      if (run) return busy;
      const index = indexOf(id);
      const [step, other] = [steps[index], steps[index + by]];
      if (!step) return 'This step is no longer in the plan.';
      if (!other) return by < 0 ? 'This is the first step.' : 'This is the last step.';
      const [first, second] = by < 0 ? [other, step] : [step, other];
      if (needsOf(second).includes(first.id))
        return `Step ${second.id} needs the row of step ${first.id}, so it stays behind it.`;
      set(steps.with(index, other).with(index + by, step));
      return undefined;
    },
    replace: ({ steps }) => {
      refresh();
      former.push(getState().steps);
      set(steps);
    },
    refresh,
    check() {
      if (getState().steps.length === 0 || !keeper.isOfOther()) return;
      const others = new Set(kept.map(({ id }) => id));
      setState(({ steps }) => ({ steps: steps.filter(({ id }) => !others.has(id)) }));
    },
    async run(carryOut) {
      if (abort) return undefined;
      const unlock = keeper.isKept ? file?.lock() : undefined;
      if (typeof unlock === 'string') return unlock;
      abort = new AbortController();
      setState({ run: 'running' });
      try {
        if (refresh()) return 'Another session has changed the plan: look at it again. Nothing was sent.';
        await carryOut({ ...account(), steps: getState().steps }, abort.signal, keep);
        return undefined;
      } finally {
        abort = undefined;
        setState({ run: undefined });
        unlock?.();
      }
    },
    farewell: (steps) =>
      keeper.isKept
        ? `A plan of ${steps} is kept for the next session; ${keyLabel('everywhere.quit', 'q')} once more quits.`
        : `A plan of ${steps} is lost when you quit; ${keyLabel('everywhere.quit', 'q')} once more quits.`,
    stop() {
      abort?.abort();
      if (abort) setState({ run: 'stopping' });
    },
  };
}

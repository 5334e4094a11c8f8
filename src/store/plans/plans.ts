import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Draft } from '../../resources/resource.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { newKey } from '../changes/undoable.ts';
import type { AccountState } from '../kept/accountState.ts';
import { isSame } from '../rows.ts';
import {
  type Edited,
  hasBegun,
  misplaced,
  type NewStep,
  openSteps,
  type Plan,
  type PlannedRecord,
  type PlanStep,
  partOf,
  type Rolling,
  type StepResult,
  type Steps,
  stepsFrom,
  type Wait,
  withCarried,
  withMoved,
  withoutDone,
  withoutUnneeded,
  withRecord,
} from './plan.ts';
import type { AccountOfPlan } from './planAccount.ts';
import { createPlanKeeper, type OthersRun, othersText } from './planKeeper.ts';
import { numbered } from './storedPlan.ts';

export interface PlansState {
  steps: readonly PlanStep[];
  /** It is being carried out; `stopping`: no further step is begun; `paused`: none for now. */
  run?: 'running' | 'paused' | 'stopping';
  /** The rolling action whose steps alone are being carried out. */
  rolling?: string;
  /** The progress of steps that have begun, by their ids, as clauses behind their labels. */
  ends?: Readonly<Record<number, string>>;
  /** Another session is carrying it out. */
  others?: OthersRun;
  /** The id of the step under the cursor. */
  cursor?: number;
}

/** The step at which a part of the plan stands still halfway. */
export function stoppedAt({ steps, run, others }: PlansState): PlanStep | undefined {
  const begun = new Set(steps.flatMap(({ rolling, result }) => (result ? [rolling?.id] : [])));
  return run || others ? undefined : openSteps({ steps }).find(({ rolling }) => begun.has(rolling?.id));
}

/** The plan of an account: changes that are collected, seen together, and carried out one after the other. */
interface Plans extends StoreApi<PlansState> {
  /** The plan with the account that it is for. */
  plan(): Plan;
  /**
   * Adds changes behind the others; where all others are done, these go.
   * @param entries what was entered in the form
   * @param rolling the steps are those of an action at a tempo
   * @returns why nothing was added, as a sentence
   */
  add(added: readonly NewStep[], entries?: Draft, rolling?: Rolling): string | undefined;
  /** Puts another change in the place of a step, or says why not. */
  change(id: number, record: PlannedRecord, entries?: Draft): string | undefined;
  /** Has steps wait for other conditions, or says why not; steps that are not named stay as they are. */
  setWaits(waits: ReadonlyMap<number, Wait | undefined>): string | undefined;
  /** Deletes a step, or says why not. */
  remove(id: number): string | undefined;
  /** Deletes the steps that are done, or says why not. */
  removeDone(): string | undefined;
  /** Deletes all steps, or says why not. */
  removeAll(): string | undefined;
  /** Brings back what was deleted last, or says why not. */
  undo(): string | undefined;
  /** Moves a step by one place, or says why not. */
  move(id: number, by: 1 | -1): string | undefined;
  /** Takes the steps of another plan, with what became of them, or says why not. */
  replace(plan: Steps): string | undefined;
  /** Takes over what another session has done to the plan since; returns whether there was anything. */
  refresh(): boolean;
  /** Does so every second, as it is on screen, until the result is called. */
  follow(): () => void;
  /**
   * Carries the plan out, unless a part of it is under way; its results are kept as they come.
   * @param rolling the part that is carried out; without it the steps that belong to none
   * @returns why nothing was sent, as a sentence
   */
  run(
    carryOut: (plan: Plan, signal: AbortSignal, keep: (now: Plan) => void) => Promise<unknown>,
    rolling?: string,
  ): Promise<string | undefined>;
  /** Looks, until it is carried out again or the session ends, at what has begun, unless that is under way. */
  watch(look: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Notes the end of a step that has begun, or says why not. */
  settle(uid: string, result: StepResult): string | undefined;
  /** Said of so many steps when the program ends. */
  farewell(steps: string): string;
  /** Begins no further step. */
  stop(): void;
  /** Begins no further step for now, or goes on. */
  pause(): void;
  /** Begins no further step, and follows other sessions no more. */
  close(): void;
}

interface PlansOptions {
  /** The account, as far as it is known now. */
  account: () => AccountOfPlan;
  /** Keeps it for all sessions of the account; without it, it lasts for the session. */
  state: AccountState | undefined;
  /** Called with one sentence that says why it is not kept. */
  onTrouble: (says: string) => void;
  /** Called with one sentence where steps that are kept cannot be read. */
  onLeftOut?: (says: string) => void;
  /** Makes the identity of a step that is planned. */
  newUid?: () => string;
}

/** Another session that carries the plan out, or may, is looked at so often, in milliseconds, and a state that refuses. */
const followMs = 1000;

/** Said of what nobody may do while a plan is carried out. */
export const busy = 'The plan is being carried out; wait for it, or stop it.';

/** Tells the highest number of a step so far: forms and cursors know steps by these, so that none bears that of another. */
function highestIn(store: StoreApi<PlansState>): () => number {
  let last = 0;
  store.subscribe(({ steps }) => {
    last = Math.max(last, ...steps.map(({ id }) => id));
  });
  return () => last;
}

export function createPlans({ account, state, onTrouble, ...options }: PlansOptions): Plans {
  const { onLeftOut = () => {}, newUid = newKey } = options;
  const keeper = createPlanKeeper(state, onTrouble, onLeftOut);
  const store = createStore<PlansState>(() => ({ steps: [] }));
  const { getState, setState } = store;
  const last = highestIn(store);
  /** Steps from before the last deletions, the newest last. */
  const former: (readonly PlanStep[])[] = [];
  let abort: AbortController | undefined;
  let watching: AbortController | undefined;
  let isClosed = false;
  let viewers = 0;
  let following: NodeJS.Timeout | undefined;

  function set(steps: readonly PlanStep[]): undefined {
    setState({ steps });
    keeper.save(steps);
  }

  const refresh = (): boolean => (keeper.isKept ? look() : keeper.together(look));

  function look(): boolean {
    const { steps: before, others: were, rolling } = getState();
    const steps = keeper.news(before, abort && partOf(before, rolling));
    const others = abort ? undefined : keeper.others(steps ?? before);
    if (steps || others?.done !== were?.done || others?.all !== were?.all)
      setState({ ...(steps && { steps }), others });
    // A session that was killed says nothing.
    clearTimeout(following);
    if (others || viewers > 0 || (state && !keeper.isKept)) following = setTimeout(refresh, followMs).unref();
    return steps !== undefined;
  }

  /** Changes the plan as it is now, in which no other session does in between, or says why not. */
  const changing = (act: (steps: readonly PlanStep[]) => Edited): string | undefined =>
    keeper.together(() => {
      look();
      const edited = act(getState().steps);
      return typeof edited === 'string' ? edited : set(edited);
    });

  /** Changes steps that nobody is carrying out. */
  const changingAtRest: typeof changing = (act) =>
    changing((steps) => {
      const { run, others } = getState();
      return run ? busy : others ? `${othersText(others)} Wait for it.` : act(steps);
    });

  /** Deletes steps that nobody is carrying out; they can be brought back. */
  const deleting: typeof changing = (act) =>
    changingAtRest((steps) => {
      const edited = act(steps);
      if (typeof edited !== 'string') former.push(steps);
      return edited;
    });

  function stop(): void {
    abort?.abort();
    if (abort) setState({ run: 'stopping' });
  }

  refresh();
  const leave = state?.onNews(refresh);

  return {
    ...store,
    plan: () => ({ ...account(), steps: getState().steps }),
    add: (fresh, entries, rolling) =>
      changing((steps) => {
        const others = getState().run || openSteps({ steps }).length > 0 ? steps : [];
        const same = { ...(entries && { entries }), ...(rolling && { rolling }) };
        const added = stepsFrom(fresh, last() + 1, newUid, same);
        const all = [...others, ...added];
        return added.map(({ record }) => misplaced(record, all, others.length)).find(Boolean) ?? all;
      }),
    change: (id, record, entries) => changingAtRest((steps) => withRecord(steps, id, record, entries)),
    setWaits: (waits) =>
      changingAtRest((steps) =>
        steps.map((step) => (waits.has(step.id) ? { ...step, wait: waits.get(step.id) } : step)),
      ),
    remove: (id) => deleting((steps) => withoutUnneeded(steps, id)),
    removeDone: () => deleting(withoutDone),
    removeAll: () => deleting(() => []),
    undo: () =>
      changingAtRest((steps) => {
        const before = former.pop();
        if (!before) return 'Nothing was deleted from the plan.';
        return numbered([...new Map([...keeper.known(before), ...steps].map((step) => [step.uid, step])).values()]);
      }),
    move: (id, by) => changingAtRest((steps) => withMoved(steps, id, by)),
    replace: ({ steps }) => deleting(() => keeper.known(steps)),
    refresh,
    follow() {
      viewers++;
      refresh();
      return () => void viewers--;
    },
    async run(carryOut, rolling) {
      if (abort) return busy;
      const own = new AbortController();
      const end = keeper.together(() => {
        const seen = partOf(getState().steps, rolling);
        if (look() && !isSame(seen, partOf(getState().steps, rolling)))
          return 'Another session has changed the plan: look at it again. Nothing was sent.';
        return keeper.begin(partOf(openSteps(getState()), rolling));
      });
      if (typeof end === 'string') return end;
      abort = own;
      watching?.abort();
      setState({ run: 'running', rolling });
      try {
        let why: string | undefined;
        await carryOut({ ...account(), steps: getState().steps }, own.signal, (now) => {
          // Another session may be carrying out other parts.
          changing((steps) => withCarried(steps, partOf(now.steps, rolling)));
          why ??= keeper.whyNotNoted(partOf(openSteps(getState()), rolling));
          if (why !== undefined) stop();
        });
        return why;
      } finally {
        abort = undefined;
        setState({ run: undefined, rolling: undefined, ends: undefined });
        end();
      }
    },
    async watch(look) {
      if (abort || isClosed || watching?.signal.aborted === false) return;
      const own = new AbortController();
      watching = own;
      await look(own.signal).finally(() => own.abort());
    },
    settle: (uid, result) =>
      changingAtRest((steps) => steps.map((step) => (step.uid === uid && hasBegun(step) ? { ...step, result } : step))),
    farewell: (steps) =>
      `A plan of ${steps} is ${keeper.isKept ? 'kept for the next session' : 'lost when you quit'}; ${keyLabel('everywhere.quit', 'q')} once more quits.`,
    stop,
    pause() {
      const { run } = getState();
      if (run === 'running' || run === 'paused') setState({ run: run === 'paused' ? 'running' : 'paused' });
    },
    close() {
      isClosed = true;
      stop();
      watching?.abort();
      leave?.();
      if (!keeper.isKept) refresh();
      clearTimeout(following);
    },
  };
}

import { attempt } from '../../text/errno.ts';
import { counted } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import type { Baseline, Going } from '../changes/pendingChanges.ts';
import { keyOfName } from '../changes/undoable.ts';
import type { AccountState } from '../kept/accountState.ts';
import type { Notices } from '../notices.ts';
import { isDone, type PlanStep, resultOfSent, type StepResult } from './plan.ts';
import { progressValue, stepValue, storedSteps, withProgress } from './storedPlan.ts';

interface UnsentOptions {
  /** Without it nothing outlives the session. */
  state: AccountState | undefined;
  plans: { refresh(): boolean };
  notices: Pick<Notices, 'say'>;
  now: () => number;
  /** Called with one sentence that says why they are not kept. */
  onTrouble: (says: string) => void;
}

/** Keeps the changes of several rows as long as they are sent: those that a session leaves undone go into the plan. */
export function createUnsent({ state, plans, notices, now, onTrouble }: UnsentOptions) {
  let isClosed = false;
  /** Those that are over, as long as that could not be noted. */
  let over: readonly string[] = [];

  const forget = (own: AccountState) =>
    attempt(() => {
      const none = over.map((uid) => [uid, undefined] as const);
      own.together(() => {
        for (const kind of ['unsent', 'progress'] as const) own.of(kind).put(none);
      });
      over = [];
    }, onTrouble);

  function begin(own: AccountState, steps: readonly PlanStep[]): Going | undefined {
    const uids = steps.map(({ uid }) => uid);
    const end = attempt(
      () =>
        own.together(() => {
          own.of('unsent').put(steps.map((step, place) => [step.uid, stepValue(step, place)]));
          return own.begin(uids);
        }),
      onTrouble,
    );
    if (!end) return undefined;
    const known = new Map(steps.map((step) => [step.uid, step]));
    const before = new Map<string, Baseline>();
    const fresh = new Map<string, unknown>();
    const note = ({ uid = '' }: Change, result: Omit<StepResult, 'at'> | undefined) => {
      const step = known.get(uid);
      if (step) fresh.set(uid, progressValue({ ...step, ...(result && { result: { at: now(), ...result } }) }));
    };
    const save = () => {
      own.of('progress').put(fresh);
      fresh.clear();
    };
    return {
      sent(change, since) {
        before.set(change.uid ?? '', since);
        note(change, { state: 'sent', since });
        let why: string | undefined;
        attempt(save, (says) => {
          why = `It was not sent, because that could not be noted: ${says}`;
        });
        return why;
      },
      ended(change, result) {
        const since = before.get(change.uid ?? '');
        if (since) note(change, resultOfSent(change, since, result));
      },
      stopped(left) {
        const none = Array.from(left, ({ uid = '' }) => [uid, undefined] as const);
        if (!isClosed) attempt(() => own.of('unsent').put(none), onTrouble);
      },
      over() {
        if (isClosed) attempt(save, onTrouble);
        else {
          over = [...over, ...uids];
          forget(own);
        }
        end();
      },
    };
  }

  /** Moves the steps of sessions that have ended into the plan; returns those that were sent together, with their results. */
  function taken(own: AccountState) {
    const unsent = own.of('unsent').read();
    let free = [...unsent.keys()];
    for (let run = own.running(free); run; run = own.running(free)) {
      const busy = new Set(run.uids);
      free = free.filter((uid) => !busy.has(uid));
    }
    const left = [...Map.groupBy(free, keyOfName).values()].flatMap((uids) => {
      const sound = storedSteps(new Map(uids.map((uid) => [uid, unsent.get(uid)])));
      const steps = withProgress(sound, own.of('progress').read(uids));
      return steps.length === uids.length && steps.every(isDone) ? [] : [{ steps, all: uids.length }];
    });
    const last = Math.max(0, ...storedSteps(own.of('plan').read()).map(({ id }) => id));
    const added = left.flatMap(({ steps }) => steps).map((step, nth) => ({ ...step, id: last + 1 + nth }));
    // Behind all steps that a plan may have.
    own.of('plan').put(added.map((step) => [step.uid, stepValue(step, 1e6 + step.id)]));
    own.of('unsent').put(free.map((uid) => [uid, undefined]));
    return left;
  }

  return {
    /** Keeps steps that are about to be sent; undefined where nothing is kept. */
    begin: (steps: readonly PlanStep[]) => state && begin(state, steps),
    /** Lets no other session take back changes of these names until the result is called; undefined where one does. */
    takeBack(names: readonly string[]): (() => void) | undefined {
      const freely = () => {};
      if (!state || names.length === 0) return freely;
      const [end] = attempt(() => [state.begin(names.map((name) => `back ${name}`))], onTrouble) ?? [freely];
      return end;
    },
    /** Whether all changes of these names are kept as long as they are sent. */
    keeps(uids: readonly (string | undefined)[]): boolean {
      const kept = attempt(() => state?.of('unsent').read(uids.map((uid = '') => uid)), onTrouble);
      return uids.every((uid = '') => kept?.has(uid));
    },
    /** Takes up what sessions that have ended have left undone. */
    takeUp(): void {
      attempt(() => {
        if (state && over.length > 0) forget(state);
        if (!state || isClosed || state.of('unsent').read().size === 0) return;
        const left = state.together(() => taken(state));
        if (left.length > 0) plans.refresh();
        for (const { steps, all } of left) {
          const title = steps[0]?.rolling?.title ?? counted(all, 'change');
          const lost = all - steps.length;
          const gone = lost > 0 ? ` ${lost} of them cannot be read and ${lost === 1 ? 'is' : 'are'} left out.` : '';
          const rest = steps.length > 0 ? ' The others wait in the plan, and :plan goes on with them.' : '';
          const says = `${title}: its session ended when ${steps.filter(isDone).length} of ${all} were known to be done.`;
          notices.say('warn', says + gone + rest, { stays: true });
        }
      }, onTrouble);
    },
    /** The session ends: what is not sent is left for the next. */
    close(): void {
      isClosed = true;
    },
  };
}

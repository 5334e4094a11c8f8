import { attempt } from '../../text/errno.ts';
import { counted } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import type { Baseline, Going } from '../changes/pendingChanges.ts';
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

/** Behind all steps that a plan may have. */
const lastPlace = 1e6;

/** Keeps the changes of several rows as long as they are sent: those that a session leaves undone go into the plan. */
export function createUnsent({ state, plans, notices, now, onTrouble }: UnsentOptions) {
  let isClosed = false;
  const going = new Set<string>();

  function begin(own: AccountState, steps: readonly PlanStep[]): Going | undefined {
    const uids = steps.map(({ uid }) => uid);
    const none = uids.map((uid) => [uid, undefined] as const);
    const end = attempt(
      () =>
        own.together(() => {
          own.of('unsent').put(steps.map((step, place) => [step.uid, stepValue(step, place)]));
          return own.begin(uids);
        }),
      onTrouble,
    );
    if (!end) return undefined;
    for (const uid of uids) going.add(uid);
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
      over() {
        for (const uid of uids) going.delete(uid);
        attempt(() => {
          if (isClosed) save();
          else
            own.together(() => {
              own.of('unsent').put(none);
              own.of('progress').put(none);
            });
        }, onTrouble);
        end();
      },
    };
  }

  /** Moves the steps of sessions that have ended into the plan; returns them, by what they belong to, with their results. */
  function taken(own: AccountState): readonly (readonly PlanStep[])[] {
    const unsent = own.of('unsent').read();
    const groups = [...Map.groupBy(storedSteps(unsent), ({ rolling }) => rolling?.id).values()];
    const busy = groups.filter((steps) => own.running(steps.map(({ uid }) => uid)));
    const isBusy = new Set(busy.flat().map(({ uid }) => uid));
    const left = groups.flatMap((steps) => {
      const known = withProgress(steps, own.of('progress').read(steps.map(({ uid }) => uid)));
      return busy.includes(steps) || known.every(isDone) ? [] : [known];
    });
    const last = Math.max(0, ...storedSteps(own.of('plan').read()).map(({ id }) => id));
    const added = left.flat().map((step, nth) => ({ ...step, id: last + 1 + nth }));
    own.of('plan').put(added.map((step, nth) => [step.uid, stepValue(step, lastPlace + nth)]));
    own.of('unsent').put([...unsent.keys()].flatMap((uid) => (isBusy.has(uid) ? [] : [[uid, undefined]])));
    return left;
  }

  return {
    /** Keeps steps that are about to be sent; undefined where nothing is kept. */
    begin: (steps: readonly PlanStep[]) => state && begin(state, steps),
    /** Whether a change is among those that are being sent and kept. */
    keeps: (uid: string | undefined): boolean => going.has(uid ?? ''),
    /** Takes up what sessions that have ended have left undone. */
    takeUp(): void {
      attempt(() => {
        if (!state || isClosed || state.of('unsent').read().size === 0) return;
        const left = state.together(() => taken(state));
        if (left.length > 0) plans.refresh();
        for (const steps of left) {
          const done = steps.filter(isDone).length;
          const title = steps[0]?.rolling?.title ?? counted(steps.length, 'change');
          const says = `${title}: its session ended when ${done} of ${steps.length} were known to be done.`;
          notices.say('warn', `${says} The others wait in the plan, and :plan goes on with them.`, { stays: true });
        }
      }, onTrouble);
    },
    /** The session ends: what is not sent is left for the next. */
    close(): void {
      isClosed = true;
    },
  };
}

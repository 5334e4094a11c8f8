import { at } from '../../resources/row.ts';
import { attempt } from '../../text/errno.ts';
import { counted } from '../../text/words.ts';
import type { AccountState, Running, StoredValues } from '../kept/accountState.ts';
import { type PlanStep, withCarried } from './plan.ts';
import { progressValue, stepValue, storedSteps, withProgress } from './storedPlan.ts';

/** The progress of another session that carries steps of the plan out. */
export interface OthersRun extends Pick<Running, 'uids'> {
  done: number;
  /** The steps that were left when it began. */
  all: number;
}

/**
 * Keeps the plan of a session for all sessions of its account.
 * @param onTrouble called with one sentence that says why the plan is not kept
 * @param onLeftOut called with one sentence where steps that are kept cannot be read
 */
export function createPlanKeeper(
  state: AccountState | undefined,
  onTrouble: (says: string) => void,
  onLeftOut: (says: string) => void,
) {
  /** Why it could not be kept the last time, as a sentence, and why before. */
  let [trouble, told]: (string | undefined)[] = [];
  /** The session has what is not kept yet. */
  let isUnsaved = false;
  /** The plan as it is kept, by identity, as JSON. */
  let kept: ReadonlyMap<string, string> = new Map();
  /** The results as they are kept, by identity, as JSON. */
  let results: ReadonlyMap<string, string> = new Map();

  /** The stamp of the state in which the plan is as it was read or saved last. */
  let seen: readonly unknown[] | undefined;

  const fail = (says: string) => {
    trouble = says;
    if (says !== told) onTrouble(says);
    told = says;
  };
  const trying = <T>(act: (state: AccountState) => T): T | undefined =>
    state && trouble === undefined ? attempt(() => act(state), fail) : undefined;

  const stampNow = () => trying(({ stamp }) => stamp());
  const isSeen = (now: readonly unknown[] | undefined): boolean =>
    now?.every((one, index) => one === seen?.[index]) === true;

  function textsOf(steps: readonly PlanStep[], kept: (step: PlanStep, place: number) => unknown) {
    const values = steps.map((step, place) => [step.uid, kept(step, place)] as const);
    return new Map(values.flatMap(([uid, value]) => (value === undefined ? [] : [[uid, JSON.stringify(value)]])));
  }

  /** Puts what is not as it is kept. */
  function put(kind: 'plan' | 'progress', now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): void {
    const gone = [...before.keys()].filter((uid) => !now.has(uid)).map((uid) => [uid, undefined] as const);
    const changed = [...now].filter(([uid, text]) => before.get(uid) !== text);
    if (gone.length + changed.length > 0)
      trying(({ of }) => of(kind).put([...gone, ...changed.map(([uid, text]) => [uid, JSON.parse(text)] as const)]));
  }

  /** Removes what is no step, so that no later session meets it, and says so. */
  function leaveOut(plan: StoredValues, values: ReadonlyMap<string, unknown>, steps: readonly PlanStep[]): void {
    const sound = new Set(uidsOf(steps));
    const damaged = [...values.keys()].filter((uid) => !sound.has(uid));
    plan.put(damaged.map((uid) => [uid, undefined]));
    const they = damaged.length === 1 ? 'it is' : 'they are';
    onLeftOut(`${counted(damaged.length, 'step')} of the kept plan cannot be read; ${they} left out.`);
  }

  /** The steps as another session has left them, with the results and steps of this one that are not kept yet. */
  function withUnsaved(steps: readonly PlanStep[], own: readonly PlanStep[], progress: ReadonlyMap<string, string>) {
    const texts = textsOf(own, progressValue);
    const isNew = ({ uid }: PlanStep) =>
      texts.get(uid) !== results.get(uid) && progress.get(uid) === results.get(uid) && texts.has(uid);
    const all = new Map(steps.map((step) => [step.uid, step]));
    for (const step of own.filter((one) => isNew(one) || !(kept.has(one.uid) || all.has(one.uid))))
      all.set(step.uid, { ...(all.get(step.uid) ?? step), ...(step.result && { result: step.result }) });
    return storedSteps(new Map([...all.values()].map((step, place) => [step.uid, { ...step, place }])));
  }

  /** Says that nothing more can be noted of steps of which other sessions know, as these would send them once more. */
  const whyNotNoted = (steps: readonly PlanStep[]): string | undefined =>
    trouble !== undefined && steps.some(({ uid }) => kept.has(uid))
      ? `Nothing more was sent, because what is done cannot be noted: ${trouble}`
      : undefined;

  return {
    /** Whether it is kept as the session has it; where it is not, the next `together` tries it again. */
    get isKept() {
      return state !== undefined && trouble === undefined && !isUnsaved;
    },
    /** Reads and writes as one: no other session changes the plan in between. */
    together<T>(act: () => T): T {
      const before = [kept, results, seen] as const;
      trouble = undefined;
      let done: { result: T } | undefined;
      trying(({ together }) =>
        together(() => {
          done = { result: act() };
        }),
      );
      // Nothing of it was written.
      if (done && trouble !== undefined) [[kept, results, seen], isUnsaved] = [before, true];
      return (done ?? { result: act() }).result;
    },
    /** The steps where another session has changed them, with the secrets of those that are as they were, and those carried out. */
    news(own: readonly PlanStep[], carried: readonly PlanStep[] = []) {
      const now = stampNow();
      if (isSeen(now) && !isUnsaved) return undefined;
      const found = trying(({ of }) => {
        const values = of('plan').read();
        const steps = storedSteps(values);
        if (steps.length < values.size) leaveOut(of('plan'), values, steps);
        return withProgress(steps, of('progress').read(uidsOf(steps)));
      });
      if (!found) return undefined;
      const texts = textsOf(found, stepValue);
      const progress = textsOf(found, progressValue);
      const isNew = !isAlike(texts, kept) || !isAlike(progress, results);
      const before = new Map(own.map((step) => [step.uid, step]));
      const isOwn = ({ uid }: PlanStep) => texts.get(uid) === kept.get(uid);
      const theirs = found.map((step) => {
        const { result: was, ...same } = (isOwn(step) ? before.get(step.uid) : undefined) ?? step;
        const result = progress.get(step.uid) === results.get(step.uid) ? (was ?? step.result) : step.result;
        return { ...same, ...(result && { result }) };
      });
      const steps = withCarried(theirs, carried);
      const mine = isUnsaved ? (isNew ? withUnsaved(steps, own, progress) : own) : steps;
      [kept, results, seen] = [texts, progress, now];
      if (!isUnsaved) return isNew ? steps : undefined;
      this.save(mine);
      return isNew ? mine : undefined;
    },
    /** The steps of another plan, with what is kept of them. */
    known: (steps: readonly PlanStep[]) =>
      trying(({ of }) => withProgress(steps, of('progress').read(uidsOf(steps)))) ?? steps,
    save(steps: readonly PlanStep[]) {
      if (!state) return;
      const texts = textsOf(steps, stepValue);
      const progress = textsOf(steps, progressValue);
      // Steps that bear the number of another are read under one of their own.
      const isReadAlike = isSeen(stampNow()) && new Set(steps.map(({ id }) => id)).size === steps.length;
      put('plan', texts, kept);
      // The results of steps that leave the plan stay: a file may have them, too.
      put('progress', progress, new Map([...results].filter(([uid]) => texts.has(uid))));
      isUnsaved = trouble !== undefined;
      if (!isUnsaved) [kept, results, seen] = [texts, progress, isReadAlike ? stampNow() : undefined];
    },
    whyNotNoted,
    /** Lets nobody else carry steps out until the result is called; a sentence says why it cannot. */
    begin(steps: readonly PlanStep[]) {
      const uids = uidsOf(steps);
      return trying((own) => own.begin(uids) ?? busySentence(own, uids)) ?? whyNotNoted(steps) ?? (() => {});
    },
    /** Another session that carries some of the steps out. */
    others: (steps: readonly PlanStep[]) => trying((own) => othersRun(own, uidsOf(steps))),
  };
}

const uidsOf = (steps: readonly PlanStep[]): readonly string[] => steps.map(({ uid }) => uid);

const isAlike = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([uid, text]) => other.get(uid) === text);

/** Tells the progress of another session, as a sentence. */
export const othersText = ({ done, all }: Omit<OthersRun, 'uids'>, who = ''): string =>
  `Another session${who} is carrying this plan out: ${done} of ${all} done.`;

/** The progress of another session that carries some of these steps out. Throws an Error, one sentence. */
function othersRun(state: AccountState, uids: readonly string[]): OthersRun | undefined {
  const run = state.running(uids);
  if (!run) return undefined;
  const values = state.of('progress').read(run.uids);
  const done = [...values.values()].filter((value) => at(value, 'result.state') === 'done');
  return { uids: run.uids, done: done.length, all: run.uids.length };
}

/** Says that another session carries some of these steps out. Throws an Error, one sentence. */
export function busySentence(state: AccountState, uids: readonly string[]): string {
  const run = state.running(uids);
  const who = run ? ` (process ${run.pid} on ${run.host})` : '';
  return `${othersText(othersRun(state, uids) ?? { done: 0, all: 0 }, who)} Nothing was sent.`;
}

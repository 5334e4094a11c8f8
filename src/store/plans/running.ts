import { idIn } from '../../resources/identity.ts';
import { knownResource } from '../../resources/index.ts';
import type { Params } from '../../resources/resource.ts';
import { actionOn } from '../../resources/wording.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import type { Change, Submission } from '../changes/change.ts';
import type { Going } from '../changes/pendingChanges.ts';
import type { Keep } from '../changes/submit.ts';
import { keyOfName, newKey, wayOn } from '../changes/undoable.ts';
import { withUser } from '../changes/whoDidIt.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import {
  countedOf,
  hasBegun,
  isAround,
  isDone,
  numberIn,
  openSteps,
  type Plan,
  type PlanStep,
  partOf,
  type Rolling,
  stepsFrom,
} from './plan.ts';
import { putInPlan, stepsIn, whyNotPlanned } from './planning.ts';

/**
 * Carries out the part of the plan that is not done, and says what became of it.
 * @param rolling the action at a tempo whose steps these are; without it all others
 */
export async function runPlan(stores: Stores, isTyped: boolean, rolling?: string): Promise<void> {
  const { carryOutPlan } = await import('./carryOut.ts');
  const { plans, notices } = stores;
  const [next] = partOf(openSteps(plans.getState()), rolling);
  // Its question has said that it is sent again.
  const again = new Set(next?.result?.state === 'unknown' ? [next.id] : []);
  const onWait = (step: number, jobs: number) =>
    notices.say(
      'plain',
      `Step ${numberIn(plans.getState().steps, step)} waits for ${jobs === 1 ? 'a job' : `${jobs} jobs`} of the steps before it.`,
    );
  let ended: Plan | undefined;
  const why = await plans.run(async (plan, signal, keep) => {
    ended = await carryOutPlan(stores, plan, {
      isTyped,
      signal,
      again,
      rolling,
      onWait,
      keep(now) {
        keep(now);
        unmarkDone(stores, now, rolling);
      },
      onLook: ({ id }, says) => plans.setState(({ ends }) => ({ ends: { ...ends, [id]: says } })),
      isPaused: () => plans.getState().run === 'paused',
    });
  }, rolling);
  const waits = next?.rolling ? `${next.rolling.title} waits in the plan, and :plan carries it out. ` : '';
  if (why !== undefined) notices.say('bad', waits + why, { stays: waits !== '' });
  else if (ended) sayEnd(stores, ended, rolling);
  void lookAtEnds(stores);
}

/** Looks at the ends of steps that have begun while nobody carries them out; sends nothing. */
export async function lookAtEnds(stores: Stores): Promise<void> {
  const { settleEnds } = await import('./ends.ts');
  await settleEnds(stores, (step) => {
    const { rolling, result } = step;
    unmarkDone(stores, { steps: [step] }, rolling?.id);
    const says = [rolling?.title, result?.says].filter(Boolean).join(': ');
    if (result?.state === 'failed') stores.notices.say('bad', says, { stays: true });
  });
}

/** The rows of a rolling action stay marked until they are done. */
function unmarkDone({ navigation }: Stores, { steps }: Pick<Plan, 'steps'>, rolling: string | undefined): void {
  const { resource, ids } = doneRows(steps, rolling);
  if (resource !== undefined) navigation.unmark(resource, ids);
}

function doneRows(steps: Plan['steps'], rolling: string | undefined) {
  const done = rolling === undefined ? [] : countedOf(partOf(steps, rolling)).filter(isDone);
  const { resource, params } = done[0]?.record ?? {};
  const own = knownResource(resource);
  // A row that was made lies below the one that it was done to.
  const of = own && idIn(own, params as Params) === undefined ? knownResource(own.under) : own;
  return { resource: of?.name, ids: done.flatMap(({ record }) => (of && idIn(of, record.params as Params)) ?? []) };
}

const rowOf = ({ record: { resource, params } }: PlanStep) => [resource, params];

/** Says what became of a plan or a rolling action. */
function sayEnd({ changes, navigation, notices, plans }: Stores, { steps }: Plan, rolling: string | undefined): void {
  const all = partOf(steps, rolling);
  // They can be marked again together.
  const { resource, ids } = doneRows(steps, rolling);
  if (resource !== undefined) navigation.setState({ unmarked: { resource, ids } });
  const next = all.find((step) => !isDone(step));
  const part = countedOf(all);
  const { title, count = 0 } = all[0]?.rolling ?? {};
  // The plan on the screen shows its steps, where u brings deleted ones back.
  const isShown = navigation.getState().overlays.some(({ kind }) => kind === 'plan');
  const out = count - part.length;
  const gone = out > 0 ? `; ${out} ${out === 1 ? 'is' : 'are'} not in the plan` : '';
  if (!next) {
    const isBack = part.every(({ takesBack }) => takesBack && !takesBack.isRedo);
    const isUndoable = !isShown && changes.getState()[isBack ? 'redo' : 'undo'].at(-1)?.undos.length;
    const back = isUndoable ? `; ${wayOn(isBack, 'them')}` : '';
    const done = out > 0 ? `${part.length} of the ${count} done` : 'all done';
    if (title !== undefined || !isShown) notices.say('good', `${title ?? 'The plan'}: ${done}${gone}${back}`);
    return;
  }
  if (isShown && next.result) plans.setState({ cursor: next.id });
  if (title === undefined && isShown && !next.wait) return;
  const left = part.filter(({ result }) => !result).length;
  const begun = part.filter(hasBegun).length;
  const rest = left === 0 ? '' : `${left} not begun; `;
  const drained = all.filter(
    (step) => isAround(step) && !isDone(step) && all.some((one) => isDone(one) && isSame(rowOf(one), rowOf(step))),
  ).length;
  const key = keyLabel('plan.remove', 'd');
  const wayOut = next.result?.state === 'refused' ? `, ${key} there leaves ${next.record.label} out` : '';
  const says = [
    `${title ?? 'The plan'}: ${part.filter(isDone).length} of ${part.length} done${begun > 0 ? `, ${begun} under way` : ''}${gone}.`,
    next.result?.says,
    drained > 0 ? `${counted(drained, 'node')} still ${drained === 1 ? 'drains' : 'drain'}.` : '',
    `${rest}:plan goes on with it${wayOut}.`,
  ];
  const stays = next.result?.says !== undefined;
  notices.say(stays ? 'bad' : 'plain', says.filter(Boolean).join(' '), { stays });
}

/** The part of a plan that an action on several rows is. */
const rollingOf = ({ resource, action, targets }: Submission, id: string): Rolling => ({
  id,
  title: actionOn(action, counted(targets.length, resource.one)),
  ...(!action.parts && { of: action.below ?? resource.name, count: targets.length }),
});

/**
 * Keeps the changes of several rows while they are sent all at once, as steps of a plan: what a session leaves undone goes on
 * in the next. Undefined where a plan cannot hold them, and where they take others back, which the journal offers again.
 */
function keepUnsent(stores: Stores, submission: Submission, changes: readonly Change[]): Going | undefined {
  const [first, ...others] = changes;
  const { action, takesBack } = submission;
  if (first?.uid === undefined || others.length === 0 || takesBack || whyNotPlanned(action)) return undefined;
  const { steps, entries } = stepsIn(stores, submission, changes);
  const rolling = rollingOf(submission, keyOfName(first.uid));
  const going = stores.unsent.begin(
    stepsFrom(steps, 1, (nth) => changes[nth]?.uid ?? '', { rolling, ...(entries && { entries }) }),
  );
  return going && { ...going, sent: (change, before) => going.sent(change, withUser(stores, before)) };
}

/**
 * Submits at the tempo that was chosen: by `atOnce`, which programs have go at it as well, or as a part of the plan, which is
 * carried out and tells its results itself.
 */
export async function submitAtTempo<T>(
  stores: Stores,
  submission: Submission,
  atOnce: (stores: Stores, submission: Submission, keep: Keep) => Promise<T>,
): Promise<T | undefined> {
  const { action, isTyped = false, tempo } = submission;
  if (tempo?.atATime === undefined || action.program)
    return atOnce(stores, submission, (own, changes) => keepUnsent(stores, own, changes));
  const rolling = rollingOf(submission, newKey());
  const why = putInPlan(stores, submission, undefined, rolling);
  if (why !== undefined) stores.notices.say('bad', why);
  else void runPlan(stores, isTyped, rolling.id);
  return undefined;
}

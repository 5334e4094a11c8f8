import { redactedPaths } from '../../api/redact.ts';
import { isPatch } from '../../resources/body.ts';
import { beforeIntention, intentionOf } from '../../resources/changeRecord.ts';
import { actionsOf, isSingle, userActionsOf } from '../../resources/index.ts';
import { type Action, at, fieldLabel, isNothing, isRow, type Row } from '../../resources/resource.ts';
import { deedOn, plural } from '../../resources/wording.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sentence } from '../../text/words.ts';
import { type Change, changesFor, partsOf, recordOf, type Submission, type Target } from '../changes/change.ts';
import { fieldRefusal } from '../changes/ownEntries.ts';
import { hasToken } from '../changes/references.ts';
import { knownBefore } from '../changes/undoable.ts';
import { whyForbidden } from '../session.ts';
import type { Stores } from '../stores.ts';
import { namesFor } from './names.ts';
import { type NewStep, numberIn, openSteps, type PlannedRecord, type PlanStep, partOf, type Rolling } from './plan.ts';
import { drainedNodes, nodeResource } from './servedNodes.ts';
import { heldBy, unreadBelow } from './stale.ts';
import { sendsOf } from './stepChange.ts';
import { knownPrice } from './stepCost.ts';
import { twinOf } from './stepWords.ts';
import { waitsAt } from './tempo.ts';

/** Why an action cannot be put into a plan, as a sentence; undefined when it can. */
export function whyNotPlanned(action: Action): string | undefined {
  const { help, harmless, program, multipart, fileTransfer, secret, dialog } = action;
  if (harmless) return `${help} changes nothing, so there is nothing to plan.`;
  if (program) return `${help} runs a program of this machine, which no plan can hold.`;
  if (fileTransfer?.way === 'delete')
    return `${help} asks for an address first, which is good for a short time only, so no plan can hold it: send it by itself.`;
  if (multipart || fileTransfer) return `A file goes along with it, which no plan can hold: send it by itself.`;
  if (dialog) return `${help} is done in several steps of a dialog, which no plan can hold.`;
  if (secret) return `Its answer shows a secret once, to somebody who sees it: send it by itself.`;
  return undefined;
}

type Permissions = Pick<Stores, 'api' | 'session'>;

/** Whether a session can only plan an action, because it is read-only or its token may not send it. */
export const isPlanOnly = (stores: Permissions, action: Action): boolean =>
  !action.harmless && (stores.api.readOnly || whyForbidden(stores, action) !== undefined);

/** A change as the plan holds it: of a change of parts of a row what was touched, of all else what is sent. */
function plannedRecord({ view }: Stores, submission: Submission, change: Change, target?: Target): PlannedRecord {
  const { resource, action, draft, edits } = submission;
  const entries = target?.own?.mine ?? edits?.mine ?? draft;
  const [names, holds] = [namesFor(change, entries, view), heldBy(change, view)];
  const price = knownPrice({ change, row: target?.row, draft: entries, entered: entries, view });
  const sends = userActionsOf(resource).includes(action) && { sends: sendsOf(action) };
  const known = { ...(names && { names }), ...(holds && { holds }), ...(price && { price }), ...sends };
  if (!target || !isPatch(action)) {
    const record = recordOf(change);
    // Of what there is only one of, a file that others read has no more than the step changes.
    const before =
      isSingle(resource) && isRow(change.body)
        ? beforeIntention({ set: change.body }, record.before ?? {})
        : record.before;
    return { ...record, before, ...known };
  }
  const { row, params, own = edits ?? { opened: {}, mine: draft } } = target;
  const changes = intentionOf(resource, action, own, row, view, params);
  const before = beforeIntention(changes, knownBefore(change, view) ?? row);
  const { body: _, ...record } = recordOf(change);
  return { ...record, changes, before, ...known };
}

/** A submission with the steps of the plan that are carried out before it. */
type Planned = Submission & { earlier?: readonly PlanStep[] };

/** The steps of changes at the tempo of their submission, with those that drain the nodes of their rows. */
export function stepsOf(
  stores: Stores,
  submission: Planned,
  changes: readonly Change[],
  targets: readonly Target[],
): readonly NewStep[] {
  const { action, tempo, earlier } = submission;
  const all = changes.map((change, index) => ({ change, row: targets[index]?.row }));
  const waits = waitsAt(tempo, all, earlier);
  const steps = all.map(({ change, row }, index) => {
    const record = plannedRecord(stores, submission, change, targets[index]);
    return { step: { record, wait: waits[index] }, action, row };
  });
  return withNodeSteps(stores, tempo, steps);
}

/** Steps with those that drain the nodes of their rows before, where the tempo says so, and that turn them on after. */
export function withNodeSteps(
  stores: Stores,
  tempo: Submission['tempo'],
  steps: readonly { step: NewStep; action: Action; row?: Row | undefined }[],
): readonly NewStep[] {
  if (!tempo?.drains || tempo.atATime === undefined) return steps.map(({ step }) => step);
  const all: NewStep[] = [];
  const set = (mode: unknown, of: readonly Target[]) => nodeSteps(stores, String(mode), of);
  for (const { step, action, row } of steps) {
    const nodes = (row && action.disrupts && drainedNodes(row, stores.view)) || [];
    const place = all.push(...set('drain', nodes), step) - 1;
    if (isLeftDown(action)) continue;
    for (const { row, params } of nodes)
      all.push(...set(row.mode, [{ params, row: { ...row, mode: 'drain' } }]).map((one) => ({ ...one, after: place })));
  }
  // The steps around a row go meanwhile, too.
  return all.map((step, place) =>
    step.wait?.meanwhile === undefined ? step : { ...step, wait: { ...step.wait, meanwhile: all.length - 1 - place } },
  );
}

/** Whether a row takes no traffic after an action either: it was shut down, or is gone. */
export const isLeftDown = ({ method, disrupts }: Action): boolean => method === 'DELETE' || disrupts === 'from then on';

function nodeSteps(stores: Stores, mode: string, targets: readonly Target[]): readonly NewStep[] {
  const action = actionsOf(nodeResource).find(({ name }) => name === mode);
  if (!action || targets.length === 0) return [];
  const submission: Submission = { resource: nodeResource, action, targets, params: {}, draft: {} };
  return stepsOf(stores, submission, changesFor(submission, stores.view), targets);
}

/** Why a session cannot even plan an action, as a clause; undefined when it can, or may send it. */
export function readOnlyRefusal(stores: Permissions, action: Action): string | undefined {
  if (whyNotPlanned(action) === undefined || !isPlanOnly(stores, action)) return undefined;
  return stores.api.readOnly ? 'this session is read-only; no plan can hold this' : whyForbidden(stores, action);
}

/** Says instead of sending that an action is only planned. */
export function planOnlySays(stores: Stores, action: Action): string {
  const plan = `${keyLabel('form.plan', 'ctrl-a')} puts it into the plan`;
  return stores.api.readOnly
    ? `Read-only: nothing is sent; ${plan}.`
    : `${whyForbidden(stores, action)} Nothing is sent; ${plan}.`;
}

/** The steps of a submission, from its changes, and what was entered for all of them. */
export function stepsIn(stores: Stores, submission: Planned, changes: readonly Change[]) {
  const { action, targets, edits, draft } = submission;
  const parts = partsOf(submission, stores.view);
  const steps =
    parts && !action.below
      ? parts.flatMap((part) => stepsOf(stores, part, changesFor(part, stores.view), part.targets))
      : stepsOf(stores, submission, changes, parts ? [] : targets);
  // Rows that get entries of their own have no form in common; theirs are in their requests.
  const isEach = action.parts || targets.some(({ own }) => own);
  return { steps, entries: isEach ? undefined : (edits?.mine ?? draft) };
}

/**
 * Puts the changes of a submission into the plan, and says so; sends nothing.
 * @param step the step in whose place it comes
 * @param rolling the steps are a part of the plan that is carried out by itself, at once, so nothing is said of them
 * @returns why it is not in the plan, as a sentence
 */
export function putInPlan(
  stores: Stores,
  submission: Submission,
  step?: number,
  rolling?: Rolling,
): string | undefined {
  const { plans, notices, view } = stores;
  const { resource, action } = submission;
  const why = whyNotPlanned(action);
  if (why !== undefined) return why;
  const refusals = submission.targets.map((target) => {
    const deletion = { resource, action, params: target.params };
    return fieldRefusal(submission, target, view) ?? unreadBelow(stores, deletion, resource.remove?.takes ?? []);
  });
  const targets = submission.targets.filter((_, index) => refusals[index] === undefined);
  const [unfit, ...unfits] = refusals.filter((refusal) => refusal !== undefined);
  if (unfit !== undefined && targets.length === 0) return sentence(unfit);
  const changes = changesFor({ ...submission, targets }, view);
  const [first] = changes;
  if (!first) return 'There is nothing to plan.';
  const earlier = rolling ? [] : partOf(openSteps(plans.getState()), undefined);
  const { steps: added, entries } = stepsIn(stores, { ...submission, targets, earlier }, changes);
  const [{ record } = {}] = added;
  const forgotten = step === undefined ? undefined : forgottenSecret(stores, step, submission, record);
  if (forgotten !== undefined) return forgotten;
  const refused =
    step === undefined || !record ? plans.add(added, entries, rolling) : plans.change(step, record, entries);
  if (refused !== undefined || rolling) return refused;
  const what = targets.length > 1 ? `${targets.length} ${plural(resource)}` : first.label;
  const { steps } = plans.getState();
  const planned = steps.find(({ id }) => id === step) ?? steps.at(-1);
  const where =
    added.length > 1
      ? `${added.length} steps are in the plan`
      : `Step ${numberIn(steps, planned?.id ?? 0)} is in the plan`;
  const only = isPlanOnly(stores, action) ? ' Nothing was sent.' : '';
  const left = unfit === undefined ? '' : ` ${unfits.length + 1} left out: ${sentence(unfit)}`;
  const twin = planned && twinOf(planned, steps);
  const twice = twin ? ` Step ${numberIn(steps, twin.id)} does the same.` : '';
  const says = `${where}: ${deedOn(resource, action, what)}; :plan shows it.${twice}${left}${only}`;
  notices.say(twin ? 'warn' : 'good', says);
  return undefined;
}

/** The secret that a step had before it was kept and that was not typed again, as a sentence. */
function forgottenSecret(
  { plans }: Stores,
  step: number,
  { resource, action }: Submission,
  record: PlannedRecord | undefined,
): string | undefined {
  const sentBy = ({ body, changes }: Partial<PlannedRecord> = {}) => ({ ...(body as Row), ...changes?.set });
  const before = plans.getState().steps.find(({ id }) => id === step)?.record;
  const name = redactedPaths(sentBy(before)).find((path) => isNothing(valueAt(sentBy(record), path)));
  if (name === undefined) return undefined;
  return `${fieldLabel(resource, action, name)} was left out when the plan was kept: type it again, or delete the step.`;
}

const valueAt = (part: Row, path: string): unknown => (Object.hasOwn(part, path) ? part[path] : at(part, path));

/** Why a change cannot be sent but only planned, as a sentence; undefined when it can be sent. */
export function planObjection(stores: Stores, submission: Submission): string | undefined {
  if (changesFor(submission, stores.view).some(({ body }) => hasToken(body)))
    return `A step of the plan makes the row that it needs: ${keyLabel('form.plan', 'ctrl-a')} puts it into the plan.`;
  return isPlanOnly(stores, submission.action) ? planOnlySays(stores, submission.action) : undefined;
}

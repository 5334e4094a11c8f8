import { isPatch } from '../../../src/resources/body.ts';
import { conflictsOf, type Edits, isUnchanged } from '../../../src/resources/edits.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Action, Draft, Params, Resource } from '../../../src/resources/resource.ts';
import { complaintsOf } from '../../../src/resources/verdict.ts';
import { needsConfirmation, partitionTargets, targetKey } from '../../../src/screens/form/confirmation.ts';
import { draftKey, initialDraft } from '../../../src/screens/form/useFormEdits.ts';
import { type Change, type Submission, type Target, targetsAt } from '../../../src/store/changes/change.ts';
import { readAgain } from '../../../src/store/changes/readAgain.ts';
import { hasToken } from '../../../src/store/changes/references.ts';
import { refusalFor, submit } from '../../../src/store/changes/submit.ts';
import type { FormOverlay, TakesBack } from '../../../src/store/navigation.ts';
import type { ConfirmOverlay } from '../../../src/store/overlay.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import { submitAtTempo } from '../../../src/store/plans/running.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { actionOf } from '../../resources/actionOf.ts';

/** A form or question with its rows and what is entered in it. */
export interface Entered {
  resource: Resource;
  action: Action;
  /** The rows; none where one is made. */
  targets: readonly Params[];
  /** Of the list in which one is made. */
  params: Params;
  mine: Draft;
  takesBack?: TakesBack;
  /** The step of the plan that it changes. */
  step?: number;
  /** The form that stays open when it was sent in vain: its entries as it was opened. */
  form?: { opened?: Draft };
}

/** Called with all that was shown and agreed to, right before it is sent or planned. */
type Agreed = (going: readonly Target[], submission: Submission) => void;

/** Called with changes that go at once, under the names by which the plan of a later session has them. */
type Named = (targets: readonly Target[], changes: readonly Change[]) => void;

type Sent = Awaited<ReturnType<typeof submit>>;

/** The end of a form: it was sent or planned, or the user has left it for this reason. */
export type Ended = { results: Sent } | { planned: true } | { left: string };

interface Hand {
  stores: Stores;
  /** Lets a person's time pass. */
  think: () => Promise<void>;
}

/** Does what a form does when it is opened, filled in, and sent or put into the plan, with the questions that it asks. */
export async function fill(
  { stores, think }: Hand,
  entered: Entered,
  way: 'send' | 'plan',
  agreed: Agreed,
  named?: Named,
): Promise<Ended> {
  const { resource, action, targets, params, mine, takesBack, step, form = {} } = entered;
  const { view, cache } = stores;
  const overlay: FormOverlay = {
    kind: 'form',
    resource: resource.name,
    action: action.name,
    targets,
    params,
    takesBack,
    step,
  };
  for (const name of action.reads ?? []) await readList(stores, name, targets[0] ?? params);
  const begun = initialDraft(stores, resource, action, overlay);
  const [own] = takesBack?.own ?? [];
  form.opened ??= own ? { ...begun, ...own.opened } : begun;
  const { opened } = form;
  const isEdit = isPatch(action) && targets.length > 0;
  await think();
  if (isEdit) await readAgain({ cache }, resource, targets);
  const able = targetsAt(stores.view, resource, targets);
  if (targets.length > 0 && able.length === 0) return { left: 'The row is gone.' };
  const now = targets.length > 0 ? initialDraft(stores, resource, action, overlay) : opened;
  const edits: Edits = { opened, mine };
  if (isEdit && able.length === 1 && conflictsOf(resource, action, edits, now).length > 0)
    return { left: 'Somebody else has changed it.' };
  const draft = { ...now, ...mine };
  const [first, ...others] = able;
  const row = others.length > 0 ? undefined : first?.row;
  const [complaint] = complaintsOf(
    resource,
    action,
    draft,
    view,
    row,
    first?.params ?? params,
    isEdit ? now : undefined,
  ).filter(({ field }) => !hasToken(draft[field]));
  if (complaint) return { left: `${complaint.field}: ${complaint.says}` };
  if (isEdit && able.length === 1 && isUnchanged(resource, action, edits, now)) return { left: 'Nothing changed.' };
  const submission: Submission = {
    resource,
    action,
    targets: able,
    params,
    draft,
    takesBack,
    ...(isEdit && { edits }),
  };
  return ask({ stores, think }, submission, { way, agreed, named, step });
}

interface Asking {
  way: 'send' | 'plan';
  agreed: Agreed;
  named?: Named | undefined;
  step?: number | undefined;
}

/** Does what a question does: shows the rows, has the label typed, and sends or plans for the rows that were shown. */
async function ask(
  { stores, think }: Hand,
  submission: Submission,
  { way, agreed, named, step }: Asking,
): Promise<Ended> {
  const { resource, action, targets } = submission;
  const able = targets.filter((target) => !refusalFor(stores, resource, action, target));
  const isAsked = needsConfirmation(stores, submission);
  if (isAsked && way === 'send') await think();
  const now = targetsAt(
    stores.view,
    resource,
    targets.map(({ params }) => params),
  );
  const { included, skipped } = partitionTargets(submission, targets, now, new Set(able.map(targetKey)), stores);
  if (targets.length > 0 && included.length === 0) return { left: skipped.map(({ reason }) => reason).join('; ') };
  const going = { ...submission, targets: included, isTyped: isAsked };
  agreed(included, going);
  if (way === 'plan') {
    const why = putInPlan(stores, going, step);
    return why === undefined ? { planned: true } : { left: why };
  }
  const send: typeof submit = (at, own, keep) =>
    submit(at, own, (kept, changes) => {
      named?.(kept.targets, changes);
      return keep?.(kept, changes);
    });
  return { results: (await submitAtTempo(stores, going, send)) ?? [] };
}

/** Looks at a list, as the user does before anything is done in it. */
export async function readList({ cache }: Pick<Stores, 'cache'>, name: string, params: Params): Promise<void> {
  const { list } = resourceNamed(name);
  if (!list) return;
  const own = Object.fromEntries(Object.entries(params).filter(([param]) => list.path.includes(`{${param}}`)));
  await cache.readCollection({ resource: name, operation: 'list', params: own });
}

/** Names the draft of a form. */
export const formKey = draftKey;

/** Agrees to a form or question that takes something back. */
export async function answer(hand: Hand, overlay: FormOverlay | ConfirmOverlay, agreed: Agreed): Promise<Ended> {
  const { stores } = hand;
  const resource = resourceNamed(overlay.resource);
  const action = actionOf(resource, overlay.action);
  const { targets, params, takesBack } = overlay;
  if (overlay.kind === 'form') {
    const mine = takesBack?.own[0]?.mine ?? {};
    return fill(hand, { resource, action, targets, params, mine, takesBack }, 'send', agreed);
  }
  const own = new Map(targets.map((of, index) => [of, takesBack?.own[index]]));
  const able = targets.flatMap((of) =>
    targetsAt(stores.view, resource, [of]).map((one) => ({ ...one, own: own.get(of) })),
  );
  return ask(hand, { resource, action, targets: able, params, draft: {}, takesBack }, { way: 'send', agreed });
}

import { type FormField, isPatch } from '../../resources/body.ts';
import { conflictsOf, type Edits, isUnchanged } from '../../resources/edits.ts';
import type { Action, Complaint, Draft } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import { changesFor, type Submission, type Target, targetsAt } from '../../store/changes/change.ts';
import { stillThere } from '../../store/changes/freshRows.ts';
import { hasToken } from '../../store/changes/references.ts';
import { sayIfClosed, submit } from '../../store/changes/submit.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { submitAtTempo } from '../../store/plans/running.ts';
import type { Stores } from '../../store/stores.ts';
import { type FormEdits, initialDraft } from './useFormEdits.ts';

/** A form that is to be sent. */
export interface SentForm extends Pick<Submission, 'resource' | 'action' | 'targets'> {
  overlay: FormOverlay;
  formEdits: FormEdits;
  /** The fields that are shown. */
  fields: readonly FormField[];
}

/** Whether a form edits rows, so that only the touched fields are sent. */
export const isEdit = ({ targets }: FormOverlay, action: Action): boolean => isPatch(action) && targets.length > 0;

/** The complaints about a draft, whose rows are as they are `now`; those that steps of the plan make are not known yet. */
export function complaintsIn(
  { view }: Pick<Stores, 'view'>,
  overlay: FormOverlay,
  { resource, action, targets, draft }: Pick<Submission, 'resource' | 'action' | 'targets' | 'draft'>,
  now: Draft,
): readonly Complaint[] {
  const [{ row, params } = { row: undefined, params: overlay.params }, ...others] = targets;
  const before = isEdit(overlay, action) ? now : undefined;
  const all = complaintsOf(resource, action, draft, view, others.length > 0 ? undefined : row, params, before);
  return all.filter(({ field }) => !hasToken(draft[field]));
}

/** Tells what a form sends, on the rows as they are. */
export function formStateOf(stores: Stores, { overlay, resource, action, formEdits, fields }: SentForm) {
  const sendsEdits = isEdit(overlay, action) && !overlay.into;

  /** Edits of hidden fields are not sent; forms for several rows start blank and have no conflicts. */
  function on(targets: readonly Target[], now: Draft) {
    const { opened, mine } = formEdits.latest();
    const shown = Object.entries(mine).filter(([name]) => fields.some((field) => field.name === name));
    const edits: Edits = { opened, mine: Object.fromEntries(shown) };
    const draft = { ...now, ...mine };
    const { params, takesBack, replaces } = overlay;
    const submission = { resource, action, targets, params, draft, takesBack, replaces };
    return {
      submission: sendsEdits ? { ...submission, edits } : submission,
      edits,
      now,
      conflicts: conflictsOf(resource, action, edits, now),
    };
  }

  /** The state at this moment, for use after an await. */
  const current = () =>
    on(
      targetsAt(stores.view, resource, overlay.targets),
      overlay.targets.length > 0 ? initialDraft(stores, resource, action, overlay) : formEdits.latest().opened,
    );

  return {
    on,
    current,
    /** The fields with a value that the API would refuse, in their order. */
    wrongFields(): readonly string[] {
      const { submission, now } = current();
      return complaintsIn(stores, overlay, submission, now).map(({ field }) => field);
    },
    /** Whether an edit would leave the rows as they are. */
    changesNothing(): boolean {
      const { edits, now } = current();
      return sendsEdits && isUnchanged(resource, action, edits, now);
    },
    /** The requests as one text, to compare them. */
    requestsOf: (submission: Submission) =>
      JSON.stringify(changesFor(submission, stores.view).map(({ params, label, body }) => [params, label, body])),
  };
}

/** Sends a form and leaves it; resolves with the refusals of the API where it stays open for them. */
export async function submitForm(
  stores: Stores,
  { overlay, action, formEdits }: SentForm,
  submission: Submission,
): Promise<readonly Complaint[] | undefined> {
  const sent = formEdits.latest();
  const why = overlay.replaces && (await stillThere(stores, submission))(overlay.replaces.params);
  if (why !== undefined) return [{ field: '', says: why }];
  const results = (await submitAtTempo(stores, submission, submit)) ?? [];
  const left = results.filter(({ state }) => state !== 'done');
  const failed = left.find(({ says }) => says !== undefined);
  const isPartly = !action.parts && left.length > 0 && left.length < results.length;
  // The form for the remaining rows starts with what was typed.
  if (isPartly) formEdits.saveFor(left.map(({ params }) => params));
  if (!failed || isPartly) {
    // Text typed meanwhile, in the same form opened again, is another draft.
    formEdits.discard(sent);
    stores.navigation.dismiss(overlay);
    return undefined;
  }
  const { error, says = '' } = failed;
  if (submission.targets.length <= 1) sayIfClosed(stores, overlay, action, failed);
  // For 403 the message names the scope that the token lacks.
  const reasons = error && error.status !== 403 && error.errors.length > 0 ? error.errors : [{ reason: says }];
  return reasons.map(({ field = '', reason }) => ({ field, says: reason }));
}

import { useEffect, useRef, useState } from 'react';
import { type FormField, isPatch } from '../../resources/body.ts';
import {
  type Conflict,
  type ConflictSide,
  conflictsOf,
  type Edits,
  isUnchanged,
  resolveConflicts,
} from '../../resources/edits.ts';
import type { Action, Complaint, Draft } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import { type Agreed, changesFor, type Submission, type Target, targetsAt } from '../../store/changes/change.ts';
import { sayIfClosed, submit } from '../../store/changes/submit.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { planObjection, putInPlan } from '../../store/plans/planning.ts';
import { hasToken } from '../../store/plans/references.ts';
import { submitAtTempo } from '../../store/plans/running.ts';
import { useNavigation, useStores } from '../useStores.ts';
import { among, needsConfirmation } from './confirmation.ts';
import { type FormEdits, initialDraft } from './useFormEdits.ts';
import { useReread } from './useReread.ts';

/** The state of sending or previewing a form. */
interface FormSubmit {
  submission: Submission;
  /** The refusals of the API. */
  refusals: readonly Complaint[];
  /** Clears the notice, and the refusals that match. */
  clearRefusals: (isMeant: (complaint: Complaint) => boolean) => void;
  /** Why nothing was sent although no field is wrong. */
  notice: string | undefined;
  /** The row is being read again, to see whether others have changed it. */
  reading: boolean;
  sending: boolean;
  /** Reading or sending: input would change the request, or be lost. */
  isBusy: boolean;
  send: () => void;
  /** Puts it into the plan instead of sending it, after the same checks. */
  plan: (tempo?: Submission['tempo'], going?: readonly Target[]) => void;
  /** The exact request is shown. */
  previewing: boolean;
  /** Shows the exact request, unless a field is wrong or nothing would be sent; or hides it. */
  preview: (shown: boolean) => void;
  /** The confirmation is open. */
  confirming: boolean;
  /** Sends it for the rows that the confirmation showed. */
  confirm: (going: readonly Target[], agreed: Agreed) => void;
  /** Goes back from the confirmation to the form. */
  cancelConfirm: () => void;
  /** Fields that were touched here and changed elsewhere. */
  conflicts: readonly Conflict[];
  /** The choice between conflicting values is open. */
  resolving: boolean;
  /** Chooses for each field and continues; undefined goes back to the form. */
  resolve: (choices: ReadonlyMap<string, ConflictSide> | undefined) => void;
}

interface SubmitInput extends Pick<Submission, 'resource' | 'action' | 'targets'> {
  overlay: FormOverlay;
  formEdits: FormEdits;
  /** The fields that are shown. */
  fields: readonly FormField[];
  /** Resolves to complaints about files, by field. */
  checkFiles: () => Promise<ReadonlyMap<string, string>>;
  /** Shows the complaints of all fields from now on. */
  showComplaints: () => void;
  /** Focuses the field of this name, ours or the API's. */
  focusOn: (name: string | undefined) => void;
}

const noRefusals: readonly Complaint[] = [];

const nothingChanged = 'Nothing changed.';
const noConflictLeft = 'The other change was undone, or is now the same as yours; nothing was sent.';

/** The one pane over a form. */
type Dialog = 'preview' | 'question' | 'conflicts' | undefined;

/** Whether a form edits rows, so that only the touched fields are sent. */
export const isEdit = ({ targets }: FormOverlay, action: Action): boolean => isPatch(action) && targets.length > 0;

/** Sends a form: shows complaints, asks about changes by others, and shows the request on demand. */
export function useSubmit(parts: SubmitInput): FormSubmit {
  const { overlay, resource, action, targets, formEdits, fields, checkFiles, showComplaints, focusOn } = parts;
  const stores = useStores();
  const { navigation, view } = stores;
  const [sending, setSending] = useState(false);
  const [dialog, setDialog] = useState<Dialog>();
  const refusals = useNavigation(({ refusals }) => refusals[formEdits.key]) ?? noRefusals;
  const setRefusals = (complaints: readonly Complaint[]) => navigation.keepRefusal(formEdits.key, complaints);
  const [notice, setNotice] = useState<string>();
  const { reading, reread } = useReread(resource, action, overlay.targets);
  const isRunning = useRef(false);
  /** The step that continues after the conflicts are resolved. */
  const resumes = useRef<'send' | 'preview' | 'plan'>('send');
  const sendsEdits = isEdit(overlay, action) && !overlay.into;
  const { submission, conflicts } = stateOf(targets, formEdits.current);
  const isMoot = dialog === 'conflicts' && conflicts.length === 0;
  useEffect(() => {
    if (!isMoot) return;
    setDialog(undefined);
    setNotice(noConflictLeft);
  }, [isMoot]);

  /** Edits of hidden fields are not sent; forms for several rows start blank and have no conflicts. */
  function stateOf(targets: readonly Target[], now: Draft) {
    const { opened, mine } = formEdits.latest();
    const shown = Object.entries(mine).filter(([name]) => fields.some((field) => field.name === name));
    const edits: Edits = { opened, mine: Object.fromEntries(shown) };
    const draft = { ...now, ...mine };
    const submission = { resource, action, targets, params: overlay.params, draft, takesBack: overlay.takesBack };
    return {
      submission: sendsEdits ? { ...submission, edits } : submission,
      edits,
      now,
      conflicts: conflictsOf(resource, action, edits, now),
    };
  }

  /** The state at this moment, for use after an await. */
  const current = () =>
    stateOf(
      targetsAt(stores, resource, overlay.targets),
      overlay.targets.length > 0 ? initialDraft(stores, resource, action, overlay) : formEdits.latest().opened,
    );

  /** Goes back to the form; `why` is for reasons that belong to no field. */
  function stay(why?: string): false {
    setDialog(undefined);
    setNotice(why);
    return false;
  }

  /** Runs one task at a time; requests made meanwhile are dropped. */
  async function alone(work: () => Promise<unknown>): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  }

  /** Whether there is no complaint and something to send; shows the first complaint. */
  function isValid(wrongFiles: Iterable<string> = []): boolean {
    const { submission, edits, now } = current();
    const [first, ...others] = submission.targets;
    const row = others.length > 0 ? undefined : first?.row;
    const before = isEdit(overlay, action) ? now : undefined;
    const params = first?.params ?? overlay.params;
    const complaints = complaintsOf(resource, action, submission.draft, view, row, params, before).filter(
      ({ field }) => !hasToken(submission.draft[field]),
    );
    const [wrong] = [...complaints.map(({ field }) => field), ...wrongFiles];
    if (wrong !== undefined) {
      focusOn(wrong);
      return stay();
    }
    return sendsEdits && isUnchanged(resource, action, edits, now) ? stay(nothingChanged) : true;
  }

  /** Whether the input is valid, files included. */
  async function isRight(): Promise<boolean> {
    showComplaints();
    setRefusals([]);
    setNotice(undefined);
    return isValid((await checkFiles()).keys());
  }

  /** Reads the row again; whether it can still be sent. Opens the conflicts if others have changed the same fields. */
  async function isCurrent(): Promise<boolean> {
    const shown = dialog === 'preview' || dialog === 'question' ? requestsOf(submission) : undefined;
    const failure = await reread(fields.some(({ name, field }) => field.merged && name in formEdits.latest().mine));
    if (!navigation.getState().overlays.includes(overlay)) return false;
    if (failure) return stay(failure);
    const { submission: latest, conflicts } = current();
    if (overlay.targets.length > 0 && latest.targets.length === 0) return false;
    if (conflicts.length > 0) {
      setDialog('conflicts');
      return false;
    }
    if (!isValid()) return false;
    if (shown === undefined || requestsOf(latest) === shown) return true;
    stores.notices.say('plain', 'It was changed elsewhere just now; this is the request as it would be sent now.');
    return false;
  }

  const requestsOf = (submission: Submission) =>
    JSON.stringify(changesFor(submission, view).map(({ params, label, body }) => [params, label, body]));

  async function send(): Promise<void> {
    resumes.current = 'send';
    if (!(await isRight())) return;
    if (overlay.into) {
      handOver(overlay.into);
      return;
    }
    if (overlay.step !== undefined) return plan();
    if (!(await isCurrent())) return;
    const { submission } = current();
    const why = planObjection(stores, submission);
    if (why !== undefined) return void stay(why);
    if (needsConfirmation(stores, submission)) setDialog('question');
    else await dispatch(submission.targets);
  }

  async function plan(tempo?: Submission['tempo'], going?: readonly Target[]): Promise<void> {
    resumes.current = 'plan';
    if (!(await isRight()) || !(await isCurrent())) return;
    const { submission } = current();
    const targets = going ? among(submission.targets, going) : submission.targets;
    const why = putInPlan(stores, { ...submission, targets, tempo }, overlay.step);
    setDialog(undefined);
    setNotice(why);
    if (why !== undefined) return;
    formEdits.discard();
    navigation.dismiss(overlay, overlay.next);
  }

  async function preview(): Promise<void> {
    resumes.current = 'preview';
    if ((await isRight()) && (await isCurrent())) setDialog('preview');
  }

  function handOver(take: (draft: Draft) => void): void {
    const { draft } = current().submission;
    formEdits.discard();
    navigation.dismiss(overlay);
    take(draft);
  }

  async function dispatch(going: readonly Target[], agreed?: Agreed): Promise<void> {
    const { submission: latest } = current();
    const targets = among(latest.targets, going);
    const submission = { ...latest, ...agreed, targets };
    if (going.length > 0 && submission.targets.length === 0) {
      stay('The rows that were confirmed are gone.');
      return;
    }
    const sent = formEdits.latest();
    setDialog(undefined);
    setSending(true);
    const results = (await submitAtTempo(stores, submission, submit)) ?? [];
    setSending(false);
    const left = results.filter(({ state }) => state !== 'done');
    const failed = left.find(({ says }) => says !== undefined);
    const isPartly = !action.parts && left.length > 0 && left.length < results.length;
    // The form for the remaining rows starts with what was typed.
    if (isPartly) formEdits.saveFor(left.map(({ params }) => params));
    if (!failed || isPartly) {
      // Text typed meanwhile, in the same form opened again, is another draft.
      formEdits.discard(sent);
      navigation.dismiss(overlay, failed ? undefined : overlay.next);
      return;
    }
    const { error, says = '' } = failed;
    // For 403 the message names the scope that the token lacks.
    const reasons = error && error.status !== 403 && error.errors.length > 0 ? error.errors : [{ reason: says }];
    const said = reasons.map(({ field = '', reason }) => ({ field, says: reason }));
    setRefusals(said);
    if (targets.length <= 1) sayIfClosed(stores, overlay, action, failed);
    focusOn(said[0]?.field);
  }

  return {
    submission,
    refusals,
    clearRefusals: (isMeant) => {
      setRefusals(refusals.filter((complaint) => !isMeant(complaint)));
      setNotice(undefined);
    },
    notice,
    reading,
    isBusy: reading || sending,
    sending,
    send: () => void alone(send),
    plan: (tempo, going) => void alone(() => plan(tempo, going)),
    previewing: dialog === 'preview',
    preview: (shown) => {
      if (shown) void alone(preview);
      else setDialog(undefined);
    },
    confirming: dialog === 'question',
    confirm: (going, agreed) => void alone(async () => (await isCurrent()) && (await dispatch(going, agreed))),
    cancelConfirm: () => setDialog(undefined),
    conflicts,
    resolving: dialog === 'conflicts' && conflicts.length > 0,
    resolve: (choices) => {
      setDialog(undefined);
      if (!choices) return;
      formEdits.save(resolveConflicts(formEdits.latest(), formEdits.current, choices));
      void alone({ preview, send, plan }[resumes.current]);
    },
  };
}

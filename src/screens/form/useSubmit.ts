import { useRef, useState } from 'react';
import { type ConflictSide, resolveConflicts } from '../../resources/edits.ts';
import type { Complaint } from '../../resources/resource.ts';
import type { Agreed, Submission, Target } from '../../store/changes/change.ts';
import { planObjection, putInPlan } from '../../store/plans/planning.ts';
import { useNavigation, useStores } from '../useStores.ts';
import { among, needsConfirmation } from './confirmation.ts';
import { formStateOf, type SentForm, submitForm } from './submitForm.ts';
import { useReread } from './useFormReads.ts';

interface SubmitInput extends SentForm {
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

/** Runs one task at a time; those asked for meanwhile are dropped. */
function useOneAtATime(): (work: () => Promise<unknown>) => Promise<void> {
  const isRunning = useRef(false);
  return async (work) => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  };
}

const stillWrong = (fields: SubmitInput['fields'], wrong: string): string =>
  `${fields.find(({ name }) => name === wrong)?.field.label ?? wrong} is not right yet, so nothing was sent.`;

/** Sends a form: shows complaints, asks about changes by others, and shows the request on demand. */
export function useSubmit(parts: SubmitInput) {
  const { overlay, resource, action, targets, formEdits, fields, checkFiles, showComplaints, focusOn } = parts;
  const stores = useStores();
  const { navigation } = stores;
  const [sending, setSending] = useState(false);
  const [dialog, setDialog] = useState<'preview' | 'question' | 'conflicts'>();
  const refusals = useNavigation(({ refusals }) => refusals[formEdits.key]) ?? noRefusals;
  const setRefusals = (complaints: readonly Complaint[]) => navigation.keepRefusal(formEdits.key, complaints);
  const [notice, setNotice] = useState<string>();
  const { reading, reread } = useReread(resource, action, overlay.targets);
  const alone = useOneAtATime();
  /** The step that continues after the conflicts are resolved. */
  const resumes = useRef<'send' | 'preview' | 'plan'>('send');
  const lastWrong = useRef<string>(undefined);
  const state = formStateOf(stores, parts);
  const { submission, conflicts } = state.on(targets, formEdits.current);
  if (dialog === 'conflicts' && conflicts.length === 0) stay(noConflictLeft);

  /** Goes back to the form; `why` is for reasons that belong to no field. */
  function stay(why?: string): false {
    setDialog(undefined);
    setNotice(why);
    return false;
  }

  /** Whether there is no complaint and something to send; shows the first complaint. */
  function isValid(wrongFiles: Iterable<string> = []): boolean {
    const [wrong] = [...state.wrongFields(), ...wrongFiles];
    if (wrong !== undefined && wrong === lastWrong.current) stores.notices.say('plain', stillWrong(fields, wrong));
    lastWrong.current = wrong;
    if (wrong !== undefined) {
      focusOn(wrong);
      return stay();
    }
    return state.changesNothing() ? stay(nothingChanged) : true;
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
    const shown = dialog === 'preview' || dialog === 'question' ? state.requestsOf(submission) : undefined;
    const failure = await reread(fields.some(({ name, field }) => field.merged && name in formEdits.latest().mine));
    if (!navigation.getState().overlays.includes(overlay)) return false;
    if (failure) return stay(failure);
    const { submission: latest, conflicts } = state.current();
    if (overlay.targets.length > 0 && latest.targets.length === 0) return false;
    if (conflicts.length > 0) {
      setDialog('conflicts');
      return false;
    }
    if (!isValid()) return false;
    if (shown === undefined || state.requestsOf(latest) === shown) return true;
    stores.notices.say('plain', 'It was changed elsewhere just now; this is the request as it would be sent now.');
    return false;
  }

  async function send(): Promise<void> {
    resumes.current = 'send';
    if (!(await isRight())) return;
    if (overlay.into) {
      const { draft } = state.current().submission;
      formEdits.discard();
      navigation.dismiss(overlay);
      return overlay.into(draft);
    }
    if (overlay.step !== undefined) return plan();
    if (!(await isCurrent())) return;
    const { submission } = state.current();
    const why = planObjection(stores, submission);
    if (why !== undefined) return void stay(why);
    if (needsConfirmation(stores, submission)) setDialog('question');
    else await dispatch(submission.targets);
  }

  async function plan(tempo?: Submission['tempo'], going?: readonly Target[]): Promise<void> {
    resumes.current = 'plan';
    if (!(await isRight()) || !(await isCurrent())) return;
    const { submission } = state.current();
    const targets = going ? among(submission.targets, going) : submission.targets;
    const why = putInPlan(stores, { ...submission, targets, tempo }, overlay.step);
    stay(why);
    if (why !== undefined) return;
    formEdits.discard();
    navigation.dismiss(overlay);
  }

  async function preview(): Promise<void> {
    resumes.current = 'preview';
    if ((await isRight()) && (await isCurrent())) setDialog('preview');
  }

  async function dispatch(going: readonly Target[], agreed?: Agreed): Promise<void> {
    const { submission: latest } = state.current();
    const targets = among(latest.targets, going);
    if (going.length > 0 && targets.length === 0) return void stay('The rows that were confirmed are gone.');
    setDialog(undefined);
    setSending(true);
    const refused = await submitForm(stores, parts, { ...latest, ...agreed, targets });
    setSending(false);
    if (!refused) return;
    setRefusals(refused);
    focusOn(refused[0]?.field);
  }

  return {
    submission,
    refusals,
    /** Clears the notice, and the refusals that match. */
    clearRefusals: (isMeant: (complaint: Complaint) => boolean) => {
      setRefusals(refusals.filter((complaint) => !isMeant(complaint)));
      setNotice(undefined);
    },
    /** Why nothing was sent although no field is wrong. */
    notice,
    /** The row is being read again, to see whether others have changed it. */
    reading,
    /** Reading or sending: input would change the request, or be lost. */
    isBusy: reading || sending,
    sending,
    send: () => void alone(send),
    /** Puts it into the plan instead of sending it, after the same checks. */
    plan: (...how: Parameters<typeof plan>) => void alone(() => plan(...how)),
    /** The one pane over the form. */
    dialog,
    /** Goes back from that to the form. */
    back: () => setDialog(undefined),
    /** Shows the exact request, unless a field is wrong or nothing would be sent. */
    preview: () => void alone(preview),
    /** Sends it for the rows that the confirmation showed. */
    confirm: (going: readonly Target[], agreed: Agreed) =>
      void alone(async () => (await isCurrent()) && (await dispatch(going, agreed))),
    /** Fields that were touched here and changed elsewhere. */
    conflicts,
    /** Chooses for each of them and continues. */
    resolve: (choices: ReadonlyMap<string, ConflictSide>) => {
      setDialog(undefined);
      formEdits.save(resolveConflicts(formEdits.latest(), formEdits.current, choices));
      void alone({ preview, send, plan }[resumes.current]);
    },
  };
}

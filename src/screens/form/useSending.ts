import { useEffect, useRef, useState } from 'react';
import { type FormField, isPatch } from '../../resources/body.ts';
import { type Conflict, conflictsOf, decided, type Edits, isUnchanged } from '../../resources/edits.ts';
import type { Action, Complaint, Draft, Resource } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { type Subject, subjectsAt } from '../subjects.ts';
import { useDeck, useNavigation } from '../useDeck.ts';
import { isAsked, subjectKey } from './question.ts';
import { carryOut, type Errand, sayUnseen, targetsOf } from './submit.ts';
import { type Copies, entriesNow } from './useCopies.ts';
import { useReread } from './useReread.ts';

/** The course of a form that is sent or previewed. */
export interface Sending {
  errand: Errand;
  /** The refusals of the API. */
  refused: readonly Complaint[];
  /** Forgets what was refused and said; of what was refused only some. */
  forgetRefusal: (isMeant: (complaint: Complaint) => boolean) => void;
  /** Why nothing was sent, where nothing is wrong. */
  said: string | undefined;
  /** The row is read again, to see whether others have changed it. */
  reading: boolean;
  sending: boolean;
  /** It is read again or sent: what is typed would change what goes, or be lost. */
  isUnderWay: boolean;
  send: () => void;
  /** The exact request is shown. */
  previewing: boolean;
  /** Shows the exact request, unless something is wrong or nothing would be sent; or ends showing it. */
  preview: (shown: boolean) => void;
  /** The question whether it is meant is being asked. */
  confirming: boolean;
  /** Answers that question: sends it, for the rows that were shown as going. */
  agree: (going: readonly Subject[]) => void;
  /** Leads back from that question into the form. */
  disagree: () => void;
  /** Fields that were touched here and changed elsewhere. */
  conflicts: readonly Conflict[];
  /** The question which of them go is being asked. */
  deciding: boolean;
  /** Answers that question for each field, and goes on with what was asked for; undefined goes back to the form. */
  decide: (choices: ReadonlyMap<string, 'mine' | 'theirs'> | undefined) => void;
}

interface SendingParts {
  overlay: FormOverlay;
  resource: Resource;
  action: Action;
  subjects: readonly Subject[];
  copies: Copies;
  /** The fields that are shown. */
  fields: readonly FormField[];
  /** Finds complaints about files, by field. */
  checkFiles: () => Promise<ReadonlyMap<string, string>>;
  /** From now on everything that is wrong is said. */
  attempt: () => void;
  /** Goes to the field that has this name, or that the API calls so. */
  focusOn: (name: string | undefined) => void;
}

const nothingRefused: readonly Complaint[] = [];

const nothingChanged = 'Nothing changed.';
const nothingToChoose = 'The other change was taken back, or is the same as yours now; nothing was sent.';

/** Lies over a form: one thing at a time. */
type Over = 'preview' | 'question' | 'conflicts' | undefined;

/** Whether a form changes parts of rows, of which only those are sent. */
export const isEdit = ({ targets }: FormOverlay, action: Action): boolean => isPatch(action) && targets.length > 0;

/** Sends a form: what is wrong is said, what others have changed is asked about, and the request is shown on demand. */
export function useSending(parts: SendingParts): Sending {
  const { overlay, resource, action, subjects, copies, fields, checkFiles, attempt, focusOn } = parts;
  const deck = useDeck();
  const { navigation, view } = deck;
  const [sending, setSending] = useState(false);
  const [over, setOver] = useState<Over>();
  const refused = useNavigation(({ refusals }) => refusals[copies.key]) ?? nothingRefused;
  const setRefused = (complaints: readonly Complaint[]) => navigation.keepRefusal(copies.key, complaints);
  const [said, setSaid] = useState<string>();
  const { reading, reread } = useReread(resource, action, overlay.targets);
  const isBusy = useRef(false);
  /** A question about conflicts has interrupted this. */
  const wanted = useRef<'send' | 'preview'>('send');
  const errand = errandOf(subjects, shown(copies.edits), copies.now);
  const conflicts = conflictsOf(resource, action, shown(copies.edits), copies.now);
  const isMoot = over === 'conflicts' && conflicts.length === 0;
  useEffect(() => {
    if (!isMoot) return;
    setOver(undefined);
    setSaid(nothingToChoose);
  }, [isMoot]);

  /** The edits of fields that are shown, which alone are sent; several rows have no conflicts, for they begin blank. */
  function shown({ opened, mine }: Edits): Edits {
    const entries = Object.entries(mine).filter(([name]) => fields.some((field) => field.name === name));
    return { opened, mine: Object.fromEntries(entries) };
  }

  function errandOf(subjects: readonly Subject[], edits: Edits, now: Draft): Errand {
    const draft = { ...now, ...copies.latest().mine };
    const base = { resource, action, subjects, params: overlay.params, draft };
    return isEdit(overlay, action) && !overlay.into ? { ...base, edits } : base;
  }

  /** All of it as it is at this moment, for what goes on after waiting. */
  function current() {
    const subjects = subjectsAt(deck, resource, overlay.targets);
    const edits = shown(copies.latest());
    const now = overlay.targets.length > 0 ? entriesNow(deck, resource, action, overlay) : edits.opened;
    const [first] = subjects;
    const row = subjects.length === 1 ? first?.row : undefined;
    const params = first?.params ?? overlay.params;
    const errand = errandOf(subjects, edits, now);
    return {
      errand,
      conflicts: conflictsOf(resource, action, edits, now),
      complaints: complaintsOf(
        resource,
        action,
        errand.draft,
        view,
        row,
        params,
        isEdit(overlay, action) ? now : undefined,
      ),
      isUnchanged: isEdit(overlay, action) && !overlay.into && isUnchanged(resource, action, edits, now),
    };
  }

  /** Stays in the form, and says why where that stands at no field. */
  function stay(why?: string): false {
    setOver(undefined);
    setSaid(why);
    return false;
  }

  /** One thing at a time: what is asked for meanwhile is left. */
  async function alone(work: () => Promise<unknown>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await work();
    } finally {
      isBusy.current = false;
    }
  }

  /** Whether what was entered can be sent as far as is known; shows what is wrong. */
  async function isRight(): Promise<boolean> {
    attempt();
    setRefused([]);
    setSaid(undefined);
    const found = await checkFiles();
    const { complaints, isUnchanged } = current();
    const troubles = [...complaints.map(({ field }) => field), ...found.keys()];
    if (troubles.length > 0) {
      focusOn(troubles[0]);
      return stay();
    }
    return isUnchanged ? stay(nothingChanged) : true;
  }

  /** Whether it can still be sent with the row as it is now, which is read again; asks about what others have changed. */
  async function isCurrent(): Promise<boolean> {
    const shown = over === 'preview' || over === 'question' ? requestsOf(errand) : undefined;
    const failure = await reread(fields.some(({ name, field }) => field.merged && name in copies.latest().mine));
    if (!navigation.getState().overlays.includes(overlay)) return false;
    if (failure) return stay(failure);
    const { errand: latest, conflicts, complaints, isUnchanged } = current();
    if (overlay.targets.length > 0 && latest.subjects.length === 0) return false;
    if (conflicts.length > 0) {
      setOver('conflicts');
      return false;
    }
    if (complaints.length > 0) {
      focusOn(complaints[0]?.field);
      return stay();
    }
    if (isUnchanged) return stay(nothingChanged);
    if (shown === undefined || requestsOf(latest) === shown) return true;
    deck.notices.say('plain', 'It was changed elsewhere just now; this is the request as it would be sent now.');
    return false;
  }

  const requestsOf = (errand: Errand) => JSON.stringify(targetsOf(errand, view));

  async function send(): Promise<void> {
    wanted.current = 'send';
    if (!(await isRight())) return;
    if (overlay.into) {
      handOver(overlay.into);
      return;
    }
    if (!(await isCurrent())) return;
    const { errand } = current();
    if (isAsked(deck, errand)) setOver('question');
    else await dispatch(errand.subjects);
  }

  async function preview(): Promise<void> {
    wanted.current = 'preview';
    if ((await isRight()) && (await isCurrent())) setOver('preview');
  }

  function handOver(take: (draft: Draft) => void): void {
    const { draft } = current().errand;
    copies.forget();
    navigation.dismiss(overlay);
    take(draft);
  }

  async function dispatch(going: readonly Subject[]): Promise<void> {
    const { errand: latest } = current();
    const keys = new Set(going.map(subjectKey));
    const errand = { ...latest, subjects: latest.subjects.filter((subject) => keys.has(subjectKey(subject))) };
    if (going.length > 0 && errand.subjects.length === 0) {
      stay('The rows that were confirmed are gone.');
      return;
    }
    const sent = copies.latest();
    setOver(undefined);
    setSending(true);
    const done = await carryOut(deck, errand);
    setSending(false);
    const failed = done.find(({ error }) => error);
    const left = done.filter(({ failure }) => failure !== undefined);
    const isPartly = left.length > 0 && left.length < done.length;
    // The form for the rows that are left begins with what was typed.
    if (isPartly) copies.keepFor(left.map(({ target }) => target.params));
    if (!failed?.error || isPartly) {
      // Text that was typed meanwhile, into the same form opened again, is another draft.
      copies.forget(sent);
      navigation.dismiss(overlay);
      return;
    }
    const { errors, message, status } = failed.error;
    // A refusal to the token is told with the scope that it takes.
    const list = errors.length > 0 && status !== 403 ? errors : [{ reason: message }];
    const said = list.map(({ field = '', reason }) => ({ field, says: reason }));
    setRefused(said);
    if (subjects.length <= 1) sayUnseen(deck, overlay, action, failed);
    focusOn(said[0]?.field);
  }

  return {
    errand,
    refused,
    forgetRefusal: (isMeant) => {
      setRefused(refused.filter((complaint) => !isMeant(complaint)));
      setSaid(undefined);
    },
    said,
    reading,
    isUnderWay: reading || sending,
    sending,
    send: () => void alone(send),
    previewing: over === 'preview',
    preview: (shown) => {
      if (shown) void alone(preview);
      else setOver(undefined);
    },
    confirming: over === 'question',
    agree: (going) => void alone(async () => (await isCurrent()) && (await dispatch(going))),
    disagree: () => setOver(undefined),
    conflicts,
    deciding: over === 'conflicts' && conflicts.length > 0,
    decide: (choices) => {
      setOver(undefined);
      if (!choices) return;
      copies.keep(decided(copies.latest(), copies.now, choices));
      void alone(wanted.current === 'preview' ? preview : send);
    },
  };
}

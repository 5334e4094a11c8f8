import { useMemo, useRef, useState } from 'react';
import { draftOf, type FormField, formFields, isBlank } from '../../resources/body.ts';
import type { Action, Complaint, Draft, Entry, Params, Resource, Row } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import type { Deck } from '../../store/deck.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { keyOf } from '../../store/records.ts';
import { type Subject, sentence } from '../actions.ts';
import { useDeck, useNavigation } from '../useDeck.ts';
import { carryOut, type Errand, sayUnseen } from './submit.ts';
import { useFileChecks } from './useFileChecks.ts';
import { besideOf, useReferredRows } from './useWholeRows.ts';

/** A form while it is filled in. */
export interface Form {
  errand: Errand;
  fields: readonly FormField[];
  /** What is wrong, by field; the API's own words once it has refused. */
  complaints: ReadonlyMap<string, string>;
  /** What the API refused that belongs to no field. */
  refusal?: string;
  focus: number;
  setFocus: (index: number) => void;
  set: (name: string, entry: Entry) => void;
  /** Whether what was entered in a field is known to be right. */
  isGood: (field: FormField) => boolean;
  sending: boolean;
  /** It is part of a dialog, which sends it. */
  isPart: boolean;
  send: () => void;
  /** Shows what is wrong, as an attempt to send it does; answers whether nothing is. */
  attempt: () => boolean;
  /** The question whether it is meant is being asked. */
  confirming: boolean;
  /** Answers that question. */
  confirm: (meant: boolean) => void;
  /** Forgets what was typed. */
  startOver: () => void;
}

const nothingRefused: readonly Complaint[] = [];

/** The key under which what is typed into a form is kept. */
const draftKey = ({ resource, action, targets, params, start = {}, into }: FormOverlay) => {
  const about = targets.length > 0 ? [...targets, ...(into ? [start] : [])] : { ...params, ...start };
  return `${resource}.${action}:${JSON.stringify(about)}`;
};

/** The state of a form: its draft outlives it until it is sent. */
export function useForm(overlay: FormOverlay, resource: Resource, action: Action, subjects: readonly Subject[]): Form {
  const deck = useDeck();
  const { navigation, known } = deck;
  const key = draftKey(overlay);
  const row = subjects.length === 1 ? subjects[0]?.row : undefined;
  const params: Params = subjects[0]?.params ?? overlay.params;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form starts from what was known when it was opened
  const base = useMemo(() => startOf(action, resource, subjects, overlay, deck), [key]);
  const kept = useNavigation(({ drafts }) => drafts[key]);
  const draft = kept ?? base;
  const [focus, setFocus] = useState(0);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [attempted, setAttempted] = useState(false);
  const [sending, setSending] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const refused = useNavigation(({ refusals }) => refusals[key]) ?? nothingRefused;
  const setRefused = (complaints: readonly Complaint[]) => navigation.keepRefusal(key, complaints);

  const fields = formFields(resource, action, draft, row, known);
  useReferredRows(fields, draft);
  const errand: Errand = { resource, action, subjects, params: overlay.params, draft };
  const ours = complaintsOf(resource, action, draft, known, row, params);
  const files = useFileChecks(fields, draft);
  const looking = useRef(false);
  const theirs = refused.flatMap(({ field, says }) => {
    const name = fieldFor(fields, field);
    return name === undefined ? [] : [[name, says] as const];
  });
  const visible = ours.filter(({ field }) => attempted || touched.has(field));
  const complaints = new Map([
    ...unfinished(files.complaints),
    ...visible.map(({ field, says }) => [field, says] as const),
    ...theirs,
  ]);
  const homeless = refused.filter(({ field }) => fieldFor(fields, field) === undefined);

  /** What is wrong with files, but for a path that is still being typed. */
  function unfinished(found: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
    return [...found].filter(([name]) => attempted || fields[focus]?.name !== name);
  }

  const focusOn = (name: string | undefined) => {
    const index = fields.findIndex((field) => field.name === name);
    if (index >= 0) setFocus(index);
  };

  async function send(): Promise<void> {
    if (sending) return;
    setAttempted(true);
    setRefused([]);
    if (looking.current) return;
    looking.current = true;
    const found = await files.check();
    looking.current = false;
    const troubles = [...ours.map(({ field }) => field), ...found.keys()];
    if (troubles.length > 0) {
      focusOn(troubles[0]);
      return;
    }
    if (overlay.into) handOver(overlay.into);
    else if (action.danger || action.confirm || action.asks?.(draft) || deck.settings.critical) setConfirming(true);
    else await dispatch();
  }

  function handOver(take: (draft: Draft) => void): void {
    navigation.keepDraft(key, undefined);
    navigation.dismiss(overlay);
    take(draft);
  }

  async function dispatch(): Promise<void> {
    setConfirming(false);
    setSending(true);
    const done = await carryOut(deck, errand);
    setSending(false);
    const failed = done.find(({ error }) => error);
    const left = done.filter(({ failure }) => failure !== undefined);
    if (left.length > 0 && left.length < done.length) {
      // The form for the rows that are left begins with what was typed.
      navigation.keepDraft(draftKey({ ...overlay, targets: left.map(({ target }) => target.params) }), draft);
    }
    if (!failed?.error || left.length < done.length) {
      // What was typed meanwhile, into the same form opened again, is another one.
      if (navigation.getState().drafts[key] === kept) navigation.keepDraft(key, undefined);
      navigation.dismiss(overlay);
      return;
    }
    const { errors, message, status } = failed.error;
    // What the token may not do is told with the scope that it takes.
    const list = errors.length > 0 && status !== 403 ? errors : [{ reason: message }];
    const said = list.map(({ field = '', reason }) => ({ field, says: reason }));
    setRefused(said);
    if (subjects.length <= 1) sayUnseen(deck, overlay, action, failed);
    focusOn(fieldFor(fields, said[0]?.field ?? ''));
  }

  return {
    errand,
    fields,
    complaints,
    refusal:
      homeless.length > 0
        ? homeless.map(({ field, says }) => sentence(field ? `${field}: ${says}` : says)).join(' ')
        : undefined,
    focus: Math.min(focus, fields.length - 1),
    setFocus,
    isGood: ({ name, field }) =>
      touched.has(name) &&
      !complaints.has(name) &&
      !isBlank(draft[name]) &&
      (field.kind !== 'file' || files.isGood(name)),
    sending,
    isPart: overlay.into !== undefined,
    set: (name, entry) => {
      setTouched(new Set([...touched, name]));
      setRefused(refused.filter(({ field }) => fieldFor(fields, field) !== name));
      navigation.keepDraft(key, { ...draft, [name]: entry });
    },
    send: () => void send(),
    attempt: () => {
      setAttempted(true);
      focusOn(ours[0]?.field);
      return ours.length === 0;
    },
    confirming,
    confirm: (meant) => {
      if (meant) void dispatch();
      else setConfirming(false);
    },
    startOver: () => {
      navigation.keepDraft(key, undefined);
      setTouched(new Set());
      setAttempted(false);
      setRefused([]);
      setFocus(0);
    },
  };
}

/** What a form holds at first: what its opener knows, else what the action says, else the row's own values. */
function startOf(
  action: Action,
  resource: Resource,
  subjects: readonly Subject[],
  overlay: FormOverlay,
  deck: Deck,
): Draft {
  const [first] = subjects;
  const params: Params = first?.params ?? overlay.params;
  const own = action.start
    ? action.start(first?.row, deck.known, params)
    : first && subjects.length === 1 && action.method === 'PUT'
      ? draftOf(resource, action, { ...first.row, ...answerBeside(deck, resource, action, params) })
      : {};
  return { ...own, ...overlay.start };
}

/** The answer from which a form starts besides the row; nothing where it could not be read. */
function answerBeside({ records }: Deck, resource: Resource, action: Action, params: Params): Row {
  const beside = besideOf(resource, action, params);
  return ((beside && records.getState().answers[keyOf(beside)]?.body) ?? {}) as Row;
}

/** The form's field for a field that the API names, which may lie deeper or higher: `devices.sda.disk_id` is `devices.sda`. */
function fieldFor(fields: readonly FormField[], named: string): string | undefined {
  const within = (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}.`);
  return fields.find(({ name }) => named !== '' && (within(name, named) || within(named, name)))?.name;
}

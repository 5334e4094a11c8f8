import { redacted, redaction } from '../../api/redact.ts';
import { askOf } from '../../resources/asking.ts';
import { draftOf, isPatch, startOf } from '../../resources/body.ts';
import { idIn } from '../../resources/identity.ts';
import { creationsOf } from '../../resources/index.ts';
import { at, type CacheView, type Draft, emptyView, isRow, type Row, viewWith } from '../../resources/row.ts';
import { deedOn } from '../../resources/wording.ts';
import { type Change, cachedRow } from '../changes/change.ts';
import { tokenOf, withReferences } from '../changes/references.ts';
import { isSame } from '../rows.ts';
import { asPlanned, stepLines } from './fieldWords.ts';
import { keyOf, whereWords } from './names.ts';
import { isInDoubt, needsOf, type PlanStep, stepNumber, stepsBefore, wasAnswered } from './plan.ts';
import { heldRows } from './stale.ts';
import { sketchOf } from './stepChange.ts';
import { type Around, fieldAt, leavesOfStep, namedRow } from './stepFields.ts';
import { waitText } from './tempo.ts';

/** A field that a step sends, for programs: as it was and as it is sent, without secrets. */
export interface FieldFact {
  /** Its dotted path in the body. */
  name: string;
  label: string;
  before?: unknown;
  after: unknown;
  /** It is a secret: left out, or in the step as it is. */
  secret?: 'left out' | 'plain';
}

/** A step in words, the same wherever it is told. */
export type StepWords = ReturnType<typeof wordsOf>;

/** The change of a step with its row and its form, as far as they are known. */
export interface StepSubject {
  change: Change;
  /** As it is loaded, or was before a step that was sent, else as it was planned; undefined where one is made. */
  row: Row | undefined;
  /** The entries of its form. */
  entered: Draft;
  /** The whole form. */
  draft: Draft;
  view: CacheView;
}

/** Whether a change is done to a row that there is. */
export const isOfRow = ({ resource, action, params }: Change): boolean =>
  idIn(resource, params) !== undefined && !creationsOf(resource).includes(action);

/** The change of a step with what is known of its row, or why this version does not know it. */
export function subjectOf(step: PlanStep, { view, ...plan }: Around): StepSubject | { why: string } {
  const change = sketchOf(step);
  if ('why' in change) return change;
  const { resource, action, params, body, before } = change;
  const seen = view ?? viewWith(emptyView, heldRows(step.record));
  const now = isOfRow(change) ? (cachedRow(seen, resource, params) ?? before) : undefined;
  const isSent = wasAnswered(step) || isInDoubt(step);
  const row = now && isSent ? { ...now, ...asPlanned(change, plan, step).before } : now;
  const entered: Draft = step.entries ?? (isRow(body) ? draftOf(resource, action, withReferences(body, tokenOf)) : {});
  const draft = row && isPatch(action) ? { ...startOf(resource, action, row, seen, params), ...entered } : entered;
  return { change, row, entered, draft, view: seen };
}

/** A step in words, or why this version does not know it. */
export function stepWords(step: PlanStep, around: Around): StepWords | { why: string } {
  const subject = subjectOf(step, around);
  return 'why' in subject ? subject : wordsOf(step, subject, around);
}

/** The words of a step whose subject is known. */
export function wordsOf(step: PlanStep, subject: StepSubject, around: Around) {
  const { change, view } = subject;
  const { resource, action, label } = change;
  const told = { ...around, view };
  const twin = twinOf(step, around.steps);
  const awaited = around.steps.find(({ uid }) => uid === step.after);
  const fields = fieldsOf(change);
  const own = namedRow(resource, change.params);
  return {
    /** The action and its row: `Edit A www`. */
    title: deedOn(resource, action, label),
    /** Its row as it is addressed: `servers/12`; absent where one is made. */
    ...(own && { address: keyOf(own) }),
    /** The row that this lies in: `in zone alpha.example`; empty where there is none. */
    where: whereWords(step.record, resource, told),
    lines: stepLines(step, change, told),
    /** Sentences about what is lost by it, and what goes along. */
    losses: lossesOf(subject, around.view !== undefined),
    /** Tells as a sentence for what it waits. */
    wait: waitText(step, awaited && stepNumber(around, awaited.id)),
    /** The number of an earlier step that does the same. */
    ...(twin && { twin: stepNumber(around, twin.id) }),
    fields,
    /** The ids of the steps whose rows it needs. */
    needs: needsOf(step),
    /** The labels of its fields whose secret was left out. */
    secrets: fields.filter(({ secret }) => secret === 'left out').map((one) => one.label),
    /** The labels of those whose secret is in it. */
    plainSecrets: fields.filter(({ secret }) => secret === 'plain').map((one) => one.label),
  };
}

/** The action, its row and where that lies, on one line: `Edit A www in zone alpha.example`. */
export const headingOf = ({ title, where }: Pick<StepWords, 'title' | 'where'>): string =>
  title.endsWith(where) ? title : `${title} ${where}`;

/** A line about a step: a field, what is lost by it, or what is to be noted. */
export interface ToldLine {
  kind: 'field' | 'loss' | 'note';
  text: string;
}

/** For what several steps wait alike, as a sentence about each; undefined where they differ. */
export function sharedWait([first, ...others]: readonly Pick<StepWords, 'wait'>[]): string | undefined {
  const isShared = others.length > 0 && others.every(({ wait }) => wait === first?.wait);
  return isShared && first?.wait?.startsWith('Then ') ? first.wait.replace('Then', 'Each step then') : undefined;
}

/** All that is said of a step below its heading, but for what is said of all of them together. */
export const toldLines = ({ lines, losses, wait, twin }: StepWords, shared?: string): readonly ToldLine[] => [
  ...lines.map(({ label, text }) => ({ kind: 'field', text: `${label}: ${text}` }) as const),
  ...losses.map((text) => ({ kind: 'loss', text }) as const),
  ...(wait === undefined || shared ? [] : [{ kind: 'field', text: wait } as const]),
  ...(twin === undefined ? [] : [{ kind: 'note', text: `Step ${twin} does the same.` } as const]),
];

/** The first earlier step that does the same to the same row. */
export function twinOf({ id, record }: PlanStep, steps: readonly PlanStep[]): PlanStep | undefined {
  const deedOf = (of: PlanStep['record']) => [of.resource, of.action, of.params, of.body, of.changes];
  return stepsBefore(steps, id).find((one) => isSame(deedOf(one.record), deedOf(record)));
}

/** The sentences of a change's question about what is lost. Without an account a rule that looks at other lists is not asked, unless the step knows them. */
function lossesOf({ change, row, draft, view }: StepSubject, isAsked: boolean): readonly string[] {
  const { resource, action, params } = change;
  const { warning } = askOf(action);
  const isDeletion = action === resource.remove;
  // The part of a row that an edit keeps may lack what is said.
  if (!row || (!isAsked && !isDeletion && (action.method === 'PUT' || action.reads !== undefined))) return [];
  const said = typeof warning === 'function' ? warning(row, view, draft, params) : warning;
  const losses = said ? [said] : [];
  const isFinal = isDeletion && typeof action.inverse === 'string' && !/cannot be|never/.test(said ?? '');
  return isFinal ? [...losses, 'This cannot be undone.'] : losses;
}

function fieldsOf(change: Change): readonly FieldFact[] {
  const { before } = change;
  const was: unknown = before && redacted(before);
  return leavesOfStep(change).map(([name, after]) => {
    const old = at(was, name);
    const { label = name } = fieldAt(change, name) ?? {};
    return {
      name,
      label,
      ...(old !== undefined && { before: old }),
      after,
      ...(after === redaction && { secret: at(change.body, name) === redaction ? 'left out' : 'plain' }),
    };
  });
}

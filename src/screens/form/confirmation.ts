import { askOf } from '../../resources/asking.ts';
import { idOf, isNameless } from '../../resources/identity.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import type { CacheView, Resource, Row, Said } from '../../resources/resource.ts';
import { changesFor, type Submission, type Target } from '../../store/changes/change.ts';
import { fieldRefusal, ownRefusal } from '../../store/changes/ownEntries.ts';
import { subjectsOf } from '../../store/guards/subjects.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, widthOf } from '../../text/cells.ts';

/** Whether a change must be confirmed before it is sent: of several rows it is seen which, and chosen how. */
export const needsConfirmation = (
  { settings, view, guards }: Pick<Stores, 'settings' | 'view' | 'guards'>,
  submission: Submission,
): boolean =>
  (!submission.action.harmless && (settings.critical || submission.targets.length > 1)) ||
  questionsOf(submission, view).length > 0 ||
  guards.asks(() => subjectsOf(submission, view)).length > 0;

/** The confirmation of a change; several rows share one sentence where the action has one. `isDanger`: something is lost or stops. */
export function confirmationOf(submission: Submission, view: CacheView) {
  const { resource, action, targets, draft } = submission;
  const questions = questionsOf(submission, view);
  const rows = targets.map(({ row }) => row);
  const { together } = askOf(action);
  const each = [...new Set(questions.map(({ text }) => text))];
  const isMany = targets.length > 1;
  // For a new row the title and the request say enough.
  const plain = targets.length > 0 ? `${action.help}: ${rows.map(resource.label).join(', ')}.` : '';
  const joint = typeof together === 'function' ? together(rows, view, draft) : together;
  const said = each.length === 0 ? [isMany ? '' : plain, formNote(submission, view)] : isMany && joint ? [joint] : each;
  return { sentences: said.flatMap((text) => text || []), isDanger: questions.some(({ isDanger }) => isDanger) };
}

/** The warnings and questions for each row; empty if the change is sent at once. */
function questionsOf(submission: Submission, view: CacheView): readonly { text: string; isDanger: boolean }[] {
  const { warning, question } = askOf(submission.action);
  const others = sentencesFor(question, submission, view);
  return sentencesFor(warning, submission, view).flatMap((loss, index) => {
    const text = loss || others[index];
    return text ? [{ text, isDanger: Boolean(loss) }] : [];
  });
}

/** The note of an action, shown in its form and its confirmation; nothing where it is not the same for all rows. */
export function formNote(submission: Submission, view: CacheView): string | undefined {
  const { note } = askOf(submission.action);
  // Of more than a few rows it takes too long to be compared on every key.
  const isUntold = typeof note === 'function' && submission.targets.length > 20;
  const [first, ...others] = isUntold ? [] : sentencesFor(note, submission, view);
  return others.every((other) => other === first) ? first : undefined;
}

/** One sentence for each row, or one for a new row. */
function sentencesFor(said: Said<Row> | undefined, { targets, params, draft }: Submission, view: CacheView) {
  const of: readonly Target[] = targets.length > 0 ? targets : [{ row: {}, params }];
  return of.map(({ row, params, own }) =>
    typeof said === 'function' ? said(row, view, own ? { ...draft, ...own.mine } : draft, params) : said,
  );
}

/** A chosen row that the action leaves alone. */
export interface SkippedRow {
  label: string;
  /** The end of a sentence that begins with the row. */
  reason: string;
  /** The reason in a few words without names; rows are counted by it. */
  kind: string;
}

/** The chosen rows, split by whether the change applies to them. */
export type Partition = ReturnType<typeof partitionTargets>;

/** Identifies a target by its path parameters. */
export const targetKey = ({ params }: Target): string => JSON.stringify(params);

/** Those of these rows that are among others. */
export function among(targets: readonly Target[], others: readonly Target[]): readonly Target[] {
  const keys = new Set(others.map(targetKey));
  return targets.filter((target) => keys.has(targetKey(target)));
}

/**
 * Splits the chosen rows. Only rows that were eligible when the confirmation opened are included: one that became
 * eligible later is reported, not added.
 * @param chosen the rows as they were when the confirmation opened
 * @param present those that still exist, as they are now
 * @param eligible the keys of the rows that were eligible then
 */
export function partitionTargets(
  submission: ResourceAction & Partial<Submission>,
  chosen: readonly Target[],
  present: readonly Target[],
  eligible: ReadonlySet<string>,
  { view, guards }: Pick<Stores, 'view' | 'guards'>,
) {
  const { resource, action } = submission;
  const of = { resource, action: { ...action, staysOut: undefined } };
  const byKey = new Map(present.map((target) => [targetKey(target), target]));
  const included: Target[] = [];
  const skipped: SkippedRow[] = [];
  for (const before of chosen) {
    const target = byKey.get(targetKey(before));
    const label = resource.label((target ?? before).row);
    const refusal = target && action.refuse?.(target.row, view);
    const own = target && { ...target, own: before.own };
    const stays =
      own && (ownRefusal(resource, action, own, view) ?? fieldRefusal({ ...submission, targets: chosen }, own, view));
    const alone = { ...{ params: {}, draft: {} }, ...submission, targets: own ? [own] : [] };
    const [made] = action.next !== undefined && own ? changesFor(alone, view) : [];
    const guarded =
      (target && guards.refusal(resource, action, target.params, target.row)) ??
      (made && guards.refusal(made.resource, made.action, made.params, undefined, made.body));
    if (!target) skipped.push({ label, reason: 'it is gone', kind: 'gone meanwhile' });
    else if (refusal)
      skipped.push({ label, reason: refusal, kind: refusalKind(refusal, { resource, action }, target) });
    else if (guarded) skipped.push({ label, reason: guarded, kind: 'guarded' });
    else if (stays) skipped.push({ label, reason: stays, kind: refusalKind(stays.replace(/,.*/, ''), of, own) });
    else if (eligible.has(targetKey(before))) included.push({ ...target, ...(before.own && { own: before.own }) });
    else
      skipped.push({
        label,
        reason: 'it became possible only after this was asked; cancel and ask again',
        kind: 'possible only now',
      });
  }
  return { included, skipped };
}

/** A refusal without the name of the row, so that the same reason is counted once. */
function refusalKind(refusal: string, { resource, action }: ResourceAction, { row }: Target): string {
  if (isNameless(row)) return 'without an id';
  if (action.staysOut) return action.staysOut;
  const names = [resource.label(row), idOf(resource, row)].filter((name) => name !== '');
  const bare = names.reduce((text, name) => text.replace(name, '…'), refusal);
  const [short = bare] = (bare.startsWith('… ') ? bare.slice(2) : bare).split(';');
  return short;
}

/** Why one row is skipped; names the row once. */
export const skipReason = ({ label, reason }: SkippedRow): string =>
  reason.includes(label) ? reason : `${label}: ${reason}`;

/** `20 skipped: attached to a server (20)`; the reasons counted, the most frequent first. */
export function skippedSummary(skipped: readonly SkippedRow[]): string {
  const kinds = [...Map.groupBy(skipped, ({ kind }) => kind)].map(([kind, rows]) => [kind, rows.length] as const);
  const counts = kinds.sort(([, one], [, other]) => other - one).map(([kind, count]) => `${kind} (${count})`);
  return `${skipped.length} skipped: ${counts.join(', ')}`;
}

/**
 * The text to type: the label of one row, or its id if the label cannot be typed; for several rows their count.
 * @param width of the line that asks for it, in cells
 */
export function confirmPhrase(resource: Resource, targets: readonly Target[], width: number): string {
  const [first, ...others] = targets;
  if (others.length > 0) return `${targets.length} ${resource.many.toLowerCase()}`;
  const names = first ? [resource.label(first.row), idOf(resource, first.row)] : [];
  return names.find((name) => isTypable(name, width - asking.length)) ?? resource.one;
}

/** The words around the phrase; both must fit on one line. */
const asking = '  Type  to confirm';

/** Whether the phrase is the id of the only row and not its label. */
export const isIdOf = (phrase: string, resource: Resource, [only, ...others]: readonly Target[]): boolean =>
  only !== undefined &&
  others.length === 0 &&
  phrase !== resource.label(only.row) &&
  phrase === idOf(resource, only.row);

/** Whether a text fits into `room` cells and can be typed exactly as it is shown. */
const isTypable = (text: string, room: number): boolean =>
  text !== '' && text.trim() === text && clean(text) === text && widthOf(text) <= room;

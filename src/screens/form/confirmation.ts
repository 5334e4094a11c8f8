import { askOf } from '../../resources/asking.ts';
import { isNameless } from '../../resources/identity.ts';
import type { CacheView, Row, Said } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import type { Submission, Target } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';

/** Whether a change is asked about before it is sent. */
export const needsConfirmation = (
  { settings, view }: Pick<Stores, 'settings' | 'view'>,
  submission: Submission,
): boolean => settings.critical || questionsOf(submission, view).length > 0;

/** Said before a change is sent; it tells whether something is lost by it or stops. */
export interface Confirmation {
  sentences: readonly string[];
  isDanger: boolean;
}

/** The question about these rows, or about what is made; several rows are spoken of together. */
export function confirmationOf(submission: Submission, view: CacheView): Confirmation {
  const { resource, action, targets, draft } = submission;
  const questions = questionsOf(submission, view);
  const rows = targets.map(({ row }) => row);
  const { together } = askOf(action);
  const each = [...new Set(questions.map(({ text }) => text))];
  const isMany = targets.length > 1;
  // Of what is made the title and what is sent say enough.
  const plain = targets.length > 0 ? `${action.help}: ${rows.map(resource.label).join(', ')}.` : '';
  const joint = typeof together === 'function' ? together(rows, view, draft) : together;
  const said = isMany && joint && each.length > 0 ? [joint] : each.length > 0 ? each : isMany ? [] : [plain];
  return {
    sentences: (each.length > 0 ? said : [...said, formNote(submission, view) ?? '']).filter(Boolean),
    isDanger: questions.some(({ isDanger }) => isDanger),
  };
}

/** The questions that a change calls for, row by row; none where it is sent without. */
function questionsOf(submission: Submission, view: CacheView): readonly { text: string; isDanger: boolean }[] {
  const { warning, question } = askOf(submission.action);
  const others = sentencesFor(question, submission, view);
  return sentencesFor(warning, submission, view).flatMap((loss, index) => {
    const text = loss || others[index];
    return text ? [{ text, isDanger: Boolean(loss) }] : [];
  });
}

/** The sentence of an action that is said in its form, and with its question. */
export const formNote = (submission: Submission, view: CacheView): string | undefined =>
  sentencesFor(askOf(submission.action).note, { ...submission, targets: submission.targets.slice(0, 1) }, view)[0];

/** The sentence about each row, or about a new one. */
function sentencesFor(said: Said<Row> | undefined, { targets, params, draft }: Submission, view: CacheView) {
  const of = targets.length > 0 ? targets : [{ row: {}, params }];
  return of.map(({ row, params }) => (typeof said === 'function' ? said(row, view, draft, params) : said));
}

/** A row to which an action is not done, although it was chosen. */
export interface SkippedRow {
  label: string;
  /** Why, as the end of a sentence that begins with the row. */
  reason: string;
  /** The same in a few words without names, by which the rows are counted. */
  kind: string;
}

/** Which of the chosen rows a change is done to. */
export interface Partition {
  included: readonly Target[];
  skipped: readonly SkippedRow[];
}

/** The key of a row among those that were chosen. */
export const targetKey = ({ params }: Target): string => JSON.stringify(params);

/**
 * Parts the chosen rows into those that an action is done to and those that stay out. Only rows that could go when the
 * question was put go at all: one that became able since then is told, not added.
 * @param chosen the rows as they were when the question was put
 * @param now those of them that are still there, as they are now
 * @param couldGo the keys of those that could go then
 */
export function partitionTargets(
  { resource, action }: Pick<Submission, 'resource' | 'action'>,
  chosen: readonly Target[],
  now: readonly Target[],
  couldGo: ReadonlySet<string>,
  view: CacheView,
): Partition {
  const present = new Map(now.map((target) => [targetKey(target), target]));
  const included: Target[] = [];
  const skipped: SkippedRow[] = [];
  for (const before of chosen) {
    const target = present.get(targetKey(before));
    const label = resource.label((target ?? before).row);
    const refusal = target && action.refuse?.(target.row, view);
    if (!target) skipped.push({ label, reason: 'it is gone', kind: 'gone meanwhile' });
    else if (refusal)
      skipped.push({ label, reason: refusal, kind: refusalKind(refusal, { resource, action }, target) });
    else if (couldGo.has(targetKey(before))) included.push(target);
    else
      skipped.push({
        label,
        reason: 'it could go now, but could not when this was asked; ask again',
        kind: 'able only now',
      });
  }
  return { included, skipped };
}

/** A refusal without what the row is called, so that those of rows alike are the same. */
function refusalKind(
  refusal: string,
  { resource, action }: Pick<Submission, 'resource' | 'action'>,
  { row }: Target,
): string {
  if (isNameless(row)) return 'without an id';
  if (action.staysOut) return action.staysOut;
  const names = [resource.label(row), idOf(resource, row)].filter((name) => name !== '');
  const bare = names.reduce((text, name) => text.replace(name, '…'), refusal);
  const [short = bare] = (bare.startsWith('… ') ? bare.slice(2) : bare).split(';');
  return short;
}

/** Why one row stays out; its name is said once. */
export const skipReason = ({ label, reason }: SkippedRow): string =>
  reason.includes(label) ? reason : `${label}: ${reason}`;

/** `20 stay out: attached to a server (20)`; the reasons counted, the commonest first. */
export function skippedSummary(skipped: readonly SkippedRow[]): string {
  const kinds = [...Map.groupBy(skipped, ({ kind }) => kind)].map(([kind, rows]) => [kind, rows.length] as const);
  const counts = kinds.sort(([, one], [, other]) => other - one).map(([kind, count]) => `${kind} (${count})`);
  return `${skipped.length} ${skipped.length === 1 ? 'stays' : 'stay'} out: ${counts.join(', ')}`;
}

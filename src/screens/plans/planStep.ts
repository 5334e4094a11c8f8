import { costOf as costWords } from '../../resources/asking.ts';
import { draftOf, isFieldOfRow, isPatch, startOf } from '../../resources/body.ts';
import { idIn } from '../../resources/identity.ts';
import { creationsOf, resourceNamed } from '../../resources/index.ts';
import { type Action, at, type Draft, type Field, type Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { actionOn, secondsWords } from '../../resources/wording.ts';
import { type Change, cachedRow, type Submission } from '../../store/changes/change.ts';
import { subjectsOf } from '../../store/guards/subjects.ts';
import { isInDoubt, isReference, type PlanStep } from '../../store/plans/plan.ts';
import { openSteps } from '../../store/plans/plans.ts';
import { leavesOf, staleText, staleValues } from '../../store/plans/stale.ts';
import { isRedacted, sketchOf, withoutSecrets } from '../../store/plans/stepChange.ts';
import { tokenOf } from '../../store/plans/tokens.ts';
import { isSame } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { displayText } from '../../text/words.ts';

/** A field that a step sends, with what was there. */
export interface StepField {
  label: string;
  before: string;
  after: string;
}

/** The price of a row before and after a step, in US dollars a month; a member is undefined where that is not known. */
export interface StepCost {
  before: number | undefined;
  after: number | undefined;
}

/** A step as it is shown. */
export interface ShownStep {
  step: PlanStep;
  change: Change;
  /** As though it were sent by a form now. */
  submission: Submission;
  /** The entries of its form. */
  entered: Draft;
  /** The action and its row: `Edit web-3`. */
  title: string;
  fields: readonly StepField[];
  /** Undefined where it costs nothing before or after. */
  cost: StepCost | undefined;
  /** Why it would be refused now, as sentences. */
  refusals: readonly string[];
  /** Why its label is typed. */
  asks: readonly string[];
  /** A secret is typed again before it can be carried out. */
  lacksSecret: boolean;
}

/** A step as it is shown, or a sentence why this version does not know it. */
export function shownStep(stores: Stores, step: PlanStep): ShownStep | { step: PlanStep; why: string } {
  const change = sketchOf(step);
  if ('why' in change) return { step, why: change.why };
  const { view, guards } = stores;
  const { resource, action, params, label, body, before } = change;
  const isOne = idIn(resource, params) !== undefined && !creationsOf(resource).includes(action);
  const row = isOne ? (cachedRow(stores, resource, params) ?? before) : undefined;
  const entered: Draft = step.entries ?? (isRow(body) ? draftOf(resource, action, withoutReferences(body)) : {});
  const draft = row && isPatch(action) ? { ...startOf(resource, action, row, view, params), ...entered } : entered;
  const targets = row ? [{ row, params }] : [];
  const submission: Submission = { resource, action, targets, params, draft };
  const refusal = row && refusalOf(stores, step, change, row);
  const guarded = guards.refusal(resource, action, params, row, body);
  const isDone = step.result?.state === 'done';
  return {
    step,
    change,
    submission,
    entered,
    title: actionOn(action, label),
    fields: fieldsOf(stores, change),
    cost: costOf(stores, submission, row),
    refusals: isDone ? [] : [refusal, guarded].filter((why) => why !== undefined),
    asks: isDone ? [] : guards.asks(() => (isOne ? subjectsOf(submission, view) : [change])),
    lacksSecret: isRedacted(body),
  };
}

/** Why a step would be refused by its row as it is now, where nothing before it changes that. */
function refusalOf({ plans, view }: Stores, { id, record, result }: PlanStep, change: Change, row: Row) {
  // It may be done, so its row may be as it leaves it.
  if (result && isInDoubt(result)) return undefined;
  const { steps } = plans.getState();
  const earlier = openSteps({
    steps: steps.slice(
      0,
      steps.findIndex((one) => one.id === id),
    ),
  }).filter((one) => one.record.resource === record.resource && isSame(one.record.params, record.params));
  const stale = earlier.length === 0 ? staleIn(change, row) : undefined;
  if (stale !== undefined) return stale;
  const isEdited = earlier.every((one) => {
    const sketch = sketchOf(one);
    return !('why' in sketch) && sketch.action.method === 'PUT';
  });
  return isEdited ? change.action.refuse?.(row, view) : undefined;
}

/** Why a step is refused whose row is no longer as it was planned; a row of a list may lack what is compared. */
function staleIn(change: Change, row: Row): string | undefined {
  const stale = staleValues(change, row).filter(({ now }) => now !== undefined);
  return stale.length > 0 ? staleText(change.resource, stale) : undefined;
}

/** A body with tokens in the place of its references, as forms have them. */
const withoutReferences = (value: Row): Row =>
  Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isReference(one) ? tokenOf(one) : isRow(one) ? withoutReferences(one) : one,
    ]),
  );

/** The fields of the body, whole, without secrets. */
function fieldsOf(stores: Stores, { resource, action, body, before }: Change): readonly StepField[] {
  if (!isRow(body)) return [];
  const all: Readonly<Record<string, Field>> = { ...resource.fields, ...action.fields };
  const was: unknown = before && withoutSecrets(before);
  return leavesOf(withoutSecrets(body) as Row).map(([name, value]) => {
    const field = Object.hasOwn(all, name) ? all[name] : undefined;
    const text = (one: unknown) => {
      const said = valueText(stores, one, field);
      return field?.unit && typeof one === 'number' ? `${said} ${field.unit}` : said;
    };
    const old = isFieldOfRow(action, name) ? at(was, name) : undefined;
    return { label: field?.label ?? name, before: old === undefined ? '' : text(old), after: text(value) };
  });
}

/** A value in words: the row that an id names, or that of the step that makes it. */
function valueText(stores: Stores, value: unknown, field: Field | undefined): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (isRedacted(value)) return 'a secret';
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : value.map((one) => valueText(stores, one, field)).join(', ');
  if (isReference(value)) {
    const { $step, field: path } = value;
    const label = stores.plans.getState().steps.find(({ id }) => id === $step)?.record.label;
    const named = label === undefined ? `step ${$step}` : `step ${$step} (${label})`;
    return path === undefined ? named : `${path} of ${named}`;
  }
  if (isRow(value)) return JSON.stringify(value);
  const seconds = field && secondsWords(field, value);
  if (seconds !== undefined) return seconds;
  const [to] = [field?.kind === 'reference' || field?.kind === 'references' ? (field.to ?? []) : []].flat();
  const row = to === undefined ? undefined : stores.view.row(to, String(value));
  const label = to !== undefined && row ? resourceNamed(to).label(row) : '';
  return label === '' || label === String(value) ? displayText(value) : `${label} (${displayText(value)})`;
}

function costOf({ view }: Stores, { resource, action, draft }: Submission, row: Row | undefined): StepCost | undefined {
  const isRemoved = action === resource.remove;
  const isMade = !row && creationsOf(resource).includes(action);
  const costs = (one: Action | undefined, rows: readonly Row[]) =>
    one && (one.monthly !== undefined || attempt(() => costWords(one, rows, view, draft)) !== undefined);
  // The deletion of what costs something to make saves that, also where the API does not tell how much.
  const isPriced = isRemoved ? resource.monthly || costs(resource.create, []) : costs(action, row ? [row] : []);
  if (!isPriced && !(isMade && resource.monthly)) return undefined;
  return {
    before: row ? attempt(() => resource.monthly?.(row, view)) : isMade ? 0 : undefined,
    after: isRemoved ? 0 : attempt(() => action.monthly?.(row ?? {}, view, draft)),
  };
}

/** A price; none where the description does not know what to do with part of a row. */
function attempt<T>(price: () => T | undefined): T | undefined {
  try {
    return price();
  } catch {
    return undefined;
  }
}

/** The sum that all steps that are not done add to the price of a month; `unknown` counts those whose price is not known. */
export function totalOf(shown: readonly StepCost[]): { sum: number; unknown: number } {
  const known = shown.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [after - before],
  );
  return { sum: known.reduce((sum, by) => sum + by, 0), unknown: shown.length - known.length };
}

/** The rows that a change refers to by their ids, before and after: its type, its region, its server. */
export const referencedBy = ({ resource, action, body, before }: Change): readonly { to: string; id: string }[] => {
  const all: Readonly<Record<string, Field>> = { ...resource.fields, ...action.fields };
  const values = [before, body].flatMap((part) => (isRow(part) ? Object.entries(part) : []));
  return values.flatMap(([name, value]) => {
    const to = Object.hasOwn(all, name) && all[name]?.kind === 'reference' ? all[name].to : undefined;
    const isId = typeof value === 'string' || typeof value === 'number';
    return typeof to === 'string' && isId ? [{ to, id: String(value) }] : [];
  });
};

import { isSecretName, redacted, redactorOf, secretTexts, withoutTokens } from '../../api/redact.ts';
import { type Draft, isRow, isText, isTexts, type Row } from '../../resources/row.ts';
import { isReference, withReferences } from '../changes/references.ts';
import { isInDoubt, type PlanStep, type StepResult, wasAnswered, withoutResult } from './plan.ts';

/** The value under which a step is kept, without secrets; its result is kept apart. */
export function stepValue(step: PlanStep, place: number): unknown {
  const { result: _, uid: __, ...rest } = withoutSecrets(step);
  return withoutNames({ place, ...rest }, step.record.params);
}

/** A value without the secrets that name rows, as the token of a transfer does. */
const withoutNames = <T>(value: T, ...naming: unknown[]): T =>
  secretTexts(naming).length === 0 ? value : JSON.parse(redactorOf(naming)(JSON.stringify(value)));

/** The steps among values that were kept, by identity, in their order; whatever is none is left out. */
export function storedSteps(values: ReadonlyMap<string, unknown>): readonly PlanStep[] {
  const found = [...values].flatMap(([uid, value]) => (isStepValue(value) ? [{ ...value, uid }] : []));
  return numbered(found.sort((one, other) => one.place - other.place).map(({ place: _, ...step }): PlanStep => step));
}

/** Steps with a number each: those that were planned apart, as before their account was known, follow the others. */
export function numbered(sorted: readonly PlanStep[]): readonly PlanStep[] {
  const first = sorted.findIndex(({ id }, index) => sorted.findIndex((one) => one.id === id) < index);
  if (first < 0) return sorted;
  const shift = Math.max(...sorted.slice(0, first).map(({ id }) => id));
  const moved = new Set(sorted.slice(first).map(({ id }) => id));
  return sorted.map((step, index) => (index < first ? step : shifted(step, shift, moved)));
}

/** A step whose number, and those of the steps with these numbers to which it refers, are higher. */
function shifted({ entries: _, ...step }: PlanStep, by: number, moved: ReadonlySet<number>): PlanStep {
  const record = withReferences(step.record, (reference) =>
    moved.has(reference.$step) ? { ...reference, $step: reference.$step + by } : reference,
  );
  return { ...step, id: step.id + by, record };
}

function isStepValue(value: unknown): value is Omit<PlanStep, 'uid'> & { place: number } {
  if (!isRow(value) || !Number.isFinite(value.place) || !Number.isSafeInteger(value.id) || !isRow(value.record))
    return false;
  const { resource, action, label, params, body, changes, before } = value.record;
  const isNamed = [resource, action, label].every((name) => typeof name === 'string');
  const isSoundReference = (one: unknown) => isReference(one) && isText(one.field ?? '');
  const isOf = isRow(params) && Object.values(params).every((one) => typeof one === 'string' || isSoundReference(one));
  const isSent = [body, before, value.entries].every(isRowOrNone) && isRowOrNone(changes) && isIntention(changes);
  const { wait, rolling, after, takesBack } = value;
  const isPaced =
    (after === undefined || isText(after)) &&
    (wait === undefined || isWait(wait)) &&
    (rolling === undefined || isRolling(rolling)) &&
    (takesBack === undefined || (isRow(takesBack) && [takesBack.of, takesBack.title].every(isText)));
  return isNamed && isOf && isSent && isPaced && Object.values(value.entries ?? {}).every(isEntry);
}

const isWait = (value: unknown): boolean =>
  isRow(value) &&
  isText(value.within) &&
  (value.for === undefined || isTexts(value.for)) &&
  [value.meanwhile, value.atATime].every((count) => count === undefined || Number.isSafeInteger(count));

const isRolling = (value: unknown): boolean =>
  isRow(value) &&
  [value.id, value.title, value.of ?? ''].every(isText) &&
  (value.count === undefined || Number.isSafeInteger(value.count));

const isRowOrNone = (value: unknown): value is Row | undefined => value === undefined || isRow(value);

function isIntention({ set, add, remove }: Row = {}): boolean {
  const areLists = (lists: unknown) => isRowOrNone(lists) && Object.values(lists ?? {}).every(Array.isArray);
  return isRowOrNone(set) && areLists(add) && areLists(remove);
}

const isEntry = (entry: unknown): boolean => isText(entry) || typeof entry === 'boolean' || isTexts(entry);

/** A step whose secrets are typed again before it is carried out. */
export const withoutSecrets = ({ entries, record, ...step }: PlanStep): PlanStep => {
  const { body, changes, before } = record;
  return {
    ...step,
    record: {
      ...record,
      ...(body !== undefined && { body: redacted(body) }),
      ...(changes && { changes: redacted(changes) as NonNullable<typeof changes> }),
      ...(before && { before: redacted(before) as NonNullable<typeof before> }),
    },
    ...(entries && { entries: withoutSecretEntries(entries, [body, changes]) }),
  };
};

/** The entries of a form but for its secrets, which may stand under other names as well. */
export function withoutSecretEntries(entries: Draft, body?: unknown): Draft {
  const secrets = secretTexts(body);
  return Object.fromEntries(
    Object.entries(entries).filter(
      ([name, entry]) => !isSecretName(name) && !secrets.some((secret) => String(entry).includes(secret)),
    ),
  );
}

/** The result of a step as it is kept, with the step as it was then. */
interface StoredResult {
  result: StepResult;
  as: string;
}

/** The value under which the result of a step is kept; undefined where it has none. */
export function progressValue(step: PlanStep): StoredResult | undefined {
  const { result, record } = step;
  if (!result) return undefined;
  const said = result.says === undefined ? result : { ...result, says: withoutTokens(result.says) };
  return withoutNames({ result: said, as: textOf(step) }, record.params, result.made);
}

/**
 * Steps with the results that are kept of them. A step that was edited since is not the one that was refused or failed,
 * and is tried anew; one that was done, or of which that is not known, keeps its result.
 * @param values those under which results are kept, by the identities of their steps
 */
export const withProgress = (steps: readonly PlanStep[], values: ReadonlyMap<string, unknown>): readonly PlanStep[] =>
  steps.map((step) => {
    const untried = withoutResult(step);
    if (!values.has(step.uid)) return untried;
    const value = values.get(step.uid);
    if (!isStoredResult(value)) return { ...untried, result: unreadable };
    const { result, as } = value;
    if (as === textOf(step)) return { ...untried, result };
    return wasAnswered({ result }) || isInDoubt({ result })
      ? { ...untried, result: { ...result, isEdited: true } }
      : untried;
  });

/** A result that was damaged says nothing, so nothing is sent. */
const unreadable: StepResult = {
  state: 'unknown',
  at: 0,
  says: 'The record of it is damaged, so it is not known whether it was done: look at its row.',
};

/** The request of a step as a text, without secrets. */
function textOf({ record: { resource, action, params, body, changes } }: PlanStep): string {
  return JSON.stringify(sorted(redacted({ resource, action, params, body, changes })));
}

/** A value with the fields of its objects in one order, which files keep or not. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRow(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

const states: readonly StepResult['state'][] = ['sent', 'unknown', 'begun', 'done', 'failed', 'refused'];

function isStoredResult(value: unknown): value is StoredResult {
  if (!isRow(value) || !isRow(value.result) || !isText(value.as)) return false;
  const { state, at, says, made, since, nodes } = value.result;
  const isTold = states.some((one) => one === state) && Number.isFinite(at) && (says === undefined || isText(says));
  const isMade = made === undefined || (isRow(made) && Object.values(made).every(isText));
  return isTold && isMade && (nodes === undefined || isTexts(nodes)) && (since === undefined || isSince(since));
}

function isSince(value: unknown): boolean {
  if (!isRow(value) || !Number.isFinite(value.at) || !isTexts(value.ids) || !isTexts(value.whole)) return false;
  const { event, sent, user, uid } = value;
  const isSpan = sent === undefined || (isRow(sent) && Number.isFinite(sent.from) && Number.isFinite(sent.to));
  const areNames = [user, uid].every((name) => name === undefined || isText(name));
  return isSpan && areNames && (event === undefined || isText(event) || Number.isFinite(event));
}

import { refusesAll } from '../../api/retryPolicy.ts';
import { isPatch, startOf } from '../../resources/body.ts';
import { type FieldChange, fieldChanges } from '../../resources/edits.ts';
import { idIn } from '../../resources/identity.ts';
import { creationsOf } from '../../resources/index.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import { attempt } from '../../text/errno.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import {
  type Agreed,
  type Change,
  changesFor,
  madeBy,
  type Result,
  recordOf,
  type Submission,
} from '../changes/change.ts';
import { ownRefusal } from '../changes/ownEntries.ts';
import { sendChanges, takenBy } from '../changes/send.ts';
import { refusalFor } from '../changes/submit.ts';
import { foundFor, readTargets, type TakingBack } from '../changes/takeBack.ts';
import {
  described,
  namesOf,
  newKey,
  titleOfSome,
  type Undo,
  type WaysBack,
  wayOn,
  waysAfter,
} from '../changes/undoable.ts';
import { whyForbidden } from '../session.ts';
import type { Stores } from '../stores.ts';
import { waitForJobs } from './ends.ts';
import type { PlanStep, Rolling } from './plan.ts';
import { stepsOf, whyNotPlanned, withNodeSteps } from './planning.ts';
import { runPlan } from './running.ts';
import { waitsAt } from './tempo.ts';

/** One of the changes that take others back, as it would be sent now. */
export interface BackRow extends ResourceAction {
  undo: Undo;
  /** As though it were sent by a form now; without a target where a row is made. */
  submission: Submission;
  /** Absent where nothing can be sent. */
  change?: Change;
  /** The fields that go back, where the row is edited. */
  changes: readonly FieldChange[];
  /** Why it cannot be taken back now, as a clause about the row. */
  why?: string;
  /** One before it is about the same row, so whether it can be is seen when its turn comes. */
  waits?: boolean;
}

/** The changes that take these back, the last first: a later change may need what an earlier one made. */
export function backRows(stores: Stores, undos: readonly Undo[]): readonly BackRow[] {
  const seen = new Set<string>();
  return undos.toReversed().map((undo) => {
    const row = backRow(stores, undo);
    const key = rowKey(row);
    const waits = row.why !== undefined && key !== undefined && seen.has(key);
    if (key !== undefined) seen.add(key);
    return waits ? { ...row, why: undefined, waits } : row;
  });
}

const rowKey = ({ resource, undo: { inverse } }: BackRow): string | undefined => {
  const id = idIn(resource, inverse.params);
  return id === undefined ? undefined : JSON.stringify([resource.name, inverse.params]);
};

function backRow(stores: Stores, undo: Undo): BackRow {
  const { view } = stores;
  const { inverse } = undo;
  const { resource, action } = described(inverse);
  const base = { undo, resource, action, changes: [] };
  const submission: Submission = { resource, action, targets: [], params: inverse.params, draft: {} };
  const forbidden = whyForbidden(stores, action);
  if (creationsOf(resource).includes(action)) {
    const draft = { ...startOf(resource, action, undefined, view, inverse.params), ...inverse.entries };
    const made = { ...submission, draft };
    const [wrong] = complaintsOf(resource, action, draft, view, undefined, inverse.params, undefined);
    const why = forbidden ?? stores.guards.refusal(resource, action, inverse.params, undefined) ?? wrong?.says;
    return { ...base, submission: made, ...(why === undefined && changeIn(stores, made)), why };
  }
  const [target] = foundFor(stores, resource, action, undo);
  if (!target) return { ...base, submission, why: `this ${resource.one} is gone` };
  const found = { ...submission, targets: [target] };
  const why = forbidden ?? refusalFor(stores, resource, action, target) ?? ownRefusal(resource, action, target, view);
  const { row, params, own } = target;
  const changes = own && isPatch(action) ? fieldChanges(resource, action, own, row, view, params) : [];
  return { ...base, submission: found, changes, ...changeIn(stores, found), why };
}

/** The change of a submission; none where the row does not allow it as it is now. */
function changeIn({ view }: Stores, submission: Submission): { change?: Change } {
  const [change] = attempt(() => changesFor(submission, view)) ?? [];
  return change ? { change } : {};
}

/** The changes that take others back, with their rows. */
export const changesOf = (going: readonly BackRow[]) =>
  going.flatMap(({ change, ...row }) => (change ? [{ ...row, change, row: row.submission.targets[0]?.row }] : []));

/**
 * Puts changes that take others back into the plan; returns why they are not in it, as a sentence.
 * @param rolling they are a part of the plan that is carried out by itself, at once
 */
export function planAllBack(
  stores: Stores,
  { title, isRedo }: TakingBack,
  going: readonly BackRow[],
  { tempo, isTyped = false }: Agreed = {},
  rolling?: Rolling,
): string | undefined {
  const able = changesOf(going);
  const waits = waitsAt(tempo, able);
  const own = able.flatMap(({ submission, change, action, row, undo: { of } }, place) =>
    stepsOf(stores, submission, [change], submission.targets).map((step) => ({
      step: { ...step, wait: waits[place], takesBack: { of, title, ...(isRedo && { isRedo }) } },
      action,
      row,
    })),
  );
  const steps = withNodeSteps(stores, tempo, own);
  // Another session may be taking them back in the same way.
  stores.plans.refresh();
  const planned = new Set(stores.plans.getState().steps.map(({ takesBack }) => takesBack?.of));
  const whyNot = ({ action, undo }: BackRow) =>
    whyNotPlanned(action) ?? (planned.has(undo.of) ? 'The plan has it already: :plan shows how far it is.' : undefined);
  const why = going.map(whyNot).find((one) => one !== undefined) ?? stores.plans.add(steps, undefined, rolling);
  if (why === undefined && rolling) void runPlan(stores, isTyped, rolling.id);
  return why;
}

/**
 * Takes changes back, the last first: those by one action a few at a time, all else one after the other, each once the
 * jobs before it have ended where it is refused until then. What cannot be taken back stays to be tried again, with the
 * reason. Says what became of them. Never rejects for a refusal of the API.
 * @param going those that were agreed to
 * @param isTyped a phrase was typed for what is lost
 * @param all those that the title names
 */
export async function takeAllBack(
  stores: Stores,
  { title, isRedo = false }: TakingBack,
  going: readonly BackRow[],
  isTyped: boolean,
  all: readonly Undo[] = Array.from(going, ({ undo }) => undo),
): Promise<ReadonlyMap<Undo, string | undefined>> {
  const left = new Map<Undo, string | undefined>(going.map(({ undo }) => [undo, undefined]));
  const key = newKey();
  let first = 0;
  let ways: WaysBack = { undos: [], lost: [] };
  const taken = new Set<string>();
  const done: PlanStep[] = [];
  const rows = backRows(stores, going.map(({ undo }) => undo).reverse());
  for (const group of groupsOf(rows)) {
    const { resource, action } = group[0] as BackRow;
    const ready = await readyRows(stores, group, done);
    const able = ready.filter(({ change, why }) => change && why === undefined);
    for (const { undo, why = 'it cannot be sent as it is now' } of ready)
      left.set(undo, able.some((one) => one.undo === undo) ? undefined : why);
    const changes = able.flatMap(({ change, undo }) =>
      change ? { ...change, takesBack: { of: undo.of, title, isRedo } } : [],
    );
    if (changes.length === 0) continue;
    // All that one question asks about is one for guards, in however many parts it is sent.
    const others = rows.flatMap((row) => (row.change && !group.includes(row) ? row.change : []));
    const part = { key, first };
    first += changes.length;
    const together = [...others, ...changes];
    const { results, level } = await sendChanges(stores, { resource, action }, changes, { isTyped, together, part });
    for (const of of takenBy(changes, results)) taken.add(of);
    for (const [index, row] of able.entries()) {
      const result = results[index];
      ways = waysAfter(ways, changes[index] as Change, result, index > 0 ? undefined : level);
      if (result?.state === 'done') {
        left.delete(row.undo);
        done.push(stepOf(changes[index] as Change, result));
      } else left.set(row.undo, result?.says);
    }
    if (results.some(({ error }) => error && refusesAll(error))) break;
  }
  const { undos, lost } = ways;
  const why = undos.length === 0 ? { why: lost[0]?.why ?? 'Nothing of it was done.' } : {};
  const titled = (some: readonly Undo[]) => titleOfSome(title, namesOf(all).size, namesOf(some).size);
  stores.changes.keep({ key, title: titled(undos), isBack: !isRedo, undos, lost, ...why }, taken);
  if (left.size > 0) {
    const undos = going.flatMap(({ undo }) => (left.has(undo) ? [{ ...undo, says: left.get(undo) }] : [])).reverse();
    const again = { key: newKey(), title: titled(undos), ...(isRedo && { isBack: true }), undos, lost: [] };
    stores.changes.keep(again, new Set(undos.map(({ of }) => of)));
  }
  sayTaken(stores, { title, isRedo }, { count: going.length, left: left.size, undos: undos.length });
  return left;
}

/** Says how many were done; those that failed are what the key asks about next. */
function sayTaken({ notices }: Stores, { title, isRedo }: TakingBack, of: Record<'count' | 'left' | 'undos', number>) {
  const { count, left, undos } = of;
  const [what, key] = isRedo
    ? ['Do again', keyLabel('everywhere.redo', 'U')]
    : ['Take back', keyLabel('everywhere.takeBack', 'u')];
  const next = undos > 0 ? `; ${wayOn(!isRedo, undos === count ? 'them' : `${undos} of them`)}` : '';
  if (left > 0) notices.say('bad', `${what}: ${count - left} of ${count} done: ${title}; ${key} opens what is left.`);
  else notices.say('good', `${what}: all ${count} done: ${title}${next}.`);
}

/** The rows as they are now; those that are refused while a job before them is going on are looked at once it has ended. */
async function readyRows(stores: Stores, group: readonly BackRow[], done: readonly PlanStep[]) {
  const { resource, action } = group[0] as BackRow;
  const undos = group.map(({ undo }) => undo);
  const read = async (): Promise<readonly BackRow[]> => {
    const failure = await readTargets(stores, resource, action, undos);
    const why = failure && `its state could not be read: ${failure.message}`;
    return undos.map((undo) => ({ ...backRow(stores, undo), ...(why && { why }) }));
  };
  const rows = await read();
  if (done.length === 0 || rows.every(({ why }) => why === undefined)) return rows;
  await waitForJobs(stores, done);
  return await read();
}

/** Neighbours by one action about different rows, which may be sent together. */
function groupsOf(rows: readonly BackRow[]): readonly (readonly BackRow[])[] {
  const groups: Map<unknown, BackRow>[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const key = rowKey(row) ?? row;
    const [first] = group?.values() ?? [];
    if (first?.action === row.action && !group?.has(key)) group?.set(key, row);
    else groups.push(new Map<unknown, BackRow>([[key, row]]));
  }
  return groups.map((group) => [...group.values()]);
}

/** A change that was done, as one that later ones wait for. */
const stepOf = (change: Change, { row }: Result): PlanStep => ({
  id: 0,
  uid: '',
  record: recordOf(change),
  result: { state: 'done', at: 0, ...madeBy(change, row) },
});

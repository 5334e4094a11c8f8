import type { Inverse } from '../../resources/action.ts';
import { isPatch, startOf } from '../../resources/body.ts';
import { type FieldChange, fieldChanges } from '../../resources/edits.ts';
import { idIn } from '../../resources/identity.ts';
import { creationsOf } from '../../resources/index.ts';
import type { Action, Resource } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import {
  type Change,
  changesFor,
  madeBy,
  type Result,
  recordOf,
  type Submission,
  type Target,
} from '../changes/change.ts';
import { ownRefusal } from '../changes/ownEntries.ts';
import { sendChanges } from '../changes/send.ts';
import { refusalFor } from '../changes/submit.ts';
import { described, foundFor, readTargets } from '../changes/takeBack.ts';
import type { Undo } from '../changes/undoable.ts';
import { whyForbidden } from '../session.ts';
import type { Stores } from '../stores.ts';
import { waitForJobs } from './jobs.ts';
import type { PlanStep } from './plan.ts';

/** One of the changes that take others back, as it would be sent now. */
export interface BackRow {
  undo: Undo;
  resource: Resource;
  action: Action;
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
  const changes = goingBack(stores, resource, action, target);
  return { ...base, submission: found, changes, ...changeIn(stores, found), why };
}

/** The change of a submission; none where the row does not allow it as it is now. */
function changeIn({ view }: Stores, submission: Submission): { change?: Change } {
  try {
    const [change] = changesFor(submission, view);
    return change ? { change } : {};
  } catch {
    return {};
  }
}

const goingBack = ({ view }: Stores, resource: Resource, action: Action, { row, params, own }: Target) =>
  own && isPatch(action) ? fieldChanges(resource, action, own, row, view, params) : [];

/** Of the changes that were to be taken back: the results of those that were tried, and what would take them back again. */
interface TakenBack {
  left: readonly Undo[];
  done: number;
  undos: readonly Undo[];
  /** Why nothing would take them back again. */
  why?: string;
}

/**
 * Takes changes back, the last first: those by one action a few at a time, all else one after the other, each once the
 * jobs before it have ended where it is refused until then. What cannot be taken back stays to be tried again, with the
 * reason. Never rejects for a refusal of the API.
 * @param going those that were agreed to
 * @param isTyped a phrase was typed for what is lost
 */
async function sendBack(stores: Stores, going: readonly Undo[], isTyped: boolean): Promise<TakenBack> {
  const left = new Map<Undo, string | undefined>(going.map((undo) => [undo, undefined]));
  let again: readonly Undo[] = [];
  let why: string | undefined;
  const done: PlanStep[] = [];
  const rows = backRows(stores, going);
  for (const group of groupsOf(rows)) {
    const { resource, action } = group[0] as BackRow;
    const undos = group.map(({ undo }) => undo);
    const ready = await readyRows(stores, resource, action, undos, done);
    const able = ready.filter(({ change, why }) => change && why === undefined);
    for (const { undo, why = 'it cannot be sent as it is now' } of ready)
      left.set(undo, able.some((one) => one.undo === undo) ? undefined : why);
    const changes = able.flatMap(({ change }) => change ?? []);
    if (changes.length === 0) continue;
    // All that one question asks about is one for guards, in however many parts it is sent.
    const others = rows.flatMap((row) => (row.change && !group.includes(row) ? row.change : []));
    const together = [...others, ...changes];
    const { results } = await sendChanges(stores, { resource, action }, changes, isTyped, undefined, together);
    const { last } = stores.changes.getState();
    again = [...again, ...(last?.undos ?? [])];
    why ??= last?.why;
    for (const [index, row] of able.entries()) {
      const result = results[index];
      if (result?.state === 'done') {
        left.delete(row.undo);
        done.push(stepOf(changes[index] as Change, result));
        // Nothing done to it before its deletion can come back.
        if (action === resource.remove) again = again.filter(({ inverse }) => !isAbout(inverse, row.undo));
      } else left.set(row.undo, result?.says);
    }
  }
  return {
    left: going.flatMap((undo) => (left.has(undo) ? [{ ...undo, says: left.get(undo) }] : [])),
    done: going.length - left.size,
    undos: again,
    ...(again.length === 0 && { why }),
  };
}

/** Sends them and says what became of them; those that failed are what the key takes back next. */
export async function takeAllBack(
  stores: Stores,
  title: string,
  all: readonly Undo[],
  going: readonly BackRow[],
  isTyped: boolean,
): Promise<void> {
  const chosen = new Set(going.map(({ undo }) => undo));
  const sent = all.filter((undo) => chosen.has(undo));
  const { left, done, undos, why } = await sendBack(stores, sent, isTyped);
  const key = keyLabel('everywhere.takeBack', 'u');
  if (left.length > 0) {
    stores.changes.setState({ last: { title, undos: left } });
    stores.notices.say('bad', `Take back: ${done} of ${sent.length} done: ${title}; ${key} opens what is left.`);
  } else {
    stores.changes.setState({ last: { title: `Take back: ${title}`, undos, ...(why && { why }) } });
    const which = undos.length === done ? 'them' : `${undos.length} of them`;
    const again = undos.length > 0 ? `; ${key} takes ${which} back` : '';
    stores.notices.say('good', `Take back: all ${done} done: ${title}${again}.`);
  }
}

/** The rows as they are now; those that are refused while a job before them is going on are looked at once it has ended. */
async function readyRows(
  stores: Stores,
  resource: Resource,
  action: Action,
  undos: readonly Undo[],
  done: readonly PlanStep[],
): Promise<readonly BackRow[]> {
  const read = async () => {
    const failure = await readTargets(stores, resource, action, undos);
    const why = failure && `its state could not be read: ${failure.message}`;
    return undos.map((undo) => ({ ...backRow(stores, undo), ...(why && { why }) }));
  };
  const rows = await read();
  if (done.length === 0 || rows.every(({ why }) => why === undefined)) return rows;
  await waitForJobs(stores, done);
  return await read();
}

/** Whether an inverse is done to the row that another one is. */
const isAbout = (one: Inverse, { inverse: other }: Undo): boolean =>
  one.resource === other.resource && JSON.stringify(one.params) === JSON.stringify(other.params);

/** Neighbours by one action about different rows, which may be sent together. */
function groupsOf(rows: readonly BackRow[]): readonly (readonly BackRow[])[] {
  const groups: BackRow[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const key = rowKey(row);
    const isOne = group?.[0]?.action === row.action && (key === undefined || group.every((one) => rowKey(one) !== key));
    if (group && isOne) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** A change that was done, as one that later ones wait for. */
const stepOf = (change: Change, { row }: Result): PlanStep => ({
  id: 0,
  uid: '',
  record: recordOf(change),
  result: { state: 'done', at: 0, ...madeBy(change, row) },
});

import { ApiError } from '../../api/error.ts';
import { redactorOf } from '../../api/redact.ts';
import { hasEnded, jobActions } from '../../resources/account/events.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, isNothing, isRow, type Row } from '../../resources/row.ts';
import { textIn } from '../../text/words.ts';
import type { Event } from '../events.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import { type Change, type ChangeKind, kindOf, makesRow } from './change.ts';
import { isEquivalent, type Lost, type Verification, type Verifier, verifyCreation } from './lostCreations.ts';
import type { Baseline } from './pendingChanges.ts';
import { answerNow, rowNow } from './readAgain.ts';
import { eventsSince, isEarlier, ownName } from './whoDidIt.ts';

/**
 * Verifies whether a change was done whose answer was lost. Reads only; rejects only for faults of the program.
 * @param before the state before it was first sent
 */
export async function verify(stores: Stores, change: Change, before: Baseline): Promise<Verification> {
  try {
    // Reads are refused while the API is in trouble; a poll shows whether it still is.
    if (stores.session.getState().trouble) await stores.events.poll();
    const stored = stores.api.stored();
    const found = await verifiers[kindOf(change)]({ stores, change, before });
    const isByRow = found.outcome === 'not done' || found.mayBeOthers;
    if (isByRow && stores.api.stored() > stored) return { outcome: 'unclear', says: storedText };
    noteFound({ stores, change, before }, found);
    return found;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A refusal stays one, so the change can be sent once more after this was said.
    const unknown = 'It is unknown whether it was done';
    if (error.status === 403) return { outcome: 'unclear', says: `${unknown}. ${error.message}` };
    const says = `${unknown}, and the API does not answer: ${error.message} Sending it again checks first.`;
    return { outcome: 'unreachable', says };
  }
}

const storedText =
  'The answer was lost, and a proxy on the way answers from what it has kept, so it is unknown whether it was done.';

/** Writes to the audit log that a change was done, without the token of a transfer. */
function noteFound({ stores, change, before }: Lost, { outcome, says, row, mayBeOthers }: Verification): void {
  const { uid: found } = before;
  if (outcome !== 'done' || mayBeOthers || found === undefined) return;
  const safe = redactorOf(row);
  const made = row && makesRow(change) ? idOf(change.resource, row) : undefined;
  const uid = change.uid === found ? undefined : change.uid;
  const line = { ...(uid && { uid }), ...(made && safe(made) === made && { made }), evidence: safe(says) };
  stores.audit.found?.({ found, outcome, ...line });
}

const verifyDeletion: Verifier = async (lost) => {
  const { stores, change } = lost;
  const { resource, params, label } = change;
  const row = await rowNow(stores, change);
  const { mine, other, error } = await eventsOf(lost);
  const [begun] = mine;
  // A row whose deletion is a job is there until that has ended.
  if (row && error && beginsJob(change)) throw error;
  if (row && begun && !hasEnded(begun)) return { outcome: 'done', row, says: begunText(begun), ...doubtOf(lost, mine) };
  if (row) return { outcome: 'not done', row, says: `The answer was lost: ${label} is still there; try again.` };
  stores.cache.dropRow(resource, params);
  return foundSo(lost, `${label} is gone`, mine, other);
};

const verifyFields: Verifier = async (lost) => {
  const { stores, change, before } = lost;
  const { label, body, action } = change;
  const { answer } = action.shownBy ?? {};
  const row = await (answer === undefined ? rowNow(stores, change) : answerNow(stores, change, answer));
  if (!row && answer === undefined)
    return { outcome: 'unclear', says: `The answer was lost, and ${label} is not there any more.` };
  const shown = row ?? {};
  const sent = Object.entries((body ?? {}) as Row);
  const seen = sent.filter(([name]) => name in shown);
  const isOne = answer === undefined && { row };
  const { mine, theirs, other } = await eventsOf(lost);
  const was = isRow(change.before) ? change.before : {};
  if (seen.some(([name, value]) => !isSetTo(value, shown[name], was[name]))) {
    // A colleague may have put it back to what it was, of which only the time of the row tells.
    const isTouched = [...seen, ['updated']].some(
      ([name = '']) => name in was && name in shown && !isSame(was[name], shown[name]),
    );
    const says = `The answer was lost, and ${label} is not as it was sent: it may have been done and changed since.`;
    if (mine.length > 0 || (isTouched && theirs.length === 0)) return { outcome: 'unclear', ...isOne, says };
    return { outcome: 'not done', ...isOne, says: `The answer was lost: ${label} is not as it was sent; try again.` };
  }
  if (seen.length === sent.length && (other || seen.length > 0))
    return { ...foundSo(lost, `${label} is as it was sent`, mine, other), ...isOne };
  const own = mine.find((event) => isNamed(event) && !isEarlier(event, before));
  if (own && ownName(stores, before) !== undefined) return { outcome: 'done', ...isOne, says: doneText(own) };
  return { outcome: 'unclear', ...isOne, says: `The answer was lost, and ${label} does not show whether it was done.` };
};

/** Whether a value is as an edit leaves it: what it empties is empty, and what is only like it has not been there before. */
function isSetTo(sent: unknown, shown: unknown, was: unknown): boolean {
  if (isRow(sent)) return Object.entries(sent).every(([name, value]) => isSetTo(value, at(shown, name), at(was, name)));
  if (sent === null) return isNothing(shown);
  return isEquivalent(sent, shown) && (isSame(sent, shown) || !isSame(was, shown));
}

const verifyAction: Verifier = async (lost) => {
  const { stores, change, before } = lost;
  const { label, action, body } = change;
  const { state, answer, events: named } = action.shownBy ?? {};
  const row = await rowNow(stores, change);
  const beside = answer === undefined ? {} : await answerNow(stores, change, answer);
  const { mine, theirs, other, isWhole, error } = await eventsOf(lost, true);
  const own = mine.find(isNamed) ?? mine[0];
  const isSo = state && row && beside && state(row, isRow(body) ? body : {}, beside);
  // Somebody else's looks the same where it is not known which name is one's own, or where it names nobody as others do.
  const isTold = stores.events.getState().events.some(isNamed);
  const isOurs =
    own && !isEarlier(own, before) && (isSo || !isTold || (isNamed(own) && ownName(stores, before) !== undefined));
  // Another session of the same user may have begun the same with other values; a failure is one whoever began it.
  const isLikeIt = isSo !== false || !isRow(body) || Object.keys(body).length === 0 || own?.status === 'failed';
  if (isOurs && isLikeIt) {
    if (own.status === 'failed')
      return { outcome: 'not done', row, says: `The answer was lost: it was begun, but ${eventText(own)}.` };
    return { outcome: 'done', row, says: hasEnded(own) ? doneText(own) : begunText(own), ...doubtOf(lost, mine) };
  }
  if (isSo) return { ...foundSo(lost, `${label} is as it was sent`, mine, other), row };
  // The row shows a job only once that has ended.
  if (error && (isSo === undefined || beginsJob(change))) throw error;
  // Something was begun on a row that is in another state; the event of it may be late.
  const isAsBefore = !row || !isRow(change.before) || isSame(row.status, change.before.status);
  if (own === undefined && isWhole && isAsBefore && (isSo === false || named !== undefined))
    return { outcome: 'not done', row, says: `The answer was lost: ${label} does not show it so far; try again.` };
  const newest = own ?? theirs[0];
  const then = before.event === undefined ? '' : ' since then';
  const told = newest
    ? `The newest event about it${then}: ${eventText(newest)}.`
    : isWhole
      ? `There is no event about ${label}${then}.`
      : 'Not all events since then can be read.';
  const doubt = isLikeIt ? '' : ' It may be of another session, as long as the row is not as it was sent.';
  const says = `The answer was lost, so it is unknown whether it was done. ${told}${doubt}`;
  return { outcome: 'unclear', row, says };
};

/** Whether the API tells by an event when a change has ended, so that without one it has not. */
export function beginsJob({ resource, action }: Change): boolean {
  const { isJob, events = action === resource.remove ? [`${resource.one}_delete`] : [] } = action.shownBy ?? {};
  return isJob === true || events.some((name) => jobActions.includes(name));
}

const verifiers: Readonly<Record<ChangeKind, Verifier>> = {
  creation: verifyCreation,
  copy: verifyCreation,
  deletion: verifyDeletion,
  edit: verifyFields,
  action: verifyAction,
};

/**
 * The events that a change may have caused: those that are or may be of one's own user, and those of others; `other` is the newest
 * of these where none can be of one's own.
 */
export async function eventsOf({ stores, change, before }: Lost, isNeeded = false) {
  const { resource, action, params } = change;
  const isTold = resource.entity !== undefined || action.shownBy?.events !== undefined;
  if (!isNeeded && !isTold) return { mine: [], theirs: [], isWhole: true };
  const isWhole = (await stores.events.pollSince(before)) || !isTold;
  const { error } = stores.events.getState();
  if (error) return { mine: [], theirs: [], isWhole, error };
  const own = ownName(stores, before);
  const all = eventsSince(stores, change, params, before);
  const isOther = (event: Event) => own !== undefined && isNamed(event) && event.username !== own;
  const [mine, theirs] = [all.filter((event) => !isOther(event)), all.filter(isOther)];
  return { mine, theirs, isWhole, other: isWhole && mine.length === 0 ? theirs[0] : undefined };
}

const isNamed = ({ username }: Event): boolean => textIn(username) !== undefined;

const eventText = (event: Event): string =>
  `${resourceNamed('events').label(event)}, ${event.status ?? 'without status'}${isNamed(event) ? ` by ${event.username}` : ''}`;

const doneText = (event: Event): string => `It was done, although the answer was lost: ${eventText(event)}.`;
const begunText = (event: Event): string => `It has begun, although the answer was lost: ${eventText(event)}.`;

/** Marks the work that may be that of another request: only an event of one's own tells that this one has done it. */
const doubtOf = ({ stores, before }: Lost, mine: readonly Event[]): Pick<Verification, 'mayBeOthers'> =>
  mine.some((event) => isNamed(event) && !isEarlier(event, before)) && ownName(stores, before) !== undefined
    ? {}
    : { mayBeOthers: true };

/** The result of a change that is as it was sent. */
function foundSo(lost: Lost, is: string, mine: readonly Event[], other: Event | undefined): Verification {
  if (other) return { outcome: 'done', says: `${is}: ${other.username} did it.`, mayBeOthers: true };
  const doubt = doubtOf(lost, mine);
  const end = doubt.mayBeOthers ? 'so it is unknown whether by this request' : 'but it was done';
  return { outcome: 'done', says: `${is}: the answer was lost, ${end}.`, ...doubt };
}

import { idOf, keptId, paramsOf } from '../../resources/identity.ts';
import { at, isNothing, type Resource, type Row } from '../../resources/resource.ts';
import { dateText, timeOf } from '../../text/times.ts';
import { listed, textIn } from '../../text/words.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import type { Change, Result } from './change.ts';
import type { Baseline } from './pendingChanges.ts';
import { rowsNow } from './readAgain.ts';
import { eventsSince, isOwnRow, madeAndGone, madeHere, mayBeSince, noteMade, ownName } from './whoDidIt.ts';

/** The result of a change whose answer was lost, as far as the API shows it. */
export interface Verification extends Pick<Result, 'row' | 'mayBeOthers' | 'unseen'> {
  /** `unclear`: the API does not show it; `unreachable`: the API did not answer. */
  outcome: 'done' | 'not done' | 'unclear' | 'unreachable';
  /** One sentence or two. */
  says: string;
}

/** A change whose answer was lost, with the state before it was first sent. */
export interface Lost {
  stores: Stores;
  change: Change;
  before: Baseline;
}

export type Verifier = (lost: Lost) => Promise<Verification>;

/** The clocks within the API differ by no more, so a row that is so much older was there before. */
const maxClockSkewMs = 60_000;

/** Whether the body of a creation gives the new row a name that nobody else would give one by chance. */
export const isNamed = ({ action, body }: Change): boolean =>
  (action.shownBy?.names ?? []).some((name) => !isNothing(at(body, name)));

/**
 * Finds the row that was to be made: as it was sent, not there before, and made by nobody else as far as the API tells.
 * What another request may have made as well is unclear.
 */
export const verifyCreation: Verifier = async (lost) => {
  const { stores, change, before } = lost;
  const { resource, action, params } = change;
  const { matching: found, doubtful, changed, there } = await candidates(lost);
  const isWhole = !action.shownBy?.events || (await stores.events.pollSince(before));
  const matching = found.length > 0 ? found : toldToBeNew(lost, doubtful);
  const [row, ...others] = matching;
  if (!row) {
    const [older] = doubtful;
    const other = older ?? firstOfOurs(lost, changed);
    if (!other) return notThere(lost, there);
    before.wasThere = true;
    const isEqual = matchesBody(resource, other, change.body);
    const but = isEqual ? 'it may be an older one' : 'not in all as it was sent';
    return { outcome: 'unclear', says: `The answer was lost: ${describedRow(change, other)} is there, but ${but}.` };
  }
  const why = others.length > 0 ? severalText(change, matching) : otherMaker(lost, row, isWhole);
  if (why !== undefined) {
    before.wasThere = true;
    const more = action.secret && others.length === 0 ? ' Its secret is lost with the answer.' : '';
    return { outcome: 'unclear', says: `The answer was lost: ${why}${more}`, ...(more !== '' && { unseen: row }) };
  }
  noteMade(stores.changes.own, resource, idOf(resource, row), false);
  stores.cache.putRow(resource, paramsOf(resource, row, params), row);
  const more =
    action.secret || action.fileTransfer ? ' What the answer held is lost: delete it and make another one.' : '';
  const name = resource.label(row);
  return { outcome: 'done', row, says: `${name} is there now: the answer was lost, but it was done.${more}` };
};

/**
 * The end of a creation of which no row is there: unclear where one was before, as it may have been made and deleted.
 * @param there the ids of all rows that were there before, or are now
 */
function notThere({ stores, change, before }: Lost, there: ReadonlySet<string>): Verification {
  const { label } = change;
  const gone = madeAndGone(stores, change, before, there);
  if (!gone && !before.wasThere)
    return { outcome: 'not done', says: `The answer was lost: ${label} is not there so far; try again.` };
  before.wasThere = true;
  const was = gone ? `${gone} was made then, as the events tell,` : `${label} was there when it was looked for,`;
  return { outcome: 'unclear', says: `The answer was lost: ${was} and is gone now.` };
}

/**
 * The rows as they were sent that were not there before, those of which either is not known, and new ones that are as they
 * were sent but for the name, or have the label that was sent: somebody may have changed them since; the ids of all that were
 * or are there.
 */
async function candidates({ stores, change, before }: Lost) {
  const { resource, body } = change;
  const seen = new Set(before.ids);
  const names = new Set(change.action.shownBy?.names);
  const unnamed = Object.fromEntries(Object.entries((body ?? {}) as Row).filter(([name]) => !names.has(name)));
  const isLike = (row: Row) => matchesBody(resource, row, body);
  const [matching, doubtful, changed]: [Row[], Row[], Row[]] = [[], [], []];
  for (const operation of listsOf(change)) {
    for (const row of await rowsNow(stores, change, operation)) {
      const id = keptId(resource, idOf(resource, row));
      if (seen.has(id) || isOwnRow(stores.changes.own, resource, row)) continue;
      seen.add(id);
      const age = ageOf(change, row, before, operation);
      if (age === 'older') continue;
      if (isLike(row) && age === 'new') matching.push(row);
      else if (isLike(row) || hasSentName(resource, row, body)) doubtful.push(row);
      else if (age === 'new' && (isAsSent(row, unnamed) || hasSentLabel(resource, row, body))) changed.push(row);
    }
  }
  doubtful.sort((one, other) => Number(isLike(other)) - Number(isLike(one)));
  return { matching, changed, doubtful, there: seen };
}

/** The first of these new rows of which the API does not tell that another user has made it. */
function firstOfOurs(lost: Lost, rows: readonly Row[]): Row | undefined {
  const own = ownName(lost.stores, lost.before);
  const isOfAnother = (makers: readonly string[]) => own !== undefined && makers.length > 0 && !makers.includes(own);
  return rows.find((row) => !isOfAnother(makersOf(lost, row)));
}

/** Of rows that may be older those of which an event tells that they were made since. */
function toldToBeNew(lost: Lost, doubtful: readonly Row[]): readonly Row[] {
  const { resource, action, body } = lost.change;
  const like = doubtful.filter((row) => matchesBody(resource, row, body));
  if (like.length === 0 || resource.entity === undefined || !action.shownBy?.events) return [];
  return like.filter((row) =>
    eventsAbout(lost, row).some(
      ({ entity }) => at(entity, 'type') === resource.entity && String(at(entity, 'id')) === idOf(resource, row),
    ),
  );
}

/** When a row was made, in ms since the epoch; NaN where the API does not tell. */
function madeAt({ action }: Change, row: Row): number {
  const { time } = action.shownBy ?? {};
  return time === undefined ? Number.NaN : timeOf(at(row, time));
}

/** Whether a row that was not known before a creation was sent is new, as far as can be told: `new`, `older` or `unknown`. */
function ageOf(change: Change, row: Row, { whole, sent }: Baseline, operation: string) {
  const made = madeAt(change, row);
  const isTold = sent !== undefined && !Number.isNaN(made);
  if (isTold && mayBeSince(made, sent)) return 'new';
  if (whole.includes(operation)) return isTold ? 'unknown' : 'new';
  return isTold && !mayBeSince(made + maxClockSkewMs, sent) ? 'older' : 'unknown';
}

/**
 * Why a row may have been made by another request, as a sentence; undefined where only this one can have made it.
 * @param isWhole no event since then is missing
 */
function otherMaker(lost: Lost, row: Row, isWhole: boolean): string | undefined {
  const { stores, change, before } = lost;
  const { events: named, author, isUnique } = change.action.shownBy ?? {};
  const shown = describedRow(change, row);
  if (!isNamed(change)) return `${shown} is there now, and another request may have made it.`;
  const own = ownName(stores, before);
  const makers = makersOf(lost, row);
  const [other, ours] = [makers.find((one) => one !== own), makers.filter((one) => one === own).length];
  // Events may name no row but what it lies under: those of the rows that were made here tell of no other.
  if (own !== undefined && other !== undefined && ours <= madeHere(stores.changes, change, before))
    return `${shown} is there now, but ${other} ${ours === 0 ? 'made' : 'may have made'} it.`;
  if (own === undefined && other !== undefined && !wasUnderWay(lost, row))
    return `${shown} is there now; ${other} made it, and it is not known whether that was by this request.`;
  if (!isWhole && makers.length === 0 && !wasUnderWay(lost, row))
    return `${shown} is there now, and not all events since then can be read: another request may have made it.`;
  // Where nothing tells who made a row, one that looks like it may be anybody's.
  if (author || (named && (isUnique || makers.length > 0))) return undefined;
  return `${shown} is there now, and ${named ? 'no event tells so far' : 'the API does not tell'} who made it.`;
}

/** The answer of a request is awaited so long, in milliseconds. */
const underWayMs = 10_000;

/** Whether a row with a name that no other may have was made in the seconds in which the request was under way. */
function wasUnderWay(lost: Lost, row: Row): boolean {
  const { time, isUnique } = lost.change.action.shownBy ?? {};
  const { sent } = lost.before;
  if (isUnique !== true || sent === undefined) return false;
  const made = timeOf(time === undefined ? eventsAbout(lost, row).at(-1)?.created : at(row, time));
  return mayBeSince(made, sent) && made <= sent.to + underWayMs;
}

/** The events since a change was sent that tell of a row. */
const eventsAbout = ({ stores, change, before }: Lost, row: Row) =>
  eventsSince(stores, change, paramsOf(change.resource, row, change.params), before);

/** The users who made a row, as far as the API tells. */
function makersOf(lost: Lost, row: Row): readonly string[] {
  const { author } = lost.change.action.shownBy ?? {};
  const told = eventsAbout(lost, row).map(({ username }) => username);
  return [author === undefined ? undefined : at(row, author), ...told].flatMap((one) => textIn(one) ?? []);
}

const severalText = ({ resource }: Change, rows: readonly Row[]): string =>
  `${rows.length} rows like it are there now (${listed(rows.map((row) => `${resource.label(row)}, ${resource.one} ${idOf(resource, row)}`))}), and one of them at most is of this request.`;

/** A row with the time at which it was made: `web-1 (created 2026-11-24 14:02 UTC)`. */
function describedRow(change: Change, row: Row): string {
  const { resource, action } = change;
  const made = madeAt(change, row);
  const label = resource.label(row);
  return Number.isNaN(made) ? label : `${label} (${action.shownBy?.time} ${dateText(made)} UTC)`;
}

/**
 * The lists that may have a new row: first those of the account's own, as the list of all may be long, and that only where
 * the row may belong to it.
 */
export function listsOf({ resource, body }: Change): readonly string[] {
  const sections = resource.sections ?? [];
  const own = sections.flatMap(({ operation }) => operation ?? []);
  const others = sections.filter(({ operation }) => operation === undefined);
  const row = (body ?? {}) as Row;
  const isElsewhere = own.length > 0 && others.length > 0 && !others.some(({ only }) => only(row));
  return isElsewhere ? own : [...own, 'list'];
}

/** Whether a row has the label that the body gives it, and no field that differs from the body. */
export const matchesBody = (resource: Resource, row: Row, body: unknown): boolean =>
  hasSentLabel(resource, row, body, row) && isAsSent(row, (body ?? {}) as Row);

/** Whether the label of a row is that of the body, whose absent fields are those of `rest`. */
const hasSentLabel = (resource: Resource, row: Row, body: unknown, rest: Row = {}): boolean =>
  resource.label({ ...rest, ...((body ?? {}) as Row) }) === resource.label(row);

/** Whether a row has any of the fields that were sent, and none that differs. */
function isAsSent(row: Row, sent: Row): boolean {
  const seen = Object.entries(sent).filter(([name, value]) => name in row && !isNothing(value));
  return seen.length > 0 && seen.every(([name, value]) => includesSent(value, row[name]));
}

/** Whether a value has all that was sent; it may have more, e.g. the free slots of a config. */
function includesSent(sent: unknown, shown: unknown): boolean {
  if (sent === null || sent === undefined) return true;
  if (typeof sent !== 'object' || typeof shown !== 'object' || Array.isArray(sent)) return isEquivalent(sent, shown);
  return Object.entries(sent).every(([name, value]) => includesSent(value, at(shown, name)));
}

/** Whether the label of a row is a text of the body. */
function hasSentName(resource: Resource, row: Row, body: unknown): boolean {
  const label = String(resource.label(row));
  return Object.values((body ?? {}) as Row).some(
    (value) => typeof value === 'string' && value !== '' && value.toLowerCase() === label.toLowerCase(),
  );
}

/** Whether two values are equal but for the order of a list, and for case and spaces. */
export function isEquivalent(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) return isSame([...sent].sort(), [...shown].sort());
  if (typeof sent === 'object' || typeof shown === 'object') return isSame(sent, shown);
  return String(sent).trim().toLowerCase() === String(shown).trim().toLowerCase();
}

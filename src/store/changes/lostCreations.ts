import { idOf, paramsOf } from '../../resources/identity.ts';
import { at, type Resource, type Row } from '../../resources/resource.ts';
import { isNothing } from '../../resources/row.ts';
import { dateText, timeOf } from '../../text/times.ts';
import { listed } from '../../text/words.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';
import type { Baseline } from './pendingChanges.ts';
import { rowsNow } from './shownRows.ts';
import { eventsSince, isOwnRow, madeAndGone, madeHere, mayBeSince, noteMade, ownName, userIn } from './whoDidIt.ts';

/** The result of a change whose answer was lost, as far as the API shows it. */
export interface Verification {
  /** `unclear`: the API does not show it; `unreachable`: the API did not answer. */
  outcome: 'done' | 'not done' | 'unclear' | 'unreachable';
  /** One sentence or two. */
  says: string;
  /** The new or changed row, where it was found. */
  row?: Row;
  /** It is as this change leaves it, but somebody else did that. */
  byOther?: true;
}

export type Verifier = (stores: Stores, change: Change, before: Baseline) => Promise<Verification>;

/** The clocks within the API differ by no more, so a row that is so much older was there before. */
const maxClockSkewMs = 60_000;

/** Whether the body of a creation gives the new row a name that nobody else would give one by chance. */
export const isNamed = ({ action, body }: Change): boolean =>
  (action.shownBy?.names ?? []).some((name) => !isNothing(at(body, name)));

/**
 * Finds the row that was to be made: as it was sent, not there before, and made by nobody else as far as the API tells.
 * What another request may have made as well is unclear.
 */
export const verifyCreation: Verifier = async (stores, change, before) => {
  const { resource, action, params } = change;
  const { matching: found, doubtful, changed, there } = await candidates(stores, change, before);
  const matching = found.length > 0 ? found : await toldToBeNew(stores, change, before, doubtful);
  const [row, ...others] = matching;
  if (!row) {
    const [older] = doubtful;
    const other = older ?? (await firstOfOurs(stores, change, before, changed));
    if (!other) return notThere(stores, change, before, there);
    before.wasThere = true;
    const isEqual = matchesBody(resource, other, change.body);
    const but = isEqual ? 'it may be an older one' : 'not in all as it was sent';
    return { outcome: 'unclear', says: `The answer was lost: ${describedRow(change, other)} is there, but ${but}.` };
  }
  const why = others.length > 0 ? severalText(change, matching) : await otherMaker(stores, change, before, row);
  if (why !== undefined) {
    before.wasThere = true;
    return { outcome: 'unclear', says: `The answer was lost: ${why}` };
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
async function notThere(
  stores: Stores,
  change: Change,
  before: Baseline,
  there: ReadonlySet<string>,
): Promise<Verification> {
  const { action, label } = change;
  if (action.shownBy?.events) await stores.events.poll();
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
async function candidates(
  stores: Stores,
  change: Change,
  before: Baseline,
): Promise<Record<'matching' | 'doubtful' | 'changed', readonly Row[]> & { there: ReadonlySet<string> }> {
  const { resource, body } = change;
  const seen = new Set(before.ids);
  const names = new Set(change.action.shownBy?.names);
  const unnamed = Object.fromEntries(Object.entries((body ?? {}) as Row).filter(([name]) => !names.has(name)));
  const matching: Row[] = [];
  const doubtful: Row[] = [];
  const changed: Row[] = [];
  for (const operation of listsOf(change)) {
    for (const row of await rowsNow(stores, change, operation)) {
      const id = idOf(resource, row);
      if (seen.has(id) || isOwnRow(stores.changes.own, resource, row)) continue;
      seen.add(id);
      const age = ageOf(change, row, before, operation);
      if (age === 'older') continue;
      const isLike = matchesBody(resource, row, body);
      if (isLike && age === 'new') matching.push(row);
      else if (isLike || hasSentName(resource, row, body)) doubtful.push(row);
      else if (age === 'new' && (isAsSent(row, unnamed) || hasSentLabel(resource, row, body))) changed.push(row);
    }
  }
  return {
    matching,
    changed,
    there: seen,
    doubtful: doubtful.sort((one, other) => likeness(change, other) - likeness(change, one)),
  };
}

/** The first of these new rows of which the API does not tell that another user has made it. */
async function firstOfOurs(
  stores: Stores,
  change: Change,
  before: Baseline,
  rows: readonly Row[],
): Promise<Row | undefined> {
  if (rows.length === 0) return undefined;
  const { events: named } = change.action.shownBy ?? {};
  if (named) await stores.events.poll();
  return rows.find((row) => !isOfAnother(stores, before, makersOf(stores, change, before, row)));
}

/** Of rows that may be older those of which an event tells that they were made since. */
async function toldToBeNew(
  stores: Stores,
  change: Change,
  before: Baseline,
  doubtful: readonly Row[],
): Promise<readonly Row[]> {
  const { resource, action, params, body } = change;
  const like = doubtful.filter((row) => matchesBody(resource, row, body));
  if (like.length === 0 || resource.entity === undefined || !action.shownBy?.events) return [];
  await stores.events.poll();
  return like.filter((row) =>
    eventsSince(stores, change, paramsOf(resource, row, params), before).some(
      ({ entity }) => at(entity, 'type') === resource.entity && String(at(entity, 'id')) === idOf(resource, row),
    ),
  );
}

const likeness = ({ resource, body }: Change, row: Row): number => (matchesBody(resource, row, body) ? 1 : 0);

/** Whether a row that was not known before a creation was sent is new, as far as can be told. */
function ageOf(
  { action }: Change,
  row: Row,
  { whole, sent }: Baseline,
  operation: string,
): 'new' | 'older' | 'unknown' {
  const { time } = action.shownBy ?? {};
  const made = time === undefined ? Number.NaN : timeOf(at(row, time));
  const isTold = sent !== undefined && !Number.isNaN(made);
  if (isTold && mayBeSince(made, sent)) return 'new';
  if (whole.includes(operation)) return isTold ? 'unknown' : 'new';
  return isTold && !mayBeSince(made + maxClockSkewMs, sent) ? 'older' : 'unknown';
}

/** Why a row may have been made by another request, as a sentence; undefined where only this one can have made it. */
async function otherMaker(stores: Stores, change: Change, before: Baseline, row: Row): Promise<string | undefined> {
  const { events: named, author } = change.action.shownBy ?? {};
  const shown = describedRow(change, row);
  if (!isNamed(change)) return `${shown} is there now, and another request may have made it.`;
  if (named) await stores.events.poll();
  const own = ownName(stores, before);
  const makers = makersOf(stores, change, before, row);
  const [other, ours] = [makers.find((one) => one !== own), makers.filter((one) => one === own).length];
  // Events may name no row but what it lies under: those of the rows that were made here tell of no other.
  if (own !== undefined && other !== undefined && ours <= madeHere(stores.changes.own, change, before))
    return `${shown} is there now, but ${other} ${ours === 0 ? 'made' : 'may have made'} it.`;
  if (own === undefined && other !== undefined && !wasUnderWay(stores, change, row, before))
    return `${shown} is there now; ${other} made it, and it is not known whether that was by this request.`;
  // Where the API never tells who made a row, one that looks like it may be anybody's.
  return named || author ? undefined : `${shown} is there now, and the API does not tell who made it.`;
}

/** The answer of a request is awaited so long, in milliseconds. */
const underWayMs = 10_000;

/** Whether a row with a name that no other may have was made in the seconds in which the request was under way. */
function wasUnderWay(stores: Stores, change: Change, row: Row, before: Baseline): boolean {
  const { resource, action, params } = change;
  const { time, isUnique } = action.shownBy ?? {};
  const { sent } = before;
  if (isUnique !== true || sent === undefined) return false;
  const events = eventsSince(stores, change, paramsOf(resource, row, params), before);
  const made = timeOf(time === undefined ? events.at(-1)?.created : at(row, time));
  return mayBeSince(made, sent) && made <= sent.to + underWayMs;
}

/** The users who made a row, as far as the API tells. */
function makersOf(stores: Stores, change: Change, before: Baseline, row: Row): readonly string[] {
  const { resource, action, params } = change;
  const { author } = action.shownBy ?? {};
  const told = eventsSince(stores, change, paramsOf(resource, row, params), before).map(({ username }) => username);
  return [author === undefined ? undefined : at(row, author), ...told].flatMap((one) => userIn(one) ?? []);
}

function isOfAnother(stores: Stores, before: Baseline, makers: readonly string[]): boolean {
  const own = ownName(stores, before);
  return own !== undefined && makers.length > 0 && !makers.includes(own);
}

const severalText = ({ resource }: Change, rows: readonly Row[]): string =>
  `${rows.length} rows like it are there now (${listed(
    rows.map((row) => `${resource.label(row)}, ${resource.one} ${idOf(resource, row)}`),
    3,
  )}), and one of them at most is of this request.`;

/** A row with the time at which it was made: `web-1 (created 2026-11-24 14:02 UTC)`. */
function describedRow({ resource, action }: Change, row: Row): string {
  const { time } = action.shownBy ?? {};
  const made = time === undefined ? Number.NaN : timeOf(at(row, time));
  return Number.isNaN(made) ? resource.label(row) : `${resource.label(row)} (${time} ${dateText(made)} UTC)`;
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
const matchesBody = (resource: Resource, row: Row, body: unknown): boolean =>
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

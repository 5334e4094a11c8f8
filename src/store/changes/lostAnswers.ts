import { ApiError } from '../../api/error.ts';
import { compareIds, idIn, idOf, paramsIn, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type ListOperation, type Resource, type Row } from '../../resources/resource.ts';
import { timeOf } from '../../text/times.ts';
import { isWhole } from '../entries.ts';
import { liesUnder, operationNamed, queryKey, viewQuery } from '../queries.ts';
import { isGradual, pagesOf, readEveryRow } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';
import type { Baseline } from './pendingChanges.ts';
import { readListAgain } from './readAgain.ts';

/** The result of a change whose answer was lost, as far as the API shows it. */
export interface Verification {
  /** `unclear`: the API does not show it; `unreachable`: the API did not answer. */
  outcome: 'done' | 'not done' | 'unclear' | 'unreachable';
  /** One sentence or two. */
  says: string;
  /** The new or changed row, where it was found. */
  row?: Row;
}

export type VerifyStores = Pick<Stores, 'api' | 'events' | 'now' | 'cache' | 'session'>;

/** Notes the state before a change is sent. */
export function baselineOf({ events, now, cache }: VerifyStores, { resource, params }: Change): Baseline {
  const loaded = Object.values(cache.getState().collections).filter(
    ({ resource: name, query }) => name === resource.name && liesUnder(params, query.params),
  );
  const whole = loaded.filter(isWhole).map(({ query }) => query);
  return {
    at: now(),
    ids: new Set(loaded.flatMap(({ rows }) => rows.map((row) => idOf(resource, row)))),
    whole: new Set(whole.filter((query) => query.resource === resource.name).map(({ operation }) => operation)),
    event: events.getState().events[0]?.id,
  };
}

/**
 * Verifies whether a change was done whose answer was lost: a creation by the name, a deletion by the absence, an edit by
 * the fields of the row, all else by the events. Reads only; rejects only for faults of the program.
 */
export async function verify(stores: VerifyStores, change: Change, before: Baseline): Promise<Verification> {
  try {
    // Reads are refused while the API is in trouble; a poll shows whether it still is.
    if (stores.session.getState().trouble) await stores.events.poll();
    return await verifierFor(change)(stores, change, before);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      outcome: 'unreachable',
      says: `It is unknown whether it was done, and the API does not answer: ${error.message} Sending it again checks first.`,
    };
  }
}

type Verifier = (stores: VerifyStores, change: Change, before: Baseline) => Promise<Verification>;

function verifierFor({ resource, action, params }: Change): Verifier {
  const isOne = idIn(resource, params) !== undefined;
  if (action === resource.remove) return verifyDeletion;
  if (isOne && action.method === 'PUT' && action.path === resource.view?.path) return verifyFields;
  if (action.method !== 'POST' || !resource.list) return verifyByEvents;
  return isOne ? verifyCopy : verifyCreation;
}

/** Whether a change creates a row. */
export const isCreation = (change: Change): boolean => verifierFor(change) === verifyCreation;

const verifyDeletion: Verifier = async (stores, change) => {
  const { resource, params, label } = change;
  const row = await rowNow(stores, change);
  if (row) return { outcome: 'not done', row, says: `The answer was lost: ${label} is still there; try again.` };
  stores.cache.dropRow(resource, params);
  return { outcome: 'done', says: `${label} is gone: the answer was lost, but it was done.` };
};

const verifyFields: Verifier = async (stores, change) => {
  const { label, body } = change;
  const row = await rowNow(stores, change);
  if (!row) return { outcome: 'not done', says: `The answer was lost: ${label} is not there any more.` };
  const sent = Object.entries((body ?? {}) as Row);
  const seen = sent.filter(([name]) => name in row);
  if (seen.some(([name, value]) => !isEquivalent(value, row[name])))
    return { outcome: 'not done', row, says: `The answer was lost: ${label} is not as it was sent; try again.` };
  if (seen.length === 0 || seen.length < sent.length)
    return { outcome: 'unclear', row, says: `The answer was lost, and ${label} does not show whether it was done.` };
  return { outcome: 'done', row, says: `${label} is as it was sent: the answer was lost, but it was done.` };
};

const verifyCreation: Verifier = async (stores, change, before) => {
  const { resource, action, params, label, body } = change;
  const doubtful: Row[] = [];
  for (const operation of listsOf(change)) {
    const rows = (await rowsNow(stores, change, operation)).filter((row) => !before.ids.has(idOf(resource, row)));
    const isNew = (row: Row) => before.whole.has(operation) || timeOf(row.created) >= before.at - maxClockSkewMs;
    const row = rows.find((one) => isNew(one) && matchesBody(resource, one, body));
    if (!row) {
      doubtful.push(...rows.filter((one) => hasSentName(resource, one, body)));
      continue;
    }
    stores.cache.putRow(resource, paramsOf(resource, row, params), row);
    const more =
      action.secret || action.fileTransfer ? ' What the answer held is lost: delete it and make another one.' : '';
    const name = resource.label(row);
    return { outcome: 'done', row, says: `${name} is there now: the answer was lost, but it was done.${more}` };
  }
  if (doubtful.some((row) => matchesBody(resource, row, body)))
    return { outcome: 'unclear', says: `The answer was lost: ${label} is there, but it may be an older one.` };
  if (doubtful.length > 0)
    return { outcome: 'unclear', says: `The answer was lost: ${label} is there, but not in all as it was sent.` };
  return { outcome: 'not done', says: `The answer was lost: ${label} is not there so far; try again.` };
};

/** A row that is made from another one, and has a name of its own. */
const verifyCopy: Verifier = async (stores, change, before) => {
  const { resource } = change;
  const body = (change.body ?? {}) as Row;
  const isNamed = Object.keys(body).length > 0 && hasSentName(resource, body, body);
  const found = isNamed ? await verifyCreation(stores, change, before) : undefined;
  return found && found.outcome !== 'not done' ? found : verifyByEvents(stores, change, before);
};

/** Between this machine and the API. */
const maxClockSkewMs = 60_000;

/**
 * The lists that may have a new row: first those of the account's own, as the list of all may be long, and that only where
 * the row may belong to it.
 */
function listsOf({ resource, body }: Change): readonly string[] {
  const sections = resource.sections ?? [];
  const own = sections.flatMap(({ operation }) => operation ?? []);
  const others = sections.filter(({ operation }) => operation === undefined);
  const row = (body ?? {}) as Row;
  const isElsewhere = own.length > 0 && others.length > 0 && !others.some(({ only }) => only(row));
  return isElsewhere ? own : [...own, 'list'];
}

const verifyByEvents: Verifier = async (stores, { resource, params, label }, { event: since = 0 }) => {
  await Promise.all([stores.cache.readRow(resource, params), stores.events.poll()]);
  const { error, events } = stores.events.getState();
  if (error) throw error;
  const isAbout = (entity: unknown) =>
    at(entity, 'type') === resource.entity && String(at(entity, 'id')) === idIn(resource, params);
  const newest = events.find(({ id, entity }) => compareIds(id, since) > 0 && isAbout(entity));
  const then = since ? ' since then' : '';
  const told = newest
    ? `The newest event about it${then}: ${resourceNamed('events').label(newest)}, ${newest.status ?? 'without status'}.`
    : `There is no event about ${label}${then}.`;
  return { outcome: 'unclear', says: `The answer was lost, so it is unknown whether it was done. ${told}` };
};

/** The row as the API has it now; undefined when it has none. Rejects with an ApiError. */
export async function rowNow(
  stores: VerifyStores,
  change: Pick<Change, 'resource' | 'params'>,
): Promise<Row | undefined> {
  const { resource, params } = change;
  if (!resource.view)
    return (await rowsNow(stores, change)).find((row) => idOf(resource, row) === idIn(resource, params));
  await stores.cache.readRow(resource, params);
  const { body, error } = stores.cache.getState().answers[queryKey(viewQuery(resource, params))] ?? {};
  if (error && error.status !== 404) throw error;
  return error ? undefined : (body as Row | undefined);
}

/** All rows of a list in which the row is or should be, as the API has them now. Rejects with an ApiError. */
async function rowsNow(
  { api, cache }: VerifyStores,
  { resource, params: given }: Pick<Change, 'resource' | 'params'>,
  operation = 'list',
): Promise<readonly Row[]> {
  if (!resource.list) return [];
  const list = operationNamed(resource, operation) as ListOperation;
  const params = paramsIn(list.path, given);
  if (isGradual(list)) {
    const { rows } = await readEveryRow(
      () => pagesOf(api, list, { params }),
      (row) => idOf(resource, row),
      () => {},
    );
    return rows;
  }
  const { rows = [], error } = (await readListAgain(cache, { resource: resource.name, operation, params })) ?? {};
  if (error) throw error;
  return rows;
}

/** Whether a row has the label that the body gives it, and no field that differs from the body. */
function matchesBody(resource: Resource, row: Row, body: unknown): boolean {
  const sent = (body ?? {}) as Row;
  const seen = Object.entries(sent).filter(([name, value]) => name in row && value !== null && value !== '');
  if (seen.length === 0 || resource.label({ ...row, ...sent }) !== resource.label(row)) return false;
  return seen.every(([name, value]) => includesSent(value, row[name]));
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
function isEquivalent(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) return isSame([...sent].sort(), [...shown].sort());
  if (typeof sent === 'object' || typeof shown === 'object') return isSame(sent, shown);
  return String(sent).trim().toLowerCase() === String(shown).trim().toLowerCase();
}

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

/** The end of a change whose answer was lost, as far as the API shows it. */
export interface Verification {
  /** `not done` as far as can be seen, `unclear` though it was looked for, `unreachable` because the API could not be asked. */
  outcome: 'done' | 'not done' | 'unclear' | 'unreachable';
  /** One sentence or two. */
  says: string;
  /** The row that was made or changed, where it was found. */
  row?: Row;
}

export type VerifyStores = Pick<Stores, 'api' | 'events' | 'now' | 'cache' | 'session'>;

/** Takes down what is known before a change is sent. */
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
 * Verifies whether a change was done whose answer was lost: a new row by what it was to be called, a deleted one by its
 * absence, a changed one by its fields, all else by the events. Reads only; rejects for mistakes of ours alone.
 */
export async function verify(stores: VerifyStores, change: Change, before: Baseline): Promise<Verification> {
  try {
    // Reads are held back while the API is away; whether it still is, is found out first.
    if (stores.session.getState().trouble) await stores.events.poll();
    return await verifierFor(change)(stores, change, before);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      outcome: 'unreachable',
      says: `Nobody knows whether it was done, and the API cannot be asked: ${error.message} Sending it again looks first.`,
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

/** Whether a change makes a row where there was none. */
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
  if (seen.some(([name, value]) => !isAlike(value, row[name])))
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
    const isNew = (row: Row) => before.whole.has(operation) || timeOf(row.created) >= before.at - clocksDiffer;
    const row = rows.find((one) => isNew(one) && isWhatWasSent(resource, one, body));
    if (!row) {
      doubtful.push(...rows.filter((one) => isCalledSo(resource, one, body)));
      continue;
    }
    stores.cache.putRow(resource, paramsOf(resource, row, params), row);
    const more =
      action.secret || action.fileTransfer ? ' What the answer held is lost: delete it and make another one.' : '';
    const name = resource.label(row);
    return { outcome: 'done', row, says: `${name} is there now: the answer was lost, but it was done.${more}` };
  }
  if (doubtful.some((row) => isWhatWasSent(resource, row, body)))
    return { outcome: 'unclear', says: `The answer was lost: ${label} is there, but it may be an older one.` };
  if (doubtful.length > 0)
    return { outcome: 'unclear', says: `The answer was lost: ${label} is there, but not in all as it was sent.` };
  return { outcome: 'not done', says: `The answer was lost: ${label} is not there so far; try again.` };
};

/** A row that was to be made out of another one and has a name of its own. */
const verifyCopy: Verifier = async (stores, change, before) => {
  const { resource } = change;
  const body = (change.body ?? {}) as Row;
  const isNamed = Object.keys(body).length > 0 && isCalledSo(resource, body, body);
  const found = isNamed ? await verifyCreation(stores, change, before) : undefined;
  return found && found.outcome !== 'not done' ? found : verifyByEvents(stores, change, before);
};

/** The clocks of this machine and of the API are never further apart, in ms. */
const clocksDiffer = 60_000;

/**
 * The lists in which a row can be that is made: those of the account's own first, as that of all may be long. That has
 * none that belong to other sections only.
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
  return { outcome: 'unclear', says: `The answer was lost, so nobody knows whether it was done. ${told}` };
};

/** The row as the API has it now; undefined when it has none. Rejects with an ApiError. */
async function rowNow(stores: VerifyStores, change: Change): Promise<Row | undefined> {
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
  { resource, params: given }: Change,
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

/** Whether a row is called as what was sent would be, and nothing that it shows of that differs. */
function isWhatWasSent(resource: Resource, row: Row, body: unknown): boolean {
  const sent = (body ?? {}) as Row;
  const seen = Object.entries(sent).filter(([name, value]) => name in row && value !== null && value !== '');
  if (seen.length === 0 || resource.label({ ...row, ...sent }) !== resource.label(row)) return false;
  return seen.every(([name, value]) => isHeld(value, row[name]));
}

/** Whether a new row shows what was sent for it; it may show more, e.g. the slots of a config that are free. */
function isHeld(sent: unknown, shown: unknown): boolean {
  if (sent === null || sent === undefined) return true;
  if (typeof sent !== 'object' || typeof shown !== 'object' || Array.isArray(sent)) return isAlike(sent, shown);
  return Object.entries(sent).every(([name, value]) => isHeld(value, at(shown, name)));
}

/** Whether a row has the name that was sent for it. */
function isCalledSo(resource: Resource, row: Row, body: unknown): boolean {
  const label = String(resource.label(row));
  return Object.values((body ?? {}) as Row).some(
    (value) => typeof value === 'string' && value !== '' && value.toLowerCase() === label.toLowerCase(),
  );
}

/** Whether the API shows a value as it was sent, but for the order of a list and the spelling of a number or name. */
function isAlike(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) return isSame([...sent].sort(), [...shown].sort());
  if (typeof sent === 'object' || typeof shown === 'object') return isSame(sent, shown);
  return String(sent).trim().toLowerCase() === String(shown).trim().toLowerCase();
}

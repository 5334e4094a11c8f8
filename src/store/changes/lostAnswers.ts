import { ApiError } from '../../api/error.ts';
import { compareIds, idIn, idOf, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Action, at, type ListOperation, type Resource, type Row } from '../../resources/resource.ts';
import { timeOf } from '../../text/times.ts';
import type { Deck } from '../deck.ts';
import { isWhole } from '../entries.ts';
import { keyOf, liesUnder, operationNamed, viewOf } from '../questions.ts';
import { isGradual, pagesOf, readEveryRow } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Before, Target } from './doubts.ts';

/** The result of a look at the cloud for a change whose answer was lost. */
export interface Finding {
  /** `undone` as far as can be seen, `unclear` though it was looked for, `unseen` because the API could not be asked. */
  verdict: 'done' | 'undone' | 'unclear' | 'unseen';
  /** One sentence or two. */
  says: string;
  /** The row that was made or changed, where it was found. */
  row?: Row;
}

/** One change that is carried out. */
export interface Errand {
  deck: Deck;
  resource: Resource;
  action: Action;
  target: Target;
}

/** Takes down what is known before a change is sent. */
export function beforeOf({ deck, resource, target }: Errand): Before {
  const loaded = Object.values(deck.records.getState().collections).filter(
    ({ resource: name, query }) => name === resource.name && liesUnder(target.params, query.params),
  );
  const whole = loaded.filter(isWhole).map(({ query }) => query);
  return {
    at: deck.now(),
    ids: new Set(loaded.flatMap(({ rows }) => rows.map((row) => idOf(resource, row)))),
    whole: new Set(whole.filter((query) => query.resource === resource.name).map(({ operation }) => operation)),
    event: deck.events.getState().events[0]?.id,
  };
}

/**
 * Looks whether a change was done whose answer was lost: a new row by what it was to be called, a deleted one by its
 * absence, a changed one by its fields, all else by the events. Reads only; rejects for mistakes of ours alone.
 */
export async function lookFor(errand: Errand, before: Before): Promise<Finding> {
  const { session, events } = errand.deck;
  try {
    // Reads are held back while the API is away; whether it still is, is found out first.
    if (session.getState().trouble) await events.poll();
    return await wayFor(errand)(errand, before);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      verdict: 'unseen',
      says: `Nobody knows whether it was done, and the API cannot be asked: ${error.message} Sending it again looks first.`,
    };
  }
}

type Way = (errand: Errand, before: Before) => Promise<Finding>;

function wayFor({ resource, action, target }: Errand): Way {
  const isOne = idIn(resource, target.params) !== undefined;
  if (action === resource.remove) return lookForAbsence;
  if (isOne && action.method === 'PUT' && action.path === resource.view?.path) return lookForFields;
  if (action.method !== 'POST' || !resource.list) return lookForEvents;
  return isOne ? lookForCopy : lookForNew;
}

/** Whether a change makes a row where there was none. */
export const isCreation = (errand: Errand): boolean => wayFor(errand) === lookForNew;

const lookForAbsence: Way = async (errand) => {
  const { deck, resource, target } = errand;
  const row = await rowNow(errand);
  const { label } = target;
  if (row) return { verdict: 'undone', row, says: `The answer was lost: ${label} is still there; try again.` };
  deck.records.dropRow(resource, target.params);
  return { verdict: 'done', says: `${label} is gone: the answer was lost, but it was done.` };
};

const lookForFields: Way = async (errand) => {
  const { label, body } = errand.target;
  const row = await rowNow(errand);
  if (!row) return { verdict: 'undone', says: `The answer was lost: ${label} is not there any more.` };
  const sent = Object.entries((body ?? {}) as Row);
  const seen = sent.filter(([name]) => name in row);
  if (seen.some(([name, value]) => !isAlike(value, row[name])))
    return { verdict: 'undone', row, says: `The answer was lost: ${label} is not as it was sent; try again.` };
  if (seen.length === 0 || seen.length < sent.length)
    return { verdict: 'unclear', row, says: `The answer was lost, and ${label} does not show whether it was done.` };
  return { verdict: 'done', row, says: `${label} is as it was sent: the answer was lost, but it was done.` };
};

const lookForNew: Way = async (errand, before) => {
  const { deck, resource, action, target } = errand;
  const { label } = target;
  const doubtful: Row[] = [];
  for (const operation of listsOf(errand)) {
    const rows = (await rowsNow(errand, operation)).filter((row) => !before.ids.has(idOf(resource, row)));
    const isNew = (row: Row) => before.whole.has(operation) || timeOf(row.created) >= before.at - clocksDiffer;
    const row = rows.find((one) => isNew(one) && isWhatWasSent(resource, one, target.body));
    if (!row) {
      doubtful.push(...rows.filter((one) => isCalledSo(resource, one, target.body)));
      continue;
    }
    deck.records.putRow(resource, paramsOf(resource, row, target.params), row);
    const more =
      action.secret || action.fileTransfer ? ' What the answer held is lost: delete it and make another one.' : '';
    const name = resource.label(row);
    return { verdict: 'done', row, says: `${name} is there now: the answer was lost, but it was done.${more}` };
  }
  if (doubtful.some((row) => isWhatWasSent(resource, row, target.body)))
    return { verdict: 'unclear', says: `The answer was lost: ${label} is there, but it may be an older one.` };
  if (doubtful.length > 0)
    return { verdict: 'unclear', says: `The answer was lost: ${label} is there, but not in all as it was sent.` };
  return { verdict: 'undone', says: `The answer was lost: ${label} is not there so far; try again.` };
};

/** A row that was to be made out of another one and has a name of its own. */
const lookForCopy: Way = async (errand, before) => {
  const { resource, target } = errand;
  const body = (target.body ?? {}) as Row;
  const isNamed = Object.keys(body).length > 0 && isCalledSo(resource, body, body);
  const found = isNamed ? await lookForNew(errand, before) : undefined;
  return found?.verdict === 'done' || found?.verdict === 'unclear' ? found : lookForEvents(errand, before);
};

/** The clocks of this machine and of the API are never further apart, in ms. */
const clocksDiffer = 60_000;

/**
 * The lists in which a row can be that is made: those of the account's own first, as that of all may be long. That has
 * none that belong to other sections only.
 */
function listsOf({ resource, target }: Errand): readonly string[] {
  const sections = resource.sections ?? [];
  const own = sections.flatMap(({ operation }) => operation ?? []);
  const others = sections.filter(({ operation }) => operation === undefined);
  const row = (target.body ?? {}) as Row;
  const isElsewhere = own.length > 0 && others.length > 0 && !others.some(({ only }) => only(row));
  return isElsewhere ? own : [...own, 'list'];
}

const lookForEvents: Way = async ({ deck, resource, target: { params, label } }, { event: since = 0 }) => {
  await Promise.all([deck.records.readRow(resource, params), deck.events.poll()]);
  const { error, events } = deck.events.getState();
  if (error) throw error;
  const isAbout = (entity: unknown) =>
    at(entity, 'type') === resource.entity && String(at(entity, 'id')) === idIn(resource, params);
  const newest = events.find(({ id, entity }) => compareIds(id, since) > 0 && isAbout(entity));
  const then = since ? ' since then' : '';
  const told = newest
    ? `The newest event about it${then}: ${resourceNamed('events').label(newest)}, ${newest.status ?? 'without status'}.`
    : `There is no event about ${label}${then}.`;
  return { verdict: 'unclear', says: `The answer was lost, so nobody knows whether it was done. ${told}` };
};

/** The row as the API has it now; undefined when it has none. Rejects with an ApiError. */
async function rowNow(errand: Errand): Promise<Row | undefined> {
  const { deck, resource, target } = errand;
  if (!resource.view)
    return (await rowsNow(errand)).find((row) => idOf(resource, row) === idIn(resource, target.params));
  await deck.records.readRow(resource, target.params);
  const { body, error } = deck.records.getState().answers[keyOf(viewOf(resource, target.params))] ?? {};
  if (error && error.status !== 404) throw error;
  return error ? undefined : (body as Row | undefined);
}

/** All rows of a list in which the row is or should be, as the API has them now. Rejects with an ApiError. */
async function rowsNow({ deck, resource, target }: Errand, operation = 'list'): Promise<readonly Row[]> {
  const { name } = resource;
  if (!resource.list) return [];
  const list = operationNamed(resource, operation) as ListOperation;
  const taken = Object.entries(target.params).filter(([param]) => list.path.includes(`{${param}}`));
  const params = Object.fromEntries(taken);
  if (isGradual(list)) {
    const { rows } = await readEveryRow(
      () => pagesOf(deck.api, list, { params }),
      (row) => idOf(resource, row),
      () => {},
    );
    return rows;
  }
  const question = { resource: name, operation, params };
  const entry = () => deck.records.getState().collections[keyOf(question)];
  // A reading under way may have begun before the change was sent.
  if (entry()?.loading) await deck.records.readCollection(question);
  await deck.records.readCollection(question);
  const { rows = [], error } = entry() ?? {};
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

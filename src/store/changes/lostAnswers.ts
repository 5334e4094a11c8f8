import { ApiError } from '../../api/error.ts';
import { idIn, idOf, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Action, at, type Resource, type Row } from '../../resources/resource.ts';
import { timeOf } from '../../resources/time.ts';
import type { Deck } from '../deck.ts';
import { keyOf, liesUnder, viewOf } from '../questions.ts';
import { isGradual, pagesOf, readEveryRow } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Target } from './act.ts';

/** What was known just before a change was sent; by it a later look tells what is new. */
export interface Before {
  /** In ms since the epoch. */
  at: number;
  /** The ids of the rows beside which one is made; undefined where their list was not loaded. */
  ids: ReadonlySet<string> | undefined;
  /** The id of the newest event; undefined where none was known. */
  event: number | undefined;
}

/** The changes that nobody knows the end of, each by its key. */
export interface Doubts {
  /** Sent or looked for just now: the same is not sent beside it. */
  underWay: Set<string>;
  /** Those whose answers were lost and which could not be looked for yet. */
  lost: Map<string, Before>;
}

/** What a look at the cloud tells of a change whose answer was lost. */
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
    ({ resource: name, loadedAt, params }) =>
      name === resource.name && loadedAt !== undefined && liesUnder(target.params, params),
  );
  const ids = loaded.flatMap(({ rows }) => rows.map((row) => idOf(resource, row)));
  return {
    at: deck.now(),
    ids: loaded.length > 0 ? new Set(ids) : undefined,
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
  return !isOne && action.method === 'POST' && resource.list ? lookForNew : lookForEvents;
}

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
  const alike = (await rowsNow(errand)).filter((row) => isWhatWasSent(resource, row, target.body));
  const row = alike.find((one) => isNew(resource, one, before));
  if (row) {
    deck.records.putRow(resource, paramsOf(resource, row, target.params), row);
    const more =
      action.secret || action.carries ? ' What the answer held is lost: delete it and make another one.' : '';
    const name = resource.label(row);
    return { verdict: 'done', row, says: `${name} is there now: the answer was lost, but it was done.${more}` };
  }
  if (alike.length > 0 && !before.ids)
    return { verdict: 'unclear', says: `The answer was lost: ${label} is there, but it may be an older one.` };
  return { verdict: 'undone', says: `The answer was lost: ${label} is not there so far; try again.` };
};

const lookForEvents: Way = async ({ deck, resource, target: { params, label } }, { event: since = 0 }) => {
  await Promise.all([deck.records.readRow(resource, params), deck.events.poll()]);
  const { error, events } = deck.events.getState();
  if (error) throw error;
  const isAbout = (entity: unknown) =>
    at(entity, 'type') === resource.entity && String(at(entity, 'id')) === idIn(resource, params);
  const newest = events.find(({ id, entity }) => id > since && isAbout(entity));
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

/** All rows of the list in which the row is or should be, as the API has them now. Rejects with an ApiError. */
async function rowsNow({ deck, resource, target }: Errand): Promise<readonly Row[]> {
  const { list, name } = resource;
  if (!list) return [];
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
  const question = { resource: name, operation: 'list', params };
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
  return seen.every(([name, value]) => isAlike(value, row[name]));
}

/** Whether a row was not there before; by its time, with a minute for clocks that differ, where that is not known. */
const isNew = (resource: Resource, row: Row, { ids, at: sentAt }: Before): boolean =>
  ids ? !ids.has(idOf(resource, row)) : timeOf(row.created) >= sentAt - 60_000;

/** Whether the API shows a value as it was sent, but for the order of a list and the spelling of a number or name. */
function isAlike(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) return isSame([...sent].sort(), [...shown].sort());
  if (typeof sent === 'object' || typeof shown === 'object') return isSame(sent, shown);
  return String(sent).trim().toLowerCase() === String(shown).trim().toLowerCase();
}

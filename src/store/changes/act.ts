import { ApiError } from '../../api/error.ts';
import type { Answer } from '../../api/request.ts';
import { idIn } from '../../resources/identity.ts';
import { type Action, fieldOf, type Params, type Resource, type Row } from '../../resources/resource.ts';
import type { Deck } from '../deck.ts';
import type { Outcome } from '../navigation.ts';
import { idOf, keyOf, paramsOf } from '../records.ts';
import type { Before, Target } from './doubts.ts';
import { beforeOf, type Errand, isCreation, lookFor } from './lostAnswers.ts';
import type { ChangeRun } from './pendingChanges.ts';

/** The result for one target: the answer, or why there is none. */
export interface Done extends Outcome {
  target: Target;
  /** It was stopped before its turn. */
  isUnsent?: true;
  answer?: Row;
  /** The row in the answer, where it holds more than that. */
  row?: Row;
  error?: ApiError;
}

/** So many changes are under way at once. */
const atOnce = 4;

const notSent = 'It was stopped before its turn, so nothing was sent.';

/** The target of an action on this row. */
export const targetOf = (resource: Resource, row: Row, params: Params, body?: unknown): Target => ({
  params: { ...params, ...paramsOf(resource, row) },
  label: resource.label(row),
  body,
});

/**
 * Carries an action out on every target, a few at a time, where anybody can see and stop it; never rejects for what the
 * API refuses, and sends nothing twice.
 */
export async function perform(
  deck: Deck,
  resource: Resource,
  action: Action,
  targets: readonly Target[],
  run: ChangeRun = deck.changes.begin(resource, action, targets),
): Promise<readonly Done[]> {
  const done: Done[] = targets.map((target) => ({ target, label: target.label, failure: notSent, isUnsent: true }));
  const worker = async () => {
    for (let index = run.next(); index !== undefined; index = run.next()) {
      const target = targets[index];
      if (!target) continue;
      const one = await performOne(deck, resource, action, target);
      done[index] = one;
      run.settle(index, one.failure === undefined ? 'done' : 'failed', one.failure ?? one.note);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, targets.length) }, worker));
  } finally {
    run.end();
  }
  const stale: readonly string[] = [...(action.touches ?? []), ...(resource.view ? [] : [resource.name])];
  deck.refresher.invalidate((question, rowsOf) => stale.includes(rowsOf ?? question.resource));
  void deck.events.poll();
  return done;
}

async function performOne(deck: Deck, resource: Resource, action: Action, target: Target): Promise<Done> {
  const errand = { deck, resource, action, target };
  const { underWay, lost } = deck.doubts;
  const key = doubtOf(errand);
  if (underWay.has(key)) {
    const { method, path } = action;
    const message = 'The same is being sent already; wait for what becomes of it.';
    return failed(target, new ApiError({ kind: 'aborted', method, path, message }));
  }
  underWay.add(key);
  try {
    const doubt = lost.get(key);
    return (doubt && (await lookFirst(errand, doubt))) ?? (await sendOne(errand, doubt ?? beforeOf(errand)));
  } finally {
    underWay.delete(key);
  }
}

/** @param before what was known before the same was sent for the first time */
async function sendOne(errand: Errand, before: Before): Promise<Done> {
  const { deck, resource, action, target } = errand;
  const { params, label, body } = target;
  try {
    if (action.first) await deck.api.send(action.first, { params }).catch(unlessAbsent);
    const { body: answer } = action.multipart
      ? await sendForm(deck, resource, action, target)
      : await deck.api.send(action, { params, body });
    const row = action.row?.(answer as Row) ?? (answer as Row);
    takeIn(deck, resource, action, params, withoutSecret(action, row));
    lookAgain(deck, resource, action, params);
    deck.alerts.noteChange(changedBy(resource, params, row));
    return { target, label, answer: answer as Row, row };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 403) deck.session.noteRefusal(`${resource.name}.${action.name}`, error.message);
    const isGone = error.status === 404 && idIn(resource, params) !== undefined;
    if (isGone && (action === resource.remove || !resource.view)) deck.records.dropRow(resource, params);
    else if (isGone) look(deck, resource, params);
    return error.maybeSent && error.kind !== 'aborted' ? lookAfter(errand, before, error) : failed(target, error);
  }
}

/** The parameters of the row that was changed or made. */
const changedBy = (resource: Resource, params: Params, answer: Row): Params =>
  idIn(resource, params) === undefined && answer && resource.id in answer ? paramsOf(resource, answer, params) : params;

const failed = (target: Target, error: ApiError, failure = error.message): Done => ({
  target,
  label: target.label,
  failure,
  error: failure === error.message ? error : new ApiError({ ...error, message: failure, errors: [] }),
});

/** Finds out whether a change was done whose answer was lost; as long as that cannot be looked for, it is remembered. */
async function lookAfter(errand: Errand, before: Before, error: ApiError): Promise<Done> {
  const { deck, action, target } = errand;
  const { label } = target;
  deck.notices.say('plain', `${action.help}: ${label}: the answer was lost; looking whether it was done.`);
  const { verdict, says, row } = await lookFor(errand, before);
  if (verdict === 'unseen' || (verdict !== 'done' && isCreation(errand))) deck.doubts.lost.set(doubtOf(errand), before);
  return verdict === 'done' ? { target, label, row, note: says } : failed(target, error, says);
}

/** Tells of the same change that was sent before and could not be looked for then; undefined when it is to be sent. */
async function lookFirst(errand: Errand, before: Before): Promise<Done | undefined> {
  const { deck, action, target } = errand;
  const { method, path } = action;
  const { verdict, says, row } = await lookFor(errand, before);
  if (verdict === 'unseen')
    return failed(target, new ApiError({ kind: 'away', method, path, message: `Nothing was sent. ${says}` }));
  deck.doubts.lost.delete(doubtOf(errand));
  if (verdict === 'unclear' && isCreation(errand)) {
    const message = `Nothing was sent. ${says} Look at it; sending it once more makes another one.`;
    return failed(target, new ApiError({ kind: 'away', method, path, message }));
  }
  return verdict === 'done' ? { target, label: target.label, row, note: says } : undefined;
}

/** The same change has the same key; who sends something else means another one. */
const doubtOf = ({ resource, action, target: { params, body } }: Errand) =>
  JSON.stringify([resource.name, action.name, params, body]);

function unlessAbsent(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** The part of an answer that may be kept: a secret is shown once and forgotten. */
function withoutSecret({ secret }: Action, answer: Row): Row {
  const name = secret?.at(-1);
  if (name === undefined) return answer;
  const { [name]: _, ...others } = answer;
  return others;
}

/** Sends a multipart form with its files, as a transfer that is shown. Rejects with an ApiError. */
async function sendForm(deck: Deck, resource: Resource, action: Action, { params, body }: Target): Promise<Answer> {
  const form = new FormData();
  const names: string[] = [];
  for (const [name, value] of Object.entries((body ?? {}) as Row)) {
    if (fieldOf(resource, action, name).kind !== 'file') {
      form.set(name, String(value));
      continue;
    }
    const file = await readFile(deck, action, String(value));
    form.set(name, file);
    names.push(file.name);
  }
  const answered = Promise.withResolvers<Answer>();
  void deck.transfers.start(`${action.help}: ${names.join(', ')}`, async (options) => {
    const sent = deck.api.send(action, { params, form, ...options });
    answered.resolve(sent);
    await sent;
  });
  return answered.promise;
}

/** A file of this machine as a part of a form; it has the last part of its path as its name. */
async function readFile({ files }: Deck, { method, path: of }: Action, path: string): Promise<File> {
  const bytes = await files.read(path).catch((error: Error) => {
    throw new ApiError({ kind: 'malformed', method, path: of, message: error.message });
  });
  return new File([bytes], files.resolve(path).split('/').at(-1) ?? path);
}

/** Brings what is loaded in line with a change that succeeded. */
function takeIn(deck: Deck, resource: Resource, action: Action, params: Params, answer: Row): void {
  if (action === resource.remove) {
    deck.records.dropRow(resource, params);
    return;
  }
  const id = idIn(resource, params);
  const isRow = answer && typeof answer === 'object' && resource.id in answer;
  if (isRow && (id === undefined || idOf(resource, answer) === id || action.row)) {
    deck.records.putRow(resource, paramsOf(resource, answer, params), answer);
  } else {
    look(deck, resource, params);
  }
}

/** Makes stale what is loaded of the very thing that was changed, e.g. the access to a bucket. */
function lookAgain({ refresher }: Deck, { name, operations = {} }: Resource, { path }: Action, params: Params): void {
  const reads = Object.keys(operations).filter((operation) => operations[operation]?.path === path);
  if (reads.length === 0) return;
  const keys = new Set(reads.map((operation) => keyOf({ resource: name, operation, params })));
  refresher.invalidate((question) => keys.has(keyOf(question)));
}

/** Reads again what an action may have changed: the row, or the lists in which there may be a new one. */
function look({ records, refresher }: Deck, resource: Resource, params: Params): void {
  if (resource.view && idIn(resource, params) !== undefined) void records.readRow(resource, params);
  else refresher.invalidate((_question, rowsOf) => rowsOf === resource.name);
}

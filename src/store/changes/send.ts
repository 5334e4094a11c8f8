import { ApiError, asApiError, ignoreNotFound, notSent } from '../../api/error.ts';
import type { ApiResponse } from '../../api/request.ts';
import { idIn, idOf, paramsOf } from '../../resources/identity.ts';
import { type Action, isRow, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { sentence } from '../../text/words.ts';
import { queryKey } from '../cache.ts';
import type { Stores } from '../stores.ts';
import { baselineOf, takenElsewhere } from './baseline.ts';
import { type Change, changeKey, kindOf, makesRow, type Result, resultOf } from './change.ts';
import { freshRows } from './freshRows.ts';
import { verify } from './lostAnswers.ts';
import type { Baseline, Going, UnderWay } from './pendingChanges.ts';
import { inverseOfChange, namedTogether, newKey, type UndoLevel, undosOf } from './undoable.ts';
import { noteAnswered, noteMade } from './whoDidIt.ts';

/** Asks the guards about a change. */
type Ask = ReturnType<Stores['guards']['examine']>;

interface Sending {
  /** The label of the rows was typed. */
  isTyped?: boolean | undefined;
  onBegun?: (id: number) => void;
  /** Has them noted, under the names that they have then. */
  keep?: (changes: readonly Change[]) => Going | undefined;
  /** Those that guards count as one with them. */
  together?: readonly Change[];
  /** The state before them, where whoever sends them has read it. */
  before?: Baseline;
  /** They are a part of what is taken back as one, which whoever sends them keeps; so many were sent before. */
  part?: { key: string; first: number };
}

/** The results of changes, and how they are taken back. */
export interface Sent extends Awaited<ReturnType<Stores['changes']['run']>> {
  /** As they were sent, which alone may be uploaded or downloaded for. */
  changes: readonly Change[];
  level?: UndoLevel;
}

/**
 * Sends changes by one action, a few at a time, visibly and stoppably. Never rejects for a refusal of the API, and sends
 * nothing twice, nor what a guard refuses.
 */
export async function sendChanges(
  stores: Stores,
  by: Parameters<Stores['changes']['run']>[0],
  given: readonly Change[],
  { isTyped = false, onBegun, keep, together: among = given, before, part }: Sending = {},
): Promise<Sent> {
  const { key, first } = part ?? { key: newKey(), first: 0 };
  stores.changes.keys.add(key);
  const changes = by.action.harmless ? given : namedTogether(given, { key, first });
  const named = new Map(given.map((change, nth) => [change, changes[nth] as Change]));
  const together = among.map((change) => named.get(change) ?? change);
  const guards = stores.guards.examine(together, isTyped);
  const fresh = freshRows(stores, changes, before !== undefined);
  // A guard decides by the row as it is now.
  const known = new Map<Change, ReturnType<typeof inverseOfChange>>();
  const note = (change: Change) => void known.set(change, inverseOfChange(change, stores.view));
  const taking = changes.flatMap(({ takesBack }) => takesBack?.of ?? []);
  const leave = stores.unsent.takeBack(taking);
  const whyTaken = taking.length > 0 ? await takenElsewhere(stores, leave === undefined) : undefined;
  const ask: Ask = (asked) => {
    const change = asked as Change;
    const taken = whyTaken?.(change);
    if (taken !== undefined) return Promise.resolve(taken);
    const reading = fresh(change)?.then((why) => {
      // It was worked out on the row as it is now.
      if (why === undefined && (kindOf(change) === 'deletion' || change.changes)) note(change);
      return why ?? guards(change);
    });
    return reading ?? guards(change);
  };
  const going = keep?.(changes);
  const waiting = new Set(changes);
  const send = async (change: Change, underWay: UnderWay) => {
    waiting.delete(change);
    underWay.signal.onabort = () => going?.stopped(waiting);
    const result = await sendOnce(stores, change, ask, underWay, { known: before, going });
    going?.ended(change, result);
    return result;
  };
  if (by.action.harmless) return { changes, ...(await stores.changes.run(by, changes, send, onBegun)) };
  for (const change of changes) note(change);
  const sent = await stores.changes.run(by, changes, send, onBegun);
  going?.over();
  leave?.();
  const title = stores.changes.getState().changes.find(({ id }) => id === sent.id)?.title ?? '';
  const level = { key, ...undosOf(changes, known, stores.view, { results: sent.results, title }) };
  if (changes.length > 0 && !part)
    stores.changes.keep(level, takenBy(changes, sent.results), level.isBack === undefined);
  const { resource, action } = by;
  const stale: readonly string[] = [...(action.invalidates ?? []), ...(resource.view ? [] : [resource.name])];
  stores.scheduler.invalidate((query, rowsOf) => stale.includes(rowsOf ?? query.resource));
  void stores.events.poll();
  return { ...sent, changes, level };
}

/** The names of the changes that these have taken back. */
export const takenBy = (changes: readonly Change[], results: readonly Result[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ takesBack }, nth) => (takesBack && results[nth]?.state === 'done' ? [takesBack.of] : [])));

async function sendOnce(
  stores: Stores,
  change: Change,
  ask: Ask,
  underWay: UnderWay,
  { known, going }: { known: Baseline | undefined; going: Going | undefined },
) {
  const { inflight, lostAnswers } = stores.changes;
  const key = changeKey(change);
  if (inflight.has(key))
    return unsent(change, 'aborted', 'The same change is being sent already; wait for its result.');
  inflight.add(key);
  try {
    const { program, harmless } = change.action;
    if (harmless) return await runUserCommand(stores, change, underWay);
    if (program) return await guarded(change, ask, () => runUserCommand(stores, change, underWay));
    const before = lostAnswers.get(key);
    return (
      (before && (await verifyFirst(stores, change, before))) ??
      (await guarded(change, ask, () => {
        const noted = before ?? known ?? baselineOf(stores, change);
        const same = `The same ${change.resource.one} is there already, so nothing was sent.`;
        const go = async (one: Baseline) => {
          const why = one.hasSame ? same : going?.sent(change, one);
          return why === undefined ? send(stores, change, one) : resultOf(change, 'not sent', why);
        };
        return noted instanceof Promise ? noted.then(go) : go(noted);
      }))
    );
  } finally {
    inflight.delete(key);
  }
}

/** Carries out a command of the user's own that is no change of the API; the row is read again where a program may have changed it. */
async function runUserCommand(stores: Stores, change: Change, underWay: UnderWay): Promise<Result> {
  const { resource, action, params } = change;
  const { readAnswer, runProgram } = await import('./userCommand.ts');
  try {
    if (!action.program) return await readAnswer(stores, change, underWay);
    const result = await runProgram(stores, change, underWay);
    if (!action.harmless) reread(stores, resource, params);
    return result;
  } catch (error) {
    if (error instanceof ApiError) return failed(change, error);
    throw error;
  }
}

const failed = (change: Change, error: ApiError, says = error.message): Result => ({
  ...resultOf(change, 'failed', says),
  error: says === error.message ? error : new ApiError({ ...error, message: says, errors: [] }),
});

const unsent = (change: Change, kind: 'aborted' | 'unavailable', message: string): Result =>
  failed(change, notSent(change.action, kind, message));

function guarded(change: Change, ask: Ask, go: () => Promise<Result>): Promise<Result> {
  const asked = ask(change);
  if (!(asked instanceof Promise)) return go();
  return asked.then(
    (refusal) => (refusal === undefined ? go() : resultOf(change, 'not sent', sentence(refusal, change.label))),
    (error: unknown): Result => ({ ...failed(change, asApiError(error)), state: 'not sent' }),
  );
}

/** @param before the state before the same change was first sent */
async function send(stores: Stores, change: Change, before: Baseline): Promise<Result> {
  const { api, notifications, cache, session } = stores;
  const { resource, action, params, body } = change;
  before.uid = change.uid;
  try {
    if (action.first) await api.send(action.first, { params, change }).catch(ignoreNotFound);
    const { body: sent } = action.multipart
      ? await sendForm(stores, change)
      : await api.send(action, { params, body, change });
    const answer = isRow(sent) ? sent : {};
    const row = [action.row?.(answer)].find(isRow) ?? answer;
    update(stores, change, withoutSecret(action, row));
    invalidateReads(stores, change);
    const isNew = idIn(resource, params) === undefined && resource.id in row;
    notifications.noteChange(isNew ? paramsOf(resource, row, params) : params);
    if (makesRow(change) && isRow(row)) noteMade(stores.changes.own, resource, idOf(resource, row), true);
    else noteAnswered(stores, change, before);
    return { ...resultOf(change, 'done'), answer, ...((isIts(change, row) || change.action.undocumented) && { row }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The first of two requests may have been done.
    if (action.first) invalidateReads(stores, change);
    // Where its scopes are known to suffice, the refusal is about this row or this user.
    if (error.status === 403 && !api.scopes.isKnown) session.noteRefusal(action, error.message);
    const isGone = error.isGone && idIn(resource, params) !== undefined;
    if (isGone && (action === resource.remove || !resource.view)) cache.dropRow(resource, params);
    else if (isGone) reread(stores, resource, params);
    return error.maybeSent && error.kind !== 'aborted'
      ? verifyAfter(stores, change, before, error)
      : failed(change, error);
  }
}

/** Whether an answer is about the row that was changed or made. A snapshot answers its backup, and a user's command maybe a copy. */
const isIts = ({ resource, action, params }: Change, answer: Row): boolean =>
  !(resource.id in answer) || [undefined, idOf(resource, answer)].includes(idIn(resource, params)) || !!action.row;

/** Verifies a change whose answer was lost; one that may have been done after all is remembered. */
async function verifyAfter(stores: Stores, change: Change, before: Baseline, error: ApiError): Promise<Result> {
  const { changes, notices } = stores;
  const checking = `${change.action.help}: ${change.label}: the answer was lost; checking whether it was done.`;
  notices.say('plain', checking);
  const { outcome, says, ...found } = await verify(stores, change, before);
  notices.end(checking);
  if (outcome === 'done') return { ...resultOf(change, 'done', says), ...found };
  const isUnknown = outcome !== 'not done';
  if (isUnknown || makesRow(change)) changes.lostAnswers.set(changeKey(change), before);
  const { unseen } = found;
  return { ...failed(change, error, says), ...(isUnknown && { state: 'unknown' }), ...(unseen && { unseen }) };
}

/** Verifies a change that was sent before with an unknown result; undefined when it is to be sent again. */
async function verifyFirst(stores: Stores, change: Change, before: Baseline): Promise<Result | undefined> {
  const { outcome, says, ...found } = await verify(stores, change, before);
  const unknown = (text: string): Result => ({ ...unsent(change, 'unavailable', text), state: 'unknown' });
  if (outcome === 'unreachable') return unknown(`Nothing was sent. ${says}`);
  stores.changes.lostAnswers.delete(changeKey(change));
  if (outcome === 'done') return { ...resultOf(change, 'done', says), ...found };
  if (outcome === 'not done') return undefined;
  const again = makesRow(change) ? 'makes another one' : 'does it once more';
  return unknown(`Nothing was sent. ${says} Look at it; sending it once more ${again}.`);
}

/** The part of an answer that may be kept: a secret is shown once and forgotten. */
function withoutSecret({ secret }: Action, answer: Row): Row {
  const name = secret?.at(-1);
  if (name === undefined) return answer;
  const { [name]: _, ...others } = answer;
  return others;
}

/** Sends files as a multipart form, shown as a transfer. Rejects with an ApiError. */
async function sendForm({ api, files, transfers }: Stores, change: Change): Promise<ApiResponse> {
  const { action, params, body } = change;
  const form = new FormData();
  const names: string[] = [];
  for (const [name, value] of Object.entries((body ?? {}) as Row)) {
    const file = await readFile(files, action, String(value));
    form.set(name, file);
    names.push(file.name);
  }
  const answered = Promise.withResolvers<ApiResponse>();
  void transfers.start(`${action.help}: ${names.join(', ')}`, async (options) => {
    const sent = api.send(action, { params, form, change, ...options });
    answered.resolve(sent);
    await sent;
  });
  return answered.promise;
}

/** A file of this machine as a part of a form, with the last part of its path as its name. */
async function readFile(files: Stores['files'], action: Action, path: string): Promise<File> {
  const bytes = await files.read(path).catch((error: Error) => {
    throw notSent(action, 'malformed', error.message);
  });
  return new File([bytes], files.resolve(path).split('/').at(-1) ?? path);
}

function update(stores: Stores, change: Change, answer: Row): void {
  const { cache } = stores;
  const { resource, action, params } = change;
  if (action === resource.remove) cache.dropRow(resource, params);
  else if (isRow(answer) && resource.id in answer && isIts(change, answer))
    cache.putRow(resource, paramsOf(resource, answer, params), answer);
  else reread(stores, resource, params);
}

/** Invalidates answers at the path of the change, e.g. the access to a bucket. */
function invalidateReads({ scheduler }: Stores, { resource, action, params }: Change): void {
  const { name, operations = {} } = resource;
  const reads = Object.keys(operations).filter((operation) => operations[operation]?.path === action.path);
  if (reads.length === 0) return;
  const keys = new Set(reads.map((operation) => queryKey({ resource: name, operation, params })));
  scheduler.invalidate((query) => keys.has(queryKey(query)));
}

/** Reads a changed row again, or the lists that may have a new one. */
function reread({ cache, scheduler }: Stores, resource: Resource, params: Params): void {
  if (resource.view && idIn(resource, params) !== undefined) void cache.readRow(resource, params);
  else scheduler.invalidate((_, rowsOf) => rowsOf === resource.name);
}

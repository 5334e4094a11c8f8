import { idIn, idOf, paramsOf } from '../../resources/identity.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import { type Action, at, type FileTransfer, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { liesIn, nameAmong, plural } from '../../resources/wording.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { capitalized, textOf, withoutStop, withStop, wordsOf } from '../../text/words.ts';
import { type Overlay, placeOf } from '../navigation.ts';
import type { Stores } from '../stores.ts';
import {
  type Change,
  cachedRow,
  changeOn,
  changesFor,
  madeBy,
  type Result,
  resultOf,
  type Submission,
  type Target,
  unnamedLabel,
} from './change.ts';
import { stillThere } from './freshRows.ts';
import { fieldRefusal, ownRefusal } from './ownEntries.ts';
import { changeCounts, type Going } from './pendingChanges.ts';
import { readAgain } from './readAgain.ts';
import { type Sent, sendChanges } from './send.ts';
import { type UndoLevel, wayOn } from './undoable.ts';

/** Has the changes of a submission noted while they are sent. */
export type Keep = (submission: Submission, changes: readonly Change[]) => Going | undefined;

/**
 * Sends the changes of a submission and shows the results: a notice when all succeeded, else a list with a line for each
 * row. Rows on which it failed stay marked.
 */
export async function submit(stores: Stores, submission: Submission, keep?: Keep): Promise<readonly Result[]> {
  const { resource, action, targets } = submission;
  const { view, navigation, notices } = stores;
  const before = navigation.getState().overlays;
  const able: Target[] = [];
  const leftOut: Result[] = [];
  const whyGone = action.next === undefined ? undefined : await stillThere(stores, submission);
  for (const target of targets) {
    const why =
      whyGone?.(target.params) ??
      refusalFor(stores, resource, action, target) ??
      ownRefusal(resource, action, target, view) ??
      fieldRefusal(submission, target, view);
    if (!why) able.push(target);
    else leftOut.push(resultOf(changeOn(resource, action, target.row, target.params), 'not sent', withStop(why)));
  }
  const changes = leftOut.length > 0 && able.length === 0 ? [] : changesFor({ ...submission, targets: able }, view);
  const sent = await sendChanges(stores, submission, changes, {
    isTyped: submission.isTyped,
    keep: (named) => keep?.({ ...submission, targets: able }, named),
    onBegun: (id) => {
      const { program, harmless } = action;
      if (program ? program.show === 'pane' : harmless) navigation.open({ kind: 'output', change: id }, before);
    },
  });
  const { id, results, level } = sent;
  const done = results.filter(({ state }) => state === 'done');
  // A row that is made in place of another one is named by no parameters.
  const rows = able.length === results.length ? able : results;
  const isUnmarked = (nth: number) => !action.harmless && results[nth]?.state === 'done';
  const unmarked = rows.flatMap(({ params }, nth) => (isUnmarked(nth) && idIn(resource, params)) || []);
  const wereMarked = navigation.unmark(resource.name, unmarked);
  const made = action.parts || action.below ? undefined : newRowOf(submission, results);
  if (made) {
    const section = resource.sections?.find(({ only }) => only(made))?.title;
    navigation.pointAt(resource.name, idOf(resource, made), section);
  }
  if (action === resource.remove) leaveDeleted(stores, resource, done);
  showSecrets(stores, submission, sent, rows, before);
  void tellEnds(stores, resource, transfersOf(stores, sent));
  const all = [...results, ...leftOut];
  if (leftOut.length === 0 && isOutputShown(stores, id)) return all;
  const isTold = done.some(({ says }) => says !== undefined);
  if (done.length === all.length && !(isTold && all.length > 1)) {
    // The end of a file transfer has a notice of its own.
    if (!action.fileTransfer || isTold) {
      const isAgain = wereMarked && done.length > 1 && action !== resource.remove;
      const marks = isAgain ? `; ${keyLabel('list.markRange', 'V')} marks them again` : '';
      const more = `${marks}${takingBack(level, done.length)}`;
      const text = successText(submission, done, view);
      const uids = action.harmless ? undefined : done.flatMap(({ uid }) => uid ?? []);
      notices.say(action.shownBy?.isJob ? 'busy' : 'good', more === '' ? text : withoutStop(text) + more, {
        sent: uids,
      });
    }
  } else if (all.length > 1) {
    showResults(stores, before, id, leftOut);
  }
  return all;
}

/** The end of a notice about a change that can be taken back. */
function takingBack(level: UndoLevel | undefined, done: number): string {
  if (!level || level.undos.length === 0) return '';
  const { undos, lost, isBack } = level;
  const isOne = undos.length === 1 || undos[0]?.inverse.first !== undefined;
  const what = lost.length > 0 ? `${done - lost.length} of ${done}` : isOne ? 'it' : 'them';
  return `; ${wayOn(isBack === true, what)}`;
}

/** Why an action cannot be done to a row: its own reason, or that of a guard. */
export const refusalFor = (
  { view, guards }: Stores,
  resource: Resource,
  action: Action,
  { row, params }: Target,
): string | undefined => action.refuse?.(row, view) ?? guards.refusal(resource, action, params, row);

/** Submits without a form, so that a failure is shown as a notice. Rows that take a change back are read again before. */
export async function submitWithoutForm(stores: Stores, given: Submission, keep?: Keep): Promise<void> {
  const { targets: asked, ...submission } = given;
  const { resource, action, takesBack } = submission;
  const say = (text: string) => stores.notices.say('bad', `${action.help}: ${text}`);
  const rows = asked.map(({ params }) => params);
  const unread = takesBack && (await readAgain(stores, resource, rows));
  if (unread) return say(`its state could not be read, so nothing was sent. ${unread.message}`);
  const targets = asked.map((one) => ({ ...one, row: cachedRow(stores.view, resource, one.params) ?? one.row }));
  const [target] = targets;
  const name = target && nameAmong(resource, target.row, stores.view.rows(resource.name));
  const [first, ...others] = await submit(stores, { ...submission, targets }, keep);
  if (!first || others.length > 0 || first.state === 'done' || isOutputShown(stores)) return;
  // Of rows of one name the same key is to be about the same row once more.
  if (name !== first.label && first.rowId !== undefined) stores.navigation.pointAt(resource.name, first.rowId);
  say(`${name ?? first.label}: ${first.says}`);
}

/** Whether the output of a command is on the screen, which then tells all that there is to say. */
const isOutputShown = ({ navigation }: Stores, id?: number): boolean =>
  navigation.getState().overlays.some((one) => one.kind === 'output' && (id === undefined || one.change === id));

/** Shows as a notice why a change failed whose form was closed while it was sent. */
export function sayIfClosed(stores: Stores, overlay: Overlay, { help }: Action, { label, says }: Result): void {
  if (stores.navigation.getState().overlays.includes(overlay)) return;
  stores.notices.say('bad', `${help}: ${label}: ${says} What you typed is kept.`);
}

/** Opens the results of each row, unless another overlay was opened since; that keeps the keys. */
function showResults(stores: Stores, before: readonly Overlay[], id: number, leftOut: readonly Result[]): void {
  const { navigation, notices, changes } = stores;
  const change = changes.getState().changes.find((one) => one.id === id);
  if (navigation.getState().overlays.every((one) => before.includes(one)))
    navigation.open({ kind: 'results', change: id, leftOut });
  else if (change) {
    const counts = changeCounts(change, leftOut.length);
    notices.say('bad', `${change.title}: ${counts}; ${keyLabel('everywhere.journal', 'J')} shows each.`);
  }
}

/** The new row, also one made from another row; undefined where rows were changed. */
function newRowOf({ resource, targets }: Submission, [first, ...others]: readonly Result[]): Row | undefined {
  const row = first?.row;
  if (!row || others.length > 0 || !(resource.id in row)) return undefined;
  return targets.length === 0 || idOf(resource, row) !== first.rowId ? row : undefined;
}

/**
 * Shows the secrets of answers, below what was opened since, which keeps the keys; where there is none, asks about a new row
 * whose secret is lost, or did not come.
 * @param rows those that were changed, in whose place others were made
 */
function showSecrets(
  { navigation }: Stores,
  { resource, action: { help: title, ...action }, replaces }: Submission,
  { changes, results }: Sent,
  rows: readonly Pick<Target, 'params'>[],
  before: readonly Overlay[],
): void {
  const next = action.next ?? replaces?.next;
  const answered = changes.flatMap((change, nth) => {
    const { answer } = results[nth] ?? {};
    const secret = answer ? (change.action.secret ?? []) : [];
    const values = secret.map((field) => ({ name: capitalized(wordsOf(field)), text: textOf(answer?.[field]) }));
    const old = replaces?.params ?? rows[nth]?.params;
    return values.length > 0 ? [{ label: change.label, values, made: madeBy(change, answer).made, old }] : [];
  });
  const all = answered.filter(({ values }) => values.at(-1)?.text.trim() !== '');
  const without = answered.flatMap((one) => (one.made && !all.includes(one) ? [one.made] : []));
  const lost = [...results.flatMap(({ unseen }) => (unseen ? [paramsOf(resource, unseen)] : [])), ...without];
  if (all.length > 0) navigation.open({ kind: 'secret', title, resource: resource.name, all, next, lost }, before);
  else if (lost.length > 0) navigation.open(unseenQuestion(resource.name, lost), before);
}

/** Asks whether to delete new rows whose secrets nobody has. */
export const unseenQuestion = (of: string, targets: readonly Params[]): Overlay => ({
  kind: 'confirm',
  resource: of,
  action: 'delete',
  targets,
  params: {},
  about:
    targets.length === 1
      ? 'This one is new: nobody has seen its secret here, and the API does not tell who made it.'
      : 'These are new: nobody has seen their secrets here, and the API does not tell who made them.',
});

/** Starts the file transfers to the addresses in answers. */
const transfersOf = (stores: Stores, { changes, results }: Sent) =>
  changes.flatMap((change, nth) => {
    const { fileTransfer } = change.action;
    const { answer } = results[nth] ?? {};
    return fileTransfer && answer ? transferFile(stores, fileTransfer, change, answer) : [];
  });

function leaveDeleted({ navigation }: Stores, resource: Resource, deleted: readonly Result[]): void {
  const place = placeOf(navigation.getState());
  if (place.screen !== 'detail' || place.resource !== resource.name) return;
  const id = idIn(resource, place.params);
  if (deleted.some(({ rowId }) => rowId === id)) navigation.up();
}

function successText({ resource, action }: Submission, done: readonly Result[], view: Stores['view']): string {
  const { help, program, shownBy, parts, below } = action;
  const [first] = done;
  if (first?.says && done.length === 1)
    return program?.show === 'terminal' ? `${help}: ${first.label}: ${first.says}` : first.says;
  const row = first?.row;
  const name = row && !parts && !below && resource.id in row ? resource.label(row) : first?.label;
  if (!first || done.length > 1) return `${help}: all ${done.length} ${shownBy?.isJob ? 'begun' : 'done'}`;
  const [above] = resource.within && !parts && !below ? ancestorsOf(resource) : [];
  const parent = above && cachedRow(view, above, first.params);
  const where = parent ? liesIn(resource, above, parent) : '';
  const named = where !== '' && first.label === unnamedLabel(resource) ? where : `${name} ${where}`.trim();
  return `${help}: ${named}${shownBy?.isJob ? ', begun' : ''}`;
}

interface TransferEnd {
  tone: 'good' | 'plain' | 'bad';
  says: string;
}

/** Shows notices of how transfers end: one of several deletions, one of each that does not succeed. */
async function tellEnds({ notices }: Stores, resource: Resource, ends: readonly Promise<TransferEnd>[]): Promise<void> {
  const all = await Promise.all(ends);
  const good = all.filter(({ tone }) => tone === 'good');
  if (good.length > 1) notices.say('good', `${good.length} ${plural(resource)} are deleted.`);
  for (const { tone, says } of good.length > 1 ? all.filter((one) => !good.includes(one)) : all)
    notices.say(tone, says);
}

/** Uploads, downloads or deletes the file of a change at the address in its answer. */
export async function transferFile(
  stores: Stores,
  described: FileTransfer,
  change: Change,
  answer: Row,
): Promise<TransferEnd> {
  const { scheduler, transfers } = stores;
  const { label, resource } = change;
  const address = at(answer, described.address);
  if (typeof address !== 'string')
    return { tone: 'bad', says: `The API gave no address for ${label}, so nothing was done; try again.` };
  const { what, move, success } = transferOf(stores, described, change, address);
  const { state, error = '', isOpen } = await transfers.start(what, move);
  const missed = described.way === 'upload' && described.missed && !isOpen ? ` ${described.missed}` : '';
  if (described.way !== 'download') scheduler.invalidate((_, rowsOf) => rowsOf === resource.name);
  if (state === 'done') return { tone: 'good', says: success };
  if (state === 'failed') return { tone: 'bad', says: error + missed };
  const end = isOpen ? ', but it may have been done; look at it before you do it again.' : `.${missed}`;
  return { tone: isOpen ? 'bad' : 'plain', says: `${what}: cancelled${end}` };
}

function transferOf(
  { api, files }: Stores,
  described: FileTransfer,
  change: Change,
  address: string,
): { what: string; move: Parameters<Stores['transfers']['start']>[1]; success: string } {
  const { label, body, file = '' } = change;
  if (described.way === 'delete') {
    return {
      what: `Delete ${label}`,
      move: ({ signal }) => api.files.remove(address, signal, change),
      success: `${label} is deleted.`,
    };
  }
  const path = files.resolve(file);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (described.way === 'download') {
    return {
      what: `Download ${name}`,
      move: (options) => api.files.download(address, path, options),
      success: `Downloaded to ${path}; only you can read it.`,
    };
  }
  const type = described.contentType === undefined ? undefined : at(body, described.contentType);
  const contentType = typeof type === 'string' ? type : undefined;
  return {
    what: `Upload ${name}`,
    move: (options) => api.files.upload(address, path, { ...options, contentType, change }),
    success: [`${name} is uploaded.`, described.arrived].filter(Boolean).join(' '),
  };
}

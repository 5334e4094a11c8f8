import { bodyOf } from '../../resources/body.ts';
import { changeOf, type Edits } from '../../resources/edits.ts';
import { idIn } from '../../resources/identity.ts';
import type { Action, CacheView, Draft, Params, Resource, Row } from '../../resources/resource.ts';
import { type Done, perform, targetOf } from '../../store/changes/act.ts';
import type { Target } from '../../store/changes/doubts.ts';
import type { Deck } from '../../store/deck.ts';
import { type Outcome, type Overlay, placeOf } from '../../store/navigation.ts';
import { idOf } from '../../store/records.ts';
import { capitalized } from '../../text/words.ts';
import type { Subject } from '../subjects.ts';
import { carryFile } from '../transfers/carry.ts';
import { changeFacts } from '../transfers/changeLines.ts';

/** Everything that is needed to carry an action out. */
export interface Errand {
  resource: Resource;
  action: Action;
  /** The rows it is done to; none where one is made. */
  subjects: readonly Subject[];
  /** The parameters of the list in which one is made. */
  params: Params;
  draft: Draft;
  /** Where parts of rows are changed: what was touched, which alone is sent. */
  edits?: Edits;
}

/** The requests of an errand, one for each row, or one for what is made. */
export function targetsOf(
  { resource, action, subjects, params, draft, edits }: Errand,
  known: CacheView,
): readonly Target[] {
  if (subjects.length === 0) {
    const body = bodyOf(resource, action, draft, undefined, known);
    return [{ params, label: labelOf(resource, body), body }];
  }
  return subjects.map(({ row, params: own }) => {
    const body = edits
      ? changeOf(resource, action, edits, row, known, own)
      : bodyOf(resource, action, draft, row, known);
    return targetOf(resource, row, own, body);
  });
}

/** Names a row that is made: as it will be, where the request tells so much. */
function labelOf(resource: Resource, body: Row = {}): string {
  const unnamed = `the new ${resource.one}`;
  try {
    const label = resource.label(body);
    return label && !label.includes('undefined') ? label : unnamed;
  } catch {
    return unnamed;
  }
}

/**
 * Carries an errand out and says what became of it: a notice when all went well, a list with one line a row when not.
 * Rows on which it failed stay marked.
 */
export async function carryOut(deck: Deck, errand: Errand): Promise<readonly Done[]> {
  const { resource, action, subjects } = errand;
  const able = subjects.filter(({ row }) => !action.refuse?.(row, deck.view));
  const refused = subjects
    .filter((subject) => !able.includes(subject))
    .map(({ row }) => ({ label: resource.label(row), failure: action.refuse?.(row, deck.view) }));
  const targets = subjects.length > 0 && able.length === 0 ? [] : targetsOf({ ...errand, subjects: able }, deck.view);
  const run = deck.changes.begin(resource, action, targets);
  const done = await perform(deck, resource, action, targets, run);
  const failed = done.filter(({ failure }) => failure !== undefined);
  const succeeded = done.filter(({ failure }) => failure === undefined);
  deck.navigation.unmark(
    resource.name,
    succeeded.map(({ target }) => idIn(resource, target.params) ?? ''),
  );
  const made = madeBy(errand, done);
  if (made) {
    const section = resource.sections?.find(({ only }) => only(made))?.title;
    deck.navigation.pointAt(resource.name, idOf(resource, made), section);
  }
  if (action === resource.remove) leaveDeleted(deck, resource, succeeded);
  for (const one of succeeded) follow(deck, errand, one);
  const isTold = succeeded.some(({ note }) => note !== undefined);
  if (failed.length === 0 && refused.length === 0 && !(isTold && done.length > 1)) {
    // Where a file is carried too, the end of that is the news.
    if (!action.fileTransfer || isTold) deck.notices.say('good', successText(resource, action, done));
  } else if (subjects.length > 1) {
    tellResults(deck, errand, run.id, refused);
  }
  return done;
}

/** Shows what became of each row, unless that would take the keys from something else that was opened meanwhile. */
function tellResults(deck: Deck, { resource, action }: Errand, id: number, leftOut: readonly Outcome[]): void {
  const { navigation, notices, changes } = deck;
  const isOwn = (overlay: Overlay) =>
    overlay.kind === 'form' && overlay.resource === resource.name && overlay.action === action.name;
  const change = changes.getState().changes.find((one) => one.id === id);
  if (navigation.getState().overlays.every(isOwn)) navigation.open({ kind: 'results', change: id, leftOut });
  else if (change) notices.say('bad', `${change.title}: ${changeFacts(change)}; T shows each.`);
}

/** Says why a change failed whose form was closed while it was sent. */
export function sayUnseen({ navigation, notices }: Deck, overlay: Overlay, { help }: Action, failed: Outcome): void {
  if (navigation.getState().overlays.includes(overlay)) return;
  notices.say('bad', `${help}: ${failed.label}: ${failed.failure} What you typed is kept.`);
}

/** The row that was made, also where it was made out of another one; undefined where rows were changed. */
function madeBy({ resource, subjects }: Errand, [first, ...others]: readonly Done[]): Row | undefined {
  const { row, target } = first ?? {};
  if (!row || !target || others.length > 0 || !(resource.id in row)) return undefined;
  return subjects.length === 0 || idOf(resource, row) !== idIn(resource, target.params) ? row : undefined;
}

/** Follows an action that was done: a secret is shown, a file is carried. */
function follow(deck: Deck, { resource, action, draft }: Errand, { answer, target, label }: Done): void {
  if (!answer) return;
  const { secret = [], fileTransfer: carries, help } = action;
  const values = secret.map((field) => ({ name: spoken(field), text: String(answer[field] ?? '') }));
  if (values.some(({ text }) => text !== '')) deck.navigation.open({ kind: 'secret', title: help, values });
  if (carries) void carryFile(deck, { resource, carries, draft, sent: target.body, answer, label });
}

/** The name of a field as words: `secret_key` is Secret key. */
const spoken = (field: string) => capitalized(field.replaceAll('_', ' '));

/** Carries an errand out that has no form in which a refusal could be said. */
export async function carryOutAlone(deck: Deck, errand: Errand): Promise<void> {
  const done = await carryOut(deck, errand);
  const [first] = done;
  if (done.length === 1 && first?.failure)
    deck.notices.say('bad', `${errand.action.help}: ${first.label}: ${first.failure}`);
}

/** Leads back from the detail of a row that is no more. */
function leaveDeleted({ navigation }: Deck, resource: Resource, deleted: readonly Done[]): void {
  const place = placeOf(navigation.getState());
  if (place.screen !== 'detail' || place.resource !== resource.name) return;
  const id = place.params[resource.param];
  if (deleted.some(({ target }) => target.params[resource.param] === id)) navigation.up();
}

function successText(resource: Resource, { help }: Action, done: readonly Done[]): string {
  const [first] = done;
  if (first?.note && done.length === 1) return first.note;
  const row = first?.row;
  const name = row && resource.id in row ? resource.label(row) : first?.label;
  return done.length === 1 ? `${help}: ${name}` : `${help}: all ${done.length} done`;
}

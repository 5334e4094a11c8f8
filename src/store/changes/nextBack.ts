import { audit as auditList } from '../../resources/account/audit.ts';
import type { Row } from '../../resources/resource.ts';
import { ofSeveral } from '../../resources/wording.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { momentWords } from '../../text/times.ts';
import { recordIn, uidOf } from '../history/auditLog.ts';
import type { Stores } from '../stores.ts';
import { type Proposal, proposeAny, sayNever, type TakingBack, takeBack } from './takeBack.ts';
import {
  doubtfullyBack,
  goneSince,
  keyOfName,
  namesOf,
  partMark,
  takenBack,
  titleOfSome,
  type UndoLevel,
  wholeName,
} from './undoable.ts';

/** Takes back what was sent, or does again what was taken back. */
type Way = 'undo' | 'redo';

/**
 * Proposes to take back what was sent last and is not taken back yet, in this session or in another one of the account, or to
 * do again what was taken back last. Sends nothing. What can never be is passed: the next time it is what was before it.
 * @param isHere whether nothing was opened since the key
 */
export async function nextBack(stores: Stores, way: Way, isHere = stores.navigation.here()): Promise<void> {
  const { api, changes, notices, audit } = stores;
  const again = way === 'undo' ? keyLabel('everywhere.takeBack', 'u') : keyLabel('everywhere.redo', 'U');
  const say = (text: string) => notices.say('plain', text);
  if (api.readOnly)
    return say(`Read-only: nothing was changed from here; ${again} in a row's History plans what takes a change back.`);
  if (changes.getState().changes.some(({ isOver, action }) => !isOver && !action.harmless))
    return say(`A change is being sent; ${again} ${way === 'undo' ? 'takes it back' : 'goes on'} once it is done.`);
  await audit.refresh();
  const log = stores.view.rows(auditList.name);
  const then = `${again} again goes on to what was before it.`;
  const [level] = changes
    .getState()
    [way].filter((one) => !changes.passed.has(one.key))
    .toReversed();
  const [sent] = level ? [] : sentLevels(stores, log, way);
  const key = level?.key ?? sent?.key;
  const once = `refused ${key}`;
  const next = { then, isAgain: changes.passed.delete(once), again, isHere };
  const asked = level ? await proposeLevel(stores, level, next) : sent && (await takeBack(stores, sent.records, next));
  if (asked === 'never' && key !== undefined) changes.passed.add(key);
  if (asked === 'not now') changes.passed.add(once);
  if (level) return;
  if (!sent)
    return say(
      way === 'undo' ? 'No change from here is left to take back.' : 'Nothing that was taken back is left to do again.',
    );
  const { records, at } = sent;
  const doubtful = doubtfullyBack(stores.view);
  const isLost = records.some(({ uid }) => doubtful.has(String(uid)));
  const [was, back] = way === 'undo' ? ['sent', 'took it back'] : ['taken back', 'did it again'];
  const lost = isLost ? ` The answer to what ${back} is not known: look whether that was done.` : '';
  if (asked === 'asked') say(`This was ${was} ${momentWords(at, stores.now())}, in another session.${lost}`);
}

/** Proposes a level of this session, as far as no other session was faster. */
async function proposeLevel(
  stores: Stores,
  { title, isBack: isRedo, undos, lost, why }: UndoLevel,
  next: Omit<TakingBack, 'title' | 'isRedo'>,
): Promise<Proposal> {
  const [taken, goneOf] = [takenBack(stores.view), goneSince(stores.view)];
  const left = undos.filter(({ of }) => !taken.has(wholeName(of)));
  const vain = left.flatMap((one) => [goneOf(one) ?? []].flat().map((why) => ({ label: one.label, why })));
  const taking = { ...next, title, isRedo };
  if (why !== undefined) return sayNever(stores, taking, lost.length > 1 ? ofSeveral(why) : why);
  if (left.length === 0)
    return sayNever(stores, taking, `Another session has ${isRedo ? 'done it again' : 'taken it back'} meanwhile.`);
  if (left.length === vain.length) return sayNever(stores, taking, vain[0]?.why ?? '');
  const able = left.filter((one) => goneOf(one) === undefined);
  const named = titleOfSome(title, namesOf(undos).size, namesOf(able).size);
  return await proposeAny(stores, { ...taking, title: named }, able, [...lost, ...vain]);
}

/** Changes that were sent together, or taken back together, as the audit log has them, the newest first. */
function sentLevels({ changes }: Stores, log: readonly Row[], way: Way) {
  const known = new Set([...changes.getState().undo, ...changes.getState().redo].map(({ key }) => key));
  const isIn = (row: Row) =>
    (row.isBack === true) === (way === 'redo') &&
    !row.isTakenBack &&
    !row.isPast &&
    !String(row.takesBack ?? '').endsWith(partMark);
  const done = log.filter(({ outcome, isForeign, method }) => outcome === 'done' && !isForeign && method !== undefined);
  // Once something else was sent, nothing before it is done again.
  const newest = done.findIndex(({ takesBack }) => takesBack === undefined);
  const rows = (way === 'redo' && newest >= 0 ? done.slice(0, newest) : done).filter(isIn);
  const groups = Map.groupBy(rows, (row) => keyOfName(uidOf(row)));
  return [...groups].flatMap(([key, those]) => {
    const records = those.flatMap((row) => recordIn(row) ?? []);
    const isNext = records.length > 0 && !known.has(key) && !changes.passed.has(key);
    return isNext ? [{ key, records, at: Number(those[0]?.at) }] : [];
  });
}

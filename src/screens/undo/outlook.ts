import { audit } from '../../resources/account/audit.ts';
import type { Row } from '../../resources/resource.ts';
import { differingClauses, ofSeveral } from '../../resources/wording.ts';
import { changesFor, type Submission } from '../../store/changes/change.ts';
import { inverseOfChange, namesOf, wholeName } from '../../store/changes/undoable.ts';
import { recordIn, uidOf } from '../../store/history/auditLog.ts';
import type { TakesBack } from '../../store/navigation.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { attempt } from '../../text/errno.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted, uncapitalized } from '../../text/words.ts';

/** Further rows are not looked at: their inverse is as that of the first. */
const maxExamined = 20;

/** Words by which a warning says itself that something is final. */
const finalWords = /cannot be (?:undone|recovered|read back|revoked|made private|made smaller)|never be made smaller/;

/**
 * That a change cannot be taken back, or what is different then, before it is sent; undefined where it can as it is, where
 * that is said already or cannot be known yet, or where another session is to carry it out.
 * @param said the sentences beside it
 * @returns a sentence, and whether at least a part of it cannot
 */
export function outlookOf(
  submission: Submission,
  stores: Pick<Stores, 'api' | 'session' | 'view'>,
  said: readonly string[],
) {
  const { view } = stores;
  const { action, targets } = submission;
  if (action.harmless || action.program) return undefined;
  // None where a form does not hold what can be sent.
  const examined = { ...submission, targets: targets.slice(0, maxExamined) };
  const found = attempt(() => changesFor(examined, view).map((change) => inverseOfChange(change, view, {}))) ?? [];
  const whys = found.flatMap((one) => ('why' in one ? [one.why] : []));
  const [why] = whys;
  if (why !== undefined) {
    if (said.some((text) => finalWords.test(text) || text.includes(why))) return undefined;
    const subject = whys.length < found.length ? 'Some of it cannot' : 'Cannot';
    const reason = whys.length > 1 ? ofSeveral(why) : why;
    return { says: `${subject} be taken back: ${uncapitalized(reason)}`, isFinal: true };
  }
  // Only the session that has sent it takes it back.
  if (isPlanOnly(stores, action)) return undefined;
  const inverses = found.flatMap((one) => ('why' in one ? [] : one));
  const differs = differingClauses(inverses.map((one) => one.differs ?? []));
  if (differs.length === 0) return undefined;
  const key = keyLabel('everywhere.takeBack', 'u');
  return { says: `Can be taken back by ${key}, but ${differs.join('; ')}.`, isFinal: false };
}

/** The title of a form or question, which may take a change back. */
export const backTitle = (takesBack: TakesBack | undefined, title: string): string =>
  takesBack ? `${takesBack.isRedo ? 'Do again' : 'Take back'}: ${title}` : title;

/** Sentences about what was set since, and what is not as before once a change was taken back; empty where all is. */
export const differingWords = ({ changed = [], differs }: Pick<TakesBack, 'differs'> & Partial<TakesBack>): string =>
  [...said('Changed again since: ', changed), ...said('Not all is as before then: ', differs)].join(' ');

const said = (lead: string, clauses: readonly string[]) =>
  clauses.length > 0 ? [`${lead}${clauses.join('; ')}.`] : [];

/**
 * Proposes what takes changes back that were sent from here, or answers why there is nothing.
 * @param uids their names
 */
export function takesBack(stores: Stores, uids: readonly string[]): string | undefined {
  if (uids.length === 0)
    return `Only what was sent from here can be taken back; elsewhere ${keyLabel('everywhere.takeBack', 'u')} takes back the last change.`;
  const wanted = new Set(uids);
  const rows = stores.view.rows(audit.name).filter((row) => wanted.has(uidOf(row)));
  const isBackAlready = rows.length > 0 && rows.every(({ isTakenBack, isPast }) => isTakenBack || isPast);
  const isHere = stores.navigation.here();
  const late = () => import('../../store/changes/takeBack.ts');
  // This session knows more of what it has sent than the audit log.
  const { undo, redo } = stores.changes.getState();
  const levels = [...undo, ...redo].flatMap((level) => {
    const undos = level.undos.filter(({ of }) => wanted.has(wholeName(of)));
    return undos.length > 0 ? [{ ...level, undos, isWhole: undos.length === level.undos.length }] : [];
  });
  const undos = levels.flatMap((level) => level.undos);
  const [level] = levels;
  if (level && !isBackAlready && namesOf(undos).size === wanted.size) {
    const title = levels.length === 1 && level.isWhole ? level.title : counted(uids.length, 'change');
    const isRedo = levels.every(({ isBack }) => isBack);
    void late().then(({ proposeAny }) => proposeAny(stores, { title, isRedo, isHere }, undos));
    return undefined;
  }
  const latestFirst = rows.toSorted((one, other) => Number(other.at) - Number(one.at));
  const records = latestFirst.flatMap((row) => (whyNot(row) === undefined ? (recordIn(row) ?? []) : []));
  const [first] = rows;
  if (!first) return 'Nothing of it was done.';
  if (records.length === 0)
    return rows.length === 1 ? whyNot(first) : `None of these ${counted(rows.length, 'change')} can be taken back.`;
  void late().then(({ takeBack }) => takeBack(stores, records, { count: rows.length, isHere }));
  return undefined;
}

/** Why a row of the audit log is not taken back, as a sentence; undefined where it may be. */
function whyNot(row: Row): string | undefined {
  if (row.isForeign) return 'It is not known to be of this account, so it is not taken back.';
  if (row.command !== undefined || row.shell !== undefined)
    return 'It is a program of this machine, which nothing takes back.';
  if (row.isTakenBack) return 'It was taken back already.';
  if (row.isPast) return 'It was taken back and done again; the line of doing it again can be taken back.';
  if (row.outcome !== 'done') return 'It is not known to be done, so it is not taken back.';
  return recordIn(row) ? undefined : 'The audit log does not say enough of it to take it back.';
}

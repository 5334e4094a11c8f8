import { audit } from '../../resources/account/audit.ts';
import type { Row } from '../../resources/resource.ts';
import { partMark } from '../../store/changes/undoable.ts';
import { recordIn, uidOf } from '../../store/history/sentRecord.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';

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
    const undos = level.undos.filter(({ of }) => wanted.has(of.replace(partMark, '')));
    return undos.length > 0 ? [{ ...level, undos, isWhole: undos.length === level.undos.length }] : [];
  });
  const undos = levels.flatMap((level) => level.undos);
  const [level] = levels;
  if (level && !isBackAlready && new Set(undos.map(({ of }) => of.replace(partMark, ''))).size === wanted.size) {
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

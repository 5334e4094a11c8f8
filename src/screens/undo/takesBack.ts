import type { Row } from '../../resources/resource.ts';
import { recordIn } from '../../store/history/sentRecord.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';

/** Proposes what takes back changes of the audit log, or answers why there is nothing. */
export function takesBack(stores: Stores, rows: readonly Row[]): string | undefined {
  const latestFirst = rows.toSorted((one, other) => Number(other.at) - Number(one.at));
  const records = latestFirst.flatMap((row) => (whyNot(row) === undefined ? (recordIn(row) ?? []) : []));
  const [first] = rows;
  if (!first)
    return `Only what was sent from here can be taken back; elsewhere ${keyLabel('everywhere.takeBack', 'u')} takes back the last change.`;
  if (records.length === 0)
    return rows.length === 1 ? whyNot(first) : `None of these ${counted(rows.length, 'change')} can be taken back.`;
  void import('../../store/changes/takeBack.ts').then(({ takeBack }) => takeBack(stores, records, rows.length));
  return undefined;
}

/** Why a row of the audit log is not taken back, as a sentence; undefined where it may be. */
function whyNot(row: Row): string | undefined {
  if (row.isForeign) return 'It is not known to be of this account, so it is not taken back.';
  if (row.command !== undefined || row.shell !== undefined)
    return 'It is a program of this machine, which nothing takes back.';
  if (row.outcome !== 'done') return 'It is not known to be done, so it is not taken back.';
  return recordIn(row) ? undefined : 'The audit log does not say enough of it to take it back.';
}

import type { HistoryEntry } from '../../store/history/history.ts';
import { recordIn } from '../../store/history/sentRecord.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';

/** Proposes the change that takes back the one of an entry, or answers why there is none. */
export function takesBack(stores: Stores, { sent }: HistoryEntry): string | undefined {
  const key = keyLabel('everywhere.takeBack', 'u');
  if (!sent) return `Only what was sent from here can be taken back; elsewhere ${key} takes back the last change.`;
  if (sent.outcome !== 'done') return 'It is not known to be done, so it is not taken back.';
  const record = recordIn(sent);
  if (!record) return 'The audit log does not say enough of it to take it back.';
  void import('../../store/changes/takeBack.ts').then(({ takeBack }) => takeBack(stores, record));
  return undefined;
}

import type { StoreApi } from 'zustand/vanilla';
import type { Row } from '../../resources/resource.ts';
import type { AuditOwner, AuditSource } from '../../store/audit/auditSource.ts';
import { createListeners } from '../../store/listeners.ts';
import type { Log, LogEntry } from '../log.ts';
import { ownLines } from './hooks.ts';

/** The audit log of one account: where its lines go, and how they are read back. */
export type AccountAudit = ReturnType<typeof accountAudit>;

/** So many lines of a session without a file are kept. */
const maxLines = 40_000;

/**
 * Tells whoever follows of each line that is written.
 * @param files where lines go, and the directory of those to read back; without them, as in the demo, lines are kept for the session
 */
export function accountAudit(
  owner: StoreApi<AuditOwner>,
  files: { log: Pick<Log, 'write' | 'commit'>; directory: string } | undefined,
  now: () => number,
) {
  const listeners = createListeners<[line: Row]>();
  const own: Row[] = [];
  const tell = (entry: LogEntry) => {
    // A line is read back as the file has it.
    const line: Row = JSON.parse(JSON.stringify(entry));
    if (!files) {
      own.push(line);
      if (own.length > maxLines) own.shift();
    }
    listeners.tell(line);
  };
  const log = {
    write(entry: LogEntry) {
      files?.log.write(entry);
      tell(entry);
    },
    async commit(entry: LogEntry) {
      await files?.log.commit(entry);
      tell(entry);
    },
  };
  const source: AuditSource = {
    owner,
    read: async (take) => {
      if (files) return (await import('./readAuditLog.ts')).readAuditLog(files.directory, take);
      take(own.toReversed());
      return undefined;
    },
    follow: listeners.subscribe,
  };
  return { lines: ownLines(log, owner, now), source };
}

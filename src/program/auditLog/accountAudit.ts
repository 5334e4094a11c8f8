import type { Row } from '../../resources/resource.ts';
import type { AuditSource } from '../../store/audit/auditSource.ts';
import type { Log, LogEntry } from '../log.ts';

type Lines = Pick<Log, 'write' | 'commit'>;

/** The audit log of one account: where its lines go, and how they are read back. */
export interface AccountAudit extends Lines {
  source: AuditSource;
}

/** So many lines of a session without a file are kept. */
const maxLines = 40_000;

/**
 * Tells whoever follows of each line that is written.
 * @param log the file; without it, as in the demo, lines are kept for the session
 * @param directory of the files to read back
 */
export function accountAudit(log: Lines | undefined, directory?: string): AccountAudit {
  const listeners = new Set<(line: Row) => void>();
  const own: Row[] = [];
  const tell = (entry: LogEntry) => {
    // A line is read back as the file has it.
    const line: Row = JSON.parse(JSON.stringify(entry));
    if (directory === undefined) {
      own.push(line);
      if (own.length > maxLines) own.shift();
    }
    for (const listener of listeners) listener(line);
  };
  return {
    write(entry) {
      log?.write(entry);
      tell(entry);
    },
    async commit(entry) {
      await log?.commit(entry);
      tell(entry);
    },
    source: {
      read: async (take) => {
        if (directory !== undefined) return (await import('./readAuditLog.ts')).readAuditLog(directory, take);
        take(own.toReversed());
        return undefined;
      },
      follow(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

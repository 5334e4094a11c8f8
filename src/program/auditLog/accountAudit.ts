import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EndedChange, OutgoingChange } from '../../api/changeAudit.ts';
import type { Row } from '../../resources/resource.ts';
import type { AuditOwner, AuditSource } from '../../store/history/auditLog.ts';
import { createListeners } from '../../store/listeners.ts';
import type { RecordedProgram } from '../../store/machine.ts';
import type { ShellEntry } from '../../store/ssh.ts';
import type { Log, LogEntry } from '../log.ts';
import { randomWord } from './auditLog.ts';

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
  const lines = ownLines(log, owner, now);
  const source: AuditSource = {
    owner,
    read: async (take) => {
      if (files) return (await import('./readAuditLog.ts')).readAuditLog(files.directory, take);
      take(own.toReversed());
      return undefined;
    },
    found: lines.write,
    follow: listeners.subscribe,
  };
  return { lines, source };
}

type Lines = Pick<Log, 'write' | 'commit'>;

/** The lines of one run about one account; each is stamped with the time and with whose it is. */
interface OwnLines extends Lines {
  session: string;
}

/** @param host of the API, with its port where it has one */
export function auditOwner(profile: string, host: string): StoreApi<AuditOwner> {
  // It distinguishes the changes of one run from those of others in the same file.
  const session = randomWord();
  return createStore(() => ({ profile, host, session }));
}

/** Lines that are written before the account is known have its host and `session`; one more line then names the account of these. */
export function ownLines(log: Lines, owner: StoreApi<AuditOwner>, now: () => number): OwnLines {
  let isOpen = false;
  const stamped = (entry: LogEntry): LogEntry => {
    const { profile, host, session, account } = owner.getState();
    isOpen ||= account === undefined;
    return {
      time: new Date(now()).toISOString(),
      profile,
      host,
      ...(account === undefined ? { session } : { account }),
      ...entry,
    };
  };
  owner.subscribe(({ account, session }) => {
    if (!isOpen || account === undefined) return;
    isOpen = false;
    log.write(stamped({ session }));
  });
  return {
    session: owner.getState().session,
    write: (entry) => log.write(stamped(entry)),
    commit: (entry) => log.commit(stamped(entry)),
  };
}

const notWritten = (outcome: string, error: unknown, again: string): Error =>
  new Error(
    `${outcome}, because the audit log ${(error as Error).message}; fix that and ${again}, or set XDG_STATE_HOME to another directory and start again.`,
  );

/** The client's hooks for the audit log: a line before a change is sent, and one with its outcome. */
export function auditHooks(lines: OwnLines) {
  const begun = ({ number, method, path }: OutgoingChange) => ({ change: `${lines.session}-${number}`, method, path });
  return {
    /** Waits until the line is on the disk: some file systems notice only then that they are full. */
    beforeChange: async (change: OutgoingChange): Promise<void> => {
      try {
        const { number: _, ...recorded } = change;
        await lines.commit({ ...begun(change), ...recorded, outcome: 'pending' });
      } catch (error) {
        throw notWritten('Nothing was sent', error, 'send it again');
      }
    },
    onChange: (change: EndedChange): void => {
      const { outcome, status, error, made } = change;
      lines.write({ ...begun(change), outcome, status, error, made });
    },
  };
}

/** Writes the line of the audit log about a program or a shell, before it is run. Rejects with an Error of one sentence. */
export const programRecord =
  (lines: OwnLines) =>
  async (entry: RecordedProgram | ShellEntry): Promise<void> => {
    try {
      await lines.commit({ ...entry });
    } catch (error) {
      throw notWritten('Nothing was run', error, 'try again');
    }
  };

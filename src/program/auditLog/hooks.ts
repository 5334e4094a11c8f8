import type { EndedChange, OutgoingChange } from '../../api/changeAudit.ts';
import type { RecordedProgram } from '../../store/programs.ts';
import type { ShellEntry } from '../../store/ssh.ts';
import type { Log } from '../log.ts';

/** The client's hooks for the audit log: a line before a change is sent, and one with its outcome. */
export function auditHooks(log: Pick<Log, 'write' | 'commit'>, profile: string, now: () => number) {
  // Distinguishes the changes of one run from those of others in the same file.
  // It is no secret, and loading node:crypto for it would slow each start.
  const run = Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  const begun = ({ number, method, path }: OutgoingChange) => ({
    time: new Date(now()).toISOString(),
    profile,
    change: `${run}-${number}`,
    method,
    path,
  });
  return {
    /** Waits until the line is on the disk: some file systems notice only then that they are full. */
    beforeChange: async (change: OutgoingChange): Promise<void> => {
      try {
        const { number: _, ...recorded } = change;
        await log.commit({ ...begun(change), ...recorded, outcome: 'pending' });
      } catch (error) {
        throw new Error(
          `Nothing was sent, because the audit log ${(error as Error).message}; fix that and send it again, or set XDG_STATE_HOME to another directory and start again.`,
        );
      }
    },
    onChange: (change: EndedChange): void => {
      const { outcome, status, error, made } = change;
      log.write({ ...begun(change), outcome, status, error, made });
    },
  };
}

/** Writes the line of the audit log about a program or a shell, before it is run. Rejects with an Error of one sentence. */
export const programRecord =
  (log: Pick<Log, 'commit'>, profile: string, now: () => number) =>
  async (entry: RecordedProgram | ShellEntry): Promise<void> => {
    try {
      await log.commit({ time: new Date(now()).toISOString(), profile, ...entry });
    } catch (error) {
      throw new Error(
        `Nothing was run, because the audit log ${(error as Error).message}; fix that and try again, or set XDG_STATE_HOME to another directory and start again.`,
      );
    }
  };

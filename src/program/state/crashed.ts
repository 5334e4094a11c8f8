import { attempt } from '../../text/errno.ts';
import { reportCrash } from '../crash.ts';
import { stateDirectory } from '../directories.ts';
import type { LoginState } from './accounts.ts';
import { openState, type State } from './state.ts';

/**
 * Reports a crash, and has the next start leave aside what may be its cause. Returns the exit code; never throws.
 * @param shown the profiles whose places and lists were on the screen
 */
export function crashed(
  host: Parameters<typeof reportCrash>[0] & Pick<NodeJS.Process, 'geteuid'>,
  error: unknown,
  secrets: readonly string[],
  shown: ReadonlySet<string>,
): number {
  const code = reportCrash(host, error, secrets);
  if (shown.size > 0) noteCrash(stateDirectory(host.env), host.geteuid?.(), shown);
  return code;
}

/** Notes that the session of these profiles has crashed. Never throws: the crash is what is to be told. */
export function noteCrash(directory: string, owner: number | undefined, profiles: Iterable<string>): void {
  const state = openState(directory, owner);
  // Where that fails, the next start may meet what this one met.
  attempt(() => {
    const database = state.toWrite();
    for (const profile of profiles) database.run('INSERT OR REPLACE INTO crash (profile) VALUES (?)', profile);
  });
  state.close();
}

/** After a crash, forgets the last place and the kept lists of a profile, of which one may be its cause, and says so. */
export function leaveAside(state: State, profile: string, account: LoginState): void {
  // Where that fails, the next reading or writing says why.
  attempt(() => {
    const database = state.toRead();
    if (!database?.get('SELECT profile FROM crash WHERE profile = ?', profile)) return;
    database.transaction(() => {
      const row = account.row(database);
      if (row) {
        database.run(`DELETE FROM entry WHERE account = ? AND kind = 'view' AND key = 'place'`, row.account);
        database.run('DELETE FROM list WHERE login = ?', row.login);
      }
      database.run('DELETE FROM crash WHERE profile = ?', profile);
    });
    state.notice(
      'Skydeck crashed the last time, so the last place and the kept lists are left aside; all is read again.',
    );
  });
}

/** Looks whether this machine has all that a configuration and a session need, for the doctor. */

import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { attempt, reasonOf } from '../../text/errno.ts';
import { listed } from '../../text/words.ts';
import { auditFile, openAuditLog } from '../auditLog/auditLog.ts';
import { checkPrivate, preparePrivate } from '../privateFile.ts';
import { replacePrivate } from '../replaceFile.ts';
import { UsageError } from '../rules.ts';
import { stateFileName, trustedState } from '../state/database.ts';
import { StateError } from '../state/failures.ts';
import { openState } from '../state/state.ts';

/** The result of one check; `fine` is undefined where it was not possible, or matters only to some. */
export interface CheckResult {
  fine: boolean | undefined;
  says: string;
}

/** Looks for the programs that shells, commands and hooks run: those that are not found, then all others. */
export function programFindings(configuration: Configuration, env: Environment): readonly CheckResult[] {
  const { ssh, commands, hooks } = configuration;
  const used = [
    ...[ssh, ...(ssh?.when ?? [])].map((shell) => ({ of: 'the ssh of the profile', program: shell?.run?.[0] })),
    ...commands.map(({ name, run }) => ({ of: `the command ${name}`, program: run?.[0] })),
    ...hooks.map(({ run }, index) => ({ of: `hook ${index + 1}`, program: run[0] })),
  ].flatMap(({ of, program }) => (program === undefined ? [] : [{ of, program, isFound: isFound(program, env) }]));
  const editor = env.VISUAL || env.EDITOR;
  const own = (editor ?? 'vi').trim().split(/\s+/)[0] ?? '';
  // A command line of a shell is not taken apart.
  if (!/[;&|<>()`$'"=]/.test(own)) used.push({ of: 'the editor', program: own, isFound: isFound(own, env) });
  if (env.TMUX)
    used.push({ of: 'tmux, which opens windows for shells', program: 'tmux', isFound: isFound('tmux', env) });
  const missing = used.filter(({ isFound }) => !isFound);
  const found = [...new Set(used.filter(({ isFound }) => isFound).map(({ program }) => program))];
  return [
    ...missing.map(({ of, program }) => ({
      fine: of === 'the editor' && !editor ? undefined : false,
      says: `${program} of ${of} was not found; ${of === 'the editor' ? 'name one in EDITOR' : 'install it, or write its whole path'}`,
    })),
    ...(found.length > 0 ? [{ fine: true, says: `${listed(found, 8)} found` }] : []),
  ];
}

function isFound(program: string, { PATH = '/usr/bin:/bin' }: Environment): boolean {
  const files = program.includes('/') ? [program] : PATH.split(':').map((directory) => join(directory || '.', program));
  return files.some((file) =>
    attempt(() => {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    }),
  );
}

/**
 * Looks at the state and the audit log as a session does, without which no change is sent, and writes into their directory;
 * what is not there yet is not made.
 */
export function stateFinding(directory: string): CheckResult {
  const state = openState(directory, undefined, Date.now, 'looks');
  try {
    checkPrivate(join(directory, stateFileName), trustedState);
    preparePrivate(directory);
    if (existsSync(auditFile(directory))) openAuditLog(directory).close();
    state.toRead();
    const tried = join(directory, '.doctor');
    replacePrivate(tried, 'x');
    rmSync(tried, { force: true });
    return { fine: true, says: directory };
  } catch (error) {
    if (error instanceof UsageError || error instanceof StateError) return { fine: false, says: error.message };
    const says = `${directory} cannot be written: ${reasonOf(error)}; without its line in the audit log no change is sent. Set XDG_STATE_HOME to a directory that can.`;
    return { fine: false, says };
  } finally {
    state.close();
  }
}

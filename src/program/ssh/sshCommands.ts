import { constants } from 'node:os';
import { quoted } from '../../config/settingRules.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { addressesOf, canonicalAddress } from '../../resources/ipAddress.ts';
import type { Row } from '../../resources/resource.ts';
import { noShell, shellEntry, shellOn } from '../../store/ssh.ts';
import { runOnTerminal } from '../../terminal/childProgram.ts';
import { clean } from '../../text/cells.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { listed } from '../../text/words.ts';
import { auditOwner, ownLines, programRecord } from '../auditLog/accountAudit.ts';
import { auditLimits, openAuditLog } from '../auditLog/auditLog.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { hostOf, openConnection } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import { throwUsage, UnknownNameError, UsageError } from '../rules.ts';
import type { CommandRun } from '../settings.ts';
import { createSnapshotReader } from '../snapshotReader.ts';
import { pauseBudgetMs } from '../takeSnapshots.ts';
import { environmentFor } from '../token.ts';

const servers = () => resourceNamed('servers');

/** The server of this label, id or address. Throws an UnknownNameError that names the nearest label, or those that share it. */
function serverCalled(rows: readonly Row[], word: string): Row {
  const { label } = servers();
  const wanted = canonicalAddress(word);
  const found = rows.filter(
    (row) => label(row) === word || idOf(servers(), row) === word || addressesOf(row).includes(wanted),
  );
  const [only, another] = found;
  if (only && !another) return only;
  if (!only) throw new UnknownNameError(`There is no server ${quoted(word)}${orLike(word, rows.map(label))}`);
  const ids = found.map((row) => `${idOf(servers(), row)} (${label(row)})`);
  throw new UnknownNameError(`${quoted(word)} names ${found.length} servers: ${ids.join(', ')}; name one by its id.`);
}

/** The end of a sentence about an unknown label: those that begin with it, else the nearest. */
function orLike(word: string, labels: readonly string[]): string {
  const like = labels.filter((label) => label.toLowerCase().startsWith(word.toLowerCase())).toSorted();
  const safe = like.map((label) => clean(label));
  const few = `${like.length > 1 ? 'one of ' : ''}${listed(safe, 4)}`;
  return like.length === 0 ? orSuggestion(word, labels) : `; did you mean ${few}?`;
}

/**
 * Carries out `skydeck ssh`: logs in to the server that is named, with a command in place of a shell where there is one.
 * Returns the exit code of the shell; rejects with a UsageError where the session is read-only, the server is not found or
 * has no address, the program is missing, or the audit log cannot be written.
 */
export async function sshCommand({ invocation, host, child, complain, ...run }: CommandRun): Promise<number> {
  const { login } = invocation;
  if (!login) throw new Error('no server is named');
  const settings = await run.settings();
  const { configuration, demo, profile, readOnly, account } = settings;
  const { api, close } = openConnection({ ...settings, readOnly: true }, invocation.demo, { child, pauseBudgetMs });
  try {
    if (demo) throw new UsageError(noShell.demo);
    if (readOnly && !configuration.ssh?.read_only) throw new UsageError(noShell.readOnly);
    const reader = createSnapshotReader(api, Date.now(), () => false);
    const rows = await reader.list(servers());
    if (!rows) {
      for (const sentence of await reader.missing()) complain(sentence);
      return exit.unreachable;
    }
    const shell = shellOn(configuration.ssh, serverCalled(rows, login.server), reader.cache);
    if ('why' in shell) throw new UsageError(shell.why);
    // A command that begins with a dash would be an option of ssh.
    const argv = [...shell.argv, ...(login.command[0]?.startsWith('-') ? ['--', ...login.command] : login.command)];
    const audit = openAuditLog(stateDirectory(host.env), undefined, auditLimits(configuration));
    try {
      const owner = auditOwner(profile, hostOf(settings));
      await programRecord(ownLines(audit, owner, Date.now))(shellEntry({ ...shell, argv })).catch(throwUsage);
    } finally {
      audit.close();
    }
    const tokens = account ? [account.token.value] : [];
    const env = environmentFor(host.env, { tokens, variables: settings.tokenVariables });
    // Interrupts belong to the program that has the terminal.
    host.on('SIGINT', () => {});
    const { code, signal, error } = await runOnTerminal(argv, { env });
    if (error !== undefined) throw new UsageError(error);
    return code ?? 128 + (signalNumbers[signal ?? 'SIGTERM'] ?? 0);
  } finally {
    await close();
  }
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = constants.signals;

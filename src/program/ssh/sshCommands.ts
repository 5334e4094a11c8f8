import { constants } from 'node:os';
import { basename } from 'node:path';
import type { Api } from '../../api/client.ts';
import { quoted } from '../../config/settingRules.ts';
import { resourceNamed } from '../../resources/index.ts';
import { addressesOf, canonicalAddress } from '../../resources/ipAddress.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { noShell, type Shell, shellEntry, shellOn } from '../../store/ssh.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { runOnTerminal } from '../../terminal/childProgram.ts';
import { clean } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { listed } from '../../text/words.ts';
import { auditLimits, openAuditLog } from '../auditLog/auditLog.ts';
import { auditOwner, ownLines, programRecord } from '../auditLog/hooks.ts';
import { hostOf } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import type { SshOptions } from '../invocation.ts';
import { UsageError } from '../rules.ts';
import type { RunSettings } from '../settings.ts';
import { createSnapshotReader } from '../snapshotReader.ts';
import { environmentFor } from '../token.ts';

const servers = () => resourceNamed('servers');

/** The server of this label, id or address. Throws a UsageError that names the nearest label, or those that share it. */
function serverCalled(rows: readonly Row[], word: string): Row {
  const { label } = servers();
  const wanted = canonicalAddress(word);
  const found = rows.filter(
    (row) => label(row) === word || idOf(servers(), row) === word || addressesOf(row).includes(wanted),
  );
  const [only, another] = found;
  if (only && !another) return only;
  if (!only) throw new UsageError(`There is no server ${quoted(word)}${orLike(word, rows.map(label))}`);
  const ids = found.map((row) => `${idOf(servers(), row)} (${label(row)})`);
  throw new UsageError(`${quoted(word)} names ${found.length} servers: ${ids.join(', ')}; name one by its id.`);
}

/** The end of a sentence about an unknown label: those that begin with it, else the nearest. */
function orLike(word: string, labels: readonly string[]): string {
  const like = labels.filter((label) => label.toLowerCase().startsWith(word.toLowerCase())).toSorted();
  const few = listed(
    like.map((label) => clean(label)),
    4,
  );
  return like.length === 0 ? orSuggestion(word, labels) : `; did you mean ${like.length > 1 ? 'one of ' : ''}${few}?`;
}

/** The parts of a run that opens a shell, or prints how ssh reaches the servers. */
export interface SshRun {
  api: Api;
  settings: Pick<RunSettings, 'configuration' | 'demo' | 'profile' | 'readOnly' | 'account' | 'tokenVariables'>;
  env: Environment;
  /** Runs a program that has the terminal, to which interrupts belong meanwhile. */
  onTerminal: <T>(run: () => Promise<T>) => Promise<T>;
}

/** Either the exit code of the shell or the text to print; `missing` are sentences about what could not be read. */
export interface SshResult {
  code?: number;
  text?: string;
  missing: readonly string[];
}

/**
 * Logs in to the server that is named, with a command in place of a shell where there is one. Throws a UsageError where
 * the session is read-only, the server is not found or has no address, the program is missing, or the audit log cannot
 * be written.
 */
export async function logIn({ api, settings, env, onTerminal }: SshRun, login: SshOptions): Promise<SshResult> {
  const { configuration, demo, profile, readOnly, account } = settings;
  if (demo) throw new UsageError(noShell.demo);
  if (readOnly && !configuration.ssh?.read_only) throw new UsageError(noShell.readOnly);
  const reader = createSnapshotReader(api, Date.now(), () => false);
  const rows = await reader.list(servers());
  if (!rows) return { missing: reader.missing() };
  const shell = shellOn(configuration.ssh, serverCalled(rows, login.server), reader.cache);
  if ('why' in shell) throw new UsageError(shell.why);
  const argv = [...shell.argv, ...commandWords(login.command)];
  const audit = openAuditLog(stateDirectory(env), undefined, auditLimits(configuration));
  try {
    const owner = auditOwner(profile, hostOf(settings));
    await programRecord(ownLines(audit, owner, Date.now))(shellEntry({ ...shell, argv }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  } finally {
    audit.close();
  }
  const tokens = account ? [account.token.value] : [];
  const others = environmentFor(env, { tokens, variables: settings.tokenVariables });
  const { code, signal, error } = await onTerminal(() => runOnTerminal(argv, { env: others }));
  if (error !== undefined) throw new UsageError(error);
  return { code: code ?? 128 + (signalNumbers[signal ?? 'SIGTERM'] ?? 0), missing: [] };
}

/** A command that begins with a dash would be an option of ssh. */
const commandWords = (command: readonly string[]): readonly string[] =>
  command[0]?.startsWith('-') ? ['--', ...command] : command;

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = constants.signals;

/** The servers as ssh's own configuration names them; those without an address, or with an odd label, as comments. */
export async function printSshConfig({ api, settings }: SshRun): Promise<SshResult> {
  const reader = createSnapshotReader(api, Date.now(), () => false);
  const rows = await reader.list(servers());
  const { ssh } = settings.configuration;
  const text = rows?.map((row) => hostLines(shellOn(ssh, row, reader.cache))).join('\n');
  return { text, missing: reader.missing() };
}

const hostLines = (shell: Shell | { why: string }): string => {
  if ('why' in shell) return `# ${clean(shell.why)}\n`;
  const { argv, label, address, user } = shell;
  // A label is one word in the documents; blanks, wildcards and ! mean something else here.
  if (!/^[A-Za-z0-9_][\w.-]*$/.test(label)) return `# ${visibleJson(label)} cannot be the name of a host.\n`;
  return `Host ${label}\n  HostName ${address}\n  User ${user}\n${optionLines(argv)}`;
};

/** The options of ssh that take a value, and the names of some in its configuration. */
const withValue = 'BbcDEeFIiJLlmOopQRSWw';
const configNames: Readonly<Record<string, string>> = { p: 'Port', J: 'ProxyJump', i: 'IdentityFile' };

/** The options before the destination in the profile's own call of ssh, as lines of its configuration. */
function optionLines([program = '', ...words]: readonly string[]): string {
  if (basename(program) !== 'ssh') return '';
  let lines = '';
  for (let at = 0; words[at]?.startsWith('-'); at++) {
    const [, letter = '', joined] = /^-(\w)(.*)$/.exec(words[at] ?? '') ?? [];
    if (!withValue.includes(letter)) continue;
    const value = joined || (words[++at] ?? '');
    const [, name = configNames[letter], text = value] = (letter === 'o' && /^(\w+)[= ](.+)$/.exec(value)) || [];
    if (name !== undefined && /^[\w@.:,%~/+-]+$/.test(text)) lines += `  ${name} ${text}\n`;
  }
  return lines;
}

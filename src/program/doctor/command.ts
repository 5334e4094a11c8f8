import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { redacted, redaction } from '../../api/redact.ts';
import { openFiles } from '../../terminal/files.ts';
import { attempt } from '../../text/errno.ts';
import { sizeText } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { configFile, readConfig } from '../config/readConfig.ts';
import { openConnection } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import { print } from '../output.ts';
import { versionLine } from '../parts.ts';
import { askingAt } from '../plans/secrets.ts';
import { readNamed } from '../privateFile.ts';
import { readRecording } from '../recording/replay.ts';
import { throwUsage } from '../rules.ts';
import type { CommandRun } from '../settings.ts';
import { keptMessages } from '../state/messages.ts';
import { pauseBudgetMs } from '../takeSnapshots.ts';
import { diagnose } from './doctor.ts';

/** Makes every check of `doctor`, each printed at once, and packs them where that is wanted. Resolves with the rest of what is printed. */
export async function examined(run: CommandRun): Promise<{ text: string; failures: number }> {
  const { invocation, host, settings, child } = run;
  const { env, stdout } = host;
  const isPacked = invocation.options.bundle !== undefined;
  let text = '';
  const failures = await diagnose({
    settings,
    connect: (of) =>
      openConnection({ ...of, readOnly: true }, invocation.demo, { child, pauseBudgetMs, retriesTimeouts: false }),
    ...{ env, stdout, json: invocation.options.json || isPacked },
    state: stateDirectory(env),
    print: (line) => {
      if (!isPacked) return print(stdout, `${line}\n`);
      text = line;
    },
    now: Date.now,
  });
  if (!isPacked) return { text, failures };
  return { text: `${await writeBundle(run, JSON.parse(text))}\n`, failures: 0 };
}

/** The last lines of a log of requests that go in. */
const maxRequests = 1000;

/**
 * Packs what tells of a defect, without secrets, into a new file that only its owner may read: one JSON document. All that
 * goes in is listed first, and on a terminal asked for. Resolves with a sentence of what was done.
 * Rejects with a UsageError where a part cannot be read, or the file cannot be written.
 * @param doctor the findings of the doctor
 */
async function writeBundle(
  { host, invocation: { options }, complain }: CommandRun,
  doctor: { checks: readonly object[] },
): Promise<string> {
  const { env, platform, arch } = host;
  const { bundle = '', recording } = options;
  const program = `${versionLine(host)}, ${platform} ${arch}, TERM=${env.TERM ?? ''}`;
  const parts: Record<string, unknown> = { program, doctor };
  const says = [program, `what doctor finds, in ${counted(doctor.checks.length, 'check')}`];
  const { file } = configFile(options.config, env);
  const { found, config } = await readConfig(file, false);
  if (found) {
    parts.configuration = withoutSecrets(config);
    says.push(`the configuration ${file}, without secrets and the arguments of the programs that it runs`);
  }
  const crash = lastCrash(stateDirectory(env));
  if (crash) {
    parts.crash = readNamed(crash, { called: 'The report', isAnybodys: true });
    says.push(`the last crash, ${crash}`);
  }
  const messages = keptMessages(stateDirectory(env), host.geteuid?.(), options.profile);
  if (messages.length > 0) {
    parts.messages = messages.map((one) => ({ ...one, at: new Date(one.at).toISOString() }));
    says.push(`the last ${counted(messages.length, 'message')} of the dashboard, with the names of rows`);
  }
  if (options.logFile !== undefined) {
    const lines = readNamed(options.logFile, { called: 'The log', isAnybodys: true })
      .trimEnd()
      .split('\n')
      .slice(-maxRequests);
    parts.requests = lines;
    says.push(`the last ${counted(lines.length, 'line')} of ${options.logFile}`);
  }
  if (recording !== undefined) {
    readRecording(recording);
    const text = readNamed(recording, { called: 'The recording', isAnybodys: true });
    parts.recording = text;
    says.push(
      `the recording ${recording}, ${sizeText(text.length)}: names, addresses and tickets of the account are in it`,
    );
  }
  for (const line of [`${bundle} is to have:`, ...says.map((one) => `- ${one}`)]) complain(line);
  if (host.stdin.isTTY) {
    const asking = askingAt(host);
    const answer = await asking.ask('Type yes to write it: ');
    asking.close();
    if (typeof answer !== 'string' || answer.trim() !== 'yes') return 'Nothing was written.';
  }
  await openFiles(env.HOME)
    .save(bundle, `${JSON.stringify(parts, null, 2)}\n`)
    .catch(throwUsage);
  return `${bundle} is written, and only you can read it. It is sent to nobody.`;
}

function lastCrash(directory: string): string | undefined {
  const names = attempt(() => readdirSync(directory)) ?? [];
  const name = names
    .filter((one) => /^crash-.*\.txt$/.test(one))
    .sort()
    .at(-1);
  return name && join(directory, name);
}

const programs: readonly string[] = ['token_command', 'run'];

/** A configuration without secrets, nor the arguments of the programs that it runs, which may be secrets themselves. */
const withoutSecrets = (config: object): unknown =>
  JSON.parse(
    JSON.stringify(redacted(config), (name, value) =>
      programs.includes(name) && Array.isArray(value) && value.length > 1 ? [value[0], redaction] : value,
    ),
  );

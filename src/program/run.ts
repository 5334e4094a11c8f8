import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Problem, Severity } from '../resources/problems/rule.ts';
import { createAcknowledgements } from '../store/attention/acknowledgements.ts';
import { capabilitiesOf } from '../terminal/capabilities.ts';
import { guard } from '../terminal/guard.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { type Invocation, parseArguments } from './arguments.ts';
import { openConnection, whyRefused } from './connection.ts';
import { reportCrash } from './crash.ts';
import { stateDirectory } from './directories.ts';
import { diagnose } from './doctor.ts';
import { openFullScreen } from './fullScreen.ts';
import { help } from './help.ts';
import { callEntry, openLog } from './log.ts';
import { OutputError, print } from './output.ts';
import { UsageError } from './rules.ts';
import { readSettings, type Settings } from './settings.ts';
import { openStateFile } from './stateFile.ts';

/** Exit codes; for output that cannot be written, the one that sysexits.h has. */
const exit = { fine: 0, problems: 1, usage: 2, unreachable: 3, output: 74 } as const;

/** Pauses of the API hold up a run that ends by itself for so many milliseconds in all. */
const patienceMs = 60_000;

/** Tokens in use, kept out of crash reports. */
const secrets: string[] = [];

/** The process that runs it: its arguments, environment, streams and signals. */
type Host = NodeJS.Process;

/** Begun before the program was loaded. */
interface Preloaded {
  /** Keeps what was compiled, for the next start; absent where it is kept already. */
  saveCache?: () => Promise<void>;
  /** A process for the demo API. */
  child?: ChildProcessWithoutNullStreams;
}

/** Runs the program to its end. Answers the exit code; never rejects. */
export async function run(host: Host, launch: Preloaded): Promise<number> {
  // Where nobody can be told anything any more, that is no fault either.
  host.stderr.on('error', () => {});
  // A reader that has seen enough, like `head`, is no fault.
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') host.exit(exit.fine);
  });
  host.on('uncaughtException', exitOnFault);
  try {
    return await carryOut(parseArguments(host.argv.slice(2)), host, launch);
  } catch (error) {
    if (error instanceof UsageError) return complain(host, error.message, exit.usage);
    if (!(error instanceof OutputError)) return reportCrash(host, error, secrets);
    return error.isBrokenPipe ? exit.fine : complain(host, error.message, exit.output);
  }
}

/** For as long as nothing is drawn; a rejection that nobody handles comes here, too. */
function exitOnFault(this: Host, error: unknown): void {
  this.exit(reportCrash(this, error, secrets));
}

async function carryOut(invocation: Invocation, host: Host, launch: Preloaded): Promise<number> {
  switch (invocation.command) {
    case 'help':
      return say(host, help);
    case 'version':
      return say(host, `skydeck ${SKYDECK_VERSION}\n`);
    case 'demo-api':
      return serveDemo(invocation, host);
    case 'doctor':
      return examineAll(invocation, host, launch);
    case 'snapshot':
      return printSnapshot(invocation, host, launch);
    case 'watch':
      return draw(invocation, host, launch);
    case 'dashboard':
      return host.stdout.isTTY ? draw(invocation, host, launch) : printSnapshot(invocation, host, launch);
  }
}

async function say({ stdout }: Host, text: string): Promise<number> {
  await print(stdout, text);
  return exit.fine;
}

function complain({ stderr }: Host, sentence: string, code: number): number {
  stderr.write(`${sentence}\n`);
  return code;
}

async function settingsFor({ options }: Invocation, { env }: Host): Promise<Settings> {
  const settings = await readSettings(options, env);
  if (settings.account) secrets.push(settings.account.token.value);
  for (const proxy of [settings.proxies?.http, settings.proxies?.https]) secrets.push(...(proxy?.secrets ?? []));
  return settings;
}

async function printSnapshot(invocation: Invocation, host: Host, launch: Preloaded): Promise<number> {
  const area = invocation.target?.area;
  if (area === 'fleet') {
    throw new UsageError('The fleet is drawn on a terminal only; skydeck snapshot servers prints the servers.');
  }
  if (area === 'requests') {
    throw new UsageError('Requests are listed on a terminal only; --log-file writes those of a snapshot down.');
  }
  const settings = await settingsFor(invocation, host);
  const log = openCallLog(invocation);
  const { api, close } = openConnection({ ...settings, readOnly: true }, invocation.demo, {
    ...log,
    child: launch.child,
    patienceMs,
  });
  try {
    const refused = settings.account && (await whyRefused(api, settings.account.baseUrl));
    if (refused) return complain(host, refused, exit.unreachable);
    const { glyphs, columns: width } = capabilitiesOf(host.env, host.stdout);
    const context = { now: Date.now(), glyphs: settings.ascii ? ('ascii' as const) : glyphs, width };
    const { target = { area: 'home' }, format, failOn, all } = invocation;
    const { takeSnapshot } = await import('./snapshot.ts');
    const stateFile = settings.demo ? undefined : openStateFile(stateDirectory(host.env), settings.profile);
    const known = createAcknowledgements(Date.now, stateFile, (says) => void complain(host, says, exit.fine));
    const isAcknowledged = (problem: Problem) => known.of(problem) !== undefined;
    const wishes = { examine: failOn !== undefined, all, isAcknowledged };
    const { text, missing, problems } = await takeSnapshot(api, target, format, context, wishes);
    await print(host.stdout, text);
    for (const sentence of missing) complain(host, sentence, exit.unreachable);
    if (missing.length > 0) return exit.unreachable;
    return failOn && problems.some(({ severity }) => isFailure(severity, failOn)) ? exit.problems : exit.fine;
  } finally {
    await close();
    log.close();
  }
}

/** A notice is never a failure. */
const isFailure = (severity: Severity, failOn: 'problem' | 'critical'): boolean =>
  severity === 'critical' || (severity === 'warning' && failOn === 'problem');

/** The log of calls that `--log-file` asks for, as a hook. */
function openCallLog({ options: { logFile } }: Invocation) {
  const log = logFile === undefined ? undefined : openLog(logFile);
  return { onCall: (call: Parameters<typeof callEntry>[0]) => log?.write(callEntry(call)), close: () => log?.close() };
}

async function examineAll(invocation: Invocation, host: Host, { child }: Preloaded): Promise<number> {
  const { env, stdout } = host;
  const failures = await diagnose({
    settings: () => settingsFor(invocation, host),
    connect: (settings) => openConnection({ ...settings, readOnly: true }, invocation.demo, { child, patienceMs }),
    env,
    stdout,
    print: (line) => print(stdout, `${line}\n`),
    now: Date.now,
  });
  return failures > 0 ? exit.problems : exit.fine;
}

async function serveDemo({ demo, port }: Invocation, host: Host): Promise<number> {
  const { startDemo } = await import('../demo/server.ts');
  const { url, tokens, close } = await startDemo({ ...demo, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    const why = error.code === 'EACCES' ? 'may not be used by you' : 'is in use';
    throw new UsageError(`The port ${port} ${why}; choose another one with --port, or --port 0 for any.`);
  });
  const { full, readOnly, restricted } = tokens;
  await print(
    host.stdout,
    `The demo API listens on ${url} until it is interrupted.\nTokens: ${full} (full), ${readOnly} (read-only), ${restricted} (restricted)\n`,
  );
  await new Promise<void>((interrupted) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) host.once(signal, () => interrupted());
  });
  await close();
  return exit.fine;
}

async function draw(invocation: Invocation, host: Host, launch: Preloaded): Promise<number> {
  const { env, stdin, stdout } = host;
  if (capabilitiesOf(env, stdout).dumb) {
    throw new UsageError(
      'Nothing can be drawn on a terminal with TERM=dumb; set TERM to what it is, or use skydeck snapshot.',
    );
  }
  const isWall = invocation.command === 'watch';
  if (!stdout.isTTY) {
    throw new UsageError(
      'Standard output is not a terminal, so there is nothing to draw on; use ssh -t to get one, or skydeck snapshot.',
    );
  }
  if (!stdin.isTTY && !isWall) {
    throw new UsageError(
      'Standard input is not a terminal, so there are no keys to read; use skydeck snapshot instead.',
    );
  }
  const chosen = await settingsFor(invocation, host);
  const settings = { ...chosen, readOnly: chosen.readOnly || isWall };
  const terminal = openTerminal(stdin, stdout, capabilitiesOf(env, stdout));
  // The guard listens to it from here on, and restores the terminal.
  host.removeAllListeners('SIGUSR1');
  const stop = guard(host, terminal, {
    onEnd: (sentence) => void complain(host, sentence, exit.fine),
    onCrash: (error) => reportCrash(host, error, secrets),
  });
  host.off('uncaughtException', exitOnFault);
  const onWarning = (told: (warning: Error) => void) => {
    // Among these is what prints them, which would be in the middle of a frame.
    host.removeAllListeners('warning');
    host.on('warning', told);
  };
  const { refused, troubles } = await openFullScreen({
    invocation,
    settings,
    env,
    terminal,
    stop,
    onWarning,
    ...launch,
  });
  for (const trouble of troubles) complain(host, trouble, exit.fine);
  return refused === undefined ? exit.fine : complain(host, refused, exit.unreachable);
}

import { type Capabilities, capabilitiesOf } from '../terminal/capabilities.ts';
import { guard } from '../terminal/guard.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { clean } from '../text/cells.ts';
import { firstSettings, profilesOf } from './accounts/profiles.ts';
import { exit } from './commandLine/exitCodes.ts';
import { help, helpOf } from './commandLine/help.ts';
import { cachedConfig } from './config/readConfig.ts';
import { serveDemo } from './connection.ts';
import { cacheDirectory } from './directories.ts';
import { type FullScreenOptions, openFullScreen } from './fullScreen.ts';
import type { Invocation, Options } from './invocation.ts';
import { OutputError, print, writeOut } from './output.ts';
import { versionLine } from './parts.ts';
import { UnknownNameError, UsageError } from './rules.ts';
import { type CommandRun, NoAccountError, type RunSettings, readSettings, secretsOf } from './settings.ts';
import { crashed } from './state/crashed.ts';
import { isFailure, shownOf, takenOf } from './takeSnapshots.ts';
import { checkViewWords, parseWords } from './views/listFlags.ts';
import type { Snapshot } from './writeSnapshot.ts';

/** Tokens and passwords in use, redacted in crash reports. */
const secrets: string[] = [];

/** The profiles whose places and lists are on the screen. */
const shown = new Set<string>();

/** The file of this program. */
let program: string | undefined;

type Host = NodeJS.Process;

/** Prepared before the program was loaded. */
interface Preloaded extends Pick<FullScreenOptions, 'child' | 'saveCache'> {
  /** The file of the program, whose name differs from build to build; absent where it is not bundled. */
  program?: string;
}

/** Runs the program to its end. Returns the exit code; never rejects. */
export async function run(host: Host, preloaded: Preloaded): Promise<number> {
  // A closed standard error is no fault: nothing can be reported.
  host.stderr.on('error', () => {});
  // Nor is a reader that closes the pipe, like `head`.
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') host.exit(exit.fine);
  });
  host.on('uncaughtException', exitOnFault);
  program = preloaded.program;
  try {
    return await carryOut(begun(parseWords(host.argv.slice(2)), host, preloaded));
  } catch (error) {
    if (error instanceof UnknownNameError) return complain(host, error.message, exit.unreachable);
    if (error instanceof UsageError) return complain(host, error.message, exit.usage);
    if (!(error instanceof OutputError)) return crashed(host, error, secrets, shown);
    return error.isBrokenPipe ? exit.fine : complain(host, error.message, exit.output);
  }
}

/** Handles exceptions and unhandled rejections until the screen is opened. */
function exitOnFault(this: Host, error: unknown): void {
  this.exit(crashed(this, error, secrets, shown));
}

type Begun = CommandRun & Preloaded;

const begun = (invocation: Invocation, host: Host, preloaded: Preloaded): Begun => ({
  ...preloaded,
  ...{ invocation, host, secrets },
  profiles: profilesOf(invocation),
  settings: () => settingsFor(invocation, host),
  complain: (says) => void complain(host, says, exit.fine),
});

async function carryOut(run: Begun): Promise<number> {
  const { invocation, host } = run;
  switch (invocation.command) {
    case 'help':
      return say(host, invocation.helpOf === undefined ? help : helpOf(invocation.helpOf));
    case 'version':
      return say(host, `${versionLine(host)}\n`);
    case 'demo-api':
      return serveDemo(invocation, host).then(() => exit.fine);
    case 'config':
      return configure(run);
    case 'cache':
      return say(host, (await import('./kept/commands.ts')).cacheCommand(invocation, host));
    case 'completion':
    case 'complete':
      return complete(run);
    case 'plan':
    case 'dns':
      // Who reads no more ends no step that is under way.
      run.host.stdout.removeAllListeners('error').on('error', () => {});
      return (await import('./plans/planCommand.ts')).planCommand(run);
    case 'ssh':
      return (await import('./ssh/sshCommands.ts')).sshCommand(run);
    case 'doctor':
      return examineAll(run);
    case 'snapshot':
    case 'export':
      return printSnapshot(run);
    case 'watch':
      return invocation.options.jsonl ? (await import('./transitions/watchLines.ts')).watchLines(run) : draw(run);
    case 'dashboard':
      return host.stdout.isTTY ? draw(run) : printSnapshot(run);
  }
}

async function say({ stdout }: Host, text: string): Promise<number> {
  await print(stdout, text);
  return exit.fine;
}

async function configure({ invocation, host }: Begun): Promise<number> {
  const { configCommand } = await import('./config/commands.ts');
  const { text, wrong } = await configCommand(invocation, host);
  await print(host.stdout, text);
  return wrong ? exit.usage : exit.fine;
}

async function complete({ invocation, host }: Begun): Promise<number> {
  const { shell, typed = [] } = invocation;
  const { scriptOf, wordsAfter } = await import('./commandLine/completion.ts');
  return say(host, shell ? scriptOf(shell) : await wordsAfter(typed, host.env, host.geteuid?.()));
}

/** Says a sentence, which may quote labels of the API. */
function complain({ stderr }: Host, sentence: string, code: number): number {
  stderr.write(`${clean(sentence, Number.POSITIVE_INFINITY)}\n`);
  return code;
}

async function settingsFor(invocation: Invocation, { env, geteuid }: Host): Promise<RunSettings> {
  const { options } = invocation;
  const kept = program === undefined ? undefined : cachedConfig(cacheDirectory(env), program, geteuid?.());
  const profiles = profilesOf(invocation);
  const reading = profiles ? firstSettings(profiles, options, env) : readSettings(options, env, kept);
  const settings = await reading.catch((error: unknown) => {
    if (error instanceof NoAccountError) checkViewWords(invocation, []);
    throw error;
  });
  checkViewWords(invocation, Object.keys(settings.configuration.views), settings.configuration.brokenViews);
  secrets.push(...secretsOf(settings));
  if (options.record === undefined) return settings;
  // A mistake of the command line leaves no file.
  if (invocation.command === 'snapshot') shownOf(invocation, settings.configuration);
  const { openRecording } = await import('./recording/record.ts');
  return { ...settings, exchanges: openRecording(options.record, settings) };
}

async function printSnapshot(run: Begun): Promise<number> {
  const { invocation, host } = run;
  const taken = await takenOf({ ...run, onTaken: (one) => report(host, one, undefined) });
  if (typeof taken === 'string') return complain(host, taken, exit.unreachable);
  const { out, failOn } = invocation.options;
  if (out !== undefined && taken.missing.length === 0) {
    writeOut(out, taken.text);
    return exit.fine;
  }
  const code = await report(host, out === undefined ? taken : { ...taken, text: '' }, failOn);
  await run.saveCache?.('printed');
  return code;
}

/** Prints a snapshot and what is missing of it; returns the exit code. */
async function report(host: Host, taken: Snapshot, failOn: Options['failOn']): Promise<number> {
  const { text, missing, report } = taken;
  await print(host.stdout, text);
  for (const sentence of missing) complain(host, sentence, exit.unreachable);
  if (missing.length > 0) return exit.unreachable;
  return report?.problems.some(({ severity }) => isFailure(severity, failOn)) ? exit.problems : exit.fine;
}

async function examineAll(run: Begun): Promise<number> {
  const { text, failures } = await (await import('./doctor/command.ts')).examined(run);
  await print(run.host.stdout, text);
  return failures > 0 ? exit.problems : exit.fine;
}

async function draw(run: Begun): Promise<number> {
  const { invocation, host } = run;
  const { env, stdin, stdout } = host;
  const capabilities = capabilitiesOf(env, stdout);
  const isWall = invocation.command === 'watch';
  checkTerminal(host, capabilities, isWall);
  const known = await run.settings().catch((error: unknown) => {
    if (isWall || !(error instanceof NoAccountError)) throw error;
    return undefined;
  });
  const { options } = invocation;
  // screen answers in no order, and late.
  const canAsk = capabilities.multiplexer !== 'screen';
  const terminal = openTerminal(stdin, stdout, {
    ...capabilities,
    mouse: known?.mouse ?? options.mouse,
    screenReader: known?.screenReader ?? options.screenReader,
    followsBackground: canAsk && (known?.followsBackground ?? (options.theme === undefined && !options.noColor)),
    keyboard: canAsk,
  });
  // The guard handles this signal from here on.
  host.removeAllListeners('SIGUSR1');
  let finish = async () => {};
  const suspend = guard(host, terminal, {
    onEnd: (sentence) => void complain(host, sentence, exit.fine),
    onCrash: (error) => crashed(host, error, secrets, shown),
    finish: () => finish(),
  });
  host.off('uncaughtException', exitOnFault);
  const onWarning = (listener: (warning: Error) => void) => {
    // Node's own listener would print the warning into the frame.
    host.removeAllListeners('warning');
    host.on('warning', listener);
  };
  const chosen = known ? { ...run, settings: known } : await beginWithout(invocation, host, terminal);
  if (chosen === undefined) return exit.fine;
  const settings = { ...chosen.settings, readOnly: chosen.settings.readOnly || isWall };
  if (!settings.demo && !isWall) shown.add(settings.profile);
  const { refused, logFailures } = await openFullScreen({
    ...chosen,
    settings,
    onSecrets: (other) => {
      secrets.push(...secretsOf(other));
      if (!isWall) shown.add(other.profile);
    },
    profiles: run.profiles ?? (isWall ? [settings.profile] : undefined),
    terminal,
    host,
    suspend,
    onSignal: (handler) => {
      finish = handler;
    },
    onWarning,
  });
  for (const failure of logFailures) complain(host, failure, exit.fine);
  return refused === undefined ? exit.fine : complain(host, refused, exit.unreachable);
}

/** Throws a UsageError where nothing can be drawn, or where a dashboard gets no keys. */
function checkTerminal({ stdin, stdout }: Host, { dumb }: Pick<Capabilities, 'dumb'>, isWall: boolean): void {
  if (dumb)
    throw new UsageError(
      'A terminal with TERM=dumb cannot draw a full screen; set TERM to its type, or use skydeck snapshot.',
    );
  if (!stdout.isTTY)
    throw new UsageError(
      'Standard output is not a terminal, so there is nothing to draw on; use ssh -t to get one, or skydeck snapshot.',
    );
  if (!stdin.isTTY && !isWall)
    throw new UsageError(
      'Standard input is not a terminal, so there are no keys to read; use skydeck snapshot instead.',
    );
}

/** Lets somebody without an account choose the demo or enter one; undefined where they quit. */
async function beginWithout(invocation: Invocation, host: Host, terminal: Terminal) {
  const { options } = invocation;
  const { firstStart } = await import('./firstStart.ts');
  const chosen = await firstStart(options, host.env, terminal, (token) => void secrets.push(token));
  if (chosen === 'quit') {
    terminal.restore();
    return undefined;
  }
  if (chosen === 'account') return { invocation, settings: await settingsFor(invocation, host) };
  const { loadDemoProcess } = await import('./demoProcess.ts');
  const demo = { ...invocation, options: { ...options, demo: true as const } };
  const child = loadDemoProcess(host.execPath, cacheDirectory(host.env));
  return { invocation: demo, settings: await settingsFor(demo, host), child };
}

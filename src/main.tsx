import { type Invocation, parseArguments } from './program/arguments.ts';
import { reportCrash } from './program/crash.ts';
import { UsageError } from './program/rules.ts';
import { readSettings, type Settings, stateDirectory } from './program/settings.ts';
import { capabilitiesOf } from './terminal/capabilities.ts';

const { env, stdin, stdout, stderr } = process;

/** Exit codes; a crash has the one that sysexits.h gives a fault of the software. */
const exit = { fine: 0, problems: 1, usage: 2, unreachable: 3, crash: 70 } as const;

/** Tokens in use, kept out of crash reports. */
const secrets: string[] = [];

/** The oldest Node that has all that is used here. */
const oldestNode = [22, 19] as const;

function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new UsageError(
    `Skydeck needs Node ${oldestNode.join('.')} or newer, and this is ${version}; install a newer one.`,
  );
}

async function run(invocation: Invocation): Promise<number> {
  switch (invocation.command) {
    case 'help':
      return print((await import('./program/help.ts')).help);
    case 'version':
      return print(`skydeck ${SKYDECK_VERSION}\n`);
    case 'demo-api':
      return serveDemo(invocation);
    case 'doctor':
      return examineAll(invocation);
    case 'snapshot':
      return printSnapshot(invocation);
    case 'dashboard':
      return stdout.isTTY ? draw(invocation) : printSnapshot(invocation);
  }
}

async function print(text: string): Promise<number> {
  await new Promise((written) => stdout.write(text, written));
  return exit.fine;
}

function complain(sentence: string, code: number): number {
  stderr.write(`${sentence}\n`);
  return code;
}

async function settingsFor({ options }: Invocation): Promise<Settings> {
  const settings = await readSettings(options, env);
  if (settings.account) secrets.push(settings.account.token.value);
  return settings;
}

async function printSnapshot(invocation: Invocation): Promise<number> {
  const settings = await settingsFor(invocation);
  const [{ openConnection, whyRefused }, { takeSnapshot }, log] = await Promise.all([
    import('./program/connection.ts'),
    import('./program/snapshot.ts'),
    openCallLog(invocation),
  ]);
  const { api, close } = await openConnection({ ...settings, readOnly: true }, invocation.demo, log);
  try {
    const refused = settings.account && (await whyRefused(api, settings.account.baseUrl));
    if (refused) return complain(refused, exit.unreachable);
    const { glyphs, columns: width } = capabilitiesOf(env, stdout);
    const context = { now: Date.now(), glyphs: settings.ascii ? ('ascii' as const) : glyphs, width };
    const { place = { area: 'home' }, format, failOnProblem } = invocation;
    const { text, missing, problems } = await takeSnapshot(api, place, format, context);
    await print(text);
    for (const sentence of missing) complain(sentence, exit.unreachable);
    if (missing.length > 0) return exit.unreachable;
    return failOnProblem && problems > 0 ? exit.problems : exit.fine;
  } finally {
    await close();
    log.close();
  }
}

/** The log of calls that `--log-file` asks for, as a hook. */
async function openCallLog({ options: { logFile } }: Invocation) {
  const { callEntry, openLog } = await import('./program/log.ts');
  const log = logFile === undefined ? undefined : openLog(logFile);
  return { onCall: (call: Parameters<typeof callEntry>[0]) => log?.write(callEntry(call)), close: () => log?.close() };
}

async function examineAll(invocation: Invocation): Promise<number> {
  const [{ examine }, { openConnection }] = await Promise.all([
    import('./program/doctor.ts'),
    import('./program/connection.ts'),
  ]);
  const failures = await examine({
    settings: () => settingsFor(invocation),
    connect: (settings) => openConnection({ ...settings, readOnly: true }, invocation.demo),
    env,
    stdout,
    print: (line) => stdout.write(`${line}\n`),
    now: Date.now,
  });
  return failures > 0 ? exit.problems : exit.fine;
}

async function serveDemo({ demo, port }: Invocation): Promise<number> {
  const { startDemo } = await import('./demo/server.ts');
  const { url, tokens, close } = await startDemo({ ...demo, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    const why = error.code === 'EACCES' ? 'may not be used by you' : 'is in use';
    throw new UsageError(`The port ${port} ${why}; choose another one with --port, or --port 0 for any.`);
  });
  const { full, readOnly, restricted } = tokens;
  await print(
    `The demo API listens on ${url} until it is interrupted.\nTokens: ${full} (full), ${readOnly} (read-only), ${restricted} (restricted)\n`,
  );
  await new Promise<void>((interrupted) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupted());
  });
  await close();
  return exit.fine;
}

async function draw(invocation: Invocation): Promise<number> {
  if (capabilitiesOf(env, stdout).dumb) {
    throw new UsageError(
      'Nothing can be drawn on a terminal with TERM=dumb; set TERM to what it is, or use skydeck snapshot.',
    );
  }
  if (!stdin.isTTY) {
    throw new UsageError(
      'Standard input is not a terminal, so there are no keys to read; use skydeck snapshot instead.',
    );
  }
  const settings = await settingsFor(invocation);
  const [{ openFullScreen }, { openTerminal }, { guard }] = await Promise.all([
    import('./program/fullScreen.ts'),
    import('./terminal/terminal.ts'),
    import('./terminal/guard.ts'),
  ]);
  const terminal = openTerminal(stdin, stdout);
  guard(process, terminal, crashed);
  const { refused, troubles } = await openFullScreen({ invocation, settings, env, terminal });
  for (const trouble of troubles) complain(trouble, exit.fine);
  return refused === undefined ? exit.fine : complain(refused, exit.unreachable);
}

function crashed(error: unknown): number {
  const platform = `Node ${process.version}, ${process.platform} ${process.arch}`;
  const facts = { directory: stateDirectory(env), version: SKYDECK_VERSION, platform, secrets, now: Date.now() };
  return complain(reportCrash(error, facts), exit.crash);
}

// A reader that has seen enough, like `head`, is no fault.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exit.fine);
});

try {
  checkNode(process.versions.node);
  process.exit(await run(parseArguments(process.argv.slice(2))));
} catch (error) {
  process.exit(error instanceof UsageError ? complain(error.message, exit.usage) : crashed(error));
}

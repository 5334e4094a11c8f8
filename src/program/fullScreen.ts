import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Api } from '../api/client.ts';
import type { Said } from '../store/notices.ts';
import { createSession, type Session } from '../store/session.ts';
import { capabilitiesOf } from '../terminal/capabilities.ts';
import { copySequence } from '../terminal/clipboard.ts';
import { editText } from '../terminal/editor.ts';
import { openFiles } from '../terminal/files.ts';
import { bell, notificationSequence } from '../terminal/notification.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clean } from '../text/cells.ts';
import type { Invocation } from './arguments.ts';
import { openConnection, whyRefused } from './connection.ts';
import { stateDirectory } from './directories.ts';
import { auditHooks, callEntry, type Log, openAuditLog, openLog } from './log.ts';
import { checkMemory } from './memory.ts';
import type { Settings } from './settings.ts';
import { openStateFile } from './stateFile.ts';
import { type Environment, environmentFor } from './token.ts';

/** So many milliseconds after the first frame the first rows have long been drawn. */
const settledMs = 1000;

/** The dashboard runs on these. */
export interface FullScreenOptions {
  invocation: Invocation;
  settings: Settings;
  env: Environment;
  terminal: Terminal;
  /** Stops the program; false where no shell would bring it back. */
  stop: () => boolean;
  /** From then on told of what Node warns of. */
  onWarning: (told: (warning: Error) => void) => void;
  /** Keeps what was compiled, for the next start; absent where it is kept already. */
  saveCache?: () => Promise<void>;
  /** A process for the demo API that has begun. */
  child?: ChildProcessWithoutNullStreams;
}

/** The end of a run: why the API refused the settings, and what is to be said about the logs; both usually nothing. */
export interface FullScreenResult {
  refused?: string;
  troubles: readonly string[];
}

/** Opens the dashboard and waits until the user quits. Rejects with a UsageError before anything is drawn, else on a crash. */
export async function openFullScreen({
  invocation,
  settings,
  env,
  terminal,
  stop,
  onWarning,
  saveCache,
  child,
}: FullScreenOptions): Promise<FullScreenResult> {
  const { command, options, watch } = invocation;
  const { logFile } = options;
  // Nothing is logged before there are notices.
  let tell: (said: Said) => void = () => {};
  const onTrouble = (text: string) => tell({ tone: 'bad', text });
  const calls = logFile === undefined ? undefined : openLog(logFile, onTrouble);
  const audit = settings.demo || settings.readOnly ? undefined : openAuditLog(stateDirectory(env), onTrouble);
  const session = createSession(Date.now);
  const { api, close } = openConnection(settings, invocation.demo, {
    child,
    onCall: (call) => {
      // News of the API is shown after what it has brought.
      setImmediate(() => session.noteCall(call));
      calls?.write(callEntry(call));
      // Memory grows with answers. What it throws ends the program as any fault does.
      queueMicrotask(checkMemory);
    },
    ...(audit && auditHooks(audit, settings.profile, Date.now)),
  });
  try {
    // Asked while the first screen is drawn: it must not wait for an answer. A wall waits for an API that is away.
    const refusal =
      settings.account && command !== 'watch'
        ? onlyAnswered(refusalOf(api, settings.account.baseUrl, session))
        : undefined;
    const alarm = (says: string) => {
      const sequence =
        (watch.notify ? notificationSequence('Skydeck', clean(says), env) : '') + (watch.bell ? bell : '');
      if (sequence !== '') terminal.stdout.write(sequence);
    };
    const { openDashboard } = await import('../screens/dashboard.ts');
    const quit = openDashboard({
      api,
      session,
      settings: { ...settings, ascii: settings.ascii || capabilitiesOf(env, terminal.stdout).glyphs === 'ascii' },
      place: invocation.target,
      terminal,
      stop,
      onNotices: (add) => {
        tell = add;
        onWarning(warningListener(calls, (text) => add({ tone: 'plain', text })));
      },
      files: openFiles(env.HOME),
      stateFile: settings.demo ? undefined : openStateFile(stateDirectory(env), settings.profile),
      copy: (text) => void terminal.stdout.write(copySequence(text, env)),
      edit: (text, line) => {
        const others = environmentFor(env, settings.account?.token.value);
        return terminal.runChild((signal) => editText(text, { env: others, signal, line, suffix: suffixOf(text) }));
      },
      onDrawn: () => {
        if (saveCache) setTimeout(() => void saveCache(), settledMs).unref();
      },
      watch: command === 'watch' ? { ...watch, everyMs: watch.everySeconds * 1000, alarm } : undefined,
    }).then(() => undefined);
    const refused = await Promise.race(refusal ? [quit, refusal] : [quit]);
    return { refused, troubles: [calls, audit].flatMap((log) => log?.failure ?? []) };
  } finally {
    terminal.restore();
    await close();
    for (const log of [calls, audit]) log?.close();
  }
}

/** Why the API refused the settings; undefined when it accepted them, also for any other request meanwhile. */
const refusalOf = async (api: Api, baseUrl: string, session: Session): Promise<string | undefined> => {
  const why = await whyRefused(api, baseUrl);
  const { calls } = session.getState();
  return calls.some(({ status = 0, error }) => status > 0 && status < 400 && error === undefined) ? undefined : why;
};

/** Writes all that Node warns of to the log, and tells the first of each kind: others differ by a number. */
function warningListener(log: Log | undefined, tell: (says: string) => void): (warning: Error) => void {
  const told = new Set<string>();
  return ({ name, message }) => {
    log?.write({ time: new Date().toISOString(), warning: name, message });
    if (!told.has(name)) tell(`Node warns: ${clean(message)}`);
    told.add(name);
  };
}

/** The file of a text ends so that an editor colours it. */
const suffixOf = (text: string) => (text.startsWith('#!') ? '.sh' : /^\s*\{/.test(text) ? '.json' : '.txt');

/** Stays pending where there is no answer, so that in a race only an answer wins. */
const onlyAnswered = <T>(asking: Promise<T | undefined>): Promise<T> =>
  new Promise((resolve, reject) => {
    asking.then((answer) => {
      if (answer !== undefined) resolve(answer);
    }, reject);
  });

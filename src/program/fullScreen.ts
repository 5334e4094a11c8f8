import { onFailedRule } from '../resources/safeDescription.ts';
import type { NoticeContent } from '../store/notices.ts';
import type { Stores } from '../store/stores.ts';
import { bell, capabilitiesOf, copySequence, notificationSequence } from '../terminal/capabilities.ts';
import { editText } from '../terminal/editor.ts';
import { openFiles } from '../terminal/files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clean } from '../text/cells.ts';
import { accountOpener } from './accounts/accountOpener.ts';
import { otherAccounts } from './accounts/profiles.ts';
import type { CompiledScript } from './compiled.ts';
import type { Options } from './invocation.ts';
import { callEntry, type Log, openLog } from './log.ts';
import { checkMemory, giveBackAtRest } from './memory.ts';
import type { CommandRun, RunSettings } from './settings.ts';
import { shellRunner } from './ssh/shellRunner.ts';
import type { StateHost } from './state/state.ts';

/** The first rows are drawn so long after the first frame. */
const restMs = 1000;

/** The options of the dashboard; the profiles are those of a wall, which opens no other one. */
export interface FullScreenOptions extends Pick<CommandRun, 'invocation' | 'profiles' | 'child'> {
  settings: RunSettings;
  host: StateHost;
  /** Told of the settings of every account that is opened, whose secrets no crash report may have. */
  onSecrets: (settings: RunSettings) => void;
  terminal: Terminal;
  /** Suspends the program; returns false where no shell could continue it. */
  suspend: () => boolean;
  /** Sets what is still done when a signal ends the program, without a terminal. */
  onSignal: (finish: () => Promise<void>) => void;
  onWarning: (listener: (warning: Error) => void) => void;
  /** Saves the compiled code for the next start; absent where the program is not bundled. */
  saveCache?: CompiledScript['saveCache'];
}

/**
 * Runs the dashboard until the user quits. Resolves with why the API refused the settings, as a sentence, and with one for
 * each log that lacks lines; rejects with a UsageError before anything is drawn, else on a crash.
 */
export async function openFullScreen(
  run: FullScreenOptions,
): Promise<{ refused?: string; logFailures: readonly string[] }> {
  const { invocation, host, onSecrets, terminal, profiles, suspend, onSignal, onWarning, saveCache, child } = run;
  const { command, options, boards } = invocation;
  const { env } = host;
  const { logFile } = options;
  // Replaced before anything is logged.
  let tell: (said: NoticeContent) => void = () => {};
  const onFailure = (text: string) => tell({ tone: 'bad', text });
  const unsubscribe = onFailedRule(onFailure);
  run.settings.exchanges?.onEnd?.(onFailure);
  const calls = logFile === undefined ? undefined : openLog(logFile, onFailure);
  const onWork = giveBackAtRest(() => terminal.stdin.bytesRead);
  const files = openFiles(env.HOME);
  const opener = accountOpener({
    invocation,
    host,
    files: {
      ...files,
      whyUnsafePlan: async (path) => (await import('./plans/planCommand.ts')).whyUnsafePlan(files.resolve(path)),
    },
    terminal,
    child,
    onCall: (call) => {
      calls?.write(callEntry(call));
      // Memory grows with answers. An error thrown here ends the program like any crash.
      queueMicrotask(checkMemory);
      onWork();
    },
    onFailure,
  });
  const { glyphs, colorDepth } = capabilitiesOf(env, terminal.stdout);
  const { settings: given } = run;
  const settings = { ...given, ascii: given.ascii || glyphs === 'ascii', colorDepth: given.colorDepth ?? colorDepth };
  const { whyRefused, parts } = opener.open(settings);
  const opened = new Set<Stores>();
  let isDrawn = false;
  const atRest = Promise.withResolvers<void>();
  let resting: NodeJS.Timeout | undefined;
  onSignal(async () => {
    for (const stores of opened) stores.close();
    await opener.keep();
  });
  try {
    // Runs while the first screen is drawn. A wall monitor keeps waiting for an API that is away.
    const refusal =
      settings.account && !settings.demo && command !== 'watch' ? unlessUndefined(whyRefused()) : undefined;
    const alert = (says: string, { notify, bell: rings }: Pick<Options, 'notify' | 'bell'>) => {
      const sequence = (notify ? notificationSequence('Skydeck', clean(says), env) : '') + (rings ? bell : '');
      if (sequence !== '') terminal.stdout.write(sequence);
    };
    const onCritical = (says: string) => alert(says, options);
    // Nothing begins or ends before the first rows.
    const hooks = atRest.promise
      .then(() => import('./transitions/hooks.ts'))
      .then(({ createHooks }) => createHooks({ env: opener.env, now: Date.now, tell: onFailure }));
    const { openDashboard } = await import('../screens/dashboard.ts');
    const quit = openDashboard({
      parts,
      others: otherAccounts(settings, options, env, opener, onSecrets, profiles),
      place: invocation.target,
      terminal,
      suspend,
      onNotices: (add) => {
        tell = add;
        for (const text of settings.leftOut) add({ tone: 'bad', text: `${text} It is left out.` });
        opener.state.onNotice((text) => add({ tone: 'warn', text }));
        onWarning(warningListener(calls, (text) => add({ tone: 'plain', text })));
      },
      onAccount: (stores) => {
        opened.add(stores);
        const leave = stores.reminders.onDue((says) => alert(says, { notify: true, bell: true }));
        void hooks.then(({ follow }) => opened.has(stores) && follow(stores));
        return () => {
          opened.delete(stores);
          leave();
          void hooks.then(({ stop }) => stop());
        };
      },
      copy: (text) => void terminal.stdout.write(copySequence(text, env)),
      runShells: shellRunner({
        env: opener.env,
        withheld: opener.withheld,
        onTerminal: terminal.runChild,
        print: terminal.print,
        record: opener.record,
        isDemo: settings.demo,
      }),
      edit: (text, line) =>
        terminal.runChild((signal) => editText(text, { env: opener.env(), signal, line, suffix: suffixOf(text) })),
      onDrawn: () => {
        isDrawn = true;
        resting = setTimeout(() => {
          atRest.resolve();
          void saveCache?.('long');
        }, restMs).unref();
      },
      watch: command === 'watch' ? { boards, everyMs: (options.every ?? 20) * 1000, onCritical } : undefined,
    }).then(() => undefined);
    const refused = await Promise.race(refusal ? [quit, refusal] : [quit]);
    return { refused, logFailures: [calls, opener].flatMap((log) => log?.failure ?? []) };
  } finally {
    unsubscribe();
    clearTimeout(resting);
    // An answer that comes later would be read by the shell.
    await terminal.answered();
    terminal.restore();
    await Promise.all([opener.close(), isDrawn ? saveCache?.('short') : undefined]);
    calls?.close();
  }
}

/** Logs every warning of Node, and tells the user of the first of each kind: others differ by a number only. */
function warningListener(log: Log | undefined, tell: (says: string) => void): (warning: Error) => void {
  const told = new Set<string>();
  return ({ name, message }) => {
    log?.write({ time: new Date().toISOString(), warning: name, message });
    if (!told.has(name)) tell(`Node warns: ${clean(message)}`);
    told.add(name);
  };
}

/** The suffix of a text's file, by which an editor highlights it. */
const suffixOf = (text: string) => (text.startsWith('#!') ? '.sh' : /^\s*\{/.test(text) ? '.json' : '.txt');

/** Stays pending instead of resolving to undefined, for a race. */
const unlessUndefined = async <T>(promise: Promise<T | undefined>): Promise<T> =>
  (await promise) ?? (await new Promise<never>(() => {}));

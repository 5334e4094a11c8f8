import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { onFailedRule } from '../../resources/safeDescription.ts';
import { createStores } from '../../store/stores.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { openFiles } from '../../terminal/files.ts';
import { accountOpener } from '../accounts/accountOpener.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../output.ts';
import { type RunSettings, readNamedConfig, settingsOfProfile } from '../settings.ts';
import { openCallLog } from '../takeSnapshots.ts';
import { createHooks } from './hooks.ts';
import { writeTransitions } from './transitionLines.ts';

interface WatchLinesOptions {
  invocation: Invocation;
  /** Of the only account, or of the first. */
  first: RunSettings;
  /** The profiles of all accounts, where there are several. */
  profiles?: readonly string[];
  /** Told of the settings of every account. */
  onSecrets: (settings: RunSettings) => void;
  /** A spawned process for the demo API. */
  child?: ChildProcessWithoutNullStreams;
  /** Told of what is of no line, as a sentence. */
  complain: (says: string) => void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A reader that is slow gets the last line whole; one that reads nothing for so long does not. */
const maxLastLineMs = 5_000;

/** The longest that a timer waits, in milliseconds. */
const maxTimerMs = 2_147_483_647;

/**
 * Writes the transitions of accounts to standard output until a signal comes. Returns the exit code; rejects with a
 * UsageError at the start, with an OutputError later.
 */
export async function watchLines(host: NodeJS.Process, options: WatchLinesOptions): Promise<number> {
  const { invocation, first, profiles, onSecrets, child, complain } = options;
  const { env, stdout } = host;
  const all = profiles ? await settingsOf(profiles, invocation, env) : [first];
  for (const settings of all) onSecrets(settings);
  for (const text of first.leftOut) complain(`${text} It is left out.`);
  const log = openCallLog(invocation);
  const unsubscribe = onFailedRule(complain);
  const opener = accountOpener({
    invocation,
    host,
    files: openFiles(env.HOME),
    child,
    onCall: log.onCall,
    onFailure: complain,
  });
  opener.state.onNotice(complain);
  const hooks = createHooks({ env: opener.env, now: Date.now, tell: complain });
  // A reader that has gone ends the program at once.
  host.once('exit', hooks.stop);
  const accounts = all.map((settings) => {
    const { parts } = opener.open({ ...settings, readOnly: true });
    if (!parts.api.readOnly) throw new Error('an account that nobody looks at needs a read-only client');
    return createStores({ parts, start: { screen: 'home' }, now: Date.now });
  });
  let writing: Promise<void> = Promise.resolve();
  try {
    return await new Promise<number>((resolve, reject) => {
      const write = (line: string) => {
        writing = print(stdout, line).catch(reject);
      };
      for (const signal of signals) host.once(signal, () => resolve(128 + constants.signals[signal]));
      // Nothing else keeps the program from ending between two readings.
      const stay = () => void setTimeout(stay, maxTimerMs);
      stay();
      for (const stores of accounts) {
        hooks.follow(stores);
        writeTransitions(stores, write);
      }
    });
  } finally {
    unsubscribe();
    hooks.stop();
    for (const stores of accounts) stores.close();
    await opener.close();
    await Promise.race([writing, delay(maxLastLineMs)]);
    log.close();
  }
}

async function settingsOf(
  profiles: readonly string[],
  { options }: Invocation,
  env: Environment,
): Promise<readonly RunSettings[]> {
  const read = await readNamedConfig(options, env);
  return Promise.all(profiles.map((profile) => settingsOfProfile(read, profile, options, env)));
}

import { accountOpener } from '../../src/program/accounts/accountOpener.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { type Process, within } from './clock.ts';
import { type Login, type Machine, settingsFor } from './machine.ts';

/** A dashboard that somebody sits at: the real program below its screen. */
export interface Desk {
  readonly process: Process;
  /** Ends when the process is killed. */
  readonly died: Promise<void>;
  readonly login: Login;
  readonly stores: Stores;
  /** Everything that was said on its screen, the oldest first. */
  readonly said: readonly string[];
  /** Quits as a user does. */
  quit(): Promise<void>;
}

const { options } = parseArguments(['--no-cache']);

/** Starts the dashboard of a login in a process of its own. Called within that. */
export function openDesk(
  machine: Machine,
  login: Login,
  { process, died }: Pick<Desk, 'process' | 'died'>,
  deed: number,
): Desk {
  return within({ process, deed }, () => {
    const said: string[] = [];
    const opener = accountOpener({
      invocation: { command: 'dashboard', options, demo: {} },
      host: { pid: process.pid, kill: machine.kill as never, env: machine.env, geteuid: () => machine.owner },
      files: machine.files,
      terminal: { runChild: () => Promise.reject(new Error('there is no terminal')) },
      onCall: () => {},
      onFailure: (says) => said.push(says),
    });
    const { whyRefused, parts } = opener.open(settingsFor(login));
    const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
    let last: unknown;
    stores.notices.subscribe(({ current }) => {
      if (current && current !== last) said.push(current.text);
      last = current;
    });
    stores.events.start();
    void whyRefused();
    const close = async () => {
      stores.close();
      await opener.keep();
      await opener.close();
    };
    return { process, died, login, stores, said, quit: () => within({ process, deed }, close) };
  });
}

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../src/config/configuration.ts';
import { noConfiguration } from '../../src/config/configuration.ts';
import type { RunSettings } from '../../src/program/settings.ts';
import type { Files } from '../../src/store/machine.ts';
import type { Process } from './clock.ts';
import type { Account } from './cloud/cloud.ts';

/** An account as a profile of our machine names it. */
export interface Login {
  readonly profile: string;
  readonly host: string;
  readonly account: Account;
  readonly guards: Configuration['guards'];
}

/** The guards of a story: nothing that is tagged so is deleted, and no more volumes than so many at once. */
export const guarded = { tag: 'keep', atMost: 2 } as const;

/** Files that are gone in a moment need no disk. */
const memory = '/dev/shm';

/** Our machine: what outlives the processes on it. */
export class Machine {
  /** Holds whatever is kept between sessions. */
  readonly home = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'skydeck-simulation-'));
  /** The plans that were saved, by their paths. */
  readonly saved = new Map<string, string>();
  readonly processes: Process[] = [];
  /** The user of all its processes. */
  readonly owner = process.getuid?.() ?? -1;

  constructor() {
    mkdirSync(join(this.home, 'state'), { mode: 0o700 });
  }

  get env(): Record<string, string> {
    return { HOME: this.home, XDG_STATE_HOME: join(this.home, 'state'), XDG_CACHE_HOME: join(this.home, 'cache') };
  }

  start(name: string): Process {
    const process: Process = { name, pid: 1_000_000 + this.processes.length, isAlive: true, wasKilled: false };
    this.processes.push(process);
    return process;
  }

  /** Tells a program of ours whether a process is there. */
  kill = (pid: number): true => {
    const found = this.processes.find((one) => one.pid === pid);
    if (found?.isAlive) return true;
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
  };

  files: Files = {
    resolve: (path) => `/home/me/${path}`,
    complete: async (path) => ({ path, names: [] }),
    look: async (path) => {
      const text = this.saved.get(path);
      return text === undefined
        ? { kind: 'nothing', free: true }
        : { kind: 'file', bytes: Buffer.byteLength(text), start: [] };
    },
    read: async (path) => new TextEncoder().encode(this.saved.get(path) ?? ''),
    save: async (path, text) => {
      if (this.saved.has(path)) throw new Error(`${path} is there already.`);
      this.saved.set(path, text);
    },
  };

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The settings of a run for a login, as its profile would give them. */
export function settingsFor({ profile, host, account, guards }: Login): RunSettings {
  return {
    profile,
    account: { baseUrl: `https://${host}`, token: { value: account.token, source: 'the simulation' } },
    configuration: { ...noConfiguration, guards },
    profiles: [profile],
    tokenVariables: [],
    leftOut: [],
    readOnly: false,
    critical: false,
    refreshSeconds: 60,
    theme: 'dark',
    followsBackground: false,
    mouse: false,
    screenReader: false,
    ascii: false,
    color: false,
    demo: false,
  };
}

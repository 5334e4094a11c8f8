import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundle } from '../../test/build.ts';
import { openSession, type Session } from './session.ts';

/** The demo API in a process of its own. */
export interface Api {
  url: string;
  token: string;
  close(): void;
}

/** Starts the demo API. */
export const startApi = (servers: number, latencyMs = 0): Promise<Api> =>
  apiOf([bundle, 'demo-api', '--port', '0', '--servers', String(servers), '--latency', String(latencyMs)]);

/** Starts the demo API without events. */
export const startStillApi = (servers: number): Promise<Api> => apiOf(['scripts/bench/stillApi.ts', String(servers)]);

/** Starts the demo API with changing servers. */
export const startLivelyApi = (servers: number, changesPerSecond: number): Promise<Api> =>
  apiOf(['scripts/bench/livelyApi.ts', String(servers), String(changesPerSecond)]);

/** Starts a small API of many zones. */
export const startZonesApi = (zones: number, records: number): Promise<Api> =>
  apiOf(['scripts/bench/zonesApi.ts', String(zones), String(records)]);

async function apiOf(args: readonly string[]): Promise<Api> {
  const api = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => api.kill());
  let said = '';
  for await (const chunk of api.stdout) {
    said += chunk;
    const [, url, token] = /listens on (http\S+\d)[\s\S]*Tokens: (\S+)/.exec(said) ?? [];
    if (url && token) return { url, token, close: () => api.kill() };
  }
  throw new Error(`the demo API did not start: ${said}`);
}

/**
 * Opens the dashboard on an area, in front of an API.
 * @param state the directory of kept lists and views; by default a new one, as each session leaves its filter behind
 */
export const openSkydeck = (
  api: Api,
  home: string,
  args: readonly string[],
  state: string = mkdtempSync(join(home, 'state-')),
): Session =>
  openSession(resolve(bundle), args, {
    PATH: [dirname(process.execPath), process.env.PATH].join(':'),
    HOME: home,
    XDG_STATE_HOME: state,
    LANG: 'C.UTF-8',
    SKYDECK_BASE_URL: api.url,
    SKYDECK_TOKEN: api.token,
  });

/** Hides the preview of a list, which has no key of its own. */
export async function hidePreview(session: Session): Promise<void> {
  session.send(':');
  await session.quiet(300);
  for (const character of 'hide the preview') await session.ask(character === ' ' ? 'space' : character, 100);
  await session.ask('enter', 500);
}

/** Whether a list shows that all of so many rows were read. */
export const holds = (title: string, count: number) => (text: string) =>
  new RegExp(`^ ${title}\\s+${String(count).replace(/(?=(?:\d{3})+$)/g, '\\D?')}(?! of)`, 'm').test(text);

/** The resident memory of a process, in MB. */
export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The CPU time that all threads of a process have used, in milliseconds. */
export function cpuMs(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e6;
}

/** The CPU time that a program uses during a task, in milliseconds. */
export async function cpuDuring({ pid }: Session, doing: () => Promise<void>): Promise<number> {
  const before = cpuMs(pid);
  await doing();
  return cpuMs(pid) - before;
}

/** Milliseconds from the start of a command to its end. */
export async function lifetimeMs(command: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(command, args, { stdio: 'ignore' });
  await new Promise((ended) => child.once('exit', ended));
  return performance.now() - startedAt;
}

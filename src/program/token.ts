import type { ChildProcess } from 'node:child_process';
import { constants, open } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { reasonOf } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import type { Profile } from './configFile.ts';
import { modeText, UsageError } from './rules.ts';

/** The environment of the program. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A token and where it comes from, for the doctor. */
export interface Token {
  value: string;
  source: string;
}

/**
 * The token of a profile from its one source; undefined when it names none.
 * Throws a UsageError that never contains what was read.
 * @param configFile relative files are found beside it
 * @param timeoutMs how long a command may take
 */
export async function tokenOf(
  profile: Profile,
  env: Environment,
  configFile: string,
  timeoutMs = 10_000,
): Promise<Token | undefined> {
  const { token_env, token_file, token_command } = profile;
  if (token_env) return fromEnvironment(token_env, env);
  if (token_file) return fromFile(pathOf(token_file, env, configFile));
  if (token_command) return fromCommand(token_command, environmentFor(env), timeoutMs);
  return undefined;
}

/** The environment for another program, which need not know the token that this one uses. */
export const environmentFor = (env: Environment, token?: string): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name !== 'SKYDECK_TOKEN' && (token === undefined || value !== token)),
  );

/** A token that can stand in a header, or a UsageError that names its source. */
export function checkedToken(value: string, source: string): Token {
  if (/^[\x21-\x7e]+$/.test(value)) return { value, source };
  throw new UsageError(
    value === ''
      ? `${source} is empty; put the token there.`
      : `${source} is not a token: it must be one word of ASCII characters.`,
  );
}

function fromEnvironment(name: string, env: Environment): Token {
  const value = env[name];
  if (value === undefined) throw new UsageError(`The variable ${name}, which token_env names, is not set.`);
  return checkedToken(value, `The variable ${name}`);
}

function pathOf(file: string, env: Environment, configFile: string): string {
  if (file.startsWith('~/') && env.HOME) return join(env.HOME, file.slice(2));
  return isAbsolute(file) ? file : join(dirname(configFile), file);
}

async function fromFile(file: string): Promise<Token> {
  const source = `The token file ${file}`;
  // Opened so, a pipe is there at once, and is no file; else it would be waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw new UsageError(`${source} cannot be read: ${reasonOf(error)}.`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new UsageError(`${source} is not a file.`);
    if (stat.mode & 0o077) {
      throw new UsageError(
        `${source} may be read by others (mode ${modeText(stat.mode)}); close it with: chmod 600 ${file}`,
      );
    }
    return checkedToken((await handle.readFile('utf8')).trim(), source);
  } finally {
    await handle.close();
  }
}

/** The first line that the command prints; what it says on standard error stays unsaid, for it may quote the secret. */
async function fromCommand(
  [command = '', ...rest]: readonly string[],
  env: Environment,
  timeout: number,
): Promise<Token> {
  const source = `The token command ${command}`;
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    let isLate = false;
    const child = execFile(command, rest, { env: { ...env }, maxBuffer: 65_536 }, (error, stdout) => {
      clearTimeout(timer);
      if (isLate) return reject(new UsageError(`${source} did not answer within ${timeout / 1000} seconds.`));
      if (error) return reject(new UsageError(`${source} ${failureOf(error)}.`));
      try {
        resolve(checkedToken((stdout.split('\n')[0] ?? '').trim(), `What the token command ${command} prints`));
      } catch (wrong) {
        reject(wrong);
      }
    });
    const timer = setTimeout(() => {
      isLate = true;
      void endAll(child);
    }, timerDelay(timeout));
    child.stdin?.on('error', () => {}); // It may end without reading.
    child.stdin?.end();
  });
}

/** Ends a command with all that it has started and that still runs below it. */
async function endAll(child: ChildProcess): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  try {
    const processes = execFileSync('ps', ['-A', '-o', 'pid,ppid'], { encoding: 'utf8', stdio: 'pipe' });
    const pids = below(String(child.pid), processes);
    if (pids.length > 0) execFileSync('kill', ['-KILL', ...pids], { stdio: 'ignore' });
  } catch {
    // One has ended meanwhile; or there is no ps, and only the command itself is known.
  }
  child.kill('SIGKILL');
  // Another process that has inherited its output would be waited for.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** The ids of all processes below one, of lines with an id and that of its parent. */
function below(parent: string, processes: string): readonly string[] {
  const children = [...processes.matchAll(/^ *(\d+) +(\d+)$/gm)].filter(([, , of]) => of === parent);
  return children.flatMap(([, pid = '']) => [...below(pid, processes), pid]);
}

function failureOf({ code }: Error & { code?: unknown }): string {
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'may not be run';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'prints more than a token';
  return typeof code === 'number' ? `ended with code ${code}` : 'was ended by a signal';
}

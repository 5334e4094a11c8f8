import type { ChildProcess } from 'node:child_process';
import { dirname, isAbsolute, join } from 'node:path';
import { redaction, redactorOf } from '../api/redact.ts';
import type { Profile } from '../config/schema.ts';
import type { Environment } from '../terminal/capabilities.ts';
import { clean, cut } from '../text/cells.ts';
import { attempt } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import { readNamed } from './privateFile.ts';
import { UsageError } from './rules.ts';

/** A token and its source, for the doctor. */
export interface Token {
  value: string;
  source: string;
}

/**
 * Reads the token of a profile from its source; undefined when it names none.
 * Throws a UsageError, which never contains the token.
 * @param configFile relative paths are resolved from its directory
 * @param variables those that other profiles name as `token_env`
 * @param timeoutMs the longest that a command may take
 */
export async function tokenOf(
  profile: Pick<Profile, 'token_command' | 'token_env' | 'token_file'>,
  env: Environment,
  configFile: string,
  variables: readonly string[] = [],
  timeoutMs = 10_000,
): Promise<Token | undefined> {
  const { token_env, token_file, token_command } = profile;
  if (token_env) return fromEnvironment(token_env, env);
  if (token_file) return fromFile(pathOf(token_file, env, configFile));
  if (token_command) return fromCommand(token_command, environmentFor(env, { variables }), timeoutMs);
  return undefined;
}

/** The secrets that no other program gets. */
export interface Secrets {
  /** The tokens in use; every variable whose value has one is withheld. */
  tokens?: readonly string[];
  /** The variables that any profile names as `token_env`. */
  variables?: readonly string[];
}

/** The names of the variables that are withheld from other programs, among them those that only a server of tmux may have. */
export const withheldFrom = (env: Environment, { tokens = [], variables = [] }: Secrets): readonly string[] => [
  ...new Set([
    'SKYDECK_TOKEN',
    ...variables,
    ...Object.entries(env).flatMap(([name, value = '']) =>
      tokens.some((token) => token !== '' && value.includes(token)) ? name : [],
    ),
  ]),
];

/** The environment for another program, without the variables that hold a token of any profile. */
export function environmentFor(env: Environment, secrets: Secrets): Environment {
  const withheld = new Set(withheldFrom(env, secrets));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name)));
}

/** Returns a token that is valid in a header; throws a UsageError that names its source for any other. */
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

export const trustedToken = { called: 'The token file', isSecret: true };

const fromFile = (file: string): Token => checkedToken(readNamed(file, trustedToken).trim(), `The token file ${file}`);

/** The first line of the command's output. Where it fails, the last line of its standard error says why. */
async function fromCommand(
  [command = '', ...rest]: readonly string[],
  env: Environment,
  timeout: number,
): Promise<Token> {
  const source = `The token command ${command}`;
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    let isLate = false;
    const child = execFile(command, rest, { env: { ...env }, maxBuffer: 65_536 }, (error, stdout, stderr) => {
      clearTimeout(timer);
      if (isLate) return reject(new UsageError(`${source} did not answer within ${timeout / 1000} seconds.`));
      if (error) return reject(new UsageError(`${source} ${failureOf(error)}.${saidIn(stderr, stdout)}`));
      try {
        resolve(checkedToken((stdout.split('\n')[0] ?? '').trim(), `The output of the token command ${command}`));
      } catch (wrong) {
        reject(wrong);
      }
    });
    const timer = setTimeout(() => {
      isLate = true;
      void endAll(child, env);
    }, timerDelay(timeout));
    child.stdin?.on('error', () => {}); // The command may end without reading.
    child.stdin?.end();
  });
}

/** The last line of a program's standard error, as a sentence; clean, short, and without what may be a token: words of its output, long ones with a digit. */
function saidIn(stderr: string, stdout: string): string {
  const last = stderr.split(/\r\n|[\r\n]/).findLast((line) => clean(line).trim() !== '');
  const safe = redactorOf({ password: stdout.split(/\s+/).join('\n') })(clean(last ?? '').trim());
  const isPath = (word: string) => /^[~.]?\//.test(word);
  const says = safe.replace(/[^\s"'`=:,;(){}<>]{16,}/g, (word) =>
    /\d/.test(word) && !isPath(word) ? redaction : word,
  );
  return last === undefined ? '' : ` It says: ${cut(says, 200)}`;
}

/** Kills a command with all its descendants. */
async function endAll(child: ChildProcess, env: Environment): Promise<void> {
  const { execFileSync } = await import('node:child_process');
  // One may have ended meanwhile; or there is no ps, and only the command itself is killed.
  attempt(() => {
    const processes = execFileSync('ps', ['-A', '-o', 'pid,ppid'], { encoding: 'utf8', stdio: 'pipe', env });
    const pids = descendants(String(child.pid), processes);
    if (pids.length > 0) execFileSync('kill', ['-KILL', ...pids], { stdio: 'ignore', env });
  });
  child.kill('SIGKILL');
  // A process that has inherited its output would keep the streams open.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** The ids of all descendants of a process, from lines with an id and that of its parent. */
function descendants(parent: string, processes: string): readonly string[] {
  const children = [...processes.matchAll(/^ *(\d+) +(\d+)$/gm)].filter(([, , of]) => of === parent);
  return children.flatMap(([, pid = '']) => [...descendants(pid, processes), pid]);
}

function failureOf({ code }: Error & { code?: unknown }): string {
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'is not executable';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'prints more than a token';
  return typeof code === 'number' ? `ended with code ${code}` : 'was ended by a signal';
}

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { type Api, connect } from '../api/client.ts';
import { ApiError, asApiError } from '../api/error.ts';
import type { ApiOptions } from '../api/request.ts';
import { isTransient } from '../api/retryPolicy.ts';
import { users } from '../demo/engine/access.ts';
import { euuidOf } from '../resources/account/account.ts';
import { knownResource, resourceNamed } from '../resources/index.ts';
import type { Operation } from '../resources/resource.ts';
import { loadScript } from './compiled.ts';
import { startDemoProcess } from './demoProcess.ts';
import { cacheDirectory } from './directories.ts';
import type { DemoFlags, Invocation } from './invocation.ts';
import { print } from './output.ts';
import { explained, UsageError } from './rules.ts';
import type { RunSettings } from './settings.ts';

/** A client and, with `--demo`, the demo API. */
export type Connection = ReturnType<typeof openConnection>;

/** Hooks for calls and changes, and the process of the demo API, where one was started. */
type ConnectionOptions = Pick<
  ApiOptions,
  'onCall' | 'beforeChange' | 'onChange' | 'pauseBudgetMs' | 'retriesTimeouts'
> & { child?: ChildProcessWithoutNullStreams };

/**
 * Connects to the account of the settings, or starts the demo API and connects to it.
 * Throws a UsageError when the settings are invalid.
 */
export function openConnection(settings: RunSettings, demo: DemoFlags, { child, ...hooks }: ConnectionOptions = {}) {
  const { account, readOnly, vocabulary, proxies, exchanges } = settings;
  if (account) {
    const { baseUrl, token } = account;
    const options = { baseUrl, token: token.value, readOnly, vocabulary, proxies, exchanges, ...hooks };
    const api = explained(() => connect(options));
    return { api, close: () => api.close() };
  }
  if (!child) throw new Error('no process was started for the demo API');
  const { url, close } = startDemoProcess(child, demo);
  const api = connect({ baseUrl: url, token: users.full.token, readOnly, exchanges, ...hooks });
  return {
    api,
    close: async () => {
      await api.close();
      await close();
    },
  };
}

/** The host of the API of these settings, with its port where it has one; the demo has none of its own. */
export const hostOf = ({ account }: Pick<RunSettings, 'account'>): string =>
  account ? new URL(account.baseUrl).host : 'demo';

/** Whether an error does not disprove the settings: a restricted token, a busy or a failing API. */
const isAcceptable = (error: ApiError) =>
  error.kind === 'answer' &&
  (error.status === 403 || isTransient(error) || (error.status ?? 0) >= 500 || error.status === 429);

/**
 * Asks the API once whether it accepts the token.
 * Returns the reason why not, as one sentence; undefined when it does, or when the request was cancelled.
 * @param onAccount told the account's own id, where the token may read it
 * @param isKnown whether there is something to show of the account while the API is away
 */
export async function whyRefused(
  api: Api,
  baseUrl: string,
  onAccount: (euuid: string) => void = () => {},
  isKnown: () => boolean = () => false,
): Promise<string | undefined> {
  // A probe passes the circuit breaker, whose error would hide the reason.
  const answer = await api.send(tokenCheck(), { isProbe: true }).catch(asApiError);
  if (answer instanceof ApiError) {
    const isAway = answer.kind === 'unreachable' || answer.kind === 'timeout';
    if (isAway && isKnown()) return undefined;
    return answer.kind === 'aborted' || isAcceptable(answer) ? undefined : refusalText(answer, baseUrl);
  }
  const euuid = euuidOf(answer.body);
  if (euuid !== undefined) onAccount(euuid);
  return undefined;
}

/** Why the request that checks a token has failed, as one sentence. */
export const refusalText = ({ status, message }: ApiError, baseUrl: string): string =>
  status === 404 ? `The server at ${baseUrl} is not the API (404); check the base URL.` : message;

/** The request that checks a token: the account where it is described, else the events. */
export function tokenCheck(): Operation {
  const account = knownResource('account');
  const operation = account?.view ?? resourceNamed('events').list;
  if (!operation) throw new Error('no description has a read that needs a token');
  return operation;
}

type DemoScript = typeof import('../demo/child.ts');

/** Runs the demo API alone, until it is interrupted. Throws a UsageError where its port cannot be had. */
export async function serveDemo({ demo, options: { port = 4010 } }: Invocation, host: NodeJS.Process): Promise<void> {
  // A bundle has the demo API once, in the script of its process.
  const { startDemo } =
    typeof SKYDECK_DEMO === 'string'
      ? (loadScript(join(import.meta.dirname, SKYDECK_DEMO), cacheDirectory(host.env), host).run() as DemoScript)
      : await import('../demo/child.ts');
  const { url, tokens, close } = await startDemo({ ...demo, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    const why = error.code === 'EACCES' ? 'is reserved for root' : 'is in use';
    throw new UsageError(`Port ${port} ${why}; choose another one with --port, or --port 0 for any free one.`);
  });
  const { full, readOnly, restricted } = tokens;
  await print(
    host.stdout,
    `The demo API listens on ${url} until it is interrupted.\nTokens: ${full} (full), ${readOnly} (read-only), ${restricted} (restricted)\n`,
  );
  await new Promise<void>((interrupted) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) host.once(signal, () => interrupted());
  });
  await close();
}

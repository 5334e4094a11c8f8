import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { type Api, connect } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import type { ApiOptions } from '../api/request.ts';
import { isTransient } from '../api/retry.ts';
import { users } from '../demo/engine/access.ts';
import { resourceNamed, resources } from '../resources/index.ts';
import type { Operation } from '../resources/resource.ts';
import type { DemoFlags } from './arguments.ts';
import { startDemoProcess } from './demoProcess.ts';
import { UsageError } from './rules.ts';
import type { Settings } from './settings.ts';

/** A client, and with `--demo` the API behind it. */
export interface Connection {
  api: Api;
  /** Ends both. */
  close(): Promise<void>;
}

/** Told of every call and change, with the patience for pauses and a process for the demo API that has begun. */
type ConnectionOptions = Pick<ApiOptions, 'onCall' | 'beforeChange' | 'onChange' | 'patienceMs'> & {
  child?: ChildProcessWithoutNullStreams;
};

/**
 * Connects to the account of the settings, or starts the demo API and connects to it.
 * Throws a UsageError when the client cannot work with the settings.
 */
export function openConnection(
  settings: Settings,
  demo: DemoFlags,
  { child, ...hooks }: ConnectionOptions = {},
): Connection {
  const { account, readOnly, vocabulary, proxies } = settings;
  if (account) {
    const { baseUrl, token } = account;
    const api = usable({ baseUrl, token: token.value, readOnly, vocabulary, proxies, ...hooks });
    return { api, close: () => api.close() };
  }
  if (!child) throw new Error('no process was started for the demo API');
  const { url, close } = startDemoProcess(child, demo);
  const api = connect({ baseUrl: url, token: users.full.token, readOnly, ...hooks });
  return {
    api,
    close: async () => {
      await api.close();
      await close();
    },
  };
}

/** A mistake that the client finds in its options is one in the settings. */
function usable(options: ApiOptions): Api {
  try {
    return connect(options);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Whether the first answer says nothing against the settings: a restricted token, a busy or an ailing API. */
const isPassable = (error: ApiError) =>
  error.kind === 'answer' &&
  (error.status === 403 || isTransient(error) || (error.status ?? 0) >= 500 || error.status === 429);

/**
 * Asks once whether the settings lead to an API that accepts the token.
 * Answers why not, as one sentence; undefined when they do, or when asking was cancelled.
 */
export async function whyRefused(api: Api, baseUrl: string): Promise<string | undefined> {
  try {
    // Held back beside others that failed it would say so instead of why.
    await api.send(tokenCheck(), { isProbe: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { kind, status, message } = error;
    if (kind === 'aborted' || isPassable(error)) return undefined;
    return status === 404 ? `Nothing like the API answers at ${baseUrl} (404); check the base URL.` : message;
  }
}

/** The read that tells whether a token is accepted: the account where it is described, else the events. */
export function tokenCheck(): Operation {
  const account = resources.find(({ name }) => name === 'account');
  const operation = account?.view ?? resourceNamed('events').list;
  if (!operation) throw new Error('no description has a read that needs a token');
  return operation;
}

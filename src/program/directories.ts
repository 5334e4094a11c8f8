import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './token.ts';

/** The directory of the user's own files of one kind, by the XDG base directory specification. */
const xdg = (env: Environment, variable: string, fallback: string): string => {
  const directory = env[variable];
  return directory && isAbsolute(directory) ? directory : join(env.HOME || homedir(), fallback);
};

export const configHome = (env: Environment): string => xdg(env, 'XDG_CONFIG_HOME', '.config');

/** Where audit log and crash reports are kept. */
export const stateDirectory = (env: Environment): string =>
  join(xdg(env, 'XDG_STATE_HOME', join('.local', 'state')), 'skydeck');

/** Where compiled code is kept between two runs: the user's own place, because what lies there is run. */
export const cacheDirectory = (env: Environment): string => join(xdg(env, 'XDG_CACHE_HOME', '.cache'), 'skydeck');

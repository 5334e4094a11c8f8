import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../terminal/capabilities.ts';

/** A directory of the user, by the XDG base directory specification. */
const xdg = (env: Environment, variable: string, fallback: string): string => {
  const directory = env[variable];
  return directory && isAbsolute(directory) ? directory : join(env.HOME || homedir(), fallback);
};

export const configHome = (env: Environment): string => xdg(env, 'XDG_CONFIG_HOME', '.config');

/** The directory of the audit log, acknowledged problems and crash reports. */
export const stateDirectory = (env: Environment): string =>
  join(xdg(env, 'XDG_STATE_HOME', join('.local', 'state')), 'skydeck');

/** The directory of compiled code, which must be the user's own because its content is run. */
export const cacheDirectory = (env: Environment): string => join(xdg(env, 'XDG_CACHE_HOME', '.cache'), 'skydeck');

import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../terminal/capabilities.ts';
import { attempt } from '../text/errno.ts';

/** The home of the user; a path that is not absolute would be another one in each directory. */
const homeOf = ({ HOME }: Environment): string =>
  HOME && isAbsolute(HOME) ? HOME : (attempt(() => userInfo().homedir) ?? '/');

/** A directory of the user, by the XDG base directory specification. */
const xdg = (env: Environment, variable: string, fallback: string): string => {
  const directory = env[variable];
  return directory && isAbsolute(directory) ? directory : join(homeOf(env), fallback);
};

export const configHome = (env: Environment): string => xdg(env, 'XDG_CONFIG_HOME', '.config');

/** The directory of the audit log, acknowledged problems and crash reports. */
export const stateDirectory = (env: Environment): string =>
  join(xdg(env, 'XDG_STATE_HOME', join('.local', 'state')), 'skydeck');

/** The directory of compiled code, which must be the user's own because its content is run. */
export const cacheDirectory = (env: Environment): string => join(xdg(env, 'XDG_CACHE_HOME', '.cache'), 'skydeck');

import { forbidden, HttpError } from './errors.ts';

/** The user of a token: the scopes that the token allows, and the grants of the user. */
export interface User {
  name: string;
  token: string;
  scopes: readonly string[];
  /** A restricted user has none of the account's grants, such as add_servers, and may not touch tags. */
  restricted: boolean;
}

const readable =
  'account databases domains events firewall images ips servers kube monitor nodebalancers object_storage stackscripts volumes';

/** The users of the demo by the names of their tokens. */
export const users = {
  full: { name: 'operator', token: 'demo-full', scopes: ['*'], restricted: false },
  colleague: { name: 'deploy-bot', token: 'demo-colleague', scopes: ['*'], restricted: false },
  readOnly: {
    name: 'wall-monitor',
    token: 'demo-read-only',
    scopes: readable.split(' ').map((scope) => `${scope}:read_only`),
    restricted: false,
  },
  restricted: {
    name: 'night-shift',
    token: 'demo-restricted',
    scopes: ['events:read_only', 'servers:read_write', 'volumes:read_write'],
    restricted: true,
  },
} as const satisfies Record<string, User>;

/**
 * The user whose token an `Authorization` header carries; undefined without the header.
 * @throws 401 when there is no such token
 */
export function userOf(header: string | undefined): User | undefined {
  if (header === undefined) return undefined;
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  const user = Object.values(users).find((one) => one.token === token);
  if (!user) throw invalidToken();
  return user;
}

/** 401 for a token that is missing or not known. */
export const invalidToken = () => new HttpError(401, [{ reason: 'Invalid Token' }]);

/** @throws 403 for a token that lacks one of the scopes (document 1, 5) */
export function checkScopes(user: User, wanted: readonly string[]): void {
  if (wanted.every((scope) => covers(user.scopes, scope))) return;
  throw forbidden('Your OAuth token is not authorized to use this endpoint.');
}

const covers = (scopes: readonly string[], wanted: string) =>
  scopes.includes('*') ||
  scopes.includes(wanted) ||
  (wanted.endsWith(':read_only') && scopes.includes(wanted.replace(':read_only', ':read_write')));

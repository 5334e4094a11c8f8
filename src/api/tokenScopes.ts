import type { Operation } from '../resources/resource.ts';

/** The scopes of the token, as far as the API tells them. */
export interface TokenScopes {
  /** Whether any answer has told the scopes of the token. */
  readonly isKnown: boolean;
  /** Whether the token is known to change nothing at all. */
  readonly isReadOnly: boolean;
  /** The scopes that an operation needs and the token is known to lack, in the platform's words; undefined where it lacks none. */
  lacked(operation: Operation): string | undefined;
}

/** Nothing is known of them. */
export const unknownScopes: TokenScopes = { isKnown: false, isReadOnly: false, lacked: () => undefined };

const scope = /^(?:\*|[a-z0-9_]+:(?:\*|read_only|read_write))$/;

/**
 * The scopes of an X-OAuth-Scopes header, which has them with commas or blanks between; one that is written otherwise
 * tells nothing.
 * @param inWords a scope of the documents in the words of the platform
 */
export function tokenScopes(header: unknown, inWords: (scope: string) => string): TokenScopes {
  const own = typeof header === 'string' ? header.split(/[\s,]+/).filter(Boolean) : [];
  if (own.length === 0 || !own.every((one) => scope.test(one))) return unknownScopes;
  const has = new Set(own);
  const covers = (wanted: string): boolean => {
    const [area = ''] = wanted.split(':');
    const wide = wanted.endsWith(':read_only') ? [wanted, `${area}:read_write`] : [wanted];
    return ['*', `${area}:*`, ...wide].some((one) => has.has(one));
  };
  return {
    isKnown: true,
    isReadOnly: own.every((one) => one.endsWith(':read_only')),
    lacked: (operation) => {
      const wanted = operation.scope === undefined ? [] : [operation.scope].flat().map(inWords);
      return wanted.filter((one) => !covers(one)).join(' and ') || undefined;
    },
  };
}

import { expect, test } from 'vitest';
import { tokenScopes } from '../../src/api/tokenScopes.ts';
import type { Operation } from '../../src/resources/resource.ts';

const same = (scope: string) => scope;
const needing = (...scope: readonly string[]): Operation => ({ method: 'POST', path: '/volumes', scope });
const lacked = (header: unknown, ...scope: readonly string[]) => tokenScopes(header, same).lacked(needing(...scope));

test('a token lacks what its scopes do not cover; one that writes may read', () => {
  expect(lacked('servers:read_only, volumes:read_write', 'volumes:read_write', 'servers:read_only')).toBeUndefined();
  expect(lacked('servers:read_write volumes:*', 'volumes:read_write', 'servers:read_only')).toBeUndefined();
  expect(lacked('*', 'volumes:read_write')).toBeUndefined();
  expect(lacked('servers:read_only', 'servers:read_write', 'volumes:read_write')).toBe(
    'servers:read_write and volumes:read_write',
  );
  expect(tokenScopes('servers:read_only', same).lacked({ method: 'GET', path: '/regions' })).toBeUndefined();
});

test('only a token all of whose scopes read is read-only', () => {
  expect(tokenScopes('servers:read_only,volumes:read_only', same).isReadOnly).toBe(true);
  for (const header of ['*', 'servers:*', 'servers:read_only volumes:read_write'])
    expect(tokenScopes(header, same).isReadOnly).toBe(false);
});

test.each([undefined, '', ' , ', 'everything', 'servers:read_only admin', ['servers:read_only']])(
  'of %o nothing is concluded',
  (header) => {
    const { isKnown, isReadOnly } = tokenScopes(header, same);
    expect([isKnown, isReadOnly, lacked(header, 'servers:read_write')]).toEqual([false, false, undefined]);
  },
);

test('scopes are those of the platform, by its own words', () => {
  const inWords = (scope: string) => scope.replace('servers', 'machines');
  expect(tokenScopes('machines:read_only', inWords).lacked(needing('servers:read_write'))).toBe('machines:read_write');
  expect(tokenScopes('machines:read_write', inWords).lacked(needing('servers:read_write'))).toBeUndefined();
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One documented operation: a row of operations.tsv. */
export interface Documented {
  n: number;
  method: string;
  path: string;
  /** Needed scopes; empty where no authentication is needed. */
  scopes: readonly string[];
  /** Answers without a token too, then with public items only. */
  optional: boolean;
  /** `numbered` takes page and page_size. */
  pages: 'numbered' | 'marker' | 'none';
}

/** Where the documents show no path or scope: what the published reference of the same release says. */
const notShown: Readonly<Record<number, Partial<Documented>>> = {
  23: { path: '/v4/tags', scopes: ['account:read_only'], pages: 'numbered' },
  26: { scopes: ['account:read_only'] },
  41: { path: '/v4/server/instances/{serverId}/backups' },
  143: { pages: 'numbered' },
};

function documented(line: string): Documented {
  const [n = '', method = '', path = '', , scope = '', paginated = ''] = line.split('\t');
  return {
    n: Number(n),
    method,
    path,
    scopes: scope.match(/\w+:read_(?:only|write)/g) ?? [],
    optional: scope.includes('optional'),
    pages: paginated === 'yes' ? 'numbered' : paginated === 'marker' ? 'marker' : 'none',
    ...notShown[Number(n)],
  };
}

/** Every documented operation. */
export const operations: readonly Documented[] = readFileSync(join(import.meta.dirname, 'operations.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map(documented);

/** The operation with this method and path, e.g. `GET /v4/volumes`. Throws when the documents have none. */
export function operationAt(key: string): Documented {
  const found = operations.find(({ method, path }) => `${method} ${path}` === key);
  if (!found) throw new Error(`no documented operation is ${key}`);
  return found;
}

/** The operations that stand as a key in the table of a contract test in this folder. */
export function coveredOperations(): readonly Documented[] {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const text = tests.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
  return operations.filter(({ method, path }) => text.includes(`'${method} ${path}': {`));
}

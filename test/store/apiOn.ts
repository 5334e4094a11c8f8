import type { Api } from '../../src/api/client.ts';
import { readPages } from '../../src/api/pages.ts';
import { unknownScopes } from '../../src/api/tokenScopes.ts';
import type { Row } from '../../src/resources/resource.ts';

/** The answer to a list whose rows fit on one page. */
export const onePage = (rows: readonly Row[]): Row => ({ data: rows, page: 1, pages: 1, results: rows.length });

/** An API that may change everything and answers by one function; files and previews throw. */
export function apiOn(send: Api['send']): Api {
  const unused = () => {
    throw new Error('nothing here asks for this');
  };
  return {
    readOnly: false,
    scopes: unknownScopes,
    stored: () => 0,
    time: () => ({ from: Date.now(), to: Date.now() }),
    files: { upload: unused, download: unused, remove: unused },
    send,
    pages: (operation, request = {}) =>
      readPages((further) => send(operation, { ...request, ...further }), operation, request),
    preview: unused,
    translated: (body) => body,
    documented: { path: (path) => path, value: (value) => value },
    curlOf: (method, path) => `curl -X ${method} ${path}`,
    close: async () => {},
  };
}

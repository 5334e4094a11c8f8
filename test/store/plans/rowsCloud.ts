import type { Api } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/error.ts';
import { isRow, type Row } from '../../../src/resources/row.ts';
import { apiOn, onePage } from '../apiOn.ts';

/** A cloud of rows by their paths, as the documents say: a change takes the place of each value that it names, a deletion takes what lies below. */
export interface RowsCloud {
  readonly rows: Map<string, Row>;
  /** The writes that it carried out: `PUT /domains/1`. */
  readonly writes: readonly string[];
  /** Paths that are answered by a refusal of this status. */
  readonly refused: Map<string, number>;
  readonly api: Api;
}

/** Names of parts that are brought together with those that are there. */
const together = new Set(['alerts']);

export function rowsCloud(first: Readonly<Record<string, Row>>): RowsCloud {
  const rows = new Map(Object.entries(structuredClone(first)));
  const writes: string[] = [];
  const refused = new Map<string, number>();
  const api = apiOn(async ({ method, path: whole }, { params = {}, body } = {}) => {
    const path = whole.replace('/v4', '').replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    const row = rows.get(path);
    const status = refused.get(path);
    if (status) throw new ApiError({ kind: 'answer', status, method, path, message: 'Refused.' });
    if (method === 'GET') {
      if (row) return { body: row, status: 200 };
      const below = [...rows].filter(
        ([one]) => one.startsWith(`${path}/`) && !one.slice(path.length + 1).includes('/'),
      );
      if (/\d$/.test(path)) throw new ApiError({ kind: 'answer', status: 404, method, path, message: 'Not found.' });
      return { body: onePage(below.map(([, found]) => found)), status: 200 };
    }
    writes.push(`${method} ${path}`);
    if (row && method === 'DELETE') {
      for (const one of rows.keys()) if (one === path || one.startsWith(`${path}/`)) rows.delete(one);
      return { body: {}, status: 200 };
    }
    if (!row || method !== 'PUT' || !isRow(body)) throw new Error(`${method} ${path} is not known here`);
    const changed = Object.entries(body).map(([name, value]) => [
      name,
      together.has(name) && isRow(value) && isRow(row[name]) ? { ...row[name], ...value } : value,
    ]);
    const now = { ...row, ...Object.fromEntries(changed) };
    rows.set(path, now);
    return { body: now, status: 200 };
  });
  const preview: Api['preview'] = ({ method }) => ({
    method,
    url: 'https://api.example.com/',
    headers: {},
    body: '',
    curl: '',
  });
  return { rows, writes, refused, api: { ...api, preview } };
}

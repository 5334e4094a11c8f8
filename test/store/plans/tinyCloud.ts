import type { Api } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/error.ts';
import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { Operation, Row } from '../../../src/resources/resource.ts';
import { isRow } from '../../../src/resources/row.ts';
import { apiOn, onePage } from '../apiOn.ts';

/** Where a request breaks off: it does not arrive, it does but its answer does not, or the program ends before or behind it. */
export type Break = 'not arrived' | 'not answered' | 'killed before' | 'killed after';

/** A cloud of volumes and servers that outlives the programs that ask it. */
export interface TinyCloud {
  /** The changes that it has carried out, in order: `PUT /volumes/1 {…}`. */
  readonly done: readonly string[];
  readonly volumes: Map<string, Row>;
  readonly servers: Map<string, Row>;
  /** The requests so far. */
  readonly count: number;
  /** The requests by their number, from 0 on, that break off. */
  breaks: Map<number, Break>;
  /** An API as one program has it. */
  open(): { api: Api; killed: Promise<void> };
}

const hangs = new Promise<never>(() => {});

export function tinyCloud(): TinyCloud {
  const done: string[] = [];
  const of = (label: string, id: number, further: Row): [string, Row] => [
    String(id),
    { id, label, tags: [], created: '2020-01-01T00:00:00', ...further },
  ];
  const volumes = new Map(
    [1, 2, 3].map((id) => of(`data-${id}`, id, { size: 20, server_id: null, region: 'us-east' })),
  );
  const servers = new Map([of('web-1', 7, { region: 'us-east', status: 'running' })]);
  let last = 100;
  let count = 0;
  const breaks = new Map<number, Break>();

  function answer({ method, path: whole }: Operation, { params = {}, body }: ApiRequest): unknown {
    const path = whole.replace('/v4', '');
    const [, kind = '', , word] = path.split('/');
    const rows = kind === 'volumes' ? volumes : kind === 'servers' ? servers : new Map<string, Row>();
    const id = Object.values(params)[0];
    if (method === 'GET') {
      if (id === undefined) return onePage([...rows.values()]);
      const found = rows.get(id);
      if (!found) throw new ApiError({ kind: 'answer', status: 404, method, path, message: 'Not found.' });
      return found;
    }
    done.push([method, path.replace(/\{.*?\}/, String(id)), ...(body ? [JSON.stringify(body)] : [])].join(' '));
    if (method === 'DELETE') {
      rows.delete(String(id));
      return {};
    }
    const sent = isRow(body) ? body : {};
    const before = rows.get(String(id));
    const key = id === undefined ? String(++last) : id;
    const made = { id: last, tags: [], server_id: null, created: new Date().toISOString().slice(0, 19) };
    const row = { ...(before ?? made), ...(word === 'attach' ? { server_id: sent.server_id } : sent) };
    rows.set(key, row);
    return row;
  }

  return {
    done,
    volumes,
    servers,
    breaks,
    get count() {
      return count;
    },
    open() {
      let isDead = false;
      const { promise: killed, resolve: kill } = Promise.withResolvers<void>();
      const send = async (operation: Operation, request: ApiRequest = {}): Promise<ApiResponse> => {
        if (isDead) return hangs;
        // The poll of the events is not counted: it depends on the clock.
        const how = operation.path.includes('events') ? undefined : breaks.get(count++);
        const { method, path } = operation;
        const lost = () =>
          new ApiError({ kind: 'timeout', method, path, maybeSent: method !== 'GET', message: 'It did not answer.' });
        if (how === 'not arrived') throw lost();
        if (how === 'killed before' || how === 'killed after') {
          isDead = true;
          kill();
          if (how === 'killed after') answer(operation, request);
          return hangs;
        }
        const body = answer(operation, request);
        if (how === 'not answered') throw lost();
        return { body, status: 200 };
      };
      return { api: apiOn(send), killed };
    },
  };
}

import { promisify } from 'node:util';
import { zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { redacted } from '../../api/redact.ts';
import { parseJson } from '../../api/responseText.ts';
import { idOf, isNameless } from '../../resources/identity.ts';
import { isRow, isText, type Row } from '../../resources/row.ts';
import type { KeptList, KeptSource } from '../../store/kept/keptRows.ts';
import { isKeepableQuery, type Query, queryKey, resourceOfRows } from '../../store/queries.ts';
import { attempt } from '../../text/errno.ts';
import { day, minute } from '../../text/times.ts';
import type { Login, LoginState } from '../state/accounts.ts';
import type { Database } from '../state/database.ts';
import type { State } from '../state/state.ts';
import { maxTopBytes, packed, rowsInTurns, rowsOfBlocks, topIn } from './rowBlocks.ts';

/** The lists of a login that are kept in the state. */
export interface KeptLists extends KeptSource {
  /** Whether a session before has kept any that were not left out. */
  hasLists(): boolean;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

/** Longer lists are read again anyway before anybody has looked at them all. */
const maxRows = 50_000;
const maxRowsBelow = 1_000;
const maxQueryBytes = 10_000;
/** The largest list as text. */
const maxTextBytes = 64 * 2 ** 20;
/** Of an account, compressed, and of all. */
const maxAccountBytes = 8 * 2 ** 20;
const maxTotalBytes = 32 * 2 ** 20;
/** Of an account, so many lists are shown, which are so long as text. */
const maxLists = 5_000;
const maxAllTextBytes = 256 * 2 ** 20;
/** Older lists say too little; a clock may be set back a little. */
const [maxAge, clockSlack] = [30 * day, minute];

const decompress = promisify(zstdDecompress);

/** A list in the state, without its rows. */
interface Listed extends Omit<KeptList, 'rows'> {
  /** The text that stands for the query. */
  key: string;
  count: number;
}

type Ids = readonly [login: number, account: number];

type Found = Readonly<{ database: Database; ids: Ids }>;

const ofLogin = 'login = ? AND account = ?';

/** The lists that are kept of a login. Nothing is opened before something is asked for. */
export function openKeptLists(state: State, login: Login, account: LoginState): KeptLists {
  /** The lists that were not read yet, by query key; undefined before they were looked for. */
  let left: Map<string, Listed> | undefined;
  /** The rows as they are in the state, by query key. */
  const written = new Map<string, readonly Row[]>();
  /** Counts the accounts that it was. */
  let era = 0;
  let tell: Parameters<KeptSource['onLeftOut']>[0] | undefined;
  const told: string[] = [];
  let saving: Promise<void> = Promise.resolve();
  let textBytes = maxAllTextBytes;

  function say(says: string, isAll = false): void {
    if (tell) tell(says, isAll);
    else told.push(says);
  }

  account.onOther(() => {
    era++;
    left?.clear();
    written.clear();
    say(`The kept lists of ${login.profile} are left aside: the token is of another account now.`, true);
  });

  /** The database with the login in it; undefined where nothing is kept, or it cannot be read. */
  function found(): Found | undefined {
    // Where that fails, the views and acknowledgements, which are read as well, say why.
    return attempt(() => {
      const database = state.toRead();
      const row = database && account.row(database);
      return row && { database, ids: [row.login, row.account] };
    });
  }

  function listed(): Map<string, Listed> {
    if (left) return left;
    left = new Map();
    const here = found();
    const future = new Set<string>();
    for (const one of here ? indexOf(here.database, here.ids) : []) {
      const query = queryIn(one.key);
      if (one.keptAt > state.now() + clockSlack) future.add(one.key);
      else if (query && state.now() - one.keptAt < maxAge) left.set(queryKey(query), { ...one, query });
    }
    if (future.size > 0) leaveOut(future, 'they are of the future, so a clock is or was wrong');
    return left;
  }

  /** Removes lists that cannot be shown, so that no later start meets them, and says so. */
  function leaveOut(keys: Iterable<string>, why: string): void {
    // Where that fails, they are met and left out again.
    attempt(() => {
      const here = found();
      for (const key of keys) here?.database.run(`DELETE FROM list WHERE ${ofLogin} AND query = ?`, ...here.ids, key);
    });
    say(`Some of the kept lists of ${login.profile} are left out: ${why}.`);
  }

  const damaged = ({ key }: Listed): void => leaveOut([key], 'they are damaged');

  const limits = () => ({ maxOutputLength: Math.max(1, Math.min(maxTextBytes, textBytes)) });

  function textOf(bytes: Buffer): string {
    textBytes -= bytes.length;
    return bytes.toString();
  }

  function listOf({ query, results, keptAt }: Listed, rows: readonly Row[]): KeptList {
    written.set(queryKey(query), rows);
    return { query, results, keptAt, rows };
  }

  async function write(lists: readonly KeptList[]): Promise<void> {
    const fresh: (readonly [KeptList, Uint8Array | undefined])[] = [];
    for (const list of lists) {
      if (!isKeepable(list)) continue;
      fresh.push([list, written.get(queryKey(list.query)) === list.rows ? undefined : await packed(list)]);
    }
    if (fresh.length === 0) return;
    const database = state.toWrite();
    database.transaction(() => {
      const row = account.ownRow(database);
      const ids = [row.login, row.account] as const;
      for (const [list, data] of fresh) {
        putList(database, ids, list, data);
        written.set(queryKey(list.query), list.rows);
      }
      removeOldest(database, ids, state.now());
    });
    const kept = new Set(lists.map(({ query }) => queryKey(query)));
    for (const key of written.keys()) if (!kept.has(key)) written.delete(key);
  }

  return {
    read(query, most = maxRows) {
      const one = listed().get(queryKey(query));
      if (!one || one.count > most) return undefined;
      listed().delete(queryKey(query));
      try {
        const data = partOf(found(), one, 'data');
        if (data) return listOf(one, rowsOfBlocks(textOf(zstdDecompressSync(data, limits())), limitOf(query)));
      } catch {
        damaged(one);
      }
      return undefined;
    },
    readTop(query, sort) {
      const key = queryKey(query);
      const one = listed().get(key);
      const end = one && partOf(found(), one, `substr(data, -${maxTopBytes})`);
      const rows = attempt(() => topIn(end, sort));
      if (!one || !rows) return undefined;
      left = new Map([[key, one], ...listed()]);
      return { query, rows, results: one.count, keptAt: one.keptAt, isTop: true };
    },
    async *rest() {
      const began = era;
      for (const [key, one] of listed()) {
        listed().delete(key);
        try {
          const data = isKeepableQuery(one.query) && partOf(found(), one, 'data');
          if (!data) continue;
          const rows = await rowsInTurns(textOf(await decompress(data, limits())), limitOf(one.query));
          // It may have been seen meanwhile that it is another account's.
          if (era === began) yield listOf(one, rows);
        } catch {
          damaged(one);
        }
      }
    },
    save(lists) {
      // Without it the next start only takes longer.
      saving = saving.then(() => write(lists)).catch(() => {});
      return saving;
    },
    onLeftOut(listener) {
      tell = listener;
      for (const says of told.splice(0)) listener(says, false);
    },
    hasLists: () => listed().size > 0 || written.size > 0,
    close: () => saving,
  };
}

/** The compressed rows of a list, or a part of them. */
function partOf(here: Found | undefined, { key }: Listed, part: string): Uint8Array | undefined {
  const sql = `SELECT ${part} AS part FROM list WHERE ${ofLogin} AND query = ? AND length(data) <= ?`;
  const found = here?.database.get(sql, ...here.ids, key, maxAccountBytes)?.part;
  return found instanceof Uint8Array ? found : undefined;
}

/** Removes all lists that are kept of a profile, or of all; returns the number of bytes. Throws a StateError. */
export function removeLists(state: State, profile?: string): number {
  const database = state.toRead();
  if (!database) return 0;
  const which = 'login IN (SELECT id FROM login WHERE profile = coalesce(?, profile))';
  const sum = `SELECT sum(length(data)) AS bytes FROM list WHERE ${which}`;
  return database.transaction(() => {
    const bytes = Number(database.get(sum, profile ?? null)?.bytes);
    database.run(`DELETE FROM list WHERE ${which}`, profile ?? null);
    return bytes;
  });
}

function indexOf(database: Database, ids: Ids): readonly Omit<Listed, 'query'>[] {
  const sql = `SELECT query, results, kept_at, count FROM list WHERE ${ofLogin} AND octet_length(query) <= ?
    AND typeof(kept_at) = 'integer' ORDER BY rowid LIMIT ?`;
  const found = database.all(sql, ...ids, maxQueryBytes, maxLists);
  return found.map(({ query, results, kept_at, count }) => ({
    key: String(query),
    ...(typeof results === 'number' && { results }),
    keptAt: Number(kept_at),
    count: Number(count),
  }));
}

/** A query as a text; equal queries have equal texts. */
export const queryText = ({ resource, operation, params }: Query): string =>
  JSON.stringify({ resource, operation, params: Object.fromEntries(Object.entries(params).sort()) });

/** The query that a text stands for; undefined for any other. */
function queryIn(text: string): Query | undefined {
  const query = parseJson(text);
  if (!isRow(query) || !isRow(query.params)) return undefined;
  const { resource, operation, params } = query;
  return [resource, operation, ...Object.values(params)].every(isText) ? (query as unknown as Query) : undefined;
}

/** The rows of a list. Throws where they are damaged, or too many. */
export const rowsOfData = (data: Uint8Array, query: Query): readonly Row[] =>
  rowsOfBlocks(zstdDecompressSync(data, { maxOutputLength: maxTextBytes }).toString(), limitOf(query));

const limitOf = ({ params }: Query): number => (Object.keys(params).length > 0 ? maxRowsBelow : maxRows);

/** Rows without an id are known by their place only, which another reading may give to others; one that is secret is not kept. */
function isKeepable({ query, rows }: KeptList): boolean {
  const [first] = rows;
  const resource = resourceOfRows(query);
  const isOpen = first === undefined || idOf(resource, redacted(first) as Row) === idOf(resource, first);
  return isKeepableQuery(query) && isOpen && rows.length <= limitOf(query) && !rows.some(isNameless);
}

/** Puts a list into the state; without data its rows are there already. */
function putList(database: Database, ids: Ids, list: KeptList, data: Uint8Array | undefined): void {
  const { query, results = null, keptAt, rows } = list;
  const key = [...ids, queryText(query)] as const;
  const before = `${ofLogin} AND query = ? AND kept_at <= ?`;
  if (data === undefined) {
    database.run(`UPDATE list SET kept_at = ?, results = ? WHERE ${before}`, keptAt, results, ...key, keptAt);
    return;
  }
  database.run(`DELETE FROM list WHERE ${before}`, ...key, keptAt);
  // Rows that another session has read later stay.
  const sql = `INSERT OR IGNORE INTO list (login, account, query, results, kept_at, count, data)
    VALUES (?, ?, ?, ?, ?, ?, ?)`;
  database.run(sql, ...key, results, keptAt, rows.length, data);
}

/** Keeps the newest lists where there is no room for all: those that lie under a row go first. */
function removeOldest(database: Database, ids: Ids, now: number): void {
  database.run('DELETE FROM list WHERE kept_at < ?', now - maxAge);
  const sql = `DELETE FROM list WHERE rowid IN (SELECT rowid FROM (SELECT rowid,
    sum(length(data)) OVER (ORDER BY query NOT LIKE '%"params":{}}', kept_at DESC, rowid) AS bytes
    FROM list WHERE WHICH) WHERE bytes > ?)`;
  database.run(sql.replace('WHICH', ofLogin), ...ids, maxAccountBytes);
  database.run(sql.replace('WHICH', 'true'), maxTotalBytes);
}

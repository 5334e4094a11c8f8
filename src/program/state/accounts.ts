import { parseJson } from '../../api/responseText.ts';
import type { AccountState, KeptKind, KeptValues } from '../../store/kept/accountState.ts';
import type { Database } from './database.ts';
import type { Login } from './login.ts';
import type { State } from './state.ts';

/** The account of a login in the database. */
export interface AccountRow {
  login: number;
  account: number;
}

/** The state of the account that a login was last seen to be; of an unknown login nothing is shown before the API says its account. */
export interface LoginState extends AccountState {
  /** Where nothing is kept of the login, undefined. Throws a StateError. */
  row(database: Database): AccountRow | undefined;
  /** Makes what is missing; within a transaction. Throws a StateError. */
  ownRow(database: Database): AccountRow;
  /** Called when the account is another than it was thought to be. */
  onOther(listener: () => void): void;
}

/** Larger values are not read; no plan is so large. */
const maxValueBytes = 32 * 2 ** 20;
/** Of a kind, so many values are read, the last changed. */
const maxValues = 20_000;

/** Kinds of which nothing may be forgotten by a power cut. */
const lasting: readonly KeptKind[] = ['plan', 'progress', 'run'];

export function loginState(state: State, login: Login): LoginState {
  const { profile, address } = login;
  const host = new URL(address).host;
  let euuid: string | undefined;
  let known: AccountRow | undefined;
  /** The database in which it was found. */
  let foundIn: Database | undefined;
  let version: number | undefined;
  const listeners = new Set<() => void>();
  let tellOther = () => {};

  function row(database: Database): AccountRow | undefined {
    if (foundIn !== database) {
      known = undefined;
      version = database.version();
    }
    foundIn = database;
    if (known) return known;
    const sql = 'SELECT id, account, fingerprint FROM login WHERE profile = ? AND address = ?';
    const logins = database.all(sql, profile, address);
    const own = logins.length > 0 ? logins.find((one) => one.fingerprint === login.fingerprint()) : undefined;
    known = own && { login: Number(own.id), account: Number(own.account) };
    return known;
  }

  function named(database: Database): number | undefined {
    if (euuid === undefined) return undefined;
    const found = database.get('SELECT id FROM account WHERE host = ? AND euuid = ?', host, euuid);
    return found && Number(found.id);
  }

  /** The account that the same profile had with another token, whose views are shown until more is known. */
  function former(database: Database): number | undefined {
    const sql = 'SELECT account FROM login WHERE profile = ? AND address = ? ORDER BY at DESC LIMIT 1';
    const found = euuid === undefined ? database.get(sql, profile, address) : undefined;
    return found && Number(found.account);
  }

  const accountOf = (database: Database): number | undefined => row(database)?.account ?? named(database);

  function insert(database: Database, sql: string, ...values: readonly (string | number | null)[]): number {
    database.run(sql, ...values);
    return Number(database.get('SELECT last_insert_rowid() AS id')?.id);
  }

  const addAccount = (database: Database): number =>
    insert(database, 'INSERT INTO account (host, euuid) VALUES (?, ?)', host, euuid ?? null);

  function ownRow(database: Database): AccountRow {
    const found = row(database);
    if (found) return found;
    const account = named(database) ?? addAccount(database);
    const sql = 'INSERT INTO login (profile, address, fingerprint, account, at) VALUES (?, ?, ?, ?, ?)';
    known = { login: insert(database, sql, profile, address, login.fingerprint(), account, state.now()), account };
    forgetOldest(database, profile, address);
    return known;
  }

  /** Makes a login one of the account that the API has named; returns whether it was thought to be another. */
  function join(database: Database, own: AccountRow): boolean {
    const before = database.get('SELECT euuid FROM account WHERE id = ?', own.account)?.euuid;
    if (before === euuid) return false;
    const target = named(database);
    if (before === null && target === undefined) {
      database.run('UPDATE account SET euuid = ? WHERE id = ?', euuid ?? null, own.account);
      return false;
    }
    const account = target ?? addAccount(database);
    const moved = [account, own.account] as const;
    if (before === null) {
      // Whatever was kept before the account had a name is the account's.
      database.run('UPDATE OR REPLACE entry SET account = ? WHERE account = ?', ...moved);
      database.run('UPDATE OR REPLACE list SET account = ? WHERE account = ? AND login = ?', ...moved, own.login);
    }
    database.run('UPDATE login SET account = ?, at = ? WHERE id = ?', account, state.now(), own.login);
    known = { ...own, account };
    return before !== null;
  }

  function tellNews(): void {
    for (const listener of listeners) listener();
  }

  function readFrom(database: Database, account: number | undefined, kind: KeptKind): ReadonlyMap<string, unknown> {
    if (account === undefined) return new Map();
    const sql = `SELECT key, value FROM (SELECT id, key, value FROM entry
      WHERE account = ? AND kind = ? AND length(value) <= ? ORDER BY id DESC LIMIT ?) ORDER BY id`;
    const found = database.all(sql, account, kind, maxValueBytes, maxValues);
    return new Map(found.map(({ key, value }) => [String(key), parseJson(String(value))]));
  }

  const valuesOf = (kind: KeptKind): KeptValues => ({
    read() {
      const database = state.toRead();
      if (!database) return new Map();
      const account = accountOf(database) ?? (kind === 'view' ? former(database) : undefined);
      return readFrom(database, account, kind);
    },
    change(alter) {
      const database = state.toWrite();
      database.transaction(() => {
        const { account } = ownRow(database);
        for (const [key, value] of alter(readFrom(database, account, kind)))
          if (value === undefined)
            database.run('DELETE FROM entry WHERE account = ? AND kind = ? AND key = ?', account, kind, key);
          else
            database.run(
              'INSERT OR REPLACE INTO entry (account, kind, key, value) VALUES (?, ?, ?, ?)',
              account,
              kind,
              key,
              JSON.stringify(value),
            );
      }, lasting.includes(kind));
    },
  });

  return {
    row,
    ownRow,
    of: valuesOf,
    onOther(listener) {
      tellOther = listener;
    },
    confirm(id) {
      if (euuid === id) return;
      try {
        const database = state.toRead();
        const before = database && accountOf(database);
        euuid = id;
        const own = database && row(database);
        if (own && database.transaction(() => join(database, own))) tellOther();
        if (database && accountOf(database) !== before) tellNews();
      } catch {
        euuid = id;
        // The next reading or writing says why.
      }
    },
    look() {
      try {
        const now = state.toRead()?.version();
        const isNew = now !== undefined && version !== undefined && now !== version;
        version = now;
        if (isNew) tellNews();
      } catch {
        // The next reading or writing says why.
      }
    },
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Of a profile with changing tokens, so many are remembered. */
const maxLogins = 20;

/** Forgets the logins of a profile that were new longest ago, with their lists, and what was kept of no account that has a name. */
function forgetOldest(database: Database, profile: string, address: string): void {
  const sql = 'SELECT id FROM login WHERE profile = ? AND address = ? ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?';
  const nameless = 'SELECT id FROM account WHERE euuid IS NULL AND id NOT IN (SELECT account FROM login)';
  for (const { id = null } of database.all(sql, profile, address, maxLogins)) {
    database.run('DELETE FROM list WHERE login = ?', id);
    database.run('DELETE FROM login WHERE id = ?', id);
  }
  database.run(`DELETE FROM entry WHERE account IN (${nameless})`);
  database.run(`DELETE FROM account WHERE id IN (${nameless})`);
}

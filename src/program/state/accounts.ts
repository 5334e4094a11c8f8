import { crc32 } from 'node:zlib';
import { parseJson } from '../../api/responseText.ts';
import type { AccountState, StoredKind, StoredValues } from '../../store/kept/accountState.ts';
import { createListeners } from '../../store/listeners.ts';
import { attempt } from '../../text/errno.ts';
import type { RunSettings } from '../settings.ts';
import type { Database } from './database.ts';
import { type RunOwner, runsIn } from './runs.ts';
import type { State } from './state.ts';

/** A profile with the address and the token that it has now. */
export interface Login {
  profile: string;
  /** The base URL of the API. */
  address: string;
  /** Tells the tokens of a profile apart; of its 32 bits nobody can guess one. To load a hash would take 10 ms of a start. */
  fingerprint: string;
}

/**
 * The login of these settings; undefined with the demo, whose data end with it. A token that a program prints may be
 * another one each time, so that program stands for it.
 */
export function loginOf(settings: Pick<RunSettings, 'profile' | 'account' | 'own' | 'demo'>): Login | undefined {
  const { profile, account, own, demo } = settings;
  if (!account || demo) return undefined;
  const { baseUrl, token } = account;
  const isPrinted = own?.token_command !== undefined && token.source.includes('token command');
  const secret = isPrinted ? JSON.stringify(own.token_command) : token.value;
  return { profile, address: baseUrl, fingerprint: crc32(secret).toString(16).padStart(8, '0') };
}

interface StoredAccount {
  login: number;
  account: number;
}

/** The state of the account that a login was last seen to be; of an unknown login nothing is shown before the API says its account. */
export interface LoginState extends AccountState {
  /** Where nothing is kept of the login, undefined. Throws a StateError. */
  row(database: Database): StoredAccount | undefined;
  /** Makes what is missing; within a transaction. Throws a StateError. */
  ownRow(database: Database): StoredAccount;
  /**
   * Takes over values of an earlier version where none are kept since, of this login or of the account that they name.
   * Returns whether it is known whose they are; throws a StateError.
   */
  takeOver(
    of: { host?: string; euuid?: string },
    values: readonly (readonly [kind: StoredKind, key: string, value: unknown])[],
  ): boolean;
  /** Called when the account is another than it was thought to be. */
  onOther(listener: () => void): void;
}

/** Of a kind, so many values and bytes are read, the last changed; no plan is so large. */
const maxValues = 20_000;
const maxBytes = 32 * 2 ** 20;

/** Kinds of which nothing may be forgotten by a power cut. */
const lasting: readonly StoredKind[] = ['plan', 'progress', 'unsent', 'run'];

/** Stands for a process that carries nothing out. */
const nobody: RunOwner = { pid: 0, kill: () => true };

/** @param owner the process that may carry plans out */
export function loginState(state: State, login: Login, owner: RunOwner = nobody): LoginState {
  const { profile, address } = login;
  const host = new URL(address).host;
  let euuid: string | undefined;
  let known: StoredAccount | undefined;
  /** The database in which it was found, and its version then: another session may have named the account since. */
  let foundIn: Database | undefined;
  let foundAt: number | undefined;
  let version: number | undefined;
  const news = createListeners<[]>();
  let tellOther = () => {};

  function row(database: Database): StoredAccount | undefined {
    const now = database.version();
    if (foundIn !== database) version = now;
    if (foundIn !== database || foundAt !== now) known = undefined;
    foundIn = database;
    foundAt = now;
    if (known) return known;
    const sql = 'SELECT id, account FROM login WHERE profile = ? AND address = ? AND fingerprint = ?';
    const own = database.get(sql, profile, address, login.fingerprint);
    known = own && { login: Number(own.id), account: Number(own.account) };
    return known;
  }

  const named = (database: Database) => accountNamed(database, host, euuid);

  /** The account that the same profile had with another token, whose views are shown until more is known. */
  function former(database: Database): number | undefined {
    const sql = 'SELECT account FROM login WHERE profile = ? AND address = ? ORDER BY at DESC LIMIT 1';
    const found = euuid === undefined ? database.get(sql, profile, address) : undefined;
    return found && Number(found.account);
  }

  const accountOf = (database: Database): number | undefined => row(database)?.account ?? named(database);

  const addAccount = (database: Database, of = host, id = euuid): number =>
    insert(database, 'INSERT INTO account (host, euuid) VALUES (?, ?)', of, id ?? null);

  function ownRow(database: Database): StoredAccount {
    const found = row(database);
    if (found) return found;
    const account = named(database) ?? addAccount(database);
    const sql = 'INSERT INTO login (profile, address, fingerprint, account, at) VALUES (?, ?, ?, ?, ?)';
    known = { login: insert(database, sql, profile, address, login.fingerprint, account, state.now()), account };
    forgetOldest(database, profile, address);
    return known;
  }

  /** Makes a login one of the account that the API has named; returns whether it was thought to be another. */
  function join(database: Database, own: StoredAccount): boolean {
    const before = database.get('SELECT euuid FROM account WHERE id = ?', own.account)?.euuid;
    if (before === euuid) return false;
    const target = named(database);
    if (before === null && target === undefined) {
      database.run('UPDATE account SET euuid = ? WHERE id = ?', euuid ?? null, own.account);
      return false;
    }
    const account = target ?? addAccount(database);
    // Whatever was kept before the account had a name is the account's.
    if (before === null) moveTo(database, account, own);
    database.run('UPDATE login SET account = ?, at = ? WHERE id = ?', account, state.now(), own.login);
    known = { ...own, account };
    return before !== null;
  }

  const valuesOf = (kind: StoredKind): StoredValues => ({
    read(keys) {
      const database = state.toRead();
      if (!database) return new Map();
      const account = accountOf(database) ?? (kind === 'view' ? former(database) : undefined);
      return account === undefined ? new Map() : readFrom(database, account, kind, keys);
    },
    put(values) {
      const database = state.toWrite();
      database.transaction(() => {
        const { account } = ownRow(database);
        for (const [key, value] of values) putEntry(database, 'REPLACE', [account, kind, key], value);
      }, lasting.includes(kind));
    },
  });

  const { running, begin } = runsIn(valuesOf('run'), owner, state.now);

  return {
    row,
    ownRow,
    of: valuesOf,
    together: (act) => state.toWrite().transaction(act, true),
    stamp() {
      const database = state.toRead();
      return database && [database, accountOf(database), foundAt, database.writes];
    },
    begin: (uids) => state.toWrite().transaction(() => begin(uids)),
    running,
    asideAt() {
      const at = state.toRead()?.get('SELECT max(at) AS at FROM aside')?.at;
      return typeof at === 'number' ? at : undefined;
    },
    takeOver(of, values) {
      const database = state.toWrite();
      const { host: on = host, euuid: id } = of;
      if (id === undefined && on !== host) return false;
      database.transaction(() => {
        const found = accountNamed(database, on, id);
        const account = id === undefined ? ownRow(database).account : (found ?? addAccount(database, on, id));
        for (const [kind, key, value] of values)
          if (value !== undefined) putEntry(database, 'IGNORE', [account, kind, key], value);
      }, true);
      return true;
    },
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
        if (database && accountOf(database) !== before) news.tell();
      } catch {
        euuid = id;
        // The next reading or writing says why.
      }
    },
    look() {
      // Where that fails, the next reading or writing says why.
      attempt(() => {
        const now = state.toRead()?.version();
        const isNew = now !== undefined && version !== undefined && now !== version;
        version = now;
        if (isNew) news.tell();
      });
    },
    onNews: news.subscribe,
  };
}

function accountNamed(database: Database, host: string, euuid: string | undefined): number | undefined {
  const found = euuid && database.get('SELECT id FROM account WHERE host = ? AND euuid = ?', host, euuid);
  return found ? Number(found.id) : undefined;
}

function insert(database: Database, sql: string, ...values: readonly (string | number | null)[]): number {
  database.run(sql, ...values);
  return Number(database.get('SELECT last_insert_rowid() AS id')?.id);
}

/** Moves what is kept of the account that a login was thought to be; steps follow those that are there. */
function moveTo(database: Database, account: number, own: StoredAccount): void {
  const moved = [account, own.account] as const;
  database.run(
    `UPDATE entry SET value = json_set(value, '$.place', 1e6 + json_extract(value, '$.place'))
     WHERE account = ? AND kind = 'plan' AND json_valid(value)`,
    own.account,
  );
  database.run('UPDATE OR REPLACE entry SET account = ? WHERE account = ?', ...moved);
  database.run('UPDATE OR REPLACE list SET account = ? WHERE account = ? AND login = ?', ...moved, own.login);
}

/** Puts a value, or removes it where it is undefined. */
function putEntry(
  database: Database,
  otherwise: 'REPLACE' | 'IGNORE',
  entry: readonly [account: number, kind: StoredKind, key: string],
  value: unknown,
): void {
  if (value === undefined) database.run('DELETE FROM entry WHERE account = ? AND kind = ? AND key = ?', ...entry);
  else {
    const sql = `INSERT OR ${otherwise} INTO entry (account, kind, key, value) VALUES (?, ?, ?, ?)`;
    database.run(sql, ...entry, JSON.stringify(value));
  }
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

function readFrom(
  database: Database,
  account: number,
  kind: StoredKind,
  keys: Iterable<string> | undefined,
): ReadonlyMap<string, unknown> {
  const sql = `SELECT key, value, octet_length(key) + octet_length(value) AS bytes FROM entry
    WHERE account = ? AND kind = ?${keys ? ' AND key IN (SELECT value FROM json_each(?))' : ''}
      AND octet_length(key) + octet_length(value) <= ? ORDER BY id DESC LIMIT ?`;
  const wanted = keys ? [JSON.stringify([...keys])] : [];
  const found: (readonly [key: string, value: string])[] = [];
  let left = maxBytes;
  const take = ({ key, value, bytes }: ReturnType<Database['all']>[number]): boolean => {
    left -= Number(bytes);
    if (left >= 0) found.push([String(key), String(value)]);
    return left > 0;
  };
  database.each(sql, take, account, kind, ...wanted, maxBytes, maxValues);
  return new Map(found.reverse().map(([key, value]) => [key, parseJson(value)]));
}

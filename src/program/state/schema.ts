/**
 * The tables of the state, as the steps from each version to the next; `user_version` counts those that were taken.
 *
 * account: by host and the account's own id, which is absent where no token that was used may read it
 * login: a profile, address and token, with the account that it was last seen to be
 * entry: whatever is kept of an account by its kind: JSON by key, the last changed last
 * list: the rows of a list as a login has read them
 * aside: when a file before this one was set aside
 * crash: the profiles of a session that crashed
 */
export const schema: readonly string[] = [
  `CREATE TABLE account (
     id INTEGER PRIMARY KEY,
     host TEXT NOT NULL,
     euuid TEXT,
     UNIQUE (host, euuid)
   );
   CREATE TABLE login (
     id INTEGER PRIMARY KEY,
     profile TEXT NOT NULL,
     address TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     account INTEGER NOT NULL REFERENCES account,
     at INTEGER NOT NULL,
     UNIQUE (profile, address, fingerprint)
   );
   CREATE TABLE entry (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     account INTEGER NOT NULL REFERENCES account,
     kind TEXT NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     UNIQUE (account, kind, key)
   );
   CREATE TABLE list (
     login INTEGER NOT NULL REFERENCES login,
     account INTEGER NOT NULL REFERENCES account,
     query TEXT NOT NULL,
     results INTEGER,
     kept_at INTEGER NOT NULL,
     count INTEGER NOT NULL,
     data BLOB NOT NULL,
     PRIMARY KEY (login, account, query)
   );
   CREATE TABLE aside (at INTEGER NOT NULL);
   CREATE TABLE crash (profile TEXT PRIMARY KEY)`,
];

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type LoginState, loginState } from '../../../src/program/state/accounts.ts';
import { leaveAside, noteCrash } from '../../../src/program/state/crashed.ts';
import type { RunOwner } from '../../../src/program/state/runs.ts';
import { openState, type State } from '../../../src/program/state/state.ts';
import { takeOver } from '../../../src/program/state/takeOver.ts';
import type { AccountState, StoredKind } from '../../../src/store/kept/accountState.ts';
import { storedSteps, withProgress } from '../../../src/store/plans/storedPlan.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const owner = process.geteuid?.();
const work = { profile: 'work', address: 'https://api.example.com', token: 'one' };

let home: string;
let directory: string;
let told: string[];
beforeEach(() => {
  home = temporaryFolder('state');
  directory = join(home, 'state');
  told = [];
});

/** A session of its own. */
function open(given: Partial<typeof work> = {}): LoginState & { state: State } {
  const { token, ...login } = { ...work, ...given };
  const state = openState(directory, owner, () => 1000);
  state.onNotice((says) => told.push(says));
  onTestFinished(state.close);
  return { ...loginState(state, { ...login, fingerprint: token }), state };
}

const put = (account: AccountState, kind: StoredKind, key: string, value: unknown) =>
  account.of(kind).put([[key, value]]);
const kept = (account: AccountState, kind: StoredKind) => Object.fromEntries(account.of(kind).read());

describe('what is kept of an account', () => {
  test('is there for the next session, in the order of its changes, and nothing is made by looking', () => {
    expect(kept(open(), 'view')).toEqual({});
    expect(existsSync(directory)).toBe(false);
    const one = open();
    for (const key of ['a', 'b', 'a']) put(one, 'view', key, [key]);
    put(one, 'acknowledged', 'a', 1);
    expect([...open().of('view').read()]).toEqual([
      ['b', ['b']],
      ['a', ['a']],
    ]);
    put(one, 'view', 'b', undefined);
    expect(kept(open(), 'view')).toEqual({ a: ['a'] });
    expect(kept(open(), 'acknowledged')).toEqual({ a: 1 });
  });

  test('of another session is told when it is looked for', () => {
    const [one, other] = [open(), open()];
    put(one, 'view', 'a', 1);
    kept(other, 'view');
    let news = 0;
    const end = other.onNews(() => news++);
    other.look();
    expect(news).toBe(0);
    put(one, 'view', 'a', 2);
    put(other, 'view', 'b', 3);
    other.look();
    expect(news).toBe(1);
    other.look();
    expect([news, kept(other, 'view')]).toEqual([1, { a: 2, b: 3 }]);
    end();
    put(one, 'view', 'a', 4);
    other.look();
    expect(news).toBe(1);
  });

  test('changes that throw leave nothing behind', () => {
    const one = open();
    put(one, 'view', 'a', 1);
    expect(() =>
      one.together(() => {
        put(one, 'view', 'a', 2);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(kept(open(), 'view')).toEqual({ a: 1 });
  });

  test('has another stamp once anything may be otherwise, and only then', () => {
    const one = open();
    expect(one.stamp()).toBeUndefined();
    put(one, 'plan', 'a', 1);
    const change = (act: () => unknown) => {
      const before = one.stamp();
      expect(one.stamp()).toEqual(before);
      act();
      return one.stamp()?.some((part, place) => part !== before?.[place]);
    };
    const second = loginState(one.state, { ...work, fingerprint: 'two' });
    expect(change(() => kept(one, 'plan'))).toBe(false);
    expect(change(() => put(one, 'plan', 'a', 2))).toBe(true);
    expect(change(() => put(second, 'plan', 'a', 3))).toBe(true);
    expect(change(() => put(open(), 'plan', 'a', 4))).toBe(true);
    expect(change(() => one.confirm('A'))).toBe(true);
    const fails = () =>
      one.together(() => {
        put(one, 'plan', 'a', 5);
        throw new Error('no');
      });
    expect(change(() => expect(fails).toThrow('no'))).toBe(true);
    expect(change(() => one.state.toWrite().close())).toBe(true);
  });

  test('of any shape is read, or left out', () => {
    put(open(), 'view', 'a', 1);
    const database = open().state.toWrite();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    database.run('UPDATE entry SET value = ?', deep);
    expect(JSON.stringify(kept(open(), 'view')).length).toBeLessThan(1000);
    database.run('UPDATE entry SET value = ?', '{');
    expect(kept(open(), 'view')).toEqual({ a: undefined });
  });
});

describe('a file that is gone while sessions have it open', () => {
  test.each([
    ['with its directory', () => rmSync(directory, { recursive: true })],
    ['by itself', () => readdirSync(directory).forEach((name) => void rmSync(join(directory, name)))],
  ])('%s, is written again with all that was kept', (_, remove) => {
    const [one, other] = [open(), open()];
    put(one, 'plan', 'a', 1);
    put(other, 'plan', 'b', 2);
    remove();
    put(one, 'plan', 'c', 3);
    put(other, 'plan', 'd', 4);
    const all = { a: 1, b: 2, c: 3, d: 4 };
    expect([one, other, open()].map((session) => kept(session, 'plan'))).toEqual([all, all, all]);
    expect(readdirSync(directory).filter((name) => !/^skydeck\.db(-wal|-shm)?$/.test(name))).toEqual([]);
    expect(statSync(join(directory, 'skydeck.db')).mode & 0o777).toBe(0o600);
    expect(told).toEqual([
      expect.stringMatching(/skydeck\.db was removed; all of it was written again\.$/),
      expect.stringMatching(/skydeck\.db was replaced; the new one is used now\.$/),
    ]);
  });

  test('and in whose place is something else, keeps nothing and says so, until it can be written again', () => {
    const one = open();
    put(one, 'plan', 'a', 1);
    rmSync(directory, { recursive: true });
    writeFileSync(directory, '');
    expect(() => put(one, 'plan', 'b', 2)).toThrow(/skydeck\.db (lies in|cannot be opened)/);
    rmSync(directory);
    put(one, 'plan', 'c', 3);
    expect(kept(open(), 'plan')).toEqual({ a: 1, c: 3 });
  });

  test('within changes that are made as one, is written again after them', () => {
    const one = open();
    put(one, 'plan', 'a', 1);
    one.together(() => {
      rmSync(directory, { recursive: true });
      put(one, 'plan', 'b', 2);
    });
    put(one, 'plan', 'c', 3);
    expect(kept(open(), 'plan')).toEqual({ a: 1, b: 2, c: 3 });
  });
});

describe('the account', () => {
  test('is one for all profiles and tokens of it, once the API has said its id', () => {
    const one = open();
    one.confirm('A');
    put(one, 'acknowledged', 'a', 1);
    const other = open({ profile: 'other', token: 'two' });
    expect(kept(other, 'acknowledged')).toEqual({});
    let news = 0;
    other.onNews(() => news++);
    other.confirm('A');
    expect([news, kept(other, 'acknowledged')]).toEqual([1, { a: 1 }]);
    put(other, 'acknowledged', 'b', 2);
    expect(kept(open({ profile: 'other', token: 'two' }), 'acknowledged')).toEqual({ a: 1, b: 2 });
    expect(kept(open(), 'acknowledged')).toEqual({ a: 1, b: 2 });
  });

  test('of another host is another one, whatever its id', () => {
    const one = open();
    one.confirm('A');
    put(one, 'acknowledged', 'a', 1);
    const other = open({ address: 'https://other.example.com' });
    other.confirm('A');
    expect(kept(other, 'acknowledged')).toEqual({});
  });

  test('of a token that may not read it is that of profile, address and token', () => {
    put(open(), 'plan', 'a', 1);
    put(open(), 'acknowledged', 'a', 1);
    expect(kept(open(), 'plan')).toEqual({ a: 1 });
    const other = open({ token: 'two' });
    expect([kept(other, 'plan'), kept(other, 'acknowledged')]).toEqual([{}, {}]);
  });

  test('has the views of the profile with another token until more is known', () => {
    const one = open();
    one.confirm('A');
    put(one, 'view', 'a', 1);
    const other = open({ token: 'two' });
    expect(kept(other, 'view')).toEqual({ a: 1 });
    other.confirm('B');
    expect(kept(other, 'view')).toEqual({});
    expect(kept(open(), 'view')).toEqual({ a: 1 });
  });

  test('gets what was kept before it had a name', () => {
    put(open(), 'acknowledged', 'a', 1);
    const one = open();
    one.confirm('A');
    expect(kept(one, 'acknowledged')).toEqual({ a: 1 });
    put(open({ token: 'two' }), 'acknowledged', 'b', 2);
    const other = open({ token: 'two' });
    other.confirm('A');
    expect(kept(other, 'acknowledged')).toEqual({ a: 1, b: 2 });
  });

  test('is another behind the same token: nothing of the first is shown or overwritten', () => {
    const one = open();
    one.confirm('A');
    put(one, 'acknowledged', 'a', 1);
    const other = open();
    let isOther = false;
    other.onOther(() => {
      isOther = true;
    });
    other.confirm('B');
    expect([isOther, kept(other, 'acknowledged')]).toEqual([true, {}]);
    put(other, 'acknowledged', 'a', 2);
    const again = open();
    again.confirm('A');
    expect(kept(again, 'acknowledged')).toEqual({ a: 1 });
  });

  test('tokens that change at each start are forgotten in time', () => {
    for (let nth = 0; nth < 40; nth++) put(open({ token: `t${nth}` }), 'acknowledged', 'a', nth);
    const database = open().state.toWrite();
    expect(database.get('SELECT count(*) AS rows FROM login')).toEqual({ rows: 20 });
    expect(database.get('SELECT count(*) AS rows FROM account')).toEqual({ rows: 20 });
    expect(kept(open({ token: 't39' }), 'acknowledged')).toEqual({ a: 39 });
  });
});

describe('files of earlier versions', () => {
  const path = (name: string) => join(directory, name);
  const write = (name: string, content: unknown, mode = 0o600) => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content), { mode });
    chmodSync(path(name), mode);
  };
  const started = () => {
    const account = open();
    takeOver(account.state, 'work', account);
    return account;
  };

  test('are taken over once, and gone then', () => {
    const known = { problem: 'p', reason: 'known', at: 1 };
    write('acknowledged-work.json', [known]);
    const place = { screen: 'home' };
    write('views-work.json', { place, lists: { l: { filter: 'a' } }, columns: { c: [{ value: 'id' }] } });
    write('acknowledged-other.json', [{ problem: 'q', reason: '', at: 1 }]);
    write('audit.jsonl', '');
    mkdirSync(path('kept'));
    write('kept/work.kept', 'x');
    const account = started();
    expect(kept(account, 'acknowledged')).toEqual({ p: known });
    expect(kept(account, 'view')).toEqual({ place, 'list l': { filter: 'a' }, 'columns c': [{ value: 'id' }] });
    account.state.close();
    expect(readdirSync(directory)).toEqual(['acknowledged-other.json', 'audit.jsonl', 'skydeck.db']);
    expect(told).toEqual([]);
    put(open(), 'view', 'place', { screen: 'fleet' });
    write('views-work.json', { place, lists: {}, columns: {} });
    // A value that was kept since counts.
    expect(kept(started(), 'view')).toMatchObject({ place: { screen: 'fleet' } });
  });

  test('a plan is taken over for its account, with what was done of it', () => {
    const record = { resource: 'volumes', action: 'edit', params: { volumeId: '1' }, label: 'v', body: { label: 'w' } };
    const result = { state: 'done', at: 5 };
    const plan = (more: object) => ({
      version: 1,
      host: 'api.example.com',
      steps: [
        { id: 1, record, result },
        { id: 2, uid: 'own2', record },
      ],
      ...more,
    });
    write('plan-work.json', plan({ euuid: 'A' }));
    const account = started();
    expect(kept(account, 'plan')).toEqual({});
    account.confirm('A');
    const steps = storedSteps(account.of('plan').read());
    expect(steps.map(({ id, record: own }) => [id, own])).toEqual([
      [1, record],
      [2, record],
    ]);
    const results = withProgress(steps, account.of('progress').read()).map((step) => step.result);
    expect(results).toEqual([result, undefined]);
    expect(existsSync(path('plan-work.json'))).toBe(false);
    // One of another host that names no account may be anybody's.
    write('plan-work.json', plan({ host: 'other.example.com' }));
    started();
    expect(existsSync(path('plan-work.json'))).toBe(true);
    write('plan-work.json', plan({ steps: 1 }));
    started();
    expect(told).toEqual([expect.stringContaining('is damaged and was not taken over')]);
  });

  test('that are damaged are set aside, and told once', () => {
    write('acknowledged-work.json', '{');
    write('views-work.json', '[]');
    started();
    expect(told).toEqual(
      ['acknowledged', 'views'].map(
        (name) =>
          `${path(`${name}-work.json`)} is damaged and was not taken over; it was set aside as ${path(`${name}-work.json`)}.damaged.`,
      ),
    );
    started();
    expect(told).toHaveLength(2);
  });

  test('of which a part is not understood are set aside whole, beside those of before', () => {
    const record = { resource: 'volumes', action: 'edit', params: {}, label: 'v' };
    const contents = {
      acknowledged: [{ problem: 'p', reason: '', at: 1 }, 7],
      views: { place: { screen: 'home' }, lists: [1] },
      plan: { host: 'api.example.com', steps: [{ id: 1, record }, [2]] },
    };
    for (const again of ['', '-2']) {
      for (const [name, content] of Object.entries(contents)) write(`${name}-work.json`, content);
      started();
      for (const [name, content] of Object.entries(contents)) {
        expect(existsSync(path(`${name}-work.json`))).toBe(false);
        expect(JSON.parse(readFileSync(path(`${name}-work.json.damaged${again}`), 'utf8'))).toEqual(content);
      }
    }
    expect(told).toHaveLength(6);
  });

  test('that others could have written are not believed, and stay', () => {
    write('acknowledged-work.json', [{ problem: 'p', reason: '', at: 1 }], 0o666);
    writeFileSync(join(home, 'elsewhere'), '{}');
    symlinkSync(join(home, 'elsewhere'), path('views-work.json'));
    const account = started();
    expect(kept(account, 'acknowledged')).toEqual({});
    expect(told).toEqual([
      `The state ${path('acknowledged-work.json')} can be read by others (mode 0666), so nothing of it is used; run: chmod 600 ${path('acknowledged-work.json')}`,
      `${path('views-work.json')} cannot be taken over: it is a symbolic link.`,
    ]);
    expect(existsSync(path('views-work.json'))).toBe(true);
  });

  test.skipIf(owner !== 0)('that belong to somebody else are not believed', () => {
    write('acknowledged-work.json', [{ problem: 'p', reason: '', at: 1 }]);
    chownSync(path('acknowledged-work.json'), 65534, 65534);
    expect(kept(started(), 'acknowledged')).toEqual({});
    expect(told).toEqual([expect.stringContaining('belongs to another user')]);
  });
});

describe('steps that are carried out', () => {
  const session = (pid = process.pid, kill: RunOwner['kill'] = () => true) => {
    const state = openState(directory, owner, () => 1000);
    onTestFinished(state.close);
    const login = { profile: 'work', address: work.address, fingerprint: 'one' };
    return { ...loginState(state, login, { pid, kill }), toWrite: state.toWrite };
  };

  test('are those of one session at a time, of the same plan or of a part of it', () => {
    const [one, other] = [session(), session()];
    const end = one.begin(['a', 'b']);
    expect(other.running(['b', 'c'])).toMatchObject({ uids: ['a', 'b'], pid: process.pid, at: 1000 });
    expect(other.begin(['b', 'c'])).toBeUndefined();
    const beside = other.begin(['c']);
    expect(beside).toBeDefined();
    end?.();
    expect(other.running(['a'])).toBeUndefined();
    expect(other.begin(['b'])).toBeDefined();
  });

  test.runIf(process.platform === 'linux')(
    'are free once their process is dead, though nobody has asked for its end',
    async () => {
      // The child ends once its parent has become a program that never looks at it; a shell might.
      const child = 'while read -r name < /proc/$$/comm && [ "$name" = sh ]; do :; done';
      const parent = spawn('sh', ['-c', `(${child}) & echo $!; exec sleep 1000`]);
      onTestFinished(() => void parent.kill());
      const [text] = await once(parent.stdout, 'data');
      const dead = Number(String(text));
      await expect.poll(() => readFileSync(`/proc/${dead}/stat`, 'latin1')).toContain(') Z ');
      session(dead).begin(['a']);
      expect(session().running(['a'])).toBeUndefined();
      expect(session().begin(['a'])).toBeDefined();
    },
  );

  test('are free once their process has ended, or its number is that of another', () => {
    const gone = () => {
      throw Object.assign(new Error(), { code: 'ESRCH' });
    };
    session(4_000_000).begin(['a']);
    session().toWrite().run(`UPDATE entry SET value = json_remove(value, '$.system') WHERE kind = 'run'`);
    expect(session(1, gone).begin(['a'])).toBeDefined();
    // The process of another user cannot be asked, and is there.
    const theirs = () => {
      throw Object.assign(new Error(), { code: 'EPERM' });
    };
    expect(session(1, theirs).begin(['a'])).toBeUndefined();
    const database = session().toWrite();
    const began = `UPDATE entry SET value = json_set(value, '$.began', 1, '$.pid', ${process.pid}) WHERE kind = 'run'`;
    database.run(began);
    expect(session().begin(['a']) !== undefined).toBe(process.platform === 'linux');
  });

  const elsewhere = `'$.host', 'elsewhere', '$.system', json_array('another', 'pid:[1]')`;

  test.runIf(process.platform === 'linux')(
    'are free once they have ended though the machine is called otherwise',
    () => {
      const gone = () => {
        throw Object.assign(new Error(), { code: 'ESRCH' });
      };
      session(4_000_000).begin(['a']);
      const database = session().toWrite();
      database.run(`UPDATE entry SET value = json_set(value, '$.host', 'former-name') WHERE kind = 'run'`);
      expect(session().begin(['a'])).toBeUndefined();
      expect(session(1, gone).begin(['a'])).toBeDefined();
      // The numbers of processes of another container say nothing here, whatever it is called.
      database.run(`UPDATE entry SET value = json_set(value, '$.system[1]', 'pid:[1]') WHERE kind = 'run'`);
      expect(session(1, gone).begin(['a'])).toBeUndefined();
    },
  );

  test('on another machine are free a day later', () => {
    session().begin(['a']);
    const database = session().toWrite();
    database.run(`UPDATE entry SET value = json_set(value, ${elsewhere}) WHERE kind = 'run'`);
    expect(session().begin(['a'])).toBeUndefined();
    database.run(`UPDATE entry SET value = json_set(value, '$.at', -86400000) WHERE kind = 'run'`);
    expect(session().begin(['a'])).toBeDefined();
  });

  test('on another machine whose clock was a year ahead are free as well, and those of one that is a minute ahead are not', () => {
    session().begin(['a']);
    const database = session().toWrite();
    const at = (ms: number) =>
      database.run(`UPDATE entry SET value = json_set(value, ${elsewhere}, '$.at', ${ms}) WHERE kind = 'run'`);
    at(60_000);
    expect(session().begin(['a'])).toBeUndefined();
    at(365 * 86_400_000);
    expect(session().begin(['a'])).toBeDefined();
  });

  test.each(['1', '{}', '{"uids":["a"],"pid":-1,"host":"x","at":1}', '{"uids":"a","pid":1,"host":"x","at":1}', '['])(
    'a run that is none holds nobody up: %s',
    (value) => {
      session().begin(['a']);
      session().toWrite().run(`UPDATE entry SET value = ? WHERE kind = 'run'`, value);
      expect(session().begin(['a'])).toBeDefined();
    },
  );
});

describe('after a crash', () => {
  test('the last place and the kept lists are left aside once, and that is said', () => {
    const account = open();
    put(account, 'view', 'place', { screen: 'fleet' });
    put(account, 'view', 'list a', { filter: 'a' });
    const database = account.state.toWrite();
    const { login, account: id } = account.ownRow(database);
    database.run('INSERT INTO list VALUES (?, ?, ?, NULL, 1, 1, ?)', login, id, 'q', 'data');
    noteCrash(directory, owner, ['work']);
    leaveAside(open({ profile: 'other' }).state, 'other', open({ profile: 'other' }));
    expect(kept(open(), 'view')).toHaveProperty('place');
    const next = open();
    leaveAside(next.state, 'work', next);
    expect(told).toEqual([
      'Skydeck crashed the last time, so the last place and the kept lists are left aside; all is read again.',
    ]);
    expect(kept(next, 'view')).toEqual({ 'list a': { filter: 'a' } });
    expect(database.all('SELECT * FROM list')).toEqual([]);
    leaveAside(next.state, 'work', next);
    expect(told).toHaveLength(1);
  });

  test('nothing more is said where it cannot be noted', () => {
    writeFileSync(directory, '');
    noteCrash(directory, owner, ['work']);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import type { CacheChange } from '../../src/store/cacheChanges.ts';
import { recordIn } from '../../src/store/history/auditLog.ts';
import { type HistoryEntry, historyOf, isDone, rowAt } from '../../src/store/history/history.ts';
import { createSeenChanges, type SeenChange } from '../../src/store/history/seenChanges.ts';
import { differingValues, joinedChanges, undone, valueChanges } from '../../src/store/history/valueChanges.ts';
import { changesSinceKept } from '../../src/store/kept/keptChanges.ts';
import { eventOf } from './openStores.ts';

const servers = resourceNamed('servers');
const volumes = resourceNamed('volumes');
const row: Row = { id: 1, label: 'web-1', tags: ['a', 'b'], specs: { memory: 1024 }, updated: '2025-06-10T10:00:00' };
const params = { serverId: '1' };
const noon = Date.parse('2025-06-10T12:00:00Z');
const later = (seconds: number) => noon + seconds * 1000;
const clock = (seconds: number) => new Date(later(seconds)).toISOString().slice(0, 19);

describe('values that changed', () => {
  const json = fc.dictionary(
    fc.constantFrom('id', 'label', 'tags', '__proto__', 'a.b', 'a', 'constructor'),
    fc.jsonValue({ maxDepth: 4 }),
  );

  test('undone, they make the row as it was', () => {
    fc.assert(
      fc.property(json, json, (before, now) => {
        expect(undone(now, differingValues(before, now))).toEqual(before);
      }),
    );
  });

  test('undone one after the other, or joined, they make the first of many rows', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 2, maxLength: 5 }), (rows) => {
        const steps = rows.slice(1).flatMap((now, index) => differingValues(rows[index] as Row, now));
        expect(undone(rows.at(-1) as Row, steps.toReversed())).toEqual(rows[0]);
      }),
    );
  });

  test('are told by their paths, without what changes all the time and without secrets', () => {
    const changed = { ...row, label: 'web-2', specs: { memory: 2048 }, updated: '2025-06-10T11:00:00', root_pass: 'x' };
    expect(valueChanges(servers, row, changed)).toEqual([
      { path: ['label'], before: 'web-1', after: 'web-2' },
      { path: ['specs', 'memory'], before: 1024, after: 2048 },
    ]);
    const balancers = resourceNamed('nodebalancers');
    expect(valueChanges(balancers, { id: 1, transfer: { in: 1 } }, { id: 1, transfer: { in: 2 } })).toEqual([]);
  });

  test('are none where tags come in another order, and where a list leaves out what the view has', () => {
    expect(valueChanges(servers, row, { ...row, tags: ['b', 'a'] })).toEqual([]);
    const partial = resourceNamed('stackscripts');
    expect(partial.list?.partial).toBe(true);
    expect(valueChanges(partial, { id: 1, script: 'x' }, { id: 1 })).toEqual([]);
  });

  test('that came back are none', () => {
    const [there, back] = [
      valueChanges(servers, row, { ...row, label: 'x' }),
      valueChanges(servers, { ...row, label: 'x' }, row),
    ];
    expect(joinedChanges([...there, ...back])).toEqual([]);
    expect(joinedChanges([...there, { path: ['label'], before: 'x', after: 'y' }])).toEqual([
      { path: ['label'], before: 'web-1', after: 'y' },
    ]);
  });
});

/** Reports as the cache does, a second later each time. */
function openSeen() {
  let listener: (changes: readonly CacheChange[]) => void = () => {};
  let seconds = 0;
  const seen = createSeenChanges(
    {
      subscribe: (own) => {
        listener = own;
        return () => {};
      },
    },
    () => later(seconds),
  );
  const report = (differences: CacheChange['differences'], change: Partial<CacheChange> = {}) => {
    seconds++;
    listener([
      {
        kind: 'rows',
        name: 'servers',
        resource: 'servers',
        query: { resource: 'servers', operation: 'list', params: {} },
        isStructural: false,
        since: later(seconds - 1),
        differences,
        ...change,
      },
    ]);
  };
  return { ...seen, report };
}

describe('differences between readings', () => {
  test('are known by row, the latest first, in lists and of what was viewed alone', () => {
    const seen = openSeen();
    const [second, third] = [
      { ...row, label: 'web-2' },
      { ...row, label: 'web-3' },
    ];
    seen.report([
      { before: row, after: second },
      { before: { id: 2 }, after: { id: 2, label: 'x' } },
      { before: undefined, after: { id: 3 } },
    ]);
    seen.report(undefined, { viewed: { before: second, after: third } });
    seen.report(undefined);
    expect(seen.of(servers, params)).toEqual([
      { number: 3, resource: 'servers', params: {}, before: second, after: third, since: later(1), at: later(2) },
      { number: 1, resource: 'servers', params: {}, before: row, after: second, since: later(0), at: later(1) },
    ]);
    expect(seen.of(servers, { serverId: '3' })).toEqual([]);
    expect(seen.of(volumes, { volumeId: '1' })).toEqual([]);
  });

  test('are few of one row and few of all, and the latest stay', () => {
    const seen = openSeen();
    const quiet = { id: 7, label: 'a' };
    seen.report([{ before: quiet, after: { ...quiet, label: 'b' } }]);
    for (let nth = 0; nth < 4000; nth++)
      seen.report([{ before: { id: 1, group: nth }, after: { id: 1, group: nth + 1 } }]);
    const own = seen.of(servers, params);
    // Those of the row that stay of the first 2,500, and all since.
    expect(own).toHaveLength(50 + 1501);
    expect(own[0]?.after).toEqual({ id: 1, group: 4000 });
    expect(seen.of(servers, { serverId: '7' })).toHaveLength(1);
    for (let nth = 0; nth < 9000; nth++)
      seen.report([{ before: { id: nth + 100, label: 'x' }, after: { id: nth + 100, label: 'y' } }]);
    expect(seen.of(servers, { serverId: '7' })).toEqual([]);
    expect(seen.of(servers, { serverId: '9099' })).toHaveLength(1);
  });

  test('that tell nothing are forgotten first', () => {
    const seen = openSeen();
    seen.report([{ before: row, after: { ...row, label: 'x' } }]);
    const other = (nth: number) => ({ id: nth + 100, updated: 'x' });
    for (let nth = 0; nth < 9000; nth++) seen.report([{ before: other(nth), after: { ...other(nth), updated: 'y' } }]);
    expect(seen.of(servers, params)).toHaveLength(1);
  });
});

const about = { type: 'server', id: 1 };
const happened = (id: number, action: string, seconds: number, further: Row = {}) =>
  eventOf(id, action, 'finished', about, { created: clock(seconds), username: 'jane', duration: 20, ...further });
const sent = (id: number, seconds: number, further: Row = {}): Row => ({
  id,
  at: new Date(later(seconds)).toISOString(),
  method: 'PUT',
  path: '/server/instances/1',
  resource: 'servers',
  action: 'edit',
  params,
  label: 'web-1',
  body: { label: 'web-2' },
  before: { label: 'web-1' },
  outcome: 'done',
  ...further,
});
const seenAt = (number: number, since: number, seconds: number, before: Row, now: Row): SeenChange => ({
  number,
  resource: 'servers',
  params: {},
  before,
  after: now,
  since: later(since),
  at: later(seconds),
});

interface Told {
  events?: readonly Row[];
  audit?: readonly Row[];
  seen?: readonly SeenChange[];
}

const told = ({ events = [], audit = [], seen = [] }: Told, of = params): readonly HistoryEntry[] =>
  historyOf({ resource: servers, params: of, events, audit, seen, now: later(3600) });
const inShort = (entries: readonly HistoryEntry[]) =>
  entries.map(({ id, changes }) => [id, ...changes.map(({ path, before, after }) => [path.join('.'), before, after])]);
const renamed = ['label', 'web-1', 'web-2'];

describe('the history of a row', () => {
  test('has events about it, changes sent to it and what was seen, the latest first', () => {
    const entries = told({
      events: [
        happened(1, 'server_reboot', 10),
        happened(2, 'server_boot', 300, { entity: { type: 'server', id: 2 } }),
      ],
      audit: [sent(1, 100), sent(2, 100, { params: { serverId: '2' } }), sent(3, 100, { resource: 'volumes' })],
      seen: [seenAt(5, 400, 500, { ...row, label: 'web-2' }, { ...row, label: 'web-3' })],
    });
    expect(inShort(entries)).toEqual([['seen 5', ['label', 'web-2', 'web-3']], ['sent 1', renamed], ['event 1']]);
  });

  test('says a change and its event once: who, how long, and before → after', () => {
    const events = [
      happened(1, 'server_update', 101),
      happened(2, 'server_reboot', 102),
      happened(3, 'server_update', 300),
    ];
    const entries = told({ events, audit: [sent(1, 100)] });
    expect(inShort(entries)).toEqual([['event 3'], ['event 2'], ['sent 1', renamed]]);
    expect(entries[2]?.event).toMatchObject({ id: 1, username: 'jane', duration: 20 });
  });

  test('does not say again what was sent from here, be its answer late', () => {
    const seen = [seenAt(1, 60, 130, row, { ...row, label: 'web-2', status: 'running' })];
    expect(inShort(told({ audit: [sent(1, 100)], seen }))).toEqual([
      ['seen 1', ['status', undefined, 'running']],
      ['sent 1', renamed],
    ]);
  });

  test('adds what was seen to the one thing that happened meanwhile, and to none of several', () => {
    const seen = [seenAt(1, 60, 130, row, { ...row, label: 'web-2' })];
    expect(inShort(told({ events: [happened(1, 'server_update', 100)], seen }))).toEqual([['event 1', renamed]]);
    const two = [happened(1, 'server_update', 100), happened(2, 'server_update', 110)];
    expect(inShort(told({ events: two, seen }))).toEqual([['seen 1', renamed], ['event 2'], ['event 1']]);
    expect(inShort(told({ events: [happened(1, 'server_update', 20, { duration: null })], seen }))).toEqual([
      ['seen 1', renamed],
      ['event 1'],
    ]);
  });

  test('joins what an event did on its way', () => {
    const [on, off] = [
      { ...row, status: 'running' },
      { ...row, status: 'rebooting' },
    ];
    const events = [happened(1, 'server_reboot', 100, { duration: 30 })];
    const seen = [seenAt(2, 101, 131, off, on), seenAt(1, 60, 101, on, off)];
    expect(inShort(told({ events, seen }))).toEqual([['event 1']]);
  });

  test('says once what several lists tell one after the other', () => {
    const next = { ...row, label: 'web-2' };
    const seen = [seenAt(2, 0, 70, row, { ...next }), seenAt(1, 0, 10, row, next)];
    expect(inShort(told({ seen }))).toEqual([['seen 1', renamed]]);
  });

  test('tells a refused change from a done one', () => {
    const entries = told({ audit: [sent(1, 100, { outcome: 'failed', error: 'Taken.' }), sent(2, 50)] });
    expect(entries.map(isDone)).toEqual([false, true]);
  });

  test('takes whatever events and files hold', () => {
    const odd: readonly Row[] = [{}, { id: 1, entity: null }, { id: 2, entity: about, created: 'soon', action: null }];
    const audit: readonly Row[] = [
      { id: 1 },
      sent(2, 5, { at: 'x', body: null, params: null }),
      sent(3, 5, { at: 'x', before: 7 }),
    ];
    expect(inShort(told({ events: odd, audit }))).toEqual([['sent 3'], ['event 2']]);
    const wordless = { toString: 0 };
    const own = sent(1, 0, { id: wordless, uid: wordless, params: { serverId: wordless } });
    expect(told({ events: [{ id: wordless, entity: about }], audit: [own] })).toHaveLength(1);
    expect(recordIn(own)?.params).toEqual({ serverId: '{"toString":0}' });
    expect(told({ audit: [sent(1, 0, { id: wordless })] })).toHaveLength(1);
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('id', 'at', 'params', 'entity', 'before'), fc.jsonValue())),
        (rows) => {
          expect(
            told({ events: rows, audit: rows.map((one) => ({ ...sent(1, 0), ...one })) }).length,
          ).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('holds apart rows whose ids are unique below their parents alone', () => {
    const records = resourceNamed('records');
    const own = { domainId: '1', recordId: '9' };
    const change = sent(1, 5, { resource: 'records', params: own });
    const of = (given: Readonly<Record<string, string>>) =>
      historyOf({ resource: records, params: given, events: [], audit: [change], seen: [], now: noon });
    expect(of(own)).toHaveLength(1);
    expect(of({ domainId: '2', recordId: '9' })).toEqual([]);
  });
});

test('what an earlier session has read is told as it was, and as it was when this one read it first', () => {
  const list = {
    query: { resource: 'servers', operation: 'list', params: {} },
    resource: 'servers',
    since: later(-9999),
  };
  const nothing = { came: new Set<string>(), gone: [], isWhole: true, isMarked: false };
  const lists = { 'servers.list?': { ...list, ...nothing, changed: new Map([['1', { ...row, label: 'web-0' }]]) } };
  const now = { ...row, label: 'web-2' };
  const seen = [seenAt(1, 60, 70, row, now)];
  const since = changesSinceKept(servers, params, now, { lists, seen, at: later(0) });
  expect(inShort(told({ seen: [...seen, ...since] }))).toEqual([
    ['seen 1', renamed],
    ['seen 0', ['label', 'web-0', 'web-1']],
  ]);
  expect(changesSinceKept(servers, { serverId: '2' }, now, { lists, seen: [], at: later(0) })).toEqual([]);
  expect(changesSinceKept(volumes, { volumeId: '1' }, now, { lists, seen: [], at: later(0) })).toEqual([]);
});

test('a row of the audit log is a change only where it says what it was done to', () => {
  const { resource, action, label, body, before } = sent(1, 0);
  expect(recordIn(sent(1, 0))).toMatchObject({ resource, action, params, label, body, before, isBack: false });
  expect(recordIn(sent(1, 0, { params: { serverId: 1 }, label: undefined, before: undefined }))).toMatchObject({
    params,
    label: '',
  });
  for (const lacks of ['resource', 'action', 'params'])
    expect(recordIn(sent(1, 0, { [lacks]: undefined }))).toBe(undefined);
});

describe('a row at a moment', () => {
  const now = { ...row, label: 'web-3' };
  const entries = told({
    audit: [sent(1, 100), sent(9, 90, { body: { label: 'refused' }, before: { label: 'web-1' }, outcome: 'failed' })],
    seen: [seenAt(5, 400, 500, { ...row, label: 'web-2' }, now)],
  });

  test('is known from all that changed since, but for what was refused', () => {
    const labelAt = (entry: string, side: 'before' | 'after') => rowAt(now, entries, { entry, side })?.row.label;
    expect(labelAt('seen 5', 'after')).toBe('web-3');
    expect(labelAt('seen 5', 'before')).toBe('web-2');
    expect(labelAt('sent 1', 'after')).toBe('web-2');
    expect(labelAt('sent 1', 'before')).toBe('web-1');
    expect(labelAt('sent 9', 'before')).toBe('web-1');
    expect(rowAt(now, entries, { entry: 'sent 7', side: 'after' })).toBeUndefined();
  });

  test('says where something changed that nothing tells of', () => {
    const other = { ...now, label: 'web-9' };
    expect(rowAt(other, entries, { entry: 'sent 1', side: 'before' })).toEqual({ row, unexplained: ['label'] });
  });

  test('is the first of any rows that were read one after the other', () => {
    const state = fc.record({ id: fc.constant(1), label: fc.string(), group: fc.constantFrom('a', 'b', null) });
    fc.assert(
      fc.property(fc.array(state, { minLength: 2, maxLength: 8 }), (rows) => {
        const seen = rows
          .slice(1)
          .map((next, nth) => seenAt(nth + 1, nth, nth + 1, rows[nth] as Row, next))
          .reverse();
        const history = told({ seen });
        const first = history.at(-1);
        const last = rows.at(-1) as Row;
        const then = first && rowAt(last, history, { entry: first.id, side: 'before' });
        expect(then ?? { row: rows[0], unexplained: [] }).toEqual({ row: rows[0], unexplained: [] });
      }),
    );
  });
});

test('what was sent to a part of a row is told in the history of the row, and changes no value of it', () => {
  const sent = {
    id: 'gone',
    at: noon,
    endedAt: noon + 100,
    resource: 'records',
    action: 'edit',
    method: 'PUT',
    path: '/domains/1/records/5',
    params: { domainId: '1', recordId: '5' },
    label: 'A www',
    body: { ttl_sec: 300 },
    before: { ttl_sec: 0 },
    outcome: 'done',
  };
  const event = {
    id: 9,
    action: 'dns_record_update',
    created: clock(0),
    entity: { id: 1, type: 'domain' },
    message: 'A www',
  };
  const historyIn = (domainId: string) =>
    historyOf({
      resource: resourceNamed('domains'),
      params: { domainId },
      events: [event],
      audit: [sent],
      seen: [],
      now: later(60),
    });
  expect(historyIn('1')).toEqual([{ id: 'sent gone', at: noon, sent, event, changes: [], isOfPart: true }]);
  expect(historyIn('2')).toEqual([]);
});

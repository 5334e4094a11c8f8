import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Draft, Params, Row } from '../../src/resources/resource.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { nextBack } from '../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { submit } from '../../src/store/changes/submit.ts';
import { takeBack } from '../../src/store/changes/takeBack.ts';
import type { Undo } from '../../src/store/changes/undoable.ts';
import type { AuditSource } from '../../src/store/history/auditLog.ts';
import { progressValue } from '../../src/store/plans/storedPlan.ts';
import { backRows, planAllBack, takeAllBack } from '../../src/store/plans/takingBack.ts';
import { createStores } from '../../src/store/stores.ts';
import { apiOn, onePage } from './apiOn.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { memoryState } from './keptState.ts';
import { eventOf, openStores, partsOf } from './openStores.ts';

const volumes = resourceNamed('volumes');
const params = { volumeId: '7' };
const row = { id: 7, label: 'new', tags: [], status: 'active', size: 20, server_id: null };
const renamed = {
  resource: 'volumes',
  action: 'edit',
  params,
  label: 'new',
  body: { label: 'new' },
  before: { label: 'old' },
  uid: 'one.0',
  isBack: false,
};
const sent = { uid: 'one.0', isBack: false };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param events those of the API, where it answers them by itself */
function open(events?: readonly Row[]) {
  const answer = () => events && { data: [...events], page: 1, pages: 1, results: events.length };
  const api = fakeApi((name) => (name === 'events.list' ? answer() : undefined));
  const stores = openStores(api);
  const says = () => stores.notices.getState().current?.text;
  const overlay = () => stores.navigation.getState().overlays.at(-1);
  return { api, stores, says, overlay };
}

test('a change that a file holds is proposed again by its form, after the row was read, and not sent', async () => {
  const { api, stores, overlay } = open();
  const proposed = takeBack(stores, [renamed]);
  await api.next('volumes.view').answer(row);
  await proposed;
  expect(overlay()).toMatchObject({
    kind: 'form',
    resource: 'volumes',
    action: 'edit',
    targets: [params],
    takesBack: { title: 'Edit (new)', own: [{ opened: { label: 'new' }, mine: { label: 'old' } }] },
  });
  expect(api.count('volumes.edit')).toBe(0);
});

test('a change that was taken back already, a row that cannot be read, and one that is gone are said', async () => {
  const { api, stores, says, overlay } = open();
  const already = takeBack(stores, [renamed]);
  await api.next('volumes.view').answer({ ...row, label: 'old' });
  await already;
  expect(says()).toBe('Edit (new) cannot be taken back: new is as it was before already.');
  expect(overlay()).toBeUndefined();
});

test('nothing is opened over what was opened since the key, nor once its reading was left', async () => {
  const { api, stores, says, overlay } = open();
  const { navigation } = stores;
  const isHere = navigation.here();
  navigation.open({ kind: 'palette' });
  await takeBack(stores, [renamed], { isHere });
  expect(overlay()).toEqual({ kind: 'palette' });
  expect(says()).toBe('Edit (new) cannot be taken back now: something else was opened meanwhile.');
  expect(api.count('volumes.view')).toBe(0);
  navigation.close();
  const left = takeBack(stores, [renamed]);
  expect(overlay()).toEqual({ kind: 'reading', title: 'To be taken back', text: 'Reading what Edit (new) changed …' });
  navigation.close();
  navigation.open({ kind: 'palette' });
  await api.next('volumes.view').answer(row);
  await left;
  expect(navigation.getState().overlays).toEqual([{ kind: 'palette' }]);
  navigation.close();
  const below = takeBack(stores, [renamed]);
  navigation.open({ kind: 'help' });
  await api.next('volumes.view').answer(row);
  await below;
  expect(navigation.getState().overlays).toMatchObject([{ kind: 'form' }, { kind: 'help' }]);
});

test('what cannot be taken back says why', async () => {
  const { stores, says } = open();
  await takeBack(stores, [{ ...sent, resource: 'volumes', action: 'delete', params, label: 'data', before: row }]);
  expect(says()).toBe('Delete (data) cannot be taken back: its data are gone.');
  await takeBack(stores, [{ ...sent, resource: 'volumes', action: 'create', params: {}, label: 'data', body: {} }]);
  expect(says()).toBe('New volume (data) cannot be taken back: it is not known which volume was made.');
  await takeBack(stores, [{ ...renamed, action: 'paint' }]);
  expect(says()).toBe(
    'paint (new) cannot be taken back: volumes have no action called paint; :reload reads commands that were added since.',
  );
  await nextBack(stores, 'undo');
  expect(says()).toBe('No change from here is left to take back.');
  const why = 'Its data are gone.';
  const lost = ['data', 'logs'].map((label) => ({ label, why }));
  stores.changes.keep({ key: 'both', title: 'Delete 2 volumes', undos: [], lost, why }, new Set());
  await nextBack(stores, 'undo');
  expect(says()).toMatch(/^Delete 2 volumes cannot be taken back: their data are gone/);
});

test('several changes that a file holds are asked about by one question, and one that cannot go back says why', async () => {
  const { api, stores, says, overlay } = open();
  const deleted = { ...sent, resource: 'volumes', action: 'delete', params, label: 'data', before: row };
  const proposed = takeBack(stores, [deleted, renamed]);
  await api.next('volumes.view').answer(row);
  await proposed;
  expect(overlay()).toMatchObject({ kind: 'takeBack', title: '1 of 2 changes', undos: [{ label: 'new' }], lost: [] });
  expect(says()).toBe('Delete (data) cannot be taken back: its data are gone.');
  expect(api.count('volumes.edit')).toBe(0);
});

test('a volume that a colleague has attached elsewhere meanwhile is detached only by whoever was told that', async () => {
  const answers: Record<string, Row> = {
    'volumes.view': { ...row, server_id: 2 },
    'servers.view': { id: 2, label: 'web-2' },
  };
  const stores = openStores(fakeApi((name) => answers[name]));
  const overlay = () => stores.navigation.getState().overlays.at(-1);
  const attached = { ...sent, resource: 'volumes', action: 'attach', params, label: 'data', body: { server_id: 1 } };
  await takeBack(stores, [attached]);
  expect(overlay()).toMatchObject({
    kind: 'confirm',
    action: 'detach',
    takesBack: { changed: ['Server is web-2 (2) now'] },
  });
  stores.navigation.close();
  await takeBack(stores, [attached, renamed]);
  const asked = overlay();
  const rows = asked?.kind === 'takeBack' ? backRows(stores, asked.undos) : [];
  const why = 'changed again since, in Server; take it back by itself to choose';
  expect(rows.map((one) => [one.action.name, one.why])).toEqual([
    ['detach', why],
    ['edit', undefined],
  ]);
});

test('of servers that were resized together, one that a colleague has resized since stays, alone it says so', async () => {
  const server = (id: number, type: string) => ({ id, label: `web-${id}`, status: 'running', type, tags: [] });
  const now = [server(1, 'g6-standard-2'), server(2, 'g6-standard-4'), server(3, 'g6-nanode-1')];
  const rowAt = (params: Params = {}) => now.find(({ id }) => String(id) === params.serverId) ?? onePage([]);
  const stores = openStores(apiOn(async (_, { params } = {}) => ({ body: rowAt(params), status: 200 })));
  const overlay = () => stores.navigation.getState().overlays.at(-1);
  const records = [1, 2, 3].map((id) => ({
    ...{ uid: `one.${id}`, isBack: false, resource: 'servers', action: 'resize', label: `web-${id}` },
    params: { serverId: String(id) },
    body: { type: 'g6-standard-2', allow_auto_disk_resize: false },
    before: server(id, 'g6-nanode-1'),
  }));
  await takeBack(stores, records);
  const asked = overlay();
  const rows = asked?.kind === 'takeBack' ? backRows(stores, asked.undos) : [];
  expect(Object.fromEntries(rows.map((one) => [one.undo.label, one.why]))).toEqual({
    'web-1': undefined,
    'web-2': 'changed again since, in Type; take it back by itself to choose',
    'web-3': 'is as it was before already',
  });
  stores.navigation.close();
  await takeBack(stores, records.slice(1, 2));
  expect(overlay()).toMatchObject({ kind: 'form', takesBack: { changed: ['Type is g6-standard-4 now'] } });
  stores.navigation.close();
  await takeBack(stores, records.slice(2));
  expect(overlay()).toBeUndefined();
  expect(stores.notices.getState().current?.text).toBe(
    'Resize (web-3) cannot be taken back: web-3 is as it was before already.',
  );
});

test('a creation that a file holds is taken back by the question before the deletion of its row', async () => {
  const { api, stores, overlay } = open();
  const proposed = takeBack(stores, [
    { ...sent, resource: 'volumes', action: 'create', params, label: 'new', body: {} },
  ]);
  await api.next('volumes.view').answer(row);
  await proposed;
  expect(overlay()).toMatchObject({ kind: 'confirm', action: volumes.remove?.name, targets: [params] });
});

test('a change whose answer was lost can be taken back where an event of its user tells that it was done, and only there', async () => {
  const events: Row[] = [];
  const { api, stores, overlay } = open(events);
  stores.changes.own.user = 'me';
  const before = { ...row, label: 'old' };
  const targets = [{ row: before, params }];
  const edit = volumes.edit as Action;
  const draft = { label: 'new', tags: [] };
  const submitted = submit(stores, { resource: volumes, action: edit, targets, params, draft });
  const created = new Date(Date.now() + 1000).toISOString().slice(0, 19);
  events.push(eventOf(9, 'volume_update', 'finished', { type: 'volume', id: 7 }, { username: 'me', created }));
  await api.next('volumes.edit').fail({ kind: 'timeout', maybeSent: true });
  await api.next('volumes.view').answer(row);
  await submitted;
  expect(stores.changes.getState().undo.at(-1)?.undos).toHaveLength(1);
  const proposed = nextBack(stores, 'undo');
  await settled();
  // Its event has the row read as well, before.
  await api.next('volumes.view').answer(row);
  await api.next('volumes.view').answer(row);
  await proposed;
  expect(overlay()).toMatchObject({ kind: 'form', takesBack: { own: [{ mine: { label: 'old' } }] } });
});

test('of two rows that are changed together, that of which another request may have done it stays', async () => {
  const { api, stores } = open();
  const other = { ...row, id: 8, label: 'other' };
  const targets = [row, other].map((one) => ({ row: { ...one, tags: ['a'] }, params: { volumeId: String(one.id) } }));
  const submitted = submit(stores, {
    resource: volumes,
    action: volumes.edit as Action,
    targets,
    params: {},
    draft: { tags: ['b'] },
  });
  await settled();
  await api.next('volumes.edit').fail({ kind: 'timeout', maybeSent: true });
  await api.next('volumes.edit').answer({ ...other, tags: ['b'] });
  await api.next('volumes.view').answer({ ...row, tags: ['b'] });
  await api.next('events.list').page([]);
  await submitted;
  expect(stores.changes.getState().undo.at(-1)).toMatchObject({
    undos: [{ label: 'other' }],
    lost: [{ label: 'new', why: 'Another request has done it, or may have.' }],
  });
});

test('a change that was refused is not taken back', async () => {
  const { api, stores, says } = open();
  const targets = [{ row: { ...row, label: 'old' }, params }];
  const draft = { label: 'new', tags: [] };
  const submitted = submit(stores, { resource: volumes, action: volumes.edit as Action, targets, params, draft });
  await api.next('volumes.edit').fail({ kind: 'answer', status: 400 });
  await submitted;
  await nextBack(stores, 'undo');
  expect(says()).toBe(
    'Edit (old) cannot be taken back: nothing of it was done; u again goes on to what was before it.',
  );
});

test('a change whose answer was lost is not taken back where a colleague may have made the same one', async () => {
  const { api, stores, says } = open();
  const targets = [{ row: { ...row, label: 'old' }, params }];
  const draft = { label: 'new', tags: [] };
  const submitted = submit(stores, { resource: volumes, action: volumes.edit as Action, targets, params, draft });
  await api.next('volumes.edit').fail({ kind: 'timeout', maybeSent: true });
  await api.next('volumes.view').answer(row);
  await api.next('events.list').page([]);
  await submitted;
  await nextBack(stores, 'undo');
  expect(says()).toBe(
    'Edit (old) cannot be taken back: another request has done it, or may have; u again goes on to what was before it.',
  );
});

test('in the plan they are what they touch, so that what others make of the rest of the row stays', async () => {
  const { api, stores } = open();
  stores.scheduler.subscribe([{ resource: 'volumes', operation: 'list', params: {} }]);
  await api.next('volumes.list').page([{ ...row, tags: ['mine', 'added'] }]);
  const inverse = { resource: 'volumes', action: 'edit', params, entries: { tags: ['mine'] } };
  const undo: Undo = { of: 'one.0', label: 'new', inverse, made: { tags: ['mine', 'added'] } };
  expect(planAllBack(stores, { title: 'Edit (new)' }, backRows(stores, [undo]))).toBeUndefined();
  const [step] = stores.plans.getState().steps;
  expect(step?.record).toMatchObject({ action: 'edit', changes: { remove: { tags: ['added'] } } });
  expect(step?.record).not.toHaveProperty('body');
});

test('a guard counts all changes that one question takes back, in however many parts they are sent', async () => {
  const { api, stores } = open();
  stores.configuration.setState({ guards: [{ for: 'volumes', actions: ['delete'], at_most: 1 }] });
  const rows = [7, 8, 9].map((id) => ({ ...row, id, label: `new-${id}` }));
  const of = (id: number, action: string, entries?: Draft): Undo => ({
    of: `one.${id}`,
    label: `new-${id}`,
    inverse: { resource: 'volumes', action, params: { volumeId: String(id) }, ...(entries && { entries }) },
    made: {},
  });
  const undos = [of(7, 'delete'), of(9, 'edit', { label: 'old' }), of(8, 'delete')];
  stores.scheduler.subscribe([{ resource: 'volumes', operation: 'list', params: {} }]);
  await api.next('volumes.list').page(rows);
  const taken = takeAllBack(stores, { title: 'all' }, backRows(stores, undos), true);
  for (let isOver = false; !isOver; isOver = await Promise.race([taken.then(() => true), settled().then(() => false)]))
    for (const { name, request, answer } of [...api.open]) {
      const known = rows.find(({ id }) => String(id) === request.params?.volumeId);
      if (name === 'volumes.list') continue;
      await answer(name === 'volumes.edit' ? { ...known, label: 'old' } : known);
    }
  expect([api.count('volumes.edit'), api.count('volumes.delete')]).toEqual([1, 0]);
  expect(
    stores.changes
      .getState()
      .undo.at(-1)
      ?.undos.map(({ label, says }) => [label, says]),
  ).toEqual([
    ['new-7', 'These are 2 volumes, and a guard allows 1 at once.'],
    ['new-8', 'These are 2 volumes, and a guard allows 1 at once.'],
  ]);
});

test('of several parts none is sent once the token is not accepted', async () => {
  const { api, stores } = open();
  const rows = [7, 8, 9].map((id) => ({ ...row, id, label: `new-${id}` }));
  const undos = rows.map(({ id, label }): Undo => {
    const params = { volumeId: String(id) };
    const edit = { resource: 'volumes', action: 'edit', params, entries: { label: 'old' } };
    return { of: `one.${id}`, label, inverse: id === 8 ? edit : { ...edit, action: 'delete' }, made: {} };
  });
  stores.scheduler.subscribe([{ resource: 'volumes', operation: 'list', params: {} }]);
  await api.next('volumes.list').page(rows);
  const taken = takeAllBack(stores, { title: 'all' }, backRows(stores, undos), true);
  for (let isOver = false; !isOver; isOver = await Promise.race([taken.then(() => true), settled().then(() => false)]))
    for (const { name, request, answer, fail } of [...api.open]) {
      if (name === 'volumes.view') await answer(rows.find(({ id }) => String(id) === request.params?.volumeId));
      else if (name !== 'volumes.list') await fail({ status: 401, message: 'The token is not accepted.' });
    }
  expect([api.count('volumes.delete'), api.count('volumes.edit')]).toEqual([1, 0]);
  expect([...(await taken).keys()].map(({ label }) => label)).toEqual(['new-9', 'new-8', 'new-7']);
});

test('many changes are taken back in a time that grows with their number alone', async () => {
  /** So often the rows of changes are told apart while they are taken back. */
  const looks = async (count: number) => {
    const { api, stores } = open();
    let looked = 0;
    const undos = Array.from({ length: count }, (_, id): Undo => {
      const params = {
        get volumeId() {
          looked++;
          return String(id);
        },
      };
      return {
        of: `one.${id}`,
        label: `new-${id}`,
        inverse: { resource: 'volumes', action: 'delete', params },
        made: {},
      };
    });
    const taken = takeAllBack(stores, { title: 'all' }, backRows(stores, undos), true);
    await settled();
    await api.next('volumes.list').page([]);
    expect((await taken).size).toBe(count);
    return looked;
  };
  expect(await looks(200)).toBeLessThan(3 * (await looks(100)));
});

test('an undo whose answer was lost, and of which nothing is known, is asked about again and nothing is done again', async () => {
  const { api, stores, overlay, says } = open();
  const before = { ...row, label: 'old' };
  const edit = volumes.edit as Action;
  const sending = submit(stores, {
    ...{ resource: volumes, action: edit, targets: [{ row: before, params }], params },
    draft: { label: 'new', tags: [] },
  });
  await api.next('volumes.edit').answer(row);
  await sending;
  const level = stores.changes.getState().undo.at(-1);
  const [undo] = level?.undos ?? [];
  const taking = takeAllBack(stores, { title: 'Edit (old)' }, backRows(stores, undo ? [undo] : []), false);
  await settled();
  await api.next('volumes.view').answer(row);
  await api.next('volumes.edit').fail({ kind: 'timeout', maybeSent: true });
  await api.next('volumes.view').fail({ kind: 'timeout' });
  await taking;
  expect(stores.changes.getState().redo).toEqual([]);
  expect(
    stores.changes
      .getState()
      .undo.at(-1)
      ?.undos.map(({ of }) => of),
  ).toEqual([undo?.of]);
  await nextBack(stores, 'redo');
  expect(says()).toBe('Nothing that was taken back is left to do again.');
  const again = nextBack(stores, 'undo');
  await settled();
  await api.next('volumes.view').answer(row);
  await again;
  expect(overlay()).toMatchObject({ kind: 'form', takesBack: { of: undo?.of, own: [{ mine: { label: 'old' } }] } });
});

test('what was deleted with the row that it lay in is not promised to be done again', async () => {
  const { api, stores, says } = open();
  const domain = { id: 3, domain: 'example.com', type: 'master', status: 'active' };
  const record = { id: 5, type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 0 };
  const { cache } = stores;
  cache.putRow(resourceNamed('domains'), { domainId: '3' }, domain);
  const of = (resource: string, params: Record<string, string>) =>
    ({ of: resource, label: resource, made: {}, inverse: { resource, action: 'delete', params } }) as Undo;
  const undos = [of('domains', { domainId: '3' }), of('records', { domainId: '3', recordId: '5' })];
  const answers: Record<string, Row> = { 'domains.view': domain, 'records.view': record };
  const answerAll = async () => {
    for (const { name, answer, page } of [...api.open])
      await (name.endsWith('.list')
        ? page(name === 'records.list' ? [record] : [domain])
        : answer(answers[name] ?? {}));
  };
  for (const resource of ['domains', 'records'])
    stores.scheduler.subscribe([
      { resource, operation: 'list', params: resource === 'records' ? { domainId: '3' } : {} },
    ]);
  await settled();
  await answerAll();
  const taken = takeAllBack(stores, { title: 'all' }, backRows(stores, undos), true);
  for (let isOver = false; !isOver; isOver = await Promise.race([taken.then(() => true), settled().then(() => false)]))
    await answerAll();
  expect([api.count('records.delete'), api.count('domains.delete')]).toEqual([1, 1]);
  expect(stores.changes.getState().redo.at(-1)?.undos).toEqual([]);
  expect(says()).not.toMatch(/again/);
});

test('a deletion is taken back by the row as it was last, not as a list had it', async () => {
  const { api, stores } = open();
  const records = resourceNamed('records');
  const record = { id: 5, type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 0 };
  const done = sendChanges(stores, { resource: records, action: records.remove as Action }, [
    changeOn(records, records.remove as Action, record, { domainId: '3' }),
  ]);
  await api.next('records.view').answer({ ...record, target: '192.0.2.2' });
  await api.next('records.delete').answer({});
  expect((await done).results).toMatchObject([{ state: 'done' }]);
  expect(stores.changes.getState().undo.at(-1)?.undos).toMatchObject([
    { inverse: { resource: 'records', action: 'create', params: { domainId: '3' }, entries: { target: '192.0.2.2' } } },
  ]);
});

/** Stores of a session whose account has an audit log and a plan, which other sessions have as well. */
function openShared() {
  const api = fakeApi((name) => (name === 'domains.view' ? { id: 3, domain: 'example.com' } : undefined));
  const state = memoryState();
  const written: Row[] = [];
  const audit: AuditSource = {
    owner: createStore(() => ({ profile: 'test', host: 'api.example.com', session: 'own', account: 'A' })),
    read: async (take) => void take(written.toReversed()),
    found: () => {},
    follow: () => () => {},
  };
  const parts = partsOf(api, { audit, persist: { state: state.session() } });
  const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
  onTestFinished(() => stores.close());
  /** Has another session have sent a change. */
  const write = (record: Row, ids: Row = {}) => {
    const own = { host: 'api.example.com', account: 'A', change: `other-${written.length}` };
    const time = new Date(Date.now()).toISOString();
    written.push({ ...own, time, method: 'POST', path: '/x', outcome: 'pending', ...record });
    written.push({ ...own, time, method: 'POST', path: '/x', outcome: 'done', ...ids });
  };
  const says = () => stores.notices.getState().current?.text;
  const overlay = () => stores.navigation.getState().overlays.at(-1);
  return { api, stores, state, write, says, overlay };
}

test('a tag that was deleted since is not taken back where one of its name is there again', async () => {
  const { api, stores, write, says } = openShared();
  const tag = { label: 'web' };
  const made = { resource: 'tags', action: 'create', label: 'web', params: {}, body: tag, uid: 'one.0' };
  write(made, { made: 'web' });
  write({ resource: 'tags', action: 'delete', label: 'web', params: { label: 'web' }, before: tag, uid: 'two.0' });
  await stores.audit.refresh();
  void stores.cache.readCollection({ resource: 'tags', operation: 'list', params: {} });
  await api.next('tags.list').page([tag]);
  await takeBack(stores, [{ ...made, params: { label: 'web' }, isBack: false }]);
  expect(says()).toBe('New tag (web) cannot be taken back: the tag web was deleted after it.');
});

const recordsOf = resourceNamed('records');
const body = { type: 'A', name: 'www', target: '192.0.2.1' };
const deleted = { resource: 'records', action: 'delete', label: 'A www', params: { domainId: '3', recordId: '5' } };
const made = { resource: 'records', action: 'create', label: 'A www', params: { domainId: '3' }, body };

/** The same with a record that was deleted, and the change that takes its deletion back. */
function openDeleted() {
  const shared = openShared();
  shared.write({ ...deleted, before: { id: 5, ...body }, uid: 'one.0' });
  const change = { ...made, resource: recordsOf, action: recordsOf.create as Action };
  const back = { ...change, takesBack: { of: 'one.0', title: 'Delete (A www)' } };
  return { ...shared, send: () => sendChanges(shared.stores, change, [back]) };
}

test('what another session has taken back while its question was open is not taken back twice', async () => {
  const { api, stores, write, overlay, send } = openDeleted();
  await nextBack(stores, 'undo');
  expect(overlay()).toMatchObject({ kind: 'form', action: 'create', takesBack: { of: 'one.0' } });
  write({ ...made, uid: 'two.0', takesBack: 'one.0' }, { made: '6' });
  expect((await send()).results).toMatchObject([{ state: 'not sent', says: 'It was taken back already.' }]);
  expect(api.count('records.create')).toBe(0);
});

test('what another session may have taken back while its question was open is taken back only once that was told', async () => {
  const { api, stores, write, send } = openDeleted();
  await nextBack(stores, 'undo');
  write({ ...made, uid: 'two.0', takesBack: 'one.0' }, { outcome: 'answer lost' });
  const says = 'Another session may have taken it back, and its answer is not known: look first.';
  expect((await send()).results).toMatchObject([{ state: 'not sent', says }]);
  expect(api.count('records.create')).toBe(0);
  // It is sent once that was told and it is asked for all the same.
  const sent = send();
  await vi.waitFor(() => expect(api.count('records.list')).toBe(1));
  await api.next('records.list').page([]);
  await api.next('records.create').answer({ id: 6, ...body });
  expect((await sent).results).toMatchObject([{ state: 'done' }]);
});

test('what this session has tried in vain to take back is not said to be of another', async () => {
  const { api, stores, write, send } = openDeleted();
  await nextBack(stores, 'undo');
  const tried = send();
  await vi.waitFor(() => expect(api.count('records.list')).toBe(1));
  await api.next('records.list').page([]);
  const uid = api.next('records.create').request.record?.uid;
  write({ ...made, uid, takesBack: 'one.0' }, { outcome: 'aborted' });
  await api.next('records.create').fail({ kind: 'answer', status: 400 });
  expect((await tried).results).toMatchObject([{ state: 'failed' }]);
  const again = send();
  await vi.waitFor(() => expect(api.count('records.list')).toBe(2));
  await api.next('records.list').page([]);
  await api.next('records.create').answer({ id: 6, ...body });
  expect((await again).results).toMatchObject([{ state: 'done' }]);
});

test('what another session has taken back with an answer that was lost is asked about, and that is said', async () => {
  const { stores, write, overlay, says } = openDeleted();
  write({ ...made, uid: 'two.0', takesBack: 'one.0' }, { outcome: 'answer lost' });
  await nextBack(stores, 'undo');
  expect(overlay()).toMatchObject({ kind: 'form', action: 'create', takesBack: { of: 'one.0' } });
  expect(says()).toMatch(
    /in another session\. The answer to what took it back is not known: look whether that was done\.$/,
  );
});

test('what a plan has sent that is being carried out is not taken back before that has ended', async () => {
  const { api, stores, state, write, says, overlay } = openShared();
  const made = { resource: 'volumes', action: 'create', label: 'new', params: {}, body: { label: 'new' } };
  stores.plans.add([{ record: made }, { record: { ...made, label: 'second' } }]);
  const { steps } = stores.plans.getState();
  write({ ...made, uid: 'one.0' }, { made: '7' });
  const begun = steps.map((step, nth) => ({
    ...step,
    ...(nth === 0 && { result: { state: 'begun' as const, at: Date.now(), made: params } }),
  }));
  const end = state.session().begin(steps.map(({ uid }) => uid));
  // A step that was not tried has sent nothing, be it alike.
  const alike = nextBack(stores, 'undo');
  await settled();
  await api.next('volumes.view').answer(row);
  await alike;
  expect(overlay()).toMatchObject({ kind: 'confirm', action: 'delete' });
  stores.navigation.close();
  state.of('progress').put(begun.flatMap((step) => (step.result ? [[step.uid, progressValue(step)] as const] : [])));
  await nextBack(stores, 'undo');
  expect(says()).toBe(
    'New volume (new) cannot be taken back now: another session is carrying out the plan that has sent it, 0 of 2 done.',
  );
  expect(overlay()).toBeUndefined();
  end?.();

  stores.plans.setState({ run: 'running' });
  await nextBack(stores, 'undo');
  expect(says()).toBe(
    'New volume (new) cannot be taken back now: the plan that has sent it is being carried out; wait for it, or stop it.',
  );
  stores.plans.setState({ run: undefined });
  const proposed = nextBack(stores, 'undo');
  await settled();
  await api.next('volumes.view').answer(row);
  await proposed;
  expect(overlay()).toMatchObject({ kind: 'confirm', action: 'delete', targets: [params] });
});

test('nor what it has sent to a row that another of its steps has made', async () => {
  const { stores, state, write, says, overlay } = openShared();
  const { uid, isBack: _, ...record } = renamed;
  const made = { resource: 'volumes', action: 'create', label: 'old', params: {}, body: { label: 'old' } };
  stores.plans.add([{ record: made }]);
  stores.plans.add([{ record: { ...record, params: { volumeId: { $step: 1 } } } }]);
  write({ ...record, uid }, {});
  const { steps } = stores.plans.getState();
  const result = { state: 'done' as const, at: Date.now() };
  const done = steps.map((step, nth) => ({ ...step, result: { ...result, ...(nth === 0 && { made: params }) } }));
  state.of('progress').put(done.map((step) => [step.uid, progressValue(step)] as const));
  const end = state.session().begin(steps.map((step) => step.uid));
  void nextBack(stores, 'undo');
  await settled();
  expect(says()).toMatch(/another session is carrying out the plan that has sent it, 2 of 2 done\.$/);
  expect(overlay()).toBeUndefined();
  end?.();

  // Likewise where this session carries out a part of it alone.
  const rolling = { id: 'part', title: 'Edit 2 volumes' };
  stores.plans.setState({ run: 'running', rolling: 'part', steps: done.map((step) => ({ ...step, rolling })) });
  void nextBack(stores, 'undo');
  await settled();
  expect(says()).toMatch(/the plan that has sent it is being carried out; wait for it, or stop it\.$/);
  expect(overlay()).toBeUndefined();
});

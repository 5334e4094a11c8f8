import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Params, Row } from '../../src/resources/resource.ts';
import { changeOn, changesFor } from '../../src/store/changes/change.ts';
import { nextBack } from '../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { submit, submitWithoutForm } from '../../src/store/changes/submit.ts';
import { staleValues } from '../../src/store/plans/stale.ts';
import { backRows, takeAllBack } from '../../src/store/plans/takingBack.ts';
import { actionOf } from '../resources/actionOf.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const stores = openStores(api);
  const says = () => stores.notices.getState().current?.text;
  return { api, stores, says };
}

const nodes = resourceNamed('nodebalancer-nodes');
const ofNode: Params = { nodeBalancerId: '1', configId: '2', nodeId: '3' };
const node = { id: 3, label: 'web-1', address: '192.168.128.10:80', mode: 'drain', weight: 50 };

/** Confirms the question whether to have a node accept traffic again that was drained here. */
function acceptAgain() {
  const opened = open();
  const own = { opened: { mode: 'drain' }, mine: {} };
  const submitted = submitWithoutForm(opened.stores, {
    resource: nodes,
    action: actionOf(nodes, 'accept'),
    targets: [{ row: node, params: ofNode, own }],
    params: ofNode,
    draft: {},
    takesBack: { of: 'one.0', title: 'Drain (web-1)' },
  });
  return { ...opened, submitted };
}

test('what others set while it was asked whether to take a change back is not overwritten by the answer', async () => {
  const { api, submitted, says } = acceptAgain();
  await settled();
  await api.next('nodebalancer-nodes.view').answer({ ...node, mode: 'reject' });
  await submitted;
  expect(says()).toBe('Accept traffic: web-1: changed again since, in Mode; take it back by itself to choose.');
  expect(api.count('nodebalancer-nodes.accept')).toBe(0);
});

test('it is sent where nobody did, and where the row cannot be read only that is said', async () => {
  const { api, submitted } = acceptAgain();
  await settled();
  await api.next('nodebalancer-nodes.view').answer(node);
  await api.next('nodebalancer-nodes.accept').answer({ ...node, mode: 'accept' });
  await submitted;
  const unread = acceptAgain();
  await settled();
  await unread.api.next('nodebalancer-nodes.view').fail({ message: 'It broke.' });
  await unread.submitted;
  expect(unread.says()).toBe('Accept traffic: its state could not be read, so nothing was sent. It broke.');
  expect(unread.api.count('nodebalancer-nodes.accept')).toBe(0);
});

/** Makes a row by this body, which the API answers so. */
async function make(name: string, body: Row, answer: Row) {
  const opened = open();
  const { api, stores } = opened;
  const resource = resourceNamed(name);
  const action = resource.create as Action;
  const draft = { ...body } as Record<string, string>;
  const changes = changesFor({ resource, action, targets: [], params: {}, draft }, stores.view);
  const sent = sendChanges(stores, { resource, action }, changes, { before: { at: 0, ids: [], whole: [] } });
  await settled();
  await api.next(`${name}.create`).answer(answer);
  await sent;
  return opened;
}

const bucket = { label: 'media', cluster: 'us-east-1', created: '2026-11-01T10:00:00', objects: 0, size: 0 };
const anew = { ...bucket, created: '2026-11-02T10:00:00' };

test('a bucket that was made anew under the name of our own is not deleted by taking back that it was made', async () => {
  const { api, stores, says } = await make('buckets', { label: 'media', cluster: 'us-east-1' }, bucket);
  const proposed = nextBack(stores, 'undo');
  await settled();
  await api.next('buckets.view').answer(anew);
  await proposed;
  expect(says()).toBe(
    'New bucket (us-east-1/media) cannot be taken back: us-east-1/media was made anew since; u again goes on to what was before it.',
  );
});

test('nor one that was made anew while that was asked', async () => {
  const { api, stores, says } = await make('buckets', { label: 'media', cluster: 'us-east-1' }, bucket);
  const proposed = nextBack(stores, 'undo');
  await settled();
  await api.next('buckets.view').answer(bucket);
  await proposed;
  const overlay = stores.navigation.getState().overlays.at(-1);
  if (overlay?.kind !== 'confirm') throw new Error('a question is expected');
  const { params, takesBack } = overlay;
  const submitted = submitWithoutForm(stores, {
    resource: resourceNamed('buckets'),
    action: actionOf(resourceNamed('buckets'), 'delete'),
    targets: [{ row: bucket, params, own: takesBack?.own[0] ?? { opened: {}, mine: {} } }],
    params,
    draft: {},
    isTyped: true,
    takesBack,
  });
  await settled();
  await api.next('buckets.view').answer(anew);
  await submitted;
  expect(says()).toBe('Delete: us-east-1/media: was made anew since.');
  expect(api.count('buckets.delete')).toBe(0);
});

test('of a tag it is asked, as nothing tells whether it is the one that was made', async () => {
  const { api, stores } = await make('tags', { label: 'web' }, { label: 'web' });
  const proposed = nextBack(stores, 'undo');
  await settled();
  await api.next('tags.list').page([{ label: 'web' }]);
  await proposed;
  expect(stores.navigation.getState().overlays.at(-1)).toMatchObject({
    kind: 'confirm',
    takesBack: {
      differs: [
        'objects that had it before lose it too',
        'if others have made one of this name anew since, theirs is deleted',
      ],
    },
  });
});

const volumes = resourceNamed('volumes');
const ofVolume: Params = { volumeId: '7' };
const attached = { id: 7, label: 'data', status: 'active', size: 20, server_id: 1, server_label: 'web-1', tags: [] };

const moved = { ...attached, server_id: 2, server_label: 'db-1' };

/** Has the volume be read, and be so. */
async function show({ api, stores }: ReturnType<typeof open>, row: Row) {
  const reading = stores.cache.readRow(volumes, ofVolume);
  await api.next('volumes.view').answer(row);
  await reading;
}

/** Attaches a volume to a server. */
async function attach() {
  const opened = open();
  const { api, stores } = opened;
  const action = actionOf(volumes, 'attach');
  const row = { ...attached, server_id: null, server_label: null };
  await show(opened, row);
  const targets = [{ row, params: ofVolume }];
  const draft = { server_id: '1' };
  const changes = changesFor({ resource: volumes, action, targets, params: ofVolume, draft }, stores.view);
  const sent = sendChanges(stores, { resource: volumes, action }, changes);
  await settled();
  await api.next('volumes.attach').answer(attached);
  await sent;
  return opened;
}

test('a volume that others have attached to another server since is not detached from that unseen', async () => {
  const opened = await attach();
  const { api, stores } = opened;
  const { undos = [] } = stores.changes.getState().undo.at(-1) ?? {};
  await show(opened, moved);
  expect(backRows(stores, undos)).toMatchObject([
    { why: 'changed again since, in Server; take it back by itself to choose' },
  ]);
  await show(opened, attached);
  expect(backRows(stores, undos)).toMatchObject([{ why: undefined }]);
  const proposed = nextBack(stores, 'undo');
  await settled();
  for (const view of [...api.open].filter(({ name }) => name === 'volumes.view')) await view.answer(moved);
  await api.next('servers.view').answer({ id: 2, label: 'db-1' });
  await proposed;
  expect(stores.navigation.getState().overlays.at(-1)).toMatchObject({
    kind: 'confirm',
    action: 'detach',
    takesBack: { changed: ['Server is db-1 (2) now'] },
  });
});

test('nor one that was made with a server and is attached to another one by now', async () => {
  const body = { label: 'data', server_id: '1' };
  const opened = await make('volumes', body, attached);
  const { stores } = opened;
  const { undos = [] } = stores.changes.getState().undo.at(-1) ?? {};
  await show(opened, moved);
  const [detached] = backRows(stores, undos);
  expect(detached).toMatchObject({ why: 'changed again since, in Server; take it back by itself to choose' });
});

/** Edits so many volumes, of which the first is refused. */
async function editWithoutFirst(count: number) {
  const opened = open();
  const { api, stores } = opened;
  const rows = Array.from({ length: count }, (_, nth) => ({ ...attached, id: nth + 1, label: `data-${nth + 1}` }));
  stores.scheduler.subscribe([{ resource: 'volumes', operation: 'list', params: {} }]);
  await api.next('volumes.list').page(rows);
  const targets = rows.map((row) => ({ row, params: { volumeId: String(row.id) } }));
  const draft = { tags: ['new'] };
  const sent = submit(stores, { resource: volumes, action: volumes.edit as Action, targets, params: {}, draft });
  await settled();
  await api.next('volumes.edit').fail({ kind: 'answer', status: 400 });
  for (let nth = 1; nth < count; nth++) await api.next('volumes.edit').answer({ ...rows[nth], tags: ['new'] });
  await sent;
  return opened;
}

/** Presses `u`, and tells the title of its question. */
async function titleAsked({ api, stores }: ReturnType<typeof open>) {
  const proposed = nextBack(stores, 'undo');
  await settled();
  for (const { name, request, answer } of [...api.open])
    if (name === 'volumes.view')
      await answer({ ...attached, tags: ['new'], id: Number(request.params?.volumeId), label: 'data' });
  await proposed;
  const overlay = stores.navigation.getState().overlays.at(-1);
  return overlay?.kind === 'takeBack' ? overlay.title : overlay?.kind === 'form' ? overlay.takesBack?.title : undefined;
}

test('the question names so many rows as were done, and counts those that are left', async () => {
  expect(await titleAsked(await editWithoutFirst(2))).toBe('Edit 2 volumes (1 of them)');
  const opened = await editWithoutFirst(4);
  expect(await titleAsked(opened)).toBe('Edit 4 volumes (3 of them)');
  const { changes, navigation } = opened.stores;
  navigation.close();
  const [first] = changes.getState().undo.at(-1)?.undos ?? [];
  changes.keep({ key: 'other', title: 'other', isBack: true, undos: [], lost: [] }, new Set([first?.of ?? '']));
  expect(await titleAsked(opened)).toBe('Edit 4 volumes (2 of them)');
});

test('of many rows, what others set while those before it were sent is not overwritten either', async () => {
  const { api, stores } = open();
  const rows = Array.from({ length: 6 }, (_, nth) => ({ ...node, id: nth, label: `web-${nth}` }));
  const undos = rows.map(({ id, label }) => ({
    of: `one.${id}`,
    label,
    inverse: { resource: nodes.name, action: 'accept', params: { ...ofNode, nodeId: String(id) } },
    made: { mode: 'drain' },
  }));
  const { nodeId: _, ...under } = ofNode;
  stores.scheduler.subscribe([{ resource: nodes.name, operation: 'list', params: under }]);
  await api.next('nodebalancer-nodes.list').page(rows);
  const taken = takeAllBack(stores, { title: 'Drain 6 nodes' }, backRows(stores, undos), false);
  await settled();
  await api.next('nodebalancer-nodes.list').page(rows);
  await vi.waitFor(() => expect(api.count('nodebalancer-nodes.accept')).toBe(4));
  await vi.advanceTimersByTimeAsync(11_000);
  const now = rows.map((row) => (row.id === 0 ? { ...row, mode: 'reject' } : row));
  for (let isOver = false; !isOver; isOver = await Promise.race([taken.then(() => true), settled().then(() => false)]))
    for (const { name, request, answer, page } of [...api.open]) {
      const row = now[Number(request.params?.nodeId)];
      if (name === 'nodebalancer-nodes.list') await page(now);
      else if (name === 'nodebalancer-nodes.view') await answer(row);
      else if (name === 'nodebalancer-nodes.accept') await answer({ ...row, mode: 'accept' });
    }
  expect([...(await taken)].map(([{ label }, says]) => [label, says])).toEqual([
    ['web-0', 'Changed again since, in Mode; take it back by itself to choose.'],
  ]);
  expect(api.count('nodebalancer-nodes.accept')).toBe(5);
});

test('a bucket that is made anew while its deletion is asked or planned is left as it is', async () => {
  const buckets = resourceNamed('buckets');
  const { api, stores } = open();
  const change = changeOn(buckets, buckets.remove as Action, bucket, { clusterId: 'us-east-1', bucket: 'media' });
  const sent = sendChanges(stores, { resource: buckets, action: buckets.remove as Action }, [change]);
  await settled();
  await api.next('buckets.view').answer(anew);
  const says = 'us-east-1/media was made anew meanwhile, so nothing was sent: look at it, then do it again.';
  expect((await sent).results).toMatchObject([{ state: 'not sent', says }]);
  expect(api.count('buckets.delete')).toBe(0);
  expect(staleValues(change, bucket)).toEqual([]);
  expect(staleValues(change, anew)).toEqual([{ name: 'created', before: bucket.created, now: anew.created }]);
});

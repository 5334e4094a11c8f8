import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Params } from '../../src/resources/resource.ts';
import { submitWithoutForm } from '../../src/store/changes/submit.ts';
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

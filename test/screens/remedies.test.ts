import { expect, onTestFinished, test } from 'vitest';
import type { Fold, Problem } from '../../src/resources/problems/rule.ts';
import { remediesFor, remedyFor } from '../../src/screens/problems/remedies.ts';
import { listViewOf, placeKey, placeOf } from '../../src/store/navigation.ts';
import { setUserKeyLabels } from '../../src/text/keyLabel.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

const problemOf = (rule: string, resource: string, params: Problem['params']): Problem => ({
  id: `${rule} ${Object.values(params)}`,
  severity: 'warning',
  rule,
  resource,
  params,
  label: 'one',
  says: 'One is as it should not be',
});

const foldOf = (one: Problem): Fold => ({ ...one, of: [one, { ...one, id: `${one.id}0` }] });

test('a row that is not loaded has no action, but what makes another one is opened', () => {
  const stores = openStores(fakeApi());
  const { navigation } = stores;
  const opened = () => navigation.getState().overlays.at(-1);
  remedyFor(stores, problemOf('object-key-unrestricted', 'object-keys', { keyId: '1' }))?.();
  expect(opened()).toMatchObject({ kind: 'form', resource: 'object-keys', action: 'create', targets: [] });
  navigation.close();
  remedyFor(stores, problemOf('bucket-readable-by-all', 'buckets', { clusterId: 'a', bucket: 'one' }))?.();
  expect(opened()).toBeUndefined();
  expect(stores.notices.getState().current?.text).toBe('It is not loaded, or gone.');
});

test('of several problems in one line a tab shows each, and no ticket is about all', () => {
  const stores = openStores(fakeApi());
  const { navigation } = stores;
  const [records] = remediesFor(stores, foldOf(problemOf('domain-without-records', 'domains', { domainId: '1' })));
  records?.run();
  const place = placeOf(navigation.getState());
  expect(place).toMatchObject({ screen: 'list', resource: 'problems' });
  expect(listViewOf(navigation.getState(), placeKey(place)).filter).toBe(
    'rule=domain-without-records severity:warning',
  );
  const [ticket] = remediesFor(stores, foldOf(problemOf('server-busy-too-long', 'servers', { serverId: '1' })));
  expect(ticket?.refusal).toBe('a ticket is about one thing at a time; enter shows each');
  setUserKeyLabels({ 'list.open': 'o' });
  onTestFinished(() => setUserKeyLabels({}));
  const [again] = remediesFor(stores, foldOf(problemOf('server-busy-too-long', 'servers', { serverId: '1' })));
  expect(again?.refusal).toBe('a ticket is about one thing at a time; o shows each');
});

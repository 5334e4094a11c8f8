import { expect, test } from 'vitest';
import { actionsOf, operationsOf, resources } from '../../src/resources/index.ts';
import type { Action, Operation, Resource } from '../../src/resources/resource.ts';
import type { Change } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { transferFile } from '../../src/store/changes/submit.ts';
import type { Guard } from '../../src/store/guards/concern.ts';
import { client, failure, json, serve } from '../api/server.ts';
import { operations } from '../contract/operations.ts';
import { openStores } from './openStores.ts';

const denied: Guard = { actions: ['*'], deny: true, reason: 'nothing is changed here' };

/** An API that answers all with nothing and counts, with all stores before it. */
async function open(guards: readonly Guard[] = []) {
  const { url, seen } = await serve((_, response) => json(response, {}));
  const { api } = client(url);
  const stores = openStores(api);
  stores.configuration.setState({ guards: [...guards] });
  const sent = () =>
    seen.filter(({ method }) => method !== 'GET').map(({ method, url: of }) => `${method} ${of.pathname}`);
  return { url, stores, sent };
}

const paramsOf = ({ path }: Operation, { id, param, params = { [param]: id } }: Resource, isNew: boolean) =>
  Object.fromEntries([
    ...(isNew ? [] : Object.keys(params).map((name) => [name, '1'])),
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1']),
  ]);

/** Every change that any description offers, with parameters for its path. */
const changes: readonly Change[] = resources.flatMap((resource) =>
  actionsOf(resource)
    .filter(({ method }) => method !== 'GET')
    .map((action): Change => {
      const file = action.multipart && action.body?.[0]?.replace('!', '');
      const isNew = action === resource.create || (resource.creates ?? []).includes(action);
      return {
        resource,
        action,
        params: paramsOf(action, resource, isNew),
        label: 'one',
        body: file ? { [file]: 'report.txt' } : {},
      };
    }),
);

const nameOf = ({ method, path }: Pick<Action, 'method' | 'path'>) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;

test('every write of the documents is a change of a description, or is sent before one', () => {
  const offered = new Set(
    changes.flatMap(({ action }) => [action, ...(action.first ? [action.first] : [])]).map(nameOf),
  );
  const documented = operations.filter(({ method }) => method !== 'GET').map((one) => nameOf(one as Operation));
  expect(documented.filter((name) => !offered.has(name))).toEqual([]);
});

test('every write is sent where nothing is guarded', async () => {
  const { stores, sent } = await open();
  for (const change of changes) {
    const before = sent().length;
    await sendChanges(stores, change, [change]);
    expect(sent().slice(before)).toHaveLength(change.action.first ? 2 : 1);
  }
});

test('no write leaves past a guard that denies all, and each says why', async () => {
  const { stores, sent } = await open([denied]);
  for (const change of changes) {
    const { results } = await sendChanges(stores, change, [change], { isTyped: true });
    expect(results).toMatchObject([
      { state: 'not sent', says: expect.stringMatching(/guarded: nothing is changed here\.$/) },
    ]);
  }
  expect(sent()).toEqual([]);
});

test('no write leaves where a filter cannot be asked, or cannot be read', async () => {
  const { stores, sent } = await open([{ ...denied, where: 'no_such.field:1' }]);
  for (const change of changes) {
    const { results } = await sendChanges(stores, change, [change], { isTyped: true });
    expect(results).toMatchObject([{ state: 'not sent' }]);
  }
  expect(sent()).toEqual([]);
});

test('whoever forgets the guards sends nothing: not the API of the stores, not its files', async () => {
  const { url, stores, sent } = await open();
  const writes = resources.flatMap((resource) =>
    operationsOf(resource).flatMap(({ operation }) => (operation.method === 'GET' ? [] : [{ operation, resource }])),
  );
  for (const { operation, resource } of writes) {
    const params = paramsOf(operation, resource, false);
    expect(await failure(stores.api.send(operation, { params, body: {} }))).toMatchObject({ kind: 'guarded' });
  }
  expect(await failure(stores.api.files.upload(`${url}/file`, import.meta.filename))).toMatchObject({
    kind: 'guarded',
  });
  expect(await failure(stores.api.files.remove(`${url}/file`))).toMatchObject({ kind: 'guarded' });
  expect(writes.length).toBeGreaterThan(75);
  expect(sent()).toEqual([]);
});

test('a verdict holds for one change: not for another operation, other rows or another body', async () => {
  const { url, stores, sent } = await open();
  const one = changes.find(({ action }) => action.name === 'resize') as Change;
  const other = changes.find(({ action }) => action.name === 'delete') as Change;
  await sendChanges(stores, one, [one]);
  const { action, params, body } = one;
  const before = sent().length;
  for (const [operation, request] of [
    [other.action, { params, body, change: one }],
    [action, { params: { ...params }, body, change: one }],
    [action, { params, body: { size: 1 }, change: one }],
    [action, { params, form: new FormData(), change: other }],
  ] as const)
    expect(await failure(stores.api.send(operation, request))).toMatchObject({ kind: 'guarded' });
  await transferFile(stores, { way: 'delete', address: 'url' }, other, { url: `${url}/file` });
  expect(sent()).toHaveLength(before);
});

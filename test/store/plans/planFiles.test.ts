import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resourceNamed } from '../../../src/resources/index.ts';
import { createFinder } from '../../../src/screens/palette/find.ts';
import { readAccount, whenKnown } from '../../../src/store/plans/planAccount.ts';
import { openPlan, savePlan } from '../../../src/store/plans/planFile.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { openFiles } from '../../../src/terminal/files.ts';
import { serve } from '../../main/apiServer.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { openStores } from '../openStores.ts';

const record = {
  resource: 'managed-credentials',
  action: 'update',
  params: { credentialId: '9' },
  label: 'db',
  body: { username: 'me', password: 'correct horse' },
};

const accountPath = resourceNamed('account').view?.path ?? '';

/** @param account as it is answered; by default the token may not read it */
async function prepare(account: { body?: { euuid: string }; status?: number } = { status: 403 }) {
  const server = await serve({ [accountPath]: () => account });
  onTestFinished(server.close);
  const api = server.client();
  const folder = temporaryFolder('plan-files');
  const stores: Stores = { ...openStores(api), files: openFiles(undefined) };
  const told = () => stores.notices.getState().notices.at(-1)?.text ?? '';
  return { stores, told, at: (name: string) => join(folder, name) };
}

test('a plan is saved for its owner alone, without secrets, and never over a file or through a link', async () => {
  const { stores, told, at } = await prepare();
  await savePlan(stores, at('a.json'), '0.1.0');
  expect(told()).toBe('The plan was not saved: The plan has no steps to save.');
  stores.plans.add([{ record }]);
  await savePlan(stores, at('a.json'), '0.1.0');
  expect(told()).toMatch(
    /^Saved for you alone; skydeck plan apply .*a\.json carries it out\. Secrets are not in it\.$/,
  );
  expect((await stat(at('a.json'))).mode & 0o777).toBe(0o600);
  expect(await readFile(at('a.json'), 'utf8')).not.toContain('correct horse');
  await savePlan(stores, at('a.json'), '0.1.0');
  expect(told()).toBe(
    `${at('a.json')} cannot be written: it exists already, and nothing is overwritten; name another file.`,
  );
  await symlink(at('target.json'), at('link.json'));
  await savePlan(stores, at('link.json'), '0.1.0');
  expect(told()).toContain('link.json cannot be written: ');
  await expect(stat(at('target.json'))).rejects.toThrow('ENOENT');
});

test('a plan is opened in place of another, which can be brought back', async () => {
  const { stores, told, at } = await prepare();
  stores.plans.add([{ record }]);
  await savePlan(stores, at('a.json'), '0.1.0');
  stores.plans.add([{ record: { ...record, label: 'other' } }]);
  expect(await openPlan(stores, at('a.json'))).toBe(true);
  expect(told()).toBe('Opened a plan of 1 step; u brings back the 2 steps before.');
  expect(stores.plans.getState().steps).toEqual([
    { id: 1, uid: expect.any(String), record: { ...record, body: { username: 'me', password: '[redacted]' } } },
  ]);
  stores.plans.undo();
  expect(stores.plans.getState().steps).toHaveLength(2);
});

test('a file that is no plan, or one of another host, leaves the plan as it is', async () => {
  const { stores, told, at } = await prepare();
  stores.plans.add([{ record }]);
  await savePlan(stores, at('a.json'), '0.1.0');
  const saved = await readFile(at('a.json'), 'utf8');
  await writeFile(at('b.json'), saved.replace(/"host": "[^"]*"/, '"host": "other.example"'));
  await writeFile(at('c.json'), saved.replace('"update"', '"udpate"').replace('"id": 1', '"id": 0'));
  await writeFile(at('d.json'), Buffer.from([0xff]));
  const refusals: readonly [string, string | RegExp][] = [
    ['b.json', /b\.json was not opened: the plan is for "other\.example", and this is /],
    ['c.json', /c\.json was not opened: steps\[1\]\.id must be a whole number/],
    ['d.json', 'it is not UTF-8 text.'],
    ['e.json', 'there is no such file.'],
    ['.', 'it is not a file that can be read.'],
  ];
  for (const [name, says] of refusals) {
    expect(await openPlan(stores, at(name))).toBe(false);
    expect(told()).toMatch(says);
  }
  expect(stores.plans.getState().steps).toHaveLength(1);
});

test('a plan names its account, and is not opened for another', async () => {
  const { stores, told, at } = await prepare({ body: { euuid: 'A-1' } });
  stores.plans.add([{ record }]);
  await savePlan(stores, at('a.json'), '0.1.0');
  const saved = await readFile(at('a.json'), 'utf8');
  expect(JSON.parse(saved)).toMatchObject({ euuid: 'A-1' });
  expect(await openPlan(stores, at('a.json'))).toBe(true);
  await writeFile(at('b.json'), saved.replace('A-1', 'B-2'));
  expect(await openPlan(stores, at('b.json'))).toBe(false);
  expect(told()).toMatch(/the plan is for the account "B-2", and this is "A-1"\.$/);
  // Where it is not known which account it is for, its profile tells them apart.
  const { euuid: _, profile, ...unknown } = JSON.parse(saved);
  await writeFile(at('c.json'), JSON.stringify({ ...unknown, profile }));
  expect(await openPlan(stores, at('c.json'))).toBe(true);
  await writeFile(at('d.json'), JSON.stringify({ ...unknown, profile: 'another' }));
  expect(await openPlan(stores, at('d.json'))).toBe(false);
  expect(told()).toMatch(/the plan is of the profile another, and this is \w+; it does not name its account/);
});

test('an account without an id of its own is named by its profile, and not as one with all others that have none', async () => {
  const { stores, told, at } = await prepare({ body: { euuid: '' } });
  stores.plans.add([{ record }]);
  await savePlan(stores, at('a.json'), '0.1.0');
  const saved = JSON.parse(await readFile(at('a.json'), 'utf8'));
  expect(saved).not.toHaveProperty('euuid');
  await writeFile(at('b.json'), JSON.stringify({ ...saved, profile: 'another' }));
  expect(await openPlan(stores, at('b.json'))).toBe(false);
  expect(told()).toMatch(/the plan is of the profile another, and this is \w+; it does not name its account/);
});

test('an account without an id of its own is told to nobody', async () => {
  const { stores } = await prepare({ body: { euuid: '' } });
  const told: string[] = [];
  onTestFinished(whenKnown(stores.cache, (euuid) => told.push(euuid)));
  await readAccount(stores.cache);
  expect(told).toEqual([]);
});

test('a plan is not saved while it cannot be read for which account it is', async () => {
  const account = { status: 500 } as Parameters<typeof prepare>[0] & object;
  const { stores, told, at } = await prepare(account);
  stores.plans.add([{ record }]);
  await savePlan(stores, at('a.json'), '0.1.0');
  expect(told()).toMatch(/^The plan was not saved: its file names the account, which could not be read: .*\(500/);
  await expect(stat(at('a.json'))).rejects.toThrow('ENOENT');
  Object.assign(account, { status: 200, body: { euuid: 'A-1' } });
  await savePlan(stores, at('a.json'), '0.1.0');
  expect(JSON.parse(await readFile(at('a.json'), 'utf8'))).toMatchObject({ euuid: 'A-1' });
});

test('the palette says which file it saves and what it opens in place of', async () => {
  const { stores } = await prepare();
  const found = (query: string) => createFinder(stores, { commands: [], subjects: [] }).find(query).found[0]?.thing;
  expect(found('plan save Plan A.json')).toMatchObject({
    label: 'Save the plan as Plan A.json',
    refusal: 'the plan is empty',
  });
  expect(found('plan open a.json')?.label).toBe('Open the plan a.json');
  stores.plans.add([{ record }]);
  expect(found('plan save a.json')?.refusal).toBeUndefined();
  expect(found('plan open a.json')?.label).toBe('Open the plan a.json in place of the 1 step of this one');
});

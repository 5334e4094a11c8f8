import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cloud, openCloud } from './cloud.ts';
import type { Server } from './nouns.ts';
import { emptyServer, newServer, serverNow } from './subjects.ts';

let cloud: Cloud;
beforeAll(async () => {
  cloud = await openCloud();
});
afterAll(() => cloud.close());

const path = (id: unknown, word: string) => `/v4/server/instances/${id}/${word}`;
const isNow = (id: number, status: string) =>
  cloud.until(`${status}`, async () => (await serverNow(cloud, id)).status === status);
const newest = async () =>
  (await cloud.all<{ action: string; entity: { id: number } | null }>('/v4/account/events'))[0];

test('a server that is off is booted, and one that runs is rebooted, as jobs with events', async () => {
  const { id } = await emptyServer(cloud);
  expect(await cloud.refused('POST', path(id, 'reboot'))).toEqual([{ reason: 'The server is not running.' }]);
  expect(await cloud.post(path(id, 'boot'))).toEqual({});
  expect(await newest()).toMatchObject({ action: 'server_boot', entity: { id } });
  expect(await cloud.refused('POST', path(id, 'reboot'))).toEqual([{ reason: 'Server busy.' }]);
  await isNow(id, 'running');
  expect(await cloud.refused('POST', path(id, 'boot'))).toEqual([{ reason: 'The server is running already.' }]);
  expect(await cloud.post(path(id, 'reboot'))).toEqual({});
  expect((await serverNow(cloud, id)).status).toBe('rebooting');
  expect(await newest()).toMatchObject({ action: 'server_reboot', entity: { id } });
  await isNow(id, 'running');
  expect(await cloud.refused('POST', path(id, 'reboot'), { config_id: 1 })).toMatchObject([{ field: 'config_id' }]);
});

test('a server is rebuilt from an image and cloned', async () => {
  const { id } = await newServer(cloud);
  await isNow(id, 'running');
  expect(await cloud.refused('POST', path(id, 'rebuild'), {})).toMatchObject([{ field: 'image' }]);
  expect(await cloud.refused('POST', path(id, 'rebuild'), { image: 'server/none' })).toMatchObject([
    { field: 'image' },
  ]);
  expect(await cloud.refused('POST', path(id, 'rebuild'), { image: 'server/debian12' })).toMatchObject([
    { field: 'root_pass' },
  ]);
  const body = { image: 'server/debian12', root_pass: 'a-Passw0rd-of-tests' };
  expect(await cloud.post(path(id, 'rebuild'), body)).toMatchObject({ id, status: 'rebuilding', image: body.image });
  expect(await newest()).toMatchObject({ action: 'server_rebuild', entity: { id } });
  await isNow(id, 'running');

  expect(await cloud.refused('POST', path(id, 'clone'), { label: 5 })).toMatchObject([{ field: 'label' }]);
  const made = await cloud.post<Server>(path(id, 'clone'), { label: 'a-second' });
  expect(made).toMatchObject({ label: 'a-second', status: 'cloning' });
  expect(made.id).not.toBe(id);
  expect(await cloud.refused('POST', path(id, 'clone'), { label: 'a-second' })).toMatchObject([{ field: 'label' }]);
  await isNow(made.id, 'offline');
});

test('they need the scope of changes, and an id that there is', async () => {
  const { id } = await emptyServer(cloud);
  for (const word of ['boot', 'reboot', 'rebuild', 'clone']) {
    expect((await cloud.ask('POST', path(id, word), { as: 'readOnly' })).status).toBe(403);
    expect((await cloud.ask('POST', path(1, word), { as: 'full' })).status).toBe(404);
  }
});

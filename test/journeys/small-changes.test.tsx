import { expect, test } from 'vitest';
import { answered } from './answered.ts';
import { openSkydeck } from './skydeck.ts';

test('a config is opened to read what its server boots from', async () => {
  const skydeck = await openSkydeck({ columns: 110, rows: 50, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor(/Servers › api-1[\s\S]* running {2}api-1 /);
  await skydeck.press('3');
  await skydeck.waitFor(/Configs {2}1[\s\S]*❯ +My Debian 12 Disk Profile/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Configs › My Debian 12 Disk Prof[\s\S]*Label +My Debian 12 Disk Profile/);
  await skydeck.waitFor(/Devices +sda=Debian 12 Disk/);
  const { data } = await skydeck.elsewhere('GET', '/server/instances/48200125/configs');
  const [config] = data as { id: number }[];
  await answered(skydeck, `/server/instances/48200125/configs/${config?.id}`);
});

test('a private StackScript is deleted by who types its label', async () => {
  const skydeck = await openSkydeck({ columns: 100, place: { area: 'stackscripts' } });
  await skydeck.waitFor('Mine 3');
  await skydeck.pointAt('ci-runner');
  await skydeck.press('d');
  await skydeck.waitFor('Deletes ci-runner and its script. Servers set up by it stay');
  await skydeck.type('ci-');
  await skydeck.press('enter');
  expect(skydeck.changes).toEqual([]);
  await skydeck.type('runner');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: ci-runner');
  await skydeck.waitFor('Mine 2');
  expect(skydeck.changes).toMatchObject([{ method: 'DELETE', status: 200 }]);
  expect(skydeck.changes[0]?.path).toMatch(/^\/server\/stackscripts\/\d+$/);
});

test('a domain is cloned with all its records, one of which is then read', async () => {
  const skydeck = await openSkydeck({ columns: 118, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('Domains  6');
  await skydeck.pointAt('example.com ');
  await skydeck.press('a', 'C');
  await skydeck.waitFor('Copies all records of example.com into a new domain');
  await skydeck.fill('Domain', 'example.com');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Domain \* +✗/);
  await skydeck.fill('Domain', 'twin.example');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Clone: ');
  await skydeck.waitFor('Domains  7');
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'POST', body: { domain: 'twin.example' }, status: 200 });
  expect(skydeck.changes.at(-1)?.path).toMatch(/^\/domains\/\d+\/clone$/);

  const { data } = await skydeck.elsewhere('GET', '/domains');
  const twin = (data as { id: number; domain: string }[]).find(({ domain }) => domain === 'twin.example');
  await skydeck.pointAt('twin.example');
  await skydeck.press('enter');
  await skydeck.waitFor(/A +api .* api-lb/);
  await skydeck.pointAt('api-lb');
  await skydeck.press('enter');
  await skydeck.waitFor(/twin\.example › Records › A api[\s\S]*Target +203\.0\.113\.2/);
  const records = await skydeck.elsewhere('GET', `/domains/${twin?.id}/records`);
  const api = (records.data as { id: number; name: string; type: string }[]).find(
    ({ name, type }) => name === 'api' && type === 'A',
  );
  await answered(skydeck, `/domains/${twin?.id}/records/${api?.id}`);
});

test('a contact is opened, gets another phone, and is read as it is then', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'managed-contacts' } });
  await skydeck.waitFor('Managed contacts  5');
  await skydeck.pointAt('Night shift');
  await skydeck.press('enter');
  await skydeck.waitFor(/Managed contacts › Night shift[\s\S]*Secondary +–/);
  const [, id] = /\n +ID +(\d+)/.exec(skydeck.text()) ?? [];
  await answered(skydeck, `/managed/contacts/${id}`);
  await skydeck.press('e');
  await skydeck.waitFor('── Edit Night shift');
  await skydeck.fill('Secondary phone', '+1 202 555 0172');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: Night shift');
  await skydeck.waitFor(/Secondary +\+1 202 555 0172/);
  expect(skydeck.changes).toMatchObject([{ method: 'PUT', path: `/managed/contacts/${id}`, status: 200 }]);
  expect(await skydeck.elsewhere('GET', `/managed/contacts/${id}`)).toMatchObject({
    phone: { primary: '+1 202 555 0171', secondary: '+1 202 555 0172' },
  });
});

test('a credential is renamed, and not to a name that another one has', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'managed-credentials' } });
  await skydeck.waitFor('Managed credentials  3');
  await skydeck.pointAt('mail relay');
  await skydeck.press('e');
  await skydeck.waitFor('── Rename mail relay');
  await skydeck.fill('Label', 'metrics console');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Label \* +✗/);
  await skydeck.fill('Label', 'outgoing mail');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor((frame) => /❯ +outgoing mail .* mail/.test(frame) && !frame.includes('mail relay  '));
  expect(skydeck.changes.at(-1)).toMatchObject({
    method: 'PUT',
    path: '/managed/credentials/4101',
    body: { label: 'outgoing mail' },
    status: 200,
  });
});

test('how monitoring reaches a server is opened and read', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place: { area: 'managed-server-settings' } });
  await skydeck.waitFor('Managed server settings  40');
  await skydeck.pointAt('db-primary');
  await skydeck.press('enter');
  await skydeck.waitFor(/Managed server settings › db-primary[\s\S]*User +postgres[\s\S]*Port +2222/);
  await answered(skydeck, '/managed/server-settings/48200143');
});

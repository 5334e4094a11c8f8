import { expect, test } from 'vitest';
import { answered } from './answered.ts';
import { openSkydeck } from './skydeck.ts';

const backups = '/object-storage/buckets/us-east-1/db-backups';

test('a bucket is opened to everyone and to all pages, and then only to those with an account', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor('Buckets  5');
  await skydeck.pointAt('db-backups');
  await skydeck.press('e');
  await skydeck.waitFor(/── Set the access to us-east-1\/db-backups[\s\S]*private[\s\S]*CORS +.*no/);
  await skydeck.choose('Access', 'public-read');
  await skydeck.choose('CORS', 'yes');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Everyone who knows its address can read us-east-1/db-backups');
  await skydeck.press('enter');
  await skydeck.waitFor('Set the access: us-east-1/db-backups');

  await skydeck.press('a', 'M');
  await skydeck.waitFor('Fields that are left empty stay as they are.');
  await skydeck.choose('Access', 'authenticated-read');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Change part of the access: us-east-1/db-backups');
  expect(skydeck.changes).toMatchObject([
    { method: 'PUT', path: `${backups}/access`, body: { acl: 'public-read', cors_enabled: true }, status: 200 },
    { method: 'POST', path: `${backups}/access`, body: { acl: 'authenticated-read' }, status: 200 },
  ]);
  expect(Object.keys(skydeck.changes.at(-1)?.body as object)).toEqual(['acl']);

  await skydeck.press('enter', '3');
  await skydeck.waitFor(/"acl": "authenticated-read"[\s\S]*"cors_enabled": true/);
});

test('a bucket is opened to see what it is and whether it has a certificate of its own', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor(/❯ +assets +eu-central-1/);
  await skydeck.press('enter', '1');
  await skydeck.waitFor(/Buckets › eu-central-1\/assets[\s\S]*Certificate +yes/);
  await answered(skydeck, '/object-storage/buckets/eu-central-1/assets');
  await answered(skydeck, '/object-storage/buckets/eu-central-1/assets/ssl');
});

test('a cluster that is unavailable is looked at', async () => {
  const skydeck = await openSkydeck({ columns: 110, place: { area: 'object-clusters' } });
  await skydeck.waitFor(/ap-south-1 .* ✗ unavailable/);
  await skydeck.pointAt('ap-south-1');
  await skydeck.press('enter');
  await skydeck.waitFor(/Object storage clusters › ap-south-1[\s\S]*Domain +ap-south-1\.objects\.example\.com/);
  await answered(skydeck, '/object-storage/clusters/ap-south-1');
});

test('a new bucket is offered no cluster that is unavailable', async () => {
  const skydeck = await openSkydeck({ columns: 110, place: { area: 'buckets' } });
  await skydeck.waitFor('sensor-archive');
  await skydeck.press('n');
  await skydeck.waitFor('── New bucket');
  await skydeck.field('Cluster');
  await skydeck.press('enter');
  await skydeck.waitFor(/── Cluster ─[\s\S]*us-east-1/);
  expect(skydeck.text()).not.toContain('ap-south-1');
});

test('a cluster tells which buckets lie in it', async () => {
  const skydeck = await openSkydeck({ columns: 110, place: { area: 'object-clusters' } });
  await skydeck.waitFor(/us-east-1 /);
  await skydeck.pointAt('us-east-1');
  await skydeck.press('enter');
  await skydeck.waitFor(/Object storage clusters › us-east-1/);
  await skydeck.press('tab');
  await skydeck.waitFor('db-backups');
  await answered(skydeck, '/object-storage/buckets/us-east-1');
});

test('a key gets a name that says what it is for, and is revoked when it is not needed any more', async () => {
  const skydeck = await openSkydeck({ columns: 110, rows: 30, place: { area: 'object-keys' } });
  await skydeck.waitFor('Object storage keys  5');
  await skydeck.pointAt('old-laptop');
  await skydeck.press('e');
  await skydeck.waitFor('── Rename old-laptop');
  await skydeck.fill('Label', 'lost-laptop');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ +lost-laptop .* NO: all buckets/);
  await skydeck.waitFor('Rename: ');

  await skydeck.press('d');
  await skydeck.waitFor('Revokes the key lost-laptop.');
  await skydeck.type('lost-laptop');
  await skydeck.press('enter');
  await skydeck.waitFor('Object storage keys  4');
  expect(skydeck.text()).not.toMatch(/lost-laptop +E4/);
  expect(skydeck.changes).toMatchObject([
    { method: 'PUT', path: '/object-storage/keys/48139', body: { label: 'lost-laptop' }, status: 200 },
    { method: 'DELETE', path: '/object-storage/keys/48139', status: 200 },
  ]);
});

test('beside the secret of a new key the list stands as it stood', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'object-keys' } });
  await skydeck.waitFor('analytics');
  await skydeck.press('n');
  await skydeck.waitFor('── New object storage key');
  await skydeck.fill('Label', 'backup-job');
  await skydeck.pick('May use', 'nothing');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/analytics[\s\S]*❯ +backup-job[\s\S]*This is shown now and never again/);
});

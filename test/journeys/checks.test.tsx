import { expect, test } from 'vitest';
import { pairs } from '../certificates.ts';
import { openSkydeck } from './skydeck.ts';

test('an SSH key is a public key, and what is none is not repeated', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('Servers');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.field('SSH keys');
  await skydeck.paste('S3cretPass!x');
  await skydeck.press('tab', 'shift-tab');
  await skydeck.waitFor(
    /SSH keys must be public keys, e\.g\. ssh-ed25519 AAAA…\s+name;\s+this[\s▌│]+is[\s▌│]+not[\s▌│]+one\./,
  );
  await skydeck.press('ctrl-u');
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFkBUQLflMMfLTFbrLVz3Xo5Jlaw345T4MHeQvUP+hOz';
  await skydeck.paste(`${key} one\n${key} two`);
  await skydeck.waitFor(/❯ SSH keys +✓ [\s\S]*ports 25, 465|❯ SSH keys +✓ [\s\S]*587 are blocked\.\n/);
});

test('a private key that belongs to another certificate is not sent', async () => {
  const [one, other] = pairs;
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '3');
  await skydeck.waitFor(/NodeBalancer configs {2}\d/);
  await skydeck.press('n');
  await skydeck.waitFor('── New NodeBalancer config');
  await skydeck.fill('Port', '8443');
  await skydeck.choose('Protocol', 'https');
  await skydeck.field('Certificate');
  await skydeck.paste(one.certificate);
  await skydeck.field('Private key');
  await skydeck.paste(other.key);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Private key does not match the certificate');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-u');
  await skydeck.paste(one.key);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New NodeBalancer config: port 8443');
});

test('a certificate is replaced at a port whose NodeBalancer is named in the form and in the question', async () => {
  const [one] = pairs;
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('api-lb');
  await skydeck.pointAt('api-lb');
  await skydeck.press('enter', '3');
  await skydeck.waitFor(/NodeBalancer configs {2}\d/);
  await skydeck.pointAt(' 443 ');
  await skydeck.press('a');
  await skydeck.pointAt('Replace the certificate');
  await skydeck.press('enter');
  await skydeck.waitFor('── Replace the certificate of port 443 of NodeBalancer api-lb');
  await skydeck.field('Certificate');
  await skydeck.paste(one.certificate);
  await skydeck.field('Private key');
  await skydeck.paste(one.key);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(
    /── Replace the certificate of NodeBalancer api-lb\?[\s\S]*New connections to port 443 of api-lb get the new/,
  );
  expect(skydeck.changes).toEqual([]);
});

test('a node of a rebuild is edited under its name, and a new one gets the port beside it', async () => {
  const skydeck = await openSkydeck({ place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/❯ +✗ down/);
  await skydeck.pointAt('port 80 ');
  await skydeck.press('a');
  await skydeck.pointAt('Rebuild');
  await skydeck.press('enter');
  await skydeck.waitFor(/keep +web-old/);
  await skydeck.pointAt('web-old');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit web-old');
  await skydeck.fill('Weight', '7');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/update +web-old/);
  await skydeck.press('n');
  await skydeck.waitFor('── New node');
  await skydeck.fill('Label', 'web-new');
  await skydeck.field('Address');
  await skydeck.type('192.168.200.1');
  await skydeck.waitFor(/Port \* +8080/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/create +web-new +192\.168\.200\.1:8080 /);
});

test('several volumes are not given one label, and a disk fits into what is left', async () => {
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor(/Volumes {2}\d/);
  await skydeck.press('space', 'down', 'space', 'e');
  await skydeck.waitFor('── Edit 2 volumes');
  expect(skydeck.text()).not.toMatch(/[❯ ] Label/);
  await skydeck.fill('Tags', 'together');
  await skydeck.sendToAll();
  await skydeck.waitFor('Edit: all 2 done');
  await skydeck.press('esc');

  await skydeck.goTo('servers');
  await skydeck.pointAt('api-1');
  await skydeck.press('enter', '4');
  await skydeck.waitFor(/Disks {2}\d/);
  await skydeck.press('n');
  await skydeck.waitFor('── New disk');
  await skydeck.fill('Label', 'too-large');
  await skydeck.field('Size');
  await skydeck.waitFor(/The server has (?:\d+ MiB|no space) left/);
  await skydeck.fill('Size', '99999999');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Size: the server has (?:only \d+ MiB|no space) left/);
});

test('the access of an object starts from what it is, and buckets are told apart in the narrowest list', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'buckets' } });
  await skydeck.waitFor(/❯ +assets/);
  for (const year of [2023, 2024])
    await skydeck.elsewhere('POST', '/object-storage/buckets', {
      label: `application-logs-of-production-${year}`,
      cluster: 'us-east-1',
    });
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('Buckets  7');
  await skydeck.pointAt('assets');
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ +favicon/);
  await skydeck.press('e');
  await skydeck.waitFor(/── Set the access[\s\S]*Access \* +(?:private|public-read)/);
  await skydeck.press('esc', 'esc');
  await skydeck.goTo('object storage keys');
  await skydeck.press('n');
  await skydeck.waitFor('── New object storage key');
  await skydeck.choose('May use', 'limited');
  await skydeck.field('Read and write');
  await skydeck.type('applic');
  await skydeck.waitFor(
    /us-east-1\/application-logs-of-production-2023[\s\S]*us-east-1\/application-logs-of-production-2024/,
  );
});

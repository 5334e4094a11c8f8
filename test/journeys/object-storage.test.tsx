import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'skydeck-test-'));
});
beforeEach(async () => {
  demo = await startQuietDemo();
  return () => demo.close();
});
afterAll(() => rm(directory, { recursive: true }));

const sent = ({ requests }: Skydeck, method: string) => requests.filter((one) => one.method === method);

test('a bucket is made, files go up and come down, and it is emptied and deleted', async () => {
  const skydeck = await openSkydeck({ demo, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor('sensor-archive');
  await skydeck.press('n');
  await skydeck.fill('Label', 'reports');
  await skydeck.pick('Cluster', 'us-east-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ +reports +us-east-1/);

  // Its objects come first; there are none yet.
  await skydeck.press('enter');
  await skydeck.waitFor('There are no objects.');
  const local = join(directory, 'summary.txt');
  await writeFile(local, 'the year in numbers\n');
  await skydeck.press('n');
  await skydeck.waitFor('Upload a file');
  await skydeck.type(local.slice(0, -5));
  await skydeck.press('tab');
  await skydeck.waitFor('summary.txt');
  await skydeck.fill('Name', 'years/2024/');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('summary.txt is uploaded.');
  await skydeck.waitFor(/❯ +years\//);

  // Two levels down it has its own name, kept from the file.
  await skydeck.press('enter');
  await skydeck.waitFor('reports/years/ ');
  await skydeck.waitFor('2024/');
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ +summary\.txt +20 B/);
  await skydeck.press('a');
  await skydeck.waitFor('Actions on years/2024/summary.txt');
  await skydeck.press('O');
  const copy = join(directory, 'copy.txt');
  await skydeck.fill('File', copy);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('only you can read it');
  expect(await readFile(copy, 'utf8')).toBe('the year in numbers\n');
  expect((await stat(copy)).mode & 0o777).toBe(0o600);

  // Nothing is overwritten.
  await skydeck.press('a');
  await skydeck.waitFor('Actions on');
  await skydeck.press('O');
  await skydeck.fill('File', copy);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/File \S+ exists already/);
  await skydeck.press('esc');

  // A bucket that holds something stays; once it is empty, its label must be typed.
  await skydeck.goTo('buckets');
  await skydeck.pointAt('reports');
  await skydeck.waitFor(/❯ +reports/);
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/❯ +reports +us-east-1 +1 /);
  await skydeck.press('d');
  await skydeck.waitFor('a bucket must be empty before it is');
  await skydeck.press('enter');
  await skydeck.waitFor('years/');
  await skydeck.press('f');
  await skydeck.waitFor('years/2024/summary.txt');
  await skydeck.press('d');
  await skydeck.waitFor('cannot be undone');
  await skydeck.press('enter');
  await skydeck.waitFor('years/2024/summary.txt is deleted.');
  await skydeck.waitFor('There are no objects.');
  await skydeck.goTo('buckets');
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/❯ +reports +us-east-1 +0 /);
  await skydeck.press('d');
  await skydeck.waitFor('Type us-east-1/reports to confirm');
  await skydeck.type('us-east-1/reports');
  await skydeck.press('enter');
  await skydeck.waitFor((frame) => !/reports +us-east-1/.test(frame));
  // The requests to the storage itself are in the log of changes, without the signatures.
  expect(skydeck.changes.map(({ method }) => method)).toContain('PUT');
  expect(JSON.stringify(skydeck.changes)).not.toContain('signature');
});

test('a million objects are read as far as one looks', async () => {
  const place = { area: 'buckets', id: 'eu-central-1/sensor-archive' };
  const skydeck = await openSkydeck({ demo, rows: 40, place });
  await skydeck.waitFor(/❯ +readings\//);
  await skydeck.press('f');
  await skydeck.waitFor('Objects  100+');
  const pages = () => sent(skydeck, 'GET').filter(({ path }) => path.endsWith('/object-list')).length;
  expect(pages()).toBe(2);
  await skydeck.press('G');
  await skydeck.waitFor('Objects  200+');
  expect(pages()).toBe(3);

  // The beginning of a name leads straight to it; a level up leads out again.
  await skydeck.press('p');
  await skydeck.waitFor('begins with:');
  await skydeck.type('readings/no such');
  await skydeck.press('enter');
  await skydeck.waitFor('There are no objects.');
  await skydeck.press('backspace');
  await skydeck.waitFor('Objects  100+');
  await skydeck.press('f');
  await skydeck.waitFor(/❯ +20\d\d\//);
});

test('two objects that are deleted together are told by one notice', async () => {
  const skydeck = await openSkydeck({ demo, rows: 30, place: { area: 'buckets', id: 'us-east-1/assets' } });
  await skydeck.waitFor('static/');
  await skydeck.press('f');
  await skydeck.waitFor('Objects  100+');
  await skydeck.press('space', 'space', 'd');
  await skydeck.waitFor('── Delete 2 of 2 objects');
  await skydeck.press('enter');
  await skydeck.waitFor('2 objects are deleted.');
  expect(sent(skydeck, 'POST').filter(({ path }) => path.endsWith('/object-url'))).toHaveLength(2);
});

test('one level up is the way back, so that esc never leads down again', async () => {
  const skydeck = await openSkydeck({ demo, rows: 30, place: { area: 'buckets', id: 'us-east-1/assets' } });
  await skydeck.waitFor('static/');
  await skydeck.pointAt('images/');
  await skydeck.press('enter');
  await skydeck.waitFor('products/');
  await skydeck.press('backspace');
  await skydeck.waitFor('static/');
  await skydeck.press('esc');
  await skydeck.waitFor('sensor-archive');
});

test('the secret of a key is shown once, whole, copied and saved, and gone afterwards', async () => {
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 20, place: { area: 'object-keys' } });
  await skydeck.waitFor('NO: all buckets');
  await skydeck.press('n');
  await skydeck.fill('Label', 'exporter');
  await skydeck.choose('May use', 'nothing');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('never again');
  const [, secret = ''] = /Secret key\s+(\S{40})\s/.exec(skydeck.text()) ?? [];
  expect(secret).toMatch(/^[A-Za-z0-9]{40}$/);

  // Leaving without having kept it takes a second word.
  await skydeck.press('esc');
  await skydeck.waitFor('neither copied nor saved');
  await skydeck.press('c');
  await skydeck.waitFor('clipboard');
  expect(skydeck.copied).toEqual([secret]);
  const file = join(directory, 'key.txt');
  await skydeck.press('s');
  await skydeck.waitFor('save as:');
  await skydeck.type(file);
  await skydeck.press('enter');
  await skydeck.waitFor(/only you can\s+read it/);
  expect(await readFile(file, 'utf8')).toContain(`Secret key: ${secret}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await skydeck.press('esc');
  await skydeck.waitFor(/❯ +exporter/);
  await skydeck.byName('JSON');
  await skydeck.waitFor('"access_key"');
  expect(skydeck.text()).not.toContain(secret);
  expect(JSON.stringify(skydeck.changes)).not.toContain(secret);
});

test('a secret that comes while another place is chosen is not lost with the place before', async () => {
  const held = await startHeldDemo();
  const skydeck = await openSkydeck({ demo: held, columns: 100, rows: 30, place: { area: 'object-keys' } });
  await skydeck.waitFor('NO: all buckets');
  await skydeck.press('n');
  await skydeck.fill('Label', 'exporter');
  await skydeck.choose('May use', 'nothing');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Sending …');
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── New object'));
  await skydeck.press(':');
  await skydeck.waitFor('Go to');
  await skydeck.type('volumes');
  await skydeck.waitFor(/❯ *Volumes/);
  held.release();
  await skydeck.waitFor('New object storage key: exporter');
  await skydeck.press('enter');
  await skydeck.waitFor('› Volumes');
  await skydeck.waitFor('never again');
});

test('an object is opened to everyone, and lent by a URL that is shown whole', async () => {
  const place = { area: 'buckets', id: 'us-east-1/db-backups' };
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 24, place });
  await skydeck.waitFor('README.txt');
  await skydeck.pointAt('README.txt');
  await skydeck.press('e');
  await skydeck.choose('Access', 'public-read');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Everyone who knows its address can read README.txt');
  await skydeck.press('enter');
  await skydeck.waitFor('Set the access: README.txt');
  await skydeck.press('enter');
  await skydeck.waitFor('Overview');
  await skydeck.press('tab');
  await skydeck.waitFor('"acl": "public-read"');

  await skydeck.press('a');
  await skydeck.waitFor('Actions on README.txt');
  await skydeck.press('U');
  await skydeck.fill('Expires in', '359');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Expires in must be 360–68400 seconds; it is 359.');
  await skydeck.fill('Expires in', '360');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('never again');
  const [, wrapped = ''] = /Url\n([\s\S]*?)\n\n/.exec(skydeck.text().replace(/ +$/gm, '')) ?? [];
  const url = wrapped.replace(/\s/g, '');
  await skydeck.press('c');
  await skydeck.waitFor('clipboard');
  expect(skydeck.copied).toEqual([url]);
  expect((await fetch(url)).status).toBe(200);
});

test('an upload is one line of the journal, in words and without its signed address', async () => {
  const local = join(directory, 'site.tar.gz');
  await writeFile(local, 'all pages\n');
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor('sensor-archive');
  await skydeck.pointAt('sensor-archive');
  await skydeck.press('enter');
  await skydeck.waitFor('MODIFIED');
  await skydeck.press('n');
  await skydeck.waitFor('── Upload a file');
  await skydeck.paste(local);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('site.tar.gz is uploaded.');
  await skydeck.goTo('sent from here');
  await skydeck.waitFor(/Sent from here 1[\s\S]*● done +demo +Upload a file +site\.tar\.gz /);
  await skydeck.press('enter');
  await skydeck.waitFor('Answered');
  expect(skydeck.text()).not.toMatch(/signature|http:\S+site\.tar\.gz/i);
});

test('a certificate is put in the place of another one from files', async () => {
  const [certificate, key] = [join(directory, 'c.pem'), join(directory, 'k.pem')];
  await writeFile(certificate, '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n');
  await writeFile(key, '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n');
  const skydeck = await openSkydeck({ demo, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor(/❯ +assets +eu-central-1/);
  await skydeck.press('a');
  await skydeck.waitFor('Replace the certificate');
  await skydeck.press('X');
  for (const [label, path] of [
    ['Certificate', certificate],
    ['Private key', key],
  ] as const) {
    await skydeck.fill(label, path);
    await skydeck.press('ctrl-o');
    await skydeck.waitFor(() => / ✓ •{20,}$/.test(skydeck.cursorLine().trimEnd()));
  }
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('The current certificate of eu-central-1/assets is deleted');
  await skydeck.press('enter');
  await skydeck.waitFor('Replace the certificate: eu-central-1/assets');
  expect(skydeck.changes.map(({ method }) => method)).toEqual(['DELETE', 'POST']);
  expect(JSON.stringify(skydeck.changes)).not.toContain('MIIE');
});

test('object storage is cancelled only by who types its name', async () => {
  const skydeck = await openSkydeck({ demo, rows: 30, place: { area: 'object-storage' } });
  await skydeck.waitFor('of the 1 TiB');
  await skydeck.press('a');
  await skydeck.waitFor('Cancel object storage');
  await skydeck.press('X');
  await skydeck.waitFor('All 5 buckets with 1 008 703 objects');
  await skydeck.type('object');
  await skydeck.press('enter');
  expect(skydeck.changes).toEqual([]);
  await skydeck.type(' storage');
  await skydeck.press('enter');
  await skydeck.waitFor('There are no buckets.');
});

test('read-only shows everything, and moves no object', async () => {
  const skydeck = await openSkydeck({ demo, rows: 30, readOnly: true, place: { area: 'buckets' } });
  await skydeck.waitFor('sensor-archive');
  await skydeck.press('enter');
  await skydeck.waitFor('index.html');
  expect(skydeck.line(29)).not.toMatch(/ n new/);
  for (const key of ['n', 'd']) {
    await skydeck.press(key);
    await skydeck.waitFor(' This session is read-only; no plan can hold this.');
    expect(skydeck.text()).not.toContain('── ');
    // A key that does something takes the sentence away, so that the next refusal has to say it anew.
    await skydeck.press('j', 'k');
    await skydeck.waitFor((frame) => !frame.includes('This session is read-only'));
  }
  await skydeck.press('a');
  for (const what of ['Download to a file', 'Make a pre-signed URL', 'Delete'])
    await skydeck.waitFor(new RegExp(`${what} +this session is read-only; no plan can hold this`));
  await skydeck.press('esc', 'e');
  await skydeck.waitFor(/── Set the access[\s\S]*\n ctrl-a plan /);
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor(/images\/(products\/)?|Overview/);
  expect(skydeck.changes).toEqual([]);
});

test('what an object is related to says nothing twice, and no number without its noun', async () => {
  const skydeck = await openSkydeck({
    demo,
    columns: 120,
    rows: 30,
    place: { area: 'buckets', id: 'us-east-1/assets' },
  });
  await skydeck.pointAt('favicon.ico');
  await skydeck.press('enter');
  await skydeck.waitFor(/Related ─+\n.* bucket +us-east-1\/assets *\n/);
});

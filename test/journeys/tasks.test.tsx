/**
 * Everyday tasks with the most keys that each may take. Text that one types is not counted: letters of a name, a number,
 * an address; the key that opens what one types into is.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

interface Counted extends Skydeck {
  /** The keys pressed since it was opened, or since the last `start`. */
  readonly keys: number;
  start(): void;
}

/** Opens an area, or Home, and waits until this is there. */
async function open(area: string | undefined, first: string | RegExp, of = demo): Promise<Counted> {
  const skydeck = await openSkydeck({ demo: of, columns: 100, rows: 30, place: area ? { area } : undefined });
  await skydeck.waitFor(first);
  let keys = 0;
  return {
    ...skydeck,
    get keys() {
      return keys;
    },
    start: () => {
      keys = 0;
    },
    press: async (...pressed) => {
      keys += pressed.length;
      await skydeck.press(...pressed);
    },
  };
}

test('the server with an address: 2 keys', async () => {
  const skydeck = await open(undefined, /Servers +4/);
  await skydeck.press(':');
  await skydeck.type('192.0.2.41');
  await skydeck.waitFor(/❯ queue-1/);
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › queue-1');
  expect(skydeck.keys).toBeLessThanOrEqual(2);
});

test('a server from an image, with tags: 14 keys', async () => {
  const skydeck = await open(undefined, /Servers +4/);
  await skydeck.press(':');
  await skydeck.type('new server');
  await skydeck.waitFor(/❯ New server/);
  await skydeck.press('enter', 'tab');
  await skydeck.type('debian 12');
  await skydeck.waitFor(/❯ Debian 12/);
  await skydeck.press('enter', 'tab');
  await skydeck.type('us-east');
  await skydeck.waitFor(/❯ us-east/);
  await skydeck.press('enter', 'tab');
  await skydeck.type('standard-2');
  await skydeck.waitFor(/g6-standard-2/);
  await skydeck.press('enter', 'tab');
  await skydeck.type('fresh-1');
  await skydeck.press('tab');
  await skydeck.type('web, prod');
  await skydeck.press('tab');
  await skydeck.type('Correct-horse-battery-9');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Creates fresh-1: Standard 4 GB (2 vCPU, 4 GiB, 80 GiB)');
  await skydeck.press('enter');
  await skydeck.waitFor(/New server: fresh-1|fresh-1 +\d+\.\d+/);
  expect(skydeck.changes.at(-1)?.body).toMatchObject({
    label: 'fresh-1',
    tags: ['web', 'prod'],
    type: 'g6-standard-2',
  });
  expect(skydeck.keys).toBeLessThanOrEqual(14);
});

test('a snapshot: 3 keys', async () => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.press('a', 'P');
  await skydeck.waitFor('Take a snapshot of api-1');
  await skydeck.type('before the upgrade');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Take a snapshot|snapshotting/);
  await vi.waitUntil(() => skydeck.changes.length > 0);
  expect(skydeck.changes[0]).toMatchObject({ method: 'POST', body: { label: 'before the upgrade' } });
  expect(skydeck.keys).toBeLessThanOrEqual(3);
});

test('resize: 7 keys', async () => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.pointAt('api-4 ');
  skydeck.start();
  await skydeck.press('a', 'Z');
  await skydeck.waitFor('Resize api-4');
  await skydeck.type('standard-6');
  await skydeck.waitFor(/❯ Standard 16 GB/);
  await skydeck.press('enter');
  await skydeck.waitFor('$58.00 → $116.00 a month');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Resizes api-4 from Standard 8 GB \(g6-standard-4\) to\s+Standard/);
  await skydeck.press('enter');
  // Its progress is seen without a key.
  await skydeck.waitFor(/◐ resiz\S* .*api-4 /);
  expect(skydeck.keys).toBeLessThanOrEqual(7);
});

test('an A record with a TTL of 300: 7 keys', async () => {
  const skydeck = await open('domains', 'shop.example');
  await skydeck.pointAt('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('v=spf1');
  skydeck.start();
  await skydeck.press('n');
  await skydeck.waitFor('New record');
  await skydeck.type('A');
  await skydeck.press('enter', 'tab');
  await skydeck.type('office');
  await skydeck.press('tab');
  await skydeck.type('203.0.113.7');
  await skydeck.press('tab');
  await skydeck.type('300');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor('New record: A office');
  expect(skydeck.changes.at(-1)?.body).toEqual({ type: 'A', name: 'office', target: '203.0.113.7', ttl_sec: 300 });
  expect(skydeck.keys).toBeLessThanOrEqual(7);
});

test('the TTL of all records of a domain, each of them seen before: 7 keys', async () => {
  const skydeck = await open('domains', 'shop.example');
  await skydeck.pointAt('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('v=spf1');
  skydeck.start();
  await skydeck.press('*', 'a', 'T');
  await skydeck.waitFor(/Set the TTL of \d+ records/);
  await skydeck.type('1h');
  await skydeck.waitFor(/❯ 3600/);
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/Set the TTL of (\d+) of \1 records/);
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/Set the TTL: all \d+ done/);
  expect(skydeck.keys).toBeLessThanOrEqual(7);
});

test('which node is down, and it is drained: 6 keys', async () => {
  const skydeck = await open('nodebalancers', 'web-lb');
  await skydeck.pointAt('web-lb');
  skydeck.start();
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/✗ down +web-old/);
  await skydeck.waitFor(/❯ +✗ down +web-old/);
  await skydeck.press('a', 'R');
  await skydeck.waitFor('web-old');
  await skydeck.press('enter');
  await skydeck.waitFor(/web-old .* drain/);
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'PUT', body: { mode: 'drain' } });
  expect(skydeck.keys).toBeLessThanOrEqual(6);
});

test('a volume is attached: 5 keys', async () => {
  const skydeck = await open('volumes', 'archive-2023');
  await skydeck.pointAt('archive-2023');
  skydeck.start();
  await skydeck.press('a', 'A');
  await skydeck.waitFor('Attach');
  await skydeck.type('web-5');
  await skydeck.waitFor(/❯ web-5/);
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/archive-2023 .* web-5 /);
  expect(skydeck.keys).toBeLessThanOrEqual(5);
});

test('the JSON of a row: 2 keys', async () => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.press('enter', '9');
  await skydeck.waitFor('"label": "api-1"');
  expect(skydeck.keys).toBe(2);
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  4');
});

test('two places in turns: 3 keys, and back: 1 key', async () => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › api-1');
  skydeck.start();
  await skydeck.press('[');
  await skydeck.waitFor('Servers  4');
  expect(skydeck.keys).toBe(1);
  await skydeck.press(']');
  await skydeck.waitFor('Servers › api-1');
  await skydeck.press('[');
  await skydeck.waitFor('Servers  4');
  expect(skydeck.keys).toBeLessThanOrEqual(3);
});

test('a reply in two lines: 3 keys', async () => {
  const skydeck = await open('tickets', 'search does not answer');
  await skydeck.press('enter');
  await skydeck.waitFor('about ');
  skydeck.start();
  await skydeck.press('n');
  await skydeck.waitFor('Reply');
  await skydeck.type('Thanks, looking.');
  await skydeck.press('enter');
  await skydeck.type('It is back.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('│ It is back.');
  expect(skydeck.changes.at(-1)?.body).toEqual({ description: 'Thanks, looking.\nIt is back.' });
  expect(skydeck.keys).toBeLessThanOrEqual(3);
});

test('the last invoice: 3 keys', async () => {
  const skydeck = await open(undefined, /Servers +4/);
  await skydeck.press(':');
  await skydeck.type('invoices');
  await skydeck.waitFor(/❯ Invoices/);
  await skydeck.press('enter');
  await skydeck.waitFor('sort:');
  await skydeck.press('enter');
  await skydeck.waitFor(/Tax summary +PA STATE TAX \$\d+\.\d\d, PHILADELPHIA CITY TAX/);
  expect(skydeck.keys).toBeLessThanOrEqual(3);
});

test('a file is uploaded to a bucket: 3 keys', async () => {
  const directory = temporaryFolder('task');
  const file = join(directory, 'logo.png');
  await writeFile(file, 'a picture');
  const skydeck = await open('buckets', 'db-backups');
  await skydeck.pointAt('db-backups');
  await skydeck.press('enter');
  await skydeck.waitFor('README.txt');
  skydeck.start();
  await skydeck.press('n');
  await skydeck.waitFor('Upload a file');
  await skydeck.type(file);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('logo.png is uploaded.');
  expect(skydeck.keys).toBeLessThanOrEqual(3);
});

test('an object storage key is rotated: 6 keys', async () => {
  const skydeck = await open('keys', 'deploy-assets');
  await skydeck.pointAt('deploy-assets');
  skydeck.start();
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/New object storage key[\s\S]*Read and write +\S+, /);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('never again');
  await skydeck.press('c', 'esc');
  await skydeck.waitFor('Revokes the key deploy-assets.');
  await skydeck.type('deploy-assets');
  await skydeck.press('enter');
  await skydeck.waitFor('Revoke: deploy-assets');
  const [made, revoked] = skydeck.changes;
  expect(made).toMatchObject({ method: 'POST', body: { bucket_access: [{}, {}] } });
  expect(revoked).toMatchObject({ method: 'DELETE', path: '/object-storage/keys/48100' });
  expect(skydeck.keys).toBeLessThanOrEqual(6);
});

test('an IPv6 address that ssh takes: 3 keys', async () => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.press('c');
  await skydeck.waitFor('── Copy of api-1 ─');
  await skydeck.type('ipv6');
  await skydeck.waitFor(/❯ IPv6/);
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the IPv6 of api-1, if the terminal allows it.');
  expect(skydeck.copied).toEqual(['3fff:100:0:1::f03c:1008']);
  expect(skydeck.keys).toBeLessThanOrEqual(3);
});

test.each([
  ['status:running tag:api cpu>1', /Servers {2}[1-9]\d* of 4\d[\s\S]*api-3/],
  ['status:running tag:web cpu>80', /Servers {2}0 of 4\d/],
])('servers that run, have a tag and are busy, by %s: 1 key', async (filter, shown) => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.press('/');
  await skydeck.type(filter);
  await skydeck.waitFor(shown);
  expect(skydeck.keys).toBe(1);
});

test('a change of many rows is stopped half way: 1 key', async () => {
  const held = await startHeldDemo();
  const skydeck = await open('servers', 'api-1', held);
  await skydeck.press(...Array.from({ length: 6 }, () => 'space'));
  await skydeck.press('a', 'S');
  await skydeck.waitFor('── Shut down 6 of 6 servers');
  await skydeck.press(...Array.from({ length: 4 }, () => 'ctrl-o'));
  await skydeck.waitFor('❯all at once');
  await skydeck.press('enter');
  await skydeck.waitFor(/Shut down 6 servers +.* 0\/6/);
  skydeck.start();
  await skydeck.press('X');
  await skydeck.waitFor(/stopping, 2 not sent/);
  expect(skydeck.keys).toBe(1);
  for (let sent = 0; sent < 4; sent++) {
    await expect.poll(() => held.held, { timeout: 20_000 }).toBeGreaterThan(0);
    held.release(1);
  }
  await skydeck.waitFor(/4 of 6 done, 2 not sent/);
});

test('the connection is lost while a form is filled in, and nothing that was typed: 0 keys', async () => {
  const first = await startQuietDemo();
  const skydeck = await open('servers', 'api-1', first);
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.fill('Label', 'half-typed');
  skydeck.start();
  await first.close();
  await skydeck.hear();
  await skydeck.waitFor((frame) => frame.includes('The API cannot be reached') && /Label .*half-typed/.test(frame));
  const second = await startQuietDemo({ port: Number(new URL(first.url).port) });
  try {
    await skydeck.waitFor((frame) => !frame.includes('cannot be reached') && /Label .*half-typed/.test(frame));
    expect(skydeck.keys).toBe(0);
  } finally {
    await skydeck.close();
    await second.close();
  }
});

test('sorted by a column that has no room, which is shown then: 2 keys', async () => {
  const skydeck = await open('servers', 'api-1');
  expect(skydeck.text()).not.toMatch(/CREATED/);
  await skydeck.press('s');
  await skydeck.type('created');
  await skydeck.waitFor(/❯ Created/);
  await skydeck.press('enter');
  await skydeck.waitFor(/sort: Created[\s\S]*CREATED/);
  expect(skydeck.keys).toBe(2);
});

test('the CPU of three servers last month: 6 keys', async () => {
  const skydeck = await open('servers', 'api-1');
  await skydeck.press('space', 'space', 'space', 'v', '<');
  await skydeck.waitFor(/Compare/);
  await skydeck.press('<');
  await skydeck.waitFor(/CPU[\s\S]*api-1[\s\S]*api-2[\s\S]*api-3/);
  expect(skydeck.requests.filter(({ path }) => /\/stats\/\d+\/\d+$/.test(path)).length).toBeGreaterThanOrEqual(3);
  expect(skydeck.keys).toBeLessThanOrEqual(6);
});

test('why something is critical, and what helps: 4 keys', async () => {
  const skydeck = await open(undefined, /batch-4 is offline/);
  while (!skydeck.cursorLine().includes('batch-4 is offline')) await skydeck.press('down');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /batch-4 is offline; its last boot failed[\s\S]*The root device of the configuration could not be\s+found/,
  );
  await skydeck.waitFor(/1 +/);
  await skydeck.press('1');
  expect(skydeck.keys).toBeLessThanOrEqual(4);
});

test('five marked volumes are detached, marked again and deleted: 9 keys', async () => {
  const skydeck = await open('volumes', /❯ .* active/);
  const attached = ['db-primary-data', 'db-replica-1-data', 'db-replica-2-data', 'db-replica-3-data', 'mail-store'];
  for (const label of attached) {
    await skydeck.pointAt(label);
    await skydeck.press('space');
  }
  await skydeck.waitFor(/ 5 marked {2}.*a X detach {2}.*esc unmark/);
  skydeck.start();
  await skydeck.press('a', 'X');
  await skydeck.waitFor('── Detach 5 of 5 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor('Detach: all 5 begun; V marks them again');
  await skydeck.calm();
  await skydeck.press('V');
  await skydeck.waitFor('marked 5');
  // The rows are read again after they were detached.
  for (const label of attached) await skydeck.waitFor(new RegExp(`${label} .* [a-z]+-[a-z]+ +–`));
  await skydeck.press('d');
  await skydeck.waitFor('Type 5 volumes to confirm');
  await skydeck.type('5 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: all 5 done');
  await skydeck.press('V');
  await skydeck.waitFor('None of the rows that were marked last is shown.');
  expect(skydeck.keys - 1).toBeLessThanOrEqual(9);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

async function openVolumes() {
  const skydeck = await openSkydeck({ demo, columns: 110, rows: 60, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  return skydeck;
}

test('a volume is renamed', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-archive');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ label: 'db-archive' }]);
});

test('a volume is made, attached, detached, grown, cloned and deleted', async () => {
  const skydeck = await openVolumes();
  await skydeck.press('n');
  await skydeck.waitFor('── New volume');
  await skydeck.fill('Label', 'journal');
  await skydeck.fill('Size', '10');
  await skydeck.pick('Region', 'us-east');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(
    /Creates the volume journal of 10 GiB[\s\S]*billed by[\s\S]*Cost {2}10 GiB; the API does not tell the price/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor('New volume: journal');
  await skydeck.waitFor(/● active +journal +10 GiB/);

  await skydeck.pointAt('journal');
  await skydeck.press('a', 'A');
  await skydeck.waitFor('── Attach journal to a server');
  await skydeck.pick('Server', 'web-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Attach to a server: journal');
  await skydeck.waitFor(/● active +journal .* web-1/);
  await skydeck.calm();

  await skydeck.press('d');
  await skydeck.waitFor('journal is attached to web-1; detach it first.');

  await skydeck.press('a', 'X');
  await skydeck.waitFor('Unmount it there first');
  await skydeck.press('enter');
  await skydeck.waitFor('Detach: journal');
  await skydeck.waitFor((frame) => !/journal .* web-1/.test(frame));
  await skydeck.calm();

  await skydeck.press('a', 'Z');
  await skydeck.waitFor('── Resize journal');
  await skydeck.fill('Size', '9');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Size must be 10–10240 GiB; it is 9/);
  await skydeck.fill('Size', '10');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('a volume can only grow; it has 10 GiB');
  await skydeck.fill('Size', '40');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/10 → 40 GiB\. It can never be made\s[\s▌│]*smaller/);
  await skydeck.press('enter');
  await skydeck.waitFor('Resize: journal');
  await skydeck.waitFor(/● active +journal +40 GiB/);
  await skydeck.calm();

  await skydeck.press('a', 'C');
  await skydeck.waitFor('── Clone journal');
  await skydeck.fill('Label', 'journal-copy');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Copies journal into the new volume journal-copy');
  await skydeck.press('enter');
  await skydeck.waitFor('Clone: journal-copy');
  await skydeck.waitFor(/● active +journal-copy +40 GiB/);

  await skydeck.pointAt('journal-copy');
  await skydeck.press('d');
  await skydeck.waitFor('Type journal-copy to confirm');
  await skydeck.type('journal-copy');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: journal-copy');
  await skydeck.waitFor('Volumes  25');
});

test('only servers of the same region are offered', async () => {
  const skydeck = await openVolumes();
  const { data } = await skydeck.elsewhere('GET', '/server/instances');
  const servers = data as { label: string; region: string }[];
  const near = servers.filter(({ region }) => region === 'eu-central').map(({ label }) => label);
  await skydeck.pointAt('photos-old');
  expect(skydeck.cursorLine()).toContain('eu-central');
  await skydeck.press('a', 'A');
  await skydeck.waitFor('── Attach photos-old to a server');
  await skydeck.field('Server');
  await skydeck.press('enter');
  const offered = () => {
    const [, picker = ''] = skydeck.text().split('── Server ');
    return servers.filter(({ label }) => new RegExp(` ${label} `).test(picker)).map(({ label }) => label);
  };
  await skydeck.waitFor(() => offered().length > 0);
  expect(near.length).toBeGreaterThan(1);
  expect(offered().toSorted()).toEqual(near.toSorted());
});

test('the lines to make a file system, mount it and keep it mounted are copied over the terminal', async () => {
  const skydeck = await openVolumes();
  await skydeck.pointAt('photos-old');
  await skydeck.press('c');
  await skydeck.waitFor('── Copy');
  await skydeck.type('fstab');
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the fstab line');
  const line = '/dev/disk/by-id/scsi-0Server_Volume_photos-old /mnt/photos-old ext4 defaults,noatime,nofail 0 2';
  expect(skydeck.copied).toEqual([line]);
  expect(skydeck.bytes).toContain(`\u001b]52;c;${Buffer.from(line).toString('base64')}\u0007`);
});

test('a question about several rows names what they get, and leaves out those that cannot', async () => {
  const skydeck = await openVolumes();
  for (const label of ['archive-2023', 'photos-old']) {
    await skydeck.pointAt(label);
    await skydeck.press('space');
  }
  await skydeck.press('a', 'A');
  await skydeck.waitFor('── Attach 2 volumes to a server');
  await skydeck.pick('Server', 'web-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Attach 1 of 2 volumes to a server');
  expect(skydeck.text()).toMatch(/Server: web-1 \(48200101\)/);
  expect(skydeck.text()).toMatch(/1 skipped: web-1 is in us-east and … in eu-central \(1\)/);
  await skydeck.press('esc', 'esc', 'esc');
  expect(skydeck.changes).toEqual([]);
});

test('a form about several rows says nothing that holds for one of them', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 60, place: { area: 'servers' } });
  await skydeck.waitFor('worker-1');
  const resizes = async (...labels: string[]) => {
    for (const label of labels) {
      await skydeck.pointAt(`${label} `);
      await skydeck.press('space');
    }
    await skydeck.press('a', 'Z');
    await skydeck.waitFor('── Resize 2 servers');
  };
  await resizes('api-2', 'vpn');
  expect(skydeck.text()).not.toContain('type is now');
  await skydeck.pick('Type', 'g6-standard-4');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Resize 1 of 2 servers');
  expect(skydeck.text()).toContain('1 skipped: already has this type (1)');
  await skydeck.press('esc', 'esc', 'esc');
  await resizes('web-4', 'web-5');
  expect(skydeck.text()).toMatch(/The type is now Standard 4 GB \(g6-standard-2\)/);
  await skydeck.press('esc', 'esc');
});

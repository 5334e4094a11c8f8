import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSkydeck, type SlowDemo, startSlowDemo } from './skydeck.ts';

let demo: SlowDemo;
let directory = '';
beforeAll(async () => {
  demo = await startSlowDemo();
  directory = await mkdtemp(join(tmpdir(), 'skydeck-images-'));
});
afterAll(async () => {
  await demo.close();
  await rm(directory, { recursive: true });
});

async function openImages(options: Parameters<typeof openSkydeck>[0] = {}) {
  const skydeck = await openSkydeck({ demo, columns: 110, rows: 40, place: { area: 'images' }, ...options });
  await skydeck.waitFor('golden-web');
  return skydeck;
}

test('own, automatic and public images are apart, and tab goes through them', async () => {
  const skydeck = await openImages();
  expect(skydeck.text()).not.toMatch(/web-old|Debian 12/);
  await skydeck.press('tab');
  await skydeck.waitFor(/web-old .* in 3 d/);
  await skydeck.press('tab');
  await skydeck.waitFor(/Debian 12 +Debian/);
  expect(skydeck.text()).not.toContain('golden-web');
  await skydeck.press('d');
  await skydeck.waitFor('is a public image; only your own can be changed');
  await skydeck.press('shift-tab', 'shift-tab');
  await skydeck.waitFor('golden-web');
});

test('a disk is captured from its server, and the image renamed and deleted', async () => {
  const skydeck = await openImages();
  await skydeck.press('n', 'N');
  await skydeck.waitFor('── Capture from a disk');
  await skydeck.pick('Server', 'web-3');
  await skydeck.pick('Disk', 'Debian 12 Disk');
  await skydeck.fill('Label', 'before-upgrade');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/creating .*before-upgrade|before-upgrade .*creating/);
  expect(skydeck.changes.at(-1)).toMatchObject({
    method: 'POST',
    path: '/images',
    body: { disk_id: expect.any(Number), label: 'before-upgrade' },
  });
  demo.pass(15);
  await skydeck.waitFor(/before-upgrade +● available/);

  await skydeck.pointAt('before-upgrade');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit before-upgrade');
  await skydeck.fill('Description', 'Kept for a week.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor((frame) => frame.includes('Edit: before-upgrade') && !frame.includes('── Edit'));
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'PUT', body: { description: 'Kept for a week.' } });

  await skydeck.press('d');
  await skydeck.waitFor('This cannot be undone');
  await skydeck.type('before-upgrade');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: before-upgrade');
  await skydeck.waitFor((frame) => !/before-upgrade +● available/.test(frame));
});

test('a path is completed, and only a file that is right gets its mark', async () => {
  await writeFile(join(directory, 'completed.img.gz'), gzipSync('a disk'));
  const skydeck = await openImages();
  await skydeck.press('tab', 'n', 'U');
  await skydeck.waitFor('── Upload an image file');
  await skydeck.fill('File', join(directory, 'compl'));
  expect(skydeck.cursorLine()).not.toMatch(/[✓✗]/);
  await skydeck.press('tab');
  await skydeck.waitFor(() => /✓ .*completed\.img\.gz/.test(skydeck.cursorLine()));
  await skydeck.type('.old');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('completed.img.gz.old'));
  await skydeck.press('down');
  await skydeck.waitFor(/File \S+completed\.img\.gz\.old does not exist/);
  await skydeck.press('esc');
});

test('an upload that is cancelled says what becomes of its image, which is shown where it belongs', async () => {
  const big = join(directory, 'big.img.gz');
  await writeFile(big, gzipSync(Buffer.alloc(2 ** 20)));
  await truncate(big, 2 ** 31);
  const skydeck = await openImages();
  await skydeck.press('tab');
  await skydeck.waitFor('web-old');
  await skydeck.press('n', 'U');
  await skydeck.waitFor('── Upload an image file');
  await skydeck.fill('File', big);
  await skydeck.fill('Label', 'given-up');
  await skydeck.pick('Region', 'us-east');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Upload big\.img\.gz .* of 2 GiB/);
  await skydeck.waitFor(/❯ +given-up +◐ (?:pending upload|uploading \d+%) .* in 2[34] h/);
  await skydeck.press('J');
  await skydeck.waitFor(/Running [1-9]/);
  await skydeck.press('enter');
  await skydeck.waitFor('is under way; press enter again to cancel it.');
  await skydeck.press('enter');
  await skydeck.waitFor('big.img.gz: cancelled. Its image has no data and is deleted within 24 hours');
});

test('a file is looked at before anything is sent, and then uploaded without the token', async () => {
  const [wrong, right] = [join(directory, 'plain.img'), join(directory, 'disk.img.gz')];
  await writeFile(wrong, 'a raw disk');
  await writeFile(right, gzipSync(Buffer.alloc(5 * 2 ** 20)));
  const skydeck = await openImages();
  await skydeck.press('n', 'U');
  await skydeck.waitFor('── Upload an image file');
  await skydeck.fill('File', wrong);
  await skydeck.fill('Label', 'brought-along');
  await skydeck.pick('Region', 'us-east');
  const before = skydeck.changes.length;
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/File \S+plain.img must be a gzip file/);
  await skydeck.waitFor(() => skydeck.cursorLine().includes('File'));
  expect(skydeck.changes).toHaveLength(before);

  await skydeck.fill('File', right);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('disk.img.gz is uploaded.');
  const [created, sent] = skydeck.changes.slice(before);
  expect(created).toMatchObject({ path: '/images/upload', body: { label: 'brought-along', region: 'us-east' } });
  expect(sent).toMatchObject({ method: 'PUT', status: 200, body: { file: right } });
  expect(JSON.stringify(sent)).not.toContain('signature');
  demo.pass(1);
  await skydeck.waitFor(/brought-along +● available +5 MiB/);
});

test('read-only images are edited and deleted in the plan alone, and no file is uploaded', async () => {
  const skydeck = await openImages({ readOnly: true });
  const seen = skydeck.changes.length;
  await skydeck.press('n', 'U');
  await skydeck.waitFor(
    /Upload an image file is not possible: this session is read-only; no[\s│]+plan can hold this\./,
  );
  expect(skydeck.text()).not.toContain('── Upload');
  await skydeck.press('esc');
  await skydeck.pointAt('golden-web');
  await skydeck.press('e');
  await skydeck.waitFor(/── Edit golden-web[\s\S]*\n ctrl-a plan /);
  expect(skydeck.text()).not.toMatch(/ctrl-s|send/);
  await skydeck.fill('Label', 'golden-old');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Edit golden-web; :plan shows it. Nothing was sent.');
  await skydeck.press('d');
  await skydeck.waitFor(/── Delete\?[\s\S]*\n ctrl-a plan /);
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 2 is in the plan: Delete golden-web');
  await skydeck.waitFor(/^ skydeck .* plan 2/);
  expect(skydeck.changes).toHaveLength(seen);
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toHaveLength(seen);
});

test('the page of an image tells each time with its age, and a mark in a word', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'images', id: 'server/debian12' } });
  await skydeck.waitFor(
    /Created +\d{4}-\d\d-\d\d \d\d:\d\d, \d+ y ago[\s\S]*End of life +2028-06-30, (in )?\d+ [dy]\b/,
  );
  expect(skydeck.text()).toMatch(/Deprecated +no\b/);
});

import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

async function openTab(key: string, title: string) {
  const skydeck = await openSkydeck({ columns: 110, rows: 60, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor(/Servers › api-1[\s\S]*Facts/);
  await skydeck.press(key);
  await skydeck.waitFor(`\n ${title}  `);
  await skydeck.waitFor(/❯ {2}/);
  return skydeck;
}

test('a config is made like another, edited and deleted', async () => {
  const skydeck = await openTab('3', 'Configs');
  await skydeck.press('a');
  await skydeck.waitFor('New config like this');
  expect(skydeck.text()).not.toContain('as new');
  await skydeck.pointAt('New config like this');
  await skydeck.press('enter');
  await skydeck.waitFor('── New config');
  await skydeck.fill('Label', 'rescue boot');
  await skydeck.choose('Run level', 'single');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New config: rescue boot');
  await skydeck.waitFor('Configs  2');
  expect(skydeck.changes.at(-1)).toMatchObject({
    method: 'POST',
    path: '/server/instances/48200125/configs',
    body: { label: 'rescue boot', run_level: 'single', devices: { sda: { disk_id: 51000080 } } },
  });

  await skydeck.pointAt('rescue boot');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit rescue boot');
  await skydeck.fill('Memory limit', '2048');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: rescue boot');
  expect(skydeck.changes.at(-1)?.body).toEqual({ memory_limit: 2048 });

  await skydeck.press('d');
  await skydeck.waitFor('Type rescue boot to confirm');
  await skydeck.type('rescue boot');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: rescue boot');
  await skydeck.waitFor('Configs  1');
});

test('a config needs a device, and no device twice', async () => {
  const skydeck = await openTab('3', 'Configs');
  await skydeck.press('n');
  await skydeck.waitFor('── New config');
  await skydeck.fill('Label', 'twice');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('a config needs at least one disk or volume');
  await skydeck.pick('/dev/sda', 'Debian 12 Disk');
  await skydeck.pick('/dev/sdb', 'Debian 12 Disk');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/\/dev\/sd[ab].*✗/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.pick('/dev/sdb', 'Swap');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New config: twice');
});

test('a key for a disk, of which the API has no such action, does not reach its server', async () => {
  const skydeck = await openTab('4', 'Disks');
  await skydeck.press('d');
  await skydeck.waitFor('No disk can be deleted here.');
  await skydeck.press('e');
  await skydeck.waitFor('No disk can be edited here.');
  await skydeck.press('6');
  await skydeck.waitFor('api-1-uploads');
  await skydeck.press('/', ...'nothing', 'enter', 'd');
  await skydeck.waitFor('There is no row to do this to.');
  expect(skydeck.text()).not.toContain('Delete?');
});

test('a disk needs room, which a smaller type does not give and a larger one does', async () => {
  const skydeck = await openTab('4', 'Disks');
  await skydeck.waitFor(/█ {2}160 GiB of 160 GiB allocated, 0 MiB left/);
  await skydeck.press('n');
  await skydeck.waitFor('── New disk');
  await skydeck.fill('Label', 'data');
  await skydeck.fill('Size', '1024');
  await skydeck.choose('Filesystem', 'ext4');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Size \* +✗ 1024 +│\n│ +Size: the server has no space left; delete or shrink a disk/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('esc');

  await skydeck.press('a');
  await skydeck.waitFor('Actions on');
  await skydeck.press('esc', '1', 'a', 'Z');
  await skydeck.waitFor('── Resize api-1');
  await skydeck.pick('Type', 'g6-standard-6');
  await skydeck.choose('Resize the disk too', 'no');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Resizes api-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Resize: api-1');
  await skydeck.waitFor(/● running {2}.*g6-standard-6/, { timeoutMs: 20_000 });

  await skydeck.press('4', 'n');
  await skydeck.waitFor(/Label \* +.? ?data/);
  await skydeck.field('Size');
  await skydeck.waitFor(/The server has [\d.]+ GiB left/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New disk: data');
  await skydeck.waitFor(/data +ext4 +1 GiB +● ready/);
});

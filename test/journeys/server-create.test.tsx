import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSkydeck, type SlowDemo, startSlowDemo } from './skydeck.ts';

let demo: SlowDemo;
beforeAll(async () => {
  demo = await startSlowDemo();
});
afterAll(() => demo.close());

async function openForm() {
  const skydeck = await openSkydeck({ demo, rows: 50, columns: 100, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  const place = async (label: string, type = 'g6-standard-2') => {
    await skydeck.pick('Region', 'us-east');
    await skydeck.pick('Type', type);
    await skydeck.fill('Label', label);
  };
  const send = async (label: string) => {
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(
      new RegExp(
        `Creates ${label}: [\\s\\S]*It\\s+is\\s+billed\\s+as\\s+soon\\s+as\\s+it\\s+is\\s+created\\.[\\s\\S]*Cost {2}\\$\\d+\\.00`,
      ),
    );
    await skydeck.press('enter');
    await skydeck.waitFor(`New server: ${label}`);
    await skydeck.waitFor((frame) => !frame.includes('── New server'));
    return skydeck.changes.at(-1);
  };
  return { skydeck, place, send };
}

test('its form leaves more than half of the screen to the list, and names its parts beside their first fields', async () => {
  const skydeck = await openSkydeck({ demo, rows: 40, columns: 120, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor(
    /New server {2}1\/14 [\s\S]*From \* .* Deploy │[\s\S]*Root password \* .* Access │[\s\S]*Group .* More │/,
  );
  const lines = skydeck.text().split('\n');
  const from = lines.findIndex((line) => line.includes('── New server'));
  expect(lines.findIndex((line) => line.startsWith('└──')) - from).toBeLessThan(20);
  // The mark of the label says it.
  expect(skydeck.text()).not.toContain('required');
});

test.each([
  [120, 40, 20],
  [80, 24, 16],
])('with a complaint under each field its form keeps to its part of %i×%i', async (columns, rows, most) => {
  const skydeck = await openSkydeck({ demo, rows, columns, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor(/New server {2}1\/14 /);
  await skydeck.press('ctrl-s');
  const height = () => {
    const lines = skydeck.text().split('\n');
    return lines.length - 1 - lines.findIndex((line) => line.includes('── New server'));
  };
  const fields = ['Image', 'Region', 'Type', 'Label', 'Tags', 'Root password'];
  for (const [nth, label] of fields.entries()) {
    if (nth > 0) await skydeck.press('down');
    const complaint = ['Label', 'Tags'].includes(label) ? '' : `.*\\n.*${label} is required`;
    await skydeck.waitFor(new RegExp(`❯ ${label}\\b${complaint}`));
    expect(height()).toBeLessThanOrEqual(most);
    expect(skydeck.text()).toMatch(/New server {2}\d+\/14 .* ↓ \d+ more below /);
  }
});

test('from an image: it is provisioned, boots and runs', async () => {
  const { skydeck, place, send } = await openForm();
  await skydeck.pick('Image', 'server/debian12');
  await place('from-image');
  await skydeck.fill('Root password', 'correct horse battery');
  await skydeck.choose('Private address', 'yes');

  await skydeck.press('ctrl-p');
  await skydeck.waitFor('New server: the request');
  expect(skydeck.text()).toContain('POST');
  expect(skydeck.text()).toContain('curl');
  expect(skydeck.text()).not.toContain('correct horse');
  await skydeck.press('ctrl-p');

  expect(await send('from-image')).toMatchObject({
    method: 'POST',
    path: '/server/instances',
    status: 200,
    body: { image: 'server/debian12', region: 'us-east', type: 'g6-standard-2', label: 'from-image', private_ip: true },
  });
  expect(JSON.stringify(skydeck.changes)).not.toContain('correct horse');
  await skydeck.waitFor(/◐ (creating|provisioning|booting).* from-image/);
  demo.pass(5);
  await skydeck.waitFor(/● running .* from-image/);
});

test('set up by a StackScript', async () => {
  const { skydeck, place, send } = await openForm();
  await skydeck.choose('From', 'stackscript');
  await skydeck.pick('StackScript', 'lamp');
  await skydeck.fill('The host name', 'lamp-1');
  await skydeck.pick('Image', 'server/');
  await place('from-script');
  await skydeck.fill('Root password', 'correct horse battery');
  const change = await send('from-script');
  expect(change?.body).toMatchObject({
    stackscript_id: expect.any(Number),
    stackscript_data: '[redacted]',
    label: 'from-script',
  });
  expect(change?.body).not.toHaveProperty('mode');
});

test('from a backup of another server, begun at the backup itself', async () => {
  const { skydeck, send } = await openForm();
  await skydeck.press('esc', ':');
  await skydeck.type('mail');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('server'));
  await skydeck.press('enter', '5');
  await skydeck.waitFor(/Backups {2}3 /);
  await skydeck.press('a');
  await skydeck.pointAt('Deploy a new server');
  await skydeck.press('enter');
  await skydeck.waitFor('── New server');
  await skydeck.waitFor(/From \* +backup/);
  await skydeck.fill('Label', 'from-backup');
  const change = await send('from-backup');
  expect(change?.body).toMatchObject({ backup_id: expect.any(Number), type: 'g6-standard-1', label: 'from-backup' });
  expect(change?.body).not.toHaveProperty('root_pass');
});

test('from a backup that is picked: first the server, then one of its backups', async () => {
  const { skydeck, place, send } = await openForm();
  await skydeck.choose('From', 'backup');
  await skydeck.pick('Backup of', 'web-4');
  await skydeck.field('Backup *');
  await skydeck.press('enter');
  await skydeck.waitFor('── Backup ');
  await skydeck.type('current snapshot');
  await skydeck.waitFor(/❯ .*current snapshot.*successful/);
  await skydeck.press('enter');
  await place('from-picked');
  const change = await send('from-picked');
  expect(change?.body).toEqual({
    backup_id: 250000035,
    region: 'us-east',
    type: 'g6-standard-2',
    label: 'from-picked',
  });
});

test('with a VLAN among its network interfaces', async () => {
  const { skydeck, place, send } = await openForm();
  await skydeck.choose('From', 'vlan');
  await skydeck.pick('Image', 'server/debian12');
  await place('on-vlan');
  await skydeck.fill('Root password', 'correct horse battery');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/eth1 VLAN is required/);
  await skydeck.fill('eth1 VLAN', 'backend');
  await skydeck.fill('eth1 address', '10.0.0.5/24');
  const change = await send('on-vlan');
  expect(change?.body).toMatchObject({
    interfaces: [{ purpose: 'public' }, { purpose: 'vlan', label: 'backend', ipam_address: '10.0.0.5/24' }],
  });
});

test('empty: without disks it stays offline', async () => {
  const { skydeck, place, send } = await openForm();
  await skydeck.choose('From', 'empty');
  await place('bare');
  expect(skydeck.text()).not.toContain('Root password');
  expect((await send('bare'))?.body).toEqual({ region: 'us-east', type: 'g6-standard-2', label: 'bare' });
  await skydeck.waitFor(/○ offline .* bare/);
});

test('nothing is sent that the rules forbid, and the cursor goes to the first field that is wrong', async () => {
  const { skydeck } = await openForm();
  await skydeck.fill('Label', 'a b');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Image is required');
  expect(skydeck.cursorLine()).toMatch(/Image \*/);
  expect(skydeck.text()).toContain('Label must be made of letters, digits');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-x');
  await skydeck.waitFor((frame) => !frame.includes('Image is required'));
});

test('in a narrow window the meaning of a choice is told below it, whole', async () => {
  const skydeck = await openSkydeck({ demo, rows: 24, columns: 80, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.choose('From', 'backup');
  await skydeck.field('From');
  await skydeck.waitFor(/\n +disks, config and root password of a backed-up server/);
});

test('a new server is under way until its job has ended, in the journal, its count and the footer', async () => {
  const { skydeck, place, send } = await openForm();
  await skydeck.pick('Image', 'server/debian12');
  await place('made-slowly');
  await skydeck.fill('Root password', 'correct horse battery');
  await send('made-slowly');
  // Where the journal is open before its job is known, the column becomes wider.
  await skydeck.press('J');
  await skydeck.goTo('sent from here');
  await skydeck.waitFor(/Running 1 [\s\S]*◐ under way \d+% +New server +made-slowly/);
  await skydeck.waitFor('J 1 running');
  await skydeck.goTo('running');
  await skydeck.waitFor(/Running 1 [\s\S]*New server \(made-slowly\) +has begun/);
  await skydeck.goTo('sent from here');
  demo.pass(15);
  await skydeck.waitFor(/Running 0 [\s\S]*● done .* New server +made-slowly/);
});

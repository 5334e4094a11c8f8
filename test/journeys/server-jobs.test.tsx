import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSkydeck, type SlowDemo, startSlowDemo } from './skydeck.ts';

let demo: SlowDemo;
beforeAll(async () => {
  demo = await startSlowDemo();
});
afterAll(() => demo.close());

async function openServers() {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  return skydeck;
}

test('a resize shows its progress in the row, in the detail and at home, and the row is fresh when it ends', async () => {
  const skydeck = await openServers();
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'Z');
  await skydeck.waitFor('── Resize web-1');
  await skydeck.pick('Type', 'g6-standard-4');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(
    /Resizes web-1 from Standard 4 GB \(g6-standard-2\) to Standard\s+8 GB \(g6-standard-4\)\.[\s\S]*Cost {2}\$29\.00 → \$58\.00 a month \(\+\$29\.00\)/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor('◐ Resize: web-1, begun');
  demo.pass(1);
  await skydeck.waitFor(/◐ resizing \d+% +web-1 /);
  await skydeck.press(':');
  await skydeck.type('web-1');
  await skydeck.waitFor(/web-1 +server +192\.0\.2\.10 +\w+/);
  expect(skydeck.text()).toMatch(/web-1 +server +192\.0\.2\.10 +resizing/);
  await skydeck.press('esc');
  await skydeck.press('enter');
  await skydeck.waitFor(/◐ resizing \d+% {2}web-1/);
  await skydeck.goTo('home');
  await skydeck.waitFor(/Happening now[^\n]*\n.*server resize +web-1 .* \d+%/);
  await skydeck.waitFor(/J 1 running/);
  await skydeck.press('J');
  await skydeck.waitFor(/Running 1 [\s\S]*Resize \(web-1\) +has begun/);
  await skydeck.goTo('sent from here');
  await skydeck.waitFor(/Sent from here\W+1 +Running 1/);
  await skydeck.waitFor(/◐ under way \d+% .* Resize +web-1/);
  demo.pass(15);
  await skydeck.waitFor(/● done .* Resize +web-1/);
  await skydeck.waitFor('Running 0');
  await skydeck.goTo('servers');
  await skydeck.waitFor(/● running +web-1 .* 4 +8 GiB/);
});

test('the tab of what runs has what has ended below it, under a heading, and does not count it', async () => {
  const skydeck = await openServers();
  const resize = async (label: string) => {
    await skydeck.goTo('servers');
    await skydeck.pointAt(`${label} `);
    await skydeck.press('a', 'Z');
    await skydeck.waitFor(`── Resize ${label}`);
    await skydeck.pick('Type', 'g6-standard-4');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(`Resizes ${label}`);
    await skydeck.press('enter');
    await skydeck.waitFor(`◐ Resize: ${label}, begun`);
    await skydeck.goTo('running');
  };
  await resize('web-4');
  await skydeck.waitFor(/Running 1 [\s\S]*Resize \(web-4\) +has begun/);
  expect(skydeck.text()).not.toContain('Ended');
  demo.pass(15);
  await skydeck.waitFor(/Running 0 .*\s+ Ended\s.*Resize \(web-4\) +done/);
  await resize('web-5');
  await skydeck.waitFor(/Running 1 .*\s+.*Resize \(web-5\) +has begun.*\s+ Ended\s.*Resize \(web-4\) +done/);
  // The way to the results is as before: the cursor passes the heading.
  await skydeck.press('down', 'enter');
  await skydeck.waitFor(/── Resize \(web-4\)/);
});

test('while a resize is under way another is refused with the reason', async () => {
  const skydeck = await openServers();
  await skydeck.pointAt('web-2 ');
  await skydeck.press('a', 'Z');
  await skydeck.waitFor('── Resize web-2');
  await skydeck.pick('Type', 'g6-standard-4');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Resizes web-2');
  await skydeck.press('enter');
  await skydeck.waitFor(/◐ (migrating|resizing).* web-2 /);
  await skydeck.press('a');
  await skydeck.waitFor(/Resize +web-2 (is migrating|has a running or queued action)/);
});

test('a resize to a type without room for the disks is refused, in the form', async () => {
  const skydeck = await openServers();
  await skydeck.pointAt('web-3 ');
  await skydeck.press('enter', '4');
  await skydeck.waitFor('Disks  2');
  await skydeck.press('shift-tab', 'shift-tab', 'shift-tab');
  await skydeck.waitFor('Disk allocated');
  await skydeck.press('a', 'Z');
  await skydeck.waitFor('── Resize web-3');
  await skydeck.pick('Type', 'g6-nanode-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/the disks of web-3 take 80 GiB, 55 GiB\s+more than this type allows/);
  expect(skydeck.changes).toEqual([]);
});

test('a server is shut down after a question, and cannot be twice', async () => {
  const skydeck = await openServers();
  await skydeck.pointAt('mail');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('── Shut down?');
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── Shut down?'));
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('a', 'S');
  await skydeck.waitFor('── Shut down?');
  await skydeck.press('enter');
  await skydeck.waitFor('Shut down: mail');
  demo.pass(2);
  await skydeck.waitFor(/○ offline +mail/);
  await skydeck.press('a');
  await skydeck.waitFor(/Shut down +mail is offline already/);
});

test('a snapshot is named, taken, and in its slot when it is ready', async () => {
  const skydeck = await openServers();
  await skydeck.pointAt('queue-1');
  await skydeck.press('a', 'P');
  await skydeck.waitFor('── Take a snapshot of queue-1');
  await skydeck.fill('Label', 'before the upgrade');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/It replaces the current snapshot, before the move of 20/);
  await skydeck.press('enter');
  await skydeck.waitFor('Take a snapshot: queue-1, begun');
  await skydeck.waitFor(/◐ snapshot(?: \d+%)? +queue-1 /);
  await skydeck.press('enter', '5');
  await skydeck.waitFor(/snapshot in progress .* before the upgrade/);
  demo.pass(30);
  await skydeck.waitFor(/current snapshot +● successful .* before the upgrade/);
});

test('a server boots into rescue with the disks in their slots, never in sdh', async () => {
  const skydeck = await openServers();
  await skydeck.pointAt('vpn');
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Boot vpn into rescue');
  await skydeck.waitFor(/sda +Alpine[\s\S]*sdg/);
  expect(skydeck.text()).not.toContain('sdh');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Boots vpn into the rescue system; its services stop.');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('enter');
  await skydeck.waitFor('Boot into rescue: vpn');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({ devices: { sda: { disk_id: 51000360 } } });
  await skydeck.waitFor(/◐ (re)?booting.* vpn/);
  demo.pass(5);
  await skydeck.waitFor(/● running +vpn/);
});

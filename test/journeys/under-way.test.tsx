import { expect, test } from 'vitest';
import { type HeldDemo, startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type Skydeck } from './skydeck.ts';

/** Opens the form that tags servers, for some marked ones, and sends it. */
async function tagServers(skydeck: Skydeck, count: number): Promise<void> {
  await skydeck.waitFor('Servers  40');
  await skydeck.press(...Array.from({ length: count }, () => 'space'));
  await skydeck.press('a');
  await skydeck.waitFor(`Actions on ${count} servers`);
  await skydeck.press('+');
  await skydeck.waitFor(`── Add tags to ${count} servers`);
  await skydeck.fill('Tags to add', 'moved');
  await skydeck.sendToAll();
}

const isHeld = (demo: HeldDemo, count: number) => expect.poll(() => demo.held).toBe(count);

test('a single change is seen from the first moment, at its row and in a line that no key hides', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 16, place: { area: 'domains' } });
  await skydeck.waitFor(/disabled/);
  const [, domain = ''] = /^.{3}(\S+) .*disabled/m.exec(skydeck.text()) ?? [];
  await skydeck.pointAt(domain);
  await skydeck.press('a');
  await skydeck.waitFor('Actions on');
  await skydeck.pointAt('Enable');
  await skydeck.press('enter');
  await skydeck.waitFor(new RegExp(`\n ◐ Enable \\(${domain}\\) +sent, no answer yet`));
  await skydeck.waitFor(new RegExp(`${domain}.* ◐ enabling`));
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('Happening now');
  expect(skydeck.text()).toContain(`\n ◐ Enable (${domain})`);
  await skydeck.press('J');
  await skydeck.waitFor(/Running 1 /);
  expect(skydeck.text()).toMatch(/Enable \(\S+ +sent, no answer yet/);
  await skydeck.press('esc', 'q');
  await skydeck.waitFor(/is under way; q once more\s+quits without waiting for the answer/);
  await isHeld(demo, 1);
  demo.release();
  await skydeck.waitFor(`✓ Enable: ${domain}`);
  expect(skydeck.text()).not.toContain('\n ◐ Enable');
  await skydeck.goTo('running');
  await skydeck.waitFor(/Enable \(\S+ +done/);
});

test('a change of many rows tells how far it is and stops between two of them, and the rest stays marked', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 16, place: { area: 'servers' } });
  await tagServers(skydeck, 7);
  await skydeck.waitFor(/^ ◐ Add tags to 7 servers +░+ +0\/7/m);
  await skydeck.paste('kept');
  await skydeck.waitFor(/Keys\s+do\s+nothing\s+until\s+the\s+API\s+has\s+answered\./);
  for (const key of ['x', 'ctrl-u', 'down']) await skydeck.pressAtOnce(key);
  await skydeck.waitFor((frame) => /^ X stop sending +esc close/.test(frame.split('\n').at(-1) ?? ''));
  expect(skydeck.text()).toMatch(/Tags to add \* +. moved\n/);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── Add tags'));
  await skydeck.press('g');
  await skydeck.waitFor((frame) => frame.match(/◐ changing/g)?.length === 4);
  expect(skydeck.text().match(/○ waiting/g)).toHaveLength(3);
  expect(skydeck.text().split('\n').at(-1)).toContain('X stop');
  await isHeld(demo, 2);
  demo.release(1);
  await skydeck.waitFor(/^ ◐ Add tags to 7 servers +█+▌?░+ +1\/7/m);
  await skydeck.press('X');
  await skydeck.waitFor(/ 1\/7 +stopping, 2 not sent/);
  for (let sent = 1; sent < 5; sent++) {
    await expect.poll(() => demo.held).toBeGreaterThan(0);
    demo.release(1);
  }
  await skydeck.waitFor(/── Add tags: 5 of 7 done, 2 not sent; these stay marked/);
  expect(skydeck.text()).toMatch(/─ \S+ +not sent\n/);
  expect(skydeck.changes).toHaveLength(5);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => frame.match(/^.✓/gm)?.length === 2);
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags to 2 servers');
  expect(skydeck.cursorLine()).toMatch(/Tags to add \* +. moved/);
});

test('what is refused while its form is closed is said, and comes back with what was typed', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'domains' } });
  await skydeck.waitFor('Domains  6');
  await skydeck.pointAt('example.com ');
  const open = async () => {
    await skydeck.press('a');
    await skydeck.waitFor('Actions on');
    await skydeck.pointAt('Clone');
    await skydeck.press('enter');
    await skydeck.waitFor('── Clone example.com');
  };
  await open();
  await skydeck.fill('Domain', 'example.com');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Sending … esc leaves the form/);
  await skydeck.waitFor(/example\.com .*◐ cloning/);
  expect(skydeck.text()).not.toContain('No key');
  await skydeck.pressAtOnce('a');
  await skydeck.waitFor('Keys do nothing until the API has answered.');
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── Clone'));
  await skydeck.waitFor('\n ◐ Clone (example.com)');
  await isHeld(demo, 1);
  demo.release();
  await skydeck.waitFor(/✗ Clone: example\.com: .* What you typed is kept\./s);
  await open();
  await skydeck.waitFor(/Domain \* +✗ +example\.com/);
});

test('a rebuild takes no key while it is sent, and says so', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ demo, columns: 118, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor('web-old');
  await skydeck.waitFor(/❯ +✗ down +web-old/);
  await skydeck.pointAt('port 80 ');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/keep +web-old/);
  await skydeck.press('m');
  await skydeck.waitFor(/update .*accept → reject/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Rebuild?');
  await skydeck.press('enter');
  await skydeck.waitFor('Sending … esc leaves it');
  await skydeck.pressAtOnce('m');
  await skydeck.waitFor('Keys do nothing until the API has answered.');
  expect(skydeck.text()).toMatch(/update .*accept → reject/);
  await isHeld(demo, 1);
  demo.release();
  await skydeck.waitFor('Rebuild: port 80');
});

test('what is typed while a form reads its row again is answered, and does not change what is sent', async () => {
  let isHolding = false;
  const demo = await startHeldDemo(({ method, url = '' }) => isHolding && method === 'GET' && /\/\d+$/.test(url));
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 16, place: { area: 'domains' } });
  await skydeck.waitFor('Domains  6');
  await skydeck.pointAt('example.com ');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit example.com');
  await skydeck.fill('Description', 'moved');
  isHolding = true;
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Reading it again, to see whether others have');
  await skydeck.pressAtOnce('x');
  await skydeck.waitFor(/Keys\s+do\s+nothing\s+until\s+the\s+API\s+has\s+answered\./);
  await isHeld(demo, 1);
  isHolding = false;
  demo.release();
  await skydeck.waitFor('Edit: example.com');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ description: 'moved' }]);
});

test('while a change is being sent u does not open the one before it', async () => {
  const demo = await startHeldDemo();
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 40, place: { area: 'volumes' } });
  for (const [index, label] of ['photos-old', 'scratch'].entries()) {
    await skydeck.pointAt(label);
    await skydeck.press('e');
    await skydeck.waitFor(`── Edit ${label}`);
    await skydeck.fill('Label', `${label}-2`);
    await skydeck.press('ctrl-s');
    await isHeld(demo, 1);
    if (index > 0) break;
    demo.release();
    await skydeck.waitFor(`Edit: ${label}-2; u takes it back`);
  }
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── Edit'));
  await skydeck.press('u');
  await skydeck.waitFor('A change is being sent; u takes it back once it is done.');
  expect(skydeck.text()).not.toContain('── Take back');
  demo.release();
  await skydeck.waitFor('Edit: scratch-2; u takes it back');
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit scratch-2');
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openSkydeck } from './skydeck.ts';

test('a server is slow: a ticket about it, a talk with the platform, a file, and it is closed', async () => {
  const directory = temporaryFolder('journey');
  const file = join(directory, 'trace.txt');
  await writeFile(file, 'what was measured');
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const skydeck = await openSkydeck({
    place: { area: 'servers' },
    demo: { now, pace: 1 },
    now,
    edit: async (before) => `${before}Since Monday it is slow.\n\nIs the host busy?`,
  });
  await skydeck.waitFor('Servers  40');
  await skydeck.pointAt('cache-2');
  await skydeck.press('a', 'T');
  await skydeck.waitFor('New ticket');
  await skydeck.waitFor(/Server \* +cache-2 \(\d+\)/);
  await skydeck.fill('Summary', 'cache-2 is slow');
  await skydeck.field('Description');
  await skydeck.press('ctrl-e');
  await skydeck.waitFor(/Since Monday it is slow\.\n\n +Is the host busy\?\n/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New ticket: cache-2 is slow');
  expect(skydeck.changes.at(-1)?.body).toEqual({
    summary: 'cache-2 is slow',
    description: 'Since Monday it is slow.\n\nIs the host busy?',
    server_id: expect.any(Number),
  });

  await skydeck.goTo('tickets');
  await skydeck.pointAt('cache-2 is slow');
  await skydeck.press('enter');
  await skydeck.waitFor(/about server cache-2[\s\S]*○ operator[\s\S]*│ Is the host busy\?/);

  await skydeck.press('n');
  await skydeck.waitFor('Reply  1/1');
  await skydeck.paste('One thing more:\nit was fast on Sunday.');
  await skydeck.waitFor(/One thing more:\n +it was fast on Sunday\./);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('✓ Reply: in ticket cache-2 is slow');
  await skydeck.waitFor('│ it was fast on Sunday.');
  ahead += 60_000;
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/◆ platform staff platform-support[\s\S]*│ Thank you for writing\./);
  await skydeck.waitFor('◐ open');

  await skydeck.press('a');
  await skydeck.waitFor('Attach a file');
  await skydeck.press('F');
  await skydeck.fill('File', `${directory}/notes.exe`);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/File \S+ must end in one of/);
  await skydeck.fill('File', `${directory}/missing.txt`);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/File \S+ does not exist/);
  expect(skydeck.requests.some(({ path }) => path.endsWith('/attachments'))).toBe(false);
  await skydeck.fill('File', file);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/files: trace.txt/);

  await skydeck.press('a', 'X');
  await skydeck.waitFor(/Closes ticket \d+, cache-2 is slow/);
  await skydeck.press('enter');
  await skydeck.waitFor('○ closed');
  await skydeck.press('a');
  await skydeck.waitFor(/Close +Ticket \d+ is already closed/);
  await skydeck.press('esc', 'o');
  await skydeck.waitFor(/Servers › cache-2/);
});

test('what the platform opened shows who wrote what, and is not closed by us', async () => {
  const skydeck = await openSkydeck({ place: { area: 'tickets' } });
  await skydeck.waitFor(/STATUS[\s\S]*open[\s\S]*new[\s\S]*closed/);
  await skydeck.pointAt('Maintenance of the host');
  await skydeck.press('enter');
  await skydeck.waitFor(/◆ platform staff platform-support[\s\S]*○ night-shift/);
  await skydeck.press('a');
  await skydeck.waitFor(/Close +You cannot close ticket \d+/);
});

test('read-only, tickets are read and a reply is planned, but no file is attached', async () => {
  const skydeck = await openSkydeck({ place: { area: 'tickets' }, readOnly: true });
  await skydeck.waitFor('Disk latency');
  await skydeck.pointAt('Disk latency');
  await skydeck.press('enter');
  await skydeck.waitFor('We keep an eye on it');
  await skydeck.press('t');
  expect(skydeck.text()).not.toMatch(/── /);
  await skydeck.press('a', 'F');
  await skydeck.waitFor(
    /Attach a file is not possible: this session is read-only; no plan[\s│]+can[\s│]+hold[\s│]+this\./,
  );
  await skydeck.press('esc', 'n');
  await skydeck.waitFor(/── Reply[\s\S]*\n ctrl-a plan /);
  await skydeck.type('We moved the window.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Reply');
  expect(skydeck.changes).toEqual([]);
});

test('any row leads to a ticket: about what it lies in, or named in the summary', async () => {
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'images' } });
  await skydeck.waitFor('golden-web');
  await skydeck.pointAt('golden-web');
  await skydeck.byName('open a support ticket');
  await skydeck.waitFor(/Summary \* +Image golden-web \(private\/\d+\)/);
  await skydeck.press('esc');
  await skydeck.goTo('servers');
  await skydeck.press('enter', '4');
  await skydeck.waitFor(/Disks 2[\s\S]*❯ +512 MB Swap Image/);
  await skydeck.byName('open a support ticket');
  await skydeck.waitFor(/Summary \* +Disk 512 MB Swap Image[\s\S]*About +server[\s\S]*Server \* +api-1/);
});

import { expect, test } from 'vitest';
import { openSkydeck, type SkydeckOptions } from './skydeck.ts';

const loose = ['archive-2023', 'db-before-upgrade', 'photos-old', 'scratch'];

async function openVolumes(options: SkydeckOptions) {
  const skydeck = await openSkydeck({ place: { area: 'volumes' }, ...options });
  await skydeck.waitFor(/Volumes {2}24/);
  await skydeck.press('*', 'd');
  await skydeck.waitFor('── Delete 4 of 24 volumes');
  return skydeck;
}

test('of many marked rows exactly those that go are shown, and typed, before anything is deleted', async () => {
  const skydeck = await openVolumes({ columns: 60, rows: 16 });
  expect(skydeck.text()).toMatch(/20 skipped: attached to a server \(20\)/);
  expect(skydeck.text()).toContain('Type 4 volumes to confirm');
  // Every line of the question bears the mark of danger, whatever the size.
  const lines = skydeck.text().split('\n');
  const first = lines.findIndex((line) => line.includes('── Delete 4'));
  const block = lines.slice(first + 1, -1).filter((line) => line.trim() !== '');
  expect(block.filter((line) => !/^(│?▌|└)/.test(line))).toEqual([]);

  expect(skydeck.text()).not.toContain('enter do it');
  await skydeck.press('enter');
  await skydeck.waitFor('Type 4 volumes first');
  await skydeck.type('24 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor('"24 volumes" does not match: type 4');
  await skydeck.press('ctrl-u');
  for (const label of loose) expect(skydeck.text()).toMatch(new RegExp(`▌ +${label} +[\\d\\s]+ GiB +\\w+-`));
  await skydeck.type('4 volumes');
  await skydeck.waitFor(/❯ 4 volumes[\s\S]*\n enter do it /);
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: all 4 done');
  expect(skydeck.changes.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'DELETE', 'DELETE']);
  await skydeck.waitFor(/Volumes {2}20 .*marked 20/);
});

test('a question tells its keys once, in the last line and with its own word', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('CAA');
  await skydeck.pointAt('CNAME ');
  await skydeck.press('d');
  await skydeck.waitFor('── Delete');
  const lines = skydeck.text().split('\n');
  expect(lines.filter((line) => /esc|enter/.test(line))).toEqual([
    ' enter delete  ctrl-p preview  ctrl-a plan  esc cancel',
  ]);
});

test('rows that have not been on the screen are scrolled to before they are deleted', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('Servers  40');
  await skydeck.press('*', 'd');
  await skydeck.waitFor(
    /Delete 40 of 40 servers[\s\S]*↓ \d+ more below[\s\S]*40 servers[\s\S]*Saves {2}\$[\d., ]+ a month/,
  );
  await skydeck.type('40 servers');
  await skydeck.press('enter');
  await skydeck.waitFor(/The lines below have not been shown yet/);
  await skydeck.press('pageDown', 'down');
  await skydeck.waitFor(/↓ \d+ more below: pagedown, end {3}↑ \d+ above/);
  await skydeck.press('enter');
  await skydeck.waitFor(/The lines below have not been shown yet/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('end');
  await skydeck.waitFor((text) => /worker-4 /.test(text) && !text.includes('more below'));
  expect(skydeck.text()).toContain('❯ 40 servers');
});

test('a wide window shows all of them at once; what stays out is opened, and nothing joins that was not shown', async () => {
  const skydeck = await openVolumes({ columns: 120, rows: 40 });
  for (const label of loose) expect(skydeck.text()).toMatch(new RegExp(`▌ .*${label} `));
  expect(skydeck.text()).toMatch(/4 volumes {3}[\d.]+ [GT]iB/);
  expect(skydeck.text()).not.toContain('more below');
  await skydeck.press('tab');
  await skydeck.waitFor(/▌ {3}api-1-uploads is attached to api-1; detach it first/);
  await skydeck.press('tab');
  await skydeck.waitFor((text) => !text.includes('api-1-uploads is attached'));

  const { data } = await skydeck.elsewhere('GET', '/volumes');
  const volumes = data as { id: number; label: string }[];
  const idOf = (label: string) => volumes.find((volume) => volume.label === label)?.id;
  await skydeck.elsewhere('POST', `/volumes/${idOf('api-1-uploads')}/detach`);
  await skydeck.elsewhere('DELETE', `/volumes/${idOf('scratch')}`);
  await skydeck.hear();
  await skydeck.waitFor('── Delete 3 of 24 volumes');
  await skydeck.waitFor(/skipped: attached to a server \(19\)[\s\S]*gone meanwhile\s[\s\S]*\(1\)/);
  await skydeck.type('3 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: all 3 done');
  const deleted = skydeck.changes.map(({ path }) => path).sort();
  expect(deleted).toEqual(
    loose
      .slice(0, 3)
      .map((label) => `/volumes/${idOf(label)}`)
      .sort(),
  );
});

test('what several servers cost is added up, and an action on several that needs no label shows them too', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('Servers  40');
  await skydeck.pointAt('batch-1 ');
  await skydeck.press('space', 'space');
  await skydeck.waitFor('marked 2');
  await skydeck.press('d');
  await skydeck.waitFor(/A MONTH[\s\S]*batch-1 .*\$\d+\.00[\s\S]*2 servers[\s\S]*Saves {2}\$\d+\.00 a month/);
  await skydeck.press('esc');
  await skydeck.act('Shut down');
  await skydeck.waitFor('── Shut down 1 of 2 servers');
  await skydeck.waitFor(/1 skipped: is offline already \(1\)/);
  await skydeck.press('z');
  await skydeck.waitFor('Press enter to confirm "Shut down"');
  expect(skydeck.changes).toEqual([]);
});

test('in the menu of actions small letters narrow, a capital takes its action, and a refused one says why', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('a');
  await skydeck.waitFor(/Actions on api-1 ─+ 1–\d+ of \d+ {2}↓ \d+ ─/);
  await skydeck.type('boot');
  await skydeck.waitFor(() => /Boot into rescue/.test(skydeck.cursorLine()));
  await skydeck.waitFor((text) => !text.includes('ticket'));
  await skydeck.type('x');
  await skydeck.waitFor('Nothing matches.');
  await skydeck.press('ctrl-u');
  await skydeck.type('del');
  await skydeck.waitFor(/❯ D {2}Delete +! type the label/);
  await skydeck.press('ctrl-u', 'S');
  await skydeck.waitFor('── Shut down?');
  await skydeck.press('esc');
  await skydeck.pointAt('batch-2 ');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('Shut down is not possible: batch-2 is offline already.');
  expect(skydeck.changes).toEqual([]);
});

test('a node that serves is taken out only after the question that says how many remain', async () => {
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/port 80 [\s\S]*web-1/);
  await skydeck.waitFor(/❯ +✗ down/);
  await skydeck.press('g', 'down', 'a', 'X');
  await skydeck.waitFor(/web-1 \(192[^)]*\) gets no more traffic[\s\S]*Port 80: \d of \d healthy nodes remains?[.,]/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('esc', 'e');
  await skydeck.choose('Mode', 'drain');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/gets no new connections[\s\S]*Port 80: \d of \d healthy nodes remains?[.,]/);
  expect(skydeck.changes).toEqual([]);
});

test('the command line of a request is copied by a key, without the token and without secrets', async () => {
  const skydeck = await openSkydeck({ place: { area: 'domains' } });
  await skydeck.waitFor('status.example');
  await skydeck.pointAt('status.example');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('── Disable?');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor('Disable: the request');
  await skydeck.press('c');
  await skydeck.waitFor('Copied the curl command');
  expect(skydeck.copied.at(-1)).toMatch(/^curl .*-X PUT|^curl [\s\S]*PUT/);
  expect(skydeck.copied.at(-1)).toContain('{"status":"disabled"}');
  expect(skydeck.copied.at(-1)).not.toContain(skydeck.demo.tokens.full);
  await skydeck.press('esc');
  await skydeck.waitFor('the nameservers stop serving it');
});

test('in a critical account a form and what is done at once are typed as well, and its name is red', async () => {
  const skydeck = await openSkydeck({ critical: true, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor(/ skydeck .* CRITICAL/);
  const red = skydeck.styleAt(0, 2);
  expect(red).toMatchObject({ char: 'k', fg: 1 });
  expect(skydeck.styleAt(0, skydeck.line(0).indexOf('CRITICAL'))).toMatchObject({ fg: 1 });
  await skydeck.pointAt('status.example');
  await skydeck.press('e');
  await skydeck.fill('Description', 'pages of incidents');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Description: .+ → pages of incidents[\s\S]*Type status\.example to confirm/);
  await skydeck.press('enter');
  await skydeck.waitFor('Type status.example first');
  expect(skydeck.changes).toEqual([]);
  await skydeck.type('status.example');
  await skydeck.press('enter');
  await skydeck.waitFor('Edit: status.example');

  await skydeck.press('a', 'X');
  await skydeck.waitFor('Type status.example to confirm');
  await skydeck.type('status.example');
  await skydeck.press('enter');
  await skydeck.waitFor('Disable: status.example');
  await skydeck.press('a', 'O');
  await skydeck.waitFor('Type status.example to confirm');
  expect(skydeck.changes).toHaveLength(2);
});

test('a question whose only row goes away says so, and sends nothing whatever is pressed', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 32, place: { area: 'volumes' } });
  await skydeck.waitFor('photos-old');
  await skydeck.pointAt('photos-old');
  await skydeck.press('d');
  await skydeck.waitFor('Type photos-old to confirm');
  await skydeck.type('PHOTOS-OLD');
  await skydeck.press('enter');
  await skydeck.waitFor(/"PHOTOS-OLD" does not match: type photos-old,\s+capitals\s+▌ as shown/);
  await skydeck.press('tab');
  await skydeck.waitFor('Type photos-old and press enter');
  const { data } = await skydeck.elsewhere('GET', '/volumes');
  const photos = (data as { id: number; label: string }[]).find(({ label }) => label === 'photos-old');
  await skydeck.elsewhere('DELETE', `/volumes/${photos?.id}`);
  await skydeck.hear();
  await skydeck.waitFor(/No row is left to do this to\.\s+photos-old: it is gone/);
  // The footer is drawn after the question.
  await skydeck.waitFor((text) => !/a new volume|to confirm|enter d/.test(text));
  await skydeck.press('enter', 'tab', 'ctrl-p', 'enter');
  await skydeck.waitFor('No row is left to do this to; esc closes it');
  await skydeck.type('volume');
  await skydeck.press('enter', 'esc');
  await skydeck.waitFor((text) => !text.includes('Delete'));
  expect(skydeck.changes).toEqual([]);
});

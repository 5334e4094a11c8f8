import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

const bodies = ({ changes }: { changes: readonly { body?: unknown }[] }) => changes.map(({ body }) => body);

test('an edit is taken back by a form that shows what was there, and that again', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('u');
  await skydeck.waitFor('Nothing was changed in this session yet.');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-archive; u takes it back');
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit db-archive');
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.waitFor(/Label .*db-primary-data/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-primary-data; u takes it back');
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit db-primary-data');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-archive; u takes it back');
  expect(bodies(skydeck)).toEqual([{ label: 'db-archive' }, { label: 'db-primary-data' }, { label: 'db-archive' }]);
});

test('a detached volume is attached again, and detached again', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('── Detach?');
  await skydeck.press('enter');
  await skydeck.waitFor('Detach: db-primary-data; u takes it back');
  await skydeck.waitFor(/db-primary-data +500 GiB +us-west +–/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Attach db-primary-data to a server');
  await skydeck.waitFor('Not all is as before then: it goes to the config last');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Attach to a server: db-primary-data; u takes it back');
  await skydeck.waitFor(/db-primary-data +500 GiB +us-west +db-primary/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Detach?');
  await skydeck.press('esc');
  expect(skydeck.changes.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['detach', 'attach']);
});

test('a deleted record is made anew with all that it had, and gets another id', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('CAA');
  await skydeck.press('d');
  await skydeck.waitFor('── Delete?');
  await skydeck.press('enter');
  await skydeck.waitFor(/Delete: .*; u takes it back/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: New record');
  await skydeck.waitFor('Not all is as before then: it gets another id;');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/New record: .*; u takes it back/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Delete?');
  const [deleted, made] = skydeck.changes;
  expect(deleted).toMatchObject({ method: 'DELETE' });
  expect(made).toMatchObject({ method: 'POST', body: { type: 'A', target: expect.any(String) } });
});

test('of several rows each gets back what it had, but for one that a colleague has changed since', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('CAA');
  await skydeck.press('*', 'a', 'T');
  await skydeck.waitFor(/── Set the TTL of \d+ records/);
  await skydeck.press('space', 'space', 'ctrl-s');
  await skydeck.waitFor('Set the TTL: all 13 done; M marks them again; u takes them back');
  const sent = skydeck.changes.length;
  await skydeck.elsewhere('PUT', String(skydeck.changes[0]?.path), { ttl_sec: 604800 });
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Set the TTL of 12 of 13 records');
  await skydeck.waitFor('1 skipped: changed again since (1)');
  await skydeck.waitFor(/A api +1 hour → 5 minutes/);
  expect(skydeck.text()).toMatch(/A mail +1 hour → default/);
  expect(skydeck.changes).toHaveLength(sent);
  await skydeck.press('enter');
  await skydeck.waitFor('Set the TTL: all 12 done; u takes them back');
  await skydeck.waitFor(/A +api .* 5 min/);
  expect(skydeck.text()).toMatch(/A +@ .* 7 d/);
  const sentBack = skydeck.changes.slice(sent).map(({ body }) => JSON.stringify(body));
  expect(new Set(sentBack)).toEqual(new Set(['{"ttl_sec":300}', '{"ttl_sec":0}']));
});

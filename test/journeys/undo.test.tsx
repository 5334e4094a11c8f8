import { expect, onTestFinished, test, vi } from 'vitest';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { memoryState } from '../store/keptState.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

const bodies = ({ changes }: { changes: readonly { body?: unknown }[] }) => changes.map(({ body }) => body);

test('an edit is taken back by a form that shows what was there, and that again', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('u');
  await skydeck.waitFor('No change from here is left to take back.');
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
  await skydeck.waitFor('Edit: db-primary-data; U does it again');
  await skydeck.press('u');
  await skydeck.waitFor('No change from here is left to take back.');
  await skydeck.press('U');
  await skydeck.waitFor('── Do again: Edit db-primary-data');
  expect(skydeck.text()).not.toContain('left to take back');
  await skydeck.waitFor('It is done again: Label: db-primary-data → db-archive.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-archive; u takes it back');
  expect(bodies(skydeck)).toEqual([{ label: 'db-archive' }, { label: 'db-primary-data' }, { label: 'db-archive' }]);
});

test('the form says which fields go back, and the cursor is on the first of them', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'servers' } });
  await skydeck.pointAt('api-1');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Group', 'canary');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-1; u takes it back');
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit api-1');
  await skydeck.waitFor(/It goes back: Group: canary → \S+\./);
  expect(skydeck.cursorLine()).toMatch(/Group/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(() => skydeck.changes.length === 2);
  expect(bodies(skydeck)).toEqual([{ group: 'canary' }, { group: expect.any(String) }]);
});

test('the form says only what goes back where a colleague has set a part of it already, and added to a list', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.fill('Tags', 'cold');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-archive; u takes it back');
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-primary-data; U does it again');
  const volume = String(skydeck.changes[0]?.path);
  await skydeck.elsewhere('PUT', volume, { label: 'db-archive', tags: ['theirs'] });
  await skydeck.press('U');
  await skydeck.waitFor('── Do again: Edit db-');
  await skydeck.waitFor(/It is done again: Tags: \S+ → \S+, cold\./);
  expect(skydeck.text()).not.toMatch(/→ db-archive|Changed elsewhere/);
  await skydeck.elsewhere('PUT', volume, { tags: ['cold', 'theirs'] });
  await skydeck.waitFor((text) => !text.includes('It is done again'));
  expect(skydeck.text()).toContain('── Do again: Edit db-archive');
  expect(skydeck.text()).not.toMatch(/→|Changed elsewhere/);
});

test('a detached volume is attached again, and detached again', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('── Detach?');
  await skydeck.press('enter');
  await skydeck.waitFor('Detach: db-primary-data, begun; u takes it back');
  await skydeck.waitFor(/db-primary-data +500 GiB +us-west +–/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Attach db-primary-data to a server');
  await skydeck.waitFor('Not all is as before then: it goes to the config last');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Attach to a server: db-primary-data, begun; U does it again');
  await skydeck.waitFor(/db-primary-data +500 GiB +us-west +db-primary/);
  await skydeck.press('U');
  await skydeck.waitFor('── Do again: Detach?');
  await skydeck.press('esc');
  expect(skydeck.changes.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['detach', 'attach']);
});

test('a new volume that is attached at once is deleted after it is detached, by one question', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('n');
  await skydeck.waitFor('── New volume');
  await skydeck.fill('Label', 'journal');
  await skydeck.fill('Size', '10');
  await skydeck.pick('Server', 'web-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Creates the volume journal');
  await skydeck.press('enter');
  await skydeck.waitFor('New volume: journal; u takes it back');
  await skydeck.waitFor(/● active +journal .* web-1/);
  await skydeck.calm();
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: New volume[\s\S]*✓ Detach journal[\s\S]*✓ Delete journal/);
  await skydeck.press('enter');
  await skydeck.type('2 changes');
  await skydeck.press('enter');
  await skydeck.waitFor('Take back: all 2 done: New volume (journal).');
  expect(skydeck.changes.map(({ method, path }) => `${method} ${path.replace(/\d+/, 'ID')}`)).toEqual([
    'POST /volumes',
    'POST /volumes/ID/detach',
    'DELETE /volumes/ID',
  ]);
  await skydeck.waitFor((text) => !text.includes('journal  '));
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
  await skydeck.waitFor(/New record: .*; U does it again/);
  await skydeck.press('U');
  await skydeck.waitFor('── Do again: Delete?');
  const [deleted, made] = skydeck.changes;
  expect(deleted).toMatchObject({ method: 'DELETE' });
  expect(made).toMatchObject({ method: 'POST', body: { type: 'A', target: expect.any(String) } });
});

test('of several rows each gets back what it had, but for one that a colleague has changed since', async () => {
  const kept = memoryState();
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'domains' }, state: kept.session() });
  await skydeck.waitFor('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('CAA');
  await skydeck.press('*', 'a', 'T');
  await skydeck.waitFor(/── Set the TTL of \d+ records/);
  await skydeck.choose('TTL', '3600');
  await skydeck.sendToAll();
  await skydeck.waitFor('Set the TTL: all 13 done; V marks them again; u takes them back');
  const sent = skydeck.changes.length;
  await skydeck.elsewhere('PUT', String(skydeck.changes[0]?.path), { ttl_sec: 604800 });
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Set the TTL of 13 records');
  await skydeck.waitFor(/✗ Set the TTL of A \S+\s+[^✓✗]*Changed again since, in TTL; take it back by itself to choose/);
  await skydeck.waitFor(/✓ Set the TTL of A api\s+TTL: 1 h → 5 min/);
  expect(skydeck.text()).toMatch(/Set the TTL of A mail\s+TTL: 1 h → default/);
  await skydeck.waitFor('12 of 13 changes');
  expect(skydeck.changes).toHaveLength(sent);
  await skydeck.press('esc', 'u');
  await skydeck.waitFor('── Take back: Set the TTL of 13 records');
  await skydeck.press('enter');
  await skydeck.waitFor('Take back: all 12 done: Set the TTL of 13 records; U does them again.');
  await skydeck.waitFor(/A +api .* 5 min/);
  expect(skydeck.text()).toMatch(/A +@ .* 7 d/);
  const sentBack = skydeck.changes.slice(sent).map(({ body }) => JSON.stringify(body));
  expect(new Set(sentBack)).toEqual(new Set(['{"ttl_sec":300}', '{"ttl_sec":0}']));

  // In the plan each row is a step of its own.
  await skydeck.press('U');
  await skydeck.waitFor('── Do again: Set the TTL of 13 records');
  // A step that another session has just planned is not counted among them.
  const record = { resource: 'domains', action: 'edit', params: { domainId: '1' }, label: 'other', body: {} };
  kept.of('plan').put([['another.0', { place: 0, id: 1, record }]]);
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('12 steps in the plan: do again Set the TTL of 13 records (12 of them); :plan shows it.');
  kept.of('plan').put([['another.0', undefined]]);
  expect(skydeck.changes).toHaveLength(sent + 12);
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.press('enter');
  await skydeck.waitFor(/TTL: 5 min → 1 h[\s\S]*TTL: default → 1 h/);
  await skydeck.press('e');
  await skydeck.waitFor(/── Set the TTL.*[\s\S]*TTL .*1 hour/);
});

/** Deletes three records of a zone, of which a colleague makes one anew. */
async function deleteThree(options: SkydeckOptions = {}) {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'domains' }, ...options });
  await skydeck.waitFor('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('CAA');
  for (const name of ['A      api ', 'A      mail ', 'CNAME  www ']) {
    await skydeck.pointAt(name);
    await skydeck.press('space');
  }
  await skydeck.waitFor('marked 3');
  await skydeck.press('d');
  await skydeck.waitFor('── Delete 3 of 3 records');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: all 3 done; u takes them back');
  return skydeck;
}

test('a mode that a colleague has set since is left to them, and named where it alone is taken back', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', 'tab');
  await skydeck.waitFor('Ports and nodes');
  await skydeck.pointAt('web-3');
  await skydeck.press('space');
  await skydeck.pointAt('web-4');
  await skydeck.press('space');
  await skydeck.waitFor('marked 2');
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Drain 2 of 2 nodes');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Drain 2 nodes: all done; u takes them back');
  const [first, second] = skydeck.changes.map(({ path }) => path);
  await skydeck.elsewhere('PUT', `${first}`, { mode: 'reject' });
  await skydeck.press('u');
  await skydeck.waitFor(
    /✗ Accept traffic on web-3 at port 443\s+Changed again since, in Mode; take it back by itself to choose/,
  );
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Take back: all 1 done: Drain 2 nodes');
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: Accept traffic at port 443\?[\s\S]*Changed again since: Mode is reject now\./);
  await skydeck.press('enter');
  await skydeck.waitFor('Accept traffic: web-3 at port 443; U does it again');
  const back = skydeck.changes.slice(2).map(({ path, body }) => [path, body]);
  expect(back).toEqual([second, first].map((path) => [path, { mode: 'accept' }]));
});

test('three deleted records come back by one question, in which one can be left out; esc keeps it', async () => {
  const skydeck = await deleteThree();
  const sent = skydeck.changes.length;
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Delete 3 records');
  await skydeck.waitFor('Not all is as before then: each gets another id;');
  await skydeck.waitFor('3 of 3 changes');
  expect(skydeck.text()).toMatch(/✓ New record[^\n]* www[\s\S]*✓ New record[^\n]* mail[\s\S]*✓ New record[^\n]* api/);
  // The API gives zeros to fields that an address has not.
  expect(skydeck.text()).toMatch(/Type A [^\n]*Name mail, Target 192\.0\.2\.45, TTL 0/);
  expect(skydeck.text()).not.toMatch(/Priority|Weight|Port/);
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── Take back'));
  expect(skydeck.changes).toHaveLength(sent);
  await skydeck.press('u');
  await skydeck.waitFor('3 of 3 changes');
  await skydeck.press('down', 'space');
  await skydeck.waitFor('2 of 3 changes');
  await skydeck.press('enter');
  await skydeck.waitFor('Take back: all 2 done: Delete 3 records; U does them again.');
  expect(skydeck.changes.slice(sent).map(({ method, body }) => [method, (body as { name: string }).name])).toEqual([
    ['POST', 'www'],
    ['POST', 'api'],
  ]);
});

test('the history of a domain tells which records went, and takes back one or several of them', async () => {
  const skydeck = await deleteThree();
  const sent = skydeck.changes.length;
  await skydeck.press('esc', 'enter', '=');
  await skydeck.waitFor(/operator +Delete CNAME www[\s\S]*operator +Delete A mail[\s\S]*operator +Delete A api/);
  expect(skydeck.text()).not.toContain('DNS record delete');
  await skydeck.pointAt('Delete A mail');
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: New record[\s\S]*Name +✓? *mail/);
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── Take back'));
  await skydeck.pointAt('Delete A mail');
  await skydeck.press('space', 'space', 'u');
  await skydeck.waitFor(
    /── Take back: 2 changes[\s\S]*✓ New record A mail[\s\S]*✓ New record A api[\s\S]*2 of 2 changes/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor('Take back: all 2 done: 2 changes; U does them again.');
  const made = skydeck.changes.slice(sent).map(({ body }) => (body as { name: string }).name);
  // Both are sent at once, and arrive in any order.
  expect(made.toSorted()).toEqual(['api', 'mail']);
});

test('away from its domain, here and in another session, it is said in which zone a record goes or comes back', async () => {
  const [demo, audit] = [await startQuietDemo(), accountAudit(auditOwner('demo', 'demo'), undefined, Date.now)];
  onTestFinished(() => demo.close());
  const open = (place: SkydeckOptions['place']) => openSkydeck({ columns: 120, rows: 40, demo, audit, place });
  const first = await open({ area: 'domains' });
  await first.waitFor('shop.example');
  await first.pointAt('shop.example');
  await first.press('a', 'R');
  await first.waitFor('── New record');
  await first.pick('Type', 'TXT');
  await first.fill('Name', '_check');
  await first.fill('Target', 'site=1');
  await first.press('ctrl-s');
  await first.waitFor('New record: TXT _check in zone shop.example; u takes it back');
  const later = await open({ area: 'volumes' });
  await later.waitFor('db-primary-data');
  for (const skydeck of [first, later]) {
    await skydeck.press('u');
    await skydeck.waitFor('── Take back: Delete in zone shop.example?');
  }
  await later.press('enter');
  await later.waitFor('U does it again');
  await later.press('U');
  await later.waitFor('── Do again: New record in zone shop.example');
});

test('of records that are done again together, in another session too, each is said with its zone', async () => {
  const [demo, audit] = [await startQuietDemo(), accountAudit(auditOwner('demo', 'demo'), undefined, Date.now)];
  onTestFinished(() => demo.close());
  const open = (place: SkydeckOptions['place']) => openSkydeck({ columns: 120, rows: 40, demo, audit, place });
  const first = await open({ area: 'domains' });
  const zones = ['example.net', 'status.example'];
  for (const zone of zones) {
    await first.waitFor(zone);
    await first.pointAt(zone);
    await first.press('space');
  }
  await first.press('a', 'R');
  await first.waitFor('── New record in 2 domains');
  await first.pick('Type', 'TXT');
  await first.fill('Name', '_check');
  await first.fill('Target', 'site=1');
  await first.press('ctrl-s');
  await first.waitFor('── New record in 2 of 2 domains');
  await first.press('end', 'enter');
  await first.waitFor('New record: all 2 done');
  await first.press('u');
  await first.waitFor('── Take back: New record in 2 domains');
  await first.press('end', 'enter');
  await first.waitFor('U does them again');
  const later = await open({ area: 'volumes' });
  await later.waitFor('db-primary-data');
  for (const skydeck of [first, later]) {
    await skydeck.press('U');
    await skydeck.waitFor('── Do again: ');
    for (const zone of zones) await skydeck.waitFor(`✓ New record TXT _check in zone ${zone}`);
  }
});

/** Two sessions of one account, of which the first has deleted three records; what makes rows is held. */
async function twoThatMayTakeBack() {
  const demo = await startHeldDemo(({ method }) => method === 'POST');
  const audit = accountAudit(auditOwner('demo', 'demo'), undefined, Date.now);
  const kept = memoryState();
  const one = await deleteThree({ demo, audit, state: kept.session() });
  const other = await openSkydeck({ columns: 100, rows: 30, demo, audit, state: kept.session() });
  return { demo, one, other };
}

test('what one session is taking back, another does not meanwhile, nor once that is done', async () => {
  const { demo, one, other } = await twoThatMayTakeBack();
  for (const session of [one, other]) {
    await session.press('u');
    await session.waitFor('3 of 3 changes');
  }
  await one.press('enter');
  await vi.waitFor(() => expect(demo.held).toBe(2));
  await other.press('enter');
  await other.waitFor('Take back: 0 of 3 done: 3 changes; u opens what is left.');
  expect(other.changes).toEqual([]);
  demo.release();
  await vi.waitFor(() => expect(demo.held).toBe(1));
  demo.release();
  await one.waitFor('Take back: all 3 done: Delete 3 records; U does them again.');
  await other.press('u');
  await other.waitFor(/3 changes cannot be taken back: another session has taken it back\s+meanwhile/);
  expect(other.changes).toEqual([]);
});

test('what one session is taking back one by one, another does not put into the plan as well', async () => {
  const { demo, one, other } = await twoThatMayTakeBack();
  for (const session of [one, other]) {
    await session.press('u');
    await session.waitFor('3 of 3 changes');
    await session.press('ctrl-o');
    await session.waitFor('❯one by one');
  }
  await one.press('enter');
  await vi.waitFor(() => expect(demo.held).toBe(1));
  await other.press('enter');
  await other.waitFor('The plan has it already: :plan shows how far it is.');
  for (const left of [2, 1, 0]) {
    demo.release();
    await vi.waitFor(() => expect(demo.held).toBe(Math.min(left, 1)));
  }
  await one.waitFor(/Take back: Delete 3 records: all( 3)? done/);
  expect(other.changes).toEqual([]);
  expect(one.changes.filter(({ method }) => method === 'POST')).toHaveLength(3);
});

test('the audit log takes back the change of a line, or those of marked lines', async () => {
  const skydeck = await deleteThree();
  await skydeck.goTo('journal');
  await skydeck.waitFor(/Delete +CNAME www[\s\S]*Delete +A mail[\s\S]*Delete +A api/);
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: New record[\s\S]*Name +✓? *www/);
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── Take back'));
  await skydeck.press('enter');
  await skydeck.waitFor(/Was[\s\S]*name: www/);
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: New record[\s\S]*Name +✓? *www/);
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('Journal  ');
  await skydeck.press('*', 'u');
  await skydeck.waitFor(/── Take back: Delete 3 records[\s\S]*✓ New record CNAME www[\s\S]*3 of 3 changes/);
  await skydeck.press('enter');
  await skydeck.waitFor('Take back: all 3 done: Delete 3 records; U does them again.');
});

test('where a colleague has changed it since, both values are asked about; drafts and marks stay', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.pointAt('scratch');
  await skydeck.press('space');
  await skydeck.waitFor('marked 1');
  await skydeck.press('up', 'up');
  await skydeck.pointAt('photos-old');
  // An action on the row of the cursor needs the mark out of its way.
  await skydeck.press('enter');
  await skydeck.waitFor(/› photos-old/);
  await skydeck.press('e');
  await skydeck.waitFor('── Edit photos-old');
  expect(skydeck.text()).not.toContain('Can be taken back');
  await skydeck.fill('Label', 'photos-new');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: photos-new; u takes it back');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit photos-new');
  await skydeck.fill('Label', 'half-typed');
  await skydeck.press('esc');
  const path = String(skydeck.changes[0]?.path);
  await skydeck.elsewhere('PUT', path, { label: 'photos-theirs' });
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit photos-theirs');
  await skydeck.waitFor('Changed elsewhere too: Label.');
  expect(skydeck.text()).toMatch(/Label +✓ photos-old/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Changed again since. Which value do you keep?');
  await skydeck.waitFor(/was photos-new[\s\S]*theirs +photos-theirs[\s\S]*mine +photos-old/);
  await skydeck.press('m', 'enter');
  await skydeck.waitFor('Edit: photos-old; U does it again');
  expect(bodies(skydeck)).toEqual([{ label: 'photos-new' }, { label: 'photos-old' }]);
  await skydeck.press('e');
  await skydeck.waitFor('Kept draft: it changes Label.');
  await skydeck.waitFor(/Label .*half-typed/);
  await skydeck.press('ctrl-x', 'esc', 'esc');
  await skydeck.waitFor('marked 1');
});

test('a guard, an API that is away and a read-only session refuse in a sentence', async () => {
  const reason = 'Volumes are attached by the pipeline.';
  const guards = [{ for: 'volumes', actions: ['attach'], deny: true as const, reason }];
  const size = { columns: 120, rows: 40 };
  const skydeck = await openSkydeck({ ...size, place: { area: 'volumes' }, configuration: { guards } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('Can be taken back by u, but it goes to the config last');
  await skydeck.press('enter');
  await skydeck.waitFor(/db-primary-data +500 GiB +us-west +–/);
  await skydeck.press('u');
  await skydeck.waitFor('Detach (db-primary-data) cannot be taken back now: ');
  await skydeck.waitFor(/Volumes are attached by\s+the pipeline/);
  skydeck.demo.setFaults(['errors:1']);
  await skydeck.press('u');
  await skydeck.waitFor('its state could not be read.');
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.close();

  const reading = await openSkydeck({ ...size, place: { area: 'volumes' }, readOnly: true });
  await reading.waitFor('db-primary-data');
  await reading.press('u');
  await reading.waitFor("Read-only: nothing was changed from here; u in a row's History plans what takes a");
});

test('a read-only session plans to take back what another has sent, from the history of its row', async () => {
  const demo = await startQuietDemo();
  onTestFinished(() => demo.close());
  const audit = accountAudit(auditOwner('demo', 'demo'), undefined, Date.now);
  const size = { columns: 120, rows: 40, demo, audit };
  const skydeck = await openSkydeck({ ...size, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor('Facts');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'api-one');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-one; u takes it back');
  await skydeck.close();

  const reading = await openSkydeck({ ...size, readOnly: true, place: { area: 'servers', id: '48200125' } });
  await reading.waitFor('Facts');
  await reading.press('=');
  await reading.waitFor(/Edit +.* Label +api-1 → api-one/);
  await reading.press('g', 'u');
  await reading.waitFor('── Take back: Edit api-one');
  await reading.waitFor(/Label .*api-1/);
  await reading.press('ctrl-s');
  await reading.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await reading.press('ctrl-a');
  await reading.waitFor('Step 1 is in the plan: Edit api-one; :plan shows it. Nothing was sent.');
  await reading.press(':');
  await reading.type('plan');
  await reading.press('enter');
  await reading.waitFor('Label: api-one → api-1');
  expect(reading.changes).toEqual([]);
});

test('at 60×16 the line about taking back pushes out nothing that must be seen', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.pointAt('archive-2023');
  await skydeck.press('n');
  await skydeck.waitFor(/── New volume .* 1 more below/);
  expect(skydeck.text()).not.toContain('Can be taken back');
  await skydeck.press('esc', 'e');
  await skydeck.waitFor('── Edit archive-2023');
  await skydeck.press('esc', 'd');
  await skydeck.waitFor('cannot be undone; billing for it stops.');
  expect(skydeck.text().replace(/\s+/g, ' ')).not.toContain('Cannot be taken back');
  expect(skydeck.text()).toContain('Type archive-2023 to confirm');
});

test('of several rows those that stay are counted, and named in the question', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.press('*', 'a', 'E');
  await skydeck.waitFor('── Edit 6 domains');
  await skydeck.fill('Description', 'same');
  await skydeck.sendToAll();
  await skydeck.waitFor('Edit: all 6 done; V marks them again; u takes 4 of 6 back');
  await skydeck.press('u');
  await skydeck.waitFor('4 of 4 changes');
  await skydeck.waitFor(
    'example.com and shop.example are not taken back: description: there was nothing, and the API does not take it away.',
  );
});

test('what takes a change back is read behind a layer that takes the keys, and that esc leaves', async () => {
  let isSlow = false;
  const held = await startHeldDemo(
    ({ method, url }) => isSlow && method === 'GET' && /\/volumes\/\d+$/.test(url ?? ''),
  );
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' }, demo: held });
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: db-archive; u takes it back');
  isSlow = true;
  await skydeck.press('u');
  await skydeck.waitFor(/── To be taken back ─[\s\S]*Reading what Edit \(db-primary-data\) changed …/);
  await skydeck.waitFor(() => held.held > 0);
  // Keys meanwhile neither open anything below nor get into the form.
  await skydeck.press('d', '/', 'w', 'e', 'b');
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('To be taken back'));
  held.release();
  await skydeck.press('/');
  await skydeck.type('web-3');
  await skydeck.waitFor(/filter: web-3/);
  await skydeck.press('esc');
  await skydeck.press('u');
  await skydeck.waitFor('Reading what Edit');
  await skydeck.waitFor(() => held.held > 0);
  isSlow = false;
  held.release();
  await skydeck.waitFor(/It goes back: Label: db-archive → db-primary-data\./);
  expect(skydeck.changes).toHaveLength(1);
});

test('the question of a form that takes a change back says so too', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, critical: true, place: { area: 'volumes' } });
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Edit?');
  await skydeck.type('db-primary-data');
  await skydeck.press('enter');
  await skydeck.waitFor('Edit: db-archive; u takes it back');
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Take back: Edit?');
});

test('of several the footer offers enter once their end was in sight, and the key that shows it until then', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.press('*', 'a');
  await skydeck.waitFor(/── Actions on \d\d volumes/);
  await skydeck.press('+');
  await skydeck.waitFor(/── Add tags to \d\d volumes/);
  await skydeck.type('fresh');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/── Add tags to \d\d of \d\d volumes/);
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/Add tags: all \d\d done/);
  const { length } = skydeck.changes;
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: Add tags to \d\d volumes[\s\S]*G to the end/);
  expect(skydeck.text()).not.toContain('enter take back');
  await skydeck.press('enter');
  await skydeck.waitFor('The lines below have not been shown yet');
  expect(skydeck.changes).toHaveLength(length);
  await skydeck.press('end');
  await skydeck.waitFor('enter take back');
  await skydeck.press('enter');
  await skydeck.waitFor(/Take back: all \d\d done/);
});

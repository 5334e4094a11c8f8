import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { jsonLines } from '../jsonLines.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

test('the history of a row tells who did what, and what was seen to differ between two readings', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor('Facts');
  await skydeck.press('8');
  await skydeck.waitFor(/WHEN +WHO +WHAT +TOOK +CHANGED/);
  await skydeck.waitFor('Events reach back 90 days. Differences between readings are seen since');
  // Past the dashboard, so that only another reading tells of it.
  await skydeck.elsewhere('PUT', '/server/instances/48200125', { label: 'api-one', tags: ['api', 'blue'] });
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/server update +.* Label +api-1 → api-one/);
  await skydeck.waitFor(/Tags +\+blue −/);
  expect(skydeck.text()).not.toContain('updated');
  // Nothing of this was sent from here.
  await skydeck.waitFor(/ enter open {2}= before and after {2}space mark /);
  await skydeck.press('u');
  await skydeck.waitFor('Only what was sent from here can be taken back');
  await skydeck.press('g', 'enter');
  await skydeck.waitFor('demo › Events › server update');
});

test('two moments of a row are compared, and what is not known of them is said', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor('Facts');
  await skydeck.press('=');
  await skydeck.waitFor(/WHEN +WHO +WHAT +TOOK/);
  await skydeck.waitFor('Events reach back 90 days.');
  await skydeck.elsewhere('PUT', '/server/instances/48200125', { label: 'api-one' });
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/ Label +api-1 → api-one/);
  await skydeck.press('g', '=');
  await skydeck.waitFor(/── Two moments of api-one/);
  await skydeck.waitFor(/before server update, .* ago +after server update, .* ago/);
  expect(skydeck.text()).toMatch(/Label +api-1 +api-one/);
  expect(skydeck.text()).toMatch(/\d+ fields are the same; a shows all\./);
  expect(skydeck.text()).not.toMatch(/Region/);
  await skydeck.press('a');
  await skydeck.waitFor(/Region +us-west +us-west/);
  await skydeck.press('esc');

  // Long ago, and now.
  await skydeck.press('G', 'space', '=');
  await skydeck.waitFor(/after \S.* ago +now/);
  await skydeck.waitFor(/Label +api-1 +api-one/);
  expect(skydeck.text().replace(/\s+/g, ' ')).toContain('only what was changed from here is known');
  await skydeck.press('esc', 'g', 'space', '=');
  await skydeck.waitFor(/after \S.* ago +after server update/);
  await skydeck.press('esc', 'g', 'down', 'space', '=');
  await skydeck.waitFor('Two moments are compared; 3 are marked.');
});

test('two marked rows of a list are compared field by field', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('space', 'space', 'space', '=');
  await skydeck.waitFor('Two volumes are compared field by field; 3 are marked.');
  await skydeck.press('up', 'space', '=');
  await skydeck.waitFor('── Compare two volumes');
  expect(skydeck.text()).toMatch(/\n +Label +\S+ +\S+/);
  expect(skydeck.text()).toMatch(/Attached to +api-1 +api-2/);
  expect(skydeck.text()).toMatch(/server_id +\d+ +\d+/);
  // The column is made of it alone.
  expect(skydeck.text()).not.toContain('server_label');
  await skydeck.press('esc', 'esc', '=');
  await skydeck.waitFor('Mark two volumes to compare them field by field.');
});

test('in a narrow window the tabs move so that the name of the one that is shown is seen', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, mouse: true, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor('[Overview]');
  await skydeck.press('=');
  await skydeck.waitFor(/^ … .*\[History\]/m);
  const at = skydeck.line(1).indexOf('History');
  expect(skydeck.styleAt(1, at).inverse).toBe(true);
  expect(skydeck.styleAt(1, at - 3).fg).toBe(8);
  await skydeck.waitFor(/WHEN +WHO +WHAT +TOOK/);
  await skydeck.click('Transfer');
  await skydeck.waitFor('This month');
});

test('a change that was sent from here is told once: with its values, and with its event', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor('Facts');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'api-one');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-one');
  await skydeck.press('=');
  await skydeck.waitFor(/✓? +[●○] +\d+ s +\S+ +Edit +.* Label +api-1 → api-one/);
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('Events reach back 90 days.');
  expect(skydeck.text()).not.toContain('seen changed');
  await skydeck.press('g', '=');
  await skydeck.waitFor(/before Edit, .* ago +after Edit, .* ago/);
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor(/› Journal › /);
  await skydeck.press('esc');
  await skydeck.waitFor(/WHEN +WHO/);
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back[\s\S]*api-1/);
});

test('what was made from here says so in its history, and is taken back by its deletion', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('n');
  await skydeck.waitFor('── New volume');
  await skydeck.fill('Label', 'fresh');
  await skydeck.pick('Region', 'us-east');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── New volume?');
  await skydeck.press('enter');
  await skydeck.waitFor('New volume: fresh');
  await skydeck.press('enter', '=');
  await skydeck.waitFor(/› fresh[\s\S]* New volume /);
  await skydeck.press('G', 'u');
  await skydeck.waitFor('── Take back: Delete?');
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor(/› Journal › New volume: fresh/);
  await skydeck.press('o');
  await skydeck.waitFor(/› fresh/);
  await skydeck.waitFor('Facts');
});

test('two accounts whose profile has the same name share no history, and each finds its own again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'skydeck-'));
  const log = openAuditLog(directory);
  const demo = await startQuietDemo();
  onTestFinished(async () => {
    log.close();
    await demo.close();
    await rm(directory, { recursive: true });
  });
  const open = (host: string) => {
    const audit = accountAudit(auditOwner('environment', host), { log, directory }, Date.now);
    audit.source.owner.setState({ account: `of ${host}` });
    const place = { area: 'servers' as const, id: '48200125' };
    return openSkydeck({ columns: 120, rows: 30, profile: 'environment', demo, audit, place });
  };
  const first = await open('one.example.com');
  await first.waitFor('Facts');
  await first.press('a', '+');
  await first.waitFor('── Add tags');
  await first.fill('Tags', 'multi');
  await first.press('ctrl-s');
  await first.waitFor('Add tags: api-1');
  await first.close();
  const lines = jsonLines(await readFile(join(directory, 'audit.jsonl'), 'utf8'));
  const whose = { profile: 'environment', host: 'one.example.com', account: 'of one.example.com' };
  expect(lines).toMatchObject([whose, whose]);

  const second = await open('two.example.com');
  await second.waitFor('Facts');
  await second.press('=');
  await second.waitFor('Events reach back 90 days.');
  expect(second.text()).toContain('server update');
  expect(second.text()).not.toContain('Add tags');
  await second.goTo('journal');
  await second.waitFor('Nothing was sent from here yet');
  await second.press('shift-tab');
  await second.waitFor(/ACCOUNT[\s\S]+ of one\.example\.com +Add tags +api-1/);
  await second.close();

  const again = await open('one.example.com');
  await again.waitFor('Facts');
  await again.press('=');
  await again.waitFor(/Add tags +.* Tags +\+multi/);
});

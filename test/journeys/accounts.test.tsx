import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { startHeldDemo } from './heldDemo.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { planLabel } from './planLabel.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let work: Demo;
beforeAll(async () => {
  work = await startQuietDemo({ servers: 5, seed: 2 });
});
afterAll(() => work.close());

/** Types a command behind the colon. */
const command = async (skydeck: Skydeck, words: string) => {
  await skydeck.press(':');
  await skydeck.waitFor('Go to');
  await skydeck.type(words);
  await skydeck.waitFor((text) => new RegExp(`❯.*${words}`, 'i').test(text));
  await skydeck.press('enter');
};

test('another account is shown without a restart, and each keeps its place and marks', async () => {
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    profile: 'home',
    place: { area: 'volumes' },
    others: {
      work: { demo: work, configuration: { color: 'magenta' } },
      broken: 'The token file /home/me/token cannot be read: it is not there.',
      refused: { demo: await startOtherApi(() => ({ status: 401, text: '{"errors":[{"reason":"Invalid Token"}]}' })) },
    },
  });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('space');
  await skydeck.waitFor('1 marked');
  await command(skydeck, 'profile work');
  await skydeck.waitFor('work › Home');
  expect(skydeck.bytes.includes('\x1b[1;35mwork')).toBe(true);
  expect(skydeck.bytes.includes('\x1b]2;skydeck work')).toBe(true);

  await command(skydeck, 'profile home');
  await skydeck.waitFor('home › Volumes');
  expect(skydeck.text()).toContain('1 marked');
  await skydeck.press('esc', 'e');
  await skydeck.waitFor((text) => /── Edit db-replica-1-data +1\/2 in home ──/.test(text));
  await skydeck.press('esc');

  await command(skydeck, 'profile broken');
  await skydeck.waitFor('broken was not opened: The token file /home/me/token cannot be read: it is not there.');
  await command(skydeck, 'profile refused');
  await skydeck.waitFor('refused was not opened: ');
  expect(skydeck.text()).toContain('home › Volumes');
});

/** Sends an edit of a volume, whose answer is held, and goes to another account meanwhile. */
async function leaveEdit(skydeck: Skydeck): Promise<void> {
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.fill('Label', 'db-archive');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Sending …');
  await skydeck.press('esc');
  await command(skydeck, 'profile work');
  await skydeck.waitFor('work › Home');
}

test('a change goes on in the background, and its result is told with the name of its account', async () => {
  const held = await startHeldDemo();
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    profile: 'home',
    demo: held,
    place: { area: 'volumes' },
    others: { work: { demo: work } },
  });
  await leaveEdit(skydeck);
  held.release();
  await skydeck.waitFor('home: Edit (db-primary-data): done; :profile home shows it.');
  const seen = skydeck.requests.length;
  await command(skydeck, 'profile home');
  await skydeck.waitFor('db-archive');
  expect(seen).toBeGreaterThan(0);
});

test('a plan in the background is told before the program ends, as one of the account on the screen is', async () => {
  const others = { work: { demo: work } };
  const skydeck = await openSkydeck({ columns: 120, rows: 40, profile: 'home', place: { area: 'volumes' }, others });
  await skydeck.waitFor('db-primary-data');
  await planLabel(skydeck, 'db-primary-data', 'db-archive');
  await command(skydeck, 'profile work');
  await skydeck.waitFor('work › Home');
  await skydeck.press('q');
  await skydeck.waitFor('Other accounts have work that is not done (a plan in home); q once more quits.');
  await skydeck.press('q');
  await skydeck.quit;
});

test('all accounts have a line each, and one that hangs holds up none', async () => {
  let ahead = 0;
  const hanging = await startHeldDemo(() => true);
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 30,
    profile: 'home',
    place: { area: 'volumes' },
    now: () => Date.now() + ahead,
    others: {
      work: { demo: work, readOnly: true },
      lab: { demo: hanging },
      broken: 'The variable BROKEN, which token_env names, is not set.',
    },
  });
  await skydeck.waitFor('db-primary-data');
  await command(skydeck, 'accounts');
  await skydeck.waitFor((text) => /^. home +ok +\d+ s +\d+ +\d+ +\d+ +40 +nothing due +\$[\d. ]+ *$/m.test(text));
  await skydeck.waitFor((text) => /^. work +ok +\d+ s +\d+ +\d+ +\d+ +5 +\S.* +\$[\d. ]+ +read-only *$/m.test(text));
  await skydeck.waitFor((text) => /^. broken +not open/m.test(text));
  ahead = 7_000;
  await skydeck.waitFor((text) => /^. lab +no answer for \d+ s/m.test(text));
  await skydeck.press('down', 'down', 'down');
  await skydeck.waitFor('broken: The variable BROKEN, which token_env names, is not set.');

  const others = hanging.held;
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('Reading all accounts again …');
  expect(hanging.held).toBeGreaterThanOrEqual(others);
  await skydeck.press('up', 'up', 'enter');
  await skydeck.waitFor('work › Home');
  await command(skydeck, 'profile home');
  await skydeck.waitFor('home › Volumes');
});

test('of an account whose API fails no figure is awaited', async () => {
  const down = await startOtherApi(() => ({ status: 500, text: '{}' }));
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 30,
    place: { area: 'accounts' },
    others: { down: { demo: down } },
  });
  await skydeck.waitFor(/\n. down +The API answers 500 +–( +–){6} *\n/);
});

test('with one account only it is said how more come', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'accounts' } });
  await skydeck.waitFor((text) => /^❯ demo +ok/m.test(text));
  expect(skydeck.text()).toContain('Each [profiles.NAME] in the configuration is an account here');
  await skydeck.press('enter');
  await skydeck.waitFor('› Home');
});

test('a wall of several accounts shows the rows of all at once, and the other boards of each in its turn', async () => {
  const hanging = await startHeldDemo(() => true);
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    profile: 'home',
    readOnly: true,
    watch: {
      boards: ['problems', 'servers', 'nodebalancers', 'activity', 'fleet'],
      everyMs: 3_600_000,
      onCritical: () => {},
    },
    others: {
      work: { demo: work, readOnly: true, configuration: { color: 'magenta' } },
      lab: { demo: hanging, readOnly: true },
      broken: 'No token.',
    },
  });
  await skydeck.waitFor((text) =>
    /^ home \d+ critical \d+ warnings {3}work \d+ critical .*lab .*broken not open/m.test(text),
  );
  await skydeck.waitFor(
    (text) => text.includes('all accounts › Problems') && ['home', 'work'].every((name) => ofAccount(name).test(text)),
  );
  // The bar is that of the worst account, and what is not known is no number.
  await skydeck.waitFor((text) =>
    /^ {2}FRESH · lab BLIND since \d\d:\d\d: (?:no answer|The API does not answer in time) · broken BLIND: No token · data from \d\d:\d\d/m.test(
      text,
    ),
  );
  expect(skydeck.text().split('\n')[0]).toMatch(/✗ \d+\+\? critical/);
  expect(skydeck.text()).toMatch(/^ {2}ACCOUNT +SEVERITY +WHAT +PROBLEM +SINCE$/m);
  expect(skydeck.text()).not.toMatch(/^ {2}lab /m);
  expect(skydeck.bytes.includes('\x1b[1;35mwork')).toBe(true);
  const order = skydeck.text().match(/^ {2}(?:home|work) +\S (?:critical|warning|notice)/gm) ?? [];
  expect(order.map((line) => line.split(' ').at(-1)).join(' ')).toMatch(/^(critical ?)*(warning ?)*(notice ?)*$/);

  await skydeck.press('n');
  await skydeck.waitFor('all accounts › Servers');
  expect(skydeck.text()).toMatch(/^ {2}ACCOUNT +STATUS +LABEL/m);
  await skydeck.press('down');
  await skydeck.waitFor((text) => /^ {2}work +● running +web-1 /m.test(text));
  await skydeck.press('n');
  await skydeck.waitFor('all accounts › NodeBalancers');
  await skydeck.waitFor((text) => /^ {2}work {5}\S web-lb/m.test(text) && /^ {2}home {5}\S web-lb/m.test(text));
  await skydeck.press('n');
  await skydeck.waitFor('all accounts › Activity');
  expect(['home', 'work'].every((name) => ofAccount(name).test(skydeck.text()))).toBe(true);
  await skydeck.press('n');
  await skydeck.waitFor('home › Fleet');
  await skydeck.press('n');
  await skydeck.waitFor('work › Fleet');
  await skydeck.press('n');
  await skydeck.waitFor('all accounts › Problems');
});

test('on a wall an account whose token may not see the events is neither blind nor left out', async () => {
  const noEvents = await startOtherApi(({ path }) =>
    path === '/account/events' ? refusal(403, 'Unauthorized') : undefined,
  );
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    profile: 'home',
    readOnly: true,
    watch: { boards: ['servers', 'activity'], everyMs: 3_600_000, onCritical: () => {} },
    others: { lab: { demo: noEvents, readOnly: true } },
  });
  await skydeck.waitFor(/^ home \d+ critical \d+ warnings {3}lab \d+ critical \d+ warnings/m);
  await skydeck.waitFor(/Servers {2}1–\d+ of 43 /);
  await skydeck.press('down');
  await skydeck.waitFor(ofAccount('lab'));
  await skydeck.waitFor(/^ {2}FRESH · data from/m);
  await skydeck.press('n');
  await skydeck.waitFor((text) => text.includes('all accounts › Activity') && ofAccount('home').test(text));
  expect(skydeck.text()).toMatch(/^ {2}FRESH · data from/m);
  expect(skydeck.text()).toMatch(/^ home \d+ critical \d+ warnings {3}lab \d+ critical \d+ warnings/m);
});

/** A row behind the name of its account. */
const ofAccount = (name: string) => new RegExp(`^ {2}${name} {2,}\\S`, 'm');

test('the account of the environment is called by its host, also by others', async () => {
  const held = await startHeldDemo();
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    profile: 'environment',
    host: 'api.example.com',
    demo: held,
    place: { area: 'volumes' },
    others: { work: { demo: work } },
  });
  await leaveEdit(skydeck);
  await skydeck.press('q');
  await skydeck.waitFor('in api.example.com');
  held.release();
  await skydeck.waitFor('api.example.com: Edit (db-primary-data): done; :profile api.example.com shows it.');
  await command(skydeck, 'accounts');
  await skydeck.waitFor((text) => /^. api\.example\.com +ok/m.test(text));
  expect(skydeck.text()).not.toContain('environment');
  await command(skydeck, 'profile api.example.com');
  await skydeck.waitFor('api.example.com · Example Trading › Volumes');
});

test('the name of an account is whole before what else there is about it has room', async () => {
  const place = { area: 'accounts' };
  const skydeck = await openSkydeck({ columns: 80, rows: 24, profile: 'environment', host: 'api.example.com', place });
  await skydeck.waitFor((text) => /^. api\.exam\S* +ok .*\$/m.test(text));
  expect(skydeck.text()).toMatch(/^. api\.example\.com +ok/m);
});

test.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
  ['two seconds ahead', 2000],
  ['two seconds behind', -2000],
])('what one account has sent, no other takes back, and the clock of this machine is %s', async (_, ahead) => {
  const directory = temporaryFolder('two-accounts');
  const now = () => Date.now() + ahead;
  const [ours, theirs] = [await startQuietDemo(), await startQuietDemo()];
  onTestFinished(() => Promise.all([ours.close(), theirs.close()]).then(() => {}));
  const open = async (account: string, demo: Demo) => {
    const log = openAuditLog(directory);
    onTestFinished(() => log.close());
    // They are accounts at one host, whose rows have the same ids.
    const audit = accountAudit(auditOwner(account, 'cloud.example'), { log, directory }, now);
    audit.source.owner.setState({ account });
    const skydeck = await openSkydeck({ columns: 120, rows: 40, demo, audit, now, place: { area: 'volumes' } });
    await skydeck.waitFor(/db-(primary|archive)/);
    return skydeck;
  };
  const first = await open('ours', ours);
  await first.pointAt('db-primary-data');
  await first.press('e');
  await first.waitFor('── Edit db-primary-data');
  await first.fill('Label', 'db-archive');
  await first.press('ctrl-s');
  await first.waitFor('Edit: db-archive; u takes it back');
  await first.close();

  const other = await open('theirs', theirs);
  await other.press('u');
  await other.waitFor('No change from here is left to take back.');
  await other.press('U');
  await other.waitFor('Nothing that was taken back is left to do again.');
  await other.goTo('journal');
  await other.waitFor('All accounts');
  expect(other.text()).not.toMatch(/ Edit +db-/);
  await other.close();
  expect(other.changes).toEqual([]);

  const again = await open('ours', ours);
  await again.press('u');
  await again.waitFor('── Take back: Edit db-archive');
  await again.press('ctrl-s');
  await again.waitFor('Edit: db-primary-data; U does it again');
  expect(again.changes.map(({ body }) => body)).toEqual([{ label: 'db-primary-data' }]);
});

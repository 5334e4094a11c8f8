import { describe, expect, onTestFinished, test } from 'vitest';
import { startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

/** The list of problems, when the lists of the account were read: all that is critical is told by those. */
async function openProblems(options: SkydeckOptions = {}) {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, ...options });
  await skydeck.goTo('problems');
  await skydeck.waitFor(/Open \d+ (in \d+ lines )? *Acknowledged 0/);
  const critical = ['search', 'The card', 'worker-5', 'batch-4'];
  await skydeck.waitFor((text) => critical.every((label) => new RegExp(`critical +${label}`).test(text)));
  return skydeck;
}

/** Goes to the JSON of a problem, which stands in the palette beside that of what it is about. */
async function ownJson(skydeck: Skydeck): Promise<void> {
  await skydeck.press(':');
  await skydeck.type('JSON');
  await skydeck.waitFor(/JSON of \S+[\s\S]*JSON +command/);
  await skydeck.press('down', 'enter');
}

describe('the list of problems', () => {
  test('has the worst first, and opens the page or the object of the one under the cursor', async () => {
    const skydeck = await openProblems();
    // The cursor stays on the row it had when worse ones were found.
    await skydeck.press('home');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('critical'));
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.press('enter');
    await skydeck.waitFor(/Problems › batch-4[\s\S]*Evidence/);
    await skydeck.press('esc');
    await skydeck.waitFor(/Open \d+/);
    await skydeck.press('o');
    await skydeck.waitFor(/Servers › batch-4[\s\S]*○ offline {2}batch-4/);
    await skydeck.press('esc');
    await skydeck.waitFor(/Open \d+/);
    expect(skydeck.cursorLine()).toContain('batch-4');
    await skydeck.press('a');
    await skydeck.waitFor(/── Actions[\s\S]*batch-4[\s\S]*Resize/);
    await skydeck.press('esc');
    await skydeck.pointAt('The card ending');
    await skydeck.press('a');
    await skydeck.waitFor(/Cancel/);
  });

  test('is filtered, and tells all of one problem', async () => {
    const skydeck = await openProblems();
    await skydeck.press('/');
    await skydeck.type('severity:critical object:worker-5');
    await skydeck.press('enter');
    await skydeck.waitFor(/Open 1 of \d+/);
    await ownJson(skydeck);
    await skydeck.waitFor('"rule": "server-stopped"');
    await skydeck.press('1');
    await skydeck.waitFor(/worker-5 is stopped; the platform does this for maintenance\.[\s\S]*What to do/);
    // When it began is not known, and not spoken of.
    expect(skydeck.text()).toMatch(/server worker-5 {3}rule server-stopped/);
  });

  test('leads to a remedy: a form, a tab', async () => {
    const skydeck = await openProblems();
    await skydeck.pointAt('worker-5');
    await skydeck.press('f');
    await skydeck.waitFor('New ticket');
    await skydeck.press('esc');
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.press('f');
    await skydeck.waitFor(/Servers › batch-4[\s\S]*boots? from|Servers › batch-4[\s\S]*KERNEL/);
  });

  test('read-only, a remedy is planned, and looks help', async () => {
    const skydeck = await openProblems({ readOnly: true });
    await skydeck.pointAt('worker-5');
    await skydeck.press('f');
    await skydeck.waitFor(/── New ticket[\s\S]*\n ctrl-a plan /);
    await skydeck.press('esc');
    expect(skydeck.changes).toEqual([]);
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.waitFor('f fix');
  });
});

describe('problems of one kind', () => {
  test('are one line that opens, has a remedy and is acknowledged for all of them', async () => {
    const skydeck = await openProblems();
    await skydeck.waitFor(/Open \d+ in \d+ lines/);
    await skydeck.pointAt('14 servers have no backups ▸ batch-1, batch-3 and 12 more');
    await skydeck.press('f');
    await skydeck.waitFor('The API has no operation that turns on the backups of a server');
    await skydeck.press('enter');
    await skydeck.waitFor(/Open 14 of \d+/);
    await skydeck.waitFor('cache-1 has no backups');
    await skydeck.press('esc');
    await skydeck.pointAt('14 servers have no backups');
    const open = () => Number(/Open (\d+) in \d+ lines/.exec(skydeck.text())?.[1]);
    const before = open();
    await skydeck.press('m');
    await skydeck.waitFor('Acknowledge 14 problems');
    await skydeck.press('enter');
    await skydeck.waitFor('14 problems are acknowledged for 1 hour.');
    await skydeck.waitFor(/Acknowledged 14/);
    // A few may be added by what is read meanwhile.
    await skydeck.waitFor(() => open() >= before - 14 && open() < before);
    expect(skydeck.text()).not.toContain('servers have no backups');
    expect(skydeck.changes).toEqual([]);
  });
});

describe('the page of a problem', () => {
  test('says in three keys from Home why it is critical, and in four what mends it', async () => {
    const skydeck = await openSkydeck({ columns: 120, rows: 40 });
    await skydeck.waitFor(/Problems {2}✗[\s\S]*critical +server +batch-4 is offline/, { timeoutMs: 20_000 });
    await skydeck.press('down', 'down', 'enter');
    await skydeck.waitFor(/demo › Problems › batch-4[\s\S]*critical +batch-4 is offline; its last boot failed\./);
    await skydeck.waitFor('server boot by night-shift failed after 41 s');
    await skydeck.waitFor('"The root device of the configuration could not be found."');
    await skydeck.waitFor(/Config .* boots from \/dev\/sda: disk .*, ready\./);
    await skydeck.waitFor("Booting is not in this API's documents");
    await skydeck.press('1');
    await skydeck.waitFor(/Servers › batch-4[\s\S]*ROOT/i);
    await skydeck.press('esc');
    await skydeck.waitFor('What to do');
    await skydeck.press('2');
    await skydeck.waitFor('── Boot batch-4 into rescue');
    await skydeck.press('esc');
    await skydeck.press('9');
    await skydeck.waitFor('There is no 9 here');
    await ownJson(skydeck);
    await skydeck.waitFor('"rule": "server-down"');
    await skydeck.press('1');
    await skydeck.waitFor('What to do');
    await skydeck.press('4');
    await skydeck.waitFor('New ticket');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('New ticket: ');
    const { body } = skydeck.changes.at(-1) ?? {};
    expect(body).toMatchObject({
      summary: 'batch-4 is offline; its last boot failed',
      description: expect.stringMatching(
        /Server: batch-4 \(ID \d+\)\nSince: \S+ \S+ UTC[\s\S]*Last events:\n.*server boot by night-shift failed after 41 s: The root/,
      ),
    });
    await skydeck.close();
  });

  test('stays when the problem goes away, and says since when', async () => {
    const skydeck = await openProblems();
    await skydeck.waitFor('old-shop.example is disabled');
    await skydeck.pointAt('old-shop.example is disabled');
    await skydeck.press('enter');
    await skydeck.waitFor(/Problems › old-shop\.example[\s\S]*1 {2}Enable/);
    const domains = (await skydeck.elsewhere('GET', '/domains')).data as { id: number; domain: string }[];
    const id = domains.find(({ domain }) => domain === 'old-shop.example')?.id;
    await skydeck.elsewhere('PUT', `/domains/${id}`, { status: 'active' });
    await skydeck.press('ctrl-r');
    await skydeck.waitFor(/✓ gone +old-shop\.example is disabled[\s\S]*It is no longer found since \S+ \S+ UTC/);
    expect(skydeck.text()).not.toContain('What to do\n   1');
    await skydeck.press('o');
    await skydeck.waitFor('Domains › old-shop.example');
  });

  test('read-only, its remedies that change something are planned', async () => {
    const skydeck = await openProblems({ readOnly: true, columns: 80, rows: 24 });
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.press('enter');
    await skydeck.waitFor('2  Boot into rescue');
    expect(skydeck.text()).not.toContain('this session is read-only');
    await skydeck.press('2');
    await skydeck.waitFor(/── Boot batch-4 into rescue[\s\S]*\n ctrl-a plan /);
    await skydeck.press('esc');
    await skydeck.press('3');
    await skydeck.waitFor(/Servers › batch-4[\s\S]*server boot/);
    expect(skydeck.changes).toEqual([]);
  });

  test('shows the graph where the load is too high', async () => {
    const demo = await startOtherApi(({ path, text }) => {
      if (!/^\/server\/instances(\/\d+)?$/.test(path)) return undefined;
      return text.replaceAll(/"cpu":\d+/g, '"cpu":1');
    });
    const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'problems' } });
    await skydeck.waitFor(/Open \d+/);
    await skydeck.goTo('home');
    await skydeck.waitFor(/servers? .*use[sd]? .*CPU/, { timeoutMs: 20_000 });
    await skydeck.goTo('problems');
    await skydeck.press('/');
    await skydeck.type('rule:server-cpu-high');
    await skydeck.press('enter', 'enter');
    await skydeck.waitFor(/Evidence[\s\S]*CPU[\s\S]*1 {2}Look at its graphs[\s\S]*Resize/);
  });
});

describe('a problem', () => {
  test.each([{ readOnly: false }, { readOnly: true }])('is acknowledged and taken back (%o)', async (options) => {
    const skydeck = await openProblems(options);
    await skydeck.pointAt('worker-5');
    await skydeck.press('space');
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.press('space', 'm');
    await skydeck.waitFor('Acknowledge 2 problems');
    await skydeck.type('mended on Monday');
    await skydeck.press('down', 'enter');
    await skydeck.waitFor(/2 problems are acknowledged for 8 hours\./);
    await skydeck.waitFor('Acknowledged 2');
    expect(skydeck.text()).not.toContain('worker-5');
    await skydeck.press('tab');
    await skydeck.waitFor(/worker-5 .*mended on Monday/);
    await skydeck.pointAt('worker-5');
    await skydeck.press('m');
    await skydeck.waitFor('Acknowledged 1');
    expect(skydeck.changes).toEqual([]);
  });
});

describe('wherever one is', () => {
  test('a new problem is said once all was examined, and the notices lead to its object', async () => {
    const skydeck = await openProblems();
    await skydeck.press('tab');
    await skydeck.waitFor('No problem is acknowledged;');
    await skydeck.goTo('servers');
    const domains = (await skydeck.elsewhere('GET', '/domains')).data as {
      id: number;
      domain: string;
      status: string;
    }[];
    const domain = domains.find(({ status }) => status === 'active');
    await skydeck.elsewhere('PUT', `/domains/${domain?.id}`, { status: 'disabled' });
    const says = `${domain?.domain} is disabled; the name servers do not answer for it`;
    await skydeck.press('ctrl-r');
    await skydeck.goTo('messages');
    await skydeck.waitFor(/Messages \d/);
    await skydeck.waitFor(says, { timeoutMs: 20_000 });
    await skydeck.pointAt(says);
    await skydeck.press('enter');
    await skydeck.waitFor(new RegExp(`Domains › ${domain?.domain}[\\s\\S]*Zone file`));
  });

  test('the end of an action that one began is said', async () => {
    const demo = await startSlowDemo();
    onTestFinished(demo.close);
    const skydeck = await openSkydeck({ place: { area: 'servers' }, demo });
    await skydeck.waitFor('api-1');
    await skydeck.press('a', 'S');
    await skydeck.waitFor('Shut down?');
    await skydeck.press('enter');
    await skydeck.waitFor('Shut down: api-1');
    await skydeck.goTo('volumes');
    demo.pass(2);
    await skydeck.waitFor(/✓ Server shutdown of api-1 finished after \d+ s\./);
  });
});

test.each([
  [60, 16],
  [80, 24],
])('at %i×%i the sentence about what is not examined is whole', async (columns, rows) => {
  const skydeck = await openSkydeck({ columns, rows, place: { area: 'problems' } });
  await skydeck.waitFor(/to come\. Examined later, or when\s+opened: transfer of\s+\d+ of \d+ servers\.\n/);
});

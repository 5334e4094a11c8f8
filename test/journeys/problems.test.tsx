import { describe, expect, onTestFinished, test } from 'vitest';
import { openSkydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

/** The list of problems, when the lists of the account were read: all that is critical is told by those. */
async function openProblems(options: SkydeckOptions = {}) {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, ...options });
  await skydeck.goTo('problems');
  await skydeck.waitFor(/Open \d+ +Acknowledged 0/);
  const critical = ['search', 'Example Trading', 'worker-5', 'batch-4'];
  await skydeck.waitFor((text) => critical.every((label) => new RegExp(`critical +${label}`).test(text)));
  return skydeck;
}

describe('the list of problems', () => {
  test('has the worst first, and opens the object of the one under the cursor', async () => {
    const skydeck = await openProblems();
    expect(skydeck.cursorLine()).toContain('critical');
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.press('enter');
    await skydeck.waitFor(/Servers › batch-4[\s\S]*Label +batch-4/);
    await skydeck.press('esc');
    await skydeck.waitFor(/Open \d+/);
    expect(skydeck.cursorLine()).toContain('batch-4');
  });

  test('is filtered, and tells all of one problem', async () => {
    const skydeck = await openProblems();
    await skydeck.press('/');
    await skydeck.type('severity:critical object:worker-5');
    await skydeck.press('enter');
    await skydeck.waitFor(/Open 1 of \d+/);
    await skydeck.press('y');
    await skydeck.waitFor('"rule": "server-stopped"');
    await skydeck.press('1');
    await skydeck.waitFor(/In full[\s\S]*worker-5 is stopped/);
  });

  test('leads to what helps: a form, a question, a tab', async () => {
    const skydeck = await openProblems();
    await skydeck.pointAt('worker-5');
    await skydeck.press('f');
    await skydeck.waitFor('New ticket');
    await skydeck.press('esc');
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.press('f');
    await skydeck.waitFor(/Servers › batch-4[\s\S]*Events/);
  });

  test('read-only, only looks help', async () => {
    const skydeck = await openProblems({ readOnly: true });
    await skydeck.pointAt('worker-5');
    expect(skydeck.text()).not.toContain('f fix');
    await skydeck.pointAt('is offline; its last boot failed');
    await skydeck.waitFor('f fix');
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
    await skydeck.waitFor('There are no problems under Acknowledged.');
    await skydeck.goTo('servers');
    const domains = (await skydeck.elsewhere('GET', '/domains')).data as {
      id: number;
      domain: string;
      status: string;
    }[];
    const domain = domains.find(({ status }) => status === 'active');
    await skydeck.elsewhere('PUT', `/domains/${domain?.id}`, { status: 'disabled' });
    const says = `${domain?.domain} is disabled; the name servers do not answer for it`;
    await skydeck.press('r', '!');
    await skydeck.waitFor('── Notices');
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
    await skydeck.waitFor(/✓ Server shutdown of api-1 finished after \d+ seconds\./);
  });
});

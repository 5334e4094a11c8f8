import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { version } from '../api/server.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

type Edit = (text: string) => string | undefined | Promise<string>;

/** Opens the domains, with an editor that does one edit after the other; the texts that it was given are returned. */
async function open(edits: readonly Edit[], more: SkydeckOptions = {}) {
  const given: { text: string; line: number | undefined }[] = [];
  const edit = async (text: string, line?: number) => {
    given.push({ text, line });
    return edits[given.length - 1]?.(text);
  };
  const skydeck = await openSkydeck({ demo, place: { area: 'domains' }, columns: 120, rows: 40, edit, ...more });
  await skydeck.waitFor('example.com');
  await skydeck.pointAt('example.com');
  return { skydeck, given };
}

test('E opens a zone in the editor; a mistake comes back with its line, and what is saved is in the plan', async () => {
  const { skydeck, given } = await open([
    (text) => `${text}wrong A 1.2.3\n`,
    (text) => text.replace('1.2.3\n', '192.0.2.77\n').replace(/^.* CAA .*\n/m, ''),
  ]);
  await skydeck.press('E');
  await skydeck.waitFor('2 steps for example.com are in the plan; nothing was sent.');
  await skydeck.waitFor(/Delete CAA @ in zone example\.com/);
  await skydeck.waitFor('192.0.2.77');
  expect(given[0]?.text).toMatch(/^\$ORIGIN example\.com\.\n/);
  expect(given[1]?.text).toMatch(/^;! 1 mistake; nothing is planned yet\. Save it as it is to give up\.\n\$ORIGIN/);
  expect(given[1]?.text).toMatch(
    /\n;! column 9: Target must be an IPv4 address, e\.g\. 192\.0\.2\.10\.\nwrong A 1\.2\.3\n$/,
  );
  expect(given[1]?.text.split('\n')[(given[1]?.line ?? 0) - 1]).toMatch(/^;! column/);
  expect(skydeck.changes).toEqual([]);
});

test('the plan is shown at the steps of the zone, behind others that are there', async () => {
  const { skydeck } = await open([(text) => `${text}one A 192.0.2.71\n`, (text) => `${text}two A 192.0.2.72\n`]);
  for (const name of ['one', 'two']) {
    await skydeck.press('E');
    await skydeck.waitFor((text) => text.includes(`New record A ${name}`));
    await skydeck.waitFor(() => skydeck.cursorLine().includes(name));
    await skydeck.press('esc');
    await skydeck.waitFor((text) => !text.includes('── Plan'));
  }
});

test('nothing changed, nothing planned; the same from the records of the zone and in a read-only session', async () => {
  const { skydeck, given } = await open(
    [(text) => text, (text) => text.replace('$TTL', '; a comment\n$TTL'), () => undefined],
    { readOnly: true },
  );
  await skydeck.press('E');
  await skydeck.waitFor('Nothing was changed in example.com, so nothing was planned.');
  await skydeck.press('enter');
  await skydeck.waitFor(/Records \d+/);
  await skydeck.press('E');
  await skydeck.waitFor('example.com is as its file has it: nothing to plan.');
  await skydeck.press('E');
  await skydeck.waitFor('The editor ended with an error, so nothing was planned.');
  expect(given).toHaveLength(3);
});

test('what was typed with a mistake and given up is there again, and compared with the zone as it was', async () => {
  const { skydeck, given } = await open([
    (text) => `${text}wrong A 1.2.3\n`,
    (text) => text,
    (text) => text.replace('1.2.3\n', '192.0.2.77\n'),
  ]);
  await skydeck.press('E');
  await skydeck.waitFor('The zone file has mistakes, so nothing was planned; E opens what was typed again.');
  await skydeck.press('E');
  await skydeck.waitFor('1 step for example.com is in the plan; nothing was sent.');
  expect(given[2]?.text).toBe(given[1]?.text);
});

test('what a colleague adds while the editor is open stays', async () => {
  const { skydeck } = await open([
    async (text) => {
      const headers = { authorization: `Bearer ${demo.tokens.full}`, 'content-type': 'application/json' };
      const list = await fetch(`${demo.url}${version}/domains`, { headers });
      const { data } = (await list.json()) as { data: readonly { id: number; domain: string }[] };
      const { id } = data.find(({ domain }) => domain === 'example.com') ?? {};
      const body = JSON.stringify({ type: 'A', name: 'theirs', target: '192.0.2.99' });
      const made = await fetch(`${demo.url}${version}/domains/${id}/records`, { method: 'POST', headers, body });
      expect(made.status).toBe(200);
      return `${text}mine A 192.0.2.98\n`;
    },
  ]);
  await skydeck.press('E');
  await skydeck.waitFor('1 step for example.com is in the plan; nothing was sent.');
});

test('where there is no domain, or a slave, a sentence says so', async () => {
  const { skydeck } = await open([]);
  await skydeck.goTo('volumes');
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('E');
  await skydeck.waitFor('There is no domain here whose zone could be edited.');
  await skydeck.goTo('domains');
  await skydeck.waitFor('slave');
  await skydeck.press('/');
  await skydeck.type('slave');
  await skydeck.press('enter', 'E');
  await skydeck.waitFor('is a slave, so its records are those of its masters.');
});

test('while the records are read, esc leaves, and the editor does not take the terminal then', async () => {
  let isSlow = false;
  const held = await startHeldDemo(({ url }) => isSlow && /\/records/.test(url ?? ''));
  const { skydeck, given } = await open([(text) => text], { demo: held });
  isSlow = true;
  await skydeck.press('E');
  await skydeck.waitFor(/── Edit the zone ─[\s\S]*Reading the records of example\.com …/);
  await skydeck.waitFor(() => held.held > 0);
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('Reading the records'));
  isSlow = false;
  held.release();
  await skydeck.press('E');
  await skydeck.waitFor('Nothing was changed in example.com, so nothing was planned.');
  expect(given).toHaveLength(1);
});

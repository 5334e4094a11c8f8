import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

const openDomains = async (rows = 40) => {
  const skydeck = await openSkydeck({ columns: 120, rows, place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.press('*', 'a', 'E');
  await skydeck.waitFor('── Edit 6 domains');
  return skydeck;
};

test('a form for several rows says where they differ, and shows no value that none of them has', async () => {
  const skydeck = await openDomains();
  await skydeck.waitFor(/Status +different/);
  await skydeck.waitFor(/TTL +different/);
  await skydeck.waitFor(/Group +unchanged/);
  await skydeck.waitFor(/Refresh +all: 0 {2}the default, 4 hours/);
  expect(skydeck.text()).not.toMatch(/Type \*|required/);
  await skydeck.field('Type');
  await skydeck.waitFor('Left alone, each keeps its own.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Nothing changed.');
  expect(skydeck.changes).toEqual([]);
});

test('any value can be chosen for several rows, also the one that some have, and the default', async () => {
  const skydeck = await openDomains();
  await skydeck.field('Status');
  await skydeck.press('space');
  await skydeck.waitFor(/Status +✓ active/);
  await skydeck.press('space', 'space');
  await skydeck.waitFor(/Status +different/);
  await skydeck.press('space');
  await skydeck.field('TTL');
  await skydeck.press('enter');
  await skydeck.waitFor('type to narrow');
  await skydeck.type('0');
  await skydeck.press('enter');
  await skydeck.waitFor(/TTL +✓ 0/);
  await skydeck.sendToAll();
  await expect.poll(() => skydeck.changes.length, { timeout: 20_000 }).toBe(6);
  // Each row is sent what differs in it, and what it was given where nothing does.
  const bodies = skydeck.changes.map(({ body }) => body);
  expect(bodies).toContainEqual({ ttl_sec: 0 });
  expect(bodies).toContainEqual({ status: 'active' });
  expect(bodies.every((body) => Object.keys(body as object).length > 0)).toBe(true);
});

test('tags that are typed for several rows are added, those of one row are all of them; the form says so', async () => {
  const skydeck = await openDomains();
  await skydeck.field('Tags');
  await skydeck.waitFor(/They are[\s│]+added to those that each has\./);
  await skydeck.press('esc');
  await skydeck.press('esc');
  await skydeck.pointAt('example.com');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit example.com');
  await skydeck.field('Tags');
  await skydeck.waitFor(/They[\s│]+replace[\s│]+those[\s│]+that[\s│]+it[\s│]+has\./);
});

test('a row that has no such field is left out, and told; so it is of a plan', async () => {
  const skydeck = await openDomains();
  await skydeck.fill('SOA email', 'dns@example.org');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('5 steps are in the plan: Edit 5 domains');
  await skydeck.waitFor(/1 left out: SOA email cannot be set/);
  await skydeck.press('a', 'E');
  await skydeck.waitFor('── Edit 6 domains');
  await skydeck.fill('SOA email', 'dns@example.org');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/── Edit 5 of 6 domains/);
  await skydeck.press('tab');
  await skydeck.waitFor(/partner\.example.*SOA email cannot be set as this/);
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/Edit: all 5 done/);
  expect(skydeck.changes.map(({ body }) => body)).toEqual(Array(5).fill({ soa_email: 'dns@example.org' }));
});

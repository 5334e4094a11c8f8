import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

/** The action is said to be done, and its form has closed. */
const isSaid = (says: string) => (frame: string) => frame.includes(says) && !frame.includes('── ');

test('a tag leads to what bears it, each in the screen of its own kind', async () => {
  const skydeck = await openSkydeck({ rows: 60, place: { area: 'tags' } });
  await skydeck.waitFor(/❯ +api +6 +6/);
  await skydeck.pointAt('prod ');
  expect(skydeck.cursorLine()).toMatch(/prod +30 +13 +3 +3 +49/);
  await skydeck.press('enter');
  await skydeck.waitFor('Tagged objects 49');
  await skydeck.pointAt('db-primary ');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers › db-primary[\s\S]*Tags +database prod/);
  await skydeck.press('esc');
  await skydeck.waitFor('Tagged objects 49');
  await skydeck.press('/');
  await skydeck.type('domain');
  await skydeck.press('enter');
  await skydeck.waitFor('Tagged objects  3 of 49');
  await skydeck.press('enter');
  await skydeck.waitFor('Domains › ');
});

test('a new tag is put on several things at once, and taken off all of them when it is deleted', async () => {
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'tags' } });
  await skydeck.waitFor(/❯ +api +6 +6/);
  await skydeck.press('n');
  await skydeck.waitFor('── New tag');
  await skydeck.fill('Label', 'x=');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Label must have 3–50 characters; it has 2.');
  await skydeck.fill('Label', 'team=blue sky');
  for (const [field, labels] of [
    ['Servers', ['web-1', 'web-2']],
    ['Volumes', ['mail-store']],
  ] as const) {
    await skydeck.field(field);
    await skydeck.press('enter');
    await skydeck.waitFor(`── ${field} ─`);
    for (const label of labels) {
      await skydeck.press('ctrl-u');
      await skydeck.type(label);
      await skydeck.waitFor(() => skydeck.cursorLine().includes(label));
      await skydeck.press('space');
      await skydeck.waitFor(new RegExp(`✓ ${label}`));
    }
    await skydeck.press('enter');
    await skydeck.waitFor((frame) => !frame.includes(`── ${field} ─`));
  }
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New tag: team=blue sky');
  await skydeck.waitFor(/❯ +team=blue sky +2 +1 +– +– +3/);

  await skydeck.press('enter');
  await skydeck.waitFor(/Tagged objects 3[\s\S]*server +web-1[\s\S]*volume +mail-store/);
  await skydeck.press('d');
  await skydeck.waitFor('removes it from 2 servers and 1 volume,');
  await skydeck.type('team=blue sky');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: team=blue sky');
  expect(skydeck.changes.at(-1)?.path).toMatch(/\/tags\/team%3Dblue%20sky$/);
  await skydeck.goTo('servers');
  await skydeck.pointAt('web-1 ');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers › web-1[\s\S]*Tags +web prod *$/m);
});

test('tags are added to marked servers and taken off, and each keeps its others', async () => {
  const skydeck = await openSkydeck({ rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor('api-1 ');
  for (const label of ['api-1', 'batch-1', 'mail']) {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('space');
  }
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags to 3 servers');
  await skydeck.press('ctrl-o');
  await skydeck.type('infra');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('infra'));
  await skydeck.press('space', 'enter');
  await skydeck.waitFor(/Tags to add \* +. infra/);
  await skydeck.press('down');
  await skydeck.waitFor('It is the only field; ctrl-s sends it.');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor('and 2 more, each with a body of its own');
  await skydeck.press('ctrl-p', 'ctrl-s');
  await skydeck.waitFor('  Tags to add: infra');
  await skydeck.waitFor(/api-1 +\+infra /);
  expect(skydeck.text()).not.toContain('nothing →');
  await skydeck.press('enter');
  await skydeck.waitFor(isSaid('Add tags: all 3 done'));
  const sent = () => skydeck.changes.map(({ body }) => (body as { tags: string[] }).tags.join(' ')).sort();
  expect(sent()).toEqual(['api prod infra', 'batch infra', 'mail prod infra']);

  for (const label of ['api-1', 'mail', 'vpn']) {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('space');
  }
  await skydeck.press('a', '-');
  await skydeck.waitFor('── Remove tags from 3 servers');
  await skydeck.press('enter');
  await skydeck.waitFor('── Tags to remove ─');
  await skydeck.waitFor(/^. +. *infra\b/m);
  expect(skydeck.text()).not.toMatch(/^. +. *worker\b/m);
  await skydeck.type('infra');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('infra'));
  await skydeck.press('space', 'enter');
  await skydeck.waitFor(/Tags to remove \* +. infra/);
  await skydeck.sendToAll();
  await skydeck.waitFor('Remove tags: all 3 done');
  expect(sent().filter((tags) => !tags.includes('infra'))).toEqual(['', 'api prod', 'mail prod']);
});

test('a restricted user is told that tags are not theirs to change', async () => {
  const skydeck = await openSkydeck({ token: 'restricted', place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.press('a', '+');
  await skydeck.waitFor(/Only unrestricted\s+users may change tags\./);
  await skydeck.fill('Tags to add', 'mine');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/may not|Unauthorized|not allowed/i);
  expect(skydeck.changes.at(-1)?.status).toBe(403);
});

test('tags are typed with or without spaces between them, and the cursor stays where one types', async () => {
  const skydeck = await openSkydeck({ place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.pointAt('archive-2023');
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags');
  await skydeck.field('Tags to add');
  await skydeck.type('first,second, third');
  await skydeck.waitFor('first,second, third');
  await skydeck.press('left', 'left', 'left', 'left', 'left');
  await skydeck.type('x,y');
  await skydeck.waitFor('first,second, x,ythird');
  await skydeck.press('ctrl-u');
  await skydeck.paste('pasted,');
  await skydeck.type('typed,, again,');
  await skydeck.waitFor('pasted, typed,, again,');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(isSaid('Add tags: archive-2023'));
  const { tags = [] } = (await skydeck.elsewhere('GET', `${skydeck.changes.at(-1)?.path}`)) as { tags?: string[] };
  expect(tags.slice(-3)).toEqual(['pasted', 'typed', 'again']);
  expect(tags).not.toContain('');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit archive-2023');
  await skydeck.field('Tags');
  await skydeck.type(',late,');
  await skydeck.waitFor(/again,late,/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(isSaid('Edit: archive-2023'));
  expect(skydeck.changes.at(-1)?.body).toEqual({ tags: [...tags, 'late'] });
});

test('a thing that is not listed can be named by its id, and by nothing else', async () => {
  const skydeck = await openSkydeck({ rows: 40, place: { area: 'tags' } });
  await skydeck.waitFor(/❯ +api +6 +6/);
  await skydeck.press('n');
  await skydeck.waitFor('── New tag');
  await skydeck.fill('Label', 'by number');
  await skydeck.field('Domains');
  await skydeck.press('enter');
  await skydeck.waitFor('── Domains ─');
  await skydeck.type('nobody.example');
  await skydeck.waitFor(/❯ +nobody\.example +is not offered/);
  await skydeck.press('ctrl-u');
  await skydeck.type('999999');
  await skydeck.waitFor('use it as an id');
  await skydeck.press('space', 'enter');
  await skydeck.waitFor(/Domains +. 999999/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Domains +✗ 999999/);
  expect(skydeck.changes.at(-1)).toMatchObject({ status: 400, body: { label: 'by number', domains: [999999] } });
});

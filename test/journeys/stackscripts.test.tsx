import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

async function openScripts(options: Parameters<typeof openSkydeck>[0] = {}) {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 40, place: { area: 'stackscripts' }, ...options });
  await skydeck.waitFor('web-node');
  return skydeck;
}

test('of thousands of public scripts no more is read than is looked at', async () => {
  const skydeck = await openScripts();
  const readings = () => skydeck.requests.filter(({ path }) => path === '/server/stackscripts').length;
  expect(readings()).toBe(1);
  await skydeck.press('tab');
  await skydeck.waitFor(/Public 100 of 2 ?\d+/);
  expect(readings()).toBe(2);
  await skydeck.press('G');
  await skydeck.waitFor(/Public 200 of 2 ?\d+/);
  expect(readings()).toBe(3);
});

test('a script is read with its lines numbered, and searched', async () => {
  const skydeck = await openScripts();
  await skydeck.pointAt('web-node');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(' 1 │ #!/bin/bash');
  await skydeck.press('/');
  await skydeck.type('unknown role');
  await skydeck.press('enter');
  await skydeck.waitFor(/›38 │ +\*\) say "unknown role"/);
});

test('a script is written in the editor, revised, published for good, and can then not be deleted', async () => {
  const written: string[] = [];
  const skydeck = await openScripts({
    edit: async (text) => {
      written.push(text);
      return `${text}echo "more $NAME"\n`;
    },
  });
  await skydeck.press('n');
  await skydeck.waitFor('── New StackScript');
  await skydeck.fill('Label', 'greeter');
  await skydeck.pick('Images', 'server/debian12');
  await skydeck.field('Script');
  await skydeck.press('ctrl-e');
  await skydeck.waitFor(/#!\/bin\/bash\n +echo "more \$NAME"\n/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor((frame) => frame.includes('New StackScript: greeter') && !frame.includes('── New'));
  expect(skydeck.changes.at(-1)?.body).toMatchObject({
    images: ['server/debian12'],
    script: '#!/bin/bash\necho "more $NAME"\n',
  });

  await skydeck.pointAt('greeter');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit greeter');
  await skydeck.field('Script');
  await skydeck.press('ctrl-e');
  await skydeck.waitFor(/echo "more \$NAME"\n +echo "more \$NAME"\n/);
  expect(written.at(-1)).toBe('#!/bin/bash\necho "more $NAME"\n');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor((frame) => frame.includes('Edit: greeter') && !frame.includes('── Edit'));
  expect(Object.keys(skydeck.changes.at(-1)?.body as object)).toEqual(['script']);

  await skydeck.press('a', 'P');
  await skydeck.waitFor(/it can never be made[\s▌│]+private[\s▌│]+again/);
  await skydeck.type('greeter');
  await skydeck.press('enter');
  await skydeck.waitFor(/greeter .* yes/);
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'PUT', body: { is_public: true } });
  await skydeck.press('d');
  await skydeck.waitFor('only private StackScripts can be deleted');
});

test('one that is made public at once is asked about, because there is no way back', async () => {
  const skydeck = await openScripts();
  await skydeck.press('tab', 'n');
  await skydeck.waitFor('── New StackScript');
  await skydeck.fill('Label', 'for-all');
  await skydeck.pick('Images', 'server/debian12');
  await skydeck.choose('Public', 'yes');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/never be made[\s▌│]+private[\s▌│]+again[\s▌│]+or[\s▌│]+deleted/);
  expect(skydeck.changes.some(({ body }) => (body as { label?: string })?.label === 'for-all')).toBe(false);
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ +for-all .* yes/);
});

test('a server is set up by one: its questions are a form, its image the only one that fits', async () => {
  const skydeck = await openScripts({ rows: 50 });
  await skydeck.pointAt('web-node');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('Release to deploy');
  expect(skydeck.text()).toMatch(/Image \* +.*server\/debian12/);
  await skydeck.fill('Release to deploy', '2024.19');
  await skydeck.choose('Role', 'api');
  await skydeck.field('Additional nginx m');
  await skydeck.waitFor(/\n[ │]+Additional nginx modules\./);
  await skydeck.press('enter');
  await skydeck.waitFor('space ticks');
  await skydeck.press('down', 'tab', 'enter');
  await skydeck.fill('Password of the d', 'open sesame');
  await skydeck.pick('Region', 'us-east');
  await skydeck.pick('Type', 'g6-standard-2');
  await skydeck.fill('Label', 'api-new');
  await skydeck.fill('Root password', 'correct horse battery');
  expect(skydeck.text()).not.toContain('open sesame');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Creates api-new: ');
  await skydeck.press('enter');
  await skydeck.waitFor('New server: api-new');
  const { body } = skydeck.changes.at(-1) ?? {};
  expect(body).toMatchObject({ image: 'server/debian12', stackscript_id: 914201, stackscript_data: '[redacted]' });
});

/** Commands of the user's own that ask for something before they are done. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkCommands } from '../../src/program/config/checkCommands.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

const ready = await readFile(join(import.meta.dirname, '../../docs/commands.toml'), 'utf8');

/** The servers with these commands of the user's own. */
async function openServers(source: string, options: SkydeckOptions = {}, seen = 'web-1') {
  const { config, mistakes } = parseConfig(source, [checkCommands]);
  expect(mistakes).toEqual([]);
  const { commands } = config;
  const place = { area: 'servers' };
  const configuration = { commands, ...options.configuration };
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place, ...options, configuration });
  await skydeck.waitFor(seen);
  return skydeck;
}

/** The path of a server, as commands have it. */
const server = resourceNamed('servers').view?.path.replace('serverId', 'id') ?? '';

const every = `[[commands]]
name = "Move it"
key = "f"
for = "servers"
ask = [
  { name = "region", kind = "row", of = "regions" },
  { name = "name", kind = "text", matches = "^[a-z0-9-]{3,32}$" },
  { name = "size", kind = "number", min = 10, max = 1000 },
  { name = "way", kind = "choice", options = ["cold", "warm"] },
]
request = { method = "POST", path = "${server}/moves/{way}", body = { region = "{region}", label = "{name} of {label}", size = "{size}" } }
`;

const program = (ask: string, words: string, more = 'changes = false') =>
  `[[commands]]\nname = "Say it"\nkey = "q"\nfor = "servers"\n${more}\nask = ${ask}\nrun = ["sh", "-c", 'printf "<%s>" "$@"', "sh", ${words}]\n`;

const text = '[{ name = "what", kind = "text" }]';

/** An API that takes the moves of servers. */
const takingMoves = () =>
  startOtherApi(({ path }) => (path.includes('/moves/') ? { status: 200, text: '{}' } : undefined));

/** Answers what the command asks for. */
async function fillMove(skydeck: Skydeck, way: string): Promise<void> {
  await skydeck.fill('Region', 'us-east');
  await skydeck.fill('Name', 'new');
  await skydeck.fill('Size', '40');
  await skydeck.choose('Way', way);
}

test('a copy is made in a region that is chosen, by the command that is ready to be copied', async () => {
  const skydeck = await openServers(ready);
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.type('clone to');
  await skydeck.waitFor(/Clone to +form, then asks|Clone to +asks/);
  await skydeck.press('enter');
  await skydeck.waitFor('── Clone to web-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Region is required; enter opens the choices.');
  await skydeck.press('enter');
  await skydeck.type('us-west');
  await skydeck.press('enter');
  await skydeck.fill('Label', 'Web 9');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Label must be a text that matches ^[a-z0-9-]{3,32}$.');
  await skydeck.fill('Label', 'web-9');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/POST http\S+\/server\/instances\/48200101\/clone[\s\S]*"label": "web-9"/);
  await skydeck.press('esc', 'ctrl-s');
  await skydeck.waitFor('web-9 is a new server in us-west, billed like web-1. Make it?');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('enter');
  await skydeck.waitFor('Clone to: web-9');
  expect(skydeck.changes).toMatchObject([
    { path: '/server/instances/48200101/clone', body: { label: 'web-9', region: 'us-west' }, status: 200 },
  ]);
});

test('text, number, choice and row: each is checked, and a number stays one', async () => {
  const api = await takingMoves();
  const skydeck = await openServers(every, { demo: api });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'F');
  await skydeck.waitFor('── Move it web-1');
  await skydeck.fill('Name', 'new');
  await skydeck.fill('Size', '5');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Size must be 10–1000; it is 5.');
  await skydeck.fill('Size', '40');
  await skydeck.fill('Region', 'us-east');
  await skydeck.choose('Way', 'warm');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Sends POST \S+ for web-1 with region .+, name new, size\s+40 and way[\s│]+warm\./);
  await skydeck.press('enter');
  await skydeck.waitFor('Move it: web-1');
  expect(skydeck.changes).toMatchObject([
    {
      path: '/server/instances/48200101/moves/warm',
      body: { region: 'us-east', label: 'new of web-1', size: 40 },
      status: 200,
    },
  ]);
});

test('several rows are asked about once, and each gets its own request', async () => {
  const api = await takingMoves();
  const skydeck = await openServers(every, { demo: api });
  await skydeck.press('*');
  await skydeck.waitFor('marked 3');
  await skydeck.press('a', 'F');
  await skydeck.waitFor('── Move it 3 servers');
  await fillMove(skydeck, 'cold');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Sends POST \S+ for each of them with[\s│]+region/);
  await skydeck.press('enter');
  await skydeck.waitFor('Move it: all 3 done');
  expect(skydeck.changes).toHaveLength(3);
  expect(new Set(skydeck.changes.map(({ path }) => path)).size).toBe(3);
  expect(new Set(skydeck.changes.map(({ body }) => JSON.stringify(body))).size).toBe(3);
});

test('rows that were refused are asked about again with what was typed', async () => {
  const api = await startOtherApi(({ path }) => {
    if (!path.includes('/moves/')) return undefined;
    return path.includes('48200101')
      ? { status: 400, text: '{"errors":[{"reason":"busy"}]}' }
      : { status: 200, text: '{}' };
  });
  const skydeck = await openServers(every, { demo: api });
  await skydeck.press('*', 'a', 'F');
  await skydeck.waitFor('── Move it 3 servers');
  await fillMove(skydeck, 'cold');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Sends POST');
  await skydeck.press('enter');
  await skydeck.waitFor(/Move it: 2 of 3 done, 1 failed/);
  await skydeck.press('esc');
  await skydeck.waitFor('marked 1');
  await skydeck.press('a', 'F');
  await skydeck.waitFor(/── Move it web-1[\s\S]*✓? *new[\s\S]*cold/);
});

test('two hundred rows are asked about once', async () => {
  const demo = await startSlowDemo({ servers: 200 });
  onTestFinished(() => demo.close());
  const source = program(text, '"{what}", "{label}"', 'show = "notice"\nchanges = false');
  const skydeck = await openServers(source, { demo }, '1–36 of 200');
  await skydeck.press('end');
  await skydeck.waitFor('–200 of 200');
  await skydeck.press('*');
  await skydeck.waitFor('marked 200');
  await skydeck.press('a', 'Q');
  await skydeck.waitFor('── Say it 200 servers');
  await skydeck.fill('What', 'hello');
  await skydeck.press('ctrl-s');
  // Each of them is a program.
  await skydeck.waitFor(/✓ \S+ +<hello><\S+>/, { timeoutMs: 80_000 });
});

test('read-only, a request that asks is planned with its answers', async () => {
  const skydeck = await openServers(every, { readOnly: true, columns: 120 });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'F');
  await skydeck.waitFor('── Move it web-1');
  await fillMove(skydeck, 'warm');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan');
  await skydeck.goTo('plan');
  await skydeck.waitFor(/Move it[\s\S]*web-1/);
  await skydeck.press('e');
  await skydeck.waitFor(/── Move it web-1[\s\S]*Way +\*? +warm/);
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a program gets its answers as whole arguments, and none of them as an option', async () => {
  const skydeck = await openServers(program(text, '"{what}"'), { readOnly: true });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'Q');
  await skydeck.waitFor('── Say it web-1');
  await skydeck.fill('What', '--help');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/What begins with a dash, which the program would take for an option/);
  await skydeck.fill('What', 'a b; $(id) "c"');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/── Say it web-1: the program[\s\S]*'a b; \$\(id\) "c"'/);
  await skydeck.press('esc', 'ctrl-s');
  await skydeck.waitFor('<a b; $(id) "c">');
  expect(skydeck.recorded).toEqual([]);
});

test('what is answered leads to no other path', async () => {
  const source = every.replace('kind = "choice", options = ["cold", "warm"]', 'kind = "text"');
  const skydeck = await openServers(source, { demo: await takingMoves() });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'F');
  await skydeck.waitFor('── Move it web-1');
  for (const [entry, says] of [
    ['..', 'Way is no part of a path.'],
    ['a/../../b', 'Way has a slash, which no part of a path can have.'],
  ] as const) {
    await skydeck.fill('Way', entry);
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(says);
  }
  await skydeck.fill('Region', 'us-east');
  await skydeck.fill('Name', 'new');
  await skydeck.fill('Size', '40');
  await skydeck.fill('Way', 'a?b=c#%2e');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Sends POST');
  await skydeck.press('enter');
  await skydeck.waitFor('Move it: web-1');
  expect(skydeck.changes).toMatchObject([{ path: '/server/instances/48200101/moves/a%3Fb%3Dc%23%252e' }]);
});

test('what a colleague renames meanwhile is sent as it is then; what destroys is not done to it', async () => {
  const demo = await startSlowDemo();
  onTestFinished(() => demo.close());
  const source = ready.replace('ask = [\n', 'destroys = true\nask = [\n');
  const skydeck = await openServers(source, { demo, columns: 160 });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.type('clone to');
  await skydeck.press('enter');
  await skydeck.waitFor('── Clone to web-1');
  await skydeck.fill('Region', 'us-west');
  await skydeck.fill('Label', 'web-9');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type web-1 to confirm');
  await skydeck.elsewhere('PUT', '/server/instances/48200101', { label: 'prod-db-now' });
  await skydeck.type('web-1');
  await skydeck.press('enter');
  await skydeck.waitFor(/web-1 is called prod-db-now now, so nothing was sent/);
  expect(skydeck.changes).toEqual([]);
});

test('a guard sees the row that an answer names', async () => {
  const source =
    '[[commands]]\nname = "Drop another"\nkey = "q"\nfor = "servers"\nask = [{ name = "other", kind = "row", of = "servers" }]\nrequest = { method = "DELETE", path = "' +
    `${server.replace('{id}', '{other}')}" }\n`;
  const guards = [
    { for: 'servers', where: 'label:web-2', actions: ['delete'], deny: true as const, reason: 'web-2 stays' },
  ];
  const skydeck = await openServers(source, { configuration: { guards } });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'Q');
  await skydeck.waitFor('── Drop another web-1');
  await skydeck.press('enter');
  await skydeck.type('web-2');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/for web-1 with other web-2/);
  await skydeck.press('enter');
  await skydeck.waitFor(/web-2 stays/);
  expect(skydeck.changes).toEqual([]);
});

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { missingCommands } from '../../src/config/missingCommands.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import { addToCommandsFile } from '../../src/program/config/besideFiles.ts';
import { rereader } from '../../src/program/config/rereadConfig.ts';
import { readSettings } from '../../src/program/settings.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

const mine = `# What I wrote myself, and how.
[[commands]]
name   =  "Look"          # aligned as I like it
for = "servers"
changes = false
run = ["true"]`;

const servers = resourceNamed('servers').list?.path;

const reboot = `[[commands]]
name = "Reboot"
key = "x"
for = "servers"
ask = "{label} is down until it has booted again. Reboot it?"
request = { method = "POST", path = "${servers}/{id}/reboot" }
`;

let folder: string;
let config: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder('missing');
  config = join(folder, 'config.toml');
  file = join(folder, 'commands.toml');
  await writeFile(config, '[profiles.work]\nbase_url = "https://api.example.com"\ntoken_env = "T"\n');
});

/** A session with the files of this test. */
async function open(options: SkydeckOptions = {}): Promise<Skydeck> {
  const { options: given } = parseArguments(['--config', config]);
  const env = { HOME: folder, T: 'secret' };
  const settings = await readSettings(given, env);
  return openSkydeck({
    columns: 100,
    rows: 40,
    place: { area: 'servers' },
    configuration: settings.configuration,
    reread: rereader(settings, given, env),
    commands: { path: file, add: async (command) => addToCommandsFile(config, command) },
    ...options,
  });
}

/** A server of the test's own, which has a reboot and counts it. */
async function startApi() {
  const rebooted: string[] = [];
  const api = await startOtherApi(
    () => undefined,
    ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/reboot')) return undefined;
      rebooted.push(path);
      return { status: 200, text: '{}' };
    },
  );
  return { api, rebooted };
}

test('a reboot is asked for, added behind what a person wrote, and done, without a restart', async () => {
  await writeFile(file, mine);
  const { api, rebooted } = await startApi();
  const skydeck = await open({ demo: api });
  await skydeck.waitFor('web-1');
  const before = skydeck.requests.length;
  await skydeck.press(':');
  await skydeck.type('restart');
  await skydeck.waitFor(/❯ Reboot +server +not in this API's documents; adds a command of your own/);
  await skydeck.press('enter');
  await skydeck.waitFor('── Add Reboot to your commands?');
  for (const line of reboot.trimEnd().split('\n')) await skydeck.waitFor(line.slice(0, 60));
  await skydeck.waitFor(/enter add it/);
  expect(await readFile(file, 'utf8')).toBe(mine);
  await skydeck.press('enter');
  await skydeck.waitFor(/Reboot is an action of servers now; it stands in/);
  expect(await readFile(file, 'utf8')).toBe(`${mine}\n\n${reboot}`);
  expect(skydeck.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);

  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on web-1');
  await skydeck.press('pageDown', 'pageDown');
  await skydeck.waitFor(/X +Reboot +! asks|X +Reboot +asks/);
  await skydeck.waitFor(/Not in this API's documents +boot, rebuild[\s│]+as it was, clone, show the console/);
  await skydeck.press('X');
  await skydeck.waitFor('web-1 is down until it has booted again. Reboot it?');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Reboot web-1');
  await skydeck.press(':');
  await skydeck.type('reboot web-1');
  await skydeck.waitFor(/❯ Reboot web-1 +server +asks +a X/);
  await skydeck.press('enter');
  await skydeck.waitFor('Reboot it?');
  expect(rebooted).toEqual([]);
  await skydeck.press('enter');
  await skydeck.waitFor('Reboot: web-1');
  expect(rebooted).toHaveLength(1);
  expect(skydeck.changes).toMatchObject([{ method: 'POST', path: rebooted[0], status: 200 }]);

  // The next session has it from its start.
  const next = await open({ demo: api });
  await next.waitFor('web-1');
  await next.press('a');
  await next.waitFor(/X +Reboot +asks/);
});

test('from the menu of a row: one dim line, a choice, the lines, and back with the action', async () => {
  const { api } = await startApi();
  const skydeck = await open({ demo: api, columns: 60, rows: 16 });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'pageDown', 'pageDown');
  await skydeck.waitFor(/❯ +Not in this API's documents +boot, reboot,/);
  await skydeck.press('enter');
  await skydeck.waitFor(/── Commands for servers[\s\S]*❯ Boot/);
  await skydeck.press('esc');
  await skydeck.waitFor('── Actions on web-1');
  await skydeck.type('rebo');
  await skydeck.waitFor(/❯ +Reboot +not in this/);
  await skydeck.press('enter');
  await skydeck.waitFor('── Add Reboot');
  // All of it is seen before it is agreed to, in a small terminal as well.
  if (!/enter add it/.test(skydeck.text())) {
    await skydeck.press('enter');
    await expect(readFile(file)).rejects.toThrow();
    await skydeck.press('pageDown', 'pageDown');
  }
  await skydeck.waitFor(/enter add it/);
  await skydeck.press('enter');
  await skydeck.waitFor('── Actions on web-1');
  expect(await readFile(file, 'utf8')).toBe(reboot);
  // The cursor is on it, wherever it stands in the menu.
  await skydeck.waitFor(/❯ X +Reboot +asks/);
});

test('another session and a person at the same file: nothing is added twice, nothing lost', async () => {
  const { api } = await startApi();
  const skydeck = await open({ demo: api });
  const preview = async (name: string) => {
    await skydeck.waitFor('web-1');
    await skydeck.press(':');
    await skydeck.type(name);
    await skydeck.waitFor(/❯ (Reboot|Boot|Clone) +server +not in this/);
    await skydeck.press('enter');
    await skydeck.waitFor('enter add it');
  };
  await preview('reboot');
  await writeFile(file, `${mine}\n\n${reboot}# mine again\n`);
  await skydeck.press('enter');
  await skydeck.waitFor('Reboot is an action of servers now');
  expect(await readFile(file, 'utf8')).toBe(`${mine}\n\n${reboot}# mine again\n`);

  await preview('boot');
  const clone = missingCommands.find(({ name }) => name === 'Clone');
  if (clone) addToCommandsFile(config, clone);
  await skydeck.press('enter');
  await skydeck.waitFor('Boot is an action of servers now');
  expect(await readFile(file, 'utf8')).toMatch(
    /# mine again\n\n\[\[commands\]\]\nname = "Clone"[\s\S]*\nname = "Boot"\n/,
  );
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  for (const name of ['Look', 'Reboot', 'Clone', 'Boot']) await skydeck.waitFor(new RegExp(`[A-Z]  ${name} `));
});

test('a file with a mistake, or that others may write, stays as it is, and one sentence says why', async () => {
  const { api } = await startApi();
  const skydeck = await open({ demo: api });
  await skydeck.waitFor('web-1');
  await writeFile(file, '[[commands]]\nname = "Half\n');
  await skydeck.press(':');
  await skydeck.type('reboot');
  await skydeck.waitFor('❯ Reboot');
  await skydeck.press('enter');
  await skydeck.waitFor('enter add it');
  await skydeck.press('enter');
  await skydeck.waitFor(/commands\.toml, line 2: .*no\s+closing\s+quote/);
  await skydeck.waitFor('── Add Reboot to your commands?');
  expect(await readFile(file, 'utf8')).toBe('[[commands]]\nname = "Half\n');
  await rm(file);
  await skydeck.press('enter');
  await skydeck.waitFor('Reboot is an action of servers now');
});

test('read-only it is added, and planned but not sent; an API without it says so', async () => {
  const api = await startOtherApi(
    () => undefined,
    ({ path }) => (path.endsWith('/reboot') ? refusal(404, 'Not found') : undefined),
  );
  const skydeck = await open({ demo: api, readOnly: true });
  await skydeck.waitFor('web-1');
  await skydeck.press(':');
  await skydeck.type('reboot');
  await skydeck.waitFor('❯ Reboot');
  await skydeck.press('enter');
  await skydeck.waitFor('enter add it');
  await skydeck.press('enter');
  await skydeck.waitFor('Reboot is an action of servers now');
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor(/X +Reboot +into the plan/);
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

  const writing = await open({ demo: api });
  await writing.pointAt('web-1 ');
  await writing.press('a', 'X');
  await writing.waitFor('Reboot it?');
  await writing.press('enter');
  await writing.waitFor('Reboot: web-1: The API has no POST');
});

test('without a configuration, as with the demo, it lasts for the session', async () => {
  const skydeck = await openSkydeck({ demo: { servers: 3 }, columns: 100, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor('web-1');
  await skydeck.press(':');
  await skydeck.type('boot');
  await skydeck.waitFor(/❯ Boot +server +not in this/);
  await skydeck.press('enter');
  await skydeck.waitFor(/for this session, as\s+there\s+is\s+no\s+configuration/);
  await skydeck.press('enter');
  await skydeck.waitFor('Boot is an action of servers now.');
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor(/O +Boot +asks/);
});

import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkCommands } from '../../src/program/config/checkCommands.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { startOtherApi } from './otherApi.ts';
import { openSkydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

const ready = await readFile(join(import.meta.dirname, '../../docs/commands.toml'), 'utf8');

/** The servers with these commands of the user's own. */
async function openServers(source: string, options: SkydeckOptions = {}, seen = 'web-1') {
  const { config, mistakes } = parseConfig(source, [checkCommands]);
  expect(mistakes).toEqual([]);
  const { commands } = config;
  const skydeck = await openSkydeck({
    columns: 100,
    rows: 40,
    place: { area: 'servers' },
    configuration: { commands },
    ...options,
  });
  await skydeck.waitFor(seen);
  return skydeck;
}

const program = (name: string, script: string, more = 'changes = false') =>
  `[[commands]]\nname = "${name}"\nfor = "servers"\n${more}\nrun = ["sh", "-c", '''${script}''', "sh", "{label}"]\n`;

test('a server is rebooted by a command of the user: offered everywhere, shown, asked, done, seen in its events', async () => {
  const demo = await startSlowDemo();
  const skydeck = await openServers(ready, { demo });
  await skydeck.press('?');
  await skydeck.waitFor(/Your commands[\s\S]*a X +Reboot/);
  await skydeck.press('esc', ':');
  await skydeck.type('rebt web1');
  await skydeck.waitFor(/❯ Reboot web-1 +.*asks.*a X/);
  await skydeck.press('esc');
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor(/X +Reboot +asks/);
  await skydeck.press('X');
  await skydeck.waitFor('web-1 is down until it has booted again. Reboot it?');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/POST http\S+\/server\/instances\/48200101\/reboot/);
  await skydeck.waitFor('curl -X POST');
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor('Reboot: web-1');
  expect(skydeck.changes).toMatchObject([{ method: 'POST', path: '/server/instances/48200101/reboot', status: 200 }]);
  // The event tells the percentage.
  await skydeck.waitFor(/rebooting \d+% +web-1/);
  demo.pass(1);
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/running +web-1/);

  // From elsewhere its name leads to where a row can be chosen.
  await skydeck.goTo('home');
  await skydeck.press(':');
  await skydeck.type('show the console');
  await skydeck.waitFor('❯ Show the console which server?');
  await skydeck.press('esc', 'esc');
  await demo.close();
});

test('marked rows have results of their own, and the words of the deployment are sent', async () => {
  const skydeck = await openServers(ready, { demo: { vocabulary: { server: 'acme' } } });
  for (const label of ['web-1', 'web-2', 'batch-2']) {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('space');
  }
  await skydeck.waitFor('marked 3');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('Reboot 3 of 3 servers');
  await skydeck.waitFor(/is down until it has booted again\. Reboot it\? The same is asked about the[\s│]+2 others\./);
  for (const label of ['web-1', 'web-2', 'batch-2']) expect(skydeck.text()).toContain(label);
  expect(skydeck.text().match(/is down until/g)).toHaveLength(1);
  await skydeck.waitFor('❯one by one');
  await skydeck.press('ctrl-o', 'ctrl-o');
  await skydeck.waitFor('❯all at once');
  await skydeck.press('enter');
  await skydeck.waitFor('Reboot: 2 of 3 done, 1 failed; these stay marked');
  await skydeck.waitFor(/✗ batch-2 +The server is not running \(400\)\./);
  await skydeck.waitFor(/✓ web-1 +done/);
  expect(skydeck.changes.map(({ path }) => path).sort()).toEqual([
    '/acme/instances/48200101/reboot',
    '/acme/instances/48200104/reboot',
    expect.stringMatching(/^\/acme\/instances\/\d+\/reboot$/),
  ]);
});

test('read-only, requests are planned, programs that change something are refused, and others run', async () => {
  const source = ready + program('Say it', 'echo "it is $1"') + program('Note it', 'echo never', 'key = "q"');
  const skydeck = await openServers(source, { readOnly: true });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on web-1');
  for (const name of ['Reboot', 'Shut down', 'Resize'])
    expect(skydeck.text()).toMatch(new RegExp(` ${name} +into the plan`));
  await skydeck.press('Q');
  await skydeck.waitFor(/Note it is not possible: this session is read-only;[\s│]+no plan can hold[\s│]+this\./);
  await skydeck.type('say');
  await skydeck.press('enter');
  await skydeck.waitFor('it is web-1');
  await skydeck.press('esc', '?');
  await skydeck.waitFor(/Your commands[\s\S]*Show the console/);
  expect(skydeck.text()).toContain('Rebuild as it was');
  expect(skydeck.text()).not.toContain('Note it');
  for (const typed of ['note it', 'note it web-1']) {
    await skydeck.press('esc', ':');
    await skydeck.type(typed);
    await skydeck.waitFor(/\d+ of \d+ things|Nothing loaded is called that/);
    expect(skydeck.text()).not.toContain('Note it');
  }
  await skydeck.press('esc', ':');
  await skydeck.type('reboot web-1');
  await skydeck.waitFor(/❯ Reboot web-1 +.*into the plan/);
  await skydeck.press('enter');
  await skydeck.waitFor('── Reboot?');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Reboot web-1; :plan shows it. Nothing was sent.');
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(skydeck.recorded).toEqual([]);
});

test('critical, the label is typed; an answer that is lost is looked for and nothing is sent twice', async () => {
  let lost = 0;
  const api = await startOtherApi(({ path }) =>
    path.endsWith('/reboot') && ++lost > 0 ? { status: 502, text: '<html>' } : undefined,
  );
  const skydeck = await openServers(ready, { demo: api, critical: true });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('Type web-1 to confirm');
  await skydeck.type('web-1');
  await skydeck.press('enter');
  await skydeck.waitFor(/it is unknown whether it was done\.[\s\S]*newest event about it/);
  expect(lost).toBe(1);
});

test('an API without the operation says so, and is not asked again', async () => {
  const api = await startOtherApi(({ path }) =>
    path.endsWith('/reboot') ? { status: 405, text: '{"errors":[{"reason":"Method Not Allowed"}]}' } : undefined,
  );
  const skydeck = await openServers(ready, { demo: api });
  await skydeck.pointAt('web-1 ');
  for (let time = 0; time < 2; time++) {
    await skydeck.press('a', 'X');
    await skydeck.waitFor('Reboot it?');
    await skydeck.press('enter');
    await skydeck.waitFor('Reboot: web-1: The API has no POST');
  }
  expect(api.seen.filter(({ path }) => path.endsWith('/reboot'))).toHaveLength(1);
  await skydeck.press('a');
  await skydeck.type('show the');
  await skydeck.press('enter');
  await skydeck.waitFor('Show the console (web-1): failed');
  await skydeck.waitFor('The API has no GET');
});

test('the answer of a command that reads is shown as JSON', async () => {
  const path = resourceNamed('servers').operations?.transfer?.path.replace('serverId', 'id');
  const source = `[[commands]]\nname = "Raw transfer"\nfor = "servers"\nrequest = { method = "GET", path = "${path}" }\n`;
  const skydeck = await openServers(source, { readOnly: true });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'A');
  await skydeck.waitFor(/── Raw transfer \(web-1\)[\s\S]*"quota": \d+/);
  await skydeck.press('esc');
  await skydeck.waitFor(/❯.*web-1/);
});

test('a program gets the row, asks first where it changes something, and is recorded once', async () => {
  const source = program('Note it', 'cat; echo "for $1"; exit 3', 'key = "q"');
  const skydeck = await openServers(source);
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'Q');
  await skydeck.waitFor(/Note it\?[\s\S]*Runs sh -c /);
  expect(skydeck.recorded).toEqual([]);
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/── Note it: the program[\s\S]*sh web-1/);
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor(/── Note it \(web-1\): sh ended with code 3 ─/);
  await skydeck.waitFor(/"hypervisor": "kvm"[\s\S]*for web-1[\s\S]*sh ended with code 3\. It took 0\.\d s\./);
  expect(skydeck.recorded).toEqual([
    {
      command: 'note-it',
      for: 'servers',
      id: '48200101',
      run: ['sh', '-c', 'cat; echo "for $1"; exit 3', 'sh', 'web-1'],
    },
  ]);
  await skydeck.press('esc');
  await skydeck.waitFor(/❯.*web-1/);
  await skydeck.goTo('running');
  await skydeck.waitFor('Note it (web-1)');
  await skydeck.press('enter');
  await skydeck.waitFor('for web-1');
});

test('the output in a pane is searched and copied, as it was printed and not as it was wrapped', async () => {
  const long = 'long '.repeat(40).trim();
  const skydeck = await openServers(program('Count', `seq 1 90; echo ${long}; echo needle in $1`));
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.type('count');
  await skydeck.press('enter');
  await skydeck.waitFor(/^ ?1\n ?2\n[\s\S]* \/ search .* c copy the text/m);
  await skydeck.press('/');
  await skydeck.type('needle');
  await skydeck.press('enter');
  await skydeck.waitFor(/search: needle 1 match[\s\S]*needle in web-1/);
  await skydeck.press('c');
  await skydeck.waitFor(/Copied/);
  const numbers = Array.from({ length: 90 }, (_, index) => index + 1);
  expect(skydeck.copied).toEqual([[...numbers, long, 'needle in web-1'].join('\n')]);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('search: needle'));
  expect(skydeck.text()).toContain('── Count (web-1)');
  await skydeck.press('q');
  await skydeck.waitFor((frame) => !frame.includes('── Count (web-1)'));
});

test('a pane: output without escape sequences as it comes, as much as there is room for, stopped by a key', async () => {
  const source =
    program('Colours', String.raw`printf '\033[2J\033[31mred\033[0m\033]0;title\007 %s\n' "$1"`) +
    program('Flood', 'yes 0123456789 | head -c 3000000', 'changes = false\nkey = "f"') +
    program('Wait', 'echo begun; sleep 86100', 'changes = false\nkey = "w"') +
    program('Hang', 'echo begun; sleep 86101', 'changes = false\nkey = "g"\ntimeout = 1') +
    `[[commands]]\nname = "Missing"\nfor = "servers"\nkey = "m"\nchanges = false\nrun = ["no-such-program", "{label}"]\n`;
  const skydeck = await openServers(source);
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.type('colours');
  await skydeck.press('enter');
  await skydeck.waitFor(/^ ?red web-1$/m);
  await skydeck.waitFor('sh ended with code 0.');
  expect(skydeck.bytes).not.toContain('title');
  await skydeck.press('esc', 'a', 'F');
  await skydeck.waitFor('Flood (web-1)');
  await skydeck.press('end');
  await skydeck.waitFor(/2\.6 MiB more were printed and not kept\.[\s\S]*code 0/);
  await skydeck.press('esc', 'a', 'W');
  await skydeck.waitFor(/── Wait \(web-1\) runs; X stops it[\s\S]*begun/);
  await skydeck.press('esc');
  await skydeck.waitFor(/^ . Wait \(web-1\) +runs/m);
  await skydeck.press('X');
  await skydeck.waitFor('Wait: web-1: sh was stopped: begun');
  await skydeck.press('a', 'G');
  await skydeck.waitFor('── Hang (web-1): sh was ended because it took longer than 1 s ─');
  await skydeck.waitFor('sh was ended because it took longer than 1 s.');
  await skydeck.press('esc', 'a', 'M');
  await skydeck.waitFor('The program no-such-program was not found; install it, or write its whole path.');
});

test('a notice has the first line, or the code and the first lines; marked rows are done one after the other', async () => {
  const script = 'echo "$1 is fine"; echo more; [ "$1" != web-2 ] || (echo broken >&2; exit 7)';
  const skydeck = await openServers(program('Check', script, 'changes = false\nshow = "notice"\nkey = "c"'));
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'C');
  await skydeck.waitFor('web-1 is fine');
  await skydeck.press('space');
  await skydeck.pointAt('web-2 ');
  await skydeck.press('space');
  await skydeck.waitFor('marked 2');
  await skydeck.press('a', 'C');
  await skydeck.waitFor(/✗ web-2 +sh ended with code 7: web-2 is fine · more · broken/);
  await skydeck.waitFor(/✓ web-1 +web-1 is fine/);
  await skydeck.press('esc');
  await skydeck.waitFor('marked 2');
});

/** Four marked servers with a command that changes something: each begins a file, and ends once another is there. */
async function openRolling() {
  const folder = temporaryFolder('rolling');
  const script = `cd ${folder}; touch "begun-$1"; while [ ! -e "end-$1" ]; do sleep 0.02; done; exit "$(cat "end-$1")"`;
  const skydeck = await openServers(program('Patch', script, 'changes = true\nshow = "notice"\nkey = "c"'));
  for (const name of ['web-1 ', 'web-2 ', 'web-3 ', 'web-4 ']) {
    await skydeck.pointAt(name);
    await skydeck.press('space');
  }
  await skydeck.waitFor('marked 4');
  await skydeck.press('a', 'C');
  await skydeck.waitFor('Patch 4 of 4 servers');
  return {
    skydeck,
    begun: async () => (await readdir(folder)).filter((name) => name.startsWith('begun')).sort(),
    // Complete once it is there.
    end: async (name: string, code = 0) => {
      await writeFile(join(folder, 'unfinished'), String(code));
      await rename(join(folder, 'unfinished'), join(folder, `end-${name}`));
    },
  };
}

test('programs go two at a time, are paused between two, and go on', async () => {
  const { skydeck, begun, end } = await openRolling();
  await skydeck.waitFor(/How ❯one by one +2 +3 +all at once/);
  await skydeck.press('ctrl-o', 'ctrl-t');
  await skydeck.waitFor('A program has the timeout of its command.');
  await skydeck.waitFor(/❯2 at a time/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Patch 4 servers .*0\/4 {2}web-1; and 1 more; then web-3 *\n.*X stop sending/);
  await vi.waitFor(async () => expect(await begun()).toEqual(['begun-web-1', 'begun-web-2']));
  await skydeck.press('Z');
  await skydeck.waitFor('paused; Z goes on');
  await end('web-1');
  await skydeck.waitFor(/1\/4 {2}web-2; then web-3 {2}paused/);
  expect(await begun()).toEqual(['begun-web-1', 'begun-web-2']);
  await skydeck.press('Z');
  await vi.waitFor(async () => expect(await begun()).toContain('begun-web-3'));
  for (const name of ['web-2', 'web-3', 'web-4']) await end(name);
  await skydeck.waitFor((frame) => !frame.includes('marked'));
});

test('programs that go one by one end at the first that fails, and the rows that are left stay marked', async () => {
  const { skydeck, begun, end } = await openRolling();
  await skydeck.press('enter');
  await end('web-1');
  await end('web-2', 7);
  await skydeck.waitFor(/✗ web-2 +sh ended with code 7/);
  await skydeck.waitFor(/─ web-3 +not sent/);
  expect(await begun()).toEqual(['begun-web-1', 'begun-web-2']);
  await skydeck.press('esc');
  await skydeck.waitFor('marked 3');
});

test('programs that are stopped while they are paused begin no more', async () => {
  const { skydeck, begun } = await openRolling();
  await skydeck.press('enter');
  await vi.waitFor(async () => expect(await begun()).toEqual(['begun-web-1']));
  await skydeck.press('Z');
  await skydeck.waitFor('paused; Z goes on');
  await skydeck.press('X');
  await skydeck.waitFor(/web-1 +sh was stopped/);
  expect(await begun()).toEqual(['begun-web-1']);
});

test('a value that would be an option or is missing refuses the row, and says why', async () => {
  const source =
    `[[commands]]\nname = "Ping"\nfor = "servers"\nkey = "p"\nchanges = false\nrun = ["echo", "{group}"]\n`.replace(
      '"p"',
      '"g"',
    );
  const skydeck = await openServers(source);
  await skydeck.elsewhere('PUT', '/server/instances/48200101', { group: '--help' });
  await skydeck.press('ctrl-r');
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'G');
  await skydeck.waitFor(/group of web-1 begins with a dash/);
});

test('guards look at commands by their names, and not at what changes nothing', async () => {
  const source =
    ready + program('Note it', 'echo', 'key = "q"') + program('Look', 'echo "fine: $1"', 'changes = false\nkey = "j"');
  const { commands } = parseConfig(source, [checkCommands]).config;
  const guards = [{ for: 'servers', where: 'web', actions: ['*'], deny: true as const, reason: 'web is in use' }];
  const skydeck = await openServers(source, { configuration: { commands, guards } });
  await skydeck.pointAt('web-1 ');
  for (const key of ['X', 'Q']) {
    await skydeck.press('a', key);
    await skydeck.waitFor(/web is in use/);
    await skydeck.press('esc');
  }
  await skydeck.press('a', 'J');
  await skydeck.waitFor('fine: web-1');
  expect(skydeck.changes).toEqual([]);
  expect(skydeck.recorded).toEqual([]);
});

test('a problem with a server offers its commands', async () => {
  const skydeck = await openServers(ready, { place: { area: 'problems' } }, 'batch-4 is offline');
  await skydeck.pointAt('batch-4 is offline');
  await skydeck.press(':');
  await skydeck.type('boot');
  await skydeck.waitFor(/❯ Boot batch-4/);
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor(/\d +Boot$/m);
  await skydeck.waitFor(/Check HTTP/);
});

test('a command that destroys has the label typed, and one that changes nothing leaves the state of its row', async () => {
  const skydeck = await openServers(ready + program('Look', 'sleep 30'));
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor(/U +Rebuild as it was +! type the label/);
  await skydeck.press('U');
  await skydeck.waitFor('── Rebuild as it was web-1');
  await skydeck.fill('Root password', 'a-Passw0rd-of-tests');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/ALL disks of web-1 are deleted[\s\S]*Type web-1 to confirm/);
  await skydeck.press('enter');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('esc', 'esc', 'a');
  await skydeck.type('look');
  await skydeck.press('enter', 'esc');
  await skydeck.waitFor(/Look \(web-1\) +runs/);
  expect(skydeck.text()).toMatch(/running +web-1/);
  await skydeck.press('X');
  await skydeck.waitFor('was stopped');
});

test('a field of a command is typed each time, sent beside its body, and goes into no log', async () => {
  const skydeck = await openServers(ready);
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'U');
  await skydeck.waitFor('── Rebuild as it was web-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/required/);
  await skydeck.fill('Root password', 'a-Passw0rd-of-tests');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type web-1 to confirm');
  await skydeck.type('web-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Rebuild as it was: web-1');
  const body = { image: expect.stringMatching(/^server\//), root_pass: expect.not.stringContaining('Passw0rd') };
  expect(skydeck.changes).toMatchObject([{ path: '/server/instances/48200101/rebuild', body, status: 200 }]);
});

test('a command that destroys is not done to a row that a colleague has renamed while it was confirmed', async () => {
  const demo = await startSlowDemo();
  onTestFinished(demo.close);
  const skydeck = await openServers(ready, { demo, columns: 160 });
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a', 'U');
  await skydeck.waitFor('── Rebuild as it was web-1');
  await skydeck.fill('Root password', 'a-Passw0rd-of-tests');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type web-1 to confirm');
  await skydeck.elsewhere('PUT', '/server/instances/48200101', { label: 'prod-db-now' });
  await skydeck.type('web-1');
  await skydeck.press('enter');
  await skydeck.waitFor(/web-1 is called prod-db-now now, so nothing was sent:\s+look at it, then do it again\./);
  expect(skydeck.changes).toEqual([]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundle } from '../build.ts';
import { environment } from '../main/program.ts';
import { openPty, type Pty } from './pty.ts';
import { expectModesOff } from './shell.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-session-'));
});
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

let glass: Pty | undefined;
afterEach(() => glass?.kill('SIGKILL'));

/** The built program at the servers of its demo. */
async function open(columns = 80, rows = 24): Promise<Pty> {
  const env = { ...environment(home), TZ: 'UTC' };
  glass = openPty(process.execPath, [bundle, '--demo', 'servers'], { columns, rows, env });
  await glass.waitFor('api-1');
  return glass;
}

/** Main screen, visible cursor, nothing switched on that a shell does not expect, and no process. */
async function expectRestored(pty: Pty): Promise<void> {
  await pty.waitFor(() => pty.terminal.buffer.active.type === 'normal');
  expect(pty.text().trim()).toBe('');
  expectModesOff(pty);
  expect(() => process.kill(pty.pid, 0)).toThrow('ESRCH');
}

test('start, look around, give the window another size, quit', async () => {
  const pty = await open();
  await pty.press('/');
  await pty.type('web');
  await pty.waitFor('Servers  9 of 40');
  await pty.press('enter', 'down', 'enter');
  await pty.waitFor('Servers › web-1');
  pty.resize(160, 50);
  await pty.waitFor((frame) => frame.split('\n')[49]?.includes('tab next tab') === true);
  pty.resize(60, 16);
  await pty.waitFor((frame) => frame.split('\n')[15]?.includes('tab next tab') === true);
  pty.resize(59, 16);
  await pty.waitFor('Skydeck needs 60 columns and 16 rows, but has 59 and 16.');
  pty.resize(80, 24);
  await pty.waitFor('Servers › web-1');
  await pty.press('q');
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  await expectRestored(pty);
});

test('what is typed and pasted into a form arrives whole', async () => {
  const pty = await open();
  await pty.press('e');
  await pty.waitFor('── Edit api-1');
  await pty.press('ctrl-u');
  await pty.type('web');
  await pty.paste('-out-of-the-\nclipboard');
  await pty.waitFor(/Label \* +. web-out-of-the- clipboard/);
  await pty.press('ctrl-c');
  await pty.waitFor((frame) => !frame.includes('── Edit api-1'));
  await pty.press('ctrl-c');
  await pty.waitFor('is lost when you quit');
  await pty.press('ctrl-c');
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  await expectRestored(pty);
});

test('a paste that was cut off holds nobody: ctrl-c leads on', async () => {
  const pty = await open();
  await pty.press('e');
  await pty.waitFor('── Edit api-1');
  await pty.pressAtOnce('esc', ...'[200~cut off');
  await pty.press('ctrl-c');
  await pty.waitFor((frame) => !frame.includes('── Edit api-1'));
  await pty.press('ctrl-c');
  await pty.waitFor('A kept draft is lost when you quit');
  await pty.press('ctrl-c');
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  await expectRestored(pty);
});

test('a change is made in the demo, and its progress is seen', async () => {
  const pty = await open(100, 40);
  await pty.press('a');
  await pty.waitFor('Shut down');
  await pty.press('S');
  await pty.waitFor('── Shut down?');
  await pty.press('enter');
  await pty.waitFor('Shut down: api-1');
  await pty.waitFor(/◐ shutting/);
  await pty.press('q');
  await pty.exit;
  await expectRestored(pty);
});

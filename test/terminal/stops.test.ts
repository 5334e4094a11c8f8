import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { bundle } from '../build.ts';
import { environment } from '../main/program.ts';
import { openPty, type Pty } from './pty.ts';
import { expectModesOff, modesOf, processesOf } from './shell.ts';

let home: string;
let demo: Demo;
let pty: Pty;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-stops-'));
  await writeFile(join(home, 'inputrc'), 'set enable-bracketed-paste off\n');
  await writeFile(join(home, 'editor'), '#!/bin/sh\nkill -TSTP 0; echo again; read -r line; echo "$line" >"$1"\n', {
    mode: 0o755,
  });
  demo = await startDemo({ colleagues: false });
});
afterEach(() => pty.kill('SIGKILL'));
afterAll(async () => {
  await demo.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

const log = () => readFile(join(home, 'calls'), 'utf8');
const polls = async () => (await log()).split('\n').filter((line) => line.includes('account/events')).length;

/** The program as a job of an interactive shell; answers its process. */
async function open(place = 'servers', sees = 'api-1'): Promise<number> {
  await rm(join(home, 'calls'), { force: true });
  pty = openPty('/bin/bash', ['--norc', '--noprofile', '-i'], {
    columns: 80,
    rows: 24,
    env: environment(home, {
      PS1: 'ready> ',
      EDITOR: join(home, 'editor'),
      INPUTRC: join(home, 'inputrc'),
      SKYDECK_BASE_URL: demo.url,
      SKYDECK_TOKEN: demo.tokens.full,
    }),
  });
  await pty.waitFor('ready>');
  await pty.type(`${process.execPath} ${bundle} ${place} --log-file ~/calls\r`);
  await pty.waitFor(sees);
  const program = (await processesOf(pty.pid)).find(({ pid }) => pid !== pty.pid);
  if (!program) throw new Error('the program does not run');
  return program.pid;
}

const expectModesOn = async (pid: number) => {
  await expect
    .poll(() => ({ type: pty.terminal.buffer.active.type, ...pty.terminal.modes }))
    .toMatchObject({ type: 'alternate', bracketedPasteMode: true, sendFocusMode: true, wraparoundMode: false });
  expect(pty.bytes.lastIndexOf('\x1b[?25l')).toBeGreaterThan(pty.bytes.lastIndexOf('\x1b[?25h'));
  expect(await modesOf(pid)).toMatch(/^-isig -icanon .* -echo /m);
};

test('a stopped program leaves the terminal to the shell, and takes it back as it was, in a window of another size', async () => {
  const pid = await open();
  await pty.press('down');
  await pty.waitFor(/❯ +● running +api-2/);
  process.kill(pid, 'SIGTSTP');
  await pty.waitFor('Stopped');
  expectModesOff(pty);
  expect(await modesOf(pid)).toMatch(/^isig /m);
  expect((await processesOf(pty.pid)).find((process) => process.pid === pid)?.state).toBe('T');
  const before = await polls();
  pty.resize(100, 30);
  await pty.type('fg\r');
  await pty.waitFor((frame) => frame.split('\n')[29]?.includes('? keys') === true);
  await pty.waitFor(/❯ +● running +api-2/);
  await expectModesOn(pid);
  // The next poll would be due much later.
  await expect.poll(polls, { timeout: 8_000 }).toBeGreaterThan(before);
  await pty.press('up');
  await pty.waitFor(/❯ +● running +api-1/);
  await pty.press('q');
  await pty.waitFor(/ready>\s*$/);
  await pty.type('echo code $?\r');
  await pty.waitFor('code 0');
  expectModesOff(pty);
});

async function stopsAndComesBack(sees: RegExp): Promise<void> {
  await pty.press('ctrl-z');
  await pty.waitFor(/Stopped[\s\S]*ready>\s*$/);
  expectModesOff(pty);
  await pty.type('fg\r');
  await pty.waitFor(sees);
}

test('ctrl-z leaves the terminal to the shell, with all that the shell runs in the same job', async () => {
  await open();
  await pty.press('down');
  await pty.waitFor(/❯ +● running +api-2/);
  await stopsAndComesBack(/❯ +● running +api-2/);
  await pty.press('up');
  await pty.waitFor(/❯ +● running +api-1/);
  await pty.press('q');
  await pty.waitFor(/ready>\s*$/);
  await pty.type(`(${process.execPath} ${bundle} servers; true) # as npm runs it\r`);
  await pty.waitFor(/❯ +● running +api-1/);
  await stopsAndComesBack(/❯ +● running +api-1/);
});

test('a program that was stopped without a warning draws everything anew', async () => {
  const pid = await open();
  // Answers of the terminal to the start come before a key.
  await pty.press('down');
  await pty.waitFor(/❯ +● running +api-2/);
  await pty.press('up');
  await pty.waitFor(/❯ +● running +api-1/);
  process.kill(pid, 'SIGSTOP');
  await pty.waitFor('Stopped');
  await pty.type('clear; echo something else\r');
  await pty.waitFor(/^something else$/m);
  await pty.type('fg\r');
  await pty.waitFor(
    (frame) => frame.includes('? keys') && frame.includes('api-1') && !frame.includes('something else'),
  );
  await expectModesOn(pid);
  await pty.press('down');
  await pty.waitFor(/❯ +● running +api-2/);
});

test('an editor that stops all with it, as editors do, has the terminal again when all go on', async () => {
  await open('stackscripts', 'n new');
  await pty.press('n');
  await pty.waitFor('── New StackScript');
  await pty.press('tab', 'tab');
  await pty.waitFor('ctrl-e editor');
  await pty.press('ctrl-e');
  await pty.waitFor(/Stopped[\s\S]*ready>\s*$/);
  expectModesOff(pty);
  await pty.type('fg\r');
  await pty.waitFor('again');
  expectModesOff(pty);
  await pty.type('#!/bin/sh after a while\r');
  await pty.waitFor(/Script.*#!\/bin\/sh after a while/);
});

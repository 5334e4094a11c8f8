import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { environment } from '../main/program.ts';
import { modesLeft, openShell, type Shell } from './shell.ts';

let home: string;
let shell: Shell | undefined;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-citizen-'));
  await writeFile(join(home, 'editor'), '#!/bin/sh\necho in the editor; read -r line; echo "$line" >"$1"\n', {
    mode: 0o755,
  });
});
afterEach(() => shell?.kill('SIGKILL'));
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

const white = 'ffff/ffff/ffff';

async function open(args: string[], env: Record<string, string>, background?: string): Promise<Shell> {
  const opened = openShell(['--demo', 'servers', ...args], {
    columns: 100,
    rows: 30,
    env: environment(home, { EDITOR: join(home, 'editor'), ...env }),
    background,
  });
  shell = opened;
  await opened.waitFor(/❯ .*api-1/);
  return opened;
}

/** The colour of the key in the footer. */
const keyColour = ({ styleAt }: Shell) => styleAt(29, 1).fg;
/** That of the dark theme among 16 colours, and that of the light one among 256. */
const [cyan, blue] = [6, 26];

test('all that a modern terminal has is used, and is off whenever the terminal belongs to others', async () => {
  const shell = await open(['--mouse'], { WT_SESSION: '1' }, white);
  await expect.poll(() => keyColour(shell)).toBe(blue);
  for (const on of ['\x1b[?2031h', '\x1b[?1002h\x1b[?1006h', '\x1b[>1u', '\x1b[22;2t']) {
    await expect.poll(() => shell.bytes.split(on)).toHaveLength(2);
  }
  // The desktop becomes dark, in parts as over a slow line; escape and ctrl-i are keys of their own.
  await shell.type('\x1b[?997;1n');
  await expect.poll(() => keyColour(shell)).toBe(cyan);
  await shell.press('/');
  await shell.type('web');
  await shell.waitFor('Servers  9 of 40');
  await shell.type('\x1b[105;5u\x1b[99;9u\x1b[27u');
  await shell.waitFor((frame) => !frame.includes('filter: web'));
  await shell.press(':');
  await shell.type('stackscripts');
  await shell.press('enter');
  await shell.waitFor('n new');
  await shell.press('n');
  await shell.waitFor('── New StackScript');
  await shell.press('tab', 'tab');
  await shell.waitFor('ctrl-e editor');
  await shell.press('ctrl-e');
  await shell.waitFor('in the editor');
  expect(modesLeft(shell.bytes)).toEqual([]);
  await shell.type('edited\r');
  await shell.waitFor('── New StackScript');
  expect(modesLeft(shell.bytes)).toContain('the keyboard protocol is on');
  expect(shell.terminal.modes.mouseTrackingMode).toBe('drag');
  await shell.signal('SIGTERM');
  await shell.ended(143, /SIGTERM/);
});

test('a theme that was chosen stays, and nothing is sent for the mouse or asked about colours', async () => {
  const shell = await open(['--theme', 'dark'], {}, white);
  await expect.poll(() => shell.bytes).toContain('\x1b[>1u');
  expect(shell.bytes).not.toMatch(/\x1b\]11|\x1b\[\?(?:2031|100[0236]|1015|1016)h/);
  await shell.type('\x1b[?997;2n\x1b[<0;3;8M');
  await shell.press('q');
  await shell.ended(0);
});

test('a terminal that answers nothing but what it is gets nothing more', async () => {
  const shell = await open([], {});
  await shell.press('down');
  await shell.waitFor(/❯ .*api-2/);
  expect(shell.bytes).not.toMatch(/\x1b\[>\d*u/);
  await shell.press('q');
  await shell.ended(0);
});

test.each(['linux', 'vt100'])('a console (%s) is asked nothing', async (TERM) => {
  const shell = openShell(['--demo', '--mouse', 'servers'], { env: environment(home, { TERM, WT_SESSION: '1' }) });
  await shell.waitFor('api-1');
  await shell.press('q');
  await shell.ended(0);
  expect(shell.bytes).not.toMatch(/\x1b\]|\x1b\[\?u|\x1b\[c|\x1b\[\?(?:2031|1002|1006)|\x1b\[\d*;?\d*t|\x1b\[[<>]/);
});

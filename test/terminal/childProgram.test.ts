import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { environment } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openShell, processesOf, type Shell } from './shell.ts';

let home: string;
let temporary: string;
let shell: Shell | undefined;
beforeEach(async () => {
  home = temporaryFolder('child');
  temporary = join(home, 'temporary');
  await mkdir(temporary);
});
afterEach(() => {
  shell?.kill('SIGKILL');
});

/** The program with a script of its demo in this editor, a shell script whose `$1` is the file. */
async function openEditor(body: string, node: string[] = []): Promise<Shell> {
  const editor = join(home, 'editor');
  await writeFile(editor, `#!/bin/sh\n${body}\n`);
  await chmod(editor, 0o755);
  const env = environment(home, { EDITOR: editor, TMPDIR: temporary, SKYDECK_TOKEN: 'not-for-editors' });
  shell = openShell(['--demo', 'stackscripts'], { columns: 80, rows: 24, env, node });
  await shell.waitFor('n new');
  await shell.press('n');
  await shell.waitFor('── New StackScript');
  await shell.press('tab', 'tab');
  await shell.waitFor('ctrl-e editor');
  await shell.press('ctrl-e');
  return shell;
}

describe('while the editor has the terminal', () => {
  test('every key is for it, and it finds nothing switched on', async () => {
    const shell = await openEditor('stty -a; env; echo ready; read -r line; echo "$line" >"$1"');
    await shell.waitFor('ready');
    expect(shell.bytes).not.toContain('not-for-editors');
    expect(shell.text()).toMatch(/^isig icanon .* echo /m);
    expect(shell.terminal.buffer.active.type).toBe('normal');
    expect(shell.terminal.modes).toMatchObject({
      bracketedPasteMode: false,
      sendFocusMode: false,
      wraparoundMode: true,
    });
    await shell.type('#!/bin/sh and what is typed\r');
    await shell.waitFor(/Script.*#!\/bin\/sh and what is typed/);
    await shell.press('esc');
    await shell.waitFor((frame) => !frame.includes('── New StackScript'));
    await shell.press('q');
    await shell.waitFor('A kept draft is lost when you quit (New StackScript); q once more quits.');
    await shell.press('q');
    await shell.waitFor('code 0');
    expect(await readdir(temporary)).toEqual([]);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it too, and its file is gone', async (signal, code) => {
    const shell = await openEditor('echo ready; exec sleep 600');
    await shell.waitFor('ready');
    expect(await readdir(temporary)).toHaveLength(1);
    await shell.signal(signal);
    await shell.waitFor(`code ${code}`);
    expect(shell.text()).toMatch(new RegExp(`ready\\nSkydeck was ended by ${signal}\\.\\nmodes as before\\ncode`));
    await shell.exit;
    expect(await readdir(temporary)).toEqual([]);
    expect(await processesOf(shell.pid)).toEqual([]);
  });
});

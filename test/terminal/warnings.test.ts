import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines } from '../jsonLines.ts';
import { environment } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openShell, type Shell } from './shell.ts';

let home: string;
let shell: Shell | undefined;
beforeEach(() => {
  home = temporaryFolder('warnings');
});
afterEach(() => {
  shell?.kill('SIGKILL');
});

/** Node warns of every one of them. */
const wrongTimers = `
  process.once('SIGWINCH', () => {
    setTimeout(() => {}, -5);
    setTimeout(() => {}, 2 ** 40);
    process.emitWarning('a word\\x1b[2J in between', 'Unkind');
    process.emitWarning('and another', 'Unkind');
  });`;

test('a warning of Node is in the log and among the notices, and never in a frame', async () => {
  const log = join(home, 'calls.jsonl');
  const node = ['--import', `data:text/javascript,${encodeURIComponent(wrongTimers)}`];
  const env = environment(home);
  const opened = openShell(['--demo', 'servers', '--log-file', log], { node, columns: 80, rows: 24, env });
  shell = opened;
  await opened.waitFor('api-1');
  opened.resize(90, 24);
  await expect.poll(() => readFile(log, 'utf8'), { timeout: 10_000 }).toContain('and another');
  const entries = jsonLines(await readFile(log, 'utf8'));
  expect(entries.flatMap(({ warning }) => warning ?? [])).toEqual([
    'TimeoutNegativeWarning',
    'TimeoutOverflowWarning',
    'Unkind',
    'Unkind',
  ]);
  await opened.press(':');
  await opened.type('messages');
  await opened.press('enter');
  await opened.waitFor(/Node warns: -5 is a negative number/);
  expect(opened.text()).toContain('Node warns: a word in between');
  expect(opened.text()).not.toContain('and another');
  await opened.press('esc');
  await opened.waitFor('enter open');
  await opened.press('q');
  await opened.ended(0);
  expect(opened.bytes).not.toContain('(node:');
});

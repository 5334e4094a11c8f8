import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellRunner } from '../../src/program/ssh/shellRunner.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

it('opens no shell whose line the audit log does not have', async () => {
  const run: string[] = [];
  const open = shellRunner({
    env: () => ({}),
    withheld: () => [],
    onTerminal: async () => {
      run.push('terminal');
      throw new Error('a shell was opened');
    },
    print: () => {},
    record: async () => {
      throw new Error('Nothing was run, because the audit log is full.');
    },
    isDemo: false,
  });
  const shell = { argv: ['true'], user: 'me', address: '192.0.2.1', id: '1', label: 'web-1' };
  await expect(open([shell], 'work')).rejects.toThrow('Nothing was run, because the audit log is full.');
  expect(run).toEqual([]);
});

it('gives windows of tmux names in which tmux finds nothing to run or to expand', async () => {
  const folder = temporaryFolder('tmux');
  const seen = join(folder, 'seen');
  const tmux = `#!/bin/sh\n{ printf '%s\\0' "$@"; printf '\\0'; } >>'${seen}'\necho @1\n`;
  await writeFile(join(folder, 'tmux'), tmux, { mode: 0o755 });
  const open = shellRunner({
    env: () => ({ TMUX: '/tmp/tmux', PATH: `${folder}:${process.env.PATH}` }),
    withheld: () => ['SKYDECK_TOKEN', 'MY TOKEN', 'WORK'],
    onTerminal: () => expect.unreachable(),
    print: () => {},
    record: async () => {},
    isDemo: false,
  });
  const labels = [
    '#(touch made)',
    '#{q:#(touch made)}',
    '%1;kill-server',
    '$(touch made)',
    'a\nb',
    '\x1b]0;x\x07',
    'ünï-1',
  ];
  const shells = labels.map((label) => ({ argv: ['ssh', 'a;'], user: 'me', address: '192.0.2.1', id: '1', label }));
  await open(shells, 'work');
  const windows = (await readFile(seen, 'utf8')).split('\0\0').filter((window) => window !== '');
  expect(windows).toHaveLength(labels.length);
  for (const window of windows) {
    const words = window.split('\0');
    expect(words[words.indexOf('-n') + 1]).toMatch(/^[\w.-]+$/);
    const vector = words.slice(words.indexOf('--') + 1, words.indexOf(';'));
    expect(vector).toEqual(['env', '-u', 'SKYDECK_TOKEN', '-u', 'WORK', 'ssh', 'a\\;']);
  }
});

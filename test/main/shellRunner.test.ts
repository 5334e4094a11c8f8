import { expect, it } from 'vitest';
import { shellRunner } from '../../src/program/ssh/shellRunner.ts';

it('opens no shell whose line the audit log does not have', async () => {
  const run: string[] = [];
  const open = shellRunner({
    env: () => ({}),
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

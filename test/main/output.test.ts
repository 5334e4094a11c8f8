import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { help } from '../../src/program/commandLine/help.ts';
import { bundle } from '../build.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { environment } from './program.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('output');
});

/** Runs a command with its output there; answers its exit code and what it complained of. */
async function into(file: string, command: string, args: string[]) {
  const output = await open(file, 'w');
  try {
    const child = spawn(command, args, { env: environment(home), stdio: ['ignore', output.fd, 'pipe'] });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, stderr };
  } finally {
    await output.close();
  }
}

describe('output that cannot be written', () => {
  test.each([
    '--help',
    '--version',
    '--demo',
    '--demo snapshot servers --format json',
    '--demo doctor',
    'demo-api --port 0',
  ])('ends %s with one sentence and exit code 74', async (args) => {
    expect(await into('/dev/full', process.execPath, [bundle, ...args.split(' ')])).toEqual({
      code: 74,
      stderr: 'Standard output cannot be written: no space left on device.\n',
    });
  });

  test('is no success either when a part of it fits', async () => {
    const file = join(home, 'rows.json');
    const limited = 'ulimit -f 8; exec "$0" "$@"';
    const args = ['-c', limited, process.execPath, bundle, '--demo', 'snapshot', 'servers', '--format', 'json'];
    const { code, stderr } = await into(file, '/bin/sh', args);
    expect(code).toBe(74);
    expect(stderr).toMatch(/^Standard output cannot be written: .*\.\n$/);
    expect((await readFile(file)).length).toBeGreaterThan(0);
  });

  test('is told of in the help', () => expect(help).toContain('74 output not written'));
});

test('a file gets all of it', async () => {
  const file = join(home, 'rows.json');
  const args = [bundle, '--demo', '--servers', '2000', 'snapshot', 'servers', '--format', 'json'];
  expect(await into(file, process.execPath, args)).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(await readFile(file, 'utf8')).rows).toHaveLength(2000);
});

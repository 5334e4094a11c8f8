import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { bundle } from '../build.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { configureWork, environment, runProgram, skydeck } from './program.ts';

let demo: Demo;
let home = '';
let file = '';
beforeEach(async () => {
  demo = await startQuietDemo();
  home = temporaryFolder('full');
  file = join(home, 'file');
  onTestFinished(() => demo.close());
  await configureWork(home, demo.url);
});

const env = () => environment(home, { WORK: demo.tokens.full });

/** Runs the program where no file may grow, as on a disk that is full. */
const full = (...args: string[]) =>
  runProgram('bash', ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, bundle, ...args], env());

const isThere = async () => (await readdir(home)).includes('file');

test('a recording that cannot begin is refused, and leaves no file', async () => {
  expect(await full('snapshot', 'volumes', '--record', file)).toEqual({
    code: 2,
    stdout: '',
    stderr: `The recording ${file} cannot be written: it may not grow any further.\n`,
  });
  expect(await isThere()).toBe(false);
});

test('a log that lacks lines is told, and harms nothing else', async () => {
  const { code, stdout, stderr } = await full('snapshot', 'volumes', '--log-file', file);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^STATUS/) });
  expect(stderr.match(/The log .*\n/g)).toEqual([
    expect.stringMatching(/^The log .*\/file lacks lines since [^ ]*: it may not grow any further\.\n$/),
  ]);
});

test('a plan that cannot be written leaves no file, and is written once there is room', async () => {
  const { stdout: zone } = await skydeck(['dns', 'export', 'example.com'], env());
  const changed = join(home, 'zone');
  await writeFile(changed, `${zone}full-test 300 TXT "one"\n`);
  const args = ['dns', 'plan', changed, '--out', file];
  const refused = await full(...args);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('it may not grow any further') });
  expect(await isThere()).toBe(false);
  expect(await skydeck(args, env())).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(file, 'utf8')).steps).toHaveLength(1);
});

test.each(['completion bash', 'completion zsh', 'completion fish', 'completion powershell', 'complete -- snap'])(
  '%s that cannot be printed is no success',
  async (line) => {
    const args = ['-c', 'exec "$0" "$@" >/dev/full', process.execPath, bundle, ...line.split(' ')];
    expect(await runProgram('bash', args, env())).toEqual({
      ...{ code: 74, stdout: '' },
      stderr: 'Standard output cannot be written: no space left on device.\n',
    });
  },
);

test('a bundle that cannot be written leaves no file', async () => {
  const refused = await full('doctor', '--bundle', file);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('it may not grow any further') });
  expect(await isThere()).toBe(false);
});

test('the doctor tells of a disk that is full', async () => {
  const { code, stdout } = await full('doctor', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).checks).toContainEqual({
    check: 'state',
    result: 'wrong',
    says: expect.stringMatching(/cannot be written: it may not grow any further; without its line in the audit log/),
  });
});

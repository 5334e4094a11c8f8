import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeFor, runOptions, withoutChance } from '../scripts/node.ts';
import { openPty } from './terminal/pty.ts';

const run = promisify(execFile);
const platform = `${process.platform}-${process.arch}`;

describe('the program as one executable file', () => {
  let folder: string;
  let executable: string;
  /** It is found in the path, and no Node is. */
  const env = () => ({ PATH: join(folder, 'bin'), HOME: folder, LANG: 'C.UTF-8' });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skydeck-executable-'));
    const made = join(folder, 'bin');
    await mkdir(made);
    await run(process.execPath, ['scripts/executable.ts', made]);
    expect(await readdir(made)).toEqual([`skydeck-${platform}`]);
    executable = `skydeck-${platform}`;
  }, 240_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('tells its commit and its Node', async () => {
    const { stdout } = await run(executable, ['--version'], { env: env() });
    expect(stdout).toMatch(/^skydeck \d+\.\d+\.\d+ \((?:commit [0-9a-f]{12}\+?, )?Node 26\.\d+\.\d+\)\n$/);
  });

  test('has the demo API inside, and keeps compiled code as the bundle does', async () => {
    const { stdout } = await run(executable, ['snapshot', 'servers', '--demo'], { env: env() });
    expect(stdout).toMatch(/^STATUS +LABEL/);
    expect(stdout.split('\n').length).toBeGreaterThan(20);
    expect(await readdir(join(folder, '.cache/skydeck'))).toContainEqual(expect.stringMatching(/^program-/));
  });

  test('is run with the options of the program', async () => {
    const put = join(folder, 'options.cjs');
    await writeFile(put, 'process.stdout.write(process.execArgv + " ")');
    const { stdout } = await run(executable, ['--version'], { env: { ...env(), NODE_OPTIONS: `--require=${put}` } });
    expect(stdout).toContain(runOptions.join());
  });

  test('is a screen', async () => {
    const pty = openPty(executable, ['--demo', 'servers'], { env: env(), columns: 100, rows: 30 });
    await pty.waitFor(/api-1 /);
    await pty.press('q');
    expect(await pty.exit).toMatchObject({ code: 0 });
  });

  test('reports a crash with the lines of the sources', async () => {
    const put = join(folder, 'put-in.cjs');
    await writeFile(put, 'process.stdout.write=()=>{throw new Error("put in")}');
    const crash = run(executable, ['--version'], { env: { ...env(), NODE_OPTIONS: `--require=${put}` } });
    await expect(crash).rejects.toMatchObject({ code: 70 });
    const state = join(folder, '.local/state/skydeck');
    const [report = ''] = (await readdir(state)).filter((name) => name.startsWith('crash-'));
    const text = await readFile(join(state, report), 'utf8');
    expect(text).toMatch(/\(src\/program\/\w+\.ts:\d+\)/);
    expect(text).toMatch(/src\/main\.tsx:\d+/);
    expect(text).not.toMatch(/executable\.js:|dist\//);
  });

  test('has the same compiled code each time, wherever it is built', async () => {
    const name = (await readdir('dist')).find((one) => /^program-.*\.js$/.test(one)) ?? '';
    const compiled = async (script: string) => {
      const file = join(folder, 'compiled');
      await run(nodeFor(platform), [...withoutChance, 'scripts/compile.ts', script, file]);
      return readFile(file);
    };
    const copy = join(folder, name);
    await copyFile(resolve('dist', name), copy);
    const code = await compiled(copy);
    expect(code.equals(await compiled(resolve('dist', name)))).toBe(true);
    expect(code.includes(folder)).toBe(false);
  });
});
